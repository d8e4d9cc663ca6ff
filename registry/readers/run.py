"""What readers hand out: a report with runs, each with conditions, counts and figures. Frozen all through."""

from dataclasses import dataclass, field
from decimal import Decimal

from registry.readers.conditions import NAMES, Conditions
from registry.readers.metric import STATISTICS
from registry.readers.metrics import METRICS
from registry.readers.numbers import plain

SEVERITIES = ("note", "warning")


@dataclass(frozen=True)
class Quirk:
    """Something about the file or a run that a reader of the figures must know. `where` is a field's name or empty."""

    code: str
    sentence: str
    severity: str = "note"
    where: str = ""

    def __post_init__(self) -> None:
        assert self.severity in SEVERITIES, self.severity


@dataclass(frozen=True)
class Figure:
    """One measured number, in its metric's unit; `as_stated` is what the file prints, with the file's unit.

    `n` is over how many values the statistic was taken, `divisor` by how many accelerators a figure per accelerator
    was divided; None where the file does not say. `field` is the file's own name for it.
    """

    metric: str
    statistic: str
    value: Decimal
    unit: str
    as_stated: str
    n: int | None = None
    field: str = ""
    divisor: int | None = None

    def __post_init__(self) -> None:
        assert METRICS[self.metric].unit == self.unit, self.metric
        assert self.statistic in STATISTICS, self.statistic
        assert self.value.is_finite(), self.metric


# From the file's unit to the metric's: times the first, over the second.
SCALES = {
    ("s", "ms"): (1000, 1),
    ("us", "ms"): (1, 1000),
    ("ns", "ms"): (1, 1_000_000),
    ("ms", "s"): (1, 1000),
    ("ns", "s"): (1, 1_000_000_000),
    ("kWh", "J"): (3_600_000, 1),
    ("requests/min", "requests/s"): (1, 60),
    ("%", "ratio"): (1, 100),
    ("tokens/kWh", "tokens/J"): (1, 3_600_000),
}


def figure(
    metric: str,
    statistic: str,
    value: Decimal,
    unit: str = "",
    *,
    n: int | None = None,
    field: str = "",
    divisor: int | None = None,
    stated: str = "",
) -> Figure:
    """A figure from the file's number and the file's unit (empty: the metric's own)."""
    own = METRICS[metric].unit
    times, over = SCALES[unit, own] if unit and unit != own else (1, 1)
    if (times, over) == (1000, 1):
        # The point moves; zeros behind what the file prints would claim a precision it has not.
        converted = Decimal(plain(value.scaleb(3)))
    else:
        converted = value * times / over if times != over else value
    as_stated = f"{stated or plain(value)} {unit or own}"
    return Figure(metric, statistic, converted, own, as_stated, n, field, divisor)


@dataclass(frozen=True)
class Counts:
    """Requests: None is not reported, which is not 0. Incomplete ones were cut off at the end, neither ok nor failed."""

    attempted: int | None = None
    ok: int | None = None
    failed: int | None = None
    incomplete: int | None = None


@dataclass(frozen=True)
class Run:
    """One measured operating point. A run with `refused` may be shown to the importer and never becomes a record."""

    label: str
    conditions: Conditions = Conditions()
    counts: Counts = Counts()
    figures: tuple[Figure, ...] = ()
    missing: tuple[str, ...] = ()  # names of Conditions the file does not state and a person must supply
    quirks: tuple[Quirk, ...] = ()
    refused: str = ""

    def __post_init__(self) -> None:
        assert set(self.missing) <= set(NAMES), self.missing
        keys = [(each.metric, each.statistic) for each in self.figures]
        assert len(set(keys)) == len(keys), f"{self.label}: one figure twice"

    def get(self, metric: str, statistic: str = "value") -> Decimal | None:
        """A figure's value by its definition."""
        found = (f.value for f in self.figures if (f.metric, f.statistic) == (metric, statistic))
        return next(found, None)


@dataclass(frozen=True)
class Report:
    """What one file says. `tool_version` is None where the file does not state it; `format` names the variant read."""

    tool: str
    tool_version: str | None
    format: str
    runs: tuple[Run, ...]
    quirks: tuple[Quirk, ...] = field(default=())
