"""May two benchmark records be compared? A verdict with every reason, and which figures may stand side by side.

The rules are in `comparability_rules.RULES` (conditions) and `comparability_metrics.METRIC_RULES` (definitions).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

from registry.reasoning.benchmark_facts import Figure, MetricFacts, Record, by_name
from registry.reasoning.comparability_metrics import (
    METRIC_RULES,
    NOTHING_SHARED,
    STATISTIC,
    apart,
    mistakable,
    shared,
)
from registry.reasoning.comparability_rules import DIFFERS, REFUSES, RULES, Rule

__all__ = [
    "COMPARABLE", "DIFFERS", "NOT_COMPARABLE", "REFUSES", "WITH_DIFFERENCES",
    "Comparison", "Figure", "Group", "MetricFacts", "Page", "Reason", "Record", "Row",
    "compare", "compare_many", "ratio_allowed", "reason_of",
]  # fmt: skip

COMPARABLE = "comparable"
WITH_DIFFERENCES = "comparable with stated differences"
NOT_COMPARABLE = "not comparable"

DIFFERENT, ONE_SIDE, NEITHER = "different", "not reported by one", "not reported by either"
MOST_RECORDS = 6


@dataclass(frozen=True)
class Reason:
    """`metrics` are the keys of the metrics it refuses; none of them means that it is about the whole records."""

    rule: str
    weight: str
    situation: str  # different, not reported by one, not reported by either
    sentence: str
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One statistic of one metric that both records state; it may stand side by side where no rule refuses it."""

    metric: MetricFacts
    statistic: str
    values: tuple[tuple[str, Decimal], tuple[str, Decimal]]  # by name of record
    refused_by: tuple[str, ...] = ()

    @property
    def stands(self) -> bool:
        return not self.refused_by


@dataclass(frozen=True)
class Comparison:
    """Always in the order of the records' names, so that it does not matter who asked about whom."""

    names: tuple[str, str]
    verdict: str
    reasons: tuple[Reason, ...]
    metrics: tuple[Row, ...]

    @property
    def refusals(self) -> tuple[Reason, ...]:
        return tuple(reason for reason in self.reasons if reason.weight == REFUSES)

    @property
    def differences(self) -> tuple[Reason, ...]:
        return tuple(reason for reason in self.reasons if reason.weight == DIFFERS)


def compare(a: Record, b: Record) -> Comparison:
    """The verdict on two records, with every reason for it."""
    a, b = sorted((a, b), key=_order)
    common = shared(a, b)
    reasons = [reason for rule in RULES if (reason := reason_of(rule, a, b, common.values()))]
    reasons += _definitions(a, b)
    rows, unpaired = _rows(a, b, common, reasons)
    reasons += unpaired
    if not any(not row.metric.descriptive for row in rows) and not any(each.metrics for each in reasons):
        words = f"{a.name} and {b.name} state no figure of one metric and statistic."
        reasons.append(Reason(NOTHING_SHARED, REFUSES, DIFFERENT, words))
    standing = any(row.stands and not row.metric.descriptive for row in rows)
    verdict = NOT_COMPARABLE if not standing else WITH_DIFFERENCES if reasons else COMPARABLE
    return Comparison((a.name, b.name), verdict, tuple(reasons), rows)


def reason_of(rule: Rule, a: Record, b: Record, metrics: Iterable[MetricFacts] = ()) -> Reason | None:
    """What a rule says of two records that share the metrics; None where it has nothing against them."""
    if not rule.applies(a, b):
        return None
    x, y = rule.of(a), rule.of(b)
    if x is None and y is None:
        weight, situation = rule.neither, NEITHER
        sentence = f"Neither {a.name} nor {b.name} reports: {rule.condition}."
    elif x is None or y is None:
        weight, situation = rule.one_side, ONE_SIDE
        knows, silent = (b, a) if x is None else (a, b)
        sentence = f"{silent.name} does not report: {rule.condition} ({knows.name}: {rule.words(knows)})."
    elif rule.equal(x, y):
        return None
    else:
        weight, situation = rule.different, DIFFERENT
        sentence = rule.sentence.format(a=a.name, b=b.name, x=rule.words(a), y=rule.words(b))
    if weight == REFUSES and rule.eased and (words := rule.eased(a, b)):
        weight, sentence = DIFFERS, f"{sentence} {words}"
    if weight == REFUSES and situation != DIFFERENT:
        sentence = f"{sentence} {rule.why}"
    if weight == REFUSES and rule.rows:
        refused = tuple(sorted(metric.key for metric in metrics if rule.rows(metric)))
        if refused:
            return Reason(rule.key, REFUSES, situation, sentence, refused)
        weight = rule.elsewhere
    return Reason(rule.key, weight, situation, sentence) if weight else None


def ratio_allowed(comparison: Comparison, metric: str) -> bool:
    """Whether one record's figure of the metric (its key) may be divided by the other's.

    Only where the figures may stand side by side. For MLPerf that is where the messaging rules allow a comparison: one
    benchmark, one scenario, compatible versions, every qualifier known; the reasons say what must be said beside it.
    """
    rows = [row for row in comparison.metrics if row.metric.key == metric and not row.metric.descriptive]
    return comparison.verdict != NOT_COMPARABLE and any(row.stands for row in rows)


@dataclass(frozen=True)
class Group:
    """A row of a page and the records whose figures may stand in it together: each may beside each other one."""

    metric: MetricFacts
    statistic: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    pairs: tuple[Comparison, ...]
    groups: tuple[Group, ...]


def compare_many(records: Sequence[Record]) -> Page:
    """Verdicts on every pair of two to six records, and for each row the largest groups that may stand in it."""
    if not 2 <= len(records) <= MOST_RECORDS or len({record.name for record in records}) < len(records):
        raise ValueError(f"Choose 2 to {MOST_RECORDS} different records, not {len(records)}.")
    ordered = sorted(records, key=_order)
    pairs = tuple(compare(a, b) for a, b in combinations(ordered, 2))
    beside: dict[tuple[str, str], set[tuple[str, str]]] = {}
    metrics: dict[tuple[str, str], set[MetricFacts]] = {}
    for pair in pairs:
        for row in pair.metrics:
            if row.stands:
                beside.setdefault((row.metric.key, row.statistic), set()).add(pair.names)
                metrics.setdefault((row.metric.key, row.statistic), set()).add(row.metric)
    names = [record.name for record in ordered]
    groups = [
        Group(_of_group(group, ordered, key), statistic, group)
        for (key, statistic), allowed in sorted(beside.items())
        for group in _largest(names, allowed)
    ]
    return Page(pairs, tuple(groups))


def _of_group(group: tuple[str, ...], records: Sequence[Record], key: str) -> MetricFacts:
    return next(record.metrics[key] for record in records if record.name == group[0])


def _largest(names: Sequence[str], allowed: set[tuple[str, str]]) -> list[tuple[str, ...]]:
    """Groups in which every pair is allowed and that no other such group contains."""
    found: list[tuple[str, ...]] = []
    for size in range(len(names), 1, -1):
        for group in combinations(names, size):
            inside = any(set(group) <= set(larger) for larger in found)
            if not inside and all(pair in allowed for pair in combinations(group, 2)):
                found.append(group)
    return found


def _definitions(a: Record, b: Record) -> list[Reason]:
    """The reasons that keep metrics apart which readers would take for one."""
    reasons = []
    for family, pair in mistakable(a, b).items():
        keys = tuple(sorted({metric.key for side in pair for metric in side}))
        for rule in METRIC_RULES:
            if apart(rule, pair):
                x, y = (rule.words(side) for side in pair)
                sentence = rule.sentence.format(family=family, a=a.name, b=b.name, x=x, y=y)
                reasons.append(Reason(rule.key, REFUSES, DIFFERENT, sentence, keys))
    return reasons


def _rows(
    a: Record, b: Record, common: dict[str, MetricFacts], reasons: Sequence[Reason]
) -> tuple[tuple[Row, ...], list[Reason]]:
    """The rows of metrics in one definition, and a reason for each such metric that has no statistic in common."""
    whole = [each.rule for each in reasons if each.weight == REFUSES and not each.metrics]
    values = [{(each.metric.key, each.statistic): each.value for each in record.figures} for record in (a, b)]
    rows, unpaired = [], []
    for key, metric in common.items():
        mine, theirs = (sorted(statistic for found, statistic in side if found == key) for side in values)
        scoped = [each.rule for each in reasons if each.weight == REFUSES and key in each.metrics]
        both = [statistic for statistic in mine if statistic in theirs]
        for statistic in both:
            stated = (a.name, values[0][key, statistic]), (b.name, values[1][key, statistic])
            rows.append(Row(metric, statistic, stated, tuple(whole + scoped)))
        if not both:
            sentence = (
                f"“{metric.name}” is stated as {', '.join(mine)} by {a.name} and as {', '.join(theirs)} by "
                f"{b.name}: other statistics."
            )
            unpaired.append(Reason(STATISTIC, REFUSES, DIFFERENT, sentence, (key,)))
    return tuple(rows), unpaired


def _order(record: Record) -> tuple[tuple[tuple[int, int, str], ...], str]:
    return by_name(record.name), repr(record)
