"""The figures in a line of a data sheet: every number that is not part of a name, with the unit behind it."""

import re
from dataclasses import dataclass
from fractions import Fraction

from registry.reasoning.units import Unit, counted_thing, multiplier, physical_unit

SPACES = "\u00a0\u2009\u202f"  # group digits wherever they stand; an ordinary space does so only at the start

_TOKEN = re.compile(
    rf"""(?P<spaced>(?<![0-9.,])[0-9]{{1,3}}(?:[ ][0-9]{{3}})+(?:\.[0-9]+)?(?![0-9,.'_^]*[0-9]))
    |(?P<number>[.,]?[0-9]
        (?:[0-9]|[.,'’_·^](?=[0-9])|[{SPACES}](?=[0-9]{{3}}(?![0-9])))*
        (?:[eE][+-]?[0-9]+(?![A-Za-z]))?)
    |(?P<word>[^\W\d]\w*)""",
    re.VERBOSE,
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?!\w)")
_OPEN_ENDED = re.compile(r"\+(?=\s?[A-Za-z]|$)")
_UNIT = re.compile(
    rf"(?:[ {SPACES}]{{0,2}}|-)(?P<word>[A-Za-zµμ]{{1,24}})(?!\w)"
    rf"(?:[ {SPACES}]?/[ ]?(?P<per>[A-Za-z]{{1,12}})(?!\w)|[ ]per[ ](?P<second>second)(?!\w))?"
)
_NEXT_WORD = re.compile(rf"[ {SPACES}-]{{1,2}}(?P<word>[A-Za-z][\w-]{{0,30}})")


@dataclass(frozen=True)
class Figure:
    """A number in a text. `unit` is None where no unit known here stands behind it; `spelled` is what does."""

    start: int
    end: int
    digits: str
    unit: Unit | None
    spelled: str = ""
    open_ended: bool = False
    spaced: bool = False

    def meets(self, wanted: Unit) -> bool:
        """Say whether the figure can be one in the wanted unit. Counts are often printed without any unit."""
        if self.unit is None:
            return wanted.counted and not wanted.scaled
        if not wanted.counted:
            return self.unit.dimension == wanted.dimension
        return self.unit.counted and (
            self.unit.dimension in (wanted.dimension, "count:") or wanted.dimension == "count:"
        )


def figures_in(text: str, wanted: Unit) -> list[Figure]:
    """Return the figures of a text in order. Time grows with the length of the text, whatever it holds."""
    found = []
    for token in _TOKEN.finditer(text):
        part_of_a_name = token.start() and text[token.start() - 1].isalpha()
        if token.lastgroup == "word" or part_of_a_name or _ORDINAL.match(text, token.end()):
            continue
        open_ended = bool(_OPEN_ENDED.match(text, token.end()))
        unit, spelled, end = _unit_behind(text, token.end() + open_ended, wanted)
        spaced = token.lastgroup == "spaced"
        found.append(Figure(token.start(), end, token[0], unit, spelled, open_ended, spaced))
    return found


def _unit_behind(text: str, position: int, wanted: Unit) -> tuple[Unit | None, str, int]:
    """Return the unit at a position, what is spelled there, and where the unit ends."""
    if wanted.literal:
        pattern = re.compile(rf"[ {SPACES}]{{0,2}}{re.escape(wanted.text)}(?!\w)")
        if found := pattern.match(text, position):
            return wanted, wanted.text, found.end()
    found = _UNIT.match(text, position)
    if not found:
        return None, "", position
    word, per = found["word"], found["per"] or found["second"] or ""
    if not per and wanted.counted and multiplier(word):
        noun = _NEXT_WORD.match(text, found.end())
        thing = counted_thing(noun["word"]) if noun else ""
        return Unit(word, "count:" + thing, Fraction(multiplier(word))), word, found.end()
    if not per and counted_thing(word):
        return Unit(word, "count:" + counted_thing(word)), word, found.end()
    unit = physical_unit(word, per)
    return unit, f"{word}/{per}" if per else word, found.end() if unit else position
