"""One thing that is wrong with a bundle, in a line that says where it is and what to do."""

from dataclasses import dataclass
from typing import Any

_SHOWN = 60


@dataclass(frozen=True)
class Problem:
    """Where (file and JSON pointer), the value found there, what is wrong with it, and the remedy."""

    file: str
    pointer: str
    value: Any
    message: str
    remedy: str

    def __str__(self) -> str:
        """Return "file#pointer: “value” message. Remedy." with long values cut and nothing a terminal would obey."""
        place = f"{self.file}#{self.pointer}" if self.pointer else self.file
        found = "" if self.value is None else f" “{shown(self.value)}”"
        return f"{shown(place, 200)}:{found} {self.message} {self.remedy}"


class BundleRefused(Exception):
    """The bundle has problems, all of them listed; nothing was written."""

    def __init__(self, problems: list[Problem]) -> None:
        """Keep every problem."""
        self.problems = problems
        super().__init__(
            f"The bundle has {len(problems)} problem{'s' * (len(problems) != 1)}; nothing was written."
        )


def shown(value: Any, length: int = _SHOWN) -> str:
    """Return a value as people can read it in a line, cut to a length."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text[: length + 1])
    return text if len(text) <= length else text[: length - 1] + "…"


def pointer(*parts: str | int) -> str:
    """Return a JSON pointer (RFC 6901) for names and indexes."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
