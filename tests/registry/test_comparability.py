"""Two records → verdict. The table comes first: each line is a pair, what is expected of it, and most are traps."""

import dataclasses
import random
from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry.readers.metrics import METRICS
from registry.reasoning import nearest as nearest_module
from registry.reasoning.benchmark_facts import Figure, MetricFacts, Record, by_name, flag_set, version
from registry.reasoning.comparability import (
    COMPARABLE,
    NOT_COMPARABLE,
    REFUSES,
    WITH_DIFFERENCES,
    compare,
    compare_many,
    ratio_allowed,
)
from registry.reasoning.comparability_metrics import METRIC_KEYS
from registry.reasoning.comparability_rules import DIFFERS, RULES, SILENT
from registry.reasoning.completeness import incomplete
from registry.reasoning.metric_families import family_of
from registry.reasoning.mlperf import COMPATIBLE, NOT_VERIFIED, ROUNDS, TRADEMARK, VERIFIED, required_footnote
from registry.reasoning.nearest import CONDITIONS, OUTCOMES, Neighbourhood, nearest


def metric(key, unit="ms", clock="client", scope="request", phase="decode", **facts):
    words = {"name": key, "formula": key, "family": family_of(key), **facts}
    return MetricFacts(key=key, unit=unit, clock=clock, scope=scope, phase=phase, **words)


TTFT = metric("ttft_client", formula="first chunk - request sent", phase="prefill")
TPOT = metric("tpot_client", formula="(E2E - TTFT) / (n - 1)")
TPOT_ENGINE = metric("tpot_engine", formula="(E2E - TTFT) / (n - 1)", clock="engine")
TPOT_WITH_FIRST = metric("tpot_with_first_client", formula="E2E / n", phase="request")
TPOT_BY_TOKEN = metric("tpot_by_token_client", formula="(E2E - TTFT) / (n - 1)")
ITL = metric("itl_chunk_client", formula="gap between two chunks")
ITL_WITH_FIRST = metric("itl_with_first_client", formula="(TTFT + gaps) / chunks", phase="request")
E2E = metric("e2e_client", formula="last token - request sent", phase="request")
RATES = {"unit": "tokens/s", "scope": "system", "phase": "run"}
OUTPUT = metric("output_throughput_client", formula="generated tokens / T", **RATES)
TOTAL = metric("total_throughput_client", formula="(prompt + generated tokens) / T", **RATES)
PER_GPU = metric("output_throughput_per_accelerator_client", formula="generated tokens / T / accelerators",
                 **RATES | {"scope": "accelerator"})  # fmt: skip
GOODPUT = metric("goodput_client", "requests/s", scope="system", phase="run")
LENGTHS = metric("input_tokens", "tokens", phase="request")
WATTS = metric("power", "W", scope="system", phase="run", family="power")
TOKENS = metric("server_tokens_loadgen", clock="load generator", **RATES)


def figures(*stated):
    """Figures of metrics, or of (metric, statistic) pairs; the values do not matter."""
    pairs = [each if isinstance(each, tuple) else (each, "mean") for each in stated]
    return tuple(Figure(metric, statistic, Decimal(10 + n)) for n, (metric, statistic) in enumerate(pairs))


USUAL = figures(TTFT, (TTFT, "p99"), TPOT, (TPOT, "p99"), OUTPUT)
SERVED = Record(
    "B-1/1",
    hardware="NVIDIA H100 SXM", hardware_form="accelerator", accelerators=8, nodes=1, interconnect="NVLink 4",
    checkpoint="meta-llama/Llama-3.1-8B-Instruct", checkpoint_revision="0e9e39f", precision="FP8",
    runtime="vLLM", runtime_version="0.9.1", flags="--tensor-parallel-size 8 --max-num-seqs 256",
    task="chat", quality_gate="none stated", dataset="random",
    prompt_tokens="1024", output_tokens="128", prompt_tokens_actual=Decimal(1024), output_tokens_actual=Decimal(128),
    context_policy="no history", cache_policy="prefix caching off", cache_state="cold", load_mode="closed",
    concurrency=64, warm_up="16 requests, left out", streaming=True, sampling="temperature 0",
    boundary="client to HTTP endpoint on the same host", performed_by="Lab", submitter="Lab",
    tool="vllm bench serve", tool_version="0.9.1", requests_attempted=1000, requests_ok=1000, requests_failed=0,
    requests_incomplete=0, figures=USUAL,
)  # fmt: skip
OPEN = {"load_mode": "open", "concurrency": None, "request_rate": Decimal(4), "arrival": "Poisson"}
OFFLINE = {"load_mode": "offline", "concurrency": None}
MLPERF = dataclasses.replace(
    SERVED, name="B-1/1", suite="MLPerf Inference", suite_round="5.1", system_type="datacenter",
    benchmark="llama2-70b-99.9", division="closed", category="available", scenario="Server",
    verification_status="verified", result_id="5.1-0071", system="8xH100", retrieved_on="2026-04-28",
    retrieved_from="https://mlcommons.org", checkpoint=None, checkpoint_revision=None, dataset=None, task=None,
    quality_gate=None, prompt_tokens=None, output_tokens=None, prompt_tokens_actual=None, output_tokens_actual=None,
    context_policy=None, cache_policy=None, cache_state=None, load_mode=None, concurrency=None, warm_up=None,
    streaming=None, sampling=None, tool="LoadGen", tool_version="5.1", figures=figures((TOKENS, "value")),
)  # fmt: skip
DEEPSEEK = {"benchmark": "deepseek-r1"}


def changed(record, **facts):
    return dataclasses.replace(record, **facts)


def of(*stated):
    return {"figures": figures(*stated)}


SAME, YES, NO = COMPARABLE, WITH_DIFFERENCES, NOT_COMPARABLE
# What the pair is; what the first and the second record have; verdict; reasons (“!” refuses).
PAIRS = [
    # Nothing stands against it, whatever it looks like.
    ("alike", {}, {}, SAME, ""),
    ("trap: only case, width and blanks differ", {}, {"precision": " fp8 ", "runtime": "ＶＬＬＭ"}, SAME, ""),
    ("trap: flags in another order", {}, {"flags": "--max-num-seqs=256  --tensor-parallel-size 8"}, SAME, ""),
    ("trap: v before the version", {}, {"runtime_version": "v0.9.1"}, SAME, ""),
    ("trap: a rate with more zeros", OPEN, OPEN | {"request_rate": Decimal("4.00")}, SAME, ""),
    ("trap: mean lengths vary by chance", {}, {"prompt_tokens_actual": Decimal("1013.5")}, SAME, ""),
    ("trap: 0 of 1000 and 0 of 500 failed", {}, {"requests_attempted": 500, "requests_ok": 500}, SAME, ""),
    ("trap: one states a metric more", {}, of(TTFT, (TTFT, "p99"), TPOT, OUTPUT, E2E), SAME, ""),
    ("trap: all at once is offline", OFFLINE, OFFLINE | {"load_mode": "all at once"}, SAME, ""),
    # Definitions.
    ("TPOT with and without the first token", of(TPOT), of(TPOT_WITH_FIRST), NO, "metric-definition!"),
    ("trap: two kinds of ITL beside one TTFT", of(TTFT, ITL), of(TTFT, ITL_WITH_FIRST), YES, "metric-definition!"),
    ("trap: one formula, weighted by tokens", of(TPOT), of(TPOT_BY_TOKEN), NO, "metric-definition!"),
    ("output beside total throughput", of(OUTPUT), of(TOTAL), NO, "metric-definition!"),
    ("client and engine clock", of(TPOT), of(TPOT_ENGINE), NO, "metric-clock!"),
    ("trap: one key, another clock", of(TPOT), of(dataclasses.replace(TPOT, clock="server")), NO, "metric-clock!"),
    ("trap: one key, another unit", of(TPOT), of(dataclasses.replace(TPOT, unit="s")), NO, "metric-unit!"),
    ("trap: one key, another family's name", of(TPOT), of(dataclasses.replace(TPOT, family="ITL", formula="?")),
     NO, "metric-definition!"),
    ("trap: per system and per accelerator", of(OUTPUT), of(PER_GPU), NO, "metric-scope! metric-definition!"),
    ("trap: mean and p99 of one metric", of(TTFT), of((TTFT, "p99")), NO, "metric-statistic!"),
    ("trap: p99 beside a mean, another figure shared", of(OUTPUT, TTFT), of(OUTPUT, (TTFT, "p99")), YES,
     "metric-statistic!"),
    ("nothing alike", of(TTFT), of(OUTPUT), NO, "no-metric-in-common!"),
    ("trap: only lengths in common", of(TTFT, LENGTHS), of(OUTPUT, LENGTHS), NO, "no-metric-in-common!"),
    ("trap: no figures at all", {"figures": ()}, {"figures": ()}, NO, "no-metric-in-common!"),
    # What was measured.
    ("other hardware", {}, {"hardware": "NVIDIA H200 SXM"}, YES, "hardware"),
    ("unknown hardware", {}, {"hardware": None}, NO, "hardware!"),
    ("trap: blank hardware on both", {"hardware": ""}, {"hardware": " "}, NO, "hardware!"),
    ("trap: one name, rack and accelerator", {}, {"hardware_form": "rack"}, NO, "part-or-whole!"),
    ("trap: rack and accelerator, figures per accelerator", of(PER_GPU), of(PER_GPU) | {"hardware_form": "rack"}, YES,
     "part-or-whole"),
    ("server and rack", {"hardware_form": "server"}, {"hardware_form": "rack"}, YES, "hardware-form"),
    ("form not reported", {}, {"hardware_form": None}, YES, "hardware-form"),
    ("8 and 4 accelerators", {}, {"accelerators": 4}, YES, "accelerators"),
    ("trap: count not reported", {}, {"accelerators": None}, NO, "accelerators!"),
    ("one node and two", {}, {"nodes": 2}, YES, "nodes"),
    ("trap: one accelerator needs neither nodes nor links", {"accelerators": 1},
     {"accelerators": 1, "nodes": None, "interconnect": None}, SAME, ""),
    ("other links", {}, {"interconnect": "PCIe 5.0"}, YES, "interconnect"),
    ("other checkpoint", {}, {"checkpoint": "Qwen/Qwen3-8B"}, NO, "checkpoint!"),
    ("other checkpoint under one quality gate", {"quality_gate": "MMLU ≥ 68"},
     {"quality_gate": "MMLU ≥ 68", "checkpoint": "Qwen/Qwen3-8B"}, YES, "checkpoint"),
    ("trap: “none stated” is no gate", {"quality_gate": "none stated"},
     {"quality_gate": "None stated", "precision": "FP4"}, NO, "precision!"),
    ("trap: unknown checkpoint under one quality gate", {"quality_gate": "MMLU ≥ 68"},
     {"quality_gate": "MMLU ≥ 68", "checkpoint": None}, NO, "checkpoint!"),
    ("other revision", {}, {"checkpoint_revision": "5206a32"}, YES, "checkpoint-revision"),
    ("other precision", {}, {"precision": "BF16"}, NO, "precision!"),
    ("trap: FP8 and fp8 w/ bf16 kv", {}, {"precision": "fp8 w/ bf16 kv"}, NO, "precision!"),
    ("other precision, one quality gate", {"quality_gate": "MMLU ≥ 68"},
     {"quality_gate": "mmlu ≥ 68", "precision": "FP4"}, YES, "precision"),
    ("trap: other precision, other gates", {"quality_gate": "MMLU ≥ 68"},
     {"quality_gate": "MMLU ≥ 60", "precision": "FP4"}, NO, "precision! quality-gate"),
    ("precision not reported", {}, {"precision": None}, NO, "precision!"),
    ("other runtime: its version is no second reason", {}, {"runtime": "SGLang", "runtime_version": "0.5.8"}, YES,
     "runtime"),
    ("trap: 0.9.1 and 0.9.10", {}, {"runtime_version": "0.9.10"}, YES, "runtime-version"),
    ("trap: a flag's case counts", {"flags": "-n 1"}, {"flags": "-N 1"}, YES, "flags"),
    ("trap: the last of two equal flags wins", {"flags": "--x 1 --x 2"}, {"flags": "--x 2 --x 1"}, YES, "flags"),
    ("flags reported by neither", {"flags": None}, {"flags": None}, YES, "flags"),
    # The workload.
    ("other task", {}, {"task": "summarisation"}, NO, "task!"),
    ("trap: “none stated” and not reported", {}, {"quality_gate": None}, YES, "quality-gate"),
    ("other dataset", {}, {"dataset": "ShareGPT"}, NO, "dataset!"),
    ("trap: dataset not reported", {}, {"dataset": None}, YES, "dataset"),
    ("longer prompts", {}, {"prompt_tokens": "8192", "prompt_tokens_actual": Decimal(8192)}, NO,
     "prompt-length! length-distribution"),
    ("trap: asked alike, processed half", {}, {"prompt_tokens_actual": Decimal("512.3")}, NO, "prompt-length!"),
    ("trap: nominal and actual", {"prompt_tokens_actual": None, "output_tokens_actual": None}, {}, YES,
     "nominal-length"),
    ("trap: nominal 1024, actual 512, nothing else known", {"prompt_tokens_actual": None},
     {"prompt_tokens": None, "prompt_tokens_actual": Decimal(512)}, NO,
     "prompt-length! nominal-length length-distribution"),
    ("trap: one mean, other spread", {}, {"prompt_tokens": "uniform 1 to 2047"}, YES, "length-distribution"),
    ("prompts not reported", {}, {"prompt_tokens": None, "prompt_tokens_actual": None}, NO,
     "prompt-length! length-distribution"),
    ("longer outputs", {}, {"output_tokens_actual": Decimal(256)}, NO, "output-length!"),
    ("trap: outputs reported by neither", {"output_tokens": None, "output_tokens_actual": None},
     {"output_tokens": None, "output_tokens_actual": None}, NO, "output-length!"),
    ("other context", {}, {"context_policy": "whole conversation"}, YES, "context-policy"),
    ("other cache policy", {}, {"cache_policy": "prefix caching on"}, YES, "cache-policy"),
    ("cold and warm cache", {}, {"cache_state": "warm"}, NO, "cache-state!"),
    ("trap: cache state reported by neither", {"cache_state": None}, {"cache_state": None}, YES, "cache-state"),
    # The load.
    ("closed and open load", {}, OPEN, NO, "load-mode!"),
    ("trap: one concurrency, other load mode", {}, OPEN | {"concurrency": 64}, NO, "load-mode!"),
    ("served and offline", {}, OFFLINE, NO, "offline!"),
    ("load mode not reported", {}, {"load_mode": None}, NO, "load-mode!"),
    ("trap: closed load of unknown size", {}, {"concurrency": None}, YES, "concurrency"),
    ("trap: closed load of unknown size on both", {"concurrency": None}, {"concurrency": None}, YES, "concurrency"),
    ("trap: open load, capped on one side", OPEN, OPEN | {"concurrency": 64}, YES, "concurrency"),
    ("other concurrency", {}, {"concurrency": 65}, YES, "concurrency"),
    ("other rate", OPEN, OPEN | {"request_rate": Decimal(8)}, YES, "request-rate"),
    ("other arrivals", OPEN, OPEN | {"arrival": "constant"}, YES, "arrival"),
    ("warm-up not reported", {}, {"warm_up": None}, YES, "warm-up"),
    ("trap: streaming spoils tokens only", {}, {"streaming": False}, YES, "streaming!"),
    ("streaming, throughput alone", of(OUTPUT), of(OUTPUT) | {"streaming": False}, YES, "streaming"),
    ("trap: not streamed is not unreported", {"streaming": False}, {"streaming": None}, YES, "streaming"),
    ("other sampling", {}, {"sampling": "temperature 0.7"}, YES, "sampling"),
    ("goodput within other limits", of(GOODPUT) | {"latency_limits": "TTFT 2 s"},
     of(GOODPUT) | {"latency_limits": "TTFT 1 s"}, NO, "goodput-limits! latency-limits"),
    ("trap: goodput, limits reported by neither", of(GOODPUT), of(GOODPUT), NO, "goodput-limits!"),
    ("trap: goodput beside throughput", of(GOODPUT, OUTPUT), of(GOODPUT, OUTPUT), YES, "goodput-limits!"),
    ("other limits without goodput", {"latency_limits": "TTFT 2 s"}, {}, YES, "latency-limits"),
    # The measurement.
    ("other boundary", {}, {"boundary": "through a gateway"}, YES, "boundary"),
    ("trap: one metric key, two tools", {}, {"tool": "GuideLLM", "tool_version": "0.3.0"}, YES, "tool"),
    ("other version of the tool", {}, {"tool_version": "0.10.0"}, YES, "tool-version"),
    ("other hands", {}, {"performed_by": "NVIDIA"}, YES, "performed-by"),
    ("trap: no failures and not reported", {}, {"requests_failed": None}, YES, "failures"),
    ("trap: failures reported by neither", {"requests_failed": None}, {"requests_failed": None}, YES, "failures"),
    ("few failures", {}, {"requests_failed": 1, "requests_ok": 999}, YES, "failures"),
    ("trap: a third failed, latencies look well", {}, {"requests_failed": 340, "requests_ok": 660}, NO,
     "failures failure-share!"),
    ("trap: 3 failures each, of unknown many", {"requests_failed": 3, "requests_attempted": None, "requests_ok": None},
     {"requests_failed": 3, "requests_attempted": None, "requests_ok": None}, YES, "failures"),
    ("cut off at the end", {}, {"requests_incomplete": 64}, YES, "cut-off"),
    ("power of the chip and of the system", of(WATTS) | {"power_boundary": "accelerator"},
     of(WATTS) | {"power_boundary": "wall, whole system"}, NO, "power-boundary!"),
    ("trap: power boundary not reported, throughput stands", of(WATTS, OUTPUT), of(WATTS, OUTPUT), YES,
     "power-boundary!"),
    ("trap: a boundary without power", {}, {"power_boundary": "accelerator"}, SAME, ""),
    # Suites outside MLPerf, and MLPerf beside what is none.
    ("MLPerf and anything else", {}, {"suite": "MLPerf Inference"}, NO, "mlperf!"),
    ("trap: MLPerf under its owner's name", {"suite": "InferenceX"}, {"suite": "MLCommons MLPerf Inference v5.1"}, NO,
     "mlperf!"),
    ("trap: MLPerf's own code without its name", {}, {"tool": "LoadGen"}, NO, "mlperf! tool"),
    ("InferenceX and no suite", {}, {"suite": "InferenceX"}, YES, "suite"),
    ("other round of a suite", {"suite": "X", "suite_round": "1"}, {"suite": "X", "suite_round": "2"}, YES,
     "suite-round"),
    ("other scenario", {"scenario": "A"}, {"scenario": "B"}, NO, "scenario!"),
    ("other division", {"division": "A"}, {"division": "B"}, YES, "division"),
    ("other category", {"category": "A"}, {"category": "B"}, YES, "category"),
    ("verified and nothing", {"verification_status": "verified"}, {}, YES, "verification"),
]  # fmt: skip
MLPERF_PAIRS = [
    ("alike", {}, {}, SAME, ""),
    ("trap: Closed with a capital", {"division": "Closed"}, {}, SAME, ""),
    ("other suite of MLPerf", {}, {"suite": "MLPerf Client"}, NO, "mlperf-suite!"),
    ("trap: the version stands in the suite's name", {"suite": "MLPerf® Inference v5.1"}, {}, SAME, ""),
    ("trap: MLCommons before the name", {"suite": "MLCommons MLPerf Inference"}, {}, SAME, ""),
    ("trap: LoadGen without a suite", {"suite": None}, {}, NO, "mlperf-suite!"),
    ("datacenter and edge", {}, {"system_type": "edge"}, NO, "mlperf-system-type!"),
    ("other benchmark", {}, DEEPSEEK, NO, "mlperf-benchmark!"),
    ("trap: 99 and 99.9", {}, {"benchmark": "llama2-70b-99"}, NO, "mlperf-benchmark!"),
    ("trap: Server and Interactive", {}, {"scenario": "Interactive"}, NO, "mlperf-scenario!"),
    ("trap: scenario reported by neither", {"scenario": None}, {"scenario": None}, NO, "mlperf-scenario!"),
    ("5.0 and 5.1 of Llama 2 are compatible", {"suite_round": "5.0"}, {}, YES, "mlperf-round"),
    ("trap: v5.1 and 5.1", {"suite_round": "v5.1"}, {}, SAME, ""),
    ("trap: 5.0 and 5.1 of DeepSeek", {"suite_round": "5.0"} | DEEPSEEK, DEEPSEEK, NO, "mlperf-round!"),
    ("trap: 3.1 and 5.1", {"suite_round": "3.1"}, {}, NO, "mlperf-round!"),
    ("trap: a version nobody has listed", {"suite_round": "7.0"}, {}, NO, "mlperf-round!"),
    ("trap: old MultiStream", {"suite_round": "1.1", "benchmark": "resnet", "scenario": "MultiStream"},
     {"suite_round": "2.0", "benchmark": "resnet", "scenario": "MultiStream"}, NO, "mlperf-round!"),
    ("round not reported", {"suite_round": None}, {}, NO, "mlperf-round!"),
    ("Open and Closed", {"division": "open"}, {}, NO, "mlperf-division!"),
    ("Open and Closed, with the reason", {"division": "open", "not_closed_because": "Weights were pruned."}, {}, YES,
     "mlperf-division"),
    ("trap: a reason for Open, beside an unknown division", {"division": "open", "not_closed_because": "Pruned."},
     {"division": None}, NO, "mlperf-division!"),
    ("preview and available", {"category": "preview"}, {}, YES, "mlperf-category"),
    ("trap: category not reported", {"category": None}, {}, NO, "mlperf-category!"),
    ("verified and unverified", {"verification_status": "unverified"}, {}, YES, "mlperf-verification"),
    ("trap: verified and not reported", {"verification_status": None}, {}, NO, "mlperf-verification!"),
    ("16 chips and 8", {"accelerators": 16}, {}, YES, "accelerators"),
    ("trap: chips reported by neither", {"accelerators": None}, {"accelerators": None}, NO, "accelerators!"),
    ("trap: precision is free in Closed", {"precision": "FP4"}, {}, YES, "precision"),
    ("trap: and not in Open", {"precision": "FP4", "division": "open"}, {"division": "open"}, NO, "precision!"),
    ("official power", of(WATTS) | {"power_boundary": "MLPerf Power, wall"},
     of(WATTS) | {"power_boundary": "MLPerf Power, wall"}, SAME, ""),
    ("trap: rated power on both", of(WATTS) | {"power_boundary": "TDP"}, of(WATTS) | {"power_boundary": "TDP"}, NO,
     "mlperf-power!"),
]  # fmt: skip
ALL = [(SERVED, pair) for pair in PAIRS] + [(MLPERF, pair) for pair in MLPERF_PAIRS]


def made(base, pair):
    _, first, second, *_ = pair
    return changed(base, **first), changed(base, **{"name": "B-2/1"} | second)


def keys(comparison):
    return {reason.rule + "!" * (reason.weight == REFUSES) for reason in comparison.reasons}


class TestTable:
    @pytest.mark.parametrize(
        ("base", "pair"), ALL, ids=[f"{base.suite or 'served'}: {pair[0]}" for base, pair in ALL]
    )
    def test_pair(self, base, pair):
        a, b = made(base, pair)
        found = compare(a, b)
        assert keys(found) == set(pair[4].split())
        assert found.verdict == pair[3]
        assert compare(b, a) == found

    def test_there_are_enough_and_half_of_them_are_traps(self):
        names = [pair[0] for _, pair in ALL]
        assert len(names) >= 60
        assert sum(name.startswith("trap") for name in names) >= len(names) / 2

    def test_every_rule_is_hit(self):
        hit = {reason.rule for base, pair in ALL for reason in compare(*made(base, pair)).reasons}
        hit |= {reason.rule for reason in compare(SERVED, MLPERF).reasons}
        assert hit == {rule.key for rule in RULES} | set(METRIC_KEYS)


class TestRules:
    def test_keys_are_unique(self):
        names = [rule.key for rule in RULES]
        assert len(set(names)) == len(names)

    @pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)
    def test_two_unknowns_weigh_as_one_or_do_not_apply(self, rule):
        assert rule.neither in (SILENT, rule.one_side)
        assert {rule.different, rule.one_side, rule.neither} <= {REFUSES, DIFFERS, SILENT}
        assert all(value in rule.sentence for value in ("{a}", "{b}", "{x}", "{y}"))
        assert rule.why.endswith(".")

    def test_every_fact_of_a_record_is_compared_or_known_not_to_be(self):
        compared = {rule.field for rule in RULES} | {"prompt_tokens_actual", "output_tokens_actual"}
        identity = {"name", "figures", "submitter", "system", "result_id", "retrieved_on", "retrieved_from"}
        counts = {"requests_attempted", "requests_ok", "not_closed_because"}
        assert {field.name for field in dataclasses.fields(Record)} == compared | identity | counts

    def test_a_sentence_names_both_values(self):
        (reason,) = compare(SERVED, changed(SERVED, name="B-2/1", concurrency=128)).reasons
        assert reason.sentence == "B-1/1 had 64 requests in flight, B-2/1 128."

    def test_a_sentence_says_who_does_not_report(self):
        (reason,) = compare(SERVED, changed(SERVED, name="B-2/1", requests_failed=None)).reasons
        assert reason.sentence == "B-2/1 does not report: failed requests (B-1/1: 0 of 1000 failed)."

    def test_a_definition_names_both_formulas(self):
        (reason,) = compare(
            changed(SERVED, **of(TPOT)), changed(SERVED, name="B-2/1", **of(TPOT_WITH_FIRST))
        ).reasons
        assert "tpot_client = (E2E - TTFT) / (n - 1)" in reason.sentence
        assert "tpot_with_first_client = E2E / n" in reason.sentence

    def test_all_reasons_are_given(self):
        other = changed(
            SERVED, name="B-2/1", cache_state="warm", dataset="ShareGPT", precision="BF16", nodes=2
        )
        assert keys(compare(SERVED, other)) == {"cache-state!", "dataset!", "precision!", "nodes"}

    def test_mlperf_beside_anything_else_is_refused(self):
        found = compare(SERVED, changed(MLPERF, name="B-2/1", **of(TTFT, OUTPUT)))
        assert found.verdict == NOT_COMPARABLE
        words = (
            "B-1/1 is none and B-2/1 is an MLPerf® result: "
            "MLPerf® results may be compared with MLPerf® results only."
        )
        assert words in [reason.sentence for reason in found.refusals]

    def test_unverified_beside_verified_carries_the_warning(self):
        found = compare(MLPERF, changed(MLPERF, name="B-2/1", verification_status="unverified"))
        assert "have not been through an MLPerf® review" in found.reasons[0].sentence
        assert "B-1/1 is verified, B-2/1 is unverified." in found.reasons[0].sentence


class TestRows:
    def test_what_is_shared_stands_side_by_side(self):
        found = compare(SERVED, changed(SERVED, name="B-2/1", figures=figures(OUTPUT, (TTFT, "p99"), E2E)))
        assert [(row.metric.key, row.statistic, row.stands) for row in found.metrics] == [
            ("output_throughput_client", "mean", True),
            ("ttft_client", "p99", True),
        ]
        assert found.metrics[0].values == (("B-1/1", Decimal(14)), ("B-2/1", Decimal(10)))

    def test_a_scoped_refusal_leaves_the_other_rows(self):
        found = compare(SERVED, changed(SERVED, name="B-2/1", streaming=False))
        stands = {row.metric.key: row.refused_by for row in found.metrics}
        assert stands == {
            "output_throughput_client": (),
            "ttft_client": ("streaming",),
            "tpot_client": ("streaming",),
        }
        assert ratio_allowed(found, "output_throughput_client")
        assert not ratio_allowed(found, "ttft_client")

    def test_a_whole_refusal_takes_every_row(self):
        found = compare(SERVED, changed(SERVED, name="B-2/1", cache_state="warm"))
        assert {row.refused_by for row in found.metrics} == {("cache-state",)}
        assert not any(ratio_allowed(found, row.metric.key) for row in found.metrics)

    def test_lengths_are_never_a_ratio(self):
        found = compare(*(changed(SERVED, name=name, **of(LENGTHS, TTFT)) for name in ("B-1/1", "B-2/1")))
        assert ratio_allowed(found, "ttft_client")
        assert not ratio_allowed(found, "input_tokens")
        assert not ratio_allowed(found, "unheard_of")

    @pytest.mark.parametrize(
        ("facts", "allowed"),
        [
            ({}, True),
            ({"category": "preview"}, True),
            ({"suite_round": "5.0"}, True),
            ({"suite_round": "3.1"}, False),
            ({"scenario": "Offline"}, False),
            ({"division": "open"}, False),
            ({"accelerators": None}, False),
            ({"suite": None}, False),
        ],
    )
    def test_ratios_of_mlperf(self, facts, allowed):
        found = compare(MLPERF, changed(MLPERF, name="B-2/1", **facts))
        assert ratio_allowed(found, "server_tokens_loadgen") is allowed

    @pytest.mark.parametrize(
        "twice", [figures(TTFT, TTFT), figures(TTFT, (dataclasses.replace(TTFT, clock="server"), "p99"))]
    )
    def test_a_record_says_each_thing_once(self, twice):
        with pytest.raises(
            ValueError, match=r"B-1/1 (states one figure twice|defines one metric in two ways)"
        ):
            changed(SERVED, figures=twice)


class TestMany:
    def test_groups_hold_only_what_may_stand_beside_each_other(self):
        records = [
            SERVED,
            changed(SERVED, name="B-2/1", hardware="NVIDIA H200 SXM", cache_state=None),
            changed(SERVED, name="B-10/1", cache_state="warm"),
        ]
        page = compare_many(records)
        assert [pair.names for pair in page.pairs] == [
            ("B-1/1", "B-2/1"), ("B-1/1", "B-10/1"), ("B-2/1", "B-10/1"),
        ]  # fmt: skip
        groups = {group.names for group in page.groups if group.metric == TTFT and group.statistic == "p99"}
        assert groups == {("B-1/1", "B-2/1"), ("B-2/1", "B-10/1")}

    def test_a_group_is_as_large_as_it_may_be(self):
        page = compare_many([changed(SERVED, name=f"B-{n}/1", concurrency=n) for n in range(6)])
        assert {len(group.names) for group in page.groups} == {6}

    @pytest.mark.parametrize("count", [0, 1, 7])
    def test_pages_hold_two_to_six(self, count):
        with pytest.raises(ValueError, match=f"2 to 6 different records, not {count}"):
            compare_many([changed(SERVED, name=f"B-{n}/1") for n in range(count)])

    def test_a_record_is_not_compared_with_itself(self):
        with pytest.raises(ValueError, match="different"):
            compare_many([SERVED, SERVED])


FACTS = {
    "hardware": ["H100", "H200"], "hardware_form": ["accelerator", "rack"], "accelerators": [1, 8],
    "checkpoint": ["a", "b"], "precision": ["FP8", "fp8", "BF16"], "quality_gate": ["none stated", "MMLU"],
    "prompt_tokens": ["1024", "8192", "uniform"], "prompt_tokens_actual": [Decimal(1000), Decimal(1024), Decimal(8000)],
    "cache_state": ["cold", "warm"], "load_mode": ["closed", "open", "offline", "all at once"], "concurrency": [1, 64],
    "request_rate": [Decimal(1), Decimal("1.0")], "streaming": [True, False], "flags": ["-a -b", "-b -a"],
    "suite": ["MLPerf Inference", "InferenceX"], "suite_round": ["5.0", "5.1", "v5.1"], "scenario": ["Server", "Offline"],
    "benchmark": ["llama2-70b-99", "deepseek-r1"], "system_type": ["datacenter", "edge"],
    "division": ["open", "closed"], "not_closed_because": ["pruned", "cut"], "category": ["available", "preview"],
    "verification_status": ["verified", "unverified"], "requests_attempted": [100, 1000],
    "requests_failed": [0, 10, 90], "latency_limits": ["1 s", "2 s"], "power_boundary": ["TDP", "MLPerf Power"],
}  # fmt: skip
STATED = [TTFT, TPOT, TPOT_ENGINE, ITL, OUTPUT, TOTAL, PER_GPU, GOODPUT, WATTS, LENGTHS,
          dataclasses.replace(TPOT, clock="server")]  # fmt: skip


@st.composite
def records(draw, name=None):
    """A served or an MLPerf record with a few facts changed or forgotten: with many, everything is refused."""
    base = draw(st.sampled_from([SERVED, SERVED, MLPERF]))
    fields = draw(st.lists(st.sampled_from(sorted(FACTS)), unique=True, max_size=3))
    facts = {field: draw(st.sampled_from([None, *FACTS[field]])) for field in fields}
    if draw(st.booleans()):
        chosen = draw(st.lists(st.sampled_from(STATED), unique_by=lambda metric: metric.key, max_size=5))
        statistics = st.sampled_from([["mean"], ["mean", "p99"]])
        facts |= of(*((metric, statistic) for metric in chosen for statistic in draw(statistics)))
    return changed(base, name=name or draw(st.sampled_from(["B-1/1", "B-2/1", "B-10/1"])), **facts)


class TestSymmetry:
    @given(records(), records())
    def test_it_does_not_matter_who_asks_about_whom(self, a, b):
        assert compare(a, b) == compare(b, a)

    @given(records(), records(), st.randoms())
    def test_the_order_of_figures_does_not_matter(self, a, b, order):
        if a.name == b.name:
            b = changed(b, name="B-3/1")
        mixed = changed(a, figures=tuple(order.sample(a.figures, len(a.figures))))
        assert compare(mixed, b) == compare(a, b)

    @given(st.tuples(*(records(f"B-{n}/1") for n in range(1, 5))), st.randoms())
    def test_the_order_of_records_does_not_matter(self, chosen, order):
        assert compare_many(order.sample(chosen, len(chosen))) == compare_many(chosen)

    @given(records("B-1/1"), records("B-2/1"))
    def test_verdict_reasons_and_rows_agree(self, a, b):
        found = compare(a, b)
        whole = [reason for reason in found.refusals if not reason.metrics]
        assert (found.verdict == COMPARABLE) <= (not found.reasons)
        assert (found.verdict == NOT_COMPARABLE) >= bool(whole)
        assert (found.verdict == NOT_COMPARABLE) <= bool(found.refusals)
        for row in found.metrics:
            assert a.metrics[row.metric.key] == b.metrics[row.metric.key]
            assert ratio_allowed(found, row.metric.key) <= row.stands
        assert (a.is_mlperf != b.is_mlperf) <= (found.verdict == NOT_COMPARABLE)

    @given(records("B-1/1"), records("B-2/1"), st.sampled_from(sorted(FACTS)))
    def test_what_one_does_not_report_is_never_equal(self, a, b, field):
        """Forgetting a fact that both shared never improves the verdict."""
        if getattr(a, field) != getattr(b, field) or field in ("suite", "requests_attempted"):
            return
        order = [COMPARABLE, WITH_DIFFERENCES, NOT_COMPARABLE]
        less = compare(changed(a, **{field: None}), b)
        assert order.index(less.verdict) >= order.index(compare(a, b).verdict)


class TestFootnote:
    def test_an_official_result(self):
        assert required_footnote(MLPERF) == (
            "MLPerf® Inference v5.1, closed division, datacenter, llama2-70b-99.9, Server scenario, category available, "
            "8 accelerators, submitted by Lab, system 8xH100. "
            "Result ID 5.1-0071, retrieved from https://mlcommons.org, on 2026-04-28. "
            + VERIFIED
            + " "
            + TRADEMARK
        )

    def test_an_unverified_result_says_so_twice(self):
        footnote = required_footnote(changed(MLPERF, verification_status="Unverified"))
        assert footnote.startswith("Unverified MLPerf® Inference v5.1")
        assert NOT_VERIFIED in footnote

    def test_an_unknown_status_is_never_verified(self):
        footnote = required_footnote(changed(MLPERF, verification_status=None))
        assert footnote.startswith("Unverified")
        assert VERIFIED not in footnote
        assert "not reported: read it as unverified." in footnote

    def test_what_is_missing_is_said(self):
        footnote = required_footnote(changed(MLPERF, result_id=None, suite_round="", accelerators=None))
        for words in (
            "result ID not reported",
            "(version not reported)",
            "number of accelerators not reported",
        ):
            assert words in footnote[0] + footnote[1:].replace("Result ID not", "result ID not")

    def test_derived_figures_are_not_official(self):
        assert "not official" in required_footnote(changed(MLPERF, **of(PER_GPU)))
        assert "not official" not in required_footnote(MLPERF)

    def test_other_records_have_none(self):
        assert required_footnote(SERVED) == ""

    def test_compatible_versions_are_spans_of_known_rounds(self):
        assert len({(kind, name) for kind, name, _, _ in COMPATIBLE}) == len(COMPATIBLE)
        assert all(ROUNDS.index(first) < ROUNDS.index(last) for _, _, first, last in COMPATIBLE)


class TestIncomplete:
    FULL = changed(SERVED, latency_limits="TTFT p99 2 s")

    def marks(self, **facts):
        return {mark.key for mark in incomplete(changed(self.FULL, **facts))}

    def test_a_full_record_has_no_marks(self):
        assert self.marks() == set()

    @pytest.mark.parametrize(
        ("facts", "gap"),
        [
            (of(OUTPUT), "no tail latency"),
            (of(OUTPUT, TTFT, (TTFT, "median"), (TTFT, "max")), "no tail latency"),
            ({"requests_failed": None}, "failures not reported"),
            ({"quality_gate": None}, "no quality task stated"),
        ],
    )
    def test_throughput_alone(self, facts, gap):
        mark = incomplete(changed(self.FULL, **facts))[0]
        assert mark.words == f"Throughput alone is incomplete: {gap}."

    def test_all_gaps_are_named(self):
        mark = incomplete(changed(self.FULL, requests_failed=None, quality_gate=None, **of(OUTPUT)))[0]
        assert mark.words.endswith("no tail latency, failures not reported, no quality task stated.")

    def test_no_throughput_no_mark(self):
        assert "throughput-alone" not in self.marks(**of(TTFT))

    @pytest.mark.parametrize(
        ("facts", "key"),
        [
            ({"quality_gate": ""}, "no-quality-task"),
            ({"requests_failed": None}, "failures"),
            ({"nodes": None}, "system"),
            ({"checkpoint_revision": None}, "model"),
            ({"flags": None}, "runtime"),
            ({"prompt_tokens": None, "prompt_tokens_actual": None}, "lengths"),
            ({"context_policy": None}, "context-policy"),
            ({"cache_state": None}, "cache"),
            ({"load_mode": None}, "load"),
            ({"concurrency": None}, "load"),
            (OPEN | {"request_rate": None}, "load"),
            ({"warm_up": None}, "warm-up"),
            ({"latency_limits": None}, "latency-limits"),
            ({"boundary": None}, "boundary"),
            ({"tool_version": None}, "tool"),
            (of(WATTS), "power-boundary"),
            (of(GOODPUT) | {"latency_limits": None}, "goodput-limits"),
        ],
    )
    def test_marks(self, facts, key):
        assert key in self.marks(**facts)

    def test_an_offline_run_needs_no_concurrency(self):
        assert "load" not in self.marks(**OFFLINE)

    def test_no_failures_are_reported(self):
        assert "failures" not in self.marks(requests_failed=0)

    def test_mlperf_names_what_must_be_cited(self):
        mark = incomplete(changed(MLPERF, category=None, result_id=" "))[-1]
        assert mark.words.endswith("availability category, result ID.")
        assert "suite-qualifiers" not in {each.key for each in incomplete(MLPERF)}

    def test_server_results_within_stated_limits_have_a_bounded_tail(self):
        found = incomplete(changed(MLPERF, latency_limits="TTFT 2000 ms, TPOT 200 ms (p99)"))
        assert "no tail latency" not in found[0].words
        assert "no tail latency" in incomplete(changed(MLPERF, scenario="Offline"))[0].words


def grid():
    """5,000 records: 10 hardware × 10 versions × 50 concurrencies, and nothing else differs."""
    return [
        changed(SERVED, name=f"B-{n + 1}/1", hardware=f"GPU {n % 10}", runtime_version=f"0.{n // 10 % 10}",
                concurrency=n // 100)
        for n in range(5000)
    ]  # fmt: skip


class TestNearest:
    def conditions(self, *others, record=SERVED):
        return {each.record.name: each.condition for each in nearest(record, others)}

    def test_exactly_one_condition(self):
        found = self.conditions(
            changed(SERVED, name="B-2/1", hardware="H200"),
            changed(SERVED, name="B-3/1", hardware="H200", concurrency=1),
            changed(SERVED, name="B-4/1"),
            changed(SERVED, name="B-5/1", precision="BF16"),
        )
        assert found == {"B-2/1": "hardware", "B-5/1": "precision"}

    def test_nothing_that_one_does_not_report(self):
        assert self.conditions(
            changed(SERVED, name="B-2/1", concurrency=None),
            changed(SERVED, name="B-3/1", hardware="H200", cache_state=None),
            changed(SERVED, name="B-4/1", hardware="H200", hardware_form=None),
            changed(SERVED, name="B-5/1", hardware="H200", prompt_tokens_actual=None),
        ) == {}  # fmt: skip

    def test_what_neither_reports_does_not_hinder(self):
        silent = changed(SERVED, sampling=None)
        assert self.conditions(changed(silent, name="B-2/1", nodes=2), record=silent) == {
            "B-2/1": "number of nodes"
        }

    def test_another_runtime_has_another_version(self):
        assert self.conditions(
            changed(SERVED, name="B-2/1", runtime="SGLang", runtime_version="0.5"),
            changed(SERVED, name="B-3/1", runtime_version="0.10"),
        ) == {"B-2/1": "runtime", "B-3/1": "version of the runtime"}

    def test_what_the_rules_take_for_one_is_one(self):
        other = changed(SERVED, name="B-2/1", precision="fp8", runtime_version="v0.9.1", nodes=2,
                        prompt_tokens_actual=Decimal("1013.5"))  # fmt: skip
        assert self.conditions(other) == {"B-2/1": "number of nodes"}

    def test_asked_alike_and_processed_otherwise_is_a_second_difference(self):
        assert (
            self.conditions(changed(SERVED, name="B-2/1", nodes=2, prompt_tokens_actual=Decimal(512))) == {}
        )

    @pytest.mark.parametrize(("actual", "found"), [(1051, {}), (2048, {"B-2/1": "prompt length"})])
    def test_means_on_two_sides_of_a_rounding_edge_are_alike(self, actual, found):
        mine = changed(SERVED, prompt_tokens=None, prompt_tokens_actual=Decimal(1049))
        assert (
            self.conditions(changed(mine, name="B-2/1", prompt_tokens_actual=Decimal(actual)), record=mine)
            == found
        )

    def test_outcomes_are_no_conditions(self):
        other = changed(
            SERVED, name="B-2/1", nodes=2, requests_failed=3, requests_attempted=900, submitter="X"
        )
        assert self.conditions(other) == {"B-2/1": "number of nodes"}

    def test_something_was_measured_alike(self):
        assert self.conditions(changed(SERVED, name="B-2/1", nodes=2, **of(E2E))) == {}

    def test_it_names_both_values(self):
        (found,) = nearest(
            SERVED, [changed(SERVED, name="B-2/1", prompt_tokens="2048", prompt_tokens_actual=Decimal(2048))]
        )
        assert (found.mine, found.theirs) == (
            "stated as 1024, 1024 processed on average",
            "stated as 2048, 2048 processed on average",
        )

    def test_conditions_are_what_the_rules_compare(self):
        filed = [field for fields in CONDITIONS for field in fields]
        assert sorted(filed) == sorted({rule.field for rule in RULES} - set(OUTCOMES) | {"output_tokens"})

    def test_it_is_mutual_and_agrees_with_looking_at_every_pair(self):
        sample = random.Random(1).sample(grid(), 200)
        places = Neighbourhood(sample)
        found = {(a.name, each.record.name) for a in sample for each in places.of(a)}
        assert {(b, a) for a, b in found} == found
        assert all(nearest(a, sample) == places.of(a) for a in sample[:20])
        facts = ("hardware", "runtime_version", "concurrency")
        for a, b in combinations(sample, 2):
            differ = sum(getattr(a, fact) != getattr(b, fact) for fact in facts)
            assert ((a.name, b.name) in found) == (differ == 1)

    def test_it_looks_at_neighbours_only(self, monkeypatch):
        looks = []
        judge = nearest_module.neighbour
        monkeypatch.setattr(nearest_module, "neighbour", lambda *pair: looks.append(1) or judge(*pair))
        everything = grid()
        found = nearest(everything[0], everything)
        assert len(found) == 9 + 9 + 49
        assert len(looks) == len(found)

    def test_five_thousand_strangers_are_not_looked_at(self, monkeypatch):
        looks = []
        monkeypatch.setattr(nearest_module, "neighbour", lambda *pair: looks.append(1))
        places = Neighbourhood(
            changed(SERVED, name=f"B-{n}/1", hardware=f"GPU {n}", concurrency=n) for n in range(5000)
        )
        for n in range(0, 5000, 50):
            places.of(changed(SERVED, hardware=f"GPU {n}", concurrency=n))
        nearest(
            SERVED, [changed(SERVED, name=f"B-{n}/1", hardware=f"GPU {n}", nodes=n + 2) for n in range(5000)]
        )
        assert looks == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("--tp 8 --ep 2", "--ep 2 --tp 8"),
        ("--tp=8", "--tp 8"),
        ("--seed -1 --tp 8", "--tp 8 --seed -1"),
    ],
)
def test_flags_that_say_the_same(one, other):
    assert flag_set(one) == flag_set(other)


def test_names_are_ordered_as_people_count():
    assert sorted(["B-10/1", "B-9/2", "B-9/1"], key=by_name) == ["B-9/1", "B-9/2", "B-10/1"]


@pytest.mark.parametrize(
    ("text", "same"), [("v5.1", "5.1"), ("V 5.1", "5.1"), ("vNext", "vnext"), ("", None), (None, None)]
)
def test_versions(text, same):
    assert version(text) == same


@pytest.mark.parametrize(
    ("key", "family"),
    [
        ("tpot_client", "time per output token"),
        ("itl_with_first_client", "time per output token"),
        ("ttft_engine", "time to first token"),
        ("total_throughput_client", "tokens per second"),
        ("server_tokens_loadgen", "tokens per second"),
        ("input_tokens", "input_tokens"),
    ],
)
def test_families(key, family):
    assert key in METRICS
    assert family_of(key) == family
