"""genai-perf: its inter token latency is a time per output token, and it is silent about failures."""

import pytest

from registry.readers.errors import Unreadable
from tests.readers.made import codes, figures, report, run
from tests.readers.made_reports import GENAI, GENAI_TABLE
from tests.readers.real import real


def test_each_figure_has_its_definition_and_unit():
    found = figures(run(GENAI))
    assert found["ttft_client", "mean"] == "100 ms"
    assert found["tpot_client", "p99"] == "110 ms", (
        "(E2E - TTFT) / (n - 1) of a request, not the gap between chunks"
    )
    assert found["e2e_client", "median"] == "2000 ms"
    assert found["request_throughput_client", "value"] == "0.5 requests/s"
    assert found["output_throughput_client", "value"] == "10 tokens/s"
    assert found["user_e2e_throughput_client", "mean"] == "10 tokens/s"
    assert not any(metric == "itl_chunk_client" for metric, _ in found)


def test_it_states_load_and_lengths_and_is_silent_about_failures():
    found = run(GENAI)
    assert found.conditions.load_mode == "closed"
    assert found.conditions.concurrency == 1
    assert found.conditions.model == "acme/Tiny-1B"
    assert (found.counts.ok, found.counts.failed) == (None, None)
    assert {"failures-not-reported", "backend-not-evidence"} <= codes(found)
    assert {"hardware", "accelerators", "runtime", "runtime_version"} <= set(found.missing)


def test_no_address_and_no_folder_is_kept():
    assert "acme.example" not in repr(report(GENAI))
    assert "someone" not in repr(report(GENAI))


def test_more_tokens_than_were_allowed_show_the_wrong_tokenizer():
    longer = GENAI["output_sequence_length"] | {"avg": 23.0}
    found = run(GENAI | {"output_sequence_length": longer})
    assert "tokenizer-mismatch" in codes(found)
    assert "tokenizer-mismatch" not in codes(run(GENAI))


def test_the_newer_sections_of_the_configuration_are_read():
    config = {
        "model_names": ["acme/Tiny-1B"],
        "endpoint": {"backend": "tensorrtllm", "type": "chat", "streaming": True},
        "perf_analyzer": {"stimulus": {"request_rate": 2.5}, "warmup_request_count": 3},
        "input": {
            "synthetic_tokens": {"mean": 100, "stddev": 5},
            "output_tokens": {"mean": 20},
            "random_seed": 7,
        },
        "tokenizer": {"name": "acme/Tiny-1B"},
    }
    found = run(GENAI | {"input_config": config})
    assert (found.conditions.load_mode, str(found.conditions.request_rate)) == ("open", "2.5")
    assert found.conditions.warm_up == "3 requests"
    assert found.conditions.length_distribution == "input normal, deviation 5 tokens"
    assert "overloaded" in codes(found), "0.5 of 2.5 requests/s were completed"


def test_the_table_is_read_with_its_thousands_separators():
    found = figures(run(GENAI_TABLE))
    assert found["ttft_client", "mean"] == "1100 ms"
    assert found["ttft_client", "median"] == "1100 ms"
    assert found["output_throughput_client", "value"] == "10 tokens/s"
    assert found["request_throughput_client", "value"] == "0.5 requests/s"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (",110.00,109.00", ",110.00", "seems cut off or edited"),
        ("100.00,90.00,110.00", "fast,90.00,110.00", "where a number belongs"),
        ("Inter Token Latency (ms)", "Time To First Token (ms)", "stands twice"),
    ],
)
def test_a_damaged_table_is_refused(old, new, words):
    with pytest.raises(Unreadable, match=words):
        report(GENAI_TABLE.replace(old, new))


def test_a_metric_in_another_unit_is_left_out_and_said():
    found = run(GENAI | {"request_latency": GENAI["request_latency"] | {"unit": "furlongs"}})
    assert "unit-not-known" in codes(found)
    assert not any(metric == "e2e_client" for metric, _ in figures(found))


def test_seconds_are_converted():
    found = run(GENAI | {"request_latency": {"unit": "sec", "avg": 2.0}})
    assert figures(found)["e2e_client", "mean"] == "2000 ms"


@pytest.mark.parametrize(
    ("load", "ttft", "tokens"), [("c1", "24.6", "86.44"), ("c100", "1019.69", "1806.07")]
)
def test_real_json_and_table_of_one_run_agree(load, ttft, tokens):
    name = f"genai-perf/no-licence/FernandoDorado_llama3-8b_{load}"
    full, rounded = run(real(f"{name}.json")), run(real(f"{name}.csv"))
    assert figures(full)["ttft_client", "mean"].startswith(ttft)
    assert figures(rounded)["output_throughput_client", "value"] == f"{tokens} tokens/s"
    for key, value in figures(rounded).items():
        exact = full.get(*key)
        assert exact is not None, key
        assert abs(float(value.split()[0]) - float(exact)) <= 0.0051, key
    assert "tokenizer-mismatch" in codes(full), "58 tokens for a forced 50"
