"""Numbers as files write them, kept exactly: Decimal from their text, with limits."""

import re
from decimal import Decimal, InvalidOperation

from registry.readers.errors import Unreadable, quoted

MAX_DIGITS = 80  # characters; a double printed in full has 25
MAX_EXPONENT = 30  # powers of ten; a nanosecond clock over an age of the universe has 27
PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)
GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
ABSENT = {"", "none", "null", "n/a", "na", "nan", "-", "--"}


class Infinite:
    """Bare Infinity in a file. As a measurement it is missing; as a request rate it means “all at once”."""

    def __repr__(self) -> str:
        return "INFINITE"


INFINITE = Infinite()


def decimal(text: str) -> Decimal:
    """The number this text writes; digits and magnitude are bounded so that arithmetic with it is too."""
    if len(text) > MAX_DIGITS:
        raise Unreadable(
            f"A number of {len(text):,} characters begins with {quoted(text[:20])}: no measurement has that many "
            "digits. Correct the file."
        )
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise Unreadable(f"The number {quoted(text)} cannot be read. Correct the file.") from None
    return value


def in_range(value: Decimal) -> Decimal:
    """The number, if anything measured can be that large or small; a zero of any form is 0."""
    if not value.is_finite() or (value and abs(value.adjusted()) > MAX_EXPONENT):
        raise Unreadable(f"The number {quoted(value)} is out of any measurement's range. Correct the file.")
    return value if value else Decimal(0)


def from_text(text: str) -> Decimal | None:
    """A number written in a table or as a JSON string: “1,019.69” is 1019.69, “N/A” is None. ValueError otherwise."""
    text = text.strip()
    if text.lower() in ABSENT:
        return None
    if GROUPED.fullmatch(text):
        return in_range(decimal(text.replace(",", "")))
    if PLAIN.fullmatch(text):
        return in_range(decimal(text))
    raise ValueError(text)


def plain(value: Decimal) -> str:
    """The number without exponent, digits as they were stated."""
    return format(value, "f")
