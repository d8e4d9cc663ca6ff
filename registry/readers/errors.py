"""The one exception of this package."""


class Unreadable(Exception):
    """A file that cannot be read as a benchmark result; its sentence names the thing, the value and the remedy."""


def quoted(value: object, limit: int = 60) -> str:
    """A value of the file as an error may show it: one short printable line."""
    text = "".join(c if c.isprintable() else "?" for c in str(value)[: limit + 1])
    return f"“{text[:limit]}…”" if len(text) > limit else f"“{text}”"
