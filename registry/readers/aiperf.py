"""NVIDIA AIPerf: the summary `profile_export_aiperf.json`, its CSV, and the records of each request as JSONL.

Definitions: AIPerf `docs/metrics_reference.md`, `docs/reference/json-export-schema.md`. request_count counts valid
requests only; error_request_count is written where there were errors. Output tokens include reasoning tokens.
"""

from registry.readers import aiperf_records
from registry.readers.aiperf_config import stated
from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, rows
from registry.readers.load import check_lengths, check_rate
from registry.readers.numbers import plain
from registry.readers.perf_exports import Block, blocks_of_json, blocks_of_tables, collect, of_aiperf, tables
from registry.readers.run import Counts, Report, Run

TOOL = "AIPerf"
FORMATS = "JSON with time_to_first_token.unit and input_config.endpoint or aiperf_version; CSV tables; JSONL records"

READ_APART = frozenset({
    "request_count", "error_request_count", "good_request_count", "min_request_timestamp", "max_response_timestamp",
    "total_output_tokens", "total_reasoning_tokens", "reasoning_token_count", "benchmark_duration", "total_isl",
    "total_osl", "error_isl", "total_error_isl", "error_input_sequence_length", "total_input_sequence_length",
    "total_output_sequence_length", "total_error_input_sequence_length", "osl_mismatch_diff_pct", "osl_mismatch_count",
})  # fmt: skip


def is_export(row: dict[str, object]) -> bool:
    metrics = (row.get(key) for key in ("request_throughput", "request_latency", "error_request_count"))
    return any(isinstance(metric, dict) and "unit" in metric for metric in metrics) and of_aiperf(row)


def is_aggregate(row: dict[str, object]) -> bool:
    """Statistics over several runs of AIPerf; its metrics are means of means."""
    about = row.get("metadata")
    return "aiperf_version" in row and isinstance(about, dict) and "aggregation_type" in about


def is_table(text: str) -> bool:
    head = text[:8000]
    return ("Metric,avg,min,max," in head and "Metric,avg,min,max,p99" not in head) or (
        "Metric,Value" in head and ("(requests/sec)" in head or "Error Request Count" in head)
    )


def recognises(documents: Documents) -> bool:
    found = rows(documents)
    return (
        any(is_export(row) or is_aggregate(row) or aiperf_records.is_record(row) for row in found)
        or is_table(documents.text)
    )  # fmt: skip


def read_runs(documents: Documents) -> Report:
    found = rows(documents)
    if exports := [Fields(row) for row in found if is_export(row)]:
        first = exports[0]
        schema = first.text("schema_version")
        form = f"JSON summary, schema {schema}" if schema else "JSON summary from before schema versions"
        return Report(TOOL, first.text("aiperf_version"), form, tuple(read_export(row) for row in exports))
    if aggregates := [Fields(row) for row in found if is_aggregate(row)]:
        refused = "This file holds statistics over several runs. Import the summary of each run instead."
        runs = tuple(Run(label=f"aggregate {n}", refused=refused) for n, _ in enumerate(aggregates, 1))
        return Report(TOOL, aggregates[0].text("aiperf_version"), "JSON aggregate over runs", runs)
    if records := [Fields(row) for row in found if aiperf_records.is_record(row)]:
        run = aiperf_records.read_records(records)
        return Report(TOOL, None, "JSONL, one record a request; the file states no version", (run,))
    blocks = blocks_of_tables(tables(documents.text))
    form = "CSV summary, rounded to two decimals; the file states no version"
    return Report(TOOL, None, form, (read_table(blocks),))


def read_export(row: Fields) -> Run:
    findings = Findings()
    blocks = blocks_of_json(row)
    collect(blocks, findings, READ_APART)
    counts = counted(blocks, findings)
    if counts.failed is None and counts.ok is not None and row.raw("error_summary") == []:
        counts = Counts(counts.ok, counts.ok, 0)
    if row.flag("was_cancelled"):
        findings.warn(
            "cancelled",
            "The run was cancelled before its end; what was in flight is not counted.",
            "was_cancelled",
        )
    if row.items("runtime_submission_invalid_reasons"):
        findings.warn(
            "scenario-invalid",
            "AIPerf itself calls the run invalid for its scenario.",
            "runtime_submission_invalid_reasons",
        )
    conditions = stated(row, findings, blocks)
    if findings.value("goodput_client") and not conditions.latency_limits:
        findings.warn("goodput-without-limits", "Goodput is given, but not the limits it means.", "goodput")
    check_lengths(findings, "input", conditions.input_tokens_requested, conditions.input_tokens)
    check_lengths(findings, "output", conditions.output_tokens_requested, conditions.output_tokens)
    check_rate(findings, conditions.request_rate, findings.value("request_throughput_client"))
    return finished(conditions, counts, findings)


def read_table(blocks: dict[str, Block]) -> Run:
    """The CSV has figures and counts; everything about the system, model and load is missing."""
    findings = Findings()
    collect(blocks, findings, READ_APART)
    counts = counted(blocks, findings)
    duration = blocks["benchmark_duration"].one() if "benchmark_duration" in blocks else None
    rounded = findings.value("request_throughput_client")
    if rounded and counts.ok and duration:
        exact = counts.ok / duration
        if abs(rounded - exact) > exact * 2 / 100:
            findings.warn(
                "rounded",
                f"request_throughput is printed as {plain(rounded)}; {counts.ok} requests in {plain(duration)} s are "
                f"{exact:.6g} requests/s.",
                "request_throughput",
            )
    conditions = Conditions(
        input_tokens=findings.value("input_tokens", "mean"),
        output_tokens=findings.value("output_tokens", "mean"),
        duration=duration or None,
    )
    return finished(conditions, counts, findings)


def counted(blocks: dict[str, Block], findings: Findings) -> Counts:
    ok, failed = (
        blocks[key].count() if key in blocks else None for key in ("request_count", "error_request_count")
    )
    if ok is None and failed and not findings.figures:
        ok = 0
    if failed:
        findings.warn(
            "failures",
            f"{failed} requests failed; latencies cover the {ok if ok is not None else 'other'} others only.",
            "error_request_count",
        )
    return Counts(ok + failed if ok is not None and failed is not None else None, ok, failed)


def finished(conditions: Conditions, counts: Counts, findings: Findings) -> Run:
    if counts.failed is None:
        findings.note(
            "failures-not-reported",
            "The file has no count of failed requests; AIPerf writes one only where there were some.",
            "error_request_count",
        )
    refused = ""
    if counts.ok == 0:
        refused = f"None of {counts.attempted or 'the'} requests succeeded: nothing was measured."
    elif not findings.figures:
        refused = "The file holds no measured figure."
    load = f"{conditions.concurrency} in flight" if conditions.concurrency else "load not stated"
    if conditions.load_mode == "open" and conditions.request_rate:
        load = f"{plain(conditions.request_rate)} requests/s"
    return Run(
        label=f"{conditions.model or 'model not stated'}, {load}",
        conditions=conditions,
        counts=counts,
        figures=() if refused else tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused=refused,
    )
