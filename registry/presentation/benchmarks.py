"""Benchmark records as readers see them: conditions first, then what was measured and how each figure is defined."""

from dataclasses import dataclass, field
from decimal import Decimal

from registry.presentation.claims import Cited, Drawer
from registry.presentation.navigation import subject_url
from registry.presentation.page import Link
from registry.presentation.record_facts import record_facts
from registry.presentation.subject import Event, Fact
from registry.reasoning.completeness import incomplete
from registry.reasoning.flags import SECOND_HAND, SELF_REVIEWED, UNREPRODUCED, WITHDRAWN, Flag
from registry.reasoning.mlperf import required_footnote
from registry.reasoning.quantities import display

NOT_REPORTED = "Not reported"
THROUGHPUT_ALONE = "Throughput alone is incomplete"


@dataclass(frozen=True)
class Part:
    """A group of conditions under one heading."""

    id: str
    title: str
    facts: list[Fact]


@dataclass(frozen=True)
class Result:
    metric: str
    anchor: str
    statistic: str
    figure: str
    as_stated: str
    over: str


@dataclass(frozen=True)
class Definition:
    """A metric's definition, and the results of a record that rest on it."""

    key: str
    name: str
    formula: str
    unit: str
    clock: str
    per: str
    phase: str
    results: list[Result] = field(default_factory=list)


@dataclass(frozen=True)
class RecordLine:
    """A record in a list."""

    label: str
    url: str
    hardware: str
    hardware_url: str
    accelerators: str
    model: str
    runtime: str
    load: str
    submitter: str
    tool: str
    headline: list[str]
    flags: list[Flag]
    number: int


def record_url(record):
    """Its lasting address while it stands, else that of this very revision."""
    address = f"/benchmarks/B-{record.number}"
    return address if record.status == "published" else f"{address}/{record.revision}"


def record_flags(record):
    """What a reader must know beside a record, in the words of the claims' flags, most important first."""
    flags = []
    if record.status == "withdrawn":
        flags.append(Flag(WITHDRAWN, "bad"))
    if self_reported(record):
        flags.append(Flag(UNREPRODUCED, "caution"))
    if any(mark.key == "throughput-alone" for mark in incomplete(record_facts(record))):
        flags.append(Flag(THROUGHPUT_ALONE, "caution"))
    sources = [
        citation.passage.source for citation in record.citations.all() if citation.stance == "supports"
    ]
    if sources and not any(source.read_directly for source in sources):
        flags.append(Flag(SECOND_HAND, "info"))
    if record.self_reviewed:
        flags.append(Flag(SELF_REVIEWED, "info"))
    if record.change_kind == "correction" and record.record_date:
        flags.append(Flag(f"Corrected {record.record_date.isoformat()}", "info"))
    return flags


def self_reported(record):
    """Whether who publishes the result, or who measured it, made the hardware: decided by data."""
    maker = record.hardware.maker
    makers = {maker.pk, maker.parent_id} - {None}
    return bool(makers & {record.submitter_id, record.performed_by_id})


def title_of(record):
    """What ran on what."""
    count = f"{record.accelerators} × " if record.accelerators else ""
    return f"{model_of(record)} on {count}{record.hardware.name}"


def model_of(record):
    return record.checkpoint.name if record.checkpoint else record.model_as_stated or "model not reported"


def runtime_of(record):
    name = record.runtime.name if record.runtime else record.runtime_as_stated
    return f"{name} {record.runtime_version}".strip() if name else NOT_REPORTED


def load_of(record):
    """The load in a few words."""
    asked = record.workload
    words = asked.get_load_mode_display().partition(":")[0] if asked.load_mode else NOT_REPORTED
    if asked.concurrency:
        words += f", {asked.concurrency} in flight"
    if asked.request_rate is not None:
        words += f", {_number(asked.request_rate)} requests/s"
    if record.scenario:
        words = f"{record.scenario} ({words.lower()})"
    return words


def line(record):
    """A record as a row of a list."""
    shown = [each for each in record.measurements.all() if each.statistic in ("value", "median", "p99")][:3]
    return RecordLine(
        f"B-{record.number}",
        record_url(record),
        record.hardware.name,
        subject_url(record.hardware),
        str(record.accelerators or NOT_REPORTED),
        model_of(record),
        runtime_of(record),
        load_of(record),
        record.submitter.name,
        record.tool,
        [f"{each.metric.name}, {_statistic(each.statistic)}: {figure_of(each)}" for each in shown],
        record_flags(record),
        record.number,
    )


def conditions(record):
    """Everything the figures depend on, part by part; what nobody states says so."""
    asked = record.workload
    yes_no = {True: "Yes", False: "No", None: NOT_REPORTED}
    return [
        Part(
            "system",
            "System",
            [
                Fact("Hardware", record.hardware.name, subject_url(record.hardware)),
                _fact("As the file prints it", record.further.get("hardware", "")),
                _fact("Accelerators in use", record.accelerators),
                _fact("Nodes", record.nodes),
                _fact("Interconnect", record.interconnect),
                _fact("System", record.system),
            ],
        ),
        Part(
            "software",
            "Model and runtime",
            [
                _subject("Checkpoint", record.checkpoint, record.model_as_stated),
                _fact("Revision", record.model_revision),
                _fact("Precision", record.precision),
                _subject("Runtime", record.runtime, record.runtime_as_stated),
                _fact("Version", record.runtime_version),
                _fact("Flags", record.flags),
            ],
        ),
        Part(
            "workload",
            "Workload",
            [
                _fact("Task", asked.task),
                _fact("Quality gate", asked.quality_gate),
                _fact("Dataset", asked.dataset),
                _fact("Prompt tokens asked for", asked.input_tokens),
                _fact("Output tokens asked for", asked.output_tokens),
                _fact("Distribution of lengths", asked.length_distribution),
                _fact("Prompt tokens, actual mean", record.input_tokens),
                _fact("Output tokens, actual mean", record.output_tokens),
                _fact("Context policy", asked.context_policy),
                _fact("Cache policy", asked.cache_policy),
                _fact("Cache state", asked.cache_state),
                _fact("Sampling", asked.sampling),
                Fact("Streaming", yes_no[asked.streaming]),
            ],
        ),
        Part(
            "load",
            "Load",
            [
                _fact("Load", asked.get_load_mode_display() if asked.load_mode else ""),
                _fact("Requests in flight", asked.concurrency),
                _fact("Request rate asked for", asked.request_rate, " requests/s"),
                _fact("Arrival", asked.arrival),
                _fact("Batch size", asked.batch_size),
                _fact("Warm-up", asked.warm_up),
                Fact("Warm-up left out of the figures", yes_no[asked.warm_up_excluded]),
                _fact("Latency limits", asked.latency_limits),
            ],
        ),
        Part(
            "measurement",
            "Measurement",
            [
                _fact("Boundary", record.boundary),
                Fact("Submitter", record.submitter.name),
                _fact("Measured by", record.performed_by.name if record.performed_by else ""),
                _fact("Measured on", record.measured_on.isoformat() if record.measured_on else ""),
                Fact("Tool", f"{record.tool} {record.tool_version}".strip()),
                _fact("Power boundary", record.power_boundary),
                *_suite(record),
                Fact("Run", record.run),
            ],
        ),
    ]


def _suite(record):
    if not record.suite:
        return []
    return [
        Fact("Suite", record.suite),
        _fact("Round", record.suite_round),
        _fact("Division", record.division),
        _fact("Category", record.category),
        _fact("Availability", record.availability),
        _fact("Scenario", record.scenario),
        _fact("Result", record.result_id),
        _fact("Verification status", record.verification),
    ]


def further(record):
    """Conditions that have no column, by the names the reader gives them."""
    return [
        Fact(name.replace("_", " ").capitalize(), str(value))
        for name, value in record.further.items()
        if name != "hardware"
    ]


def requests(record):
    """Failures beside throughput: the counts, each with “not reported” where nobody states it."""
    return [
        _fact("Attempted", record.requests_attempted),
        _fact("Succeeded", record.requests_ok),
        _fact("Failed", record.requests_failed),
        _fact("Cut off at the end", record.requests_incomplete),
    ]


def results(record):
    """The measurements by definition, in the file's order."""
    found = {}
    for each in record.measurements.all():
        metric = each.metric
        definition = found.setdefault(
            metric.key,
            Definition(
                metric.key, metric.name, metric.formula, metric.unit, metric.clock, metric.per, metric.phase
            ),
        )
        over = [
            f"{each.values} values" if each.values else "",
            f"divided by {each.divisor}" if each.divisor else "",
        ]
        definition.results.append(
            Result(
                metric.name,
                f"metric-{metric.key}",
                _statistic(each.statistic),
                figure_of(each),
                each.text,
                ", ".join(filter(None, over)),
            )
        )
    return list(found.values())


def figure_of(measurement):
    """A measurement written out: figure and unit, to at most six digits; the exact text stands beside it."""
    value = measurement.value
    digits = max(0, 6 - max(value.adjusted() + 1, 1))
    rounded = round(value, digits) if -value.as_tuple().exponent > digits else value
    return display(rounded, None, None, "", measurement.metric.unit)


def missing(record):
    """What a reader must know is lacking, and the footnote a suite demands."""
    facts = record_facts(record)
    return [mark.words for mark in incomplete(facts)], required_footnote(facts)


def drawer(record, provenance):
    """Where the record comes from."""
    return Drawer(
        id=f"provenance-b-{record.number}-{record.revision}",
        title=title_of(record),
        as_stated="",
        asserter=record.submitter.name,
        conditions="",
        boundary=record.boundary,
        derivation="",
        flags=record_flags(record),
        claim_label=f"B-{record.number}, revision {record.revision}",
        claim_url=record_url(record),
        citations=cited(record, provenance),
    )


def cited(record, provenance):
    return [
        Cited(
            provenance.line(citation.passage.source),
            citation.passage.locator,
            citation.passage.quotation,
            "" if citation.stance == "supports" else citation.stance,
        )
        for citation in record.citations.all()
    ]


def history(revisions):
    """What happened to a record, newest first."""
    events = []
    for record in revisions:
        label = f"B-{record.number}, revision {record.revision}"
        url = f"/benchmarks/B-{record.number}/{record.revision}"
        if record.status == "withdrawn":
            events.append(Event(record.ended_on.isoformat(), label, "withdrawn", url, record.end_note))
        words = record.get_change_kind_display().lower()
        events.append(
            Event(record.record_date.isoformat(), label, words, url, record.change_note, record_flags(record))
        )
    return events


def related(record):
    """The subjects a record is about, as links."""
    return [
        Link(subject.name, subject_url(subject))
        for subject in (record.hardware, record.checkpoint, record.runtime)
        if subject
    ]


def _fact(label, value, unit=""):
    if value in ("", None):
        return Fact(label, NOT_REPORTED)
    words = value if isinstance(value, str) else _number(value)
    return Fact(label, f"{words}{unit}")


def _subject(label, subject, as_stated):
    if subject is None:
        return Fact(label, as_stated or NOT_REPORTED)
    stated = f" (printed: {as_stated})" if as_stated and as_stated != subject.name else ""
    return Fact(label, f"{subject.name}{stated}", subject_url(subject))


def _number(value):
    return display(Decimal(value), None, None, "", "")


def _statistic(statistic):
    return {"value": "of the run", "std": "standard deviation", "total": "total"}.get(statistic, statistic)
