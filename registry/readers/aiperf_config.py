"""What an AIPerf summary says about its conditions: `input_config` in its two forms, and the GPUs telemetry saw.

Up to 0.8 the sections are endpoint, input and loadgen; from 0.10 on models, datasets and phases. `cli_command`, addresses,
folders and host names stand beside them and are never read.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from registry.readers.aiperf_workload import forced, limits, workload
from registry.readers.clock import instant
from registry.readers.conditions import Conditions
from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.numbers import plain
from registry.readers.perf_exports import Block, check_tokens
from registry.readers.text import kept, model_name

ARRIVALS = {"poisson": "poisson", "gamma": "gamma", "constant": "constant", "fixed_schedule": "trace"}
NOTHING = Fields({})


class Asked(NamedTuple):
    """The load that was asked for."""

    mode: str | None = None
    concurrency: int | None = None
    rate: Decimal | None = None
    arrival: str | None = None
    burstiness: Decimal | None = None
    requests: int | None = None
    warm_up: str | None = None
    excluded: bool | None = None


def stated(row: Fields, findings: Findings, blocks: dict[str, Block]) -> Conditions:
    config = row.inner("input_config") or NOTHING
    endpoint = config.inner("endpoint") or NOTHING
    name, revision, shortened = model_of(config, endpoint)
    if shortened:
        findings.warn("model-from-path", "The model is named by a folder, whose last part alone is kept.")
    asked = (
        phases(config, findings) if "phases" in config else load_generator(config.inner("loadgen") or NOTHING)
    )
    if asked.rate and asked.concurrency:
        findings.warn(
            "rate-and-cap",
            f"Requests arrive at {plain(asked.rate)} requests/s, but at most {asked.concurrency} are in flight: when the "
            "cap is reached, the load is no longer open.",
        )
    sent = workload(config, findings)
    given = config.inner("input") or NOTHING
    check_tokens(findings, sent.answer if forced(given) else None)
    tokenizer = config.inner("tokenizer") or NOTHING
    duration = blocks["benchmark_duration"].one() if "benchmark_duration" in blocks else None
    return Conditions(
        hardware=accelerators(row, findings),
        model=name,
        model_revision=revision,
        tokenizer=model_name(tokenizer.text("name") or "")[0],
        endpoint=endpoint.text("type"),
        streaming=endpoint.flag("streaming"),
        dataset=sent.dataset,
        requests=asked.requests,
        input_tokens_requested=sent.prompt,
        output_tokens_requested=sent.answer,
        input_tokens=findings.value("input_tokens", "mean"),
        output_tokens=findings.value("output_tokens", "mean"),
        length_distribution=sent.distribution,
        seed=(given if "random_seed" in given else row.inner("run_info") or NOTHING).count("random_seed"),
        latency_limits=limits(given.inner("goodput") or config.inner("slos")),
        load_mode=asked.mode,
        concurrency=asked.concurrency,
        request_rate=asked.rate,
        arrival=asked.arrival,
        burstiness=asked.burstiness,
        warm_up=asked.warm_up,
        warm_up_excluded=asked.excluded,
        started_at=started(blocks) or row.text("start_time"),
        duration=duration or None,
    )


def started(blocks: dict[str, Block]) -> str | None:
    """When the first request was sent, in UTC; `start_time` has no zone and was local time in older versions."""
    first = blocks["min_request_timestamp"].one() if "min_request_timestamp" in blocks else None
    return instant(first / 10**9) if first and blocks["min_request_timestamp"].unit == "ns" else None


def model_of(config: Fields, endpoint: Fields) -> tuple[str | None, str | None, bool]:
    listed = endpoint.items("model_names") or [
        Fields(item).raw("name") for item in (config.inner("models") or NOTHING).items("items")
    ]
    names = [item for item in listed if isinstance(item, str)]
    return model_name(names[0]) if len(names) == 1 else (kept(", ".join(names)) or None, None, False)


def load_generator(section: Fields) -> Asked:
    """The form up to 0.8: loadgen with concurrency or request_rate and an arrival pattern."""
    rate, in_flight = section.positive("request_rate"), section.some("concurrency")
    pattern = section.text("arrival_pattern") or section.text("request_rate_mode") or ""
    warm_up = section.some("warmup_request_count")
    return Asked(
        mode="open" if rate else "closed" if in_flight else None,
        concurrency=in_flight,
        rate=rate,
        arrival=ARRIVALS.get(pattern) if rate else None,
        requests=section.some("request_count"),
        warm_up=f"{warm_up} requests" if warm_up else None,
        excluded=True if warm_up else None,
    )


def phases(config: Fields, findings: Findings) -> Asked:
    """The form from 0.10 on: a list of phases, warm-up ones left out of the results."""
    raw = config.raw("phases")
    listed = list(raw.values()) if isinstance(raw, dict) else config.items("phases")
    found = [Fields(item, "input_config.phases") for item in listed]
    warm = [phase for phase in found if phase.flag("exclude_from_results")]
    measured = [phase for phase in found if not phase.flag("exclude_from_results")]
    warm_up = "; ".join(amounts(warm)) or None
    if len(measured) != 1:
        findings.warn(
            "several-phases",
            f"The figures pool {len(measured)} phases, so no one load can be stated for them.",
            "phases",
        )
        return Asked(warm_up=warm_up, excluded=True if warm else None)
    phase = measured[0]
    kind = phase.text("type") or ""
    rate = phase.positive("rate")
    return Asked(
        mode="open" if kind in ARRIVALS else "closed" if kind == "concurrency" else None,
        concurrency=phase.some("concurrency"),
        rate=rate if kind in ARRIVALS else None,
        arrival=ARRIVALS.get(kind),
        burstiness=phase.positive("smoothness") if kind == "gamma" else None,
        requests=phase.some("requests"),
        warm_up=warm_up or ("none" if found else None),
        excluded=True if warm else None,
    )


def amounts(found: list[Fields]) -> Iterator[str]:
    for phase in found:
        requests, seconds = phase.some("requests"), phase.positive("duration")
        yield f"{requests} requests" if requests else f"{plain(seconds)} s" if seconds else "not sized"


def accelerators(row: Fields, findings: Findings) -> str | None:
    """The kind of GPU that telemetry saw. It watches machines, so which GPUs the server used stays open."""
    endpoints = (row.inner("telemetry_data") or NOTHING).inner("endpoints") or NOTHING
    names: list[str] = []
    for address in endpoints:
        gpus = Fields(endpoints.raw(address), "telemetry_data.endpoints").inner("gpus") or NOTHING
        names += [name for gpu in gpus if (name := Fields(gpus.raw(gpu), "gpus").text("gpu_name"))]
    if not names:
        return None
    findings.warn(
        "telemetry-covers-machines",
        f"Telemetry watched {len(names)} GPU(s) on {len(list(endpoints))} address(es) ({', '.join(sorted(set(names)))}); how "
        "many the server used is not stated, and their power is not imported.",
        "telemetry_data",
    )
    return names[0] if len(set(names)) == 1 else None
