from dataclasses import dataclass, field

from registry.presentation.claims import Cell, cell
from registry.reasoning.flags import Flag


@dataclass(frozen=True)
class Column:
    label: str
    url: str
    detail: str = ""
    remove_url: str = ""


@dataclass
class Row:
    label: str
    cells: list[Cell]
    differs: bool
    key: str = ""
    id: str = ""
    url: str = ""
    note: str = ""
    flags: list[Flag] = field(default_factory=list)


@dataclass
class Group:
    label: str
    rows: list[Row]


@dataclass
class Comparison:
    columns: list[Column]
    groups: list[Group]
    id: str = "comparison"
    caption: str = ""
    corner: str = "Property"
    hidden: int = 0  # rows left out because all subjects say the same

    @property
    def rows(self):
        return [row for group in self.groups for row in group.rows]


def compare(subjects, claims, provenance, columns, only_differences=False):
    """Subjects side by side, a row a property that any of them has a claim on; rows of one quantity stand together.

    Every property is fully specified (dense or sparse, per accelerator or per system), so two conditions never
    meet in one row; a row says where a subject is stated under another condition only.
    """
    by_place = {}
    for claim in claims:
        by_place.setdefault((claim.property, claim.subject_id), []).append(claim)
    properties = sorted({place[0] for place in by_place}, key=lambda p: (p.position, p.key))
    conditions_of = {}
    for property, subject_id in by_place:
        conditions_of.setdefault((property.quantity, subject_id), set()).add(property.condition)

    groups = {}
    hidden = 0
    for property in properties:
        said = [by_place.get((property, subject.pk), []) for subject in subjects]
        differs = len({frozenset(_values(claims_here)) for claims_here in said}) > 1
        if only_differences and not differs:
            # Before its cells are made: sources, drawers and marks are those of rows that are shown.
            hidden += 1
            continue
        row = Row(
            label=property.label,
            cells=[cell(claims_here, provenance) for claims_here in said],
            differs=differs,
            key=property.key,
            id=f"property-{property.key}",
            note=_stated_otherwise(property, subjects, conditions_of),
        )
        _share_flags(row)
        groups.setdefault(property.group, Group(property.group, [])).rows.append(row)
    return Comparison(columns, list(groups.values()), hidden=hidden)


def _values(claims):
    return {(claim.value_kind, claim.value_key, claim.bound) for claim in claims}


def _stated_otherwise(property, subjects, conditions_of):
    """Where a subject has this quantity under another condition only: the two are never set beside each other."""
    notes = {}
    for subject in subjects:
        conditions = conditions_of.get((property.quantity, subject.pk), set())
        if conditions and property.condition not in conditions:
            others = " and ".join(sorted(other or "without condition" for other in conditions))
            notes.setdefault(others, []).append(subject.name)
    return " ".join(
        f"Not comparable with {', '.join(names)}: stated there {others}." for others, names in notes.items()
    )


def _share_flags(row):
    """A flag that every value of the row bears is shown once, in the row's header."""
    lines = [line for cell in row.cells for line in cell.claims]
    if len(lines) < 2:
        return
    shared = [flag for flag in lines[0].flags if all(flag in line.flags for line in lines)]
    row.flags = shared
    for line in lines:
        line.flags = [flag for flag in line.flags if flag not in shared]
