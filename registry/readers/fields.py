"""Reading known fields of one JSON object, strictly: a field is of its type or missing, anything else is an error."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import islice

from registry.readers.errors import Unreadable, quoted
from registry.readers.numbers import Infinite, from_text, in_range
from registry.readers.text import kept


class Fields:
    """One object of a file and where it stands in it (for errors)."""

    def __init__(self, document: object, where: str = "") -> None:
        if not isinstance(document, dict):
            raise Unreadable(
                f"{where or 'The document'} is {quoted(document)} where an object belongs. Correct the file."
            )
        self.document: dict[str, object] = document
        self.where = where
        self.seen: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self.document

    def __iter__(self) -> Iterator[str]:
        return iter(self.document)

    def path(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def wrong(self, key: str, kind: str) -> Unreadable:
        value = quoted(self.document.get(key))
        return Unreadable(f"The field {quoted(self.path(key))} is {value}, not {kind}. Correct the file.")

    def raw(self, key: str) -> object:
        self.seen.add(key)
        return self.document.get(key)

    def unread(self) -> list[str]:
        """Names of the first fields that hold a number or a short text and that nobody asked for."""
        names = (
            kept(key[:60])
            for key, value in self.document.items()
            if key not in self.seen and isinstance(value, Decimal | str)
        )
        return list(islice(filter(None, names), 13))

    def number(self, key: str) -> Decimal | None:
        """A number; numbers in quotes count, NaN, Infinity, null, "None" and "N/A" are missing."""
        value = self.raw(key)
        if value is None or isinstance(value, Infinite):
            return None
        if isinstance(value, Decimal):
            return in_range(value)
        if isinstance(value, str):
            try:
                return from_text(value)
            except ValueError:
                raise self.wrong(key, "a number") from None
        raise self.wrong(key, "a number")

    def positive(self, key: str) -> Decimal | None:
        """A number of which 0 means that nothing was measured."""
        return self.number(key) or None

    def count(self, key: str) -> int | None:
        """A whole number, 0 or more, however it is written (8, 8.0, "8")."""
        value = self.number(key)
        if value is None:
            return None
        if value != value.to_integral_value() or not 0 <= value < 10**18:
            raise self.wrong(key, "a whole number of things")
        return int(value)

    def some(self, key: str) -> int | None:
        """A whole number of which 0 means not stated."""
        return self.count(key) or None

    def text(self, key: str) -> str | None:
        """A short text; "None" and empty are missing."""
        value = self.raw(key)
        if value is None:
            return None
        if isinstance(value, str):
            found = kept(value)
            return None if found in ("None", "null") else found
        if isinstance(value, Decimal):
            return str(value)
        raise self.wrong(key, "a text")

    def flag(self, key: str) -> bool | None:
        """Yes or no, also written as text ("true", "False") or as 0 and 1."""
        value = self.raw(key)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false", "none", ""):
            return {"true": True, "false": False}.get(value.lower())
        if isinstance(value, Decimal) and value in (0, 1):
            return bool(value)
        raise self.wrong(key, "yes or no")

    def inner(self, key: str) -> "Fields | None":
        """An object inside; None if it is absent or null."""
        value = self.raw(key)
        return None if value is None else Fields(value, self.path(key))

    def items(self, key: str) -> list[object]:
        """A list inside; empty if it is absent or null."""
        value = self.raw(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(key, "a list")
        return value
