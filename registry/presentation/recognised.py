"""What a reader recognised in a result file, as the person who completes it reads it."""

from collections import Counter
from dataclasses import dataclass, field

from registry.readers.metrics import METRICS

MOST_FIGURES = 4000  # written out run by run; beyond that a page says how many there are


@dataclass(frozen=True)
class Shown:
    """A run of the file."""

    label: str
    said: str
    counts: list[tuple[str, int | None]]
    figures: list[tuple[str, str, str]]  # metric, statistic, as the file states it
    number_of_figures: int


@dataclass
class Defined:
    """A metric of the file: its definition, and how often it occurs."""

    name: str
    formula: str
    unit: str
    clock: str
    statistics: dict[str, None] = field(default_factory=dict)
    runs: int = 0


def runs_of(report):
    """The runs that can become records."""
    runs = [run for run in report.runs if not run.refused]
    written_out = sum(len(run.figures) for run in runs) <= MOST_FIGURES
    return [_shown(run, written_out) for run in runs]


def refused_of(report):
    """(label, reason) of the runs that cannot."""
    return [(run.label, run.refused) for run in report.runs if run.refused]


def definitions_of(report):
    """The metrics of the file in the order they first occur."""
    found = {}
    for run in report.runs:
        seen = set()
        for figure in run.figures if not run.refused else ():
            metric = METRICS[figure.metric]
            defined = found.setdefault(
                metric.key, Defined(metric.name, metric.formula, metric.unit, metric.clock)
            )
            defined.statistics[figure.statistic] = None
            if metric.key not in seen:
                seen.add(metric.key)
                defined.runs += 1
    return list(found.values())


def stated_by(report):
    """(condition, its value or how many there are) of what every run that can become a record states."""
    runs = [run for run in report.runs if not run.refused]
    values = {}
    for run in runs:
        for name, value in run.conditions.stated().items():
            values.setdefault(name, []).append(value)
    return [(_words(name), _several(given)) for name, given in values.items() if len(given) == len(runs)]


def missing_of(report):
    """(condition, number of runs) of what runs should state and do not."""
    runs = [run for run in report.runs if not run.refused]
    counted = Counter(name for run in runs for name in run.missing)
    return [(_words(name), number) for name, number in counted.items()]


def quirks_of(report):
    """(sentence, severity, number of runs; 0 for what is said of the file) of what looks wrong, warnings first."""
    found = {(quirk.sentence, quirk.severity): 0 for quirk in report.quirks}
    counted = Counter((quirk.sentence, quirk.severity) for run in report.runs for quirk in run.quirks)
    rows = [(*key, number) for key, number in (found | dict(counted)).items()]
    return sorted(rows, key=lambda row: row[1] != "warning")


def _shown(run, written_out):
    said = run.conditions
    parts = [
        f"{said.accelerators} × {said.hardware or said.system}"
        if said.accelerators
        else said.hardware or said.system,
        said.model,
        " ".join(filter(None, [said.runtime, said.runtime_version])),
        said.precision,
        said.scenario,
        f"{said.concurrency} in flight" if said.concurrency else "",
    ]
    counts = run.counts
    figures = [(METRICS[each.metric].name, each.statistic, each.as_stated) for each in run.figures]
    return Shown(
        run.label,
        ", ".join(filter(None, parts)),
        [
            ("attempted", counts.attempted),
            ("succeeded", counts.ok),
            ("failed", counts.failed),
            ("cut off", counts.incomplete),
        ],
        figures if written_out else [],
        len(figures),
    )


def _words(name):
    return name.replace("_", " ").capitalize()


def _several(values):
    different = list(dict.fromkeys(map(str, values)))
    return different[0] if len(different) == 1 else f"{len(different)} different values"
