"""An entry beside the revision before it, field by field, for the person who reviews it."""

from dataclasses import dataclass

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
    before = dict(_content(old)) if old else {}
    rows = [Difference(label, before.get(label, ""), text) for label, text in _content(new)]
    return [row for row in rows if row.old or row.new]


def _content(entry):
    yield from _claim(entry) if entry.letter == "C" else _reproduction(entry)
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
