"""When a condition matters: some facts mean something only where another is given."""

from registry.reasoning.benchmark_facts import Record
from registry.reasoning.comparability_alike import OFFLINE, agree, load, part_or_whole


def always(a: Record, b: Record) -> bool:
    return True


def both_mlperf(a: Record, b: Record) -> bool:
    return a.is_mlperf and b.is_mlperf


def not_both_mlperf(a: Record, b: Record) -> bool:
    """The rules of an MLPerf benchmark fix the workload, which its results do not spell out."""
    return not both_mlperf(a, b)


def neither_mlperf(a: Record, b: Record) -> bool:
    return not a.is_mlperf and not b.is_mlperf


def one_checkpoint(a: Record, b: Record) -> bool:
    return not_both_mlperf(a, b) and agree(a, b, "checkpoint")


def one_runtime(a: Record, b: Record) -> bool:
    return agree(a, b, "runtime")


def one_tool(a: Record, b: Record) -> bool:
    return agree(a, b, "tool")


def one_suite(a: Record, b: Record) -> bool:
    return neither_mlperf(a, b) and agree(a, b, "suite")


def several_accelerators(a: Record, b: Record) -> bool:
    return {a.accelerators, b.accelerators} != {1}


def same_kind(a: Record, b: Record) -> bool:
    return part_or_whole(a) == part_or_whole(b) or None in (part_or_whole(a), part_or_whole(b))


def served(a: Record, b: Record) -> bool:
    """The load is a question of its own unless one is offline and the other is not, which a rule of its own says."""
    modes = {load(a), load(b)}
    return not_both_mlperf(a, b) and not (OFFLINE in modes and len(modes) == 2 and None not in modes)


def concurrency_matters(a: Record, b: Record) -> bool:
    """In closed loads, and where an open one has a cap."""
    return _sized(a, b, "closed", "concurrency")


def rate_matters(a: Record, b: Record) -> bool:
    return _sized(a, b, "open", "request_rate")


def _sized(a: Record, b: Record, mode: str, size: str) -> bool:
    """Whether the load's size is a question: not where the other load mode has none, which a rule of its own refuses."""
    modes = load(a), load(b)
    stated = [getattr(each, size) is not None for each in (a, b)]
    if not not_both_mlperf(a, b) or not (mode in modes or any(stated)):
        return False
    return modes[0] == modes[1] or None in modes or all(stated)
