"""InferenceX: seconds whatever the header says, throughput per GPU of this or that part, interactivity as an inverse."""

from typing import Any

import pytest

from registry.readers.errors import Unreadable
from tests.readers.made import codes, figures, report, run, without
from tests.readers.made_reports import INFERENCEX, INFERENCEX_CLIENT, INFERENCEX_TABLE
from tests.readers.real import real

DISAGGREGATED: dict[str, Any] = without(INFERENCEX, "tp") | {
    # 12 prefill and 4 decode GPUs: 16 × 15 = 4 × 6 + 12 × 18
    "is_multinode": True,
    "disagg": True,
    "num_prefill_gpu": 12,
    "num_decode_gpu": 4,
    "output_tput_per_gpu": 6.0,
    "input_tput_per_gpu": 18.0,
}


def test_latencies_are_seconds_and_throughput_is_per_gpu():
    found = run(INFERENCEX)
    values = figures(found)
    assert values["ttft_client", "mean"] == "100 ms"
    assert values["e2e_client", "mean"] == "2000 ms"
    assert values["total_throughput_per_accelerator_client", "value"] == "15 tokens/s"
    assert {f.divisor for f in found.figures if "per_accelerator" in f.metric} == {4}
    assert next(f for f in found.figures if f.metric == "ttft_client").as_stated == "0.1 s"


def test_interactivity_is_the_inverse_of_a_statistic_and_its_deviation_means_nothing():
    found = run(INFERENCEX)
    assert figures(found)["interactivity_client", "p99"] == "5 tokens/s"
    assert ("interactivity_client", "std") not in figures(found)
    assert "std-intvty-left-out" in codes(found)
    assert "percentiles-out-of-order" not in codes(found)


def test_conditions_are_read_and_the_registry_of_the_image_is_not():
    found = run(INFERENCEX)
    stated = found.conditions
    assert (stated.hardware, stated.accelerators, stated.runtime, stated.runtime_version) == (
        "x1-trt",
        4,
        "trt",
        "1.2.0",
    )
    assert (stated.data_parallel_attention, stated.load_mode, stated.concurrency) == (False, "closed", 1)
    assert "registry.acme.example" not in repr(found)
    assert {"model_revision", "input_tokens", "warm_up"} <= set(found.missing)
    assert {"runner-name", "attribution", "failures-not-reported", "chunked-stream"} <= codes(found)


def test_lengths_in_the_file_name_alone_are_missing():
    found = run(without(INFERENCEX, "isl", "osl"))
    assert {"input_tokens_requested", "output_tokens_requested"} <= set(found.missing)
    assert "lengths-in-file-name" in codes(found)


def test_disaggregated_output_is_per_decode_gpu():
    found = run(DISAGGREGATED)
    values = figures(found)
    assert values["output_throughput_per_decode_accelerator_client", "value"] == "6 tokens/s"
    assert values["input_throughput_per_prefill_accelerator_client", "value"] == "18 tokens/s"
    assert {f.metric: f.divisor for f in found.figures if f.divisor} == {
        "total_throughput_per_accelerator_client": 16,
        "output_throughput_per_decode_accelerator_client": 4,
        "input_throughput_per_prefill_accelerator_client": 12,
    }
    assert "divided-by-part" in codes(found)


def test_disaggregated_output_that_is_per_gpu_of_all_is_read_so():
    found = figures(run(DISAGGREGATED | {"output_tput_per_gpu": 2.5, "input_tput_per_gpu": 12.5}))
    assert found["output_throughput_per_accelerator_client", "value"] == "2.5 tokens/s"


def test_a_split_that_the_point_does_not_state_is_shown_by_its_rates():
    # 16 × 15 = 4 × 6 + 12 × 18 with no other number of decode GPUs
    sum_alone = {
        key: DISAGGREGATED[key] for key in DISAGGREGATED if not key.startswith(("num_", "is_", "disagg"))
    }
    found = run(sum_alone | {"tp": 16})
    assert (found.conditions.accelerators_decode, found.conditions.accelerators_prefill) == (4, 12)
    assert {"split-shown", "divided-by-part"} <= codes(found)
    assert figures(found)["output_throughput_per_decode_accelerator_client", "value"] == "6 tokens/s"


@pytest.mark.parametrize("content", [INFERENCEX, DISAGGREGATED])
def test_rates_that_add_up_under_no_divisor_are_left_out(content):
    found = run(content | {"output_tput_per_gpu": 99.0})
    assert "divisor-unclear" in codes(found)
    assert not any(
        metric.startswith(("output_throughput", "input_throughput")) for metric, _ in figures(found)
    )


def test_milliseconds_are_recognised_by_interactivity():
    found = run(
        {
            **INFERENCEX,
            **{
                key: INFERENCEX[key] * 1000
                for key in INFERENCEX
                if key.endswith(("ttft", "tpot", "itl", "e2el"))
            },
        }
    )
    assert figures(found)["ttft_client", "mean"] == "100 ms"
    assert "milliseconds" in codes(found)


def test_seconds_labelled_milliseconds_are_read_as_seconds():
    found = run(INFERENCEX_TABLE)
    assert figures(found)["ttft_client", "mean"] == "100 ms"
    assert figures(found)["tpot_client", "p99"] == "200 ms"
    assert "seconds-labelled-ms" in codes(found)
    assert found.conditions.started_at == "2026-01-02"


def test_true_milliseconds_and_labelled_seconds_are_read_as_they_are():
    labelled = run(INFERENCEX_TABLE.replace("(ms)", "(s)"))
    assert figures(labelled)["ttft_client", "mean"] == "100 ms"
    assert "seconds-labelled-ms" not in codes(labelled)
    true = run(INFERENCEX_TABLE.replace("0.1,0.08,0.2,12.5,false", "100,80,200,12.5,false"))
    assert figures(true)["ttft_client", "mean"] == "100 ms"


def test_a_table_whose_unit_nothing_shows_has_no_latencies():
    found = run(INFERENCEX_TABLE.replace("0.2,12.5,false", "0.2,,false"))
    assert "unit-not-shown" in codes(found)
    assert {metric for metric, _ in figures(found)} == {
        "total_throughput_per_accelerator_client",
        "output_throughput_per_accelerator_client",
        "input_throughput_per_accelerator_client",
    }


def test_a_cut_table_is_refused():
    with pytest.raises(Unreadable, match="cut off or edited"):
        report(INFERENCEX_TABLE.removesuffix(",none,2,false,false\n") + "\n")


def test_rows_of_the_api_have_their_figures_one_level_deeper():
    metrics = {key: INFERENCEX[key] for key in INFERENCEX if "_" in key and key != "dp_attention"}
    row = {
        "hardware": "x1", "framework": "vllm", "model": "tiny", "precision": "fp8", "disagg": False, "is_multinode": False,
        "decode_tp": 4, "num_prefill_gpu": 4, "num_decode_gpu": 4, "conc": 8, "isl": 100, "osl": 20, "metrics": metrics,
    }  # fmt: skip
    found = run([row])
    assert found.conditions.accelerators == 4, "prefill and decode are the same GPUs"
    assert figures(found)["ttft_client", "mean"] == "100 ms"


def test_agent_traces_are_refused_as_results():
    row = {"hw": "x1", "scenario_type": "agentic-coding", "request_metrics": {"qps": {"mean": 1.5}}}
    assert "agent traces" in run(row).refused


def test_the_experimental_client_shows_its_unit_by_what_is_in_flight():
    found = run(INFERENCEX_CLIENT)
    assert figures(found)["ttft_client", "median"] == "100 ms"
    assert {"seconds-without-suffix", "experimental"} <= codes(found)
    in_ms = run(
        INFERENCEX_CLIENT
        | {"median_ttft": 100.0, "p99_ttft": 140.0, "median_e2el": 2000.0, "median_tpot": 100.0}
    )
    assert figures(in_ms)["ttft_client", "median"] == "100 ms"
    neither = run(INFERENCEX_CLIENT | {"median_e2el": 55.0})
    assert "unit-not-shown" in codes(neither)
    assert ("ttft_client", "median") not in figures(neither)


def test_the_real_aggregate_has_66_points_per_gpu():
    found = report(real("inferencex/official_agg_dsr1_1k8k_2025-11.json")).runs
    assert len(found) == 66
    first = found[0]
    # (99.619 + 12.498) × 8 = 896.94 tokens/s in all
    total = first.get("total_throughput_per_accelerator_client") * 8
    assert round(total, 2) == round(
        (
            first.get("output_throughput_per_accelerator_client")
            + first.get("input_throughput_per_accelerator_client")
        )
        * 8,
        2,
    )
    assert figures(first)["tpot_client", "mean"].startswith("19.5417")
    assert "chunked-stream" in codes(first)
    assert {run.conditions.accelerators for run in found} == {4, 8}


def test_the_real_export_is_in_seconds():
    found = report(real("inferencex/inferencex_csv_export_dsr1_e2e_2026-06.csv")).runs
    assert [run.conditions.concurrency for run in found] == [4, 8, 16, 32, 64]
    assert figures(found[0])["e2e_client", "mean"].startswith("9051.46")
    assert all("seconds-labelled-ms" in codes(run) for run in found)


def test_the_real_experimental_file_is_in_seconds():
    found = run(real("inferencex/inferencex_glm5_fp8_vllm_tp8_isl10240_conc16_seconds.json"))
    assert figures(found)["ttft_client", "median"].startswith("3138.24")
    assert (found.conditions.input_tokens, found.conditions.output_tokens) == (10240, 128)


def test_a_real_raw_file_is_one_of_vllms_client():
    found = report(real("inferencex/faradawn_dsr1_1k1k_fp4_sglang_tp8_conc4_raw.json"))
    assert found.tool == "vLLM bench serve"
    assert "chunked-stream" in codes(found.runs[0])
