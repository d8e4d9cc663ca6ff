"""Small results of each tool, made up so that every figure follows from the others by arithmetic a person can do.

A serving run: 4 requests of 100 prompt and 20 output tokens in 8 s, one in flight. TTFT 100 ms, TPOT 100 ms, so a
request takes 100 + 19 × 100 = 2000 ms, and 4 × 2 s / 8 s = 1 is in flight. 4 / 8 = 0.5 requests/s, 80 / 8 = 10 output
tokens/s, 480 / 8 = 60 tokens/s in total.
"""

import json
from collections.abc import Mapping
from typing import Any

from registry.readers import read
from registry.readers.run import Report, Run


def report(content: object) -> Report:
    """What the readers say of this JSON (or text, or bytes)."""
    if isinstance(content, bytes):
        return read(content)
    return read((content if isinstance(content, str) else json.dumps(content)).encode())


def run(content: object) -> Run:
    """The only run of this content."""
    (only,) = report(content).runs
    return only


def codes(found: Run) -> set[str]:
    return {quirk.code for quirk in found.quirks}


def figures(found: Run) -> dict[tuple[str, str], str]:
    """(metric, statistic) → value and unit as a person would write them."""
    return {(f.metric, f.statistic): f"{f.value.normalize():f} {f.unit}" for f in found.figures}


def without(row: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in keys}


VLLM: dict[str, Any] = {
    "date": "20260102-030405",
    "endpoint_type": "openai",
    "backend": "openai",
    "label": None,
    "model_id": "acme/Tiny-1B",
    "tokenizer_id": "acme/Tiny-1B",
    "num_prompts": 4,
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 1,
    "duration": 8.0,
    "completed": 4,
    "failed": 0,
    "total_input_tokens": 400,
    "total_output_tokens": 80,
    "request_throughput": 0.5,
    "request_goodput": None,
    "output_throughput": 10.0,
    "total_token_throughput": 60.0,
    "mean_ttft_ms": 100.0,
    "median_ttft_ms": 90.0,
    "std_ttft_ms": 20.0,
    "p99_ttft_ms": 140.0,
    "mean_tpot_ms": 100.0,
    "median_tpot_ms": 99.0,
    "std_tpot_ms": 5.0,
    "p99_tpot_ms": 110.0,
    "mean_itl_ms": 101.0,
    "median_itl_ms": 98.0,
    "std_itl_ms": 9.0,
    "p99_itl_ms": 150.0,
    "mean_e2el_ms": 2000.0,
    "median_e2el_ms": 1990.0,
    "std_e2el_ms": 30.0,
    "p99_e2el_ms": 2100.0,
}

SGLANG: dict[str, Any] = {
    "tag": "someone's note",
    "backend": "sglang",
    "dataset_name": "random",
    "request_rate": float("inf"),
    "max_concurrency": 1,
    "random_input_len": 100,
    "random_output_len": 20,
    "random_range_ratio": 1.0,
    "server_info": {
        "model_path": "acme/Tiny-1B",
        "revision": None,
        "dtype": "bfloat16",
        "quantization": "fp8",
        "kv_cache_dtype": "auto",
        "tp_size": 4,
        "pp_size": 1,
        "dp_size": 2,
        "nnodes": 1,
        "enable_dp_attention": False,
        "disable_radix_cache": True,
        "mem_fraction_static": 0.9,
        "version": "0.5.8",
        "host": "10.1.2.3",
        "api_key": "sk-secret",
    },
    "duration": 8.0,
    "completed": 4,
    "total_input_tokens": 400,
    "total_output_tokens": 80,
    "request_throughput": 0.5,
    "input_throughput": 50.0,
    "output_throughput": 10.0,
    "total_throughput": 60.0,
    "mean_e2e_latency_ms": 2000.0,
    "median_e2e_latency_ms": 1990.0,
    "std_e2e_latency_ms": 30.0,
    "p99_e2e_latency_ms": 2100.0,
    "mean_ttft_ms": 100.0,
    "median_ttft_ms": 90.0,
    "std_ttft_ms": 20.0,
    "p99_ttft_ms": 140.0,
    "mean_tpot_ms": 100.0,
    "median_tpot_ms": 99.0,
    "std_tpot_ms": 5.0,
    "p99_tpot_ms": 110.0,
    "mean_itl_ms": 101.0,
    "median_itl_ms": 98.0,
    "std_itl_ms": 9.0,
    "p95_itl_ms": 120.0,
    "p99_itl_ms": 150.0,
    "concurrency": 1.0,
    "accept_length": None,
}

TRTLLM: dict[str, Any] = {
    "engine": {
        "model": "acme/Tiny-1B",
        "model_path": "None",
        "engine_dir": "None",
        "version": "1.2.0",
        "backend": "Pytorch",
        "dtype": "bfloat16",
        "kv_cache_dtype": None,
        "quantization": "FP8",
    },
    "machine": {"name": "Imaginary X1", "memory.total": 80.0, "clocks.mem": 2.6},
    "world_info": {
        "tp_size": 2,
        "pp_size": 1,
        "ep_size": None,
        "world_size": 2,
        "max_batch_size": 8,
        "max_num_tokens": 4096,
        "scheduling_policy": "GUARANTEED_NO_EVICT",
        "kv_cache_percentage": 95.0,
        "issue_rate": 4.8e14,
    },
    "request_info": {
        "num_requests": 4,
        "avg_num_concurrent_requests": 1.0,
        "avg_input_length": 100.0,
        "avg_output_length": 20.0,
    },
    "performance": {
        "total_latency_ms": 8000.0,
        "avg_request_latency_ms": 2000.0,
        "request_throughput_req_s": 0.5,
        "system_output_throughput_tok_s": 10.0,
        "system_total_throughput_tok_s": 60.0,
        "output_throughput_per_user_tok_s": 10.0,
        "output_throughput_per_gpu_tok_s": 5.0,
        "request_latency_percentiles_ms": {
            "p50": 1990.0, "p90": 2050.0, "p95": 2100.0, "p99": 2100.0,
            "minimum": 1900.0, "maximum": 2100.0, "average": 2000.0,
        },
    },
    "streaming_metrics": {
        "token_output_speed_tok_s": 10.0,
        "avg_ttft_ms": 100.0,
        "avg_tpot_ms": 100.0,
        "ttft_percentiles": {"p50": 90.0, "p99": 140.0, "minimum": 80.0, "maximum": 140.0, "average": 100.0},
        "tpot_percentiles": {"p50": 99.0, "p99": 110.0, "minimum": 95.0, "maximum": 110.0, "average": 100.0},
        "gen_tps_percentiles": {"p50": 10.1, "p99": 10.5, "minimum": 9.1, "maximum": 10.5, "average": 10.0},
    },
    "dataset": {"dataset_path": "/data/someone/set.jsonl"},
}  # fmt: skip

LLMPERF: dict[str, Any] = {
    "version": "2023-08-31",
    "name": "acme-tiny_100_20_summary",
    "model": "acme/Tiny-1B",
    "mean_input_tokens": 100,
    "stddev_input_tokens": 0,
    "mean_output_tokens": 20,
    "stddev_output_tokens": 5,
    "num_concurrent_requests": 1,
    "results_ttft_s_quantiles_p50": 0.09,
    "results_ttft_s_quantiles_p99": 0.14,
    "results_ttft_s_mean": 0.1,
    "results_ttft_s_min": 0.08,
    "results_ttft_s_max": 0.14,
    "results_ttft_s_stddev": 0.02,
    "results_end_to_end_latency_s_mean": 2.0,
    "results_inter_token_latency_s_mean": 0.1,
    "results_request_output_throughput_token_per_s_mean": 10.0,
    "results_number_input_tokens_mean": 100.0,
    "results_number_input_tokens_min": "100",
    "results_number_output_tokens_mean": 20.0,
    "results_number_output_tokens_max": "22",
    "results_num_requests_started": 5,
    "results_error_rate": 0.2,
    "results_number_errors": 1,
    "results_error_code_frequency": "{429: 1}",
    "results_mean_output_throughput_token_per_s": 10.0,
    "results_num_completed_requests": 4,
    "results_num_completed_requests_per_min": 30.0,
    "timestamp": 1767323045,
    "api": "https://console.acme.example/v1",
}

LLAMA: dict[str, Any] = {
    "build_commit": "abc1234",
    "build_number": 7000,
    "cpu_info": "Imaginary CPU",
    "gpu_info": "Imaginary X1",
    "backends": "CUDA",
    "model_filename": "/data/someone/models/Tiny-1B-Q4_K_M.gguf",
    "model_type": "llama 1B Q4_K - Medium",
    "n_batch": 2048,
    "n_ubatch": 512,
    "n_threads": 8,
    "type_k": "f16",
    "type_v": "f16",
    "n_gpu_layers": 99,
    "split_mode": "layer",
    "flash_attn": True,
    "n_prompt": 512,
    "n_gen": 0,
    "n_depth": 0,
    "test_time": "2026-01-02T03:04:05Z",
    "avg_ns": 256000000,
    "stddev_ns": 1000000,
    "avg_ts": 2000.0,
    "stddev_ts": 8.0,
    "samples_ns": [255000000, 257000000],
    "samples_ts": [2007.84, 1992.22],
}

LLAMA_TABLE = """\
ggml_cuda_init: found 2 CUDA devices:
  Device 0: Imaginary X1, compute capability 9.0, VMM: yes
  Device 1: Imaginary X1, compute capability 9.0, VMM: yes
| model                  |       size |     params | backend | ngl | fa |          test |              t/s |
| ---------------------- | ---------: | ---------: | ------- | --: | -: | ------------: | ---------------: |
| llama 1B Q4_K - Medium | 636.18 MiB |     1.10 B | CUDA    |  99 |  1 |         pp512 | 2,000.00 ± 8.00 |
| llama 1B Q4_K - Medium | 636.18 MiB |     1.10 B | CUDA    |  99 |  1 | tg128 @ d4096 |    100.00 ± 0.50 |

build: abc1234 (7000)
"""

OPTIMUM: dict[str, Any] = {
    "config": {
        "name": "someone's run",
        "backend": {
            "name": "pytorch", "version": "2.4.1", "model": "acme/Tiny-1B", "task": "text-generation",
            "device": "cuda", "device_ids": "1", "seed": 42, "torch_dtype": "bfloat16", "quantization_scheme": None,
            "model_kwargs": {"revision": "0123456789abcdef0123456789abcdef01234567"},
        },
        "scenario": {
            "iterations": 2, "warmup_runs": 3, "input_shapes": {"batch_size": 2, "sequence_length": 64},
            "generate_kwargs": {"max_new_tokens": 11, "do_sample": False},
        },
        "environment": {
            "cpu": " Imaginary CPU", "system": "Linux", "gpu": ["Imaginary Display", "Imaginary X1"], "gpu_count": 2,
            "optimum_benchmark_version": "0.5.0", "transformers_version": "4.47.1",
        },
    },
    "report": {
        "prefill": {
            "latency": {"unit": "s", "values": [0.1, 0.1], "count": 2, "mean": 0.1, "p50": 0.1, "stdev": 0.0},
            "throughput": {"unit": "samples/s", "value": 20.0},
            "energy": None,
        },
        "decode": {
            # 2 sequences × 10 further tokens in 0.5 s
            "latency": {"unit": "s", "values": [0.5, 0.5], "count": 2, "mean": 0.5, "p50": 0.5, "stdev": 0.0},
            "throughput": {"unit": "tokens/s", "value": 40.0},
            "memory": {"unit": "MB", "max_allocated": 1234.5},
            "energy": None,
        },
        "per_token": {"latency": {"unit": "s", "count": 20, "mean": 0.05, "p50": 0.05, "stdev": 0.001}},
    },
}  # fmt: skip

VLLM_LATENCY: dict[str, Any] = {
    "avg_latency": 2.5,
    "latencies": [2.0, 3.0],
    "percentiles": {"10": 2.1, "50": 2.5, "99": 2.99},
}

VLLM_THROUGHPUT: dict[str, Any] = {
    "elapsed_time": 8.0,
    "num_requests": 4,
    "total_num_tokens": 480,
    "requests_per_second": 0.5,
    "tokens_per_second": 60.0,
}

ALL: dict[str, Any] = {
    "vLLM bench serve": VLLM,
    "vLLM bench latency": VLLM_LATENCY,
    "vLLM bench throughput": VLLM_THROUGHPUT,
    "SGLang bench_serving": SGLANG,
    "trtllm-bench": TRTLLM,
    "LLMPerf": LLMPERF,
    "llama-bench": LLAMA,
    "optimum-benchmark": OPTIMUM,
}
