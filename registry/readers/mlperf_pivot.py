"""The results page's pivot of rounds 5.0 and 5.1: five header rows, four rows a system, one column a benchmark and scenario.

The rows of a system are named in the column before the results; “# of Accelerators” is per node.
"""

from collections.abc import Iterator
from decimal import Decimal

from registry.readers.errors import Unreadable, quoted
from registry.readers.fields import Fields
from registry.readers.mlperf_result import Row

RESULT_ROW = "Avg. Result at System Name"


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
        raise Unreadable(
            "The table has no header row with Public ID under benchmarks and scenarios. Export it again."
        )
    models, scenarios, units = lines[start - 2], lines[start - 1], lines[start]
    if not len(models) == len(scenarios) == len(units):
        raise Unreadable(
            "The header rows differ in length: the file seems cut off or edited. Export it again."
        )
    columns, model = [], ""
    for place, (name, scenario, unit) in enumerate(zip(models, scenarios, units, strict=True)):
        model = name or model
        if scenario:
            columns.append((place, model, scenario, unit))
    if not columns or columns[0][0] < 1:
        raise Unreadable("The table has no result columns. Export it again.")
    return start, columns


def results(
    system: dict[str, str], cells: dict[str, list[str]], columns: list[tuple[int, str, str, str]]
) -> Iterator[Row]:
    where = Fields(dict(system), system["Public ID"])
    if RESULT_ROW not in cells:
        raise Unreadable(
            f"The system {quoted(system['Public ID'])} has no row {quoted(RESULT_ROW)}. Export it again."
        )
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


def division(text: str | None) -> str | None:
    return text.replace("/", " ").split()[0].lower() if text else None
