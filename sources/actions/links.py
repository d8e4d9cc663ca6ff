"""What people decide about links: look again, this page is fine, the source has moved."""

import hashlib
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.utils import timezone

from sources.actions.acting import acting, retried
from sources.actions.looks import put_standing, signature, standing_of, words_accepted
from sources.actions.sources import change_source
from sources.addresses import AddressError, normalise
from sources.models import Link, LinkCheck, PassageLook
from sources.pace import NORMAL
from sources.standing import Look, after


class NothingToDecideError(Exception):
    """Why a decision about a link makes no sense; a sentence for the editor."""


class OutdatedError(Exception):
    """What a decision was about changed before it was made; nothing was saved. `now` is what stands."""

    def __init__(self, now: Mapping[str, str]) -> None:
        self.now = now
        super().__init__("This link changed while you had it open, so nothing was saved: look at it again.")


def facts(link: Link, looks: Iterable[PassageLook]) -> dict[str, str]:
    """What a decision about a link is about, label by label. A form carries it, so that nobody decides on what has gone."""
    last, text = link.last_check, "none"
    if link.offered:
        digest = hashlib.sha256(link.offered["fingerprint"].encode()).hexdigest()[:12]
        text = f"{link.offered['length']} characters, {digest}"
    passages = {f"{look.passage.locator}: “{look.passage.quotation}”": words_accepted(look) for look in looks}
    return {
        "Address": link.source.url,
        "Standing": link.state or "not checked yet",
        "Last look": f"{last.checked_at:%Y-%m-%d %H:%M:%S} UTC, {last.verdict}: {last.reason}"
        if last
        else "none",
        "New address": link.moved_to or "none",
        "Text to accept": text,
        **passages,
    }


def in_review(source) -> list[PassageLook]:
    """How the passages of a source stand that are under review."""
    looks = PassageLook.objects.filter(passage__source=source, review_since__isnull=False)
    return list(looks.select_related("passage").order_by("pk"))


def mark_due(links) -> int:
    """Make the links of a query set due now, those too that only a person takes up; returns how many."""
    with transaction.atomic():
        # In one order, as looks are written down: else many links and a worker would wait for each other.
        list(links.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk"))
        return links.update(due_at=timezone.now(), lost_leases=0)


@retried
def check_now(*sources, by) -> int:
    """Ask for a look at sources: a worker finds them due. The web request that asks waits for nobody."""
    with acting(by):
        return mark_due(Link.objects.filter(pk__in=[source.pk for source in sources]))


@retried
def accept_page(source, *, note: str, by, shown: Mapping[str, str] | None = None) -> None:
    """A person looked at the page and calls it fine: link and passages are out of review, what it says now is what
    later looks compare with, and the decision stands in the history of looks.

    Raises NothingToDecideError for a link about which there is nothing to decide, or without a note; OutdatedError
    where the facts are no longer those that were `shown`.
    """
    if not any(character.isalnum() for character in note):
        raise NothingToDecideError(
            "Say in the note what you saw on the page: it is kept in the history of looks."
        )
    with acting(by, note):
        link, looks = _locked(source, shown)
        last = link.last_check
        if last is None:
            raise NothingToDecideError("No robot has looked at this address yet: check it first.")
        if link.state in ("", "ok", "cannot be checked by machine", "refused", "not checked") and not looks:
            raise NothingToDecideError(
                "No look found anything wrong with this page, so there is nothing to accept."
            )
        now = timezone.now()
        if link.offered:
            link.seen, link.offered = link.offered, None
        if last.verdict == "suspect":
            link.accepted = signature(last, last.status, last.final_url)
        # Where the source has moved to is a question of its own.
        fine = Look(now, "moved" if link.moved_to else last.verdict, link.moved_to, accepted=True)
        put_standing(link, after(standing_of(link), fine))
        link.last_check = LinkCheck.objects.create(
            source=source,
            checked_at=now,
            verdict="accepted",
            reason=note.strip()[:300],
            status=last.status,
            final_url=last.final_url,
            accepted_by=by,
            looks_before=link.equal_looks,
            last_before_at=link.last_equal_look_at,
        )
        link.equal_looks = 0
        link.etag = link.last_modified = link.validated_url = ""  # the next look reads the page in full
        link.due_at = now + NORMAL
        # A look that is under way compares with what was accepted just now: it finds its lease gone.
        link.lease_until = link.lease_token = None
        link.lost_leases = 0
        link.save()
        for look in looks:
            look.accepted, look.review_since = words_accepted(look), None
            look.save(update_fields=["accepted", "review_since"])


@retried
def accept_address(source, *, note: str, by, shown: Mapping[str, str] | None = None):
    """Cite a source at the address it has moved to for good: a change of the source with its note and its history.

    Raises NothingToDecideError where no look found a new address or the register cannot hold it, IntegrityError
    (source_identity) where another record has that address already, OutdatedError where the facts are no longer those
    that were `shown`.
    """
    with acting(by, note):
        link, _ = _locked(source, shown)
        if not link.moved_to:
            raise NothingToDecideError("No look found that this source has moved for good.")
        try:
            address = normalise(link.moved_to)
        except AddressError as error:
            raise NothingToDecideError(f"The new address cannot be registered. {error}") from error
        # The same edition at another place: an address that pins nothing does not make it one without a version.
        kept = {"version": link.source.version, "link_kind": link.source.link_kind}
        return change_source(source, {"url": address.url, **kept}, note=note, by=by)


def _locked(source, shown: Mapping[str, str] | None) -> tuple[Link, list[PassageLook]]:
    """The link and the passages under review, locked; OutdatedError unless they are as they were shown."""
    # Locked first and read then: a row that was waited for is joined with what stood before the wait.
    Link.objects.select_for_update().get(pk=source.pk)
    list(PassageLook.objects.filter(passage__source=source).select_for_update(of=("self",)).order_by("pk"))
    link = Link.objects.select_related("last_check", "source").get(pk=source.pk)
    looks = in_review(source)
    now = facts(link, looks)
    if shown is not None and dict(shown) != now:
        raise OutdatedError(now)
    return link, looks
