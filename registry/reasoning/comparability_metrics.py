"""Which figures of two records are of one definition, and what keeps the others apart.

Two metrics that readers would take for the same (one family) and that are not are named with both definitions; they
never share a row.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from registry.reasoning.benchmark_facts import MetricFacts, Record, fold

Paired = tuple[tuple[MetricFacts, ...], tuple[MetricFacts, ...]]


@dataclass(frozen=True)
class MetricRule:
    """Metrics of one family that differ in `attribute` stay apart."""

    key: str
    attribute: str
    sentence: str

    def words(self, metrics: Iterable[MetricFacts]) -> str:
        """What one side's metrics have, each once."""
        said = {self._one(metric): None for metric in sorted(metrics, key=lambda metric: metric.key)}
        return "; ".join(said)

    def _one(self, metric: MetricFacts) -> str:
        value = str(getattr(metric, self.attribute))
        return f"{metric.name} = {value}" if self.attribute == "formula" else value


METRIC_RULES = (
    MetricRule("metric-definition", "formula", "“{family}” is defined differently. {a}: {x}. {b}: {y}."),
    MetricRule("metric-clock", "clock", "“{family}” was timed by the {x} clock in {a} and by the {y} clock in {b}."),
    MetricRule("metric-scope", "scope", "“{family}” is a figure per {x} in {a} and per {y} in {b}."),
    MetricRule("metric-unit", "unit", "“{family}” is in {x} in {a} and in {y} in {b}."),
)  # fmt: skip
# Two more reasons that no attribute gives.
STATISTIC = "metric-statistic"
NOTHING_SHARED = "no-metric-in-common"
METRIC_KEYS = (*(rule.key for rule in METRIC_RULES), STATISTIC, NOTHING_SHARED)


def shared(a: Record, b: Record) -> dict[str, MetricFacts]:
    """Metrics that both state in one definition: not the key alone but every fact must agree."""
    return {key: metric for key, metric in sorted(a.metrics.items()) if b.metrics.get(key) == metric}


def mistakable(a: Record, b: Record) -> dict[str, Paired]:
    """By family, the metrics of both sides that have no counterpart on the other and look like one another."""
    common = shared(a, b)
    sides = []
    for record, other in ((a, b), (b, a)):
        families: dict[str, list[MetricFacts]] = {}
        for key, metric in record.metrics.items():
            if key not in common:
                families.setdefault(family(metric, other.metrics.get(key)), []).append(metric)
        sides.append(families)
    both = sorted(sides[0].keys() & sides[1].keys())
    return {name: (tuple(sides[0][name]), tuple(sides[1][name])) for name in both}


def family(metric: MetricFacts, namesake: MetricFacts | None) -> str:
    """What readers would take the metric for; one key is one family, whatever the two sides call it."""
    names = [" ".join(each.family.split()) or each.key for each in (metric, namesake) if each]
    return min(names, key=lambda name: (name.casefold(), name))


def apart(rule: MetricRule, pair: Paired) -> bool:
    """Whether the rule's attribute keeps the two sides' metrics apart."""
    values = [{fold(str(getattr(metric, rule.attribute))) for metric in side} for side in pair]
    if rule.attribute != "formula" or values[0] != values[1]:
        return values[0] != values[1]
    # One formula under two keys, with all else alike: the definitions differ in what the formula does not say.
    return not any(apart(other, pair) for other in METRIC_RULES if other is not rule)
