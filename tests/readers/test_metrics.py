"""The vocabulary of definitions: no two formulas share a key, no word of a tool decides."""

import pytest

from registry.readers import READERS
from registry.readers.conditions import NAMES, Conditions
from registry.readers.metric import PERCENTILES, STATISTICS, percentile
from registry.readers.metrics import METRICS
from registry.readers.run import Report, figure
from tests.readers.made import ALL, report


def test_each_definition_has_one_key():
    formulas = [(metric.formula, metric.clock, metric.per, metric.phase) for metric in METRICS.values()]
    assert len(set(formulas)) == len(formulas)


def test_definitions_that_tools_mix_up_are_apart():
    kinds = ("tpot_client", "tpot_with_first_client", "itl_chunk_client", "itl_with_first_client")
    assert len({METRICS[kind].formula for kind in kinds}) == len(kinds)
    assert METRICS["tpot_client"].per == "request"
    assert METRICS["itl_chunk_client"].per == "chunk"


def test_a_clock_is_part_of_the_definition():
    assert METRICS["ttft_client"].clock == "client"
    assert METRICS["ttft_engine"].clock == "engine"


def test_rates_per_accelerator_say_so():
    divided = {
        key
        for key, metric in METRICS.items()
        if "/ accelerators" in metric.formula or "world size" in metric.formula
    }
    assert divided
    assert all(METRICS[key].per_accelerator for key in divided)


@pytest.mark.parametrize(
    ("text", "statistic"),
    [
        ("99", "p99"),
        ("p50", "median"),
        ("50.0", "median"),
        ("99.90", "p99.9"),
        ("0.1", "p0.1"),
        ("99.97", None),
        ("x", None),
    ],
)
def test_percentiles_are_words_of_a_closed_list(text, statistic):
    assert percentile(text) == statistic


def test_median_is_the_only_word_for_the_middle():
    assert "median" in STATISTICS
    assert "p50" not in PERCENTILES


def test_what_is_needed_are_facts():
    known = set(NAMES)
    for content in ALL.values():
        for run in report(content).runs:
            assert set(run.missing) <= known
            assert not set(run.missing) & set(run.conditions.stated())


@pytest.mark.parametrize("tool", sorted(ALL))
def test_each_sample_belongs_to_one_reader(tool):
    assert report(ALL[tool]).tool == tool


def test_readers_say_what_they_recognise():
    for reader in READERS:
        assert reader.TOOL
        assert reader.FORMATS


def test_figures_know_the_file_s_own_words():
    made = figure(
        "ttft_client", "mean", report(ALL["LLMPerf"]).runs[0].figures[0].value / 100000, "s", field="ttft"
    )
    assert made.unit == "ms"
    assert made.as_stated.endswith(" s")
    assert made.field == "ttft"


def test_an_unknown_load_mode_is_a_mistake_of_ours():
    with pytest.raises(AssertionError):
        Conditions(load_mode="half open")


def test_reports_are_frozen():
    found = report(ALL["vLLM bench serve"])
    assert isinstance(found, Report)
    assert hash(found.runs[0].figures[0]) == hash(report(ALL["vLLM bench serve"]).runs[0].figures[0])
