"""What the link checker found, in words for readers. What came from a server is a stranger's: it is only ever text."""

import unicodedata
from dataclasses import dataclass

from sources.models.link import series_of
from sources.standing import Standing, State

MOST = 50  # rows of the timeline on a page
LONGEST = 200  # characters of an address in a table
# Characters that turn the writing after them: a reader would see other words than there are.
_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}

# Verdict of one look → what it is called, and what it means.
VERDICTS = {
    "ok": ("Answers", "The address answers with what was cited."),
    "moved": (
        "Moved for good",
        "It sends on for good to another address, which answers with what was cited.",
    ),
    "redirected": (
        "Redirected",
        "It sends on for now to another address, or an identifier leads there; the address to cite stays.",
    ),
    "changed": ("Text changed", "It answers, but the text that matters is not the one seen before."),
    "suspect": (
        "Probably not the source",
        "It answers, but probably with something else: a home page, a notice, an empty page.",
    ),
    "blocked": (
        "Refuses robots",
        "It refuses robots or asks for a login; this says nothing about the source.",
    ),
    "rate_limited": (
        "Asked us to wait",
        "It asked to be left alone for a while; this says nothing about the source.",
    ),
    "failing": ("Technical failure", "It could not be reached, or its server failed; that may pass."),
    "broken": ("Not there", "It says that nothing is there, or can never answer."),
    "gone": ("Removed", "It says that the source was removed on purpose."),
    "unsafe": ("Not fetched", "The address, or where it sends on to, is not one of the public web."),
    "unsupported": ("Not a web address", "There is nothing that a look over the web could ask for."),
    "accepted": (
        "A person looked: the page is fine",
        "An editor opened the page after a doubtful look; the note says what they saw.",
    ),
}

# Standing of a link, which readers see → what it means. It moves more slowly than the verdicts.
STANDINGS = [
    (State.NEW, "No look has settled anything yet."),
    (State.OK, "The address answers with what was cited, there or where it sends on to."),
    (State.CHANGED, "The text that matters differs from the one seen before; a person has to look."),
    (State.NEEDS_A_LOOK, "The address answers with what is probably not the source; a person has to look."),
    (State.UNREACHABLE, "Nobody answered for three weeks; nothing says that the source is gone."),
    (State.BROKEN, "Three looks, each at least three days after the one before it, found nothing there."),
    (State.GONE, "Two looks, a day or more apart, were told that the source was removed on purpose."),
    (State.UNCHECKABLE, "Three looks within six weeks were refused. A refusal never makes a link broken."),
    (
        State.REFUSED,
        "The address must not be fetched by a robot, because it does not lead to the public web.",
    ),
    (State.NOT_CHECKED, "There is no web address to look at."),
]

PASSAGES = {
    "intact": "Its words stand",
    "moved": "Its words stand, elsewhere in the source",
    "reworded": "Stands in other words",
    "number changed": "Other figures stand there",
    "gone": "Its words were not found",
    "could not look": "Could not be looked for",
}


@dataclass(frozen=True)
class Dated:
    """One of the dates of a source: `before`, the day, `after`; without a day the words alone."""

    label: str
    day: str = ""
    after: str = ""
    before: str = ""


@dataclass(frozen=True)
class TimelineRow:
    """A series of looks (`looks` is 0 for a decision of a person), in words."""

    verdict: str
    reason: str
    status: int | None
    where: str
    hops: list[str]
    first: str
    last: str
    looks: int


@dataclass(frozen=True)
class PassageRow:
    """A cited passage, and how it stood at the last look that could read its source."""

    locator: str
    quotation: str
    words: str
    since: str = ""
    looked: str = ""
    review_since: str = ""
    nearest: str = ""


def dates(line, link, checks, verifications, record):
    """The five dates that are never mixed: what the source says, what people did, what a robot did, what this page is."""
    newest = verifications[0]
    read_as = newest.get_representation_display().lower()
    modified = "" if line.date_form == "Publication" else "last modified "
    through = f", {line.read_as}" if line.read_as else ""
    return [
        Dated("Source published", line.date, before=modified)
        if line.date
        else Dated("Source published", after="date not stated in the reviewed source"),
        Dated("Verified", line.verified, f"{through}: a person confirmed what it says"),
        Dated(
            "Last read",
            _day(newest.verified_on),
            f", as {read_as}: {_lowered(newest.get_outcome_display())}",
        ),
        _looked(link, checks),
        Dated("Record of this page", record.date),
    ]


def _looked(link, checks):
    by_robot = [check for check in checks if check.accepted_by_id is None]
    if not by_robot or link is None:
        return Dated("Link checked", after="no robot has looked yet")
    words = _lowered(_called(by_robot[0])[1].rstrip("."))
    return Dated("Link checked", _day(link.last_equal_look_at or by_robot[0].checked_at), f": {words}")


def standing(link):
    """How the link stands, as a sentence; where it moved to is a fact of its own."""
    if link is None or not link.state:
        return Standing().reason
    return Standing(State(link.state), link.since, link.last_good_at).reason


def timeline(address, link, checks):
    """What looks found, newest first: a row for each change of verdict and each decision of a person.

    Where a look ended is said only where that is not the cited address.
    """
    return [
        TimelineRow(
            _called(series.check)[0],
            plain(series.check.reason),
            series.check.status,
            "" if series.check.final_url == address else _short(series.check.final_url),
            _road(series.check),
            _day(series.check.checked_at),
            _day(series.last_at or series.check.checked_at),
            series.looks,
        )
        for series in (series_of(link, checks[:MOST]) if link else ())
    ]


def _road(check):
    """How it got from the cited address to where it ended, step by step: "301 to https://…", the last one "302"."""
    steps = []
    for hop, after in zip(check.hops, check.hops[1:], strict=False):
        code = "page forward" if hop["via"] == "refresh" else str(hop["status"])
        steps.append(code if after["url"] == check.final_url else f"{code} to {_short(after['url'])}")
    return steps


def passage_rows(passages):
    """How each cited passage stood; the nearest words only where they are under review."""
    rows = []
    for passage in passages:
        look = getattr(passage, "look", None)
        if look is None:
            rows.append(PassageRow(passage.locator, passage.quotation, "Not looked for yet"))
            continue
        rows.append(
            PassageRow(
                passage.locator,
                passage.quotation,
                PASSAGES.get(look.verdict, look.verdict),
                _day(look.since),
                _day(look.looked_at),
                _day(look.review_since) if look.review_since else "",
                plain(look.nearest) if look.review_since else "",
            )
        )
    return rows


def plain(words):
    """A stranger's words without what would turn the writing around them."""
    return "".join("\ufffd" if unicodedata.bidirectional(sign) in _TURNS else sign for sign in words)


def _short(address):
    address = plain(address)
    return address if len(address) <= LONGEST else f"{address[: LONGEST - 1]}…"


def _called(check):
    """A verdict's name and meaning; a word that is no longer given speaks for itself."""
    return VERDICTS.get(check.verdict, (check.verdict, check.verdict))


def _day(moment):
    return f"{moment:%Y-%m-%d}"


def _lowered(words):
    return words[:1].lower() + words[1:]
