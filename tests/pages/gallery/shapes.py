"""What components read, as small frozen records: words ready to print, addresses ready to link.

The comment at the head of each template in `templates/components/` says what it reads, by the same names.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Link:
    """A labelled address; in navigation `current` marks the section of this page."""

    label: str
    url: str = ""
    current: bool = False


@dataclass(frozen=True, slots=True)
class FooterSection:
    """One section of the footer with every record of it."""

    title: str
    url: str
    items: Sequence[Link] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """The record line: who publishes, which revision, of which day (ISO)."""

    publisher: str
    revision: int
    date: str
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PageHead:
    """What the shell of a page needs; `canonical` and `twin` are absolute."""

    title: str
    description: str
    canonical: str
    twin: str
    breadcrumb: Sequence[Link] = ()
    kicker: Sequence[str] = ()
    record: Record | None = None
    contents: Sequence[Link] = ()
    contents_title: str = "On this page"
    actions: Sequence[Link] = ()
    principle: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag with its exact words; `tone` is ok, caution, conflict, bad, info, derived or neutral."""

    words: str
    tone: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation mark: `number` of the source on this page, `drawer` the id it opens, `id` its own anchor."""

    number: int
    name: str
    drawer: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A source in the line form of the register; an empty `date` prints "date not stated …"."""

    title: str
    url: str
    record_url: str
    verified: str
    publisher: str = ""
    version: str = ""
    scope: Sequence[str] = ()
    date_form: str = "Publication"
    date: str = ""
    read_as: str = ""
    number: int | None = None
    flags: Sequence[Flag] = ()
    archive_url: str = ""
    backlinks: Sequence[Link] = ()


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation inside a drawer; `stance` is empty where the source supports what is said."""

    source: SourceEntry
    locator: str = ""
    quotation: str = ""
    stance: str = ""
    standing: str = ""


@dataclass(frozen=True, slots=True)
class Drawer:
    """Where one value or sentence comes from."""

    id: str
    title: str
    citations: Sequence[Cited]
    as_stated: str = ""
    asserter: str = ""
    conditions: str = ""
    boundary: str = ""
    derivation: str = ""
    note: str = ""
    flags: Sequence[Flag] = ()
    claim_label: str = ""
    claim_url: str = ""


@dataclass(frozen=True, slots=True)
class ClaimValue:
    """One claimed value: a figure with its unit, words, or an absence."""

    figure: str = ""
    unit: str = ""
    prefix: str = ""
    words: bool = False
    absence: str = ""
    detail: str = ""
    marks: Sequence[Mark] = ()
    flags: Sequence[Flag] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """Every claim of one subject about one property; `absence` where there is none."""

    claims: Sequence[ClaimValue] = ()
    absence: str = "Not reviewed yet"


@dataclass(frozen=True, slots=True)
class ComparisonColumn:
    """One subject of a comparison."""

    label: str
    url: str
    detail: str = ""
    remove_url: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One property across the subjects; `flags` are those every cell shares."""

    label: str
    cells: Sequence[Cell]
    id: str = ""
    url: str = ""
    differs: bool = False
    note: str = ""
    flags: Sequence[Flag] = ()


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows under one heading of a comparison."""

    label: str
    rows: Sequence[ComparisonRow]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison table; `id` is that of its caption."""

    id: str
    caption: str
    columns: Sequence[ComparisonColumn]
    groups: Sequence[RowGroup]
    corner: str = "Property"


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One property of one subject in a table of claims."""

    label: str
    cell: Cell
    id: str = ""
    conditions: str = ""
    asserter: str = ""
    verified: str = ""
    claim_label: str = ""
    claim_url: str = ""
    flags: Sequence[Flag] = ()


@dataclass(frozen=True, slots=True)
class ClaimTable:
    """One group of claims about a subject."""

    id: str
    caption: str
    rows: Sequence[ClaimRow]


@dataclass(frozen=True, slots=True)
class PlateItem:
    """One headline figure."""

    label: str
    cell: Cell


@dataclass(frozen=True, slots=True)
class Plate:
    """The headline figures of a subject."""

    items: Sequence[PlateItem]
    note: str = ""


@dataclass(frozen=True, slots=True)
class IdentityLine:
    """Something that is no claim: maker, identifier, kind."""

    label: str
    words: str
    url: str = ""
    code: bool = False


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One field of two revisions."""

    label: str
    old: str
    new: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """Two revisions side by side; `id` is that of the caption."""

    id: str
    caption: str
    old_label: str
    new_label: str
    rows: Sequence[DifferenceRow]


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """One thing that happened to a record, on a day (ISO)."""

    date: str
    label: str
    words: str
    url: str = ""
    note: str = ""
    flags: Sequence[Flag] = ()


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A record in a list; `arrow` where the link leads to another section."""

    label: str
    url: str
    summary: str = ""
    meta: str = ""
    arrow: bool = False
    flags: Sequence[Flag] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """Everything about a filter form but its fields."""

    action: str
    result: str
    active: Sequence[Link] = ()
    clear_url: str = ""
    button: str = "Show"


@dataclass(frozen=True, slots=True)
class Pager:
    """Which page of a list this is; an empty address where there is none before or after."""

    words: str
    previous_url: str = ""
    next_url: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A statement about a whole record; `tone` is caution, bad or info."""

    tone: str
    title: str
    words: str = ""
    links: Sequence[Link] = ()


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing to show, and what to do instead."""

    message: str
    suggestions: Sequence[Link] = ()


@dataclass(frozen=True, slots=True)
class CopyText:
    """A text to copy from a field."""

    id: str
    label: str
    text: str
