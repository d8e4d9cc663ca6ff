"""Metrics measured inside the process that runs the engine: no server, no network, no queue of a client.

Definitions are those of vLLM `benchmarks/latency.py` and `throughput.py`, TensorRT-LLM `bench/dataclasses/reporting.py`,
llama.cpp `tools/llama-bench`, optimum-benchmark `scenarios/inference`. n is a request's output tokens, T the wall time.
"""

from registry.readers.metric import Metric

VLLM, TRTLLM, LLAMA, OPTIMUM = ("vLLM",), ("TensorRT-LLM",), ("llama-bench",), ("optimum-benchmark",)


def engine(
    key: str,
    name: str,
    formula: str,
    unit: str,
    per: str,
    phase: str,
    tools: tuple[str, ...],
    divided: bool = False,
) -> Metric:
    return Metric(key, name, formula, unit, "engine", per, phase, tools, divided)


METRICS = (
    engine("batch_latency_engine", "Latency of one batch from prompt to last token, in process",
           "end - start of one batch; the batch size belongs to the figure", "ms", "batch", "request", VLLM),
    engine("request_throughput_engine", "Completed requests per second, in process",
           "requests / T", "requests/s", "run", "run", (*VLLM, *TRTLLM)),
    engine("total_throughput_engine", "Total tokens per second, input and output, in process",
           "(prompt tokens + generated tokens) / T", "tokens/s", "run", "run", (*VLLM, *TRTLLM)),
    engine("output_throughput_engine", "Output tokens per second, in process",
           "generated tokens / T", "tokens/s", "run", "run", (*VLLM, *TRTLLM)),
    engine("output_throughput_per_accelerator_engine", "Output tokens per second and accelerator, in process",
           "generated tokens / T / world size", "tokens/s", "run", "run", TRTLLM, True),
    engine("total_latency_engine", "Wall time of the run, in process", "last token - first request", "ms", "run",
           "run", TRTLLM),
    engine("e2e_engine", "Request latency with queueing, in process",
           "last token - request queued", "ms", "request", "request", TRTLLM),
    engine("ttft_engine", "Time to first token with queueing, in process",
           "first token - request queued", "ms", "request", "prefill", TRTLLM),
    engine("tpot_engine", "Time per output token without the first, in process",
           "(E2E - TTFT) / (n - 1)", "ms", "request", "decode", TRTLLM),
    engine("user_decode_throughput_engine", "Output tokens per second and request while decoding, in process",
           "1 / ((E2E - TTFT) / (n - 1))", "tokens/s", "request", "decode", TRTLLM),
    engine("user_e2e_throughput_engine", "Output tokens per second of a request, in process",
           "n / E2E", "tokens/s", "request", "request", TRTLLM),
    engine("draft_acceptance_rate_engine", "Share of draft tokens accepted", "accepted draft tokens / draft tokens",
           "ratio", "request", "decode", TRTLLM),
    engine("acceptance_length_engine", "Tokens accepted per iteration", "generated tokens / decoding iterations",
           "ratio", "request", "decode", TRTLLM),
    engine("prompt_processing_llama", "Prompt processing speed (pp)",
           "n_prompt / time, single stream, no sampling of a server", "tokens/s", "batch", "prefill", LLAMA),
    engine("token_generation_llama", "Token generation speed (tg)",
           "n_gen / time, single stream", "tokens/s", "batch", "decode", LLAMA),
    engine("prompt_and_generation_llama", "Prompt and generation together (pp+tg)",
           "(n_prompt + n_gen) / time, a total and no output speed", "tokens/s", "batch", "request", LLAMA),
    engine("load_latency_optimum", "Loading of the model", "end - start of loading", "s", "batch", "run", OPTIMUM),
    engine("prefill_latency_optimum", "Prefill of one batch, in process",
           "end - start of the forward pass that yields the first token", "ms", "batch", "prefill", OPTIMUM),
    engine("decode_latency_optimum", "Decoding of one batch after its first token, in process",
           "end - start of all decoding steps but the first", "ms", "batch", "decode", OPTIMUM),
    engine("per_token_latency_optimum", "One decoding step of one batch, in process",
           "end - start of one decoding step", "ms", "token", "decode", OPTIMUM),
    engine("forward_latency_optimum", "One forward pass of one batch, in process",
           "end - start of the forward pass", "ms", "batch", "request", OPTIMUM),
    engine("call_latency_optimum", "One pipeline call of one batch, in process",
           "end - start of the call", "ms", "batch", "request", OPTIMUM),
    engine("prefill_throughput_optimum", "Samples prefilled per second, in process",
           "batch size / mean prefill latency", "samples/s", "batch", "prefill", OPTIMUM),
    engine("decode_throughput_optimum", "Output tokens per second while decoding, in process",
           "batch size × (new tokens - 1) / mean decode latency", "tokens/s", "batch", "decode", OPTIMUM),
    engine("forward_throughput_optimum", "Samples per second of the forward pass, in process",
           "batch size / mean forward latency", "samples/s", "batch", "request", OPTIMUM),
    engine("prefill_energy_optimum", "Energy of one prefill", "CPU + RAM + GPU energy as the tool estimates it", "J",
           "batch", "prefill", OPTIMUM),
    engine("decode_energy_optimum", "Energy of one decoding", "CPU + RAM + GPU energy as the tool estimates it", "J",
           "batch", "decode", OPTIMUM),
    engine("decode_efficiency_optimum", "Output tokens per joule while decoding",
           "generated tokens / energy as the tool estimates it", "tokens/J", "batch", "decode", OPTIMUM),
    engine("peak_memory_optimum", "Peak device memory of the process", "largest allocation seen while decoding", "MB",
           "run", "run", OPTIMUM),
)  # fmt: skip
