"""Units as data sheets spell them, and what may be converted into what.

Decimal bytes, binary bytes and bits are three dimensions here, not one: a conversion between them is a statement a
source did not make, so it has to be refused instead of computed. The same holds for FLOPS and OPS.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

import pint

_PREFIXES = {"k": "kilo", "m": "mega", "g": "giga", "t": "tera", "p": "peta", "e": "exa"}
_DEFINITIONS = [
    *(f"{name}- = {1000**power}" for power, name in enumerate(_PREFIXES.values(), 1)),
    *(
        f"{name}- = {1024**power}"
        for power, name in enumerate(("kibi", "mebi", "gibi", "tebi", "pebi", "exbi"), 1)
    ),
    "milli- = 0.001",
    "micro- = 0.000001",
    "second = [time]",
    "byte = [bytes]",
    "binarybyte = [binary_bytes]",
    "bit = [bits]",
    "flop = [flops]",
    "op = [ops]",
    "watt = [power]",
    "hertz = [frequency]",
]
_registry: pint.UnitRegistry[Decimal] = pint.UnitRegistry(None, non_int_type=Decimal)
_registry.load_definitions(_DEFINITIONS)

_MULTIPLIERS = {
    "k": 10**3,
    "thousand": 10**3,
    "m": 10**6,
    "million": 10**6,
    "mn": 10**6,
    "b": 10**9,
    "bn": 10**9,
    "billion": 10**9,
    "t": 10**12,
    "tn": 10**12,
    "trillion": 10**12,
}
_COUNTED = {
    "gpu",
    "cpu",
    "layer",
    "head",
    "token",
    "expert",
    "element",
    "parameter",
    "accelerator",
    "node",
    "transistor",
    "system",
    "rack",
    "link",
    "stack",
    "request",
    "sequence",
    "instance",
    "core",
    "dimension",
}

_SHORT_DATA = re.compile(r"([kKMGTPE]?)(i?)([Bb])(ps)?")
_LONG_DATA = re.compile(r"(kilo|mega|giga|tera|peta|exa|kibi|mebi|gibi|tebi|pebi|exbi)?-?(byte|bit)s?", re.I)
_OPERATIONS = re.compile(r"(kilo|mega|giga|tera|peta|exa|[kmgtpe])?-?(flop|op)(s)?", re.I)
_SHORT_FLOPS = re.compile(r"([GTPE])F")
_POWER = re.compile(r"([kKMG]?)W|(kilo|mega|giga)?watts?", re.I)
_FREQUENCY = re.compile(r"([kKMG]?)Hz")
_TIME = re.compile(r"(m|µ|μ|u)?s|(milli|micro)?(?:seconds?|sec)")


@dataclass(frozen=True)
class Unit:
    """One unit: what it measures, and how many base units it is (exact)."""

    text: str
    dimension: str
    size: Fraction = Fraction(1)

    @property
    def counted(self) -> bool:
        """Say whether the unit is a number of things, which sources often print without a unit."""
        return self.dimension.startswith("count")

    @property
    def literal(self) -> bool:
        """Say whether only the very same spelling meets the unit."""
        return self.dimension.startswith("other:")

    @property
    def scaled(self) -> bool:
        """Say whether a bare number would be off by a factor ("153" of a property in billions)."""
        return self.counted and self.size != 1


def _physical(text: str, expression: str) -> Unit:
    size, _ = _registry.get_base_units(expression)
    return Unit(text, str(_registry.get_dimensionality(expression)), Fraction(str(size)))


def _expression(word: str) -> str:
    """Return the unit a word without its time part stands for, in the registry's names; "" if none."""
    if found := _SHORT_DATA.fullmatch(word):
        prefix, binary, letter, _ = found.groups()
        prefix = _PREFIXES.get(prefix.lower(), "")
        if binary:
            return (prefix[:2] + "bi" if prefix else "") + ("binarybyte" if letter == "B" else "bit")
        return prefix + ("byte" if letter == "B" else "bit")
    if found := _LONG_DATA.fullmatch(word):
        prefix, root = (found[1] or "").lower(), found[2].lower()
        return prefix + ("binarybyte" if prefix.endswith("bi") and root == "byte" else root)
    if found := _POWER.fullmatch(word):
        # "mW" and "MW" differ by nine powers of ten, so the one-letter prefix keeps its case.
        prefix = found[1] or found[2] or ""
        if found[1] is not None and not word.endswith("W"):
            return ""
        return _PREFIXES.get(prefix.lower(), prefix.lower()) + "watt" if prefix != "m" else "milliwatt"
    if found := _FREQUENCY.fullmatch(word):
        return _PREFIXES.get(found[1].lower(), "") + "hertz"
    if found := _TIME.fullmatch(word):
        small = {"m": "milli", "milli": "milli"}.get(found[1] or found[2] or "", "micro")
        return (small if found[1] or found[2] else "") + "second"
    return ""


@lru_cache(maxsize=1024)
def physical_unit(word: str, per: str = "") -> Unit | None:
    """Return the physical unit spelled by a word and its optional "per" ("TB" + "s"), or None if we know none."""
    text = f"{word}/{per}" if per else word
    second = per.lower() in ("s", "sec", "second")
    if found := _SHORT_FLOPS.fullmatch(word):
        return None if per else _physical(text, f"{_PREFIXES[found[1].lower()]}flop/second")
    if found := _OPERATIONS.fullmatch(word):
        prefix, root = (found[1] or "").lower(), found[2].lower()
        if per and not second:
            return None
        # FLOPS and FLOP/s are rates; a lone FLOP is an amount of work, which "1.3 exaflop" in running text is not.
        return _physical(text, f"{_PREFIXES.get(prefix, prefix)}{root}/second")
    if word[-2:] == "ps" and _SHORT_DATA.fullmatch(word):
        return None if per else _physical(text, _expression(word) + "/second")
    expression = _expression(word)
    if not expression or (per and not second):
        return None
    return _physical(text, expression + ("/second" if second else ""))


def multiplier(word: str) -> int:
    """Return what a word such as "billion", "bn" or "K" multiplies by; 0 when it is no such word."""
    return _MULTIPLIERS.get(word.lower(), 0)


def counted_thing(word: str) -> str:
    """Return the singular of a counted noun ("GPUs" gives "gpu"), or "" when the word is not one."""
    singular = word.lower().removesuffix("s")
    return singular if singular in _COUNTED else ""


@lru_cache(maxsize=256)
def unit_named(text: str) -> Unit:
    """Return the unit a property names.

    "" and nouns are counts; "billion parameters" is a count in billions; what is not known is a unit that only the
    very same spelling can meet.
    """
    word, _, rest = text.strip().partition(" ")
    if not word:
        return Unit("", "count:")
    if len(word) > 1 and multiplier(word) and (not rest or counted_thing(rest)):
        return Unit(text, "count:" + counted_thing(rest), Fraction(multiplier(word)))
    if not rest and counted_thing(word):
        return Unit(text, "count:" + counted_thing(word))
    name, _, per = text.strip().partition("/")
    return physical_unit(name, per) or Unit(text.strip(), "other:" + text.strip())
