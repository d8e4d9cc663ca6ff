"""Metrics MLPerf LoadGen measures beside the system under test (loadgen/logging.cc, results.cc, inference_rules.adoc).

LoadGen issues samples in process or over the submitter's network layer and stamps their completion. Tokens are output
tokens. n is a sample's output tokens.
"""

from registry.readers.metric import Metric

MLPERF = ("MLPerf LoadGen",)


def loadgen(key: str, name: str, formula: str, unit: str, per: str, phase: str) -> Metric:
    return Metric(key, name, formula, unit, "load generator", per, phase, MLPERF)


METRICS = (
    loadgen("offline_samples_loadgen", "Samples per second, Offline",
            "samples / time, all samples issued at once", "samples/s", "run", "run"),
    loadgen("offline_tokens_loadgen", "Output tokens per second, Offline",
            "output tokens / time, all samples issued at once", "tokens/s", "run", "run"),
    loadgen("server_samples_loadgen", "Completed samples per second, Server or Interactive",
            "samples completed within the run / time, Poisson arrivals, latency limits met", "samples/s", "run", "run"),
    loadgen("server_tokens_loadgen", "Completed output tokens per second, Server or Interactive",
            "output tokens completed within the run / time, Poisson arrivals, latency limits met", "tokens/s", "run",
            "run"),
    loadgen("server_queries_loadgen", "Scheduled queries per second, Server, before round 4.0",
            "rate of Poisson arrivals at which the latency limit is met", "queries/s", "run", "run"),
    loadgen("scheduled_samples_loadgen", "Scheduled samples per second, Server or Interactive",
            "samples scheduled / time: the load offered, not the load served", "samples/s", "run", "run"),
    loadgen("stream_latency_loadgen", "Latency of a query, SingleStream or MultiStream",
            "query completed - query issued, one query at a time", "ms", "request", "request"),
    loadgen("stream_latency_estimate_loadgen", "Early-stopping estimate of the latency of a query, SingleStream or MultiStream",
            "upper bound of the percentile by the rules of early stopping, not the percentile itself", "ms", "request",
            "request"),
    loadgen("e2e_loadgen", "Latency of a sample, Server or Interactive",
            "sample completed - sample scheduled", "ms", "request", "request"),
    loadgen("ttft_loadgen", "First token latency, Server or Interactive",
            "first token reported - sample scheduled", "ms", "request", "prefill"),
    loadgen("tpot_loadgen", "Time per output token without the first, Server or Interactive",
            "(E2E - TTFT) / (n - 1)", "ms", "request", "decode"),
)  # fmt: skip
