"""GuideLLM: one key, three definitions; rates by their mean alone; requests cut off are neither ok nor failed."""

from typing import Any

import pytest

from registry.readers.errors import Unreadable
from tests.readers.made import codes, figures, report, run
from tests.readers.made_reports import GUIDELLM, GUIDELLM_OLD, GUIDELLM_TABLE, GUIDELLM_TABLE_OLD, spread
from tests.readers.real import real


def with_metrics(content: dict[str, Any], **metrics: Any) -> dict[str, Any]:
    (benchmark,) = content["benchmarks"]
    return content | {"benchmarks": [benchmark | {"metrics": benchmark["metrics"] | metrics}]}


def test_the_newer_time_per_token_includes_the_first():
    found = figures(run(GUIDELLM))
    assert found["tpot_with_first_by_token_client", "mean"] == "100 ms", "(100 + 19 × 100) / 20"
    assert found["tpot_by_token_client", "mean"] == "100 ms"
    assert not any(metric == "tpot_client" for metric, _ in found)


def test_the_older_time_per_token_leaves_the_first_out_and_divides_by_all():
    found = figures(run(GUIDELLM_OLD))
    assert found["tpot_decode_over_all_client", "mean"] == "95 ms", "19 × 100 / 20"
    assert found["tpot_client", "mean"] == "100 ms", "its inter token latency is one value a request"


def test_a_time_per_token_of_no_known_definition_is_left_out():
    found = run(with_metrics(GUIDELLM, time_per_output_token_ms=spread(70.0, 80)))
    assert "definition-unknown" in codes(found)
    assert not any("first" in metric or "over_all" in metric for metric, _ in figures(found))


def test_seconds_and_milliseconds_are_told_apart_and_rates_are_means():
    found = figures(run(GUIDELLM))
    assert found["e2e_client", "mean"] == "2000 ms"
    assert found["ttft_client", "p99.9"] == "100 ms"
    assert found["request_throughput_client", "value"] == "0.5 requests/s", "the median over slices is 99"
    assert found["total_throughput_client", "value"] == "60 tokens/s"


def test_a_total_rate_that_is_no_total_is_left_out():
    found = run(with_metrics(GUIDELLM_OLD, tokens_per_second=spread(99.0)))
    assert "total-rate-left-out" in codes(found)
    assert ("total_throughput_client", "value") not in figures(found)


def test_cut_off_requests_are_neither_ok_nor_failed():
    counts = run(GUIDELLM).counts
    assert (counts.attempted, counts.ok, counts.failed, counts.incomplete) == (7, 4, 1, 2)
    assert "failures" in codes(run(GUIDELLM))


def test_the_load_of_each_layout():
    newer, older = run(GUIDELLM).conditions, run(GUIDELLM_OLD).conditions
    assert (newer.load_mode, newer.concurrency, newer.warm_up) == ("closed", 1, "0.1 of the run")
    assert (older.load_mode, str(older.request_rate), older.arrival, older.warm_up) == (
        "open",
        "0.5",
        "constant",
        "none",
    )
    assert (older.input_tokens_requested, older.output_tokens_requested) == (100, 20)
    assert older.started_at == "2026-01-02T03:04:05+00:00"


def test_the_middle_layout_has_its_arguments_at_the_top():
    (benchmark,) = GUIDELLM["benchmarks"]
    config = benchmark["config"] | {"strategy": {"type_": "poisson", "rate": 0.5, "max_concurrency": 512}}
    middle = {
        "metadata": {"version": 1, "guidellm_version": "0.5.0"},
        "args": {
            "target": "http://node7.acme.example", "data": ['{"prompt_tokens":100,"output_tokens":20}'], "profile": "poisson",
            "model": "acme/Tiny-1B", "random_seed": 42, "processor": None,
        },
        "benchmarks": [benchmark | {"config": config}],
    }  # fmt: skip
    found = run(middle)
    stated = found.conditions
    assert (stated.load_mode, stated.arrival, stated.concurrency, stated.seed) == (
        "open",
        "poisson",
        None,
        42,
    )
    assert (stated.input_tokens_requested, stated.output_tokens_requested) == (100, 20)
    assert "tool-limit" in codes(found), "512 is GuideLLM's own limit"
    assert "node7" not in repr(report(middle))


def test_versions_come_from_the_content():
    assert report(GUIDELLM).tool_version == "0.8.0"
    assert "0.2 to 0.3" in report(GUIDELLM_OLD).format


@pytest.mark.parametrize("content", [GUIDELLM, GUIDELLM_OLD])
def test_addresses_folders_and_prompts_are_not_kept(content):
    shown = repr(report(content))
    assert not [word for word in ("node7", "someone", "secret") if word in shown]


def test_all_requests_failed_is_no_result():
    totals = {"successful": 0, "errored": 5, "incomplete": 0, "total": 5}
    found = run(with_metrics(GUIDELLM, request_totals=totals))
    assert "None of 5 requests succeeded" in found.refused
    assert found.figures == ()


def test_shared_prefixes_are_said():
    data = [{"kind": "synthetic_text", "prompt_tokens": 100, "prefix_buckets": [{"prefix_tokens": 50}]}]
    content = GUIDELLM | {"config": {"spec": GUIDELLM["config"]["spec"] | {"data": data}}}
    assert "shared-prefixes" in codes(run(content))


def test_both_tables_are_read():
    older = run(GUIDELLM_TABLE_OLD)
    assert figures(older)["ttft_client", "p99"] == "119 ms"
    assert figures(older)["ttft_client", "p0.1"] == "81 ms"
    assert (older.counts.ok, older.counts.failed, older.counts.incomplete) == (4, 1, 2)
    newer = run(GUIDELLM_TABLE)
    assert figures(newer)["ttft_client", "max"] == "120 ms"
    assert figures(newer)["output_throughput_client", "value"] == "10 tokens/s"
    assert "latency-per-token-left-out" in codes(newer), "the table does not say how they are weighted"


def test_a_row_that_does_not_fit_its_header_is_refused():
    with pytest.raises(Unreadable, match="cannot be told apart"):
        report(GUIDELLM_TABLE + "2,generative_benchmark,4,2,1,7,100.0,100.0,10.0\n")
    with pytest.raises(Unreadable, match="not 11 numbers"):
        report(GUIDELLM_TABLE.replace("[80, 81, ", "["))


def test_the_real_old_report():
    found = run(real("guidellm/guidellm_v0.2-0.3_benchmarks_stripped.json"))
    # 4.9416 × 127 / 128 = 4.9030
    assert figures(found)["tpot_client", "mean"].startswith("4.9416")
    assert figures(found)["tpot_decode_over_all_client", "mean"].startswith("4.9030")
    assert (found.counts.attempted, found.counts.ok, found.counts.incomplete) == (47, 46, 1)
    assert "total-rate-left-out" in codes(found), "992.7 tokens/s of 1.548 requests/s × 385 tokens"


def test_the_real_new_report():
    first, second = report(real("guidellm/llm-d-benchmark_guidellm_v0.8dev_mock.json")).runs
    # (11.481 + 7 × 1.1508) / 8 = 2.442
    assert figures(first)["tpot_with_first_by_token_client", "mean"].startswith("2.442")
    assert (str(first.conditions.request_rate), str(second.conditions.request_rate)) == ("2.0", "4.0")
