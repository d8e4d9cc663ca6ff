"""What a benchmark record must say before its figures mean anything, and does not."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from registry.reasoning.benchmark_facts import Record, fold
from registry.reasoning.comparability_alike import load, output_length, prompt_length
from registry.reasoning.comparability_rules import goodput
from registry.reasoning.mlperf import missing_qualifiers, unreported

TAIL = re.compile(r"p9[0-9](\.[0-9]+)?")


@dataclass(frozen=True)
class Mark:
    key: str
    words: str


def incomplete(record: Record) -> tuple[Mark, ...]:
    """Every mark the record must carry, most important first."""
    marks = [Mark(key, words) for key, lacking, words in MARKS if lacking(record)]
    gaps = throughput_gaps(record)
    if gaps:
        marks.insert(0, Mark("throughput-alone", f"Throughput alone is incomplete: {', '.join(gaps)}."))
    if record.is_mlperf and (missing := missing_qualifiers(record)):
        words = f"Not reported, though MLPerf® results must be cited with it: {', '.join(missing)}."
        marks.append(Mark("suite-qualifiers", words))
    return tuple(marks)


def throughput_gaps(record: Record) -> tuple[str, ...]:
    """What must stand beside throughput and does not; nothing where no throughput is stated."""
    if not any(each.metric.throughput for each in record.figures):
        return ()
    gaps = {
        "no tail latency": not tail_latency(record),
        "failures not reported": record.requests_failed is None,
        "no quality task stated": unreported(record.quality_gate),
    }
    return tuple(words for words, lacking in gaps.items() if lacking)


def tail_latency(record: Record) -> bool:
    """A latency at the 90th percentile or above; a suite that voids results above stated limits has bounded it, too."""
    bounded = fold(record.scenario) in ("server", "interactive") and not unreported(record.latency_limits)
    stated = any(each.metric.latency and TAIL.fullmatch(each.statistic) for each in record.figures)
    return stated or (record.is_mlperf and bounded)


def lacks(*fields: str) -> Callable[[Record], bool]:
    """Any of the fields is not reported."""
    return lambda record: any(unreported(getattr(record, field)) for field in fields)


def outside_mlperf(lacking: Callable[[Record], bool]) -> Callable[[Record], bool]:
    """The rules of an MLPerf benchmark fix it, and its results do not spell it out."""
    return lambda record: not record.is_mlperf and lacking(record)


def no_load(record: Record) -> bool:
    mode = load(record)
    missing = {"closed": record.concurrency is None, "open": record.request_rate is None}
    return mode is None or missing.get(mode, False)


def goodput_without_limits(record: Record) -> bool:
    return unreported(record.latency_limits) and any(goodput(each.metric) for each in record.figures)


def power_without_boundary(record: Record) -> bool:
    return unreported(record.power_boundary) and any(each.metric.energy for each in record.figures)


def no_lengths(record: Record) -> bool:
    return prompt_length(record) is None or output_length(record) is None


# key, when it is lacking, what readers are told
MARKS: tuple[tuple[str, Callable[[Record], bool], str], ...] = (
    ("no-quality-task", lacks("quality_gate"),
     "No quality task is stated, and not that there was none: nobody knows whether the answers were right."),
    ("failures", lacks("requests_failed"),
     "Failures are not reported: latencies cover only requests that succeeded."),
    ("system", lacks("hardware", "accelerators", "nodes"),
     "The system is not fully reported: hardware, number of accelerators and of nodes."),
    ("model", lacks("checkpoint", "checkpoint_revision", "precision"),
     "The model is not fully reported: checkpoint, revision and precision."),
    ("runtime", lacks("runtime", "runtime_version", "flags"),
     "The runtime is not fully reported: name, version and flags."),
    ("lengths", outside_mlperf(no_lengths), "Lengths of prompts and outputs are not reported."),
    ("context-policy", outside_mlperf(lacks("context_policy")), "The context policy is not reported."),
    ("cache", outside_mlperf(lacks("cache_policy", "cache_state")),
     "Cache policy or state is not reported: a cache may have answered in place of the system."),
    ("load", outside_mlperf(no_load), "The load is not reported: its mode and the concurrency or request rate."),
    ("warm-up", outside_mlperf(lacks("warm_up")), "Warm-up is not reported."),
    ("latency-limits", outside_mlperf(lacks("latency_limits")), "Latency limits are not reported."),
    ("boundary", lacks("boundary"), "The measurement boundary is not reported."),
    ("tool", lacks("tool", "tool_version"), "The tool or its version is not reported."),
    ("goodput-limits", goodput_without_limits, "Goodput is stated without the latency limits that define it."),
    ("power-boundary", power_without_boundary, "Power or energy is stated without the boundary it was measured at."),
)  # fmt: skip
