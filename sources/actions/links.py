"""What people decide about links: look again, this page is fine, the source has moved."""

from django.utils import timezone

from sources.actions.acting import acting, retried
from sources.actions.looks import put_standing, signature, standing_of, words_accepted
from sources.actions.sources import change_source
from sources.models import Link, LinkCheck, PassageLook
from sources.pace import NORMAL
from sources.standing import Look, after


class NothingToDecideError(Exception):
    """Why a decision about a link makes no sense; a sentence for the editor."""


def mark_due(links) -> int:
    """Make the links of a query set due now, those too that only a person takes up; returns how many."""
    return links.update(due_at=timezone.now(), lost_leases=0)


@retried
def check_now(source, *, by) -> None:
    """Ask for a look at a source: a worker finds it due. The web request that asks waits for nobody."""
    with acting(by):
        mark_due(Link.objects.filter(pk=source.pk))


@retried
def accept_page(source, *, note: str, by) -> None:
    """A person looked at the page and calls it fine: link and passages are out of review, what it says now is what
    later looks compare with, and the decision stands in the history of looks.

    Raises NothingToDecideError for a link about which there is nothing to decide, or without a note.
    """
    if not any(character.isalnum() for character in note):
        raise NothingToDecideError(
            "Say in the note what you saw on the page: it is kept in the history of looks."
        )
    with acting(by, note):
        link = Link.objects.select_for_update(of=("self",)).select_related("last_check").get(pk=source.pk)
        under_review = PassageLook.objects.filter(passage__source=source, review_since__isnull=False)
        looks = list(under_review.select_for_update(of=("self",)))
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
        put_standing(link, after(standing_of(link), Look(now, last.verdict, accepted=True)))
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
        link.save()
        for look in looks:
            look.accepted, look.review_since = words_accepted(look), None
            look.save(update_fields=["accepted", "review_since"])


@retried
def accept_address(source, *, note: str, by):
    """Cite a source at the address it has moved to for good: a change of the source with its note and its history.

    Raises NothingToDecideError where no look found a new address, IntegrityError (source_identity) where another
    record has that address already.
    """
    with acting(by, note):
        link = Link.objects.select_for_update().get(pk=source.pk)
        if not link.moved_to:
            raise NothingToDecideError("No look found that this source has moved for good.")
        return change_source(source, {"url": link.moved_to}, note=note, by=by)
