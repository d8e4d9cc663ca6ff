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


def some_closed(a: Record, b: Record) -> bool:
    stated = a.concurrency is not None or b.concurrency is not None
    return not_both_mlperf(a, b) and ("closed" in {load(a), load(b)} or stated)


def some_open(a: Record, b: Record) -> bool:
    stated = a.request_rate is not None or b.request_rate is not None
    return not_both_mlperf(a, b) and ("open" in {load(a), load(b)} or stated)
