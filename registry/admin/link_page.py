"""What the page of one link shows: all that looks found, and what rests on it. Everything from a server is a stranger's."""

import datetime as dt
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db.models import Exists, OuterRef, Prefetch, Subquery
from django.utils import timezone

from registry.models import Claim, ClaimCitation, Reproduction
from sources.actions.looks import standing_of
from sources.models import PassageCheck
from sources.models.link import MOST_LOST_LEASES, series_of
from sources.standing import State

MOST = 100  # rows of one kind on the page
TONES = {
    State.OK: "ok",
    State.CHANGED: "caution",
    State.NEEDS_A_LOOK: "caution",
    State.UNREACHABLE: "caution",
    State.BROKEN: "bad",
    State.GONE: "bad",
}
WORDS = {
    State.NEW: "not checked yet",
    State.OK: "answers",
    State.CHANGED: "text changed",
    State.NEEDS_A_LOOK: "needs a look",
    State.UNREACHABLE: "unreachable",
    State.BROKEN: "broken",
    State.GONE: "removed by its publisher",
    State.UNCHECKABLE: "cannot be checked by machine",
    State.REFUSED: "must not be fetched",
    State.NOT_CHECKED: "no web address",
}
UNDER_REVIEW = "source changed, under review"


@dataclass(frozen=True)
class Outward:
    """An address as text, and as something to follow only where that leads to the web."""

    text: str

    @property
    def href(self):
        try:
            parts = urlsplit(self.text)
        except ValueError:
            return ""
        return self.text if parts.scheme in ("http", "https") and parts.netloc else ""


@dataclass(frozen=True)
class Hop:
    url: Outward
    status: int
    to: Outward
    how: str


def state_of(link):
    return State(link.state) if link.state else State.NEW


def signs(link, under_review):
    """(words, tone) of everything an editor must know at a glance."""
    state = state_of(link)
    found = [(WORDS[state], TONES.get(state, "info"))]
    if link.moved_to:
        found.append(("moved", "info"))
    if under_review:
        found.append((UNDER_REVIEW, "caution"))
    if link.lost_leases >= MOST_LOST_LEASES:
        found.append(("parked", "caution"))
    return found


def series(link):
    """The history of looks, newest first, with one row more than the page shows."""
    return series_of(link, link.source.link_checks.select_related("accepted_by")[: MOST + 1])


def latest_look(link):
    """The look whose hops count: not a decision, and none at an address that was cited before this one."""
    if link.last_check is None or link.last_check.accepted_by_id is None:
        return link.last_check
    return link.source.link_checks.filter(accepted_by=None).first()


def hops(check):
    """Where a look was led, hop by hop."""
    ways = {"http": "redirects to", "refresh": "the page itself sends on to"}
    return [
        Hop(
            Outward(hop.get("url", "")),
            hop.get("status"),
            Outward(hop.get("to", "")),
            ways.get(hop.get("via"), ""),
        )
        for hop in (check.hops if check else [])
    ]


def page_of(link):
    """All of it, in a number of queries that does not grow with what is found."""
    source = link.source
    history, look = series(link), latest_look(link)
    newest_reason = (
        PassageCheck.objects.filter(passage=OuterRef("pk")).order_by("-checked_at", "-id").values("reason")
    )
    passages = source.passages.select_related("look").annotate(reason=Subquery(newest_reason[:1]))
    cited_here = Prefetch(
        "citations",
        ClaimCitation.objects.filter(passage__source=source).select_related("passage"),
        "cited_here",
    )
    review = ClaimCitation.objects.filter(
        entry=OuterRef("pk"), passage__source=source, passage__look__review_since__isnull=False
    )
    claims = (
        Claim.objects.published()
        .filter(pk__in=ClaimCitation.objects.filter(passage__source=source).values("entry"))
        .annotate(passage_in_review=Exists(review))
        .select_related("subject", "property")
        .order_by("-passage_in_review", "subject__name", "property__position", "number")
    )
    reproductions = Reproduction.objects.published().filter(citations__passage__source=source).distinct()
    free_at = link.host.free_at
    return {
        "link": link,
        "source": source,
        "reason": standing_of(link).reason,
        "address": Outward(source.url),
        "moved_to": Outward(link.moved_to),
        "archive": Outward(source.archive_url),
        "look": look,
        "hops": hops(look),
        "parked": link.lost_leases >= MOST_LOST_LEASES,
        "host_waits_until": free_at if free_at > timezone.now() + dt.timedelta(minutes=1) else None,
        "history": history[:MOST],
        "more_history": len(history) > MOST,
        "passages": passages.order_by("look__review_since", "id")[:MOST],
        "passage_count": source.passages.count(),
        "claims": claims.prefetch_related(cited_here)[:MOST],
        "claim_count": claims.count(),
        "claims_in_review": claims.filter(passage_in_review=True).count(),
        "reproductions": reproductions.order_by("number")[:MOST],
    }
