"""InferenceX's CSV export: three comment lines, then one row a point under headers in words."""

import csv
import re
from collections.abc import Iterator

from registry.readers.errors import Unreadable, quoted

LABELLED = "the unit in the headers"  # a key no header of the file can have
KEYS = {
    "Model": "model", "ISL": "isl", "OSL": "osl", "Hardware": "hw", "Framework": "framework", "Precision": "precision",
    "TP": "tp", "PP": "pp", "EP": "ep", "DP Attention": "dp_attention", "Concurrency": "conc", "Date": "date",
    "Disaggregated": "disagg", "Num Prefill GPUs": "num_prefill_gpu", "Num Decode GPUs": "num_decode_gpu",
    "Spec Decoding": "spec_decoding", "Is Multinode": "is_multinode", "Image": "image",
    "Throughput/GPU (tok/s)": "tput_per_gpu", "Output Throughput/GPU (tok/s)": "output_tput_per_gpu",
    "Input Throughput/GPU (tok/s)": "input_tput_per_gpu",
}  # fmt: skip
STATISTIC = re.compile(
    r"(?P<statistic>Mean|Median|Std|P\d[\d.]*) (?P<metric>TTFT|TPOT|ITL|E2E Latency|Interactivity) \((?P<unit>ms|s|tok/s/user)\)"
)
WORDS = {"TTFT": "ttft", "TPOT": "tpot", "ITL": "itl", "E2E Latency": "e2el", "Interactivity": "intvty"}
MAX_ROWS = 50_000


def is_table(text: str) -> bool:
    head = text[:8000]
    return "Throughput/GPU (tok/s)" in head and "TTFT (" in head


def points(text: str) -> Iterator[dict[str, object]]:
    """Each row under the keys of the aggregated JSON, with the unit its latency headers claim."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    number = 0
    try:
        table = csv.reader(lines)
        header = next(table, [])
        keys, units = named(header)
        for line in table:
            number += 1
            if number > MAX_ROWS:
                raise Unreadable(f"The table has more than {MAX_ROWS:,} rows. Split it.")
            if len(line) != len(header):
                raise Unreadable(
                    f"Row {number} has {len(line)} cells under {len(header)} columns: the file seems cut off or edited. "
                    "Export it again."
                )
            cells = {key: cell for key, cell in zip(keys, line, strict=True) if key and cell.strip()}
            yield {LABELLED: units, **cells}
    except csv.Error as error:
        raise Unreadable(f"The table cannot be read as CSV: {error}. Export it again.") from None
    if not number:
        raise Unreadable("The table has no row under its header. Export it again.")


def named(header: list[str]) -> tuple[list[str | None], str]:
    """The key of each column, and the one unit of all latency columns."""
    keys: list[str | None] = []
    units = set()
    for cell in header:
        match = STATISTIC.fullmatch(cell.strip())
        if match:
            keys.append(f"{match['statistic'].lower()}_{WORDS[match['metric']]}")
            units |= {match["unit"]} - {"tok/s/user"}
        else:
            keys.append(KEYS.get(cell.strip()))
    known = [key for key in keys if key]
    if len(set(known)) != len(known):
        twice = next(key for key in known if known.count(key) > 1)
        raise Unreadable(f"The column {quoted(twice)} stands twice in the table. Remove the wrong one.")
    if len(units) != 1:
        raise Unreadable(
            f"The headers give latencies in {len(units)} units, not in one. Export the file again."
        )
    return keys, units.pop()
