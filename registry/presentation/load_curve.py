"""One system under several loads: the records that differ from one in nothing but the load, as a curve and a table."""

from dataclasses import dataclass

from registry.presentation.benchmarks import figure_of, record_url
from registry.presentation.chart import Chart, scatter

LOADS = ("concurrency", "request_rate")
# What the curve shows, the first pair that every record states: speed for one user across, work of the system up.
AXES = [
    (("interactivity_client", "median"), ("output_throughput_per_accelerator_client", "value")),
    (("tpot_client", "median"), ("output_throughput_per_accelerator_client", "value")),
    (("tpot_client", "median"), ("output_throughput_client", "value")),
    (("ttft_client", "median"), ("output_throughput_client", "value")),
    (("e2e_client", "median"), ("request_throughput_client", "value")),
]


@dataclass(frozen=True)
class CurveRow:
    label: str
    url: str
    load: str
    x: str
    y: str


@dataclass(frozen=True)
class LoadCurve:
    chart: Chart
    x_label: str
    y_label: str
    rows: list[CurveRow]


def load_curve(record, neighbours, by_name):
    """The curve through a record and its neighbours by load; None where fewer than three records make one."""
    others = [by_name[each.record.name] for each in neighbours if each.field in LOADS]
    records = sorted({each.number: each for each in [record, *others]}.values(), key=_load)
    if len(records) < 3:
        return None
    figures = [{(m.metric_id, m.statistic): m for m in each.measurements.all()} for each in records]
    axes = next(((x, y) for x, y in AXES if all(x in have and y in have for have in figures)), None)
    if axes is None:
        return None
    x, y = axes
    rows = [
        CurveRow(
            f"B-{each.number}", record_url(each), _load_words(each), figure_of(have[x]), figure_of(have[y])
        )
        for each, have in zip(records, figures, strict=True)
    ]
    x_label, y_label = (_axis(figures[0][key], key[1]) for key in (x, y))
    points = [
        (
            have[x].value,
            have[y].value,
            _load_words(each),
            record_url(each),
            f"B-{each.number}: {figure_of(have[x])}; {figure_of(have[y])}",
            each.number == record.number,
        )
        for each, have in zip(records, figures, strict=True)
    ]
    low, high = rows[0], rows[-1]
    finding = (
        f"From {low.load} to {high.load}, {_metric(figures[0][y])} goes from {low.y} to {high.y} "
        f"and {_metric(figures[0][x])} from {low.x} to {high.x}."
    )
    return LoadCurve(
        scatter("The same system under other loads", finding, x_label, y_label, points),
        x_label,
        y_label,
        rows,
    )


def _load(record):
    return (record.workload.concurrency or 0, record.workload.request_rate or 0, record.number)


def _load_words(record):
    asked = record.workload
    return f"{asked.concurrency} in flight" if asked.concurrency else f"{asked.request_rate:f} requests/s"


def _metric(measurement):
    name = measurement.metric.name
    return name[:1].lower() + name[1:]


def _axis(measurement, statistic):
    words = "" if statistic == "value" else f", {statistic}"
    return f"{measurement.metric.name}{words} ({measurement.metric.unit})"
