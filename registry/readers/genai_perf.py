"""NVIDIA genai-perf: the summary `profile_export_genai_perf.json` and its CSV.

The file states no version, no failures, and in its older form neither requests nor duration. Tokens are counted by the
client with `tokenizer`, whatever the server counts.
"""

from decimal import Decimal

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, rows
from registry.readers.load import check_lengths, check_rate
from registry.readers.numbers import plain
from registry.readers.perf_exports import (
    Block,
    blocks_of_json,
    blocks_of_tables,
    check_tokens,
    collect,
    of_aiperf,
    tables,
)
from registry.readers.run import Counts, Report, Run
from registry.readers.text import model_name

TOOL = "genai-perf"
FORMATS = "JSON with request_throughput.unit and input_config; CSV tables headed Metric,avg,min,max,p99"

READ_APART = frozenset({"request_count"})


def is_export(row: dict[str, object]) -> bool:
    throughput = row.get("request_throughput")
    measured = isinstance(throughput, dict) and "unit" in throughput
    return measured and isinstance(row.get("input_config"), dict) and not of_aiperf(row)


def is_table(text: str) -> bool:
    """Its percentiles run downward from p99, AIPerf's upward from p1; its units stand as “per sec”."""
    head = text[:4000].splitlines()
    return any(line.startswith("Metric,avg,min,max,p99") for line in head) or (
        "Metric,Value" in head and "(per sec)," in text[:4000]
    )


def recognises(documents: Documents) -> bool:
    return any(is_export(row) for row in rows(documents)) or is_table(documents.text)


def read_runs(documents: Documents) -> Report:
    runs = [
        read_run(blocks_of_json(row), row.inner("input_config") or Fields({}))
        for row in (Fields(row) for row in rows(documents) if is_export(row))
    ]
    form = "JSON summary"
    if not runs:
        form = "CSV summary"
        runs = [read_run(blocks_of_tables(tables(documents.text)), Fields({}))]
    return Report(TOOL, None, f"{form}; the file states no version", tuple(runs))


def read_run(blocks: dict[str, Block], config: Fields) -> Run:
    findings = Findings()
    collect(blocks, findings, READ_APART)
    ok = blocks["request_count"].count() if "request_count" in blocks else None
    conditions = stated(config, findings)
    findings.warn(
        "failures-not-reported",
        "The tool does not write how many requests failed; latencies cover those that did not.",
    )
    check_lengths(findings, "input", conditions.input_tokens_requested, conditions.input_tokens)
    check_lengths(findings, "output", conditions.output_tokens_requested, conditions.output_tokens)
    extra = config.inner("extra_inputs")
    check_tokens(findings, extra.positive("max_tokens") if extra else None)
    check_rate(findings, conditions.request_rate, findings.value("request_throughput_client"))
    if config.raw("backend"):
        findings.note(
            "backend-not-evidence",
            "`backend` is an option of the client and no evidence of what the server ran.",
            "input_config.backend",
        )
    return Run(
        label=f"{conditions.model or 'model not stated'}, {load_words(conditions)}",
        conditions=conditions,
        counts=Counts(ok=ok),
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused="" if findings.figures else "The file holds no measured figure.",
    )


def load_words(conditions: Conditions) -> str:
    if conditions.load_mode == "open" and conditions.request_rate:
        return f"{plain(conditions.request_rate)} requests/s"
    return f"{conditions.concurrency} in flight" if conditions.concurrency else "load not stated"


def stated(config: Fields, findings: Findings) -> Conditions:
    """Older files write flat options, newer ones the sections of the configuration file."""
    flat = "endpoint_type" in config or "synthetic_input_tokens_mean" in config
    none = Fields({})
    endpoint = config if flat else config.inner("endpoint") or none
    analyzer = none if flat else config.inner("perf_analyzer") or none
    stimulus = config if flat else analyzer.inner("stimulus") or none
    given = config if flat else config.inner("input") or none
    if flat:
        asked, spread = (
            config.positive("synthetic_input_tokens_mean"),
            config.number("synthetic_input_tokens_stddev"),
        )
        answer = config.positive("output_tokens_mean")
        tokenizer = config.text("tokenizer")
    else:
        synthetic, output = given.inner("synthetic_tokens") or none, given.inner("output_tokens") or none
        asked, spread = synthetic.positive("mean"), synthetic.number("stddev")
        answer = output.positive("mean")
        tokenizer = (config.inner("tokenizer") or none).text("name")
    models = [name for name in config.items("model" if flat else "model_names") if isinstance(name, str)]
    name, revision, shortened = model_name(models[0]) if models else (None, None, False)
    if shortened:
        findings.warn(
            "model-from-path", "The model is named by a folder, whose last part alone is kept.", "model"
        )
    rate, in_flight = stimulus.positive("request_rate"), stimulus.some("concurrency")
    warm_up = analyzer.some("warmup_request_count")
    return Conditions(
        model=name,
        model_revision=revision,
        tokenizer=model_name(tokenizer)[0] if tokenizer else None,
        endpoint=endpoint.text("endpoint_type" if flat else "type"),
        streaming=endpoint.flag("streaming"),
        input_tokens_requested=asked,
        output_tokens_requested=answer if answer and answer > 0 else None,
        input_tokens=findings.value("input_tokens", "mean"),
        output_tokens=findings.value("output_tokens", "mean"),
        length_distribution=distribution(asked, spread),
        dataset="synthetic" if asked else None,
        seed=given.count("random_seed"),
        load_mode="open" if rate else "closed" if in_flight else None,
        request_rate=rate,
        concurrency=in_flight,
        warm_up=f"{warm_up} requests" if warm_up else None,
    )


def distribution(mean: Decimal | None, spread: Decimal | None) -> str | None:
    """How input lengths were drawn: normally distributed around the mean."""
    if mean is None or spread is None:
        return None
    return "fixed input length" if spread == 0 else f"input normal, deviation {plain(spread)} tokens"
