"""AIPerf's JSONL: one record a request, from which the run's figures are computed as AIPerf does it.

Percentiles interpolate linearly between the two nearest values, as numpy does. The run lasts from the first request's
start to the last one's end. Records of the warm-up phase are left out. Request ids and workers are never read.
"""

from collections.abc import Iterable
from decimal import Decimal

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.errors import Unreadable
from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.load import check_chunks
from registry.readers.metrics import METRICS
from registry.readers.perf_exports import PER_REQUEST, unit_of
from registry.readers.run import Counts, Run

QUANTILES = {"p1": 1, "p5": 5, "p10": 10, "p25": 25, "median": 50, "p75": 75, "p90": 90, "p95": 95, "p99": 99}
NANOSECONDS = Decimal(1_000_000_000)


def is_record(row: dict[str, object]) -> bool:
    about = row.get("metadata")
    return isinstance(row.get("metrics"), dict) and isinstance(about, dict) and "request_start_ns" in about


def read_records(records: list[Fields]) -> Run:
    findings = Findings()
    measured, failed, cut_off, warm_up = sorted_out(records)
    values: dict[str, list[Decimal]] = {}
    for record in measured:
        gather(record.inner("metrics") or Fields({}), values, findings)
    seconds = duration(measured)
    counts = Counts(len(measured) + failed + cut_off, len(measured), failed, cut_off)
    for metric, found in values.items():
        unit = METRICS[metric].unit
        findings.spread(metric, unit, {k: (metric, v) for k, v in statistics(found).items()}, n=len(found))
    rates(values, len(measured), seconds, findings)
    check_chunks(findings)
    findings.note(
        "computed-from-records",
        f"Every figure is computed here from {len(measured)} records of requests, as AIPerf computes its summary.",
    )
    if warm_up:
        findings.note("warm-up-left-out", f"{warm_up} records of the warm-up phase are left out.")
    if failed or cut_off:
        findings.warn(
            "failures", f"{failed} requests failed and {cut_off} were cancelled; no latency covers them."
        )
    conditions = Conditions(
        input_tokens=findings.value("input_tokens", "mean"),
        output_tokens=findings.value("output_tokens", "mean"),
        duration=seconds,
        warm_up=f"{warm_up} requests" if warm_up else None,
        warm_up_excluded=True if warm_up else None,
    )
    return Run(
        label="model not stated, load not stated",
        conditions=conditions,
        counts=counts,
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused="" if measured else f"None of {counts.attempted} requests succeeded: nothing was measured.",
    )


def sorted_out(records: list[Fields]) -> tuple[list[Fields], int, int, int]:
    """Successful records of the measured phase; how many failed, were cut off, or belong to the warm-up."""
    measured, failed, cut_off, warm_up = [], 0, 0, 0
    for record in records:
        about = record.inner("metadata") or Fields({})
        if about.text("benchmark_phase") not in (None, "profiling"):
            warm_up += 1
        elif about.flag("was_cancelled"):
            cut_off += 1
        elif record.raw("error") is not None:
            failed += 1
        else:
            measured.append(record)
    return measured, failed, cut_off, warm_up


def gather(metrics: Fields, values: dict[str, list[Decimal]], findings: Findings) -> None:
    """One request's values, by metric. Two names of one metric count once."""
    done: set[str] = set()
    for name in metrics:
        metric = PER_REQUEST.get(name)
        if metric is None or metric in done:
            continue
        done.add(metric)
        entry = Fields(metrics.raw(name), f"metrics.{name}")
        own = METRICS[metric].unit
        if unit_of(entry.text("unit") or "", own) != own:
            raise Unreadable(f"The metric {name} of a record is not given in {own}. Correct the file.")
        raw = entry.raw("value")
        found = (
            [Fields({"value": item}, entry.where).number("value") for item in raw]
            if isinstance(raw, list)
            else [entry.number("value")]
        )
        values.setdefault(metric, []).extend(value for value in found if value is not None)


def duration(measured: list[Fields]) -> Decimal | None:
    """Seconds from the first request's start to the last one's end."""
    about = [record.inner("metadata") or Fields({}) for record in measured]
    starts = [start for each in about if (start := each.positive("request_start_ns"))]
    ends = [end for each in about if (end := each.positive("request_end_ns"))]
    return (max(ends) - min(starts)) / NANOSECONDS if starts and ends and max(ends) > min(starts) else None


def rates(values: dict[str, list[Decimal]], ok: int, seconds: Decimal | None, findings: Findings) -> None:
    if not seconds or not ok:
        return
    prompt, output = sum_of(values.get("input_tokens")), sum_of(values.get("output_tokens"))
    findings.rate("request_throughput_client", "records / duration", shortened(ok / seconds))
    if output:
        findings.rate("output_throughput_client", "output tokens / duration", shortened(output / seconds))
    if prompt and output:
        findings.rate(
            "total_throughput_client", "all tokens / duration", shortened((prompt + output) / seconds)
        )


def sum_of(values: Iterable[Decimal] | None) -> Decimal:
    return sum(values or (), Decimal(0))


def statistics(values: list[Decimal]) -> dict[str, Decimal]:
    if not values:
        return {}
    ordered = sorted(values)
    found = {"mean": sum_of(ordered) / len(ordered), "min": ordered[0], "max": ordered[-1]}
    for name, rank in QUANTILES.items():
        place = Decimal(rank) * (len(ordered) - 1) / 100
        low = int(place)
        high = min(low + 1, len(ordered) - 1)
        found[name] = ordered[low] + (ordered[high] - ordered[low]) * (place - low)
    return {name: shortened(value) for name, value in found.items()}


def shortened(value: Decimal) -> Decimal:
    """Twelve digits: more than any clock gives, few enough to print."""
    return Decimal(f"{value:.12g}")
