"""GuideLLM's CSV: one row a benchmark under a header of one line (0.2, 0.3) or of three lines (later versions).

The later header is that of the first benchmark alone, while each benchmark writes only the columns it has values for: a
row that does not fit the header is refused rather than read one column off. Its latencies a token are left out, for the
CSV does not say whether they are counted a request or a token.
"""

import csv
import re
from collections.abc import Iterator
from decimal import Decimal

from registry.readers.errors import Unreadable, quoted
from registry.readers.guidellm_metrics import RATES, SPREADS, Distribution
from registry.readers.numbers import from_text

Counted = tuple[int | None, int | None, int | None, int | None]  # attempted, ok, failed, incomplete
OLD = re.compile(r"Successful (?P<name>[A-Z][a-z ]+?)(?P<what> mean| median| std dev| \[min, .*\])", re.ASCII)
NEW = {
    ("Request Latency", "Successful Sec"): "request_latency",
    ("Time to First Token", "Successful ms"): "time_to_first_token_ms",
    ("Server Throughput", "Successful Requests/Sec"): "requests_per_second",
    ("Server Throughput", "Successful Concurrency"): "request_concurrency",
    ("Token Metrics", "Successful Input Tokens"): "prompt_token_count",
    ("Token Metrics", "Successful Output Tokens"): "output_token_count",
    ("Token Throughput", "Successful Input Tokens/Sec"): "prompt_tokens_per_second",
    ("Token Throughput", "Successful Output Tokens/Sec"): "output_tokens_per_second",
    ("Token Throughput", "Successful Total Tokens/Sec"): "tokens_per_second",
}
WORDS = {"mean": "mean", "median": "median", "std dev": "std"}
LISTED = ("min", "p0.1", "p1", "p5", "p10", "p25", "p75", "p90", "p95", "p99", "max")
KNOWN = {*SPREADS, *RATES, "inter_token_latency_ms", "time_per_output_token_ms"}
MAX_ROWS = 2_000


def is_table(text: str) -> bool:
    head = text[:20_000]
    return "Successful Time to first token ms mean" in head or (
        head.startswith("Run Info,") and "Time to First Token" in head
    )


def benchmarks(text: str) -> Iterator[tuple[dict[str, Distribution], Counted]]:
    try:
        lines = [line for line in csv.reader(text.splitlines()) if any(line)]
    except csv.Error as error:
        raise Unreadable(f"The table cannot be read as CSV: {error}. Export it again.") from None
    height = 1 if "Successful Time to first token ms mean" in lines[0] else 3
    if not height < len(lines) <= MAX_ROWS:
        raise Unreadable(
            f"The table has {max(0, len(lines) - height):,} benchmarks; 1 to {MAX_ROWS:,} can be read."
        )
    if len({len(line) for line in lines[:height]}) > 1:
        raise Unreadable(
            "The header rows differ in length: the file seems cut off or edited. Export it again."
        )
    columns = old_columns(lines[0]) if height == 1 else new_columns(lines[:3])
    for number, line in enumerate(lines[height:], 1):
        if len(line) != len(columns):
            raise Unreadable(
                f"Row {number} of the table has {len(line)} cells under {len(columns)} columns, so its cells cannot be told "
                "apart. Import the JSON report instead."
            )
        yield read_row(columns, line)


def old_columns(header: list[str]) -> list[tuple[str, str] | None]:
    """(metric, statistic) of each column, or None where it is not read."""
    columns: list[tuple[str, str] | None] = []
    for cell in header:
        match = OLD.fullmatch(cell.strip())
        name = match["name"].lower().replace(" ", "_") if match else ""
        if match and name in KNOWN:
            columns.append((name, WORDS.get(match["what"].strip(), "list")))
        elif status := re.fullmatch(r"(Successful|Errored|Incomplete|Total) [Rr]equests", cell.strip()):
            columns.append(("requests", status[1]))
        else:
            columns.append(None)
    return columns


def new_columns(header: list[list[str]]) -> list[tuple[str, str] | None]:
    columns: list[tuple[str, str] | None] = []
    for group, name, what in zip(*header, strict=True):
        metric = NEW.get((group, name))
        if metric:
            columns.append((metric, WORDS.get(what.lower(), "list")))
        else:
            columns.append(("requests", name) if group == "Request Counts" else None)
    return columns


def read_row(
    columns: list[tuple[str, str] | None], line: list[str]
) -> tuple[dict[str, Distribution], Counted]:
    found: dict[str, Distribution] = {}
    requests: dict[str, int] = {}
    for column, cell in zip(columns, line, strict=True):
        if column is None:
            continue
        name, statistic = column
        if name == "requests":
            requests[statistic] = int(number(cell, name) or 0)
            continue
        statistics = found.setdefault(name, Distribution()).statistics
        if statistic == "list":
            values = [number(part, name) for part in cell.strip().strip("[]").split(",")]
            if len(values) != len(LISTED):
                raise Unreadable(f"The percentiles of {name} are {quoted(cell)}, not {len(LISTED)} numbers.")
            statistics |= {key: (name, value) for key, value in zip(LISTED, values, strict=True)}
        else:
            statistics[statistic] = (name, number(cell, name))
    return found, tuple(requests.get(key) for key in ("Total", "Successful", "Errored", "Incomplete"))  # type: ignore[return-value]


def number(cell: str, name: str) -> Decimal | None:
    try:
        return from_text(cell)
    except ValueError:
        raise Unreadable(
            f"In the column of {name} stands {quoted(cell)} where a number belongs, so columns and cells do not fit. "
            "Import the JSON report instead."
        ) from None
