"""How a load client offered its requests, and checks of what it measured against that.

The checks compare numbers of one file with each other. They find seconds labelled milliseconds, edited throughput and
streams whose chunks hold several tokens; they only warn, for a person knows more than the file.
"""

from decimal import Decimal
from typing import TypedDict

from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.numbers import INFINITE, plain

UNLIMITED = Decimal(1_000_000)  # requests/s: no client sends so many, so everything is sent at once
SHORTEST_TTFT = Decimal(1)  # ms over a network
SHORTEST_TPOT = Decimal("0.1")  # ms, 10 000 tokens/s for one user
CHUNKED = Decimal("1.5")  # pooled gaps this much longer than TPOT mean several tokens a chunk
NOMINAL = Decimal("0.05")  # actual lengths may differ from asked ones by this share


class Load(TypedDict):
    """The facts of `Conditions` that say how the load was made."""

    load_mode: str | None
    concurrency: int | None
    request_rate: Decimal | None
    arrival: str | None
    burstiness: Decimal | None


def offered(row: Fields, findings: Findings) -> Load:
    """The load of a vLLM-like client, from request_rate, max_concurrency and burstiness.

    An infinite rate with a cap is a closed loop; without a cap, everything is sent at once. A cap that the file does
    not even mention leaves the mode open. Gaps follow a gamma distribution of the given shape; 1 is Poisson.
    """
    cap = row.some("max_concurrency")
    rate, unlimited = asked_rate(row)
    if ramp := row.text("ramp_up_strategy"):
        findings.warn(
            "ramp-up",
            f"The rate grows during the run ({ramp}): there is no one request rate.",
            "ramp_up_strategy",
        )
        for key in ("ramp_up_start_rps", "ramp_up_end_rps"):
            row.raw(key)
        return Load(load_mode="open", concurrency=cap, request_rate=None, arrival=None, burstiness=None)
    burstiness = row.positive("burstiness")
    load = Load(load_mode=None, concurrency=cap, request_rate=None, arrival=None, burstiness=None)
    if rate is not None:
        load["load_mode"], load["request_rate"], load["burstiness"] = "open", rate, burstiness
        if burstiness is not None:
            load["arrival"] = "poisson" if burstiness == 1 else "gamma"
        if cap is not None:
            findings.warn(
                "rate-and-cap",
                f"Requests arrive at {plain(rate)} requests/s, but at most {cap} are in flight: "
                "when the cap is reached, the load is no longer open.",
                "max_concurrency",
            )
    elif unlimited and cap is not None:
        load["load_mode"] = "closed"
    elif unlimited and "max_concurrency" in row:
        load["load_mode"] = load["arrival"] = "all at once"
    return load


def asked_rate(row: Fields) -> tuple[Decimal | None, bool]:
    """The finite rate asked for, in requests/s, and whether the file says that there was none (inf, 1e9)."""
    raw = row.raw("request_rate")
    if raw is INFINITE or (isinstance(raw, str) and raw.strip().lower() in ("inf", "infinity")):
        return None, True
    if isinstance(raw, str) and raw.strip().lower() == "trace":
        return None, False
    rate = row.positive("request_rate")
    if rate is not None and rate >= UNLIMITED:
        return None, True
    return rate, False


def check_rate(findings: Findings, asked: Decimal | None, achieved: Decimal | None) -> None:
    """An open load that was not kept up with: the queue grew, and latencies measure the queue."""
    if asked and achieved and achieved < asked * Decimal("0.9"):
        share = achieved / asked * 100
        sentence = (
            f"{plain(asked)} requests/s were asked for and {share:.0f} % of them completed per second: "
        )
        if share < 75:
            findings.warn(
                "overloaded", sentence + "the queue grew, so latencies include waiting.", "request_rate"
            )
        else:
            findings.note("rate-not-reached", sentence + "the run's tail or a queue.", "request_rate")


def check_chunks(findings: Findings, gap: str = "itl_chunk_client", tpot: str = "tpot_client") -> None:
    """Chunks with several tokens make the gap between chunks longer than the time per token."""
    between = findings.value(gap, "mean") or findings.value(gap, "median")
    per_token = findings.value(tpot, "mean") or findings.value(tpot, "median")
    if between and per_token and between > CHUNKED * per_token:
        findings.warn(
            "chunked-stream",
            f"The gap between chunks is {between / per_token:.3g} times the time per output token: "
            "a chunk holds several tokens, so the gap is no latency of a token.",
            gap,
        )


def check_throughput(
    findings: Findings, metric: str, amount: Decimal | int | None, duration: Decimal | None
) -> None:
    """A rate that is not amount / duration was edited, or one of the three is in another unit."""
    stated = findings.value(metric)
    if not stated or not amount or not duration:
        return
    computed = amount / duration
    if abs(stated - computed) > computed * Decimal("0.02"):
        name = next(each.field for each in findings.figures if each.metric == metric)
        findings.warn(
            "throughput-inconsistent",
            f"{name} is {plain(stated)}, but amount over duration gives {computed:.6g}: one of them is wrong.",
            name,
        )


def check_time_scale(
    findings: Findings, ok: int | None, duration: Decimal | None, output_tokens: Decimal | None, load: Load
) -> None:
    """Little's law: requests × mean latency / duration are in flight, which a closed load fixes."""
    latency = findings.value("e2e_client", "mean")
    ttft, tpot = findings.value("ttft_client", "mean"), findings.value("tpot_client", "mean")
    if (ttft and ttft < SHORTEST_TTFT) or (tpot and tpot < SHORTEST_TPOT):
        findings.warn(
            "seconds-labelled-ms",
            "A first token within 1 ms or a token each 0.1 ms is faster than any server: the latencies seem to be seconds.",
        )
        return
    if latency is None and ttft and tpot and output_tokens:
        latency = ttft + tpot * (output_tokens - 1)
    if not latency or not ok or not duration:
        return
    seconds = latency / 1000
    cap = load["concurrency"] if load["load_mode"] == "closed" else None
    in_flight = ok * seconds / duration
    if cap and ok >= cap and in_flight < cap * Decimal("0.01"):
        findings.warn(
            "seconds-labelled-ms",
            f"With {cap} requests in flight the mean latency cannot be {latency:.6g} ms in a run of {duration:.6g} s: "
            "the latencies seem to be seconds.",
        )
    elif seconds > duration * Decimal("1.05") or (cap and in_flight > cap * Decimal("1.3")):
        findings.warn(
            "latency-exceeds-run",
            f"A mean latency of {seconds:.6g} s does not fit into a run of {duration:.6g} s with its concurrency: "
            "latency or duration is in another unit.",
            "duration",
        )


def check_in_flight(
    findings: Findings, ok: int | None, duration: Decimal | None, stated: Decimal | None
) -> None:
    """A stated mean of requests in flight is the sum of latencies over the duration (Little's law)."""
    latency = findings.value("e2e_client", "mean")
    if not latency or not ok or not duration or not stated:
        return
    computed = ok * latency / 1000 / duration
    if abs(computed - stated) > stated * Decimal("0.05"):
        findings.warn(
            "concurrency-inconsistent",
            f"{plain(stated)} requests are said to be in flight on average, but latency, count and duration give "
            f"{computed:.6g}: one of them is in another unit.",
            "concurrency",
        )


def check_parts(findings: Findings, metrics: tuple[str, str, str], output_tokens: Decimal | None) -> None:
    """A request is its first token and n - 1 further ones; means of unequal lengths differ, but not fivefold."""
    first, each, whole = (findings.value(metric, "mean") for metric in metrics)
    if not first or not whole:
        return
    parts = first + (each or Decimal(0)) * ((output_tokens or Decimal(1)) - 1)
    unequal = whole < parts / 5 or (each and output_tokens and whole > parts * 5)
    if whole < first or unequal:
        findings.warn(
            "parts-inconsistent",
            f"A mean request latency of {whole:.6g} ms does not fit a first token after {first:.6g} ms"
            + (f" and {each:.6g} ms for each further one" if each else "")
            + ": one of them is in another unit.",
            metrics[2],
        )


def check_lengths(findings: Findings, kind: str, asked: Decimal | None, actual: Decimal | None) -> None:
    """Asked lengths are not what was processed: figures belong to the actual ones."""
    if asked and actual and abs(asked - actual) > asked * NOMINAL:
        findings.warn(
            "nominal-lengths",
            f"{plain(asked)} {kind} tokens were asked for and {actual:.6g} were processed on average: "
            "compare by the actual length.",
        )


def mean(total: int | None, count: int | None) -> Decimal | None:
    """Tokens per request."""
    return Decimal(total) / count if total and count else None
