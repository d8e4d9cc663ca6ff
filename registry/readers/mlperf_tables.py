"""Published MLPerf results as tables: summary_results.json, the submission checker's CSV, and the results page's exports.

The page exports a pivot (5.0, 5.1: five header rows, four rows a system, one column a benchmark and scenario) or a long
table (6.0). “# of Accelerators” and “a#” are per node.
"""

import csv
from collections.abc import Iterator

from registry.readers.errors import Unreadable
from registry.readers.fields import Fields
from registry.readers.mlperf_pivot import RESULT_ROW, division, pivot
from registry.readers.mlperf_result import Row, read_row
from registry.readers.run import Run

CHECKER, PIVOT, LONG = "submission checker CSV", "results page, pivot", "results page, long table"
MAX_ROWS = 100_000


def is_result(row: dict[str, object]) -> bool:
    return {"Scenario", "Submitter", "Model"} <= row.keys() and bool(
        {"Performance_Result", "Result"} & row.keys()
    )


def kind(text: str) -> str | None:
    """Which table this is, by its header."""
    head = text[:20_000]
    if head.startswith("Organization,Availability,Division,SystemType,SystemName,"):
        return CHECKER
    if "Public ID" not in head or "Organization" not in head:
        return None
    if head.startswith(("Public ID\t", "Public ID,")):
        return LONG
    return PIVOT if RESULT_ROW in head else None


def read_results(rows: list[dict[str, object]]) -> tuple[Run, ...]:
    """summary_results.json: Category is the division, Suite the category, a# accelerators per node."""
    return tuple(
        read_row(Row(
            value=row.number("Performance_Result") if "Performance_Result" in row else row.number("Result"),
            units=row.text("Performance_Units") or row.text("Units") or "",
            model=row.text("Model") or "",
            scenario=row.text("Scenario") or "",
            version=row.text("version") or row.text("ID"),
            result_id=row.text("ID"),
            submitter=row.text("Submitter"),
            division=row.text("Category"),
            category=row.text("Suite"),
            availability=row.text("Availability"),
            system=row.text("System"),
            hardware=row.text("Accelerator"),
            nodes=row.some("Nodes"),
            per_node=row.count("a#") if row.raw("a#") != "" else 0,
            processor=row.text("Processor"),
            software=row.text("Software"),
            operating_system=row.text("operating_system"),
            precision=row.text("weight_data_types"),
            accuracy=row.text("Accuracy"),
            power=yes(row, "has_power"),
            inferred=yes(row, "inferred"),
            errors=row.count("errors"),
        ))
        for row in (Fields(row, f"row {n}") for n, row in enumerate(rows, 1))
    )  # fmt: skip


def read_table(which: str, text: str) -> tuple[Run, ...]:
    dialect = "\t" if text[:200].startswith("Public ID\t") else ","
    try:
        lines = []
        for line in csv.reader(text.splitlines(), delimiter=dialect):
            lines.append([cell.strip() for cell in line])
            if len(lines) > MAX_ROWS:
                raise Unreadable(f"The table has more than {MAX_ROWS:,} rows. Split it.")
    except csv.Error as error:
        raise Unreadable(f"The table cannot be read as CSV: {error}. Export it again.") from None
    readers = {CHECKER: checker, PIVOT: pivot, LONG: long_table}
    runs = tuple(read_row(row) for row in readers[which](lines))
    if not runs:
        raise Unreadable("The table holds no result under its header. Export it again.")
    return runs


def records(lines: list[list[str]]) -> Iterator[Fields]:
    """Each row under its header; a header that stands twice counts where it stands first."""
    header = lines[0]
    for number, line in enumerate(lines[1:], 2):
        if not any(line):
            continue
        if len(line) != len(header):
            raise Unreadable(
                f"Row {number} has {len(line)} cells under {len(header)} columns: the file seems cut off or edited. Export "
                "it again."
            )
        row: dict[str, object] = {}
        for key, cell in zip(header, line, strict=True):
            row.setdefault(key, cell)
        yield Fields(row, f"row {number}")


def checker(lines: list[list[str]]) -> Iterator[Row]:
    for row in records(lines):
        yield Row(
            value=row.number("Result"),
            units=row.text("Units") or "",
            model=row.text("MlperfModel") or row.text("Model") or "",
            scenario=row.text("Scenario") or "",
            version=row.text("version"),
            submitter=row.text("Organization"),
            division=row.text("Division"),
            category=row.text("SystemType"),
            availability=row.text("Availability"),
            system=row.text("SystemName"),
            hardware=row.text("accelerator_model_name"),
            nodes=row.some("number_of_nodes"),
            per_node=row.count("accelerators_per_node"),
            processor=row.text("host_processor_model_name"),
            software=row.text("framework"),
            operating_system=row.text("operating_system"),
            accuracy=row.text("Accuracy"),
            power=yes(row, "has_power"),
            inferred=yes(row, "inferred"),
            errors=row.count("errors"),
        )


def long_table(lines: list[list[str]]) -> Iterator[Row]:
    for row in records(lines):
        accelerators = row.count("Total Accelerators")
        yield Row(
            value=row.number(RESULT_ROW),
            units=row.text("Units") or "",
            model=row.text("Model MLC") or "",
            scenario=row.text("Scenario") or "",
            version=row.text("Public ID"),
            result_id=row.text("Public ID"),
            submitter=row.text("Organization"),
            division=division(row.text("Division/Power")),
            power="power" in (row.text("Division/Power") or "").lower(),
            availability=row.text("Availability"),
            system=row.text("System Name (click + for details)"),
            hardware=row.text("Accelerator (click + for details)"),
            nodes=row.some("# of Nodes"),
            per_node=row.count("Accelerators per node"),
            accelerators=accelerators,
            processor=row.text("Processor (click + for details)"),
        )


def yes(row: Fields, key: str) -> bool | None:
    """Yes or no as spreadsheets write it."""
    raw = row.raw(key)
    return (
        {"1": True, "0": False, "true": True, "false": False}.get(raw.lower())
        if isinstance(raw, str)
        else row.flag(key)
    )
