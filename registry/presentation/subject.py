from dataclasses import dataclass, field

from registry.presentation.claims import Cell, cell
from registry.presentation.library import kind_of
from registry.presentation.page import Link, counted
from registry.reasoning.flags import Flag


@dataclass(frozen=True)
class Fact:
    label: str
    words: str
    url: str = ""
    code: bool = False


@dataclass(frozen=True)
class PlateItem:
    label: str
    cell: Cell


@dataclass(frozen=True)
class Plate:
    items: list[PlateItem]
    note: str = ""


@dataclass(frozen=True)
class Event:
    """Something that happened to a record."""

    date: str
    label: str
    words: str
    url: str = ""
    note: str = ""
    flags: list[Flag] = field(default_factory=list)


def described(subject, claims):
    """The page's one sentence."""
    kind = {"gpu": "hardware", "checkpoint": "a model checkpoint", "runtime": "serving software"}[
        subject.kind
    ]
    return (
        f"{counted(claims, 'published claim')} about {subject.name}, {kind} by {subject.maker.name}, "
        "each with the source that states it and the day it was verified."
    )


def facts(subject):
    """Identity, which is no claim."""
    found = [Fact("Maker" if subject.kind == "gpu" else "Publisher", subject.maker.name)]
    if subject.kind == "checkpoint":
        found.append(Fact("Exact identifier", subject.checkpoint.identifier, code=True))
    else:
        found.append(Fact("Kind", kind_of(subject)))
    if subject.kind == "runtime" and subject.runtime.repository:
        found.append(Fact("Project", subject.runtime.repository, code=True))
    if subject.family:
        found.append(Fact("Product line", subject.family))
    return found


def plate(claims, provenance):
    """The headline figures, or None where none is published."""
    by_property = {}
    for claim in claims:
        if claim.property.headline:
            by_property.setdefault(claim.property, []).append(claim)
    items = [
        PlateItem(property.label, cell(said, provenance))
        for property, said in sorted(by_property.items(), key=lambda item: item[0].position)
    ]
    return Plate(items) if items else None


def conflicts(claims, provenance):
    """Properties on which the sources disagree, with every value and who states it."""
    by_property = {}
    for claim in claims:
        if claim.different_values > 1 and claim.value_kind == "value" and not claim.derivation:
            by_property.setdefault(claim.property, []).append(claim)
    return [
        PlateItem(property.label, cell(said, provenance, show_asserter=True))
        for property, said in sorted(by_property.items(), key=lambda item: item[0].position)
    ]


def contents(tables, disagreements, measured=False):
    parts = [Link(table.caption, f"#{table.id}") for table in tables]
    if disagreements:
        parts.append(Link("Where sources disagree", "#disagreements"))
    if measured:
        parts.append(Link("Benchmark records", "#records"))
    return [*parts, Link("Sources and verification", "#sources"), Link("Corrections and history", "#history")]


def events(claims, reproductions=(), records=()):
    """Corrections and withdrawals as history, newest first."""
    found = []
    for claim in claims:
        what = f"{claim.subject.name}, {claim.property.label}"
        found += _changes(claim, what, f"/claims/C-{claim.number}/{claim.revision}")
    for reproduction in reproductions:
        what = f"reproduction of C-{reproduction.claim_number}"
        found += _changes(reproduction, what, f"/claims/C-{reproduction.claim_number}#reproductions")
    for record in records:
        what = f"benchmark record on {record.hardware.name}"
        found += _changes(record, what, f"/benchmarks/B-{record.number}/{record.revision}")
    return sorted(found, key=lambda event: event.date, reverse=True)


def _changes(entry, what, url):
    label = f"{entry.letter}-{entry.number}, revision {entry.revision}"
    if entry.status == "withdrawn":
        yield Event(entry.ended_on.isoformat(), label, f"withdrawn: {what}", url, entry.end_note)
    if entry.revision > 1:
        words = f"{entry.get_change_kind_display().lower()}: {what}"
        yield Event(entry.record_date.isoformat(), label, words, url, entry.change_note)
