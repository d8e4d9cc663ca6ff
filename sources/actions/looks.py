"""Writes down what looks found: the standing of links and passages, a row for each change, the time of the next look.

The verified date of a source is never touched here: a robot asks whether the words stand, a person reads them.
"""

import datetime as dt
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from sources.actions.queue import forgive, give_back, leave_alone, times_silent
from sources.actions.rows import change, insert, put
from sources.addresses import LONGEST_ADDRESS, AddressError, normalise
from sources.clients.exchange import Exchange, Failure, Hop
from sources.clients.targets import host_of, masked
from sources.look import Found
from sources.models import Link, LinkCheck, PassageCheck, PassageLook
from sources.pace import NETWORK_DOWN, asked, pause
from sources.passages import RAISES_REVIEW, PassageStanding
from sources.passages import Found as Stand
from sources.standing import Look, Standing, State, after
from sources.verdicts import Seen, Verdict

_LOOKS_KEEP = [
    *(
        "state",
        "since",
        "last_good_at",
        "moved_to",
        "misses",
        "gone_misses",
        "failing_since",
        "failures",
        "blocked",
    ),
    *("due_at", "lease_until", "lease_token", "lost_leases", "etag", "last_modified", "validated_url"),
    *("seen", "offered", "last_check", "first_equal_look_at", "last_equal_look_at", "equal_looks"),
]


STANDS = (Stand.INTACT.value, Stand.MOVED.value)


@dataclass
class Recorded:
    """What came of a row of looks."""

    verdicts: Counter[str] = field(default_factory=Counter)
    changes: list[tuple[int, str, str]] = field(default_factory=list)  # source id, standing before and after
    reviews: list[int] = field(default_factory=list)  # passage ids that came under review
    put_off: int = 0  # another worker was asking the host: looked at later
    lost: int = 0  # the lease had ended: somebody else looks, or looked

    def add(self, other: "Recorded") -> None:
        """Count another row of looks in."""
        self.verdicts += other.verdicts
        self.changes += other.changes
        self.reviews += other.reviews
        self.put_off += other.put_off
        self.lost += other.lost


def standing_of(link: Link) -> Standing:
    """The standing a link's columns hold."""
    return Standing(
        State(link.state) if link.state else State.NEW,
        link.since,
        link.last_good_at,
        link.moved_to,
        tuple(link.misses),
        tuple(link.gone_misses),
        link.failing_since,
        link.failures,
        tuple(link.blocked),
    )


def put_standing(link: Link, standing: Standing) -> None:
    """Set a link's columns to a standing."""
    link.state = "" if standing.state is State.NEW else standing.state.value
    link.since = standing.since
    link.last_good_at = standing.last_good
    # A cut address would be another one.
    link.moved_to = standing.moved_to if len(standing.moved_to) <= LONGEST_ADDRESS else ""
    link.misses, link.gone_misses = list(standing.misses), list(standing.gone_misses)
    link.failing_since, link.failures = standing.failing_since, standing.failures
    link.blocked = list(standing.blocked)


def record(looks: Sequence[Found], interval: dt.timedelta) -> Recorded:
    """Write down looks whose lease still lives, and end the turns of their hosts; all in one transaction."""
    done = Recorded()
    with transaction.atomic():
        leased = _leased(looks)
        live = [found for found in looks if found.turn.source_id in leased]
        done.lost = len(looks) - len(live)
        done.put_off = sum(found.put_off for found in live)
        said = [(found, leased[found.turn.source_id]) for found in live if not found.put_off]
        _mind_hosts([found for found in looks if not found.put_off])
        done.reviews = _record_passages([found for found, _ in said])
        checks = []
        for found, link in said:
            before = link.state
            check = _apply(found, link)
            if check:
                checks.append((link, check))
            done.verdicts[found.verdict.outcome] += 1
            if link.state != before:
                done.changes.append((link.source_id, before or State.NEW.value, link.state))
        insert([check for _, check in checks])
        for link, check in checks:
            link.last_check = check
        for found in live:
            _end_lease(leased[found.turn.source_id], dt.timedelta(minutes=1) if found.put_off else None)
        _save(leased.values())
        give_back([found.turn.token for found in looks], interval)
    return done


def discard(looks: Sequence[Found], interval: dt.timedelta) -> None:
    """Forget looks of a run in which the network here was down: nothing changes, and they are due again soon."""
    with transaction.atomic():
        leased = _leased(looks)
        _mind_hosts([found for found in looks if not found.put_off])
        for link in leased.values():
            _end_lease(link, NETWORK_DOWN)
        _save(leased.values())
        give_back([found.turn.token for found in looks], interval)


def outcomes_since(moment: dt.datetime) -> tuple[dict[str, set[str]], set[str]]:
    """Outcomes by host of looks written down since then, and the hosts among them that failed before it already."""
    outcomes: dict[str, set[str]] = {}
    recent = Link.objects.filter(last_equal_look_at__gte=moment, last_check__isnull=False)
    kinds = recent.values_list("host_id", "last_check__verdict", "last_check__failure").distinct()
    for host, outcome, failure in kinds:
        outcomes.setdefault(host, set()).add("no_such_name" if failure == "no_such_name" else outcome)
    before = recent.filter(Q(failing_since__lt=moment) | Q(misses__0__lt=moment))
    return outcomes, set(before.values_list("host_id", flat=True))


def _leased(looks: Sequence[Found]) -> dict[int, Link]:
    """The links whose lease the looks still hold, locked, by source id."""
    tokens = {found.turn.source_id: found.turn.token for found in looks}
    links = (
        Link.objects.filter(pk__in=tokens, lease_until__gt=Now())
        .select_for_update(no_key=True, of=("self",))
        .select_related("last_check")
        .order_by("pk")
    )
    return {link.pk: link for link in links if link.lease_token == tokens[link.pk]}


def _save(links) -> None:
    change(list(links), _LOOKS_KEEP)


def _end_lease(link: Link, due_in: dt.timedelta | None) -> None:
    link.lease_until = link.lease_token = None
    link.lost_leases = 0
    if due_in is not None:
        link.due_at = timezone.now() + due_in


def _mind_hosts(looks: Sequence[Found]) -> None:
    """A host that asks to be left alone is, for every source on it, whatever becomes of the look; one that answers is forgiven.

    It may not be the host the address names: redirects end elsewhere.
    """
    asking = [
        (host_of(found.answer.final_url)[:255], found.answer.retry_after) for found in looks if _asks(found)
    ]
    if asking:
        silent = {host for host, seconds in asking if seconds is None}
        times = times_silent(silent)
        pauses: dict[str, dt.timedelta] = {}
        for host, seconds in asking:
            pauses[host] = max(asked(seconds, times.get(host, 0)), pauses.get(host, dt.timedelta(0)))
        leave_alone(pauses, silent)
    answering = (hop.url for found in looks if _answers(found) for hop in found.answer.hops)
    forgive({host_of(url)[:255] for url in answering})


def _asks(found: Found) -> bool:
    answer = found.answer
    if found.verdict.outcome == "rate_limited":
        return True
    # A failure that says when to come back is robots.txt with a status of its own.
    return bool(answer.retry_after) and (isinstance(answer, Failure) or answer.status in (429, 503))


def _answers(found: Found) -> bool:
    return isinstance(found.answer, Exchange) and not _asks(found) and found.verdict.outcome != "failing"


def _apply(found: Found, link: Link) -> LinkCheck | None:
    """Change a link by one look; returns the row that keeps a change of verdict, None for a look that says the same."""
    now = timezone.now()
    judged = found.verdict
    accepted = _is_accepted(link, judged, found.answer)
    offered = "" if _registered(judged.new_address, found.turn.url) else judged.new_address
    look = Look(now, judged.outcome, offered, accepted)
    standing = after(standing_of(link), look)
    put_standing(link, standing)
    _remember(found, link)
    check = None
    if _says_the_same(link, found):
        link.last_equal_look_at = now
        link.equal_looks += 1
    else:
        check = _row(found, link, now)
        link.first_equal_look_at = link.last_equal_look_at = now
        link.equal_looks = 1
    rest = pause(judged.outcome, standing, link.equal_looks, random.random(), found.answer.retry_after)
    link.due_at = None if rest is None else now + rest
    return check


def _registered(new_address: str, cited: str) -> bool:
    """Whether the register would write both addresses in one way: then there is nothing to move to."""
    try:
        return normalise(new_address).url == normalise(cited).url
    except AddressError:
        return False


def _remember(found: Found, link: Link) -> None:
    """What the next look compares with: replaced only by an answer that is the source's own."""
    judged, answer = found.verdict, found.answer
    if judged.outcome == "changed":
        link.offered = asdict(judged.seen) if judged.seen else None
    elif judged.outcome in ("ok", "moved", "redirected"):
        link.offered = None
        if judged.seen:
            link.seen = asdict(judged.seen)
        if isinstance(answer, Exchange) and answer.status == 200:
            link.etag = _short(answer.headers.get("etag", ""), 300)
            link.last_modified = _short(answer.headers.get("last-modified", ""), 100)
            link.validated_url = answer.final_url if len(answer.final_url) <= 2000 else ""


def _short(validator: str, most: int) -> str:
    """A validator byte for byte, or none: a cut one would never match."""
    return validator if len(validator) <= most else ""


def signature(judged: Verdict | LinkCheck, status: int | None, final_url: str) -> dict[str, object]:
    """What makes a doubtful answer the same as the one a person called fine."""
    outcome = judged.outcome if isinstance(judged, Verdict) else judged.verdict
    return {
        "outcome": outcome,
        "reason": judged.reason[:300],
        "status": status,
        "url": masked(final_url)[:2000],
    }


def _is_accepted(link: Link, judged: Verdict, answer) -> bool:
    return link.accepted is not None and link.accepted == signature(judged, answer.status, answer.final_url)


def _says_the_same(link: Link, found: Found) -> bool:
    last = link.last_check
    return bool(
        last
        and last.accepted_by_id is None
        and (last.verdict, last.status, last.failure)
        == (found.verdict.outcome, found.answer.status, found.failure)
        and (found.verdict.outcome not in ("moved", "redirected") or last.final_url == _where(found))
    )


def _where(found: Found) -> str:
    return masked(found.answer.final_url)[:2000]


def _row(found: Found, link: Link, now: dt.datetime) -> LinkCheck:
    answer = found.answer
    check = LinkCheck(
        source_id=link.source_id,
        checked_at=now,
        verdict=found.verdict.outcome,
        reason=found.verdict.reason[:300],
        failure=found.failure,
        status=answer.status,
        final_url=_where(found),
        hops=[_hop(hop) for hop in answer.hops],
        notes=[note[:300] for note in found.verdict.notes[:10]],
        seconds=answer.elapsed,
        looks_before=link.equal_looks,
        last_before_at=link.last_equal_look_at,
    )
    if isinstance(answer, Exchange):
        check.content_type = answer.content_type[:100]
        check.bytes_read = answer.bytes_read
        check.tls_until = answer.tls_until
    return check


def _hop(hop: Hop) -> dict[str, object]:
    return {
        "url": masked(hop.url)[:500],
        "status": hop.status,
        "to": masked(hop.location)[:500],
        "via": hop.via,
    }


# Passages --------------------------------------------------------------------------------------------


def _record_passages(looks: Sequence[Found]) -> list[int]:
    """Write down how passages stand; returns the ids of those that came under review."""
    stand = {passage: standing for found in looks for passage, standing in found.passages}
    retracted = {wanted.id for found in looks if _newly_retracted(found) for wanted in found.turn.passages}
    known = PassageLook.objects.in_bulk(stand)
    now = timezone.now()
    checks, kept, reviews = [], [], []
    for passage, standing in sorted(stand.items()):
        look = known.get(passage) or PassageLook(passage_id=passage, verdict="", since=now, looked_at=now)
        if standing.state is Stand.COULD_NOT_LOOK and look.verdict:
            continue  # says nothing against what was seen before
        if look.verdict != standing.state.value:
            checks.append(_passage_row(passage, standing, now))
            look.since = now
        found_before = look.anchor is not None
        look.verdict, look.looked_at, look.nearest = standing.state.value, now, standing.nearest[:300]
        if standing.anchor and standing.state not in RAISES_REVIEW:
            look.anchor = asdict(standing.anchor)
        if look.verdict in STANDS and passage not in retracted:
            look.review_since = None  # the very words stand again; the rows keep that they were gone
        elif look.review_since is None and _raises_review(look, standing, found_before, passage in retracted):
            look.review_since = now
            reviews.append(passage)
        kept.append(look)
    insert(checks)
    put(kept, ["verdict", "since", "looked_at", "nearest", "anchor", "review_since"])
    return reviews


def words_accepted(look: PassageLook) -> str:
    """What makes a doubtful passage the same as the one a person called fine."""
    return f"{look.verdict}: {look.nearest}"


def _raises_review(look: PassageLook, standing: PassageStanding, found_before: bool, retracted: bool) -> bool:
    """Other figures always; missing words only where a look had found them, else they were a transcription."""
    if look.accepted and look.accepted == words_accepted(look):
        return False
    missing = standing.state is Stand.GONE and found_before
    return retracted or standing.state is Stand.NUMBER_CHANGED or missing


def _newly_retracted(found: Found) -> bool:
    seen: Seen | None = found.verdict.seen
    return bool(found.verdict.outcome == "changed" and seen and seen.retraction)


def _passage_row(passage: int, standing: PassageStanding, now: dt.datetime) -> PassageCheck:
    return PassageCheck(
        passage_id=passage,
        checked_at=now,
        verdict=standing.state.value,
        reason=standing.reason[:300],
        nearest=standing.nearest[:300],
    )
