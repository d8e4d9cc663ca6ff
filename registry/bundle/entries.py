"""What is wrong with the entries of a bundle: their life, their citations, what they refer to and what they say."""

from collections.abc import Iterator
from datetime import date

from registry.bundle.benchmarks import check_benchmark
from registry.bundle.fields import (
    BENCHMARKS,
    CLAIMS,
    ENTRIES,
    OF_SUBJECT,
    ORGANISATIONS,
    PROPERTIES,
    REFERS,
    REPRODUCTIONS,
    SOURCES,
    SUBJECTS,
    Record,
)
from registry.bundle.known import At, Known, day
from registry.bundle.problems import Problem

_NUMERIC = ("quantity", "integer")


def check_entries(known: Known, today: date) -> Iterator[Problem]:
    """Yield every problem of a bundle's entries."""
    for kind in ENTRIES:
        for number, entry in known.bundle[kind].items():
            at = known.at(kind, number)
            before = None
            for index, revision in enumerate(entry["revisions"]):

                def place(
                    below: str, value: object, message: str, remedy: str, index: int = index, at: At = at
                ) -> Problem:
                    return at(f"revisions/{index}" + (f"/{below}" if below else ""), value, message, remedy)

                yield from _life(place, revision, before, today)
                if kind in OF_SUBJECT and before and before["subject"] != revision["subject"]:
                    message = f"is another subject than that of the revision before, {before['subject']}."
                    remedy = "Withdraw the old entry and give a new one its own number."
                    yield place("subject", revision["subject"], message, remedy)
                if not _rests_on_broken(kind, revision, known):
                    yield from _citations(place, revision, known)
                    for name, referred in REFERS[kind].items():
                        if name in revision:
                            yield from known.missing(place, name, referred, revision[name])
                    yield from _SAYS[kind](place, revision, known)
                before = revision


def _rests_on_broken(kind: str, revision: Record, known: Known) -> bool:
    """Say whether an entry refers to what has problems itself, so that judging it would only repeat those."""
    named = [(SOURCES, citation["source"]) for citation in revision["citations"]]
    named += [(referred, revision[name]) for name, referred in REFERS[kind].items() if name in revision]
    named += [(SUBJECTS, context["subject"]) for context in revision.get("contexts", [])]
    return any(known.uncertain(*name) for name in named)


def _life(at: At, revision: Record, before: Record | None, today: date) -> Iterator[Problem]:
    recorded = day(revision["record_date"])
    if recorded is None:
        yield at("record_date", revision["record_date"], "is no day.", "Give a day that exists.")
    elif recorded > today:
        yield at(
            "record_date", revision["record_date"], "has not come yet.", "Give a day that is not after today."
        )
    if before is None and "change" in revision:
        yield at("change", revision["change"], "stands on a first revision.", "Leave it out there.")
    if before is not None:
        earliest = max(before["record_date"], before.get("withdrawn", {}).get("on", ""))
        if revision["record_date"] < earliest:
            message = f"is before the revision it follows ended or began ({earliest})."
            yield at("record_date", revision["record_date"], message, "Give a later record date.")
        if "change" not in revision or "change_note" not in revision:
            remedy = "Say “correction”, “update” or “clarification”, and what changed and why."
            yield at("", None, "A revision after the first needs “change” and “change_note”.", remedy)
    if withdrawn := revision.get("withdrawn"):
        ended = day(withdrawn["on"])
        if ended is None or ended > today or withdrawn["on"] < revision["record_date"]:
            message = "is no day between its record date and today."
            yield at("withdrawn/on", withdrawn["on"], message, "Give the day it was withdrawn.")


def _citations(at: At, revision: Record, known: Known) -> Iterator[Problem]:
    seen: set[tuple[str, str, str]] = set()
    supported = False
    for index, citation in enumerate(revision["citations"]):
        yield from known.missing(at, f"citations/{index}/source", SOURCES, citation["source"])
        passage = citation["source"], citation["locator"].strip(), citation.get("quotation", "").strip()
        if passage in seen:
            yield at(f"citations/{index}", passage[1], "is cited twice.", "Cite each passage once.")
        seen.add(passage)
        source = known.get(SOURCES, citation["source"]) or {}
        supported |= (
            citation.get("stance", "supports") == "supports"
            and bool(source.get("publisher"))
            and any(
                verification["on"] <= revision["record_date"]
                for verification in source.get("verifications", [])
                if verification.get("outcome", "confirmed") == "confirmed"
            )
        )
    # A source that is not there, or a day that is none, is told already.
    judged = all(known.get(SOURCES, citation["source"]) for citation in revision["citations"])
    if not supported and judged and day(revision["record_date"]):
        message = f"No supporting source with a publisher was verified by {revision['record_date']}."
        yield at(
            "citations", None, message, "Cite one that was, or give the verification or a later record date."
        )


def _claim(at: At, revision: Record, known: Known) -> Iterator[Problem]:
    for index, context in enumerate(revision.get("contexts", [])):
        yield from known.missing(at, f"contexts/{index}/subject", SUBJECTS, context["subject"])
    subject, prop = known.get(SUBJECTS, revision["subject"]), known.get(PROPERTIES, revision["property"])
    if subject and prop and subject["kind"] != prop["subject_kind"]:
        message = (
            f"is a property of a {prop['subject_kind']}, and {revision['subject']} is a {subject['kind']}."
        )
        yield at("property", revision["property"], message, "Choose a property of the subject's kind.")
    yield from _asserter(at, revision, known)
    yield from _value(at, revision, prop or {})


def _asserter(at: At, revision: Record, known: Known) -> Iterator[Problem]:
    makers = known.maker_and_parents(revision["subject"])
    sources = [c["source"] for c in revision["citations"] if c.get("stance", "supports") == "supports"]
    publishers = [(known.get(SOURCES, source) or {}).get("publisher", "") for source in sources]
    if known.get(ORGANISATIONS, revision["asserter"]) and revision["asserter"] not in [*makers, *publishers]:
        message = "is neither the subject's maker nor the publisher of a source cited in support."
        allowed = (
            ", ".join(dict.fromkeys(key for key in [*makers, *publishers] if key)) or "none is known yet"
        )
        yield at("asserter", revision["asserter"], message, f"Name one of them: {allowed}.")


def _value(at: At, revision: Record, prop: Record) -> Iterator[Problem]:
    kind = revision.get("value_kind", "value")
    figures = [name for name in ("value", "low", "high") if name in revision]
    if kind != "value":
        for name in [*figures, *(["bound"] if "bound" in revision else [])]:
            yield at(name, revision[name], f"stands on a claim that is “{kind}”.", "Leave the number out.")
        return
    if "text" not in revision:
        yield at("", None, "A claim with a value needs “text”.", "Give the value as the source states it.")
    if prop and prop["datatype"] in _NUMERIC and figures not in (["value"], ["low", "high"]):
        remedy = f"Give “value”, or “low” and “high”, in {prop.get('unit') or 'plain numbers'}."
        yield at("", None, f"“{revision['property']}” needs one number or a range.", remedy)
    if prop and prop["datatype"] not in _NUMERIC and figures:
        message = f"stands on a property of datatype {prop['datatype']}."
        yield at(figures[0], revision[figures[0]], message, "Leave the number out; the text says it.")
    if prop and prop["datatype"] == "integer" and "." in revision.get("value", ""):
        yield at("value", revision["value"], "is no whole number.", "Give a whole number.")
    if prop and prop["datatype"] == "boolean" and revision.get("text") not in ("yes", "no", None):
        yield at(
            "text",
            revision["text"],
            "is neither yes nor no.",
            "Write yes or no; quote the source in the citation.",
        )
    if figures == ["low", "high"] and float(revision["low"]) > float(revision["high"]):
        yield at("low", revision["low"], f"is above {revision['high']}.", "Write the lower figure as “low”.")


def _reproduction(at: At, revision: Record, known: Known) -> Iterator[Problem]:
    claim = (known.get(CLAIMS, revision["claim"]) or {"revisions": [{}]})["revisions"][-1]
    barred = [*known.maker_and_parents(claim.get("subject", "")), *known.parents(claim.get("asserter", ""))]
    if set(known.parents(revision["performer"])) & set(barred):
        message = "belongs to those who made the subject or the claim."
        yield at(
            "performer", revision["performer"], message, "Only an independent party can reproduce a figure."
        )


_SAYS = {CLAIMS: _claim, REPRODUCTIONS: _reproduction, BENCHMARKS: check_benchmark}
