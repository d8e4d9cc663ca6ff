"""LoadGen's `mlperf_log_summary.txt` (mlcommons/inference, loadgen/logging.cc and results.cc). Latencies are nanoseconds.

The log names no model, system, submitter or round: those stand in the path it was published under. “Interactive” is a
scenario of the rules, which LoadGen runs as Server. Offline latencies grow with the length of the run: no user waits so.
"""

import re
from decimal import Decimal

from registry.readers.conditions import Conditions
from registry.readers.errors import Unreadable, quoted
from registry.readers.findings import Findings
from registry.readers.metric import percentile
from registry.readers.mlperf_lines import ESTIMATE, HEADING, facts_of, number
from registry.readers.mlperf_rules import AUDIT_SEEDS, NEEDED, SEEDS, SUITE, UNVERIFIED
from registry.readers.numbers import plain
from registry.readers.run import Run

LATENCY = re.compile(
    r"(?P<rank>Min|Max|Mean|\d{1,2}(?:\.\d+)?(?:th|st|nd|rd)? percentile) "
    r"(?P<kind>first token latency|time (?:to|per) output token|latency) \(ns\)",
    re.IGNORECASE,
)
RATES = {
    ("Offline", "Samples per second"): "offline_samples_loadgen",
    ("Offline", "Tokens per second"): "offline_tokens_loadgen",
    ("Server", "Completed samples per second"): "server_samples_loadgen",
    ("Server", "Completed tokens per second"): "server_tokens_loadgen",
    ("Server", "Scheduled samples per second"): "scheduled_samples_loadgen",
}
LOADS = {
    "Offline": ("all at once", "all at once"),
    "Server": ("open", "poisson"),
    "SingleStream": ("single stream", "sequential"),
    "MultiStream": ("single stream", "sequential"),
}
ERRORS = re.compile(r"^\s*(?:\d{1,9}|No) errors? encountered", re.MULTILINE | re.IGNORECASE)
MILLION = Decimal(1_000_000)


def is_log(text: str) -> bool:
    return HEADING in text or (len(text) < 20_000 and ERRORS.search(text) is not None)


def read_logs(text: str) -> tuple[Run, ...]:
    """Each summary of the file: logs of several runs may stand one after another."""
    if HEADING not in text:
        refused = "The log has no results summary, as those of accuracy runs: it holds no result."
        return (Run(label="log without a summary", refused=refused),)
    return tuple(read_log(part) for part in text.split(HEADING)[1:])


def read_log(text: str) -> Run:
    findings = Findings()
    facts = facts_of(text)
    # The first rounds wrote “Single Stream”.
    scenario, mode = facts.get("Scenario", "").replace(" ", ""), facts.get("Mode", "")
    refused = refusal(text, facts, scenario, mode)
    if scenario not in LOADS:
        raise Unreadable(
            f"The log's scenario is {quoted(scenario)}, which LoadGen does not have. Upload the whole log."
        )
    if not refused:
        figures(facts, scenario, findings)
        refused = "" if findings.figures else "The log holds no measured figure: it seems cut off."
    remarks(text, facts, scenario, findings)
    conditions = stated(facts, scenario)
    findings.quirks.append(UNVERIFIED)
    return Run(
        label=f"{scenario}, {mode}",
        conditions=conditions,
        figures=() if refused else tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused=refused,
    )


def refusal(text: str, facts: dict[str, str], scenario: str, mode: str) -> str:
    """Why this run is no result: not valid, not a performance run, an audit test, or with errors."""
    if mode != "PerformanceOnly":
        return f"LoadGen ran in mode {quoted(mode or 'not stated')}; results come from PerformanceOnly alone."
    verdict = facts.get("Result is", "")
    if verdict != "VALID":
        reasons = "; ".join(
            f"{key}: {facts[key]}"
            for key in facts
            if key.endswith("atisfied") and facts[key].upper() != "YES"
        )
        stated = verdict if verdict in ("INVALID",) else "not stated"
        return f"The run is {stated}{f' ({reasons})' if reasons else ''}: an invalid run is no MLPerf result."
    if facts.get("performance_issue_same", "0") != "0" or facts.get("performance_issue_unique", "0") != "0":
        return (
            "The run issued the same samples again or unique ones only, as audit tests do: it is no result."
        )
    if facts.get("accuracy_log_sampling_target", "0") != "0":
        return "The run logged accuracy samples, as the audit test TEST01 does: it is no result."
    if facts.get("qsl_rng_seed") in AUDIT_SEEDS:
        return "The run used the random seeds of the audit test TEST05: it is no result."
    if re.search(r"^\s*\d+ ERRORS? encountered", text, re.MULTILINE):
        return "LoadGen met errors during the test, which the submission checker refuses: it is no result."
    return ""


def figures(facts: dict[str, str], scenario: str, findings: Findings) -> None:
    for (of, key), metric in RATES.items():
        if of == scenario and key in facts:
            findings.rate(metric, key, number(facts[key], key))
    groups: dict[str, dict[str, tuple[str, Decimal | None]]] = {}
    for key, text in facts.items():
        if match := LATENCY.fullmatch(key):
            kind, statistic = metric_of(match["kind"].lower(), scenario), rank_of(match["rank"])
            if kind and statistic:
                groups.setdefault(kind, {})[statistic] = (key, number(text, key))
        elif (match := ESTIMATE.fullmatch(key)) and (statistic := rank_of(match["rank"])):
            # What the results page publishes for a stream: SingleStream's p90, MultiStream's p99.
            groups.setdefault("stream_latency_estimate_loadgen", {})[statistic] = (key, number(text, key))
    for metric, group in groups.items():
        findings.spread(metric, "ns", group)


def metric_of(kind: str, scenario: str) -> str | None:
    if scenario == "Offline":
        return None
    if kind == "latency":
        return "e2e_loadgen" if scenario == "Server" else "stream_latency_loadgen"
    return "ttft_loadgen" if kind == "first token latency" else "tpot_loadgen"


def rank_of(rank: str) -> str | None:
    word = rank.lower()
    return (
        word
        if word in ("min", "max", "mean")
        else percentile(re.sub(r"(?:st|nd|rd|th)? percentile", "", word))
    )


def stated(facts: dict[str, str], scenario: str) -> Conditions:
    mode, arrival = LOADS[scenario]
    rate = number(facts["target_qps"], "target_qps") if "target_qps" in facts else None
    return Conditions(
        suite=SUITE,
        scenario=scenario,
        load_mode=mode,
        arrival=arrival,
        request_rate=rate if rate and scenario == "Server" else None,
        latency_limits=limits(facts) if scenario == "Server" else None,
    )


def limits(facts: dict[str, str]) -> str | None:
    """What the 99th percentile had to stay under; for a model without tokens, the latency of the whole sample."""
    found = [
        f"p99 {name} < {plain((number(facts[key], key) / MILLION).normalize())} ms"
        for key, name in (("ttft_latency (ns)", "TTFT"), ("tpot_latency (ns)", "TPOT"))
        if key in facts
    ]
    tokens = any("irst token latency" in key for key in facts)
    if found and tokens:
        return ", ".join(found)
    key = "target_latency (ns)"
    return (
        f"p99 latency < {plain((number(facts[key], key) / MILLION).normalize())} ms" if key in facts else None
    )


def remarks(text: str, facts: dict[str, str], scenario: str, findings: Findings) -> None:
    if scenario == "Offline" and any(LATENCY.fullmatch(key) for key in facts):
        findings.note(
            "offline-latency-left-out",
            "Offline latencies count from the start of the run, when every sample is issued: they are no user's latency and "
            "are left out.",
        )
    if scenario == "Server":
        findings.note(
            "server-or-interactive",
            "LoadGen logs Interactive runs as Server: which it was stands in the path of the file only.",
            "Scenario",
        )
    if seed := facts.get("qsl_rng_seed"):
        if seed in SEEDS:
            findings.note(
                "seeds-of-round", f"The random seeds are those of round {SEEDS[seed]}.", "qsl_rng_seed"
            )
        elif seed not in AUDIT_SEEDS:
            findings.warn(
                "seeds-unknown",
                "The random seeds are those of no round this reader knows; an audit test or a test of one's own has others.",
                "qsl_rng_seed",
            )
    if any("(inferred)" in key for key in facts):
        findings.warn(
            "tokens-inferred", "A token rate marked (inferred) was not reported by the system: left out."
        )
    if warnings := re.search(r"^\s*(\d{1,9}) warnings? encountered", text, re.MULTILINE | re.IGNORECASE):
        findings.note("loadgen-warnings", f"LoadGen met {warnings[1]} warning(s) during the test.")
    findings.note(
        "named-by-path",
        "The log names neither model, system, submitter, division nor round; they stand in the path it was published under "
        "(division/submitter/results/system/model/scenario/performance/run_1), and runs under compliance, TESTnn, accuracy "
        "or ranging are no results.",
    )
