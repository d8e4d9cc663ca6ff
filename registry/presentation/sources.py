from dataclasses import dataclass, field

from registry.models.flags import BEYOND_ROBOTS, BROKEN
from registry.presentation.page import Link
from registry.reasoning.flags import SECOND_HAND, Flag, link_flags
from sources.models.source import as_precise
from sources.models.verification import DIRECT, Representation
from sources.standing import State


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
    unreachable: str = ""  # ISO day since when nobody answers there, which is no flag: it may pass
    archive_missing: bool = False  # the address leads nowhere, and no copy of it is recorded
    number: int | None = None
    backlinks: list[Link] = field(default_factory=list)

    @property
    def name(self):
        """How a citation mark calls it: publisher and kind."""
        return ", ".join(part for part in (self.publisher or self.title, self.kind) if part)

    def add(self, flags):
        """Flags that are not there yet: passages of one source come one by one."""
        self.flags += [flag for flag in flags if flag not in self.flags]


def source_line(source, verified=None):
    """A source as a line. `verified` (day, representation, read directly) replaces today's for a view of the past, in
    which how its link stands today has no place.
    """
    link = getattr(source, "link", None) if verified is None else None
    unreachable = _since(link) if link and link.state == State.UNREACHABLE else ""
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
        flags=_flags(source, day, directly)
        + (flags_of_link(link, getattr(source, "under_review", False)) if link else []),
        unreachable=unreachable,
        archive_missing=bool(link and (unreachable or link.state in BROKEN) and not source.archive_url),
    )


def flags_of_link(link, under_review=False):
    """The flags of a source's link, or of one passage of it, in the words that claims bear."""
    broken = link.state in BROKEN
    return link_flags(
        broken_since=_since(link) if broken else "",
        moved=bool(link.moved_to) and not broken,
        under_review=under_review,
        uncheckable=link.state in BEYOND_ROBOTS,
    )


def standing_of(source, under_review):
    """In a drawer: how the link stands, in the words of its flags, and one sentence more where nobody answers."""
    link = getattr(source, "link", None)
    if link is None:
        return ""
    words = [flag.words for flag in flags_of_link(link, under_review)]
    if link.state == State.UNREACHABLE:
        words.append(f"Could not be reached since {_since(link)}")
    return ". ".join(words)


def _since(link):
    return link.since.date().isoformat() if link.since else ""


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
