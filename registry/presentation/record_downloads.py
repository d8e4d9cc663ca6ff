import csv
import io

from registry.presentation.benchmarks import record_flags
from registry.presentation.downloads import guarded

# A row a figure, so that no number leaves its conditions. New columns are added at the end: clients count on this order.
_RECORD = [
    ("record", lambda r: f"B-{r.number}"),
    ("revision", lambda r: r.revision),
    ("record_date", lambda r: r.record_date.isoformat()),
    ("hardware", lambda r: r.hardware.slug),
    ("accelerators", lambda r: r.accelerators),
    ("nodes", lambda r: r.nodes),
    ("checkpoint", lambda r: r.checkpoint.slug if r.checkpoint else ""),
    ("model_as_stated", lambda r: r.model_as_stated),
    ("precision", lambda r: r.precision),
    ("runtime", lambda r: r.runtime.slug if r.runtime else ""),
    ("runtime_as_stated", lambda r: r.runtime_as_stated),
    ("runtime_version", lambda r: r.runtime_version),
    ("load_mode", lambda r: r.workload.load_mode),
    ("concurrency", lambda r: r.workload.concurrency),
    ("request_rate", lambda r: r.workload.request_rate),
    ("input_tokens_requested", lambda r: r.workload.input_tokens),
    ("output_tokens_requested", lambda r: r.workload.output_tokens),
    ("input_tokens", lambda r: r.input_tokens),
    ("output_tokens", lambda r: r.output_tokens),
    ("requests_attempted", lambda r: r.requests_attempted),
    ("requests_ok", lambda r: r.requests_ok),
    ("requests_failed", lambda r: r.requests_failed),
    ("submitter", lambda r: r.submitter.key),
    ("tool", lambda r: r.tool),
    ("tool_version", lambda r: r.tool_version),
    ("suite", lambda r: r.suite),
    ("suite_round", lambda r: r.suite_round),
    ("division", lambda r: r.division),
    ("scenario", lambda r: r.scenario),
    ("result_id", lambda r: r.result_id),
    ("flags", lambda r: "; ".join(flag.words for flag in record_flags(r))),
    ("sources", lambda r: " ".join(dict.fromkeys(c.passage.source.key for c in r.citations.all()))),
]
_FIGURE = [
    ("metric", lambda m: m.metric_id),
    ("statistic", lambda m: m.statistic),
    ("value", lambda m: f"{m.value:f}"),
    ("unit", lambda m: m.metric.unit),
    ("as_stated", lambda m: m.text),
    ("clock", lambda m: m.metric.clock),
    ("per", lambda m: m.metric.per),
    ("divisor", lambda m: m.divisor),
]
NOT_REPORTED = "not_reported"  # a word that no spreadsheet and no pandas takes for a missing value


def records_csv(records):
    """Records as CSV text, a row a figure, units in a column of their own; what nobody states is “not_reported”."""
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow([name for name, _ in (*_RECORD, *_FIGURE)])
    for record in records:
        known = [_cell(said(record)) for _, said in _RECORD]
        for measurement in record.measurements.all():
            writer.writerow([*known, *(_cell(said(measurement)) for _, said in _FIGURE)])
    return out.getvalue()


def _cell(value):
    return NOT_REPORTED if value in ("", None) else guarded(value)
