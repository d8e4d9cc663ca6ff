"""GuideLLM: the report `benchmarks.json`, one benchmark a load step, and its CSV.

Definitions: guidellm `schemas/request_stats.py` and `benchmark/schemas/generative/metrics.py`. request_latency is in
seconds, *_ms in milliseconds. Of the rates only the mean is kept: it is total over time, while their median and
percentiles are taken over slices between two events. `incomplete` requests were cut off at the end, neither ok nor failed.
"""

from decimal import Decimal

from registry.readers import guidellm_table
from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, rows
from registry.readers.guidellm_config import stated
from registry.readers.guidellm_metrics import RATES, SPREADS, Distribution, check_total, time_per_token
from registry.readers.load import check_lengths, check_rate
from registry.readers.metric import percentile
from registry.readers.numbers import plain
from registry.readers.run import Counts, Report, Run

TOOL = "GuideLLM"
FORMATS = "JSON report with benchmarks[].metrics.time_to_first_token_ms; CSV with one row a benchmark"

WORDS = {"mean": "mean", "median": "median", "std_dev": "std", "min": "min", "max": "max"}
PERCENTILES = {"p001": "p0.1", "p01": "p1", "p05": "p5", "p999": "p99.9"}
KNOWN = {
    *SPREADS, *RATES, "inter_token_latency_ms", "time_per_output_token_ms", "request_totals", "total_token_count",
    "request_streaming_iterations_count", "time_to_first_output_token_ms", "output_tokens_per_iteration",
    "iter_tokens_per_iteration", "time_to_last_round_trip_ms", "avg_round_trip_time_ms", "text", "image", "video", "audio",
    "output_tokens_wo_first_per_iteration", "tool_call_count",
}  # fmt: skip


def is_report(row: dict[str, object]) -> bool:
    listed = row.get("benchmarks")
    return isinstance(listed, list) and any(is_benchmark(item) for item in listed)


def is_benchmark(item: object) -> bool:
    if not isinstance(item, dict):
        return False
    metrics = item.get("metrics")
    kind = item.get("type_")
    return isinstance(metrics, dict) and (
        "time_to_first_token_ms" in metrics or kind == "generative_benchmark"
    )


def recognises(documents: Documents) -> bool:
    return any(is_report(row) for row in rows(documents)) or guidellm_table.is_table(documents.text)


def read_runs(documents: Documents) -> Report:
    reports = [Fields(row) for row in rows(documents) if is_report(row)]
    if not reports:
        return Report(
            TOOL, None, "CSV; the file states no version it can be read by", read_table(documents.text)
        )
    metadata = reports[0].inner("metadata") or Fields({})
    version, layout = metadata.text("guidellm_version"), metadata.text("version")
    form = (
        f"JSON report, layout {layout}" if layout else "JSON report of the 0.2 to 0.3 line, without metadata"
    )
    runs_of = [
        read_benchmark(report, Fields(item, f"benchmarks[{n}]"))
        for report in reports
        for n, item in enumerate(report.items("benchmarks"))
        if is_benchmark(item)
    ]
    return Report(TOOL, version, form, tuple(runs_of))


def read_table(text: str) -> tuple[Run, ...]:
    runs = []
    for found, counted in guidellm_table.benchmarks(text):
        findings = Findings()
        if "inter_token_latency_ms" not in found:
            findings.warn(
                "latency-per-token-left-out",
                "The CSV does not say whether its latencies a token are counted once a request or once a token: they are left "
                "out. The JSON report shows it.",
            )
        runs.append(finished(found, Counts(*counted), findings, None, old=True))
    return tuple(runs)


def read_benchmark(report: Fields, benchmark: Fields) -> Run:
    findings = Findings()
    metrics = benchmark.inner("metrics") or Fields({})
    counts = counted(benchmark, metrics, findings)
    found = {name: d for name in metrics if (d := distribution(metrics, name)) is not None}
    unknown = [name[:60] for name in metrics if name not in KNOWN]
    conditions = stated(report, benchmark, findings)
    if unknown:
        findings.unread(unknown)
    return finished(found, counts, findings, conditions, old="metadata" not in report)


def counted(benchmark: Fields, metrics: Fields, findings: Findings) -> Counts:
    totals = metrics.inner("request_totals") or benchmark.inner("request_totals")
    if totals is None:
        return Counts()
    ok, failed, cut_off = (totals.count(key) for key in ("successful", "errored", "incomplete"))
    total = totals.count("total")
    if None not in (ok, failed, cut_off, total) and (ok or 0) + (failed or 0) + (cut_off or 0) != total:
        findings.warn(
            "counts-inconsistent",
            f"{ok} successful, {failed} errored and {cut_off} incomplete do not make {total} in all.",
            "request_totals",
        )
    return Counts(total, ok, failed, cut_off)


def distribution(metrics: Fields, name: str) -> Distribution | None:
    """The statistics over successful requests; of no other status, and not of all together."""
    raw = metrics.raw(name)
    if not isinstance(raw, dict) or not isinstance(raw.get("successful"), dict):
        return None
    found = Fields(raw["successful"], f"metrics.{name}.successful")
    statistics = {WORDS[key]: (f"{name}.{key}", found.number(key)) for key in found if key in WORDS}
    percentiles = found.inner("percentiles") or Fields({})
    for key in percentiles:
        statistic = PERCENTILES.get(key) or percentile(key)
        if statistic:
            statistics.setdefault(statistic, (f"{name}.{key}", percentiles.number(key)))
    return Distribution(statistics, found.some("count"), found.number("total_sum"))


def finished(
    found: dict[str, Distribution],
    counts: Counts,
    findings: Findings,
    conditions: Conditions | None,
    old: bool = False,
) -> Run:
    """The run of one benchmark, from its distributions and counts."""
    if counts.ok != 0:
        for name, (metric, unit) in SPREADS.items():
            if name in found:
                findings.spread(metric, unit, found[name].statistics, n=found[name].count)
        for name, metric in RATES.items():
            if name in found:
                findings.rate(metric, f"{name}.mean", found[name].mean())
        time_per_token(found, counts, findings, old)
        check_total(findings)
    if counts.failed or counts.incomplete:
        findings.warn(
            "failures",
            f"{counts.failed or 0} requests failed and {counts.incomplete or 0} were cut off at the end; latencies cover the "
            f"{counts.ok} others only.",
            "request_totals",
        )
    conditions = with_actual(conditions or Conditions(), findings)
    check_lengths(findings, "input", conditions.input_tokens_requested, conditions.input_tokens)
    check_lengths(findings, "output", conditions.output_tokens_requested, conditions.output_tokens)
    check_rate(findings, conditions.request_rate, findings.value("request_throughput_client"))
    refused = ""
    if counts.ok == 0:
        refused = f"None of {counts.attempted} requests succeeded: nothing was measured."
    elif not findings.figures:
        refused = "The benchmark holds no measured figure."
    return Run(
        label=f"{conditions.model or 'model not stated'}, {load_words(conditions)}",
        conditions=conditions,
        counts=counts,
        figures=() if refused else tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused=refused,
    )


def with_actual(conditions: Conditions, findings: Findings) -> Conditions:
    achieved: Decimal | None = findings.value("concurrency_achieved")
    return Conditions(**{
        **conditions.stated(),
        "input_tokens": findings.value("input_tokens", "mean"),
        "output_tokens": findings.value("output_tokens", "mean"),
        "concurrency_achieved": achieved,
    })  # fmt: skip


def load_words(conditions: Conditions) -> str:
    if conditions.load_mode == "open" and conditions.request_rate:
        return f"{plain(conditions.request_rate)} requests/s"
    if conditions.load_mode == "closed":
        return f"{conditions.concurrency or 'some'} in flight"
    return {"single stream": "one at a time", "all at once": "all at once"}.get(
        conditions.load_mode or "", "load not stated"
    )
