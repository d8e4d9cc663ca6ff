"""Published MLPerf results as tables: summary_results.json, the submission checker's CSV, and the results page's exports.

The page exports a pivot (5.0, 5.1: five header rows, four rows a system, one column a benchmark and scenario) or a long
table (6.0). “# of Accelerators” and “a#” are per node.
"""

import csv
from collections.abc import Iterator
from decimal import Decimal

from registry.readers.errors import Unreadable, quoted
from registry.readers.fields import Fields
from registry.readers.mlperf_result import Row, read_row
from registry.readers.run import Run

CHECKER, PIVOT, LONG = "submission checker CSV", "results page, pivot", "results page, long table"
RESULT_ROW = "Avg. Result at System Name"
MAX_ROWS = 100_000


def is_result(row: dict[str, object]) -> bool:
    return {"Scenario", "Submitter", "Model"} <= row.keys() and bool({"Performance_Result", "Result"} & row.keys())


def kind(text: str) -> str | None:
    """Which table this is, by its header."""
    head = text[:20_000]
    if head.startswith("Organization,Availability,Division,SystemType,SystemName,"):
        return CHECKER
    if "Public ID" not in head or "Organization" not in head:
        return None
    if head.startswith("Public ID\t") or head.startswith("Public ID,"):
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
    return tuple(read_row(row) for row in readers[which](lines))


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
    return {"1": True, "0": False, "true": True, "false": False}.get(raw.lower()) if isinstance(raw, str) else row.flag(key)


def division(text: str | None) -> str | None:
    return text.replace("/", " ").split()[0].lower() if text else None


def pivot(lines: list[list[str]]) -> Iterator[Row]:
    start, columns = layout(lines)
    system: dict[str, str] = {}
    cells: dict[str, list[str]] = {}
    for line in [*lines[start + 1 :], []]:
        if (not line or line[0]) and system:
            yield from results(system, cells, columns)
            system, cells = {}, {}
        if not line or not any(line):
            continue
        if len(line) != len(lines[start]):
            raise Unreadable(
                f"A row has {len(line)} cells under {len(lines[start])} columns: the file seems cut off or edited. Export "
                "it again."
            )
        if line[0]:
            system = {}
            for key, cell in zip(lines[start], line, strict=True):
                system.setdefault(key, cell)
        label = line[columns[0][0] - 1]
        cells[label] = line


def layout(lines: list[list[str]]) -> tuple[int, list[tuple[int, str, str, str]]]:
    """The header's row, and of each result column its place, model, scenario and unit."""
    start = next((n for n, line in enumerate(lines[:10]) if line and line[0] == "Public ID"), -1)
    if start < 2:
        raise Unreadable("The table has no header row with Public ID under benchmarks and scenarios. Export it again.")
    models, scenarios, units = lines[start - 2], lines[start - 1], lines[start]
    if not len(models) == len(scenarios) == len(units):
        raise Unreadable("The header rows differ in length: the file seems cut off or edited. Export it again.")
    columns, model = [], ""
    for place, (name, scenario, unit) in enumerate(zip(models, scenarios, units, strict=True)):
        model = name or model
        if scenario:
            columns.append((place, model, scenario, unit))
    if not columns or columns[0][0] < 1:
        raise Unreadable("The table has no result columns. Export it again.")
    return start, columns


def results(system: dict[str, str], cells: dict[str, list[str]], columns: list[tuple[int, str, str, str]]) -> Iterator[Row]:
    where = Fields(dict(system), system["Public ID"])
    if RESULT_ROW not in cells:
        raise Unreadable(f"The system {quoted(system['Public ID'])} has no row {quoted(RESULT_ROW)}. Export it again.")
    for place, model, scenario, units in columns:
        column: dict[str, object] = {label: line[place] for label, line in cells.items()}
        cell = Fields(column, f"{system['Public ID']}, {model}, {scenario}")
        value: Decimal | None = cell.number(RESULT_ROW)
        if value is None:
            continue
        yield Row(
            value=value,
            units=units,
            model=model,
            scenario=scenario,
            version=where.text("Public ID"),
            result_id=where.text("Public ID"),
            submitter=where.text("Organization"),
            division=division(where.text("Division/Power")),
            power="power" in (where.text("Division/Power") or "").lower(),
            availability=where.text("Availability"),
            system=where.text("System Name (click + for details)"),
            hardware=where.text("Accelerator") or where.text("Accelerator (click + for details)"),
            nodes=cell.some("# of Nodes") or where.some("# of Nodes"),
            per_node=cell.count("# of Accelerators")
            if "# of Accelerators" in cell
            else where.count("# of Accelerators"),
            processor=where.text("Processor") or where.text("Processor (click + for details)"),
        )
