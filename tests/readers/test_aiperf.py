"""AIPerf: two latencies a token with two definitions, errors beside successes, and three kinds of file."""

from decimal import Decimal

import pytest

from tests.readers.made import codes, figures, report, run, without
from tests.readers.made_reports import AIPERF, AIPERF_RECORDS, AIPERF_TABLE, aiperf_record
from tests.readers.real import real


def test_gap_between_chunks_and_time_per_token_are_two_metrics():
    found = run(AIPERF)
    assert figures(found)["tpot_client", "mean"] == "100 ms"
    assert figures(found)["itl_chunk_client", "mean"] == "200 ms"
    assert "chunked-stream" in codes(found)
    assert {f.n for f in found.figures if f.metric == "itl_chunk_client"} == {38}


def test_counts_load_and_limits_are_stated():
    found = run(AIPERF)
    assert (found.counts.attempted, found.counts.ok, found.counts.failed) == (5, 4, 1)
    stated = found.conditions
    assert (stated.load_mode, stated.concurrency, stated.requests) == ("closed", 1, 5)
    assert (stated.warm_up, stated.warm_up_excluded) == ("2 requests", True)
    assert stated.latency_limits == "request_latency 2100.0"
    assert (stated.input_tokens_requested, stated.output_tokens_requested) == (100, 20)
    assert stated.duration == Decimal("8")
    assert figures(found)["goodput_client", "value"] == "0.25 requests/s"


def test_version_and_schema_come_from_the_file():
    found = report(AIPERF)
    assert (found.tool, found.tool_version, found.format) == ("AIPerf", "0.10.0", "JSON summary, schema 1.3")


def test_the_start_is_utc_where_a_timestamp_shows_it():
    first = {"unit": "ns", "avg": 1767323045.5e9}
    assert run(AIPERF | {"min_request_timestamp": first}).conditions.started_at == "2026-01-02T03:04:05+00:00"
    assert run(AIPERF).conditions.started_at == "2026-01-02T03:04:05.000001", "as printed, without a zone"


def test_telemetry_names_the_gpu_and_not_how_many_were_used():
    found = run(AIPERF)
    assert found.conditions.hardware == "Imaginary X1"
    assert found.conditions.accelerators is None
    assert "telemetry-covers-machines" in codes(found)


def test_hosts_commands_and_error_texts_are_not_kept():
    shown = repr(report(AIPERF)) + repr(report(AIPERF_RECORDS))
    assert not [
        word for word in ("node7", "acme.example", "secret", "aiperf profile", "worker_7") if word in shown
    ]


def test_the_older_form_without_errors_has_none():
    config = {
        "endpoint": {"model_names": ["acme/Tiny-1B"], "type": "chat", "streaming": True},
        "loadgen": {
            "request_rate": 0.5,
            "arrival_pattern": "poisson",
            "request_count": 4,
            "warmup_request_count": 1,
        },
        "input": {"extra": [["ignore_eos", True]], "prompt": {"output_tokens": {"mean": 10, "stddev": 0}}},
    }
    older = without(AIPERF, "schema_version", "aiperf_version")
    found = run(older | {"error_request_count": None, "error_summary": [], "input_config": config})
    assert (found.counts.attempted, found.counts.failed) == (4, 0)
    assert (found.conditions.load_mode, found.conditions.arrival) == ("open", "poisson")
    assert "tokenizer-mismatch" in codes(found), "20 tokens counted where 10 were forced"
    assert "before schema versions" in report(older).format


def test_a_missing_count_of_errors_is_not_zero():
    found = run(without(AIPERF, "error_request_count", "error_summary"))
    assert found.counts.failed is None
    assert "failures-not-reported" in codes(found)


def test_a_cancelled_run_says_so():
    assert "cancelled" in codes(run(AIPERF | {"was_cancelled": True}))


def test_several_measured_phases_leave_the_load_open():
    phases = [{"type": "concurrency", "concurrency": n, "requests": 5} for n in (1, 8)]
    found = run(AIPERF | {"input_config": AIPERF["input_config"] | {"phases": phases}})
    assert found.conditions.load_mode is None
    assert "several-phases" in codes(found)


def test_prompts_from_a_file_of_conversations_leave_the_dataset_open_and_share_prefixes():
    datasets = [
        {"type": "file", "path": "/data/someone/turns.jsonl", "format": "multi_turn", "random_seed": 42}
    ]
    config = AIPERF["input_config"] | {"datasets": datasets}
    found = run(
        AIPERF | {"input_config": config, "run_info": {"random_seed": 43, "cli_command": "aiperf --url x"}}
    )
    assert found.conditions.dataset is None
    assert found.conditions.seed == 43
    assert "shared-prefixes" in codes(found)
    assert "someone" not in repr(found)


def test_statistics_over_runs_are_no_run():
    aggregate = {
        "aiperf_version": "0.10.0",
        "metadata": {"aggregation_type": "confidence"},
        "metrics": {"request_latency_avg": {"unit": "ms", "mean": 2000.0}},
    }
    assert "statistics over several runs" in run(aggregate).refused


def test_the_table_has_figures_counts_and_no_conditions():
    found = run(AIPERF_TABLE)
    assert figures(found)["tpot_client", "mean"] == "100 ms"
    assert figures(found)["itl_chunk_client", "p99"] == "390 ms"
    assert ("itl_chunk_client", "min") not in figures(found), "0.00 is missing"
    assert (found.counts.attempted, found.counts.ok, found.counts.failed) == (5, 4, 1)
    assert {"model", "load_mode"} <= set(found.missing)


def test_a_rate_rounded_to_nothing_is_said():
    table = AIPERF_TABLE.replace("Benchmark Duration (sec),8.00", "Benchmark Duration (sec),7.00")
    assert "rounded" in codes(run(table))


def test_a_table_of_errors_alone_is_refused_as_a_result():
    found = run(
        "Metric,avg,min,max,sum,p1,p50,p99,std\n"
        "Error Input Sequence Length (tokens),9.00,9.00,9.00,45.00,9.00,9.00,9.00,0.00\n\n"
        "Metric,Value\nError Request Count,5.00\n"
    )
    assert "None of 5 requests succeeded" in found.refused
    assert found.figures == ()


def test_records_are_computed_as_the_summary_is():
    found = run(AIPERF_RECORDS)
    assert (found.counts.attempted, found.counts.ok, found.counts.failed) == (4, 3, 1)
    values = figures(found)
    assert values["ttft_client", "mean"] == "60 ms"
    assert values["ttft_client", "p90"] == "76 ms", "0.9 × 2 = 1.8: 60 + 0.8 × (80 - 60)"
    assert values["itl_chunk_client", "mean"] == "20 ms"
    assert values["output_throughput_client", "value"] == "2.25 tokens/s", "9 tokens from second 101 to 105"
    assert {f.n for f in found.figures if f.metric == "itl_chunk_client"} == {6}
    assert found.conditions.warm_up == "1 requests"
    assert "warm-up-left-out" in codes(found)


def test_records_of_failures_alone_are_no_result():
    assert "succeeded" in run(aiperf_record(1, 1.0, error={"code": 500})).refused


def test_the_real_summary_holds_what_is_in_the_file():
    found = run(real("aiperf/aiperf_fixture_qwen3-0.6b_c1.json"))
    values = figures(found)
    assert values["tpot_client", "p99"].startswith("19.4817")
    assert values["itl_chunk_client", "max"].startswith("28.467239")
    # 12799 tokens in 255.56 s
    assert round(found.get("output_throughput_client"), 3) == round(
        Decimal(12799) / Decimal("255.560172701"), 3
    )
    assert (found.counts.ok, found.counts.failed) == (64, 0)
    assert found.conditions.hardware == "NVIDIA RTX 6000 Ada Generation"


def test_real_records_give_the_same_definitions():
    found = run(real("aiperf/aiperf_fixture_qwen3-0.6b_c1_records.jsonl"))
    assert found.counts.ok == 10
    # One token a chunk: the mean gap is the time per token.
    assert found.get("tpot_client", "mean") == found.get("itl_chunk_client", "mean")
    assert found.get("ttft_client", "max") < Decimal("34.8")


def test_the_real_table_counts_its_errors():
    found = run(real("aiperf/no-licence/databloom_qwen3-4b_v0.8.0_5errors.csv"))
    assert (found.counts.attempted, found.counts.ok, found.counts.failed) == (20, 15, 5)
    assert figures(found)["tpot_client", "mean"] == "30.82 ms"
    assert figures(found)["total_throughput_client", "value"] == "13.54 tokens/s"
    assert {"rounded", "failures"} <= codes(found)


@pytest.mark.parametrize("unit", ["s", "furlongs"])
def test_a_record_in_another_unit_is_no_record_of_ours(unit):
    record = aiperf_record(1, 1.0)
    record["metrics"]["time_to_first_token"]["unit"] = unit
    with pytest.raises(Exception, match="not given in ms"):
        report(record)
