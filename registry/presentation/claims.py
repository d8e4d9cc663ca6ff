from dataclasses import dataclass, field

from registry.presentation.page import Link
from registry.presentation.sources import SourceLine, source_line, standing_of
from registry.reasoning.flags import MOVED, NOT_STATED, SECOND_HAND, UNCHECKABLE, UNDER_REVIEW, Flag, flags_of
from registry.reasoning.quantities import display

ABSENCES = {"not stated": NOT_STATED, "none": "None", "withheld": "Withheld by the source"}
NOT_REVIEWED = "Not reviewed yet"
# Said of a value only where it is true of every claim that gives it: one better source is enough.
_OF_ALL = (SECOND_HAND, MOVED, UNCHECKABLE)


@dataclass(frozen=True)
class Mark:
    number: int
    name: str
    drawer: str
    id: str = ""


@dataclass
class ClaimLine:
    """One value in a cell; claims that say the same in the same way share it."""

    figure: str
    words: bool
    absence: str
    detail: str
    flags: list[Flag]
    marks: list[Mark] = field(default_factory=list)
    unit: str = ""
    prefix: str = ""


@dataclass(frozen=True)
class Cell:
    claims: list[ClaimLine]
    absence: str = NOT_REVIEWED
    flags: list[Flag] = field(default_factory=list)


@dataclass(frozen=True)
class Cited:
    source: SourceLine
    locator: str
    quotation: str
    stance: str
    standing: str = ""


@dataclass(frozen=True)
class Drawer:
    """Where a value comes from."""

    id: str
    title: str
    as_stated: str
    asserter: str
    conditions: str
    boundary: str
    derivation: str
    flags: list[Flag]
    claim_label: str
    claim_url: str
    citations: list[Cited]
    note: str = ""


class Provenance:
    """Numbers the sources of one page in the order they are first cited, and keeps a drawer for each claim.

    `verified` maps a source's id to what was known of its reading on the day the page shows; empty for today.
    """

    def __init__(self, verified=None):
        self._verified = verified
        self._lines = {}
        self._drawers = {}
        self._marks = 0

    @property
    def sources(self):
        return list(self._lines.values())

    @property
    def drawers(self):
        return list(self._drawers.values())

    def line(self, source):
        if source.pk not in self._lines:
            seen = None if self._verified is None else self._verified.get(source.pk, (None, "", False))
            line = source_line(source, seen)
            line.number = len(self._lines) + 1
            self._lines[source.pk] = line
        return self._lines[source.pk]

    def cited(self, passage, stance=""):
        """A passage with its source and, as things stand today, with what looks found of both."""
        line = self.line(passage.source)
        if self._verified is not None:
            return Cited(line, passage.locator, passage.quotation, stance)
        look = getattr(passage, "look", None)
        under_review = bool(look and look.review_since)
        if under_review:
            line.add([Flag(UNDER_REVIEW, "caution")])
        standing = standing_of(passage.source, under_review)
        return Cited(line, passage.locator, passage.quotation, stance, standing)

    def marks(self, claim):
        """A mark for each source the claim cites, each opening the claim's drawer."""
        drawer = self.drawer(claim)
        marks = []
        for cited in {cited.source.number: cited for cited in drawer.citations}.values():
            line = cited.source
            self._marks += 1
            mark = Mark(line.number, f"{line.name}, {cited.locator}", drawer.id, f"mark-{self._marks}")
            if len(line.backlinks) < 12:
                line.backlinks.append(Link(f"{self._marks}", f"#{mark.id}"))
            marks.append(mark)
        return marks

    def drawer(self, claim):
        if claim.pk not in self._drawers:
            self._drawers[claim.pk] = Drawer(
                id=f"provenance-{claim.number or str(claim.pk)[:8]}-{claim.revision}",
                title=f"{claim.subject.name}: {claim.property.label}",
                as_stated=claim.text if claim.value_kind == "value" and not claim.derivation else "",
                asserter=claim.asserter.name,
                conditions=claim.conditions,
                boundary=claim.boundary,
                derivation=claim.derivation,
                flags=flags_of(claim),
                claim_label=f"C-{claim.number}, revision {claim.revision}",
                claim_url=claim_url(claim),
                citations=[
                    self.cited(citation.passage, "" if citation.stance == "supports" else citation.stance)
                    for citation in claim.citations.all()
                ],
                note=claim.note,
            )
        return self._drawers[claim.pk]


def claim_url(claim):
    """Where the claim is read: its lasting address while it stands, else that of this very revision."""
    address = f"/claims/C-{claim.number}"
    return address if claim.status == "published" else f"{address}/{claim.revision}"


def figure_of(claim):
    """What the claim says, written out for readers: a figure with its unit, or words."""
    unit = claim.property.unit
    return display(claim.value, claim.low, claim.high, claim.bound, unit) or claim.text


def cell(claims, provenance, *, show_asserter=False):
    """The cell for all claims on one subject and property: claims that state the same value share a line.

    A line is read at second hand, moved or beyond robots only if every claim on it is; any other flag of one claim is
    shown on its line.
    That sources disagree is said once, under the values. Each mark opens its own claim with that claim's flags.
    """
    lines = {}
    disagreement = []
    for claim in claims:
        detail = "; ".join(filter(None, [claim.conditions, claim.boundary, claim.derivation]))
        if show_asserter:
            detail = "; ".join(filter(None, [claim.asserter.name, detail]))
        lines.setdefault((claim.value_kind, claim.value_key, claim.bound, detail), []).append(claim)
        disagreement = [flag for flag in flags_of(claim) if flag.tone == "conflict"] or disagreement
    return Cell([_line(same, detail, provenance) for (*_, detail), same in lines.items()], flags=disagreement)


def _line(claims, detail, provenance):
    first = claims[0]
    absence = ABSENCES.get(first.value_kind, "")
    each = [flags_of(claim) for claim in claims]
    flags = dict.fromkeys(flag for flags in each for flag in flags)
    return ClaimLine(
        figure="" if absence else figure_of(first),
        words=first.value is None and first.low is None,
        absence=absence,
        detail=detail,
        flags=[
            flag
            for flag in flags
            # The words of an absence say it already.
            if flag.tone != "conflict"
            and flag.words != absence
            and (flag.words not in _OF_ALL or all(flag in flags for flags in each))
        ],
        marks=[mark for claim in claims for mark in provenance.marks(claim)],
    )


@dataclass(frozen=True)
class ClaimRow:
    label: str
    id: str
    cell: Cell
    conditions: str
    asserter: str
    flags: list[Flag]
    verified: str
    claim_label: str
    claim_url: str


@dataclass(frozen=True)
class ClaimTable:
    id: str
    caption: str
    rows: list[ClaimRow]


def claim_tables(claims, provenance):
    """One table a group of properties, a row a claim, in the order of the properties; conflicting claims adjoin."""
    tables = {}
    for claim in sorted(claims, key=lambda c: (c.property.position, c.property.key, c.number, c.revision)):
        group = claim.property.group
        table = tables.setdefault(group, ClaimTable(f"group-{anchor(group)}", group, []))
        first = not table.rows or table.rows[-1].label != claim.property.label
        flags = flags_of(claim)
        absence = ABSENCES.get(claim.value_kind, "")
        line = ClaimLine(
            figure="" if absence else figure_of(claim),
            words=claim.value is None and claim.low is None,
            absence=absence,
            detail=claim.derivation,
            flags=[],
            marks=provenance.marks(claim),
        )
        table.rows.append(
            ClaimRow(
                label=claim.property.label,
                id=f"property-{claim.property.key}" if first else "",
                cell=Cell([line]),
                conditions="; ".join(filter(None, [claim.conditions, claim.boundary])),
                asserter=claim.asserter.name,
                flags=[flag for flag in flags if flag.words != absence],
                verified=max(
                    (cited.source.verified for cited in provenance.drawer(claim).citations), default=""
                ),
                claim_label=f"C-{claim.number}",
                claim_url=claim_url(claim),
            )
        )
    return list(tables.values())


def anchor(words):
    """A short stable anchor from a heading: "Compute per GPU" → "compute-per-gpu"."""
    return "-".join("".join(c if c.isalnum() else " " for c in words.lower()).split())
