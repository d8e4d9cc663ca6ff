"""Kubernetes inference-perf: `summary_lifecycle_metrics.json` over all load stages, `stage_N_lifecycle_metrics.json` of one.

Everything is in seconds. normalized_time_per_output_token is E2E / n. Until pull request #410 (April 2026)
time_per_output_token divided by chunks, not by tokens; the file states no version, so its own numbers decide which it is.
"""

import re
from decimal import Decimal
from typing import Any

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, rows
from registry.readers.metric import percentile
from registry.readers.numbers import plain
from registry.readers.run import Counts, Report, Run

TOOL = "inference-perf"
FORMATS = "JSON with load_summary, successes.latency and failures.count"

LATENCIES = {
    "request_latency": "e2e_client",
    "time_to_first_token": "ttft_client",
    "normalized_time_per_output_token": "tpot_with_first_client",
    "inter_token_latency": "itl_chunk_client",
}
RATES = {
    "requests_per_sec": "request_throughput_client",
    "input_tokens_per_sec": "input_throughput_client",
    "output_tokens_per_sec": "output_throughput_client",
    "total_tokens_per_sec": "total_throughput_client",
}
WORDS = {"mean": "mean", "median": "median", "min": "min", "max": "max", "std": "std", "std_dev": "std"}
NOTHING = Fields({})


def is_report(row: dict[str, object]) -> bool:
    successes = row.get("successes")
    return isinstance(row.get("load_summary"), dict) and isinstance(successes, dict)


def recognises(documents: Documents) -> bool:
    return any(is_report(row) for row in rows(documents))


def read_runs(documents: Documents) -> Report:
    found = [row for row in rows(documents) if is_report(row)]
    runs = tuple(
        read_run(Fields(row, f"report {n}" if len(found) > 1 else "")) for n, row in enumerate(found, 1)
    )
    return Report(TOOL, None, "lifecycle metrics; the file states no version", runs)


def read_run(row: Fields) -> Run:
    findings = Findings()
    load, successes = row.inner("load_summary") or NOTHING, row.inner("successes") or NOTHING
    counts = counted(load, successes, row.inner("failures") or NOTHING, findings)
    if counts.ok != 0:
        latencies(successes, counts.ok, findings)
        rates(successes.inner("throughput") or NOTHING, findings)
    remarks(load, successes, findings)
    stage = stage_of(load, findings)
    conditions = Conditions(
        requests=load.some("count"),
        input_tokens=findings.value("input_tokens", "mean"),
        output_tokens=findings.value("output_tokens", "mean"),
        streaming=True if findings.value("ttft_client", "mean") else None,
        **stage,
    )
    refused = ""
    if counts.ok == 0:
        refused = f"None of {counts.attempted or 'the'} requests succeeded: nothing was measured."
    elif not findings.figures:
        refused = "The report holds no measured figure."
    rate = f"{plain(conditions.request_rate)} requests/s" if conditions.request_rate else "load not stated"
    return Run(
        label=f"model not stated, {rate}",
        conditions=conditions,
        counts=counts,
        figures=() if refused else tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused=refused,
    )


def counted(load: Fields, successes: Fields, failures: Fields, findings: Findings) -> Counts:
    attempted, ok, failed = load.count("count"), successes.count("count"), failures.count("count")
    if None not in (attempted, ok, failed) and (ok or 0) + (failed or 0) != attempted:
        findings.warn(
            "counts-inconsistent", f"{ok} successes and {failed} failures do not make {attempted} requests."
        )
    if failed:
        findings.warn(
            "failures", f"{failed} requests failed; latencies cover the {ok} others only.", "failures.count"
        )
    return Counts(attempted, ok, failed)


def spread(section: Fields, name: str) -> dict[str, tuple[str, Decimal | None]]:
    inner = section.inner(name) or NOTHING
    found: dict[str, tuple[str, Decimal | None]] = {}
    for key in inner:
        statistic = WORDS.get(key) or (percentile(key) if re.fullmatch(r"p\d[\d.]*", key) else None)
        if statistic:
            found.setdefault(statistic, (f"{name}.{key}", inner.number(key)))
    return found


def latencies(successes: Fields, ok: int | None, findings: Findings) -> None:
    section = successes.inner("latency") or NOTHING
    findings.spread("input_tokens", "tokens", spread(successes, "prompt_len"), n=ok)
    findings.spread("output_tokens", "tokens", spread(successes, "output_len"), n=ok)
    for name, metric in LATENCIES.items():
        each = metric in ("e2e_client", "ttft_client")
        findings.spread(metric, "s", spread(section, name), n=ok if each else None)
    tpot = spread(section, "time_per_output_token")
    stated = tpot.get("mean", ("", None))[1]
    if not stated:
        return
    per_token, per_chunk = token_time(findings), findings.value("itl_chunk_client", "mean")
    if near(stated * 1000, per_token, Decimal("0.15")):
        findings.spread("tpot_client", "s", tpot)
    elif near(stated * 1000, per_chunk, Decimal("0.05")):
        findings.spread("time_per_chunk_client", "s", tpot)
        findings.warn(
            "per-chunk",
            f"time_per_output_token is {plain(stated)} s on average, as is the gap between chunks, while (E2E - TTFT) / (n - 1) "
            f"of the means gives {(per_token or 0) / 1000:.4g} s: it is taken per chunk, as before inference-perf#410.",
            "time_per_output_token",
        )
    else:
        findings.warn(
            "definition-unknown",
            "time_per_output_token was taken per chunk before inference-perf#410 and per token since; these numbers show "
            "neither, so it is left out.",
            "time_per_output_token",
        )


def near(value: Decimal, other: Decimal | None, share: Decimal) -> bool:
    return bool(other) and other is not None and abs(value - other) <= other * share


def token_time(findings: Findings) -> Decimal | None:
    """(E2E - TTFT) / (n - 1) from the means, in ms."""
    whole, first = findings.value("e2e_client", "mean"), findings.value("ttft_client", "mean")
    tokens = findings.value("output_tokens", "mean")
    return (
        (whole - first) / (tokens - 1)
        if whole and first and tokens and tokens > 1 and whole > first
        else None
    )


def rates(section: Fields, findings: Findings) -> None:
    for name, metric in RATES.items():
        findings.rate(metric, name, section.number(name))


def stage_of(load: Fields, findings: Findings) -> dict[str, Any]:
    """A stage file states the rate asked for and the one achieved; the summary mixes all stages."""
    asked = load.positive("requested_rate")
    achieved, lasted = load.positive("achieved_rate"), load.positive("send_duration")
    if asked is None:
        findings.warn(
            "stages-mixed",
            "The summary pools every load stage, so no one load belongs to its figures: import the files of the stages.",
            "load_summary",
        )
        return {}
    if achieved and achieved < asked * Decimal("0.95"):
        findings.warn(
            "generator-behind",
            f"{plain(asked)} requests/s were asked for and {plain(achieved)} were sent.",
            "load_summary.achieved_rate",
        )
    return {"load_mode": "open", "request_rate": asked, "duration": lasted}


def remarks(load: Fields, successes: Fields, findings: Findings) -> None:
    delay = load.inner("schedule_delay") or NOTHING
    late = delay.number("median")
    if late and late > 1:
        findings.warn(
            "generator-behind",
            f"Half of the requests were sent more than {late:.3g} s after their time: the generator could not keep up, and "
            "the load was lower than asked for.",
            "load_summary.schedule_delay",
        )
    client, server = (
        findings.value("input_tokens", "mean"),
        (successes.inner("prompt_tokens") or NOTHING).positive("mean"),
    )
    if client and server and abs(client - server) > client * Decimal("0.02"):
        findings.warn(
            "two-token-counts",
            f"The client counted {client:.6g} prompt tokens a request, the server {server:.6g}; lengths and rates here are the "
            "client's.",
            "successes.prompt_tokens",
        )
    lengths = successes.inner("output_len") or NOTHING
    if lengths.number("min") == 0:
        findings.warn("empty-outputs", "Some successful requests produced no token.", "output_len.min")
    median, mean = findings.value("itl_chunk_client", "median"), findings.value("itl_chunk_client", "mean")
    if median and mean and median * 10 < mean:
        findings.warn(
            "bursts",
            "Half of the gaps between chunks are less than a tenth of their mean: chunks arrive in bursts, so a gap is no "
            "latency of a token.",
            "inter_token_latency",
        )
