"""What one look at a link says: one of twelve words, with a reason a person can read.

Pure. A verdict never decides what readers see; the standing does, from several of them (`sources.standing`). Where two
readings are possible the one that cannot call a living source dead is taken.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import unquote, urlsplit

from sources import standins, text
from sources.clients.exchange import Exchange, Failure, Hop
from sources.text import Text

Outcome = Literal[
    "ok",  # answers with what was cited
    "moved",  # answers at another address, all hops permanent
    "redirected",  # answers at another address, at least one hop temporary
    "changed",  # answers, but the text that matters differs
    "suspect",  # answers 200, but probably not with the thing cited
    "blocked",  # refuses us, or asks for a login, payment, consent or a test for robots: cannot tell
    "rate_limited",  # asks us to come back later: cannot tell
    "failing",  # a technical failure that may pass: cannot tell yet
    "broken",  # says that it is not there, or can never answer
    "gone",  # says that it was removed on purpose
    "unsafe",  # must not be fetched
    "unsupported",  # no scheme that is looked at
]
ANSWERED = frozenset({"ok", "moved", "redirected", "changed"})


@dataclass(frozen=True)
class Seen:
    """What a look saw of the source, kept to compare the next one with. Only a look that answered replaces it."""

    kind: str = ""  # html, pdf, plain, other
    fingerprint: str = ""
    title: str = ""
    retraction: str = ""
    length: int = 0  # characters of main text


@dataclass(frozen=True)
class Verdict:
    """The outcome of one look. `seen` is None where the answer is not the source's own."""

    outcome: Outcome
    reason: str
    new_address: str = ""  # offered to an editor in place of the cited one: with "moved" only
    notes: tuple[str, ...] = ()
    seen: Seen | None = None


_FAILURES: dict[str, Outcome] = {
    "unsupported": "unsupported",
    "unsafe": "unsafe",
    "no_such_name": "broken",
    "redirect_loop": "broken",
    "too_many_redirects": "broken",
    "redirect_nowhere": "broken",
    "robots": "blocked",
    "busy": "rate_limited",
}  # all others may pass: "failing"
_REFUSALS = {
    401: "asks for a login (401)",
    402: "asks for payment (402)",
    403: "refuses us without saying that the source is gone (403)",
    405: "refuses the way in which every browser asks (405), as guards against robots do",
    406: "refuses what every browser asks for (406), as guards against robots do",
    407: "asks for a login at a proxy (407)",
    412: "refuses our request (412)",
    418: "refuses us (418)",
    423: "says that the source is locked (423)",
    428: "refuses our request (428)",
    451: "refuses for legal reasons, which may depend on where we look from (451)",
    999: "refuses robots (999)",
}
_MISSING = {
    400: "says that the address itself makes no sense to it (400)",
    404: "says that nothing is there (404)",
    414: "says that the address is too long (414)",
}
# Their address is the identifier of the work: today's landing page never replaces it.
_RESOLVERS = re.compile(
    r"(?:^|\.)(?:doi\.org|hdl\.handle\.net|purl\.(?:org|oclc\.org|obolibrary\.org|archive\.org)|w3id\.org|n2t\.net|ark\.|"
    r"identifiers\.org|arxiv\.org|handle\.net|urn\.|perma\.cc)",
    re.I,
)
_IDENTIFIER = re.compile(r"/(?:10\.\d{4,9}/\S|ark:/?\d{5}|hdl/|urn:)", re.I)
_INDEX = re.compile(r"/(?:index|default|home|main|readme)(?:\.[a-z]{2,5})?/?$", re.I)
_HOME = re.compile(r"/?(?:[a-z]{2}(?:[-_][a-z]{2})?/?)?(?:(?:index|default|home)(?:\.[a-z]{2,5})?/?)?", re.I)
_CODE_LINES = re.compile(r"L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?")


def text_of(exchange: Exchange) -> Text:
    """Return the text of an answer. Give it to `verdict` and to the passages, so that it is read once."""
    return text.read(exchange.body, exchange.content_type, exchange.text, exchange.truncated)


def verdict(
    look: Exchange | Failure,
    source_title: str = "",
    previous: Seen | None = None,
    read: Text | None = None,
) -> Verdict:
    """Return what a look says. `previous` is what the last look that answered saw; `read` the text, if read already."""
    if isinstance(look, Failure):
        return _failed(look)
    refused = _by_status(look)
    if refused:
        return refused
    if look.status == 304:
        return _arrived(look, previous, "answers that nothing changed since the last look (304)")
    found = read if read is not None else text_of(look)
    if look.forward_refused and len(found.words) < standins.VERY_SHORT:
        return Verdict(
            "unsafe", f"The page only sends on to what must not be fetched: {look.forward_refused}"
        )
    doubt = _doubt(look, found, source_title, previous)
    if doubt:
        return Verdict(doubt.outcome, f"The address {doubt.reason}.")  # type: ignore[arg-type]
    seen = Seen(
        found.kind, found.fingerprint if found.whole else "", found.title, found.retraction, len(found.words)
    )
    changed = _change(previous, seen)
    if changed:
        return Verdict("changed", changed, notes=_notes(look, found), seen=seen)
    if previous and not seen.fingerprint:
        seen = replace(
            seen, fingerprint=previous.fingerprint
        )  # what could not be read in full replaces nothing
    return replace(_arrived(look, seen, "answers with what was cited"), notes=_notes(look, found))


def _failed(failure: Failure) -> Verdict:
    reason = failure.reason.strip() or failure.kind.replace("_", " ")
    if not reason.endswith((".", "!", "…")):
        reason += "."
    resolver = failure.hops and _is_identifier(failure.url) and failure.final_url != failure.url
    if resolver and failure.kind not in ("unsafe", "unsupported"):
        reason += " The identifier itself resolves."
    return Verdict(_FAILURES.get(failure.kind, "failing"), reason[0].upper() + reason[1:])


def _by_status(look: Exchange) -> Verdict | None:
    """What the status alone decides; None for an answer that has to be read."""
    status, by = look.status, _where(look)
    announced = standins.challenge_announced(look.headers)
    if status == 429:
        wait = f"; it asks for {look.retry_after} s" if look.retry_after is not None else ""
        return Verdict("rate_limited", f"{by} asks us to come back later (429){wait}.")
    if announced and (status >= 400 or status in (202, 200)):
        return Verdict(
            "blocked", f"{by} wants proof that the visitor is no robot (header {announced}, status {status})."
        )
    if status in (200, 203, 206):
        return None
    if status == 304:
        if look.conditional:
            return None
        return Verdict("failing", f"{by} answers “not modified” (304), although no condition was sent.")
    if status == 410:
        return Verdict("gone", f"{by} says that the source was removed on purpose (410).")
    if status in _MISSING:
        if status == 404 and _is_identifier(look.url) and len(look.hops) == 1:
            return Verdict(
                "broken", "The resolver does not know this identifier (404): mistyped, or not registered yet."
            )
        return Verdict("broken", f"{by} {_MISSING[status]}.")
    if status in _REFUSALS:
        return Verdict("blocked", f"{by} {_REFUSALS[status]}.")
    if 200 <= status < 300:
        return _without_page(look, by)
    if 300 <= status < 400:
        if status == 300:
            return Verdict("suspect", f"{by} offers several addresses to choose from (300).")
        return Verdict("broken", f"{by} redirects without saying where to ({status}).")
    if status in (503, 500, 502, 520) and (challenge := _challenge(look)):
        return Verdict("blocked", f"{by} {challenge.reason} ({status}).")
    until = f"; it asks for {look.retry_after} s" if look.retry_after is not None else ""
    return Verdict("failing", f"{by} has a technical trouble that may pass ({status}){until}.")


def _without_page(look: Exchange, by: str) -> Verdict:
    if challenge := _challenge(look):
        return Verdict("blocked", f"{by} {challenge.reason} ({look.status}).")
    return Verdict("suspect", f"{by} answers {look.status}, a success without anything to read.")


def _challenge(look: Exchange) -> standins.Standin | None:
    found = standins.standin(text_of(look))
    return found if found and found.outcome == "blocked" else None


def _doubt(look: Exchange, found: Text, source_title: str, previous: Seen | None) -> standins.Standin | None:
    """Why an answer with 200 is probably not the thing cited; None where there is no reason to doubt."""
    if look.truncated and not found.words:
        return None  # what was read of a huge file holds no text, which says nothing
    bare = found.kind == "html" and not (
        found.title or found.blocks or found.page.scripts or found.page.frames
    )
    if found.kind == "empty" or bare:
        return standins.Standin("suspect", "answers 200 with nothing to read in it")
    elsewhere = _elsewhere(look)
    ended = standins.place(look.final_url) if elsewhere else None
    bears = standins.bears(found, source_title)
    notice = ended and (ended.outcome == "suspect" or len(found.words) < standins.SHORT)
    if notice and not bears and not standins.place(look.url):
        return ended
    if what := standins.standin(found, source_title):
        return standins.Standin(
            what.outcome, f"{what.reason}{f', at {_shown(look.final_url)}' if elsewhere else ''}"
        )
    if elsewhere and not bears and (home := _ended_above(look)):
        return home
    return _other_type(look, found, previous)


def _other_type(look: Exchange, found: Text, previous: Seen | None) -> standins.Standin | None:
    if previous and previous.kind in ("pdf", "other") and found.kind in ("html", "plain"):
        was = "a PDF" if previous.kind == "pdf" else "a file"
        return standins.Standin("suspect", f"answered with {was} before and answers with a web page now")
    if previous and previous.kind == "html" and found.kind == "other":
        return standins.Standin(
            "suspect", "answered with a web page before and answers with another type of file now"
        )
    path = urlsplit(look.url).path.lower()
    names_file = path.endswith(".pdf") and "/blob/" not in path and previous is None
    if names_file and found.kind == "html" and len(found.words) < standins.SHORT:
        return standins.Standin("suspect", "names a PDF, but answers with a short web page")
    if look.content_type == "application/pdf" and found.kind != "pdf" and not look.truncated:
        return standins.Standin("suspect", "says that it answers with a PDF, but what comes is none")
    return None


def _change(previous: Seen | None, now: Seen) -> str:
    """Return the sentence that says what changed since the last look; "" where nothing that matters did."""
    if previous is None:
        return ""
    if now.retraction and not previous.retraction:
        return f"The source is marked as retracted or withdrawn now: “{now.retraction[:120]}”."
    if text.same_text(previous.fingerprint, now.fingerprint) is not False:
        return ""
    if previous.length and now.length < previous.length / 3:
        return f"Most of the text is no longer there: {now.length} characters of {previous.length}."
    return "The text of the source is not the one seen before."


def _arrived(look: Exchange, seen: Seen | None, what: str) -> Verdict:
    """The verdict on an answer that is the source's own, by the road that led to it."""
    if not _elsewhere(look):
        return Verdict("ok", f"The address {what}.", seen=seen)
    hops = look.hops[:-1]
    codes = ", ".join(_code(hop) for hop in hops)
    road = f"{'one hop' if len(hops) == 1 else f'{len(hops)} hops'} ({codes})"
    end = _shown(look.final_url)
    if _is_identifier(look.url):
        return Verdict(
            "redirected",
            f"The identifier leads to {end} today by {road}; it stays the address to cite.",
            seen=seen,
        )
    if all(hop.permanent for hop in hops):
        return Verdict(
            "moved", f"The source has moved for good to {end}, by {road}.", look.final_url, seen=seen
        )
    return Verdict("redirected", f"The source answers at {end} for now, by {road}.", seen=seen)


def _elsewhere(look: Exchange) -> bool:
    """Whether the answer came from another address than the one asked for (a cookie's detour ends where it began)."""
    return len(look.hops) > 1 and _bare(look.hops[0].url) != _bare(look.final_url)


def _ended_above(look: Exchange) -> standins.Standin | None:
    """A deep link that ends at the home page, or at a listing above the page it named."""
    cited, end = urlsplit(look.url), urlsplit(look.final_url)
    if end.query or _is_identifier(look.url) or end.fragment.startswith(("/", "!")):
        return None
    from_path = _INDEX.sub("/", unquote(cited.path))
    to_path = _INDEX.sub("/", unquote(end.path)) or "/"
    if _HOME.fullmatch(from_path.strip("/")) and not cited.query:
        return None
    if _HOME.fullmatch(to_path.strip("/")):
        return standins.Standin(
            "suspect", f"named a page and ended at the home page {_shown(look.final_url)}"
        )
    above = (
        to_path.endswith("/")
        and from_path.startswith(to_path)
        and from_path.rstrip("/") != to_path.rstrip("/")
    )
    if above and cited.hostname == end.hostname:
        return standins.Standin(
            "suspect", f"named a page and ended at the listing above it, {_shown(look.final_url)}"
        )
    return None


def _notes(look: Exchange, found: Text) -> tuple[str, ...]:
    """Things worth knowing that do not change the verdict."""
    notes = []
    if found.why:
        notes.append(f"Not all of it could be read: {found.why}.")
    if missing := _missing_anchor(look, found):
        notes.append(f"The page holds no place named “{missing[:80]}”.")
    canonical = found.page.canonical
    if canonical.startswith(("http://", "https://")) and _bare(canonical) != _bare(look.final_url):
        notes.append(f"The page names another address as its own: {_shown(canonical)}.")
    if any(hop.downgrade for hop in look.hops):
        notes.append("A hop leads from https to http.")
    if look.forward_refused:
        notes.append(f"The page sends on to another one, which was not followed: {look.forward_refused}")
    return tuple(notes)


def _missing_anchor(look: Exchange, found: Text) -> str:
    fragment = urlsplit(look.final_url).fragment or urlsplit(look.url).fragment
    route = fragment.startswith(("!", "/"))
    if not fragment or route or found.kind != "html" or not found.whole or _CODE_LINES.fullmatch(fragment):
        return ""
    if ":~:" in fragment:
        quoted = re.search(r":~:text=(?:[^,&]*-,)?([^,&]+)", fragment)
        words = " ".join(unquote(quoted[1]).split()) if quoted else ""
        everything = " ".join(block.words for block in found.blocks)
        return "" if words.casefold() in everything.casefold() else words
    names = {fragment, unquote(fragment)}
    return (
        ""
        if any({name, f"user-content-{name}"} & found.page.anchors for name in names)
        else unquote(fragment)
    )


def _is_identifier(url: str) -> bool:
    parts = urlsplit(url)
    return bool(_RESOLVERS.search(parts.hostname or "") or _IDENTIFIER.match(unquote(parts.path)))


def _where(look: Exchange) -> str:
    if len(look.hops) < 2 or not _elsewhere(look):
        return "The address"
    resolves = "The identifier resolves, but " if _is_identifier(look.url) else "The address redirects, and "
    return f"{resolves}{_shown(look.final_url)}"


def _code(hop: Hop) -> str:
    return "page forward" if hop.via == "refresh" else str(hop.status)


def _bare(url: str) -> str:
    return url.split("#")[0]


def _shown(url: str) -> str:
    shown = re.sub(r"//[^/@]*@", "//", _bare(url))
    return shown if len(shown) <= 120 else shown[:119] + "…"
