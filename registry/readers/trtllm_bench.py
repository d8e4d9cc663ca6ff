"""TensorRT-LLM `trtllm-bench --report_json`: one report, measured inside the process that runs the engine.

Definitions: tensorrt_llm/bench/dataclasses/reporting.py and statistics.py. Requests are queued as fast as the tool can,
so latencies hold queueing; percentiles take the element at int(n × p) of the sorted values.
"""

from decimal import Decimal

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, left_over, rows, runs_of
from registry.readers.load import check_parts, check_throughput
from registry.readers.metric import percentile
from registry.readers.numbers import plain
from registry.readers.run import Counts, Report, Run
from registry.readers.text import model_name

TOOL = "trtllm-bench"
FORMATS = "the report JSON with engine, world_info and performance"
NEEDS = (*NEEDED, "concurrency")
STATISTICS = {"minimum": "min", "maximum": "max", "average": "mean"}
SPREADS = (
    # block, key inside, metric, the file's unit
    ("performance", "request_latency_percentiles_ms", "e2e_engine", "ms"),
    ("streaming_metrics", "ttft_percentiles", "ttft_engine", "ms"),
    ("streaming_metrics", "tpot_percentiles", "tpot_engine", "ms"),
    ("streaming_metrics", "gen_tps_percentiles", "user_decode_throughput_engine", "tokens/s"),
    ("decoding_stats", "draft_acceptance_rate_percentiles", "draft_acceptance_rate_engine", "ratio"),
    ("decoding_stats", "acceptance_length_percentiles", "acceptance_length_engine", "ratio"),
)
AVERAGES = (
    # what older reports give instead of a percentiles block's average
    ("performance", "avg_request_latency_ms", "e2e_engine", "ms"),
    ("streaming_metrics", "avg_ttft_ms", "ttft_engine", "ms"),
    ("streaming_metrics", "avg_tpot_ms", "tpot_engine", "ms"),
)


def is_run(row: dict[str, object]) -> bool:
    return all(isinstance(row.get(key), dict) for key in ("engine", "world_info", "performance"))


def recognises(documents: Documents) -> bool:
    return any(is_run(row) for row in rows(documents))


def read_runs(documents: Documents) -> Report:
    found = runs_of(documents, is_run)
    runs = tuple(read_run(row) for row in found)
    versions = {run.conditions.runtime_version for run in runs}
    kind = "with machine block" if "machine" in found[0] else "without machine block"
    return Report(
        TOOL,
        versions.pop() if len(versions) == 1 else None,
        f"report JSON {kind}",
        runs,
        left_over(documents, len(found)),
    )


def read_run(report: Fields) -> Run:
    findings = Findings()
    requests = block(report, "request_info").some("num_requests")
    measured(report, findings, requests)
    conditions = stated(report, findings, requests)
    check_parts(findings, ("ttft_engine", "tpot_engine", "e2e_engine"), conditions.output_tokens)
    if requests and requests < 100:
        findings.note(
            "percentile-is-maximum",
            f"Percentiles are picked by index: with {requests} requests p99 is the maximum.",
            "request_latency_percentiles_ms",
        )
    queueing(findings, conditions.concurrency_achieved)
    return Run(
        label=f"{conditions.model or 'model not stated'}, {requests or 'unknown'} requests",
        conditions=conditions,
        counts=Counts(attempted=requests),
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDS),
        quirks=tuple(findings.quirks),
        refused="" if findings.figures else "The report holds no figure above 0: nothing was measured.",
    )


def queueing(findings: Findings, in_flight: Decimal | None) -> None:
    """The report says how many requests were in flight on average, and not under which cap."""
    if in_flight and in_flight < Decimal("1.05"):
        findings.note("one-in-flight", "One request was in flight at a time, by the average.", "request_info")
        return
    findings.warn(
        "queueing",
        "All requests are queued as fast as the tool can, under a cap the file does not state"
        + (f" ({in_flight:.6g} were in flight on average)" if in_flight else "")
        + ": latencies include waiting.",
        "issue_rate",
    )


def block(report: Fields, key: str) -> Fields:
    return report.inner(key) or Fields({}, key)


def measured(report: Fields, findings: Findings, requests: int | None) -> None:
    for name, key, metric, unit in SPREADS:
        inner = block(report, name).inner(key)
        found: dict[str, tuple[str, Decimal | None]] = {}
        for word in inner or ():
            if statistic := STATISTICS.get(word) or percentile(word):
                found[statistic] = (f"{key}.{word}", (inner or Fields({})).number(word))
        if "mean" not in found:
            average = next((each for each in AVERAGES if each[2] == metric), None)
            if average:
                found["mean"] = (average[1], block(report, average[0]).number(average[1]))
        findings.spread(metric, unit, found, n=requests)
    rates(report, findings, requests)


def rates(report: Fields, findings: Findings, requests: int | None) -> None:
    performance, world = block(report, "performance"), block(report, "world_info").some("world_size")
    total = performance.positive("total_latency_ms")
    findings.rate("total_latency_engine", "total_latency_ms", total)
    findings.rate(
        "request_throughput_engine",
        "request_throughput_req_s",
        performance.number("request_throughput_req_s"),
    )
    check_throughput(findings, "request_throughput_engine", requests, total / 1000 if total else None)
    for metric, key in (
        ("output_throughput_engine", "system_output_throughput_tok_s"),
        ("total_throughput_engine", "system_total_throughput_tok_s"),
    ):
        findings.rate(metric, key, performance.number(key))
    per_user = performance.number("output_throughput_per_user_tok_s")
    if per_user:
        findings.spread(
            "user_e2e_throughput_engine",
            "tokens/s",
            {"mean": ("output_throughput_per_user_tok_s", per_user)},
            requests,
        )
    key = "output_throughput_per_gpu_tok_s"
    findings.rate("output_throughput_per_accelerator_engine", key, performance.number(key), divisor=world)
    findings.note(
        "per-accelerator", f"{key} is divided by the world size{f', {world}' if world else ''}.", key
    )


def stated(report: Fields, findings: Findings, requests: int | None) -> Conditions:
    engine, world, asked = block(report, "engine"), block(report, "world_info"), block(report, "request_info")
    name, revision, shortened = model_name(engine.text("model") or "")
    if shortened:
        findings.warn(
            "model-from-path",
            "The model is named by a folder, whose last part alone is kept.",
            "engine.model",
        )
    quantization = engine.text("quantization")
    decoding = block(report, "decoding_stats").text("mode")
    return Conditions(
        hardware=block(report, "machine").text("name"),
        accelerators=world.some("world_size"),
        model=name,
        model_revision=engine.text("revision") or revision,
        precision=quantization or engine.text("dtype"),
        kv_cache_precision=engine.text("kv_cache_dtype"),
        quantization=quantization,
        runtime="TensorRT-LLM",
        runtime_version=engine.text("version"),
        backend=engine.text("backend"),
        tensor_parallel=world.some("tp_size"),
        pipeline_parallel=world.some("pp_size"),
        expert_parallel=world.some("ep_size"),
        speculative=decoding or ("speculative decoding" if "decoding_stats" in report else None),
        max_batch_size=world.some("max_batch_size"),
        max_batch_tokens=world.some("max_num_tokens"),
        flags=flags(world),
        requests=requests,
        input_tokens=asked.positive("avg_input_length"),
        output_tokens=asked.positive("avg_output_length"),
        concurrency_achieved=asked.positive("avg_num_concurrent_requests"),
        streaming="streaming_metrics" in report,
        duration=seconds(block(report, "performance").positive("total_latency_ms")),
    )


def flags(world: Fields) -> str | None:
    """Scheduling policy and KV cache share, which 0.20 writes as 95.0 and 1.2 as 0.9: here always a fraction."""
    found = []
    if policy := world.text("scheduling_policy"):
        found.append(f"scheduling_policy={policy}")
    if share := world.positive("kv_cache_percentage"):
        fraction = share / 100 if share > 1 else share
        found.append(f"kv_cache_free_gpu_mem_fraction={plain(fraction.normalize())}")
    return " ".join(found) or None


def seconds(milliseconds: Decimal | None) -> Decimal | None:
    return milliseconds / 1000 if milliseconds else None
