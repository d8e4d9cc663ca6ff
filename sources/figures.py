"""Words and figures of a text as tokens that can be compared: "3.35TB/s" is "3.35 TB/s", "1,979" is "1979".

Smaller than the registry's own reading of quantities, and apart from it: sources know nothing of the registry, and a
page's text has to be read in one pass, whatever it holds, where a claim's figure is read with one unit in mind. The
same rule holds in both: bytes, binary bytes and bits, FLOPS and OPS are never converted into one another.
"""

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

MOST_DIGITS = 40

_PREFIXES = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6, "z": 7}
_LONG = {"kilo": "k", "mega": "m", "giga": "g", "tera": "t", "peta": "p", "exa": "e"}
_COUNTS = {
    "k": 1, "thousand": 1, "m": 2, "mn": 2, "million": 2, "b": 3, "bn": 3, "billion": 3, "t": 4, "tn": 4, "trillion": 4,
}  # fmt: skip
_UNIT = (
    r"[kKMGTPE]i?[Bb](?:ps)?|[Bb]ps|(?i:(?:kilo|mega|giga|tera|peta|exa|kibi|mebi|gibi|tebi|pebi)?(?:bytes?|bits?))"
    r"|(?:[kKMGTPEZ]|(?i:kilo|mega|giga|tera|peta|exa))?-?(?i:flops?|ops?)|[GTPE]F"
    r"|[kKMG]?W|(?i:(?:kilo|mega|giga)?watts?)|[kKMG]?Hz|ms|[uµμ]s|s|(?i:seconds?|percent|per[ ]cent)|%"
    r"|[kKMBT]|(?i:bn|thousand|million|billion|trillion)"
)
_TOKEN = re.compile(
    # A word that begins with a letter is no number: told first, because most tokens are such.
    r"(?P<word>[^\W\d_]\w*)|"
    rf"(?P<number>(?<![\w.])[-−]?[0-9]+(?:[.,'’][0-9]+)*(?:[eE][+-]?[0-9]{{1,3}}(?!\w))?)"
    rf"(?:(?:-|[ ]{{0,3}})(?P<unit>{_UNIT})(?![\w^])(?P<per>[ ]?/[ ]?s(?:ec(?:ond)?)?(?!\w)|[ ]per[ ]second(?!\w))?)?"
    r"(?P<tail>\w+)?"
    r"|(?P<rest>\w+)"
)
_DIGIT = re.compile(r"[0-9]")
_RAISED = str.maketrans("", "", "⁰¹²³⁴⁵⁶⁷⁸⁹®™©\u00ad\u200b\u200c\u200d\u2060\ufeff")
_SPACED_GROUPS = re.compile(r"(?<=[0-9])[\u00a0\u2007\u2009\u202f](?=[0-9]{3}(?![0-9]))")


class Token(NamedTuple):
    """A word, a name that holds digits ("HBM3e") or a number. `key` is equal for equal tokens; places are in the text.

    A number has its plain `value` too, by which it meets the same number without a unit.
    """

    key: str
    start: int
    end: int
    value: str = ""
    figure: bool = False  # a number, or a name that holds digits


def plain(text: str) -> str:
    """Return the text in the form tokens are found in: one form of each character, digits in groups without blanks."""
    return unicodedata.normalize("NFKC", _SPACED_GROUPS.sub(",", text.translate(_RAISED)))


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text that `plain` has returned, in order. Time grows with its length."""
    for found in _TOKEN.finditer(text):
        if found.lastgroup in ("word", "rest"):  # nearly all of them: read as plainly as can be
            word = found[0]
            start, end = found.span()
            yield Token(word.casefold(), start, end, "", not word.isalpha() and bool(_DIGIT.search(word)))
            continue
        number, tail = found["number"], found["tail"]
        if tail or (value := _value(number)) is None:
            yield Token(found[0].casefold(), found.start(), found.end(), "", True)
        elif found["unit"]:
            size, dimension = _unit(found["unit"], bool(found["per"]))
            yield Token(f"#{value * size}_{dimension}", found.start(), found.end(), f"#{value}", True)
        else:
            yield Token(f"#{value}", found.start(), found.end(), f"#{value}", True)


def same(one: Token, other: Token) -> bool:
    """Say whether two tokens are equal; a number without a unit equals the number with any."""
    if one.key == other.key:
        return True
    bare = one.key == one.value or other.key == other.value
    return bool(one.value) and bare and one.value == other.value


@lru_cache(maxsize=4096)
def _value(number: str) -> int | Fraction | None:
    """Return the value of a number as printed; None for what is a version ("1.2.3") or too long."""
    if len(number) <= MOST_DIGITS and number.isascii() and number.isdigit():
        return int(number)
    sign = -1 if number[0] in "-−" else 1
    digits, _, exponent = number.lstrip("-−").lower().partition("e")
    if len(digits) > MOST_DIGITS:
        return None
    if re.fullmatch(r"[1-9][0-9]{0,2}(?:[,'’][0-9]{3})+(?:\.[0-9]+)?", digits):
        digits = re.sub("[,'’]", "", digits)
    elif re.fullmatch(r"[0-9]+,[0-9]+", digits):
        digits = digits.replace(",", ".")
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", digits):
        return None
    # Whole numbers stay plain integers: they are most of them, and a fraction costs twenty times as much.
    whole, _, part = digits.partition(".")
    value = Fraction(int(whole + part), 10 ** len(part)) if part else int(whole)
    return sign * value * Fraction(10) ** int(exponent) if exponent else sign * value


@lru_cache(maxsize=512)
def _unit(word: str, per_second: bool) -> tuple[int | Fraction, str]:
    """Return how many base units a unit is, and of what."""
    size, dimension = _measured(word, per_second)
    return (size.numerator if size.denominator == 1 else size), dimension


def _measured(word: str, per_second: bool) -> tuple[Fraction, str]:
    rate = "/s" if per_second else ""
    lower = word.lower().replace("-", "")
    if lower in ("%", "percent", "per cent"):
        return Fraction(1), "%"
    if lower in _COUNTS:
        return Fraction(1000) ** _COUNTS[lower], "count" + rate
    if found := re.fullmatch(r"([kKMGTPE]?)(i?)([Bb])(ps)?", word):
        base = 1024 if found[2] else 1000
        thing = ("binary-" if found[2] else "") + ("byte" if found[3] == "B" else "bit")
        return Fraction(base) ** _PREFIXES[found[1].lower()], thing + ("/s" if found[4] else rate)
    for name, letter in _LONG.items():
        lower = lower.replace(name, letter, 1) if lower.startswith(name) else lower
    if found := re.fullmatch(
        r"(k|m|g|t|p|e|z)?(bi)?(byte|bit)s?", lower.replace("ebi", "bi").replace("ibi", "bi")
    ):
        base, thing = (1024, "binary-") if found[2] else (1000, "")
        return Fraction(base) ** _PREFIXES[found[1] or ""], thing + found[3] + rate
    if found := re.fullmatch(r"(k|m|g|t|p|e|z)?(flop|op)s?|(g|t|p|e)f", lower):
        return Fraction(1000) ** _PREFIXES[found[1] or found[3] or ""], (found[2] or "flop") + "/s"
    if found := re.fullmatch(r"(k|m|g)?(w|hz)(?:atts?)?", lower):
        return Fraction(1000) ** _PREFIXES[found[1] or ""], found[2]
    return {"m": Fraction(1, 1000), "s": Fraction(1)}.get(lower[0], Fraction(1, 10**6)), "second" + rate
