"""What genai-perf and its successor AIPerf share: blocks of statistics in JSON, stacked tables in CSV.

Definitions: genai-perf `llm_profile_data_parser.py`, AIPerf `docs/metrics_reference.md`. Both call (E2E - TTFT) / (n - 1)
of a request “inter token latency”; the gap between chunks is AIPerf's “inter chunk latency”.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from registry.readers.errors import Unreadable, quoted
from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.load import check_chunks
from registry.readers.metric import percentile
from registry.readers.metrics import METRICS
from registry.readers.numbers import from_text, plain
from registry.readers.run import SCALES

PER_REQUEST = {
    "request_latency": "e2e_client",
    "time_to_first_token": "ttft_client",
    "time_to_first_output_token": "ttft_visible_client",
    "time_to_second_token": "ttst_client",
    "inter_token_latency": "tpot_client",
    "inter_chunk_latency": "itl_chunk_client",
    "output_token_throughput_per_user": "user_decode_throughput_client",
    "output_token_throughput_per_request": "user_e2e_throughput_client",
    "e2e_output_token_throughput": "user_e2e_throughput_client",
    "prefill_throughput": "user_prefill_throughput_client",
    "prefill_throughput_per_user": "user_prefill_throughput_client",
    "input_sequence_length": "input_tokens",
    "output_sequence_length": "output_tokens",
    "output_token_count": "output_tokens_without_reasoning",
}
PER_RUN = {
    "request_throughput": "request_throughput_client",
    "output_token_throughput": "output_throughput_client",
    "total_token_throughput": "total_throughput_client",
    "goodput": "goodput_client",
    "request_goodput": "goodput_client",
}
UNITS = {
    "ms": "ms", "s": "s", "sec": "s", "us": "us", "ns": "ns", "tokens": "tokens",
    "tokens/sec": "tokens/s", "tokens/sec/user": "tokens/s", "requests/sec": "requests/s",
}  # fmt: skip
BARE = {"": {"tokens"}, "per sec": {"tokens/s", "requests/s"}}  # how genai-perf's CSV writes these units
WORDS = {"avg": "mean", "mean": "mean", "min": "min", "max": "max", "std": "std", "median": "median"}
LABEL = re.compile(r"(?P<name>.*?)(?: \((?P<unit>[^()]*)\))?")
MAX_ROWS = 20_000
AIPERF = {
    "aiperf_version",
    "was_cancelled",
    "error_summary",
    "inter_chunk_latency",
    "total_isl",
    "benchmark_duration",
}


@dataclass
class Block:
    """One metric of the file: its unit as written, its statistics as (field, value), and over how many values."""

    unit: str
    statistics: dict[str, tuple[str, Decimal | None]] = field(default_factory=dict)
    n: int | None = None

    def one(self) -> Decimal | None:
        """The value of a metric that is a single number: both tools write it as an average."""
        found = self.statistics.get("mean") or self.statistics.get("value")
        return found[1] if found else None

    def count(self) -> int | None:
        """The value of a metric that counts things."""
        value = self.one()
        if value is not None and (value != value.to_integral_value() or not 0 <= value < 10**15):
            raise Unreadable(f"A number of requests is {plain(value)}, no whole number. Correct the file.")
        return None if value is None else int(value)


def of_aiperf(row: dict[str, object]) -> bool:
    """Whether a JSON export is AIPerf's: by what it alone writes, or by the sections of its configuration."""
    config = row.get("input_config")
    sections = config if isinstance(config, dict) else {}
    endpoint = sections.get("endpoint")
    ours = (isinstance(endpoint, dict) and "model_names" in endpoint) or bool(
        {"loadgen", "phases"} & sections.keys()
    )
    return "perf_analyzer" not in sections and (ours or bool(AIPERF & row.keys()))


def blocks_of_json(document: Fields) -> dict[str, Block]:
    """The metrics of a JSON export: objects with a unit and an average. Null means not measured."""
    found = {}
    for name in document:
        inner = document.document[name]
        if not isinstance(inner, dict) or "unit" not in inner or not WORDS.keys() & inner.keys():
            continue
        metric = Fields(inner, document.path(name))
        block = Block(metric.text("unit") or "", n=metric.some("count"))
        for key in metric:
            if statistic := statistic_of(key):
                block.statistics[statistic] = (f"{name}.{key}", metric.number(key))
        found[name] = block
    return found


def statistic_of(word: str) -> str | None:
    return WORDS.get(word) or (percentile(word) if re.fullmatch(r"p\d[\d.]*", word) else None)


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a CSV export, which blank lines part."""
    found: list[list[list[str]]] = [[]]
    try:
        for number, row in enumerate(csv.reader(text.splitlines())):
            if number > MAX_ROWS:
                raise Unreadable(
                    f"The table has more than {MAX_ROWS:,} rows, which no export of the tool has."
                )
            if any(cell.strip() for cell in row):
                found[-1].append([cell.strip() for cell in row])
            elif found[-1]:
                found.append([])
    except csv.Error as error:
        raise Unreadable(f"The table cannot be read as CSV: {error}. Export it again.") from None
    return [table for table in found if table]


def blocks_of_tables(found: Iterable[list[list[str]]]) -> dict[str, Block]:
    """The metrics of a CSV export: tables headed by Metric; the label holds name and unit."""
    blocks: dict[str, Block] = {}
    for header, *lines in found:
        if header[0] != "Metric":
            continue
        statistics = ["value" if word == "Value" else statistic_of(word) for word in header[1:]]
        for line in lines:
            name, unit = named(line[0])
            if name in blocks:
                raise Unreadable(f"The metric {quoted(line[0])} stands twice in the file. Split it by run.")
            if len(line) != len(header):
                raise Unreadable(
                    f"The row {quoted(line[0])} has {len(line)} cells, its table {len(header)} columns: the file "
                    "seems cut off or edited. Export it again."
                )
            blocks[name] = Block(unit, cells(line, statistics))
    return blocks


def named(label: str) -> tuple[str, str]:
    """“Time To First Token (ms)” is time_to_first_token in ms."""
    match = LABEL.fullmatch(label)
    assert match is not None
    return match["name"].strip().lower().replace(" ", "_"), match["unit"] or ""


def cells(line: list[str], statistics: list[str | None]) -> dict[str, tuple[str, Decimal | None]]:
    found: dict[str, tuple[str, Decimal | None]] = {}
    for statistic, cell in zip(statistics, line[1:], strict=True):
        try:
            value = from_text(cell)
        except ValueError:
            raise Unreadable(
                f"In the row {quoted(line[0])} stands {quoted(cell)} where a number belongs. Correct the file."
            ) from None
        if statistic:
            found[statistic] = (line[0], value)
    return found


def collect(blocks: Mapping[str, Block], findings: Findings, ignored: frozenset[str]) -> None:
    """Figures by their definition; a metric whose unit does not fit its definition is left out and named."""
    done: set[str] = set()
    unknown = []
    for name, block in blocks.items():
        metric = PER_REQUEST.get(name) or PER_RUN.get(name)
        if metric is None:
            unknown += [] if name in ignored or name.startswith(("http_", "usage_")) else [name[:60]]
            continue
        if metric in done:
            continue
        unit = unit_of(block.unit, METRICS[metric].unit)
        if unit is None:
            findings.warn(
                "unit-not-known",
                f"{name} is given in {quoted(block.unit)}, which is not its unit: not read.",
                name,
            )
            continue
        done.add(metric)
        if name in PER_RUN:
            findings.rate(metric, name, block.one(), unit)
        else:
            findings.spread(metric, unit, block.statistics, n=block.n)
    findings.unread(sorted(unknown))
    if findings.value("tpot_client", "mean"):
        findings.note(
            "itl-is-tpot",
            "The tool's “inter token latency” is one mean a request, (E2E - TTFT) / (n - 1): other tools call this TPOT.",
            "inter_token_latency",
        )
    check_chunks(findings)


def unit_of(written: str, own: str) -> str | None:
    """The unit as `figure` knows it; None where it cannot be the metric's."""
    if own in BARE.get(written, set()):
        return own
    unit = UNITS.get(written)
    return unit if unit == own or (unit, own) in SCALES else None


def check_tokens(findings: Findings, limit: Decimal | None) -> None:
    """More tokens than the server was allowed to write: the tool counted with another tokenizer."""
    actual = findings.value("output_tokens", "mean")
    if limit and actual and actual > limit * Decimal("1.02"):
        findings.warn(
            "tokenizer-mismatch",
            f"At most {plain(limit)} output tokens were allowed, and {actual:.6g} were counted on average: the tokenizer "
            "that counted is not the model's, so lengths, tokens per second and times per token are off alike.",
            "tokenizer",
        )
