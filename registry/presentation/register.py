from dataclasses import dataclass

from registry.models.flags import BROKEN
from registry.presentation.claims import Cell, cell
from registry.presentation.looks import plain
from registry.presentation.navigation import subject_url
from registry.presentation.subject import Event, Fact
from sources.models.verification import Representation


def source_facts(source):
    """How the source is known: address, kind, who wrote it, whether the address may change, what it relates to."""
    facts = [
        Fact("Address", source.url, source.url),
        Fact("Publisher", source.publisher.name),
        Fact("Kind", source.get_kind_display()),
        Fact("Attribution", source.get_attribution_role_display()),
        Fact("Link", source.get_link_kind_display()),
    ]
    if source.version:
        facts.append(Fact("Version", source.version, code=True))
    if source.licence:
        facts.append(Fact("License of the text", source.licence))
    if source.archive_url:
        facts.append(Fact("Archived copy", source.archive_url, source.archive_url))
    link = getattr(source, "link", None)
    if link and link.moved_to and link.state not in BROKEN:
        # A server said so: what is no address of the web is only text.
        followed = link.moved_to if link.moved_to.startswith(("http://", "https://")) else ""
        facts.append(Fact("Moved to", plain(link.moved_to), followed))
    if source.edition_of:
        facts.append(Fact("Edition of", str(source.edition_of), f"/sources/{source.edition_of.key}"))
    if source.superseded_by:
        facts.append(Fact("Superseded by", str(source.superseded_by), f"/sources/{source.superseded_by.key}"))
    return facts


@dataclass(frozen=True)
class RestingClaim:
    subject: str
    subject_url: str
    label: str
    cell: Cell
    locator: str
    quotation: str
    claim_label: str
    claim_url: str


def resting_on(source, claims, provenance):
    """The published claims that cite the source, with the passage each rests on."""
    return [
        RestingClaim(
            claim.subject.name,
            subject_url(claim.subject),
            claim.property.label,
            cell([claim], provenance),
            cited.passage.locator,
            cited.passage.quotation,
            f"C-{claim.number}",
            f"/claims/C-{claim.number}",
        )
        for claim in claims
        for cited in claim.citations.all()
        if cited.passage.source_id == source.pk
    ]


def source_history(verifications, changes):
    """Verifications and noted changes of the source's own fields, newest first."""
    found = [
        Event(
            verification.verified_on.isoformat(),
            verification.get_outcome_display(),
            f"read as {Representation(verification.representation).value}",
            note=verification.note,
        )
        for verification in verifications
    ]
    found += [change_event(change) for change in changes]
    return sorted(found, key=lambda event: event.date, reverse=True)


def change_event(change):
    """A noted change of a reference row: which fields, from what to what, and why."""
    fields = [
        f"{field.removesuffix('_id').replace('_', ' ')}: {_said(before)} → {_said((change.after or {}).get(field))}"
        for field, before in (change.before or {}).items()
    ]
    url = f"/sources/{change.key}" if change.table == "source" else ""
    return Event(
        change.changed_at.date().isoformat(),
        f"{change.get_table_display()} {change.key}",
        "; ".join(fields),
        url,
        change.note,
    )


def _said(value):
    if isinstance(value, list):
        return "; ".join(map(str, value)) or "nothing"
    return "nothing" if value in (None, "") else str(value)
