"""What a bundle's references may lead to: its own records, and those the registry has already."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from registry.bundle.fields import IN_ONE_FILE, ORGANISATIONS, SUBJECTS, Record, Records
from registry.bundle.folder import Bundle
from registry.bundle.problems import Problem

At = Callable[[str, object, str, str], Problem]


def day(text: str) -> date | None:
    """Return the (first) day of YYYY, YYYY-MM or YYYY-MM-DD; None where there is no such day."""
    parts = [int(part) for part in text.split("-")]
    try:
        return date(*parts, *[1] * (3 - len(parts)))
    except ValueError:
        return None


@dataclass(frozen=True)
class Known:
    """A bundle and what the registry has."""

    opened: Bundle
    recorded: Records

    @property
    def bundle(self) -> Records:
        """Return the bundle's records."""
        return self.opened.records

    def get(self, kind: str, key: str) -> Record | None:
        """Return a record by kind and key, the bundle's before the registry's."""
        return self.bundle[kind].get(key) or self.recorded[kind].get(key)

    def at(self, kind: str, key: str) -> At:
        """Return what makes a problem of one record: at(pointer below it, value, message, remedy)."""
        file, pointer = self.opened.places.get((kind, key), ("", f"/{kind}/{key}"))

        def problem(below: str, value: object, message: str, remedy: str) -> Problem:
            return Problem(file, f"{pointer}/{below}" if below else pointer, value, message, remedy)

        return problem

    def missing(self, at: At, below: str, kind: str, key: str) -> Iterator[Problem]:
        """Yield a problem if no such record is in the bundle or the registry."""
        if self.get(kind, key) is None and not self.uncertain(kind, key):
            file = IN_ONE_FILE.get(kind, f"{kind}/")
            yield at(
                below,
                key,
                f"is in neither the bundle nor the registry ({kind}).",
                f"Add it to {file} or correct it.",
            )

    def uncertain(self, kind: str, key: str) -> bool:
        """Say whether a record is not known only because the file or record it stands in has problems of its own."""
        if self.get(kind, key) is not None:
            return False
        return kind in self.opened.unread or (kind, key) in self.opened.broken

    def parents(self, key: str) -> list[str]:
        """Return an organisation and those it belongs to, innermost first; a circle ends where it closes."""
        chain: list[str] = []
        while key and key not in chain:
            chain.append(key)
            key = (self.get(ORGANISATIONS, key) or {}).get("parent", "")
        return chain

    def maker_and_parents(self, subject: str) -> list[str]:
        """Return the keys of a subject's maker and of those the maker belongs to."""
        return self.parents((self.get(SUBJECTS, subject) or {}).get("maker", ""))
