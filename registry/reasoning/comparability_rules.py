"""The rules by which two benchmark records may or may not be compared. Read RULES from top to bottom.

Each rule names a condition, what counts as equal, and how much it weighs where the two records differ in it, where one
does not report it, and where neither does. To refuse means: no figure, or none of the rule's rows, may stand beside
the other's. To differ means: they may, with the sentence beside them. The line `why` says why silence weighs so.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from registry.reasoning import comparability_alike as alike
from registry.reasoning import comparability_when as when
from registry.reasoning.benchmark_facts import MetricFacts, Record, flag_set, reported, shown, version
from registry.reasoning.mlperf import UNVERIFIED_BESIDE_VERIFIED, compatible_rounds, suite_name

REFUSES, DIFFERS, SILENT = "refuses", "differs", ""

Pair = tuple[Record, Record]


@dataclass(frozen=True)
class Rule:
    """`value` is what counts, `show` how a sentence names it; `eased` gives the words that turn a refusal into a stated
    difference; `rows` limits the rule to some figures, and then it says nothing where none of them is shared, unless
    `elsewhere` is set."""

    key: str
    condition: str
    field: str
    different: str
    one_side: str
    neither: str
    sentence: str
    why: str
    equal: Callable[[Any, Any], bool] = alike.same
    applies: Callable[[Record, Record], bool] = when.always
    eased: Callable[[Record, Record], str] | None = None
    value: Callable[[Record], Any] | None = None
    show: Callable[[Record], str] | None = None
    rows: Callable[[MetricFacts], bool] | None = None
    elsewhere: str = SILENT

    def of(self, record: Record) -> Any:
        return self.value(record) if self.value else reported(getattr(record, self.field))

    def words(self, record: Record) -> str:
        return self.show(record) if self.show else shown(getattr(record, self.field))


def text(field: str, normalised: Callable[[str | None], str | None]) -> Callable[[Record], str | None]:
    return lambda record: normalised(getattr(record, field))


def counted(field: str, noun: str) -> Callable[[Record], str]:
    return lambda record: f"{getattr(record, field)} {noun}{'' if getattr(record, field) == 1 else 's'}"


def per_system(metric: MetricFacts) -> bool:
    return not metric.per_accelerator


def of_streams(metric: MetricFacts) -> bool:
    return metric.phase in ("prefill", "decode")


def goodput(metric: MetricFacts) -> bool:
    return "goodput" in metric.key or "goodput" in metric.family


def energy(metric: MetricFacts) -> bool:
    return metric.energy


UNKNOWN_SUBJECT = "A figure whose subject is unknown says nothing about another."
MUST_BE_SAID = "MLCommons wants this difference said, and what is not reported cannot be."
COULD_BE_ALIKE = "The two may be alike in it, or not."

RULES: tuple[Rule, ...] = (
    # Suites. MLPerf first: its rules of messaging bind whoever shows its results.
    Rule("mlperf", "suite", "suite", REFUSES, SILENT, SILENT,
         "{a} is {x} and {b} is {y}: MLPerf® results may be compared with MLPerf® results only.",
         "A record that names no suite is no MLPerf result.",
         value=lambda r: r.is_mlperf, show=lambda r: "an MLPerf® result" if r.is_mlperf else "none"),
    Rule("mlperf-suite", "suite", "suite", REFUSES, REFUSES, REFUSES,
         "{a} belongs to {x}, {b} to {y}: two suites.", MUST_BE_SAID, applies=when.both_mlperf,
         value=text("suite", suite_name)),
    Rule("mlperf-system-type", "system type (datacenter or edge)", "system_type", REFUSES, REFUSES, REFUSES,
         "{a} is a result for {x} systems, {b} for {y} systems: they follow other rules.", MUST_BE_SAID,
         applies=when.both_mlperf),
    Rule("mlperf-benchmark", "benchmark", "benchmark", REFUSES, REFUSES, REFUSES,
         "{a} is a result of {x}, {b} of {y}: only results of one benchmark may be compared.", MUST_BE_SAID,
         applies=when.both_mlperf),
    Rule("mlperf-scenario", "scenario", "scenario", REFUSES, REFUSES, REFUSES,
         "{a} was run in the scenario {x}, {b} in {y}: only results of one scenario may be compared.", MUST_BE_SAID,
         applies=when.both_mlperf),
    Rule("mlperf-round", "version of the suite", "suite_round", REFUSES, REFUSES, REFUSES,
         "{a} belongs to version {x}, {b} to version {y}: only compatible versions may be compared.", MUST_BE_SAID,
         applies=when.both_mlperf, eased=compatible_rounds, value=text("suite_round", version)),
    Rule("mlperf-division", "division", "division", REFUSES, REFUSES, REFUSES,
         "{a} was submitted to the division {x}, {b} to {y}: it must be said why the Open result would not qualify.",
         MUST_BE_SAID, applies=when.both_mlperf, eased=alike.qualifies_as_open),
    Rule("mlperf-category", "availability category", "category", DIFFERS, REFUSES, REFUSES,
         "{a} is in the category {x}, {b} in {y}.", MUST_BE_SAID, applies=when.both_mlperf),
    Rule("mlperf-verification", "verification status", "verification_status", DIFFERS, REFUSES, REFUSES,
         "{a} is {x}, {b} is {y}. " + UNVERIFIED_BESIDE_VERIFIED, MUST_BE_SAID, applies=when.both_mlperf),
    Rule("suite", "suite", "suite", DIFFERS, DIFFERS, SILENT,
         "{a} comes from {x}, {b} from {y}.", "Most records belong to no suite; one that does follows its rules.",
         applies=when.neither_mlperf),
    Rule("suite-round", "round of the suite", "suite_round", DIFFERS, DIFFERS, SILENT,
         "{a} is from round {x} of the suite, {b} from {y}.", COULD_BE_ALIKE, applies=when.one_suite,
         value=text("suite_round", version)),
    Rule("scenario", "scenario", "scenario", REFUSES, DIFFERS, SILENT,
         "{a} was run in the scenario {x}, {b} in {y}: two different tests.",
         "Most tools know no scenarios.", applies=when.neither_mlperf),
    Rule("division", "division", "division", DIFFERS, DIFFERS, SILENT,
         "{a} is in the division {x}, {b} in {y}.", "Most suites know no divisions.", applies=when.neither_mlperf),
    Rule("category", "category", "category", DIFFERS, DIFFERS, SILENT,
         "{a} is in the category {x}, {b} in {y}.", "Most suites know no categories.", applies=when.neither_mlperf),
    Rule("verification", "verification status", "verification_status", DIFFERS, DIFFERS, SILENT,
         "{a} is {x} by its suite, {b} is {y}.", "Nobody verifies records outside suites; one that was stands out.",
         applies=when.neither_mlperf),
    # What was measured.
    Rule("hardware", "hardware", "hardware", DIFFERS, REFUSES, REFUSES,
         "{a} ran on {x}, {b} on {y}.", UNKNOWN_SUBJECT),
    Rule("part-or-whole", "form of the hardware", "hardware_form", REFUSES, SILENT, SILENT,
         "{a} is a record of {x}, {b} of {y}: figures of a whole system are none of its parts.",
         "The next rule says what is silent.",
         value=alike.part_or_whole, show=alike.form_shown, rows=per_system, elsewhere=DIFFERS),
    Rule("hardware-form", "form of the hardware", "hardware_form", DIFFERS, DIFFERS, DIFFERS,
         "{a} names its hardware as {x}, {b} as {y}.",
         "The hardware's name and the number of accelerators still say what ran.", applies=when.same_kind),
    Rule("accelerators", "number of accelerators", "accelerators", DIFFERS, REFUSES, REFUSES,
         "{a} used {x}, {b} used {y}.", UNKNOWN_SUBJECT, show=counted("accelerators", "accelerator")),
    Rule("nodes", "number of nodes", "nodes", DIFFERS, DIFFERS, DIFFERS,
         "{a} ran on {x}, {b} on {y}.", "The number of accelerators is known; how they were spread is not.",
         applies=when.several_accelerators, show=counted("nodes", "node")),
    Rule("interconnect", "interconnect", "interconnect", DIFFERS, DIFFERS, DIFFERS,
         "The accelerators of {a} were joined by {x}, those of {b} by {y}.", COULD_BE_ALIKE,
         applies=when.several_accelerators),
    Rule("checkpoint", "checkpoint", "checkpoint", REFUSES, REFUSES, REFUSES,
         "{a} ran {x}, {b} ran {y}: other weights, and tokens of another tokenizer may be other work.",
         UNKNOWN_SUBJECT, applies=when.not_both_mlperf, eased=alike.known_and_gated),
    Rule("checkpoint-revision", "revision of the checkpoint", "checkpoint_revision", DIFFERS, DIFFERS, DIFFERS,
         "{a} ran revision {x}, {b} ran {y}.", COULD_BE_ALIKE, applies=when.one_checkpoint),
    Rule("precision", "precision", "precision", REFUSES, REFUSES, REFUSES,
         "{a} computed in {x}, {b} in {y}: cheaper arithmetic may give other answers.",
         "Unknown arithmetic may be half the work.", eased=alike.both_gated),
    Rule("runtime", "runtime", "runtime", DIFFERS, DIFFERS, DIFFERS,
         "{a} ran in {x}, {b} in {y}.", COULD_BE_ALIKE),
    Rule("runtime-version", "version of the runtime", "runtime_version", DIFFERS, DIFFERS, DIFFERS,
         "{a} ran version {x} of the runtime, {b} version {y}.", COULD_BE_ALIKE, applies=when.one_runtime,
         value=text("runtime_version", version)),
    Rule("flags", "flags of the runtime", "flags", DIFFERS, DIFFERS, DIFFERS,
         "The runtime of {a} was given {x}, that of {b} {y}.", COULD_BE_ALIKE, value=text("flags", flag_set)),
    # What was asked of it. An MLPerf benchmark fixes all this by its rules.
    Rule("task", "task", "task", REFUSES, DIFFERS, DIFFERS,
         "{a} was given the task {x}, {b} {y}.", "The dataset and the lengths below still say what was asked.",
         applies=when.not_both_mlperf),
    Rule("quality-gate", "quality gate", "quality_gate", DIFFERS, DIFFERS, DIFFERS,
         "{a} was held to the quality gate {x}, {b} to {y}.",
         "The work was the same; whether the answers were as good is not known.", applies=when.not_both_mlperf),
    Rule("dataset", "dataset", "dataset", REFUSES, DIFFERS, DIFFERS,
         "{a} was asked {x}, {b} {y}.", "Lengths, which weigh most, are compared by themselves.",
         applies=when.not_both_mlperf),
    Rule("prompt-length", "prompt length", "prompt_tokens", REFUSES, REFUSES, REFUSES,
         "Tokens of a prompt of {a}: {x}; of {b}: {y}.", "Any speed can be had by asking for less.",
         applies=when.not_both_mlperf, equal=alike.lengths_alike, value=alike.prompt_length,
         show=lambda r: str(alike.prompt_length(r))),
    Rule("output-length", "output length", "output_tokens", REFUSES, REFUSES, REFUSES,
         "Tokens of an output of {a}: {x}; of {b}: {y}.", "Any speed can be had by asking for less.",
         applies=when.not_both_mlperf, equal=alike.lengths_alike, value=alike.output_length,
         show=lambda r: str(alike.output_length(r))),
    Rule("nominal-length", "lengths as processed", "prompt_tokens_actual", DIFFERS, SILENT, SILENT,
         "The lengths of {a} are {x}, those of {b} {y}: what was asked for is not always what was processed.",
         "A length that is not reported at all is refused above.", applies=when.not_both_mlperf,
         value=alike.length_basis, show=lambda r: str(alike.length_basis(r))),
    Rule("length-distribution", "distribution of lengths", "prompt_tokens", DIFFERS, DIFFERS, SILENT,
         "The lengths of {a} are stated as {x}, those of {b} as {y}.", "The means are known; how lengths vary is not.",
         applies=when.not_both_mlperf, value=alike.distributions, show=alike.distributions_shown),
    Rule("context-policy", "context policy", "context_policy", DIFFERS, DIFFERS, DIFFERS,
         "The context policy of {a} is {x}, that of {b} {y}.", COULD_BE_ALIKE, applies=when.not_both_mlperf),
    Rule("cache-policy", "cache policy", "cache_policy", DIFFERS, DIFFERS, DIFFERS,
         "The cache policy of {a} is {x}, that of {b} {y}.", COULD_BE_ALIKE, applies=when.not_both_mlperf),
    Rule("cache-state", "cache state", "cache_state", REFUSES, DIFFERS, DIFFERS,
         "{a} ran with a {x} cache, {b} with a {y} one: what the cache holds need not be computed.",
         "A cache may have answered in place of the system; hardly any tool writes it down.",
         applies=when.not_both_mlperf),
    Rule("offline", "load mode", "load_mode", REFUSES, SILENT, SILENT,
         "{a} was measured {x}, {b} {y}: a batch without waiting users is no service.", "The next rule says what is silent.",
         applies=when.not_both_mlperf, value=alike.offline, show=alike.load_shown),
    Rule("load-mode", "load mode", "load_mode", REFUSES, REFUSES, REFUSES,
         "{a} was measured under {x} load, {b} under {y} load: in one, a slow system is asked for less.",
         "Latency and throughput mean nothing without the load.", applies=when.served, value=alike.load),
    Rule("concurrency", "concurrency", "concurrency", DIFFERS, DIFFERS, DIFFERS,
         "{a} had {x} requests in flight, {b} {y}.", COULD_BE_ALIKE, applies=when.concurrency_matters),
    Rule("request-rate", "request rate", "request_rate", DIFFERS, DIFFERS, DIFFERS,
         "{a} was sent {x} requests per second, {b} {y}.", COULD_BE_ALIKE, applies=when.rate_matters),
    Rule("arrival", "arrival process", "arrival", DIFFERS, DIFFERS, DIFFERS,
         "Requests reached {a} as {x}, {b} as {y}.", COULD_BE_ALIKE, applies=when.rate_matters),
    Rule("warm-up", "warm-up", "warm_up", DIFFERS, DIFFERS, DIFFERS,
         "Warm-up of {a}: {x}; of {b}: {y}.", "A cold start may be among the figures.", applies=when.not_both_mlperf),
    Rule("streaming", "streaming", "streaming", REFUSES, DIFFERS, DIFFERS,
         "Answers of {a} were {x}, those of {b} {y}: their first and later tokens were not seen at the same moments.",
         "Figures of tokens exist only where something was streamed.", applies=when.not_both_mlperf,
         show=lambda r: "streamed" if r.streaming else "sent whole", rows=of_streams, elsewhere=DIFFERS),
    Rule("sampling", "sampling", "sampling", DIFFERS, DIFFERS, DIFFERS,
         "{a} sampled with {x}, {b} with {y}.", COULD_BE_ALIKE, applies=when.not_both_mlperf),
    Rule("goodput-limits", "latency limits", "latency_limits", REFUSES, REFUSES, REFUSES,
         "Goodput of {a} counts requests within {x}, that of {b} within {y}.",
         "Goodput is defined by its limits.", rows=goodput),
    Rule("latency-limits", "latency limits", "latency_limits", DIFFERS, DIFFERS, SILENT,
         "{a} was run for the latency limits {x}, {b} for {y}.", "Without goodput, limits are only an aim.",
         applies=when.not_both_mlperf),
    # How it was measured.
    Rule("boundary", "measurement boundary", "boundary", DIFFERS, DIFFERS, DIFFERS,
         "The figures of {a} cover {x}, those of {b} {y}.", "The clocks of the figures are compared by themselves."),
    Rule("tool", "tool", "tool", DIFFERS, DIFFERS, DIFFERS,
         "{a} was measured with {x}, {b} with {y}: one formula, two programs.", COULD_BE_ALIKE),
    Rule("tool-version", "version of the tool", "tool_version", DIFFERS, DIFFERS, DIFFERS,
         "{a} was measured with version {x} of the tool, {b} with {y}.", COULD_BE_ALIKE, applies=when.one_tool,
         value=text("tool_version", version)),
    Rule("performed-by", "who ran it", "performed_by", DIFFERS, DIFFERS, SILENT,
         "{a} was run by {x}, {b} by {y}.", "Who runs a test may favour its subject; for many files nobody says."),
    Rule("failures", "failed requests", "requests_failed", DIFFERS, DIFFERS, DIFFERS,
         "Requests of {a}: {x}; of {b}: {y}.", "Not reported is not 0: latencies cover only what succeeded.",
         value=alike.failures, equal=alike.failures_alike, show=alike.failures_shown),
    Rule("failure-share", "failed requests", "requests_failed", REFUSES, SILENT, SILENT,
         "So different shares failed ({a}: {x}; {b}: {y}) that the figures cover other requests.",
         "The rule above says what is silent.", equal=alike.shares_near, value=alike.failed_share,
         show=alike.failures_shown),
    Rule("cut-off", "requests cut off at the end", "requests_incomplete", DIFFERS, SILENT, SILENT,
         "{a} left {x} requests unfinished at its end, {b} {y}.", "Most tools wait for every request."),
    Rule("power-boundary", "power boundary", "power_boundary", REFUSES, REFUSES, REFUSES,
         "Power of {a} was measured at {x}, of {b} at {y}.", "The chip alone draws a fraction of the system.",
         rows=energy),
    Rule("mlperf-power", "power boundary", "power_boundary", REFUSES, SILENT, SILENT,
         "Power of {a} was measured at {x}, of {b} at {y}: with MLPerf® results, only power by the MLPerf® Power "
         "methodology may be compared.", "The rule above says what is silent.", applies=when.both_mlperf,
         value=alike.measured_by_mlperf_power, equal=alike.both_hold, rows=energy),
)  # fmt: skip
