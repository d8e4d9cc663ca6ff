"""vLLM `bench latency` (benchmark_latency.py): how long one batch takes from prompt to last token, in process.

The file holds seconds for one BATCH and nothing about it: batch size, lengths, model and hardware stand on the command
line only. There is no time to first token and no token rate in it, and none can be derived.
"""

from decimal import Decimal

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, left_over, rows, runs_of
from registry.readers.metric import percentile
from registry.readers.run import Report, Run

TOOL = "vLLM bench latency"
FORMATS = "JSON with avg_latency and percentiles"
NEEDS = tuple(name for name in NEEDED if name not in ("load_mode", "latency_limits")) + ("batch_size",)


def is_run(row: dict[str, object]) -> bool:
    return "avg_latency" in row and isinstance(row.get("percentiles"), dict)


def recognises(documents: Documents) -> bool:
    return any(is_run(row) for row in rows(documents))


def read_runs(documents: Documents) -> Report:
    found = runs_of(documents, is_run)
    runs = tuple(read_run(row) for row in found)
    return Report(
        TOOL, None, "benchmark_latency.py; the file states no version", runs, left_over(documents, len(found))
    )


def read_run(row: Fields) -> Run:
    findings = Findings()
    iterations = len(row.items("latencies")) or None
    found: dict[str, tuple[str, Decimal | None]] = {"mean": ("avg_latency", row.number("avg_latency"))}
    percentiles = row.inner("percentiles") or Fields({})
    for key in percentiles:
        if statistic := percentile(key):
            found[statistic] = (f"percentiles.{key}", percentiles.number(key))
    findings.spread("batch_latency_engine", "s", found, n=iterations)
    findings.note(
        "batch-latency",
        "The latency is that of a whole batch from prompt to last token; its batch size and lengths are not in the file.",
        "avg_latency",
    )
    findings.unread(row.unread())
    conditions = Conditions(runtime="vLLM", load_mode="single stream", repetitions=iterations)
    return Run(
        label="one batch" + (f", {iterations} iterations" if iterations else ""),
        conditions=conditions,
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDS),
        quirks=tuple(findings.quirks),
    )
