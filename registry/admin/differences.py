"""An entry beside the revision before it, field by field, for the person who reviews it."""

from dataclasses import dataclass
from decimal import Decimal

from registry.models import BenchmarkRecord, Workload
from registry.models.entry import Entry
from registry.reasoning.quantities import display


@dataclass(frozen=True)
class Difference:
    label: str
    old: str
    new: str

    @property
    def changed(self):
        return self.old != self.new


def differences(old, new):
    """One row a field that either revision fills. `old` is None for a first publication."""
    before, after = dict(_content(old)) if old else {}, dict(_content(new))
    rows = [Difference(label, before.get(label, ""), after.get(label, "")) for label in {**after, **before}]
    return [row for row in rows if row.old or row.new]


def _content(entry):
    yield from _KINDS[entry.letter](entry)
    yield (
        "Citations",
        "\n".join(
            f"{citation.get_stance_display()}: {citation.passage.source.title}, {citation.passage.locator}"
            + (f": “{citation.passage.quotation}”" if citation.passage.quotation else "")
            for citation in entry.citations.all()
        ),
    )


def _claim(claim):
    yield "Subject", claim.subject.name
    yield "Property", str(claim.property)
    yield "Asserter", claim.asserter.name
    yield "Kind of value", claim.get_value_kind_display()
    yield "As stated", claim.text
    yield "Read as", display(claim.value, claim.low, claim.high, claim.bound, claim.property.unit)
    yield "Conditions", claim.conditions
    yield "Boundary", claim.boundary
    yield "Derivation", claim.derivation
    yield "Note", claim.note
    yield "Contexts", "\n".join(f"{context.role}: {context.subject.name}" for context in claim.contexts.all())


def _reproduction(reproduction):
    yield "Claim", f"C-{reproduction.claim_number}"
    yield "Performer", reproduction.performer.name
    yield "Outcome", reproduction.get_outcome_display()
    yield "As stated", reproduction.text
    yield "Measured", "" if reproduction.measured is None else f"{reproduction.measured:f}"
    yield "Tolerance", reproduction.tolerance
    yield "Conditions", reproduction.conditions


# What a record says in its own columns, in their order; what it rests on, and who keeps it, stands elsewhere.
_KEPT_BY_LIFE = {field.name for field in Entry._meta.local_fields}
_COLUMNS = [
    field
    for field in BenchmarkRecord._meta.local_concrete_fields
    if field.name not in _KEPT_BY_LIFE | {"workload", "artifact", "further", "quirks"}
]


def _record(record):
    for field in _COLUMNS:
        yield _label(field), _written(getattr(record, field.name))
    asked = record.workload
    for field in Workload._meta.concrete_fields:
        if field.name not in ("id", "spec_hash"):
            yield f"Workload: {field.verbose_name}", _written(getattr(asked, field.name))
    for name, value in record.further.items():
        yield f"Further: {name.replace('_', ' ')}", _written(value)
    for each in record.measurements.select_related("metric"):
        over = f", over {each.values} values" if each.values is not None else ""
        divided = f", divided by {each.divisor}" if each.divisor is not None else ""
        read = f"{each.value:f} {each.metric.unit}"
        yield (
            f"{each.metric.name} [{each.metric_id}], {each.statistic}",
            f"{read}{over}{divided} (stated: {each.text})",
        )
    yield "What looked odd", "\n".join(record.quirks)
    yield "File", f"{record.artifact.name}, SHA-256 {record.artifact.sha256}" if record.artifact else ""


def _label(field):
    return str(field.verbose_name).capitalize()


def _written(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


_KINDS = {"C": _claim, "R": _reproduction, "B": _record}
