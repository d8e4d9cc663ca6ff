"""Which flags a claim would carry once it is published, and what else is published on its subject and property."""

from decimal import Decimal

from registry.models import Claim
from registry.reasoning.flags import flags_of


def published_beside(pairs, without=None):
    """(subject id, property id) → the published claims on them, in one query. `without` is a lineage to leave out."""
    pairs = set(pairs)
    found = {pair: [] for pair in pairs}
    rows = (
        Claim.objects.published()
        .filter(subject__in={subject for subject, _ in pairs}, property__in={prop for _, prop in pairs})
        .select_related("property", "asserter")
        .order_by("number")
    )
    for claim in rows.exclude(lineage=without) if without else rows:
        if (claim.subject_id, claim.property_id) in found:
            found[claim.subject_id, claim.property_id].append(claim)
    return found


def value_key(claim):
    """The text by which the database tells values apart, for a claim that is not saved yet."""
    if claim.value is not None:
        return _plain(claim.value)
    if claim.low is not None and claim.high is not None:
        return f"{_plain(claim.low)}–{_plain(claim.high)}"
    return claim.text.strip(" ").lower()


def _plain(number):
    text = f"{Decimal(number):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def flags_of_row(claim, beside, source):
    """The flags of a claim that is not saved yet, with the one source it would cite."""
    maker = claim.subject.maker
    self_reported = claim.asserter_id in {maker.pk, maker.parent_id}
    claim.withdrawn, claim.reproduced, claim.failed_reproductions = False, False, 0
    claim.unreproduced = (
        claim.value_kind == Claim.ValueKind.VALUE and claim.property.performance_figure and self_reported
    )
    claim.second_hand = not source.read_directly
    claim.different_values = _different_values(claim, beside)
    return flags_of(claim)


def flags_once_published(claim, beside, *, by=None):
    """The flags of a submitted claim as its queryset annotated them, but counting its value among the published.

    `beside` are the other published claims, without the revision it follows; `by` publishes their own.
    """
    claim.different_values = _different_values(claim, beside)
    claim.self_reviewed = by is not None
    return flags_of(claim)


def _different_values(claim, beside):
    if claim.property.datatype == "description":
        return 0
    comparable = [
        other
        for other in beside
        if other.value_kind == "value" and not other.derivation and other.conditions == claim.conditions
    ]
    return len({other.value_key for other in comparable} | {value_key(claim)})
