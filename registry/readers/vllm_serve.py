"""vLLM `bench serve` (formerly benchmark_serving.py): one JSON object a run, `bench sweep` an array of them.

InferenceMAX runs a copy of the client of 2024, whose raw files cannot be told from the original's: both are read here.
Definitions: vllm/benchmarks/serve.py, `calculate_metrics`. TPOT is (E2E - TTFT) / (n - 1) for each request of more than
one token; ITL pools the gaps between chunks of all requests; rates divide by the wall time of the whole run.
"""

import re
from decimal import Decimal

from registry.readers import serving
from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, left_over, rows, runs_of
from registry.readers.load import (
    Load,
    check_chunks,
    check_parts,
    check_rate,
    check_time_scale,
    mean,
    offered,
)
from registry.readers.run import Counts, Report, Run
from registry.readers.text import model_name

TOOL = "vLLM bench serve"
FORMATS = (
    "JSON with mean_ttft_ms or mean_e2el_ms and the run's counts or rates; InferenceMAX raw runs likewise"
)

METRICS = {"ttft": "ttft_client", "tpot": "tpot_client", "itl": "itl_chunk_client", "e2el": "e2e_client"}
LATENCY = serving.latency_pattern(METRICS)
OWN = {
    "model_id",
    "tokenizer_id",
    "num_prompts",
    "request_throughput",
    "total_token_throughput",
    "endpoint_type",
}
# A copy without them is still known by the four statistics the client always writes of its three latencies.
ALWAYS = {
    f"{word}_{metric}_ms" for word in ("mean", "median", "std", "p99") for metric in ("ttft", "tpot", "itl")
}
ALSO_READ = (
    # Known and left alone: peaks of one-second buckets (vllm#37666), audio, what `conditions` reads elsewhere.
    "max_output_tokens_per_s", "max_concurrent_requests", "rtfx", "label", "best_of", "backend", "start_time", "end_time",
    "spec_decode_num_drafts", "spec_decode_draft_tokens", "spec_decode_accepted_tokens",
)  # fmt: skip


def is_run(row: dict[str, object]) -> bool:
    latencies = any(LATENCY.fullmatch(key) for key in row)
    return latencies and "mean_e2e_latency_ms" not in row and bool(OWN & row.keys() or row.keys() >= ALWAYS)


def recognises(documents: Documents) -> bool:
    return any(is_run(row) for row in rows(documents))


def read_runs(documents: Documents) -> Report:
    found = runs_of(documents, is_run)
    runs = tuple(read_run(row) for row in found)
    return Report(
        TOOL,
        None,
        f"{era(found[0].document)}; the file states no version",
        runs,
        left_over(documents, len(found)),
    )


def era(row: dict[str, object]) -> str:
    """When the client was written, by the keys it writes (pull requests #23867, #26478, #32300)."""
    if "best_of" in row or "request_goodput:" in row:
        return "benchmark_serving.py of 2024 to mid 2025, or InferenceMAX's copy"
    for key, name in (("rtfx", "2026 or later"), ("failed", "late 2025 or later")):
        if key in row:
            return f"bench serve of {name}"
    return "bench serve of 2025" if "endpoint_type" in row else "serving benchmark"


def read_run(row: Fields) -> Run:
    findings = Findings()
    load = offered(row, findings)
    counts = counted(row, findings)
    if (
        load["load_mode"] == "closed"
        and counts.attempted
        and (load["concurrency"] or 0) >= counts.attempted > 1
    ):
        findings.note(
            "cap-not-reached",
            f"{counts.attempted} requests under a cap of {load['concurrency']}: all were sent at once.",
            "max_concurrency",
        )
    duration = row.positive("duration")
    nothing = counts.ok == 0
    if not nothing:
        serving.latencies(row, METRICS, findings, counts.ok)
        check_chunks(findings)
        throughput(row, findings, counts.ok, duration)
        speculation(row, findings)
        output_tokens = mean(row.count("total_output_tokens"), counts.ok)
        check_parts(findings, ("ttft_client", "tpot_client", "e2e_client"), output_tokens)
        check_time_scale(findings, counts.ok, duration, output_tokens, load)
        check_rate(findings, load["request_rate"], findings.value("request_throughput_client"))
    conditions = stated(row, findings, counts, duration, load)
    if not counts.ok and not nothing:
        findings.warn(
            "no-counts", "The file does not say how many requests succeeded or failed.", "completed"
        )
    for key in (*ALSO_READ, *(key for key in row if LATENCY.fullmatch(key))):
        row.raw(key)
    findings.unread(row.unread())
    return Run(
        label=serving.label(conditions),
        conditions=conditions,
        counts=counts,
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused=f"None of {counts.attempted or 'the'} requests succeeded: nothing was measured."
        if nothing
        else "",
    )


def counted(row: Fields, findings: Findings) -> Counts:
    """Clients before autumn 2025 (#26478) write no failures; what did not complete failed."""
    attempted, ok, failed = row.some("num_prompts"), row.count("completed"), row.count("failed")
    if failed is None and attempted is not None and ok is not None and ok <= attempted:
        failed = attempted - ok
        findings.note(
            "failed-derived",
            f"The file has no count of failures; {attempted} asked for less {ok} completed leaves {failed}.",
            "num_prompts",
        )
    if None not in (attempted, ok, failed) and (ok or 0) + (failed or 0) != attempted:
        findings.warn(
            "counts-inconsistent",
            f"{ok} completed and {failed} failed do not make {attempted} asked for.",
            "completed",
        )
    if failed:
        findings.warn(
            "failures", f"{failed} requests failed; latencies cover the {ok} others only.", "failed"
        )
    return Counts(attempted, ok, failed)


def throughput(row: Fields, findings: Findings, ok: int | None, duration: Decimal | None) -> None:
    prompt, output = row.count("total_input_tokens"), row.count("total_output_tokens")
    both = (prompt or 0) + (output or 0)
    rates = (
        ("request_throughput_client", "request_throughput", ok),
        ("input_throughput_client", "input_throughput", prompt),
        ("output_throughput_client", "output_throughput", output),
        ("total_throughput_client", "total_token_throughput", both),
    )
    serving.throughput(row, findings, rates, duration)
    for key in ("request_goodput", "request_goodput:"):
        if goodput := row.number(key):
            findings.rate("goodput_client", key, goodput)
            findings.warn("goodput-without-limits", "Goodput is given, but not the limits it means.", key)


def speculation(row: Fields, findings: Findings) -> None:
    """Speculative decoding: the acceptance rate is written in per cent, the length counts the step's own token."""
    rate = row.number("spec_decode_acceptance_rate")
    findings.rate("acceptance_rate_client", "spec_decode_acceptance_rate", rate, "%")
    length = row.number("spec_decode_acceptance_length")
    findings.rate("acceptance_length_client", "spec_decode_acceptance_length", length)
    if rate is not None or length is not None:
        findings.note(
            "speculative", "Speculative decoding was on: a gap between chunks is a step, not a token."
        )


def stated(
    row: Fields, findings: Findings, counts: Counts, duration: Decimal | None, load: Load
) -> Conditions:
    name, revision, shortened = model_name(row.text("model_id") or "")
    tokenizer, _, _ = model_name(row.text("tokenizer_id") or "")
    if shortened:
        findings.warn(
            "model-from-path", "The model is named by a folder, whose last part alone is kept.", "model_id"
        )
    return Conditions(
        model=name,
        model_revision=revision,
        tokenizer=tokenizer,
        endpoint=row.text("endpoint_type") or row.text("backend"),
        requests=counts.attempted,
        input_tokens=mean(row.count("total_input_tokens"), counts.ok),
        output_tokens=mean(row.count("total_output_tokens"), counts.ok),
        streaming=True if findings.value("ttft_client", "mean") else None,
        speculative="speculative decoding" if "spec_decode_num_drafts" in row else None,
        started_at=local_time(row.text("date") or ""),
        duration=duration,
        **load,
    )


def local_time(text: str) -> str | None:
    """20260807-212050 as ISO 8601; the client writes local time without a zone, at the run's end."""
    found = re.fullmatch(r"(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)", text, re.ASCII)
    return "{}-{}-{}T{}:{}:{}".format(*found.groups()) if found else None
