"""InferenceX's experimental client (`experimental/`): like vLLM's file, but latencies in seconds without a suffix.

Its folder says that it holds no official results. Little's law shows the unit: requests × latency / duration are in flight.
"""

from decimal import Decimal

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.load import check_throughput, mean, offered
from registry.readers.metric import percentile
from registry.readers.run import Counts, Run
from registry.readers.text import model_name

LATENCIES = {"ttft": "ttft_client", "tpot": "tpot_client", "itl": "itl_chunk_client", "e2el": "e2e_client"}
WORDS = ("mean", "median", "std", "min", "max")


def is_run(row: dict[str, object]) -> bool:
    return {"median_ttft", "num_prompts", "duration", "completed"} <= row.keys() and "hw" not in row


def read_run(row: Fields) -> Run:
    findings = Findings()
    attempted, ok = row.some("num_prompts"), row.count("completed")
    counts = Counts(
        attempted,
        ok,
        attempted - ok if attempted is not None and ok is not None and ok <= attempted else None,
    )
    load = offered(row, findings)
    duration = row.positive("duration")
    unit = unit_of(row, ok, duration, load["concurrency"])
    if unit is None:
        findings.warn(
            "unit-not-shown",
            "Latencies have no unit, and the run's numbers do not show it: they are left out.",
        )
    elif ok:
        latencies(row, unit, findings)
        findings.note(
            "seconds-without-suffix",
            f"Latencies have no unit; requests × latency / duration shows that they are in {unit}.",
        )
    prompt, output = row.count("total_input_tokens"), row.count("total_output_tokens")
    for metric, key, amount in (
        ("request_throughput_client", "request_throughput", ok),
        ("input_throughput_client", "input_throughput", prompt),
        ("output_throughput_client", "output_throughput", output),
        ("total_throughput_client", "total_token_throughput", (prompt or 0) + (output or 0)),
    ):
        if ok:
            findings.rate(metric, key, row.number(key))
            check_throughput(findings, metric, amount, duration)
    findings.warn(
        "experimental", "The client is experimental, and its folder says its results are not official."
    )
    name, revision, _ = model_name(row.text("model_id") or "")
    conditions = Conditions(
        model=name,
        model_revision=revision,
        tokenizer=model_name(row.text("tokenizer_id") or "")[0],
        requests=attempted,
        input_tokens=mean(prompt, ok),
        output_tokens=mean(output, ok),
        duration=duration,
        **load,
    )
    refused = f"None of {attempted or 'the'} requests succeeded: nothing was measured." if ok == 0 else ""
    return Run(
        label=f"{name or 'model not stated'}, {conditions.concurrency or 'no cap of'} in flight",
        conditions=conditions,
        counts=counts,
        figures=() if refused else tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused=refused,
    )


def unit_of(row: Fields, ok: int | None, duration: Decimal | None, cap: int | None) -> str | None:
    """Seconds or milliseconds, whichever puts about the cap of requests in flight."""
    latency = row.positive("mean_e2el") or row.positive("median_e2el")
    if not latency or not ok or not duration or not cap:
        return None
    in_flight = ok * latency / duration / min(cap, ok)
    for unit, scale in (("s", 1), ("ms", 1000)):
        if Decimal("0.2") < in_flight / scale < Decimal("1.5"):
            return unit
    return None


def latencies(row: Fields, unit: str, findings: Findings) -> None:
    groups: dict[str, dict[str, tuple[str, Decimal | None]]] = {}
    for key in row:
        word, _, name = key.partition("_")
        statistic = word if word in WORDS else percentile(word) if word.startswith("p") else None
        if statistic and name in LATENCIES:
            groups.setdefault(LATENCIES[name], {}).setdefault(statistic, (key, row.number(key)))
    for metric, group in groups.items():
        findings.spread(metric, unit, group)
