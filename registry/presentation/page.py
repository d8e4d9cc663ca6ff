from dataclasses import dataclass, field
from datetime import date

from django.conf import settings


@dataclass(frozen=True)
class Link:
    label: str
    url: str = ""
    current: bool = False


HOME = Link(settings.SITE_NAME, "/")  # where every breadcrumb begins


@dataclass(frozen=True)
class Record:
    """The record line: revision and editorial date of a page."""

    revision: int
    day: date
    notes: tuple[str, ...] = ()
    publisher: str = settings.SITE_NAME

    @property
    def date(self):
        return self.day.isoformat()


@dataclass(frozen=True)
class Page:
    """The head of a public page. `path` is its address with the query that is part of it."""

    title: str
    description: str
    path: str
    breadcrumb: list[Link]
    kicker: list[str] = field(default_factory=list)
    record: Record | None = None
    contents: list[Link] = field(default_factory=list)
    contents_title: str = ""
    actions: list[Link] = field(default_factory=list)
    principle: bool = False
    language: str = "en"

    @property
    def canonical(self):
        """Absolute; empty for an error, which has no address of its own."""
        return settings.SITE_URL + self.path if self.path else ""

    @property
    def twin(self):
        return settings.SITE_URL + with_suffix(self.path, "md") if self.path else ""


def with_suffix(path, suffix):
    """The address of another representation: /gpus → /gpus.md, / → /index.md, the query kept."""
    path, mark, query = path.partition("?")
    return f"{'/index' if path == '/' else path}.{suffix}{mark}{query}"


def lowered(label):
    """A label inside a sentence: "Memory type" → "memory type", "FP8 matrix" stays."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def counted(number, noun):
    """ "1 claim", "12 claims"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
