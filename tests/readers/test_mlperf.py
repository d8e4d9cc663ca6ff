"""MLPerf: valid performance runs only, tokens whatever the label says, accelerators over all nodes, and what must be printed."""

import pytest

from registry.readers.errors import Unreadable
from tests.readers.made import codes, figures, report, run
from tests.readers.made_reports import (
    MLPERF_CHECKER,
    MLPERF_LONG,
    MLPERF_OFFLINE,
    MLPERF_PIVOT,
    MLPERF_RESULT,
    MLPERF_SERVER,
    MLPERF_SYSTEM,
)
from tests.readers.real import real


def test_a_server_log_has_rates_and_latencies_of_the_load_generator():
    found = run(MLPERF_SERVER)
    assert figures(found) == {
        ("server_samples_loadgen", "value"): "0.5 samples/s",
        ("server_tokens_loadgen", "value"): "10 tokens/s",
        ("scheduled_samples_loadgen", "value"): "0.6 samples/s",
        ("e2e_loadgen", "min"): "1900 ms",
        ("e2e_loadgen", "mean"): "2000 ms",
        ("e2e_loadgen", "p99"): "2100 ms",
        ("e2e_loadgen", "p99.9"): "2200 ms",
        ("ttft_loadgen", "mean"): "100 ms",
        ("ttft_loadgen", "median"): "90 ms",
        ("ttft_loadgen", "p99"): "140 ms",
        ("tpot_loadgen", "mean"): "100 ms",
        ("tpot_loadgen", "p99"): "110 ms",
    }
    assert found.conditions.latency_limits == "p99 TTFT < 2000 ms, p99 TPOT < 200 ms"
    assert (found.conditions.load_mode, found.conditions.arrival, str(found.conditions.request_rate)) == (
        "open",
        "poisson",
        "0.6",
    )


def test_a_log_says_neither_model_nor_system_and_may_be_interactive():
    found = run(MLPERF_SERVER)
    assert {
        "model",
        "hardware",
        "accelerators",
        "submitter",
        "suite_version",
        "division",
        "result_id",
    } <= set(found.missing)
    assert {"server-or-interactive", "named-by-path", "mlperf-unverified"} <= codes(found)
    assert "mlperf-messaging" in {quirk.code for quirk in report(MLPERF_SERVER).quirks}


def test_offline_latencies_are_left_out_and_limits_do_not_hold():
    found = run(MLPERF_OFFLINE)
    assert figures(found) == {
        ("offline_samples_loadgen", "value"): "0.5 samples/s",
        ("offline_tokens_loadgen", "value"): "10 tokens/s",
    }
    assert "offline-latency-left-out" in codes(found)
    assert found.conditions.latency_limits is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Result is : VALID", "Result is : INVALID", "The run is INVALID"),
        ("Result is : VALID", "", "not stated"),
        ("Mode     : PerformanceOnly", "Mode     : AccuracyOnly", "AccuracyOnly"),
        ("performance_issue_same : 0", "performance_issue_same : 1", "audit"),
        ("accuracy_log_sampling_target : 0", "accuracy_log_sampling_target : 10", "TEST01"),
        ("samples_per_query : 1", "qsl_rng_seed : 16799458546791641818", "TEST05"),
        ("No errors encountered", "3 ERRORS encountered", "errors"),
    ],
)
def test_what_is_no_valid_performance_run_is_refused(old, new, words):
    found = run(MLPERF_SERVER.replace(old, new))
    assert words in found.refused
    assert found.figures == ()


def test_an_invalid_run_names_what_was_not_satisfied():
    text = MLPERF_SERVER.replace("VALID", "INVALID").replace(
        "duration satisfied : Yes", "duration satisfied : NO"
    )
    assert "Min duration satisfied: NO" in run(text).refused


def test_a_stream_has_its_percentile_and_the_estimate_that_is_published():
    found = run(
        "MLPerf Results Summary\nScenario : SingleStream\nMode     : PerformanceOnly\n"
        "90.0th percentile latency (ns) : 3000000\nResult is : VALID\nEarly Stopping Result:\n"
        " * Early stopping 90.0th percentile estimate: 3500000\nQPS w/ loadgen overhead         : 0.61\n"
        "90.00 percentile latency (ns)   : 3000000\n"
    )
    assert figures(found) == {
        ("stream_latency_loadgen", "p90"): "3 ms",
        ("stream_latency_estimate_loadgen", "p90"): "3.5 ms",
    }
    assert found.conditions.load_mode == "single stream"


def test_estimates_of_first_and_further_tokens_are_not_those_of_the_query():
    found = run(
        "MLPerf Results Summary\nScenario : SingleStream\nMode     : PerformanceOnly\n"
        "90.0th percentile latency (ns) : 3000000\nResult is : VALID\n"
        "TTFT Early Stopping Result:\n * Early stopping 90.0th percentile estimate: 270000\n"
        "TPOT Early Stopping Result:\n * Early stopping 90.0th percentile estimate: 26000\n"
    )
    assert figures(found) == {("stream_latency_loadgen", "p90"): "3 ms"}
    row = MLPERF_RESULT | {"Scenario": "SingleStream", "Performance_Units": "Latency (ms)"}
    assert figures(run([row])) == {("stream_latency_loadgen", "p90"): "1234.5 ms"}


def test_inferred_token_rates_are_not_read_as_reported():
    found = run(MLPERF_OFFLINE.replace("Tokens per second:", "Tokens per second (inferred):"))
    assert ("offline_tokens_loadgen", "value") not in figures(found)
    assert "tokens-inferred" in codes(found)


def test_the_renamed_latency_is_the_same():
    found = run(
        MLPERF_SERVER.replace("Time to Output", "Time per Output").replace(
            "time to output", "time per output"
        )
    )
    assert figures(found)["tpot_loadgen", "p99"] == "110 ms"


def test_seeds_tell_the_round_or_nothing():
    known = MLPERF_SERVER.replace("samples_per_query : 1", "qsl_rng_seed : 1780908523862526354")
    assert "seeds-of-round" in codes(run(known))
    assert run(known).conditions.suite_version is None, "a hint for a person, no statement of the file"
    assert "seeds-unknown" in codes(run(MLPERF_SERVER.replace("samples_per_query : 1", "qsl_rng_seed : 42")))


def test_a_log_of_an_accuracy_run_holds_no_result():
    for errors in ("No errors encountered during test.", "1 ERROR encountered. See detailed log."):
        found = run(f"\nNo warnings encountered during test.\n\n{errors}\n")
        assert "no results summary" in found.refused


def test_several_logs_in_one_file_are_several_runs():
    assert len(report(MLPERF_SERVER + MLPERF_OFFLINE).runs) == 2


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Scenario : Server", "Scenario : Somewhere", "LoadGen does not have"),
        ("per second : 0.60", "per second : fast", "no number"),
        ("tokens per second                 : 10.00", "tokens per second                 : 11.00", "twice"),
    ],
)
def test_a_damaged_log_is_refused(old, new, words):
    with pytest.raises(Unreadable, match=words):
        report(MLPERF_SERVER.replace(old, new))


def test_a_system_is_no_result_and_its_accelerators_are_those_of_all_nodes():
    found = run(MLPERF_SYSTEM)
    assert "no measurement" in found.refused
    stated = found.conditions
    assert (stated.accelerators, stated.nodes, stated.hardware) == (8, 2, "Imaginary X1")
    assert (stated.runtime, stated.runtime_version, stated.backend) == ("vLLM", "0.9.0", "Pytorch 2.7.0")
    assert (stated.submitter, stated.division, stated.category, stated.availability) == (
        "Acme",
        "closed",
        "datacenter",
        "preview",
    )


def test_a_published_result_is_tokens_whatever_its_label():
    found = run([MLPERF_RESULT])
    assert figures(found) == {("server_tokens_loadgen", "value"): "1234.5 tokens/s"}
    assert {"tokens-labelled-otherwise", "mlperf-identified"} <= codes(found)
    stated = found.conditions
    assert (stated.suite_version, stated.result_id, stated.scenario) == ("v5.1", "5.1-9999", "Interactive")
    assert (stated.division, stated.category, stated.availability) == ("closed", "datacenter", "available")
    assert (stated.accelerators, stated.nodes, stated.precision) == (8, 2, "fp8")


@pytest.mark.parametrize(
    ("model", "version", "units", "metric"),
    [
        ("gptj-99", "v3.1", "Queries/s", "server_queries_loadgen"),
        ("gptj-99", "v4.1", "Queries/s", "server_tokens_loadgen"),
        ("retinanet", "v5.1", "Queries/s", "server_samples_loadgen"),
        ("whisper", "v5.1", "Samples/s", "server_tokens_loadgen"),
        ("llama2-70b-99.9", "v4.0", "Tokens/s", "server_tokens_loadgen"),
    ],
)
def test_which_models_are_measured_in_tokens_depends_on_the_round(model, version, units, metric):
    row = MLPERF_RESULT | {
        "Model": model,
        "Scenario": "Server",
        "version": version,
        "Performance_Units": units,
    }
    assert set(figures(run([row]))) == {(metric, "value")}


def test_the_token_rate_of_gptj_is_said_to_be_computed():
    row = MLPERF_RESULT | {"Model": "gptj-99", "Scenario": "Server", "version": "v4.1"}
    assert "tokens-by-mean-length" in codes(run([row]))


def test_without_a_round_an_ambiguous_unit_is_refused():
    row = {key: value for key, value in MLPERF_RESULT.items() if key not in ("version", "ID")}
    assert "cannot be said" in run([row]).refused


@pytest.mark.parametrize(("units", "value"), [("Latency (ms)", "1234.5 ms"), ("Latency (s)", "1234500 ms")])
def test_a_stream_is_measured_by_its_headline_percentile(units, value):
    row = MLPERF_RESULT | {"Model": "resnet", "Scenario": "SingleStream", "Performance_Units": units}
    assert figures(run([row])) == {("stream_latency_estimate_loadgen", "p90"): value}


def test_scenarios_are_known_however_they_are_written():
    found = run(
        [MLPERF_RESULT | {"Model": "resnet", "Scenario": "offline", "Performance_Units": "Samples/s"}]
    )
    assert (found.conditions.scenario, found.conditions.load_mode) == ("Offline", "all at once")


def test_results_with_errors_or_an_unknown_unit_are_refused():
    assert "counted 2 errors" in run([MLPERF_RESULT | {"errors": 2}]).refused
    assert "is not known" in run([MLPERF_RESULT | {"Performance_Units": "Watts"}]).refused
    assert "inferred" in codes(run([MLPERF_RESULT | {"inferred": 1}]))


def test_the_checkers_table():
    language, vision = report(MLPERF_CHECKER).runs
    assert figures(language) == {("server_tokens_loadgen", "value"): "57174.1 tokens/s"}
    assert figures(vision) == {("offline_samples_loadgen", "value"): "100.5 samples/s"}
    assert "mlperf-unverified" in codes(language)
    assert language.conditions.accelerators == 8


def test_the_pivot_is_read_by_system_benchmark_and_scenario():
    offline, server, processors = report(MLPERF_PIVOT).runs
    assert figures(offline) == {("offline_tokens_loadgen", "value"): "48047 tokens/s"}
    assert figures(server) == {("server_tokens_loadgen", "value"): "22545.1 tokens/s"}
    assert (offline.conditions.model, offline.conditions.accelerators, offline.conditions.system) == (
        "deepseek-r1",
        8,
        "Acme, 8x X1",
    )
    assert figures(processors) == {("offline_samples_loadgen", "value"): "476.59 samples/s"}
    assert (processors.conditions.hardware, processors.conditions.accelerators) == (None, 0)
    assert "no-accelerator" in codes(processors)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (",,,,,,,,Avg. Result at System Name,,,476.59\r\n", "", "has no row"),
        (",,,,,,,,# of Nodes,2,2,\r\n", ",,,,,,,,# of Nodes,2,2\r\n", "cut off or edited"),
        ('"48,047.00"', "many", "not a number"),
    ],
)
def test_a_damaged_pivot_is_refused(old, new, words):
    with pytest.raises(Unreadable, match=words):
        report(MLPERF_PIVOT.replace(old, new))


def test_the_long_table_counts_the_accelerators_used():
    found = run(MLPERF_LONG)
    assert found.conditions.accelerators == 7, "two nodes of four hold one more"
    assert "fewer-than-nodes-hold" in codes(found)
    assert found.conditions.suite_version == "v6.0"


def test_the_long_table_comes_in_utf_16_with_a_single_byte_behind_it():
    assert len(report(b"\xff\xfe" + MLPERF_LONG.encode("utf-16-le") + b"\n").runs) == 1


def test_real_logs():
    server = run(real("mlperf/v5.1_AMD_8xMI300X_llama2-70b-99.9_Server_mlperf_log_summary.txt"))
    assert figures(server)["server_tokens_loadgen", "value"] == "24593.77 tokens/s"
    assert figures(server)["ttft_loadgen", "p99"] == "1914.647645 ms"
    assert figures(server)["tpot_loadgen", "p99"] == "193.380124 ms"
    offline = run(real("mlperf/v5.1_CoreWeave_GB300-NVL8_deepseek-r1_Offline_mlperf_log_summary.txt"))
    assert figures(offline)["offline_tokens_loadgen", "value"] == "48047 tokens/s"


def test_real_systems():
    amd = run(real("mlperf/v5.1_AMD_8xMI300X_2xEPYC_9575F_system.json")).conditions
    assert (amd.accelerators, amd.runtime, amd.availability) == (8, "vLLM", "available")
    coreweave = run(real("mlperf/v5.1_CoreWeave_GB300-NVL8_system.json")).conditions
    assert (coreweave.accelerators, coreweave.nodes, coreweave.availability) == (8, 2, "preview")


def test_the_real_pivot_agrees_with_the_real_logs():
    found = {
        (each.conditions.result_id, each.conditions.model, each.conditions.scenario): each
        for each in report(real("mlperf/published_v5.1_datacenter_closed_pivot.csv")).runs
    }
    assert len(found) == 554
    amd = found["5.1-0001", "llama2-70b-99.9", "Server"]
    assert figures(amd) == {("server_tokens_loadgen", "value"): "24593.77 tokens/s"}
    coreweave = found["5.1-0097", "deepseek-r1", "Offline"]
    assert figures(coreweave) == {("offline_tokens_loadgen", "value"): "48047 tokens/s"}
    assert found["5.1-0071", "llama3.1-405b", "Server"].conditions.accelerators == 72


def test_the_real_checkers_table():
    found = report(real("mlperf/v4.1_GigaComputing_submission-checker_summary.csv")).runs
    assert len(found) == 26
    mixtral = found[0]
    assert figures(mixtral) == {("server_tokens_loadgen", "value"): "57174.1 tokens/s"}
    assert "tokens-labelled-otherwise" in codes(mixtral)
    # As the published log of the run says: 14012.19 completed samples per second.
    assert figures(found[2]) == {("server_samples_loadgen", "value"): "14012.2 samples/s"}
    assert (mixtral.conditions.runtime, mixtral.conditions.runtime_version) == ("TensorRT", "10.2.0")
