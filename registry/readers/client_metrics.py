"""Metrics a load client measures over the network.

Definitions are those of the tools' own source: vLLM `benchmarks/serve.py`, SGLang `bench_serving.py`, LLMPerf
`token_benchmark_ray.py`, genai-perf `llm_profile_data_parser.py`, AIPerf `metrics_reference.md`, GuideLLM
`request_stats.py`, InferenceX `process_result.py`. n is a request's output tokens, E2E its latency from sending it to
the last token, T the wall time of the whole run (prefill and tail included; failed requests add time and no tokens).
"""

from registry.readers.metric import Metric

VLLM, SGLANG, LLMPERF, GENAI, AIPERF = "vLLM", "SGLang", "LLMPerf", "genai-perf", "AIPerf"
GUIDELLM, INFERENCEX, INFERENCE_PERF = "GuideLLM", "InferenceX", "inference-perf"
STREAMING = (VLLM, SGLANG, LLMPERF, GENAI, AIPERF, GUIDELLM, INFERENCEX, INFERENCE_PERF)


def latency(key: str, name: str, formula: str, tools: tuple[str, ...], per: str, phase: str) -> Metric:
    return Metric(key, name, formula, "ms", "client", per, phase, tools)


def rate(
    key: str, name: str, formula: str, unit: str, tools: tuple[str, ...], divided: bool = False
) -> Metric:
    return Metric(key, name, formula, unit, "client", "run", "run", tools, divided)


LATENCIES = (
    latency("ttft_client", "Time to first token, client clock",
            "first streamed chunk - request sent", STREAMING, "request", "prefill"),
    latency("ttft_visible_client", "Time to first token that is no reasoning, client clock",
            "first streamed chunk with an answer token - request sent", (AIPERF,), "request", "prefill"),
    latency("ttst_client", "Time to second token, client clock",
            "second streamed chunk - first streamed chunk", (GENAI, AIPERF), "request", "decode"),
    latency("tpot_client", "Time per output token without the first, client clock",
            "(E2E - TTFT) / (n - 1)", (VLLM, SGLANG, GENAI, AIPERF, GUIDELLM, INFERENCEX, INFERENCE_PERF),
            "request", "decode"),
    latency("tpot_with_first_client", "Time per output token including the first, client clock",
            "E2E / n", (GUIDELLM, INFERENCE_PERF), "request", "request"),
    latency("tpot_decode_over_all_client", "Decode time over all output tokens, client clock",
            "(E2E - TTFT) / n", (GUIDELLM,), "request", "decode"),
    latency("tpot_by_token_client", "Time per output token without the first, weighted by tokens, client clock",
            "(E2E - TTFT) / (n - 1) of each request, counted once for each of its n - 1 tokens", (GUIDELLM,),
            "token", "decode"),
    latency("tpot_with_first_by_token_client",
            "Time per output token including the first, weighted by tokens, client clock",
            "(last token - request sent) / n of each request, counted once for each of its n tokens", (GUIDELLM,),
            "token", "request"),
    latency("time_per_chunk_client", "Time per streamed chunk without the first, client clock",
            "(E2E - TTFT) / (number of chunks - 1)", (INFERENCE_PERF,), "request", "decode"),
    latency("itl_chunk_client", "Inter-token latency as gap between chunks, client clock",
            "gap between two streamed chunks, first chunk left out; one chunk may hold several tokens",
            (VLLM, SGLANG, AIPERF, INFERENCEX, INFERENCE_PERF), "chunk", "decode"),
    latency("itl_with_first_client", "Inter-token latency including the first token, client clock",
            "(TTFT + sum of all gaps between chunks) / number of chunks", (LLMPERF,), "request", "request"),
    latency("e2e_client", "Request latency, client clock",
            "last token - request sent", STREAMING, "request", "request"),
)  # fmt: skip

PER_USER = (
    Metric("user_decode_throughput_client", "Output tokens per second and user while decoding, client clock",
           "1 / ((E2E - TTFT) / (n - 1))", "tokens/s", "client", "request", "decode", (GENAI, AIPERF)),
    Metric("interactivity_client", "Interactivity: the inverse of a statistic of TPOT, client clock",
           "1 / (this statistic of (E2E - TTFT) / (n - 1)); its p99 is the slow tail", "tokens/s", "client", "request",
           "decode", (INFERENCEX,)),
    Metric("user_prefill_throughput_client", "Input tokens of a request over its time to first token, client clock",
           "prompt tokens / TTFT", "tokens/s", "client", "request", "prefill", (AIPERF,)),
    Metric("output_tokens_without_reasoning", "Output tokens of a request without reasoning tokens",
           "generated tokens as the tool counts them, reasoning left out", "tokens", "client", "request", "request",
           (AIPERF,)),
    Metric("user_e2e_throughput_client", "Output tokens per second of a request, client clock",
           "n / E2E", "tokens/s", "client", "request", "request", (GENAI, LLMPERF, AIPERF)),
    Metric("input_tokens", "Input tokens of a request",
           "prompt tokens as the tool counts them", "tokens", "client", "request", "request", STREAMING),
    Metric("output_tokens", "Output tokens of a request",
           "generated tokens as the tool counts them", "tokens", "client", "request", "request", STREAMING),
)  # fmt: skip

RATES = (
    rate("request_throughput_client", "Completed requests per second", "successful requests / T",
         "requests/s", STREAMING),
    rate("output_throughput_client", "Output tokens per second", "generated tokens / T", "tokens/s", STREAMING),
    rate("input_throughput_client", "Input tokens per second", "prompt tokens / T", "tokens/s", STREAMING),
    rate("total_throughput_client", "Total tokens per second, input and output",
         "(prompt tokens + generated tokens) / T", "tokens/s", STREAMING),
    rate("goodput_client", "Requests per second within the latency limits",
         "successful requests that met every limit / T", "requests/s", (VLLM, GENAI, AIPERF)),
    rate("concurrency_achieved", "Requests in flight on average", "sum of E2E / T", "ratio", (SGLANG, GUIDELLM)),
    rate("output_throughput_per_accelerator_client", "Output tokens per second and accelerator",
         "generated tokens / T / accelerators", "tokens/s", (INFERENCEX,), True),
    rate("input_throughput_per_accelerator_client", "Input tokens per second and accelerator",
         "prompt tokens / T / accelerators", "tokens/s", (INFERENCEX,), True),
    rate("total_throughput_per_accelerator_client", "Total tokens per second and accelerator, input and output",
         "(prompt tokens + generated tokens) / T / accelerators", "tokens/s", (INFERENCEX,), True),
    rate("output_throughput_per_decode_accelerator_client", "Output tokens per second and decode accelerator",
         "generated tokens / T / accelerators that decode", "tokens/s", (INFERENCEX,), True),
    rate("input_throughput_per_prefill_accelerator_client", "Input tokens per second and prefill accelerator",
         "prompt tokens / T / accelerators that prefill", "tokens/s", (INFERENCEX,), True),
    rate("acceptance_length_client", "Tokens accepted per speculative step",
         "(drafts + accepted draft tokens) / drafts", "ratio", (VLLM, SGLANG)),
    rate("acceptance_rate_client", "Share of draft tokens accepted",
         "accepted draft tokens / draft tokens", "ratio", (VLLM,)),
)  # fmt: skip

METRICS = (*LATENCIES, *PER_USER, *RATES)
