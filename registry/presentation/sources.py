from dataclasses import dataclass, field

from registry.presentation.page import Link
from registry.reasoning.flags import SECOND_HAND, Flag
from sources.models.source import as_precise
from sources.models.verification import DIRECT, Representation


@dataclass
class SourceLine:
    """A source in the line form of the register."""

    title: str
    url: str
    publisher: str
    version: str
    scope: list[str]
    date_form: str
    date: str
    verified: str
    read_as: str
    record_url: str
    archive_url: str
    kind: str
    flags: list[Flag] = field(default_factory=list)
    number: int | None = None
    backlinks: list[Link] = field(default_factory=list)

    @property
    def name(self):
        """How a citation mark calls it: publisher and kind."""
        return ", ".join(part for part in (self.publisher or self.title, self.kind) if part)


def source_line(source, verified=None):
    """A source as a line. `verified` (day, representation, read directly) replaces today's for a view of the past."""
    day, representation, directly = verified or (
        source.verified_on,
        source.verified_representation,
        source.read_directly,
    )
    by_publication = source.date_basis == "published"
    dated = source.date_basis != "not stated"
    on, precision = (
        (source.published_on, source.published_precision)
        if by_publication
        else (source.last_modified_on, source.last_modified_precision)
    )
    name, version = ("", "")
    if not source.title_stands_alone:
        name = source.product or (source.publisher.name if source.publisher else "")
        version = source.version if source.product else ""
    return SourceLine(
        title=source.title,
        url=source.url,
        publisher=name,
        version=version,
        scope=[note.strip().rstrip(".;") for note in source.scope_notes],
        date_form="Publication" if by_publication else "Last modified",
        date=as_precise(on, precision) if dated else "",
        verified=day.isoformat() if day else "",
        read_as=_read_as(representation, directly) if day else "",
        record_url=f"/sources/{source.key}",
        archive_url=source.archive_url,
        kind=source.get_kind_display().lower(),
        flags=_flags(source, day, directly),
    )


def _read_as(representation, directly):
    if directly and representation in DIRECT:
        return ""
    return f"read through {Representation(representation).indefinite}"


def _flags(source, day, directly):
    flags = []
    if day and not directly:
        flags.append(Flag(SECOND_HAND, "info"))
    if source.state == "superseded":
        flags.append(Flag("Superseded", "caution"))
    if source.state == "withdrawn":
        flags.append(Flag("Withdrawn by its publisher", "bad"))
    return flags
