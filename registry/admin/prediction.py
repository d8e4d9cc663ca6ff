"""Which flags a claim would carry once it is published, and what else is published on its subject and property."""

from decimal import Decimal

from registry.models import Claim, Reproduction
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


def predicted_flags(claim, beside, *, sources, by=None):
    """The flags of a claim that is not published, beside the published ones and with the sources that support it."""
    maker = claim.subject.maker
    self_reported = claim.asserter_id in {maker.pk, maker.parent_id}
    tried = (
        Reproduction.objects.published().filter(claim_number=claim.number).values_list("outcome", flat=True)
        if claim.number
        else []
    )
    outcomes = list(tried)
    comparable = [
        other
        for other in beside
        if other.value_kind == "value" and not other.derivation and other.conditions == claim.conditions
    ]
    claim.reproduced = "reproduced" in outcomes
    claim.failed_reproductions = outcomes.count("not reproduced")
    claim.unreproduced = claim.property.performance_figure and self_reported and not claim.reproduced
    claim.second_hand = not any(source.read_directly for source in sources)
    claim.different_values = len({value_key(other) for other in [*comparable, claim]})
    if by is not None:
        claim.self_reviewed = by.pk in (claim.created_by_id, claim.edited_by_id)
    return flags_of(claim)
