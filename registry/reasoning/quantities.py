"""A figure as a source words it, read into a number in the unit of a property, and a number written out for readers.

Nothing is guessed: where two readings are possible the person who has the source before them decides, so every
refusal says what was found, what is wanted and what to type instead.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from registry.reasoning.figures import SPACES, Figure, figures_in
from registry.reasoning.units import Unit, unit_named

LONGEST_TEXT = 1000
MOST_DIGITS = 30
_THIN = "\u2009"

_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_GROUPED = re.compile(rf"[1-9][0-9]{{0,2}}([,_ {SPACES}])[0-9]{{3}}(?:\1[0-9]{{3}})*(?:\.[0-9]+)?")
_BOUNDS = {
    "at most": re.compile(
        r"(?:(?<!\w)(?:up to|at most|n(?:o|ot) more than|less than|below|under|as much as|max(?:imum)?\.?(?: of)?)"
        r"|≤|<=?)\s*$"
    ),
    "at least": re.compile(
        r"(?:(?<!\w)(?:at least|no less than|more than|over|above|exceeding|min(?:imum)?\.?(?: of)?)|≥|>=?)\s*$"
    ),
    "about": re.compile(
        r"(?:(?<!\w)(?:about|approximately|approx\.?|around|roughly|circa|ca\.?|nearly|almost)|[~∼≈])\s*$"
    ),
}
_BOUND_AFTER = re.compile(r"\s*(?:or|and) (more|less|higher|lower|above|up|below)(?!\w)")
_RANGE = re.compile(r"\s*(?:[-–—…]|\.\.\.?|to|and)\s*")
_JOINED = re.compile(r"\s*(?:[/|:+*×^±→=−,]|->|x|X|or|and|of)\s*|\s+")
_JOINED_TO_NEXT = re.compile(r"\s*(?:[/|:+*×^±→=−–-]|->)\s*")
_MULTIPLE = re.compile(r"(?:\s+[A-Za-z][\w-]*){0,5}\s+(?:of|at|@|x|X|×)\s+")
# "PCIe 5.0 x16" is a lane width, "8x16" and "8 x 16" are products.
_PRODUCT = re.compile(r"[0-9](?:x|\sx\s|\s?[×*^]\s?)[0-9]", re.I)
_GENERATION = re.compile(
    r"(?<![A-Za-z])gen(?:eration)?\.?[ -]?([0-9]{1,2}(?:\.[0-9])?)(?![\w.]*[0-9])"
    r"|(?<![\w.])([0-9]{1,2})(?:st|nd|rd|th)[ -]gen",
    re.I,
)


class QuantityError(ValueError):
    """The text does not state one figure in the wanted unit. The message says why and what to type."""

    def __init__(self, text: str, found: str, wanted: str, remedy: str) -> None:
        """Keep the parts beside the sentence: the text, what was found in it, the wanted unit and the remedy."""
        self.text, self.found, self.wanted, self.remedy = text, found, wanted, remedy
        shown = text if len(text) <= 80 else text[:79] + "…"
        super().__init__(f"“{shown}” cannot be read as {wanted or 'a bare number'}: {found}. {remedy}")


@dataclass(frozen=True)
class Quantity:
    """One figure in the unit asked for: a number, or a range from low to high, and its bound ("at most" …)."""

    number: Decimal | None
    low: Decimal | None = None
    high: Decimal | None = None
    bound: str = ""


def parse(text: str, unit: str) -> Quantity:
    """Return the one figure that `text` states, in `unit` (as the property spells it).

    Raises QuantityError for another dimension, a missing unit, more than one figure and ambiguous digits. The number
    keeps the precision the source prints: "3.350 TB/s" is 3.350, and "1.3 PFLOPS" is 1300 TFLOPS.
    """
    if len(text) > LONGEST_TEXT:
        remedy = f"Quote the figure with its words, at most {LONGEST_TEXT} characters."
        raise QuantityError(text, f"it has {len(text)} characters", unit, remedy)
    for character in text:
        if (ord(character) > 127 and character.isdigit()) or (
            ord(character) < 32 and character not in "\t\r\n"
        ):
            found = f"it holds the character U+{ord(character):04X}"
            raise QuantityError(text, found, unit, "Write figures with the digits 0 to 9 only.")
    if not unit.strip():
        named = {first or second for first, second in _GENERATION.findall(text)}
        if len(named) == 1:
            return Quantity(Decimal(named.pop()))
    return _Reading(text, unit).quantity()


class _Reading:
    """One text looked at with one unit in mind."""

    def __init__(self, text: str, unit: str) -> None:
        self.text, self.unit, self.wanted = text, unit, unit_named(unit)
        self.figures = figures_in(text, self.wanted)

    def refusal(self, found: str, remedy: str) -> QuantityError:
        return QuantityError(self.text, found, self.unit, remedy)

    def quantity(self) -> Quantity:
        readings: list[Quantity] = []
        place = 0
        while place < len(self.figures):
            quantity, place = self.reading_at(place)
            if quantity and quantity not in readings:
                readings.append(quantity)
        if not readings:
            raise self.nothing_found()
        if len({(reading.number, reading.low, reading.high) for reading in readings}) > 1:
            shown = [display(q.number, q.low, q.high, q.bound, self.unit) for q in readings[:4]]
            found = f"it states {len(readings)} figures ({' and '.join(shown)})"
            raise self.refusal(found, "Type only the one that is meant.")
        return readings[0]

    def reading_at(self, place: int) -> tuple[Quantity | None, int]:
        """Return what the figure at a place says (None: nothing in the wanted unit) and the place to go on from."""
        figure = self.figures[place]
        after = self.figures[place + 1] if place + 1 < len(self.figures) else None
        if after and self.joins_range(figure, after):
            chain = self.figures[max(0, place - 1) : place + 3]
            joints = [_RANGE.fullmatch(self.text[a.end : b.start]) for a, b in pairwise(chain)]
            if sum(joint is not None for joint in joints) > 1:
                raise self.refusal(
                    "it joins three numbers", "Type one figure, or a range as in “700–1000 W”."
                )
            return self.range(figure, after), place + 2
        if not figure.meets(self.wanted):
            return None, place + 1
        self.refuse_joined(self.figures[place - 1] if place else None, figure, after)
        return Quantity(self.number(figure, figure.unit), bound=self.bound(figure)), place + 1

    def joins_range(self, low: Figure, high: Figure) -> bool:
        if not high.meets(self.wanted) or not (low.unit is None or low.meets(self.wanted)):
            return False
        gap = self.text[low.end : high.start]
        between = self.text[max(0, low.start - 9) : low.start].rstrip().lower().endswith("between")
        return bool(_RANGE.fullmatch(gap)) and (gap.strip() != "and" or between)

    def range(self, low: Figure, high: Figure) -> Quantity:
        ends = self.number(low, low.unit or high.unit), self.number(high, high.unit)
        if ends[0] >= ends[1]:
            raise self.refusal("its range does not rise", "Write the lower figure first.")
        return Quantity(None, *ends, bound=self.bound(low))

    def refuse_joined(self, before: Figure | None, figure: Figure, after: Figure | None) -> None:
        """Refuse a figure that is one part of "8 x 141 GB", "80/96 GB", "7 links of 64 GB/s" or "4.8 → 4.9"."""
        remedy = "Type the one figure that is meant; what is computed from it is claimed as derived."
        if before and not self.wanted.counted and (before.unit is None or before.unit.counted):
            gap = self.text[before.end : figure.start]
            if _JOINED.fullmatch(gap) or _MULTIPLE.fullmatch(gap):
                raise self.refusal(f"“{self.text[before.start : figure.end]}” joins two numbers", remedy)
        if after and after.unit is None and _JOINED_TO_NEXT.fullmatch(self.text[figure.end : after.start]):
            raise self.refusal(f"“{self.text[figure.start : after.end]}” joins two numbers", remedy)
        around = (
            self.text[max(0, figure.start - 3) : figure.start + 1],
            self.text[figure.end - 1 : figure.end + 3],
        )
        if any(_PRODUCT.search(part) for part in around):
            raise self.refusal("it states a product", remedy)
        if re.search(r"(?:^|[^\w\s])\s*[-−]$|\s[-−]$", self.text[max(0, figure.start - 3) : figure.start]):
            raise self.refusal("it is negative", "No property of the registry is negative: check the sign.")

    def nothing_found(self) -> QuantityError:
        known = next((figure for figure in self.figures if figure.unit), None)
        if known and known.unit:
            return self.refusal(f"its unit is {known.spelled}", _other_unit(known.unit, self.wanted))
        if not self.figures:
            return self.refusal("it holds no figure", "Quote the words of the source that hold the figure.")
        if _PRODUCT.search(self.text):
            return self.refusal(
                "it states a product", "Type the total; what is computed is claimed as derived."
            )
        first = self.figures[0]
        if first.spelled.lower() == self.unit.lower():
            return self.refusal(
                f"“{first.spelled}” is no unit", f"Capitals matter in units: write {self.unit}."
            )
        found = (
            f"“{first.spelled}” is no unit known here"
            if first.spelled
            else "no unit stands behind the number"
        )
        return self.refusal(found, f"Write the unit behind the number, as in “{first.digits} {self.unit}”.")

    def number(self, figure: Figure, unit: Unit | None) -> Decimal:
        digits = figure.digits
        before = self.text[max(0, figure.start - 24) : figure.start]
        if figure.spaced and re.search(r"\w\s*$", before) and not self.bound(figure):
            remedy = f"Write “{digits.replace(' ', ',')}” if it is one."
            raise self.refusal(f"“{before.split()[-1]} {digits}” can be more than one number", remedy)
        if not (_PLAIN.fullmatch(digits) or _GROUPED.fullmatch(digits)):
            remedy = (
                "Write a decimal point and no comma, or commas between groups of three digits (1.3 or 1,979)."
            )
            raise self.refusal(f"“{digits}” can be read in more than one way", remedy)
        plain = re.sub(rf"[,_ {SPACES}]", "", digits)
        if len(plain) > MOST_DIGITS:
            raise self.refusal(
                f"its number has {len(plain)} digits", f"At most {MOST_DIGITS} digits are kept."
            )
        return _converted(Decimal(plain), (unit.size if unit else Fraction(1)) / self.wanted.size)

    def bound(self, figure: Figure) -> str:
        if figure.open_ended:
            return "at least"
        if after := _BOUND_AFTER.match(self.text, figure.end):
            return "at most" if after[1] in ("less", "lower", "below") else "at least"
        before = self.text[max(0, figure.start - 24) : figure.start].lower()
        return next((bound for bound, pattern in _BOUNDS.items() if pattern.search(before)), "")


def _other_unit(found: Unit, wanted: Unit) -> str:
    pair = {found.dimension.replace(" / [time]", ""), wanted.dimension.replace(" / [time]", "")}
    if pair == {"[bytes]", "[binary_bytes]"}:
        return "GB and GiB are not converted: claim the property that has the unit the source prints."
    if "[bits]" in pair and pair & {"[bytes]", "[binary_bytes]"}:
        return "A small b means bits. Write B if the source means bytes; bits are not converted."
    if pair == {"[flops]", "[ops]"}:
        return "FLOPS and OPS are kept apart: claim the property that has the unit the source prints."
    return f"Choose the property measured in {found.text}, or type the figure in {wanted.text or 'no unit'}."


def _converted(number: Decimal, ratio: Fraction) -> Decimal:
    """Return number × ratio, exactly, with no digit the source did not print."""
    shift = 0
    while ratio > 1 and ratio % 10 == 0:
        ratio, shift = ratio / 10, shift + 1
    while ratio < 1 and (1 / ratio) % 10 == 0:
        ratio, shift = ratio * 10, shift - 1
    exact = number.scaleb(shift) * ratio.numerator / ratio.denominator
    exponent = exact.as_tuple().exponent
    # Zeros that end "1,800" or come out of a factor of 1024 were not measured; those that end "3.350" were printed.
    if ratio != 1 or (shift < 0 and number.as_tuple().exponent == 0):
        exact = exact.normalize()
        exponent = exact.as_tuple().exponent
    return exact.quantize(Decimal(1)) if isinstance(exponent, int) and exponent > 0 else exact


def display(number: Decimal | None, low: Decimal | None, high: Decimal | None, bound: str, unit: str) -> str:
    """Return the figure for readers: "1 979 TFLOPS" with thin spaces, "up to 700 W", "700–1 000 W"; "" for none.

    The digits are those of the Decimal, no more and no fewer, except that counts never carry a decimal part that is
    zero. A page keeps figure and unit on one line by its style sheet.
    """
    counted = unit_named(unit).counted
    if low is not None and high is not None:
        figure = f"{_grouped(low, counted)}–{_grouped(high, counted)}"
    elif number is not None:
        figure = _grouped(number, counted)
    else:
        return ""
    word = {"at most": "up to ", "at least": "at least ", "about": "about "}.get(bound, "")
    return f"{word}{figure} {unit}".strip()


def _grouped(number: Decimal, counted: bool) -> str:
    if counted and number == number.to_integral_value():
        number = number.quantize(Decimal(1))
    whole, point, part = f"{number:,f}".partition(".")
    return whole.replace(",", _THIN) + point + part
