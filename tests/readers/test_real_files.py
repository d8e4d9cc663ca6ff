"""Real result files, where the folder with them is at hand: read to the values printed in them, quirks found.

The files lie outside the repository (their licences differ). `BENCHMARK_FILES` names the folder; without it,
`../shared/data/benchmarks` beside the repository is looked for.
"""

import os
from pathlib import Path

import pytest

from registry.readers import read
from tests.house.files import PROJECT
from tests.readers.made import figures

FOLDER = Path(os.environ.get("BENCHMARK_FILES") or PROJECT.parent / "shared" / "data" / "benchmarks")

if not FOLDER.is_dir():
    pytest.skip(
        f"No folder of real result files: set BENCHMARK_FILES, or lay it at {FOLDER}.",
        allow_module_level=True,
    )

# file → tool, its version, number of runs, codes of the quirks of the first run
FILES = {
    "vllm-serve/djangodevreng_qwen3.5-9b_rate0.2.json": ("vLLM bench serve", None, 1, {"rate-not-reached"}),
    "vllm-serve/djangodevreng_muse-glimmer-30b_spec-decode.json": (
        "vLLM bench serve", None, 1, {"speculative", "overloaded"},
    ),
    "vllm-serve/tsho_gemma4-31b_tpu_rate4.json": ("vLLM bench serve", None, 1, set()),
    "inferencex/faradawn_dsr1_1k1k_fp4_sglang_tp8_conc4_raw.json": (
        "vLLM bench serve", None, 1, {"failed-derived", "chunked-stream"},
    ),
    "vllm-offline/cmontemuino_llama3.1-8b_latency_bs1.json": ("vLLM bench latency", None, 1, {"batch-latency"}),
    "vllm-offline/cmontemuino_llama3.1-8b_latency_bs8.json": ("vLLM bench latency", None, 1, {"batch-latency"}),
    "vllm-offline/zhangxinyuehfad_llama3-8b_throughput.json": ("vLLM bench throughput", None, 1, {"total-tokens"}),
    "sglang/TonyLi15_agg_n50_in512_out128_c8.jsonl": (
        "SGLang bench_serving", None, 1, {"failures-not-reported", "nominal-lengths"},
    ),
    "sglang/TonyLi15_pd_inter_n100_in128_out128_c32.jsonl": (
        "SGLang bench_serving", None, 1, {"disaggregated", "failures-not-reported", "nominal-lengths"},
    ),
    "trtllm-bench/waynehacking8_llama3.1-8b_fp8_W0b.report.json": (
        "trtllm-bench", "0.20.0", 1, {"per-accelerator", "queueing"},
    ),
    "trtllm-bench/waynehacking8_llama3.1-8b_fp8_W4_conc128.report.json": (
        "trtllm-bench", "0.20.0", 1, {"per-accelerator", "queueing"},
    ),
    "trtllm-bench/no-licence/masahiro-kubota_qwen2.5-0.5b_streaming_v1.2.0.json": (
        "trtllm-bench", "1.2.0", 1, {"per-accelerator", "one-in-flight", "percentile-is-maximum"},
    ),
    "llmperf/leaderboard_anyscale_70b_summary.json": ("LLMPerf", None, 1, {"itl-with-first"}),
    "llmperf/leaderboard_together_13b_summary_1error.json": (
        "LLMPerf", None, 1, {"itl-with-first", "failures", "nominal-lengths"},
    ),
    "llmperf/johnsonafool_gpt-4.1-nano_c1_summary.json": ("LLMPerf", None, 1, {"itl-with-first", "nominal-lengths"}),
    "llmperf/philschmid_llama3-8b_tp1_nested.json": ("LLMPerf", None, 8, {"itl-with-first", "nominal-lengths"}),
    "llama-bench/lhl_llama3.2-1b_default-hip.jsonl": ("llama-bench", "b6865 (1c1409e1)", 10, {"deviation-of-one"}),
    "llama-bench/1337hero_vulkan_7900xtx_2gpu_markdown.txt": (
        "llama-bench", "b7361 (a81a56957)", 6, {"model-is-a-type"},
    ),
    "llama-bench/kurtvalcorza_5070ti_run_log_markdown.log": (
        "llama-bench", "571d0d5", 2, {"model-is-a-type", "build-number"},
    ),
    "llama-bench/no-licence/asoldano_step3.5-flash-reap_strix-halo.json": (
        "llama-bench", "b8067 (ff4affb4c)", 12, set(),
    ),
    "optimum-benchmark/no-licence/DerekLiu35_llama3.1-8b_torchao-int4_benchmark.json": (
        "optimum-benchmark", "0.5.0", 1, {"machine-lists-more", "deviation-of-one", "per-token-population"},
    ),
    "optimum-benchmark/optimum-benchmark_repo_forward_report.json": (
        "optimum-benchmark", None, 1, {"deviation-of-one", "no-text-generation"},
    ),
}  # fmt: skip

# file, number of the run, metric, statistic, value as the file prints it (converted by hand)
VALUES = [
    ("vllm-serve/djangodevreng_qwen3.5-9b_rate0.2.json", 0, "ttft_client", "p95", "3976.6313725660434 ms"),
    ("vllm-serve/djangodevreng_qwen3.5-9b_rate0.2.json", 0, "output_throughput_client", "value",
     "86.16367640166318 tokens/s"),
    # 21 970 accepted of 1 125 090 draft tokens
    ("vllm-serve/djangodevreng_muse-glimmer-30b_spec-decode.json", 0, "acceptance_rate_client", "value",
     "0.01952732670275267 ratio"),
    ("vllm-offline/cmontemuino_llama3.1-8b_latency_bs8.json", 0, "batch_latency_engine", "p90",
     "924.6819621068425 ms"),
    # 86 204 tokens in 72.38 s, input and output
    ("vllm-offline/zhangxinyuehfad_llama3-8b_throughput.json", 0, "total_throughput_engine", "value",
     "1190.9743920852 tokens/s"),
    ("sglang/TonyLi15_agg_n50_in512_out128_c8.jsonl", 0, "itl_chunk_client", "p95", "17.804055754095316 ms"),
    # (71.399 - 4.789) / 39
    ("trtllm-bench/no-licence/masahiro-kubota_qwen2.5-0.5b_streaming_v1.2.0.json", 0, "tpot_engine", "mean",
     "1.7079517461538458 ms"),
    ("llmperf/leaderboard_anyscale_70b_summary.json", 0, "ttft_client", "p99", "474.5305190600024 ms"),
    ("llmperf/leaderboard_anyscale_70b_summary.json", 0, "output_tokens", "max", "151 tokens"),
    ("llmperf/philschmid_llama3-8b_tp1_nested.json", 0, "e2e_client", "median", "5287.074211999425 ms"),
    ("llama-bench/lhl_llama3.2-1b_default-hip.jsonl", 9, "token_generation_llama", "mean", "64.616239 tokens/s"),
    ("llama-bench/1337hero_vulkan_7900xtx_2gpu_markdown.txt", 5, "token_generation_llama", "std", "0.34 tokens/s"),
    ("llama-bench/kurtvalcorza_5070ti_run_log_markdown.log", 0, "prompt_processing_llama", "mean",
     "17692.7 tokens/s"),
    # 63 steps in 2.5223 s
    ("optimum-benchmark/no-licence/DerekLiu35_llama3.1-8b_torchao-int4_benchmark.json", 0,
     "decode_throughput_optimum", "value", "24.977184730531548 tokens/s"),
]  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_real_file_is_recognised_and_its_quirks_are_found(name):
    tool, version, runs, quirks = FILES[name]
    found = read((FOLDER / name).read_bytes())
    first = found.runs[0]
    assert (found.tool, found.tool_version, len(found.runs)) == (tool, version, runs)
    assert {quirk.code for quirk in first.quirks} == quirks
    assert not any(run.refused for run in found.runs)


@pytest.mark.parametrize(("name", "number", "metric", "statistic", "value"), VALUES)
def test_a_real_file_is_read_to_the_value_printed_in_it(name, number, metric, statistic, value):
    assert figures(read((FOLDER / name).read_bytes()).runs[number])[metric, statistic] == value


def test_two_cards_are_told_from_one_by_the_log_before_each_table():
    found = read((FOLDER / "llama-bench/1337hero_vulkan_7900xtx_2gpu_markdown.txt").read_bytes())
    assert [run.conditions.accelerators for run in found.runs] == [1, 1, 1, 1, 2, 2]


def test_a_disaggregated_sglang_run_names_both_versions():
    found = read((FOLDER / "sglang/TonyLi15_pd_inter_n100_in128_out128_c32.jsonl").read_bytes())
    conditions = found.runs[0].conditions
    assert conditions.runtime_version == "0.5.5.post3 (prefill), 0.5.6 (decode)"
    assert (conditions.accelerators_prefill, conditions.accelerators_decode) == (1, 1)


def test_no_path_address_or_text_of_a_real_file_is_kept():
    for name in FILES:
        shown = repr(read((FOLDER / name).read_bytes()))
        for word in (
            "/models/",
            "/work" + "space",
            "/out/",
            "0.0.0.0",
            "localhost",
            "console.endpoints",
            "/mlperf/",
        ):
            assert word not in shown, name
