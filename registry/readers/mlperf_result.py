"""One published MLPerf result: a number, what it measures, and on what it ran."""

from dataclasses import dataclass, replace
from decimal import Decimal

from registry.readers.conditions import Conditions
from registry.readers.findings import Findings
from registry.readers.mlperf_log import LOADS
from registry.readers.mlperf_rules import IDENTIFIED, NEEDED, SUITE, UNVERIFIED, in_tokens, round_of
from registry.readers.mlperf_system import host, software, total
from registry.readers.numbers import plain
from registry.readers.run import Run, figure
from registry.readers.text import kept

# (scenario, unit as labelled) → metric, the file's unit; the statistic is the one the rules make the headline.
METRICS = {
    ("Offline", "samples/s"): ("offline_samples_loadgen", "samples/s", "value"),
    ("Offline", "tokens/s"): ("offline_tokens_loadgen", "tokens/s", "value"),
    ("Server", "samples/s"): ("server_samples_loadgen", "samples/s", "value"),
    ("Server", "queries/s"): ("server_queries_loadgen", "queries/s", "value"),
    ("Server", "tokens/s"): ("server_tokens_loadgen", "tokens/s", "value"),
    ("SingleStream", "latency (ms)"): ("stream_latency_estimate_loadgen", "ms", "p90"),
    ("SingleStream", "latency (s)"): ("stream_latency_estimate_loadgen", "s", "p90"),
    ("MultiStream", "latency (ms)"): ("stream_latency_estimate_loadgen", "ms", "p99"),
    ("MultiStream", "latency (s)"): ("stream_latency_estimate_loadgen", "s", "p99"),
}
COMPLETED_SINCE = Decimal("4.0")  # before, the headline of Server was the scheduled rate
SCENARIOS = {name.lower(): name for name in (*LOADS, "Interactive")}


@dataclass(frozen=True)
class Row:
    """What any of the tables says about one result; None where it does not."""

    value: Decimal | None
    units: str
    model: str
    scenario: str
    version: str | None = None
    result_id: str | None = None
    submitter: str | None = None
    division: str | None = None
    category: str | None = None
    availability: str | None = None
    system: str | None = None
    hardware: str | None = None
    nodes: int | None = None
    per_node: int | None = None
    accelerators: int | None = None
    processor: str | None = None
    software: str | None = None
    operating_system: str | None = None
    precision: str | None = None
    accuracy: str | None = None
    power: bool | None = None
    inferred: bool | None = None
    errors: int | None = None


def read_row(row: Row) -> Run:
    row = replace(row, scenario=SCENARIOS.get(row.scenario.replace(" ", "").lower(), row.scenario))
    findings = Findings()
    version = round_of(row.version)
    refused = refusal(row)
    if not refused:
        refused = measured(row, version, findings)
    if row.inferred:
        findings.warn(
            "inferred", "The result was inferred from another scenario and not measured in this one."
        )
    if row.power:
        findings.note(
            "power-elsewhere", "Power was measured at the full system's AC side and stands in another table."
        )
    conditions = stated(row, version, findings)
    findings.quirks.append(IDENTIFIED if row.result_id else UNVERIFIED)
    where = row.system or row.hardware or "system not named"
    return Run(
        label=", ".join(
            part for part in (row.result_id, row.submitter, row.model, row.scenario, where) if part
        ),
        conditions=conditions,
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused=refused,
    )


def refusal(row: Row) -> str:
    if row.errors:
        return f"The submission checker counted {row.errors} errors for this result: it is no valid result."
    return "" if row.value else "The row holds no result."


def measured(row: Row, version: str | None, findings: Findings) -> str:
    """The figure under its true unit, or why there is none."""
    assert row.value is not None
    scenario = "Server" if row.scenario == "Interactive" else row.scenario
    label = row.units.strip().lower()
    tokens = in_tokens(row.model, version)
    if label in ("samples/s", "queries/s"):
        if tokens is None:
            return f"Without its round, it cannot be said whether {row.model} is measured in {row.units} or in tokens/s."
        if tokens:
            findings.warn(
                "tokens-labelled-otherwise",
                f"{row.model} is measured in output tokens per second in {version}; the table labels {plain(row.value)} "
                f"{row.units}. Compare with the log of the run.",
                "Units",
            )
            label = "tokens/s"
    if label == "tokens/s" and row.model.startswith("gptj"):
        findings.note(
            "tokens-by-mean-length",
            "The submission checker computes this rate from samples per second and the mean output length of 69 tokens; "
            "LoadGen did not count tokens for GPT-J.",
            "Units",
        )
    if label == "queries/s" and version and Decimal(version.lstrip("v")) >= COMPLETED_SINCE:
        label = (
            "samples/s"  # a Server query is one sample, and the table's number is the log's completed samples
        )
    found = METRICS.get((scenario, label))
    if found is None:
        return f"A result in “{kept(row.units) or 'no unit'}” is not known for the scenario {kept(row.scenario) or 'not stated'}."
    metric, unit, statistic = found
    if metric == "stream_latency_estimate_loadgen" and tokens:
        metric = "stream_latency_loadgen"  # of models that count tokens, the percentile itself is published
    findings.figures.append(
        figure(metric, statistic, row.value, unit, field=f"result in {row.units.strip()}")
    )
    return ""


def stated(row: Row, version: str | None, findings: Findings) -> Conditions:
    scenario = "Server" if row.scenario == "Interactive" else row.scenario
    mode, arrival = LOADS.get(scenario, (None, None))
    hardware = None if row.hardware in ("N/A", "-", None) else row.hardware
    accelerators = row.accelerators
    if accelerators is None:
        accelerators = total(hardware, row.nodes, row.per_node, findings)
    elif row.nodes and row.per_node and accelerators != row.nodes * row.per_node:
        findings.note(
            "fewer-than-nodes-hold",
            f"{accelerators} accelerators were used; {row.nodes} nodes of {row.per_node} hold {row.nodes * row.per_node}.",
        )
    if reached := kept(row.accuracy or ""):
        # What a run reached is not the gate, which is the same for all runs of a benchmark.
        findings.note(
            "accuracy-reached",
            f"The run reached an accuracy of {reached}; the table does not say what it must reach.",
        )
    if accelerators == 0:
        findings.note("no-accelerator", "The system has no accelerator: the result is its processors'.")
    return Conditions(
        suite=SUITE,
        suite_version=version,
        submitter=row.submitter,
        division=row.division.lower() if row.division else None,
        category=row.category,
        availability=row.availability,
        scenario=row.scenario or None,
        result_id=row.result_id,
        system=row.system,
        hardware=hardware,
        nodes=row.nodes,
        accelerators=accelerators,
        host=host(row.processor, None, row.nodes),
        operating_system=row.operating_system,
        model=row.model or None,
        precision=row.precision,
        power_boundary="full system, AC" if row.power else None,
        load_mode=mode,
        arrival=arrival,
        **software(row.software),
    )
