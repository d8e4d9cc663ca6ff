"""LLMPerf `token_benchmark_ray.py` summaries: flat keys such as results_ttft_s_quantiles_p50, in seconds.

Definitions: token_benchmark_ray.py, `get_token_throughput_latencies`. Its inter-token latency sums all gaps including
the time to first token and divides by the number of chunks, so it is no other tool's ITL. Tokens of every model are
counted with a Llama tokenizer. Some publish one object with a summary for each concurrency.
"""

import re
from datetime import UTC, datetime
from decimal import Decimal

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, placed, rows
from registry.readers.load import check_lengths, check_throughput
from registry.readers.metric import percentile
from registry.readers.numbers import plain
from registry.readers.run import Counts, Report, Run
from registry.readers.text import model_name

TOOL = "LLMPerf"
FORMATS = "the summary JSON with results_ttft_s_… keys, one or one a concurrency"
METRICS = {
    "ttft_s": ("ttft_client", "s"),
    "end_to_end_latency_s": ("e2e_client", "s"),
    "inter_token_latency_s": ("itl_with_first_client", "s"),
    "request_output_throughput_token_per_s": ("user_e2e_throughput_client", "tokens/s"),
    "number_input_tokens": ("input_tokens", "tokens"),
    "number_output_tokens": ("output_tokens", "tokens"),
}
KEY = re.compile(
    rf"results_(?P<metric>{'|'.join(METRICS)})_(?:quantiles_(?P<percentile>p[\d.]+)|(?P<word>mean|min|max|stddev))"
)
# Names, addresses and error texts of the account that ran it.
ALSO_READ = ("version", "name", "api", "model_size", "results_error_code_frequency", "results_error_rate")


def is_run(row: object) -> bool:
    return isinstance(row, dict) and any(key.startswith("results_ttft_s") for key in row)


def summaries(documents: Documents) -> list[dict[str, object]]:
    """Summaries at the top, in lists, or one level down by concurrency."""
    found: list[dict[str, object]] = []
    for row in rows(documents):
        inner = [row] if is_run(row) else [each for each in row.values() if is_run(each)]
        found += [each for each in inner if isinstance(each, dict)]
    return found


def recognises(documents: Documents) -> bool:
    return bool(summaries(documents))


def read_runs(documents: Documents) -> Report:
    found = placed(summaries(documents), "run")
    runs = tuple(read_run(row) for row in found)
    schema = found[0].text("version")
    # The version is a constant of the schema, the same in every release.
    return Report(TOOL, None, f"summary, schema {schema or 'not stated'}", runs)


def read_run(row: Fields) -> Run:
    findings = Findings()
    counts = counted(row, findings)
    nothing = counts.ok == 0
    if not nothing:
        measured(row, findings, counts.ok)
    conditions = stated(row, findings, counts)
    check_lengths(findings, "input", conditions.input_tokens_requested, conditions.input_tokens)
    check_lengths(findings, "output", conditions.output_tokens_requested, conditions.output_tokens)
    for key in (*ALSO_READ, *(key for key in row if KEY.fullmatch(key))):
        row.raw(key)
    findings.unread(row.unread())
    load = f"{conditions.concurrency} in flight" if conditions.concurrency else "concurrency not stated"
    return Run(
        label=f"{conditions.model or 'model not stated'}, {load}",
        conditions=conditions,
        counts=counts,
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused="No request succeeded: nothing was measured." if nothing else "",
    )


def counted(row: Fields, findings: Findings) -> Counts:
    """`num_requests_started` counts recorded requests, errors included."""
    attempted, failed = row.count("results_num_requests_started"), row.count("results_number_errors")
    ok = row.count("results_num_completed_requests")
    if failed:
        findings.warn(
            "failures",
            f"{failed} requests failed; latencies cover the {ok} others only.",
            "results_number_errors",
        )
    if None not in (attempted, ok, failed) and (ok or 0) + (failed or 0) != attempted:
        findings.warn(
            "counts-inconsistent",
            f"{ok} completed and {failed} failed do not make {attempted} started.",
            "results_num_requests_started",
        )
    return Counts(attempted, ok, failed)


def measured(row: Fields, findings: Findings, ok: int | None) -> None:
    groups: dict[str, dict[str, tuple[str, Decimal | None]]] = {}
    for key in row:
        if match := KEY.fullmatch(key):
            word = match["word"] or ""
            statistic = (
                percentile(match["percentile"]) if match["percentile"] else word.replace("stddev", "std")
            )
            if statistic:
                groups.setdefault(match["metric"], {})[statistic] = (key, row.number(key))
    for word, group in groups.items():
        metric, unit = METRICS[word]
        findings.spread(metric, unit, group, n=ok)
    if "inter_token_latency_s" in groups:
        findings.note(
            "itl-with-first",
            "This tool's inter-token latency includes the first token and counts chunks: it compares with no other ITL.",
            "results_inter_token_latency_s_mean",
        )
    key = "results_mean_output_throughput_token_per_s"
    findings.rate("output_throughput_client", key, row.number(key))
    key = "results_num_completed_requests_per_min"
    findings.rate("request_throughput_client", key, row.number(key), "requests/min")
    per_second, tokens = findings.value("request_throughput_client"), findings.value("output_tokens", "mean")
    if per_second and tokens:
        check_throughput(findings, "output_throughput_client", tokens, 1 / per_second)


def stated(row: Fields, findings: Findings, counts: Counts) -> Conditions:
    name, revision, shortened = model_name(row.text("model") or "")
    if shortened:
        findings.warn(
            "model-from-path", "The model is named by a folder, whose last part alone is kept.", "model"
        )
    concurrency = row.some("num_concurrent_requests")
    return Conditions(
        model=name,
        model_revision=revision,
        tokenizer="Llama, for every model",
        endpoint=row.text("framework"),
        requests=counts.attempted,
        input_tokens_requested=row.positive("mean_input_tokens"),
        output_tokens_requested=row.positive("mean_output_tokens"),
        length_distribution=distribution(row),
        input_tokens=findings.value("input_tokens", "mean"),
        output_tokens=findings.value("output_tokens", "mean"),
        streaming=True,
        load_mode="closed" if concurrency else None,
        concurrency=concurrency,
        started_at=moment(row.number("timestamp")),
    )


def distribution(row: Fields) -> str | None:
    """Lengths are drawn from a normal distribution."""
    deviations = row.number("stddev_input_tokens"), row.number("stddev_output_tokens")
    if None in deviations:
        return None
    return "normal, standard deviation {} input and {} output tokens".format(
        *(plain(d or Decimal(0)) for d in deviations)
    )


def moment(timestamp: Decimal | None) -> str | None:
    """When the summary was written, which is the end of the run; the file gives Unix seconds."""
    if timestamp is None or not 0 < timestamp < 10**10:
        return None
    return datetime.fromtimestamp(int(timestamp), UTC).isoformat()
