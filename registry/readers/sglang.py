"""SGLang `bench_serving`: one JSON object a line, appended run by run.

Definitions: sglang/bench_serving.py, `calculate_metrics`; they are vLLM's under other keys. Newer files carry
`server_info`, the server's flags: known harmless ones are read, addresses, folders and keys never.
"""

from decimal import Decimal

from registry.readers import serving
from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, left_over, rows, runs_of
from registry.readers.load import (
    Load,
    check_chunks,
    check_in_flight,
    check_lengths,
    check_parts,
    check_rate,
    check_time_scale,
    mean,
    offered,
)
from registry.readers.run import Counts, Report, Run
from registry.readers.sglang_server import Server, server_of
from registry.readers.text import model_name

TOOL = "SGLang bench_serving"
FORMATS = "JSON lines with mean_e2e_latency_ms and mean_ttft_ms"
METRICS = {
    "ttft": "ttft_client",
    "tpot": "tpot_client",
    "itl": "itl_chunk_client",
    "e2e_latency": "e2e_client",
}
RATES = ("completed", "request_throughput", "output_throughput")
ALSO_READ = (
    "tag", "sharegpt_output_len", "total_input_text_tokens", "total_input_vision_tokens",
    "total_output_tokens_retokenized", "max_output_tokens_per_s", "max_concurrent_requests",
)  # fmt: skip


def is_run(row: dict[str, object]) -> bool:
    return "mean_e2e_latency_ms" in row and "mean_ttft_ms" in row and not row.keys().isdisjoint(RATES)


def recognises(documents: Documents) -> bool:
    return any(is_run(row) for row in rows(documents))


def read_runs(documents: Documents) -> Report:
    found = runs_of(documents, is_run)
    runs = tuple(read_run(row) for row in found)
    versions = {run.conditions.runtime_version for run in runs} - {None}
    named = "with server_info" if "server_info" in found[0] else "without server_info"
    # The client is installed with the server, but may run elsewhere: its own version is not in the file.
    return Report(
        TOOL,
        None,
        f"JSON lines {named}, server {', '.join(sorted(map(str, versions))) or 'unknown'}",
        runs,
        left_over(documents, len(found)),
    )


def read_run(row: Fields) -> Run:
    findings = Findings()
    load = load_of(row, findings)
    printed, server = server_of(row, findings)
    counts = counted(row, findings)
    duration = row.positive("duration")
    nothing = counts.ok == 0
    conditions = stated(row, findings, counts, duration, load, printed, server)
    if not nothing:
        measured(row, findings, counts, duration)
        check_parts(findings, ("ttft_client", "tpot_client", "e2e_client"), conditions.output_tokens)
        check_time_scale(findings, counts.ok, duration, conditions.output_tokens, load)
        check_in_flight(findings, counts.ok, duration, conditions.concurrency_achieved)
        check_rate(findings, load["request_rate"], findings.value("request_throughput_client"))
        check_lengths(findings, "input", conditions.input_tokens_requested, conditions.input_tokens)
        check_lengths(findings, "output", conditions.output_tokens_requested, conditions.output_tokens)
    for key in ALSO_READ:
        row.raw(key)
    findings.unread(row.unread())
    return Run(
        label=serving.label(conditions),
        conditions=conditions,
        counts=counts,
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused="No request succeeded: nothing was measured." if nothing else "",
    )


def load_of(row: Fields, findings: Findings) -> Load:
    """A finite rate means exponential gaps in this client; it has no burstiness."""
    load = offered(row, findings)
    if load["load_mode"] == "open" and load["arrival"] is None:
        load["arrival"] = "poisson"
    if row.raw("request_rate") == "trace":
        load["load_mode"], load["arrival"] = "open", "trace"
    return load


def counted(row: Fields, findings: Findings) -> Counts:
    """The client counts successes only; per-request details tell how many were sent."""
    ok = row.count("completed")
    errors = row.raw("errors")
    if isinstance(errors, list) and ok is not None and len(errors) >= ok:
        failed = len(errors) - ok
        if failed:
            findings.warn(
                "failures", f"{failed} requests failed; latencies cover the {ok} others only.", "errors"
            )
        return Counts(len(errors), ok, failed)
    findings.warn(
        "failures-not-reported",
        "The file counts successes only: how many requests failed is not reported.",
        "completed",
    )
    return Counts(None, ok)


def measured(row: Fields, findings: Findings, counts: Counts, duration: Decimal | None) -> None:
    prompt, output = row.count("total_input_tokens"), row.count("total_output_tokens")
    serving.latencies(row, METRICS, findings, counts.ok)
    check_chunks(findings)
    rates = (
        ("request_throughput_client", "request_throughput", counts.ok),
        ("input_throughput_client", "input_throughput", prompt),
        ("output_throughput_client", "output_throughput", output),
        ("total_throughput_client", "total_throughput", (prompt or 0) + (output or 0)),
    )
    serving.throughput(row, findings, rates, duration)
    findings.rate("acceptance_length_client", "accept_length", row.number("accept_length"))
    accepted = findings.value("acceptance_length_client")
    if accepted and accepted > 1 and (row.text("backend") or "").startswith("sglang-oai"):
        # Since #12064 (October 2025) the client divides the gaps by accept_length, and no file says which client it was.
        findings.figures = [each for each in findings.figures if each.metric != "itl_chunk_client"]
        findings.warn(
            "itl-ambiguous",
            "With speculative decoding over the OpenAI protocol, newer clients divide the gaps between chunks by the "
            "accepted length and older ones do not; the file does not say which one wrote it, so ITL is left out.",
            "mean_itl_ms",
        )


def stated(
    row: Fields,
    findings: Findings,
    counts: Counts,
    duration: Decimal | None,
    load: Load,
    printed: str | None,
    server: Server,
) -> Conditions:
    dataset = row.text("dataset_name")
    asked_in = asked_out = None
    if dataset in ("random", "random-ids"):
        asked_in, asked_out = row.positive("random_input_len"), row.positive("random_output_len")
    ratio = row.number("random_range_ratio")
    for key in ("random_input_len", "random_output_len"):
        row.raw(key)  # written for every data set, in force for random ones
    name, revision, shortened = model_name(printed or row.text("model_id") or row.text("model") or "")
    if shortened:
        findings.warn(
            "model-from-path", "The model is named by a folder, whose last part alone is kept.", "model_path"
        )
    distribution = None
    if asked_in is not None and ratio is not None:
        distribution = (
            "fixed" if ratio == 1 else f"uniform from {ratio:.6g} × the asked length to the asked length"
        )
    server["model_revision"] = server["model_revision"] or revision
    return Conditions(
        model=name,
        endpoint=row.text("backend"),
        dataset=dataset,
        input_tokens_requested=asked_in,
        output_tokens_requested=asked_out,
        length_distribution=distribution,
        input_tokens=mean(row.count("total_input_tokens"), counts.ok),
        output_tokens=mean(row.count("total_output_tokens"), counts.ok),
        concurrency_achieved=row.positive("concurrency"),
        streaming=True if row.positive("mean_ttft_ms") else None,
        duration=duration,
        **load,
        **server,
    )
