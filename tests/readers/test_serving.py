"""vLLM and SGLang load clients: which figure is which, and what the file does not say."""

from decimal import Decimal

import pytest

from registry.readers.errors import Unreadable
from tests.readers.made import SGLANG, VLLM, codes, figures, report, run, without


def test_a_vllm_run_keeps_every_figure_by_its_definition():
    assert figures(run(VLLM)) == {
        ("ttft_client", "mean"): "100 ms",
        ("ttft_client", "median"): "90 ms",
        ("ttft_client", "p99"): "140 ms",
        ("ttft_client", "std"): "20 ms",
        ("tpot_client", "mean"): "100 ms",
        ("tpot_client", "median"): "99 ms",
        ("tpot_client", "p99"): "110 ms",
        ("tpot_client", "std"): "5 ms",
        ("itl_chunk_client", "mean"): "101 ms",
        ("itl_chunk_client", "median"): "98 ms",
        ("itl_chunk_client", "p99"): "150 ms",
        ("itl_chunk_client", "std"): "9 ms",
        ("e2e_client", "mean"): "2000 ms",
        ("e2e_client", "median"): "1990 ms",
        ("e2e_client", "p99"): "2100 ms",
        ("e2e_client", "std"): "30 ms",
        ("request_throughput_client", "value"): "0.5 requests/s",
        ("output_throughput_client", "value"): "10 tokens/s",
        ("total_throughput_client", "value"): "60 tokens/s",
    }


def test_a_vllm_run_states_its_load_and_lengths_and_nothing_of_the_server():
    found = run(VLLM)
    assert found.conditions.stated() == {
        "model": "acme/Tiny-1B",
        "tokenizer": "acme/Tiny-1B",
        "endpoint": "openai",
        "requests": 4,
        "input_tokens": Decimal(100),
        "output_tokens": Decimal(20),
        "streaming": True,
        "load_mode": "closed",
        "concurrency": 1,
        "started_at": "2026-01-02T03:04:05",
        "duration": Decimal("8.0"),
    }
    assert {"hardware", "accelerators", "runtime_version", "warm_up", "prefix_cache"} <= set(found.missing)
    assert (found.counts.attempted, found.counts.ok, found.counts.failed) == (4, 4, 0)
    assert codes(found) == set()


def test_latencies_know_over_how_many_requests_they_were_taken():
    n = {figure.metric: figure.n for figure in run(VLLM).figures}
    assert (n["ttft_client"], n["e2e_client"]) == (4, 4)
    assert n["itl_chunk_client"] is None, "gaps of all requests are pooled, how many is not in the file"


@pytest.mark.parametrize(
    ("changes", "mode", "arrival"),
    [
        ({"request_rate": "inf", "max_concurrency": 8}, "closed", None),
        ({"request_rate": float("inf"), "max_concurrency": None}, "all at once", "all at once"),
        ({"request_rate": 1e9, "max_concurrency": None}, "all at once", "all at once"),
        ({"request_rate": 4.0, "max_concurrency": None, "burstiness": 1.0}, "open", "poisson"),
        ({"request_rate": "4", "max_concurrency": None, "burstiness": 0.7}, "open", "gamma"),
    ],
)
def test_the_load_mode_follows_from_rate_and_cap(changes, mode, arrival):
    conditions = run(VLLM | changes).conditions
    assert (conditions.load_mode, conditions.arrival) == (mode, arrival)


def test_an_infinite_rate_without_a_word_on_the_cap_leaves_the_mode_open():
    found = run(without(VLLM, "max_concurrency"))
    assert found.conditions.load_mode is None
    assert "load_mode" in found.missing


def test_a_rate_with_a_cap_is_said_to_be_no_open_load():
    assert "rate-and-cap" in codes(run(VLLM | {"request_rate": 0.5, "max_concurrency": 8}))


def test_a_run_that_fell_behind_its_rate_is_said_to_queue():
    found = run(VLLM | {"request_rate": 2.0, "max_concurrency": None})
    (quirk,) = [quirk for quirk in found.quirks if quirk.code == "overloaded"]
    assert quirk.sentence == (
        "2.0 requests/s were asked for and 25 % of them completed per second: the queue grew, so latencies include "
        "waiting."
    )


def test_without_a_count_of_failures_it_is_what_did_not_complete():
    found = run(without(VLLM, "failed") | {"num_prompts": 6})
    assert found.counts.failed == 2
    assert {"failed-derived", "failures"} <= codes(found)


def test_a_run_in_which_everything_failed_becomes_no_result():
    zeros = {key: 0.0 for key in VLLM if key.endswith(("_ms", "throughput"))}
    found = run(
        VLLM | zeros | {"completed": 0, "failed": 4, "total_input_tokens": 0, "total_output_tokens": 0}
    )
    assert found.figures == ()
    assert found.refused == "None of 4 requests succeeded: nothing was measured."


def test_zero_latencies_of_one_token_outputs_are_missing():
    zeros = {key: 0.0 for key in VLLM if "tpot" in key or "itl" in key}
    found = run(
        VLLM | zeros | {"total_output_tokens": 4, "output_throughput": 0.5, "total_token_throughput": 50.5}
    )
    assert {figure.metric for figure in found.figures} & {"tpot_client", "itl_chunk_client"} == set()
    assert "zero-is-missing" in codes(found)


def test_chunks_of_several_tokens_are_noticed():
    assert "chunked-stream" in codes(run(VLLM | {"mean_itl_ms": 1000.0, "p99_itl_ms": 2000.0}))


def test_seconds_labelled_milliseconds_are_noticed():
    seconds = {key: value / 1000 for key, value in VLLM.items() if key.endswith("_ms")}
    assert "seconds-labelled-ms" in codes(run(VLLM | seconds))


def test_latencies_longer_than_the_run_are_noticed():
    assert "latency-exceeds-run" in codes(run(VLLM | {"mean_e2el_ms": 2_000_000.0}))


def test_throughput_that_does_not_follow_from_tokens_and_duration_is_noticed():
    assert "throughput-inconsistent" in codes(run(VLLM | {"output_throughput": 100.0}))


def test_percentiles_out_of_order_are_noticed():
    assert "percentiles-out-of-order" in codes(run(VLLM | {"p99_ttft_ms": 50.0}))


def test_median_and_p50_are_one_statistic():
    same = run(VLLM | {"p50_ttft_ms": 90.0})
    assert [f.statistic for f in same.figures if f.metric == "ttft_client"].count("median") == 1
    assert "median-twice" not in codes(same)
    assert "median-twice" in codes(run(VLLM | {"p50_ttft_ms": 95.0}))


def test_other_percentiles_are_kept_as_asked_for():
    found = figures(run(VLLM | {"p90_ttft_ms": 120.0, "p99.9_e2el_ms": 2150.0, "p12.34_itl_ms": 1.0}))
    assert found["ttft_client", "p90"] == "120 ms"
    assert found["e2e_client", "p99.9"] == "2150 ms"
    assert ("itl_chunk_client", "p12.34") not in found


def test_goodput_is_kept_and_its_missing_limits_are_named():
    found = run(without(VLLM, "request_goodput") | {"request_goodput:": 0.25})
    assert figures(found)["goodput_client", "value"] == "0.25 requests/s"
    assert "goodput-without-limits" in codes(found)


def test_the_acceptance_rate_is_written_in_per_cent():
    found = figures(run(VLLM | {"spec_decode_acceptance_rate": 62.5, "spec_decode_acceptance_length": 2.5}))
    assert found["acceptance_rate_client", "value"] == "0.625 ratio"
    assert found["acceptance_length_client", "value"] == "2.5 ratio"


def test_a_negative_latency_is_refused_by_name():
    with pytest.raises(Unreadable, match="The field “mean_ttft_ms” is -1, which cannot be negative"):
        run(VLLM | {"mean_ttft_ms": -1})


def test_a_figure_that_is_no_number_is_refused_by_name():
    with pytest.raises(Unreadable, match="The field “mean_ttft_ms” is “fast”, not a number"):
        run(VLLM | {"mean_ttft_ms": "fast"})


def test_unknown_fields_are_named_and_their_values_are_not_kept():
    found = run(VLLM | {"gpu": "hidden value"})
    assert "unread-fields" in codes(found)
    assert "hidden value" not in repr(found)


def test_names_that_may_be_somebodys_are_counted_only():
    found = run(
        VLLM | {"/home-of/somebody": 1, "sk-live-0123": 2, "node-17.corp.example": 3, "gpu_count_of_us": 4}
    )
    assert "4, gpu_count_of_us among them" in repr(found)
    for word in ("somebody", "sk-live", "corp.example"):
        assert word not in repr(found)


def test_an_address_inside_a_text_is_dropped():
    found = run(VLLM | {"endpoint_type": "openai-chat http://node17.corp.example:8000"})
    assert found.conditions.endpoint == "openai-chat"


def test_per_request_details_are_not_kept():
    found = run(
        VLLM | {"generated_texts": ["secret answer"] * 4, "errors": ["secret error"] * 4, "ttfts": [0.1] * 4}
    )
    assert "secret" not in repr(found)


@pytest.mark.parametrize(
    ("printed", "model", "revision"),
    [
        ("/mnt/disk/someone/Tiny-1B", "Tiny-1B", None),
        (r"C:\models\Tiny-1B", "Tiny-1B", None),
        ("/c/models--acme--Tiny-1B/snapshots/" + "a1" * 20, "acme/Tiny-1B", "a1" * 20),
        ("acme/Tiny-1B", "acme/Tiny-1B", None),
        ("provider/acme/Tiny-1B", "provider/acme/Tiny-1B", None),
    ],
)
def test_a_model_path_gives_its_name_and_no_folder(printed, model, revision):
    conditions = run(VLLM | {"model_id": printed}).conditions
    assert (conditions.model, conditions.model_revision) == (model, revision)


def test_a_sweep_is_one_run_a_row():
    found = report([VLLM, VLLM | {"max_concurrency": 2}])
    assert [each.label for each in found.runs] == ["acme/Tiny-1B, 1 in flight", "acme/Tiny-1B, 2 in flight"]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (VLLM | {"rtfx": 0.0}, "bench serve of 2026 or later"),
        (VLLM, "bench serve of late 2025 or later"),
        (without(VLLM, "failed"), "bench serve of 2025"),
        (
            without(VLLM, "failed", "endpoint_type") | {"best_of": 1},
            "benchmark_serving.py of 2024 to mid 2025",
        ),
    ],
)
def test_the_age_of_a_vllm_client_shows_in_its_keys(row, words):
    assert report(row).format.startswith(words)


def test_an_sglang_run_states_what_the_server_answered():
    found = run(SGLANG)
    conditions = found.conditions
    assert (conditions.runtime, conditions.runtime_version) == ("SGLang", "0.5.8")
    assert (conditions.precision, conditions.kv_cache_precision) == ("fp8", None)
    assert (conditions.tensor_parallel, conditions.data_parallel, conditions.accelerators) == (4, 2, 8)
    assert conditions.prefix_cache is False
    assert conditions.flags == "mem_fraction_static=0.9"
    assert codes(found) == {"failures-not-reported"}


def test_addresses_and_keys_of_an_sglang_server_are_dropped():
    assert not {"10.1.2.3", "sk-secret", "someone's note"} & set(repr(run(SGLANG)).split("'"))


def test_data_parallel_attention_adds_no_accelerators():
    info = SGLANG["server_info"] | {"enable_dp_attention": True}
    assert run(SGLANG | {"server_info": info}).conditions.accelerators == 4


def test_disaggregated_servers_are_counted_apart():
    one = SGLANG["server_info"] | {"dp_size": 1, "tp_size": 2, "disable_radix_cache": False}
    other = one | {"version": "0.5.9", "tp_size": 4, "disable_radix_cache": True}
    conditions = run(SGLANG | {"server_info": {"prefill": [one, one], "decode": [other]}}).conditions
    assert (conditions.accelerators_prefill, conditions.accelerators_decode, conditions.accelerators) == (
        4,
        4,
        8,
    )
    assert conditions.runtime_version == "0.5.8 (prefill), 0.5.9 (decode)"
    assert conditions.tensor_parallel is None
    assert conditions.prefix_cache is True, "prefixes are reused where prompts are read"


def test_sglang_counts_failures_only_with_details():
    assert run(SGLANG).counts.failed is None
    assert run(SGLANG | {"errors": ["", "", "", "", "timeout"]}).counts.failed == 1


def test_random_lengths_differ_from_what_was_asked():
    found = run(SGLANG | {"random_range_ratio": 0.0, "random_input_len": 200, "random_output_len": 40})
    assert [quirk.sentence for quirk in found.quirks if quirk.code == "nominal-lengths"] == [
        "200 input tokens were asked for and 100 were processed on average: compare by the actual length.",
        "40 output tokens were asked for and 20 were processed on average: compare by the actual length.",
    ]


def test_gaps_of_speculative_runs_over_the_openai_protocol_are_left_out():
    found = run(SGLANG | {"backend": "sglang-oai", "accept_length": 2.5})
    assert not [figure for figure in found.figures if figure.metric == "itl_chunk_client"]
    assert "itl-ambiguous" in codes(found)


def test_sglang_latency_in_another_unit_is_noticed():
    assert "concurrency-inconsistent" in codes(run(SGLANG | {"concurrency": 8.0}))


def test_lines_that_were_appended_are_runs_of_one_file():
    assert len(report([SGLANG, SGLANG]).runs) == 2


def test_a_rate_that_grows_is_no_request_rate():
    found = run(
        VLLM | {"ramp_up_strategy": "linear", "ramp_up_start_rps": 1, "ramp_up_end_rps": 9, "request_rate": 9}
    )
    assert (found.conditions.load_mode, found.conditions.request_rate) == ("open", None)
    assert "ramp-up" in codes(found)


def test_one_latency_in_another_unit_does_not_fit_the_others():
    assert "parts-inconsistent" in codes(run(VLLM | {"mean_ttft_ms": 0.1, "mean_tpot_ms": 0.1}))
    assert "parts-inconsistent" in codes(run(SGLANG | {"mean_ttft_ms": 100_000.0}))


def test_a_copy_without_counts_and_rates_is_recognised_and_says_what_it_lacks():
    found = run({key: value for key, value in VLLM.items() if key.endswith("_ms")})
    assert found.counts.ok is None
    assert "no-counts" in codes(found)
    assert {"model", "load_mode", "input_tokens"} <= set(found.missing)


def test_what_else_a_file_holds_is_said():
    found = report([VLLM, {"level": "info", "message": "secret"}])
    assert [quirk.code for quirk in found.quirks] == ["other-objects"]
    assert "secret" not in repr(found)


def test_latencies_no_server_can_reach_are_noticed_under_an_open_load_too():
    seconds = {key: value / 1000 for key, value in VLLM.items() if key.endswith("_ms")}
    assert "seconds-labelled-ms" in codes(
        run(VLLM | seconds | {"request_rate": 0.5, "max_concurrency": None})
    )


def test_a_cap_above_the_number_of_requests_binds_nothing():
    assert "cap-not-reached" in codes(run(VLLM | {"max_concurrency": 64}))
