"""Which definition a GuideLLM figure has: two of its keys changed their meaning between versions.

`time_per_output_token_ms` was (E2E - TTFT) / n in 0.2 and 0.3 and is E2E / n in newer versions; both latencies a token were
one value a request and are now counted once a token. The version at which this changed is not known, so the numbers of
the file decide: what fits none of the definitions is left out.
"""

from dataclasses import dataclass, field
from decimal import Decimal

from registry.readers.findings import Findings
from registry.readers.numbers import plain
from registry.readers.run import Counts

# The file's name → (metric, unit), for values of each request.
SPREADS = {
    "request_latency": ("e2e_client", "s"),
    "time_to_first_token_ms": ("ttft_client", "ms"),
    "prompt_token_count": ("input_tokens", "tokens"),
    "output_token_count": ("output_tokens", "tokens"),
}
# The file's name → metric, for rates over the run, of which the mean alone is total over time.
RATES = {
    "requests_per_second": "request_throughput_client",
    "request_concurrency": "concurrency_achieved",
    "prompt_tokens_per_second": "input_throughput_client",
    "output_tokens_per_second": "output_throughput_client",
    "tokens_per_second": "total_throughput_client",
}
CLOSE = Decimal("0.02")  # a definition fits within this share
APART = Decimal(3)  # and the other one is this much further off


@dataclass(frozen=True)
class Distribution:
    """Statistic → (the file's field, value); over how many values; their sum."""

    statistics: dict[str, tuple[str, Decimal | None]] = field(default_factory=dict)
    count: int | None = None
    total: Decimal | None = None

    def mean(self) -> Decimal | None:
        return self.statistics.get("mean", ("", None))[1]


def time_per_token(found: dict[str, Distribution], counts: Counts, findings: Findings, old: bool) -> None:
    """`inter_token_latency_ms` and `time_per_output_token_ms`, each under the definition its numbers show."""
    tokens = findings.value("output_tokens", "mean")
    ok = counts.ok or (found["output_token_count"].count if "output_token_count" in found else None)
    if itl := found.get("inter_token_latency_ms"):
        by_token = weighted(itl, ok, tokens)
        findings.spread(
            "tpot_by_token_client" if by_token else "tpot_client", "ms", itl.statistics, n=itl.count
        )
        if itl.mean():
            findings.note(
                "itl-is-tpot",
                "The tool's “inter token latency” is (E2E - TTFT) / (n - 1) of a request"
                + (", counted once for each of its tokens" if by_token else "")
                + ": other tools call this TPOT.",
                "inter_token_latency_ms",
            )
    if tpot := found.get("time_per_output_token_ms"):
        metric = definition(found, tpot, tokens, old)
        if metric is None:
            findings.warn(
                "definition-unknown",
                "time_per_output_token_ms has had two definitions, with and without the time to the first token; these "
                "numbers fit neither alone, so it is left out.",
                "time_per_output_token_ms",
            )
            return
        if metric == "tpot_with_first_client" and weighted(tpot, ok, tokens):
            metric = "tpot_with_first_by_token_client"
        findings.spread(metric, "ms", tpot.statistics, n=tpot.count)
        first = "includes" if "first" in metric else "leaves out"
        findings.note(
            "tpot-definition",
            f"time_per_output_token_ms {first} the time to the first token and divides by all tokens: shown by the "
            "file's own numbers.",
            "time_per_output_token_ms",
        )


def weighted(distribution: Distribution, ok: int | None, tokens: Decimal | None) -> bool:
    """Whether a distribution counts each request once for each of its tokens: then it has many more values than requests."""
    return bool(
        distribution.count and ok and tokens and tokens > 2 and distribution.count > ok * (1 + tokens) / 2
    )


def definition(
    found: dict[str, Distribution], tpot: Distribution, tokens: Decimal | None, old: bool
) -> str | None:
    """The metric whose formula gives the stated mean from the other means."""
    first, between = (
        found.get(name, Distribution()).mean()
        for name in ("time_to_first_token_ms", "inter_token_latency_ms")
    )
    stated = tpot.mean()
    if not stated or not tokens or first is None or not between:
        return None
    without = between * (tokens - 1) / tokens
    off_with = abs(stated - (first / tokens + without)) / stated
    off_without = abs(stated - without) / stated
    if off_with < CLOSE and off_without > APART * off_with:
        return "tpot_with_first_client"
    if off_without < CLOSE and off_with > APART * off_without:
        return "tpot_decode_over_all_client"
    return "tpot_decode_over_all_client" if old and off_without < CLOSE else None


def check_total(findings: Findings) -> None:
    """Old versions write a total rate that is not requests × tokens; such a rate is left out."""
    total, requests = findings.value("total_throughput_client"), findings.value("request_throughput_client")
    prompt, output = findings.value("input_tokens", "mean"), findings.value("output_tokens", "mean")
    if not total or not requests or not prompt or not output:
        return
    expected = requests * (prompt + output)
    if abs(total - expected) > expected * Decimal("0.2"):
        findings.figures[:] = [each for each in findings.figures if each.metric != "total_throughput_client"]
        findings.warn(
            "total-rate-left-out",
            f"tokens_per_second is {plain(total)}, but {requests:.6g} requests/s of {prompt + output:.6g} tokens make "
            f"{expected:.6g}: it is no total over time and is left out.",
            "tokens_per_second",
        )
