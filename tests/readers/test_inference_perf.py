"""inference-perf: per token or per chunk, decided by the numbers; stages, not their sum."""

from typing import Any

from tests.readers.made import codes, figures, report, run
from tests.readers.made_reports import INFERENCE_PERF
from tests.readers.real import real


def with_latency(**latencies: Any) -> dict[str, Any]:
    successes = INFERENCE_PERF["successes"]
    return INFERENCE_PERF | {"successes": successes | {"latency": successes["latency"] | latencies}}


def test_seconds_become_milliseconds_under_their_definitions():
    found = figures(run(INFERENCE_PERF))
    assert found["e2e_client", "p99.9"] == "2100 ms"
    assert found["tpot_client", "mean"] == "100 ms", "(2 - 0.1) / 19 s"
    assert found["tpot_with_first_client", "mean"] == "100 ms", "2 / 20 s"
    assert found["itl_chunk_client", "mean"] == "50 ms"
    assert found["total_throughput_client", "value"] == "60 tokens/s"


def test_a_time_per_token_that_is_one_per_chunk_is_read_as_such():
    found = run(with_latency(time_per_output_token={"mean": 0.05, "p99": 0.06}))
    assert figures(found)["time_per_chunk_client", "mean"] == "50 ms"
    assert "per-chunk" in codes(found)
    assert ("tpot_client", "mean") not in figures(found)


def test_a_time_per_token_of_neither_definition_is_left_out():
    found = run(with_latency(time_per_output_token={"mean": 0.5}))
    assert "definition-unknown" in codes(found)
    assert not {"tpot_client", "time_per_chunk_client"} & {metric for metric, _ in figures(found)}


def test_a_stage_states_its_load_and_failures():
    found = run(INFERENCE_PERF)
    assert (found.conditions.load_mode, str(found.conditions.request_rate)) == ("open", "0.5")
    assert (found.counts.attempted, found.counts.ok, found.counts.failed) == (5, 4, 1)
    assert codes(found) == {"failures"}


def test_the_summary_over_stages_has_no_load():
    summary = run(INFERENCE_PERF | {"load_summary": {"count": 5, "schedule_delay": {"median": 4.5}}})
    assert summary.conditions.load_mode is None
    assert {"stages-mixed", "generator-behind"} <= codes(summary)


def test_a_report_without_a_count_is_read_and_says_nothing_of_failures():
    successes = {key: value for key, value in INFERENCE_PERF["successes"].items() if key != "count"}
    found = run({"load_summary": {"count": 4}, "successes": successes | {"prompt_tokens": {"mean": 160.0}}})
    assert figures(found)["e2e_client", "mean"] == "2000 ms"
    assert (found.counts.ok, found.counts.failed) == (None, None)
    assert "two-token-counts" in codes(found)


def test_failures_alone_are_no_result():
    found = run(INFERENCE_PERF | {"successes": {"count": 0, "latency": None, "throughput": None}})
    assert "succeeded" in found.refused
    assert found.figures == ()


def test_the_real_summary():
    found = run(real("inference-perf/kubecon2025_vllm_summary_lifecycle_metrics.json"))
    assert (
        report(real("inference-perf/kubecon2025_vllm_summary_lifecycle_metrics.json")).tool
        == "inference-perf"
    )
    assert (found.counts.ok, found.counts.failed) == (38717, 0)
    # (3.1323 - 2.0417) / (62.37 - 1) = 0.01777 s a token, and the file says 0.00845
    assert figures(found)["time_per_chunk_client", "mean"].startswith("8.4465")
    assert {"per-chunk", "stages-mixed", "bursts", "empty-outputs", "generator-behind"} <= codes(found)
