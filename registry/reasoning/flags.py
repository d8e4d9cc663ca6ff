"""What a reader must know beside a claim's value, in the same words on pages, twins and downloads."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Flag:
    words: str
    tone: str  # ok, caution, conflict, bad, info, derived or neutral
    url: str = ""


UNREPRODUCED = "Manufacturer figure, not reproduced"
REPRODUCED = "Reproduced"
SECOND_HAND = "Read at second hand"
NOT_STATED = "Not stated in the reviewed sources"
SELF_REVIEWED = "Self-reviewed"
WITHDRAWN = "Withdrawn"
DERIVED = "Derived, not stated by the source"
MOVED = "Source moved"
UNDER_REVIEW = "Source changed, under review"
UNCHECKABLE = "Cannot be checked by machine"

# What each flag means, as the pages explain it.
MEANINGS = [
    (
        Flag(UNREPRODUCED, "caution"),
        "A performance figure that the subject's own maker states and no independent party has reproduced "
        "in a published source.",
    ),
    (
        Flag(REPRODUCED, "ok"),
        "An independent party measured the figure and came to the same result; the reproduction is cited.",
    ),
    (
        Flag("Reproduction failed (n)", "bad"),
        "Independent parties tried the figure and did not come to the same result.",
    ),
    (
        Flag("Sources disagree (n)", "conflict"),
        "Published claims give n different values for the same property under the same conditions; all are shown.",
    ),
    (
        Flag(SECOND_HAND, "info"),
        "The source itself was not read: only a transcription, quotation, repost, translation or summary of it.",
    ),
    (
        Flag(DERIVED, "derived"),
        "The value was computed from, or taken over from, what a source states; the claim says how.",
    ),
    (
        Flag(NOT_STATED, "neutral"),
        "The cited sources were read for this property and do not state it.",
    ),
    (
        Flag(SELF_REVIEWED, "info"),
        "The author of the entry also published it; no second person reviewed it.",
    ),
    (
        Flag("Corrected YYYY-MM-DD", "info"),
        "This revision corrects an earlier one, which stays readable at its own address.",
    ),
    (Flag(WITHDRAWN, "bad"), "The entry was taken back; its address says why."),
    (
        Flag("Link broken since YYYY-MM-DD", "bad"),
        "Several looks of the link checker, days apart, found nothing at the address of a supporting source; what was "
        "read there stays verified on its day.",
    ),
    (
        Flag(MOVED, "info"),
        "The address of a supporting source sends on for good to another one, which an editor has yet to accept.",
    ),
    (
        Flag(UNDER_REVIEW, "caution"),
        "The link checker found other figures than the cited ones, or no longer found the cited words; a person has yet "
        "to read the source again.",
    ),
    (
        Flag(UNCHECKABLE, "neutral"),
        "A supporting source refuses robots, or must not be fetched by one; this says nothing about the source.",
    ),
]


def flags_of(claim):
    """The flags of a claim that `ClaimQuerySet.with_flags` has annotated, most important first."""
    flags = []
    if claim.withdrawn:
        flags.append(Flag(WITHDRAWN, "bad"))
    if claim.value_kind == "not stated":
        flags.append(Flag(NOT_STATED, "neutral"))
    if claim.unreproduced:
        flags.append(Flag(UNREPRODUCED, "caution"))
    if claim.reproduced:
        flags.append(Flag(REPRODUCED, "ok"))
    if claim.failed_reproductions:
        flags.append(Flag(f"Reproduction failed ({claim.failed_reproductions})", "bad"))
    if claim.different_values > 1 and claim.value_kind == "value" and not claim.derivation:
        flags.append(Flag(f"Sources disagree ({claim.different_values})", "conflict"))
    if claim.second_hand:
        flags.append(Flag(SECOND_HAND, "info"))
    if claim.derivation:
        flags.append(Flag(DERIVED, "derived"))
    if claim.self_reviewed:
        flags.append(Flag(SELF_REVIEWED, "info"))
    if claim.change_kind == "correction" and claim.record_date:
        flags.append(Flag(f"Corrected {claim.record_date.isoformat()}", "info"))
    # What nobody has saved yet has no links to speak of.
    return flags + link_flags(**(getattr(claim, "links", None) or {}))


def link_flags(broken_since="", moved=False, under_review=False, uncheckable=False):
    """The flags that say how links and cited passages stand today; `broken_since` is an ISO day, or "" or None."""
    flags = []
    if broken_since:
        flags.append(Flag(f"Link broken since {broken_since}", "bad"))
    if moved:
        flags.append(Flag(MOVED, "info"))
    if under_review:
        flags.append(Flag(UNDER_REVIEW, "caution"))
    if uncheckable:
        flags.append(Flag(UNCHECKABLE, "neutral"))
    return flags
