from dataclasses import dataclass

from registry.presentation.claims import Cell, cell


@dataclass(frozen=True)
class LibraryRow:
    slug: str
    label: str
    url: str
    maker: str
    kind: str
    cells: list[Cell]
    claims: int
    verified: str


@dataclass(frozen=True)
class LibraryTable:
    caption: str
    kind_label: str
    columns: list[str]
    rows: list[LibraryRow]
    id: str = "library"


def library_table(library, subjects, claims, provenance):
    """Subjects by name with their headline claims; a column a headline property, in the order of the properties."""
    properties = sorted({claim.property for claim in claims}, key=lambda p: (p.position, p.key))
    said = {}
    for claim in claims:
        said.setdefault((claim.subject_id, claim.property_id), []).append(claim)
    rows = [
        LibraryRow(
            slug=subject.slug,
            label=subject.name,
            url=f"{library.path}/{subject.slug}",
            maker=subject.maker.name,
            kind=kind_of(subject),
            cells=[cell(said.get((subject.pk, property.pk), []), provenance) for property in properties],
            claims=subject.published_claims,
            verified=_range(subject.verified_from, subject.verified_to),
        )
        for subject in subjects
    ]
    columns = [property.label for property in properties]
    kind_label = {"gpu": "Kind and form", "checkpoint": "Identifier", "runtime": "Layer"}[library.kind]
    return LibraryTable(library.label, kind_label, columns, rows)


def kind_of(subject):
    """What sort of thing it is, in one phrase."""
    if subject.kind == "gpu":
        return ", ".join(filter(None, [subject.gpu.get_kind_display(), subject.gpu.form_factor]))
    if subject.kind == "checkpoint":
        return subject.checkpoint.identifier
    return subject.runtime.get_layer_display()


def _range(first, last):
    if not first:
        return ""
    return first.isoformat() if first == last else f"{first.isoformat()} to {last.isoformat()}"
