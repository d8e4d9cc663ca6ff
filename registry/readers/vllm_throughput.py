"""vLLM `bench throughput` (benchmark_throughput.py): all requests at once, in process.

`tokens_per_second` counts prompt and output tokens together. Which share was output cannot be recovered from the file
(vllm#8231): the figure is a total and never an output rate.
"""

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, left_over, rows, runs_of
from registry.readers.load import check_throughput
from registry.readers.run import Counts, Report, Run

TOOL = "vLLM bench throughput"
FORMATS = "JSON with elapsed_time, total_num_tokens and tokens_per_second"
KEYS = {"elapsed_time", "num_requests", "total_num_tokens", "tokens_per_second"}
NEEDS = tuple(name for name in NEEDED if name != "latency_limits")


def is_run(row: dict[str, object]) -> bool:
    return row.keys() >= KEYS


def recognises(documents: Documents) -> bool:
    return any(is_run(row) for row in rows(documents))


def read_runs(documents: Documents) -> Report:
    found = runs_of(documents, is_run)
    runs = tuple(read_run(row) for row in found)
    return Report(
        TOOL,
        None,
        "benchmark_throughput.py; the file states no version",
        runs,
        left_over(documents, len(found)),
    )


def read_run(row: Fields) -> Run:
    findings = Findings()
    requests, tokens, elapsed = (
        row.count("num_requests"),
        row.count("total_num_tokens"),
        row.positive("elapsed_time"),
    )
    for metric, key, amount in (
        ("request_throughput_engine", "requests_per_second", requests),
        ("total_throughput_engine", "tokens_per_second", tokens),
    ):
        findings.rate(metric, key, row.number(key))
        check_throughput(findings, metric, amount, elapsed)
    findings.warn(
        "total-tokens",
        "tokens_per_second counts prompt and output tokens together; the output share is not in the file.",
        "tokens_per_second",
    )
    findings.unread(row.unread())
    conditions = Conditions(
        runtime="vLLM", load_mode="all at once", arrival="all at once", requests=requests, duration=elapsed
    )
    return Run(
        label=f"{requests} requests at once" if requests else "all at once",
        conditions=conditions,
        counts=Counts(attempted=requests),
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDS),
        quirks=tuple(findings.quirks),
        refused="" if findings.figures else "The file holds no rate above 0: nothing was measured.",
    )
