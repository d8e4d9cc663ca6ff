"""Tools that measure inside the engine, and LLMPerf: each figure under a definition of its own."""

from decimal import Decimal

import pytest

from registry.readers.errors import Unreadable
from tests.readers.made import (
    LLMPERF,
    OPTIMUM,
    TRTLLM,
    VLLM_LATENCY,
    VLLM_THROUGHPUT,
    codes,
    figures,
    report,
    run,
    without,
)


def test_vllm_latency_is_that_of_a_batch_of_unknown_size():
    found = run(VLLM_LATENCY)
    assert figures(found) == {
        ("batch_latency_engine", "mean"): "2500 ms",
        ("batch_latency_engine", "p10"): "2100 ms",
        ("batch_latency_engine", "median"): "2500 ms",
        ("batch_latency_engine", "p99"): "2990 ms",
    }
    assert found.figures[0].as_stated == "2.5 s"
    assert found.figures[0].n == 2
    assert {"batch_size", "model", "input_tokens", "output_tokens"} <= set(found.missing)


def test_vllm_throughput_is_a_total_and_no_output_rate():
    found = run(VLLM_THROUGHPUT)
    assert figures(found) == {
        ("request_throughput_engine", "value"): "0.5 requests/s",
        ("total_throughput_engine", "value"): "60 tokens/s",
    }
    assert "total-tokens" in codes(found)


def test_a_trtllm_report_keeps_every_figure_by_its_definition():
    found = figures(run(TRTLLM))
    assert found["e2e_engine", "mean"] == "2000 ms"
    assert found["e2e_engine", "min"] == "1900 ms"
    assert found["e2e_engine", "max"] == "2100 ms"
    assert found["ttft_engine", "mean"] == "100 ms"
    assert found["tpot_engine", "p99"] == "110 ms"
    assert found["user_decode_throughput_engine", "mean"] == "10 tokens/s"
    assert found["user_e2e_throughput_engine", "mean"] == "10 tokens/s"
    assert found["request_throughput_engine", "value"] == "0.5 requests/s"
    assert found["output_throughput_engine", "value"] == "10 tokens/s"
    assert found["total_throughput_engine", "value"] == "60 tokens/s"
    assert found["total_latency_engine", "value"] == "8000 ms"


def test_output_per_accelerator_keeps_its_divisor():
    (figure,) = [
        each for each in run(TRTLLM).figures if each.metric == "output_throughput_per_accelerator_engine"
    ]
    assert (figure.value, figure.divisor) == (5, 2)


def test_a_trtllm_report_states_its_engine_and_drops_folders():
    found = report(TRTLLM)
    (only,) = found.runs
    assert found.tool_version == "1.2.0"
    assert only.conditions.hardware == "Imaginary X1"
    assert (only.conditions.accelerators, only.conditions.tensor_parallel) == (2, 2)
    assert (only.conditions.precision, only.conditions.quantization) == ("FP8", "FP8")
    assert only.conditions.load_mode is None, "the cap on requests in flight is not in the file"
    assert {"load_mode", "concurrency", "nodes"} <= set(only.missing)
    assert "someone" not in repr(found)


@pytest.mark.parametrize("share", [95.0, 0.95])
def test_the_share_of_the_kv_cache_is_one_number_in_old_and_new_reports(share):
    found = run(TRTLLM | {"world_info": TRTLLM["world_info"] | {"kv_cache_percentage": share}})
    assert (
        found.conditions.flags == "scheduling_policy=GUARANTEED_NO_EVICT kv_cache_free_gpu_mem_fraction=0.95"
    )


def test_without_streaming_there_is_no_first_token():
    found = run(without(TRTLLM, "streaming_metrics"))
    assert not [each for each in found.figures if each.metric in ("ttft_engine", "tpot_engine")]
    assert found.conditions.streaming is False


def test_percentiles_of_few_requests_are_said_to_be_the_maximum():
    assert "percentile-is-maximum" in codes(run(TRTLLM))
    many = TRTLLM | {"request_info": TRTLLM["request_info"] | {"num_requests": 100}}
    assert "percentile-is-maximum" not in codes(run(many))


def test_an_llmperf_summary_in_seconds_is_kept_in_milliseconds():
    found = figures(run(LLMPERF))
    assert found["ttft_client", "median"] == "90 ms"
    assert found["ttft_client", "std"] == "20 ms"
    assert found["e2e_client", "mean"] == "2000 ms"
    assert found["user_e2e_throughput_client", "mean"] == "10 tokens/s"
    assert found["input_tokens", "min"] == "100 tokens"
    assert found["output_tokens", "max"] == "22 tokens"


def test_llmperf_inter_token_latency_is_a_metric_of_its_own():
    found = run(LLMPERF)
    assert figures(found)["itl_with_first_client", "mean"] == "100 ms"
    assert not [each for each in found.figures if each.metric == "itl_chunk_client"]
    assert "itl-with-first" in codes(found)


def test_requests_per_minute_become_requests_per_second():
    (figure,) = [each for each in run(LLMPERF).figures if each.metric == "request_throughput_client"]
    assert figure.value == Decimal("0.5")
    assert figure.as_stated == "30.0 requests/min"


def test_llmperf_counts_errors_among_the_started():
    found = run(LLMPERF)
    assert (found.counts.attempted, found.counts.ok, found.counts.failed) == (5, 4, 1)
    assert "failures" in codes(found)
    assert "429" not in repr(found)
    assert "acme.example" not in repr(found)


def test_llmperf_summaries_by_concurrency_are_runs():
    found = report({"1": LLMPERF, "2": LLMPERF | {"num_concurrent_requests": 2}})
    assert [each.conditions.concurrency for each in found.runs] == [1, 2]


def test_llmperf_throughput_must_follow_from_requests_and_tokens():
    assert "throughput-inconsistent" in codes(
        run(LLMPERF | {"results_mean_output_throughput_token_per_s": 99.0})
    )


def test_an_optimum_benchmark_keeps_prefill_and_decode_apart():
    found = run(OPTIMUM)
    assert figures(found) == {
        ("prefill_latency_optimum", "mean"): "100 ms",
        ("prefill_latency_optimum", "median"): "100 ms",
        ("prefill_latency_optimum", "std"): "0 ms",
        ("prefill_throughput_optimum", "value"): "20 samples/s",
        ("decode_latency_optimum", "mean"): "500 ms",
        ("decode_latency_optimum", "median"): "500 ms",
        ("decode_latency_optimum", "std"): "0 ms",
        ("decode_throughput_optimum", "value"): "40 tokens/s",
        ("peak_memory_optimum", "value"): "1234.5 MB",
        ("per_token_latency_optimum", "mean"): "50 ms",
        ("per_token_latency_optimum", "median"): "50 ms",
        ("per_token_latency_optimum", "std"): "1 ms",
    }
    assert codes(found) == {"machine-lists-more"}


def test_an_optimum_benchmark_used_the_devices_it_was_given():
    conditions = run(OPTIMUM).conditions
    assert (conditions.hardware, conditions.accelerators) == ("Imaginary X1", 1)
    assert conditions.model_revision == "0123456789abcdef0123456789abcdef01234567"
    assert (conditions.batch_size, conditions.input_tokens, conditions.output_tokens) == (2, 64, 11)
    assert (conditions.warm_up, conditions.warm_up_excluded, conditions.sampling) == (
        "3 runs",
        True,
        "greedy",
    )


def test_per_token_values_of_other_runs_are_noticed():
    odd = OPTIMUM["report"] | {"per_token": {"latency": {"unit": "s", "count": 57, "mean": 0.05}}}
    (quirk,) = [each for each in run(OPTIMUM | {"report": odd}).quirks if each.code == "per-token-population"]
    assert quirk.sentence.startswith("per_token holds 57 values where the decoding runs have 20 steps")


def test_a_report_without_decoding_gives_no_token_rate():
    forward = {"latency": {"unit": "s", "values": [2.0], "count": 1, "mean": 2.0, "stdev": 0}}
    rate = {"unit": "samples/s", "value": 0.5}
    found = run({"load": forward, "forward": forward | {"throughput": rate}})
    assert figures(found) == {
        ("load_latency_optimum", "mean"): "2 s",
        ("forward_latency_optimum", "mean"): "2000 ms",
        ("forward_throughput_optimum", "value"): "0.5 samples/s",
    }
    assert {"no-text-generation", "deviation-of-one"} <= codes(found)


def test_a_rate_in_another_unit_is_refused():
    stage = OPTIMUM["report"]["decode"] | {"throughput": {"unit": "samples/s", "value": 40.0}}
    with pytest.raises(Unreadable, match="report.decode.throughput is in “samples/s”; known are tokens/s"):
        run(OPTIMUM | {"report": OPTIMUM["report"] | {"decode": stage}})


def test_tokens_per_kilowatt_hour_become_tokens_per_joule():
    stage = OPTIMUM["report"]["decode"] | {"efficiency": {"unit": "tokens/kWh", "value": 7_200_000.0}}
    found = run(OPTIMUM | {"report": OPTIMUM["report"] | {"decode": stage}})
    assert figures(found)["decode_efficiency_optimum", "value"] == "2 tokens/J"


def test_a_trtllm_run_with_a_queue_says_that_latencies_include_waiting():
    busy = TRTLLM["request_info"] | {"avg_num_concurrent_requests": 3.5}
    assert "queueing" in codes(run(TRTLLM | {"request_info": busy}))
    assert "one-in-flight" in codes(run(TRTLLM))
