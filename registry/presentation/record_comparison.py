"""Benchmark records side by side: verdicts and reasons first, then only the rows in which figures may stand together."""

from dataclasses import dataclass, field

from registry.presentation.benchmarks import figure_of, record_flags, record_url, title_of
from registry.presentation.claim import Notice
from registry.presentation.page import Link
from registry.reasoning.comparability import COMPARABLE, NEITHER, NOT_COMPARABLE, ratio_allowed
from registry.reasoning.flags import Flag

_TONES = {COMPARABLE: "ok", NOT_COMPARABLE: "bad"}


@dataclass(frozen=True)
class Pair:
    """What may be said of two records, with every reason."""

    names: tuple[str, str]
    flag: Flag
    refusals: list[str]
    differences: list[str]


@dataclass(frozen=True)
class Column:
    label: str
    url: str
    title: str
    flags: list[Flag]


@dataclass(frozen=True)
class Row:
    """One statistic of one metric; a cell is blank for a record that may not stand in it."""

    metric: str
    statistic: str
    formula: str
    cells: list[str]
    ratio: str


@dataclass(frozen=True)
class RecordComparison:
    pairs: list[Pair]
    columns: list[Column]
    rows: list[Row] = field(default_factory=list)


def comparison(records, page, provenance):
    """The comparison of records, in the order of the address."""
    for record in records:
        for citation in record.citations.all():
            provenance.line(citation.passage.source)
    names = {f"B-{record.number}/{record.revision}": record for record in records}
    figures = {
        name: {(each.metric_id, each.statistic): each for each in record.measurements.all()}
        for name, record in names.items()
    }
    rows = []
    for group in page.groups:
        cells = [
            figure_of(figures[name][group.metric.key, group.statistic]) if name in group.names else ""
            for name in names
        ]
        ratio = _ratio(group, page.pairs, figures)
        rows.append(Row(group.metric.name, group.statistic, group.metric.formula, cells, ratio))
    return RecordComparison(
        [_pair(each) for each in page.pairs],
        [
            Column(f"B-{record.number}", record_url(record), title_of(record), record_flags(record))
            for record in records
        ],
        rows,
    )


def _pair(compared):
    return Pair(
        tuple(name.partition("/")[0] for name in compared.names),
        Flag(compared.verdict[0].upper() + compared.verdict[1:], _TONES.get(compared.verdict, "caution")),
        [reason.sentence for reason in compared.refusals],
        [reason.sentence for reason in compared.differences],
    )


def _ratio(group, pairs, figures):
    """The second figure as a multiple of the first: only where no rule refuses it and at most one condition differs
    or is reported by one alone, for a ratio over two differences says nothing about either.
    """
    if len(group.names) != 2:
        return ""
    pair = next(each for each in pairs if set(each.names) == set(group.names))
    one, other = (figures[name][group.metric.key, group.statistic].value for name in pair.names)
    apart = sum(reason.situation != NEITHER for reason in pair.differences)
    if apart > 1 or one <= 0 or not ratio_allowed(pair, group.metric.key):
        return ""
    first, second = (name.partition("/")[0] for name in pair.names)
    return f"{second} is {other / one:.2f} × {first}"


def notice_of(record, newest):
    """A banner where this revision is not what stands now; None where it is."""
    current = Link(f"B-{record.number} as it stands", f"/benchmarks/B-{record.number}")
    if record.status == "withdrawn":
        back = (current,) if newest.status == "published" else ()
        return Notice("bad", f"Withdrawn on {record.ended_on.isoformat()}.", record.end_note, back)
    if record.status != "superseded":
        return None
    words = f"Revision {newest.revision} of {newest.record_date.isoformat()} stands now."
    if newest.status == "withdrawn":
        words = f"The record was withdrawn on {newest.ended_on.isoformat()}: {newest.end_note}"
    return Notice("caution", f"Superseded on {record.ended_on.isoformat()}.", words, (current,))
