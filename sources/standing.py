"""The standing of a link: what readers see of it, from a series of looks. It moves more slowly than the verdicts.

Pure: `standing(looks)` reads the whole history, and `after(…)` continues from what is kept, so that no state is lost when
it is worked out anew. All times are aware.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

CONFIRMATIONS = 3  # looks that find nothing, before a link is called broken
APART = dt.timedelta(days=3)  # between two looks that confirm each other
GONE_CONFIRMATIONS = 2  # 410 is a statement, so one look fewer
GONE_APART = dt.timedelta(days=1)
UNREACHABLE_AFTER, FEWEST_FAILURES = dt.timedelta(weeks=3), 3
BLOCKED_TIMES, BLOCKED_WITHIN = 3, dt.timedelta(weeks=6)

# A run says that the network here is down when it is large enough and most hosts in it fail.
FEWEST_HOSTS = 5
MOST_FAILING = 0.5

_ANSWERED = {"ok", "moved", "redirected"}
_SILENT = {"rate_limited"}  # says nothing about the source


class State(StrEnum):
    """What readers and editors are told."""

    NEW = "not checked yet"
    OK = "ok"
    CHANGED = "changed"
    NEEDS_A_LOOK = "needs a look"
    UNREACHABLE = "unreachable"
    BROKEN = "broken"
    GONE = "gone"
    UNCHECKABLE = "cannot be checked by machine"
    REFUSED = "refused"
    NOT_CHECKED = "not checked"


@dataclass(frozen=True)
class Look:
    """One verdict and when it was reached."""

    at: dt.datetime
    outcome: str
    new_address: str = ""
    accepted: bool = False  # a person looked and said that the page is fine


@dataclass(frozen=True)
class Standing:
    """The state of a link, since when, and what the next look needs to know to continue from here.

    `misses` are the times of looks that found nothing and confirm each other, `gone_misses` those that said 410.
    """

    state: State = State.NEW
    since: dt.datetime | None = None
    last_good: dt.datetime | None = None
    moved_to: str = ""
    misses: tuple[dt.datetime, ...] = ()
    gone_misses: tuple[dt.datetime, ...] = ()
    failing_since: dt.datetime | None = None
    failures: int = 0  # looks since then
    blocked: tuple[dt.datetime, ...] = ()

    @property
    def reason(self) -> str:
        """A line for people."""
        since = self.since.date().isoformat() if self.since else ""
        seen = f"; last seen alive {self.last_good.date().isoformat()}" if self.last_good else ""
        words = {
            State.NEW: "Not checked yet",
            State.OK: f"Answers since {since}" + (f", now at {self.moved_to}" if self.moved_to else ""),
            State.CHANGED: f"Its text differs since {since}; a person has to look",
            State.NEEDS_A_LOOK: f"Answers since {since} with what is probably not the source; a person has to look",
            State.UNREACHABLE: f"Could not be reached since {since}{seen}",
            State.BROKEN: f"Link broken since {since}{seen}",
            State.GONE: f"Removed by its publisher, seen {since}{seen}",
            State.UNCHECKABLE: "Cannot be checked by machine: the site refuses robots, which says nothing about the source",
            State.REFUSED: "Refused: the address must not be fetched",
            State.NOT_CHECKED: "Not checked: no web address",
        }
        return words[self.state] + "."


def standing(looks: Iterable[Look]) -> Standing:
    """Return the standing after all looks, which come in the order of time."""
    reached = Standing()
    for look in looks:
        reached = after(reached, look)
    return reached


def after(before: Standing, look: Look) -> Standing:
    """Return the standing after one more look."""
    if look.accepted:
        return _answered(before, look)
    if look.outcome in _SILENT:
        return replace(before, failing_since=None, failures=0)  # the host answers
    if look.outcome in _ANSWERED:
        # A text that changed and changed back is still one that a person has to look at.
        return _answered(before, look, keep_changed=before.state is State.CHANGED)
    if look.outcome == "changed":
        return replace(
            _answered(before, look), state=State.CHANGED, since=_since(before, State.CHANGED, look)
        )
    if look.outcome == "suspect":
        return _plain(_without_misses(before), State.NEEDS_A_LOOK, look)
    if look.outcome == "blocked":
        return _blocked(before, look)
    if look.outcome == "failing":
        return _failing(before, look)
    if look.outcome in ("broken", "gone"):
        return _missing(before, look)
    if look.outcome == "unsafe":
        return _plain(before, State.REFUSED, look)
    if look.outcome == "unsupported":
        return _plain(before, State.NOT_CHECKED, look)
    raise ValueError(f"no such outcome: {look.outcome}")


def network_is_down(
    outcomes_by_host: Mapping[str, Collection[str]], failing_before: Collection[str] = ()
) -> bool:
    """Say whether a run tells more about the network here than about the sources: then it changes no standing.

    A host fails when every look at it in the run failed technically or could not find its name ("no_such_name", which
    a resolver without a network answers too). Hosts that failed before the run prove nothing, and neither do fewer
    than five others: one dead host would be most of them.
    """
    hosts = [seen for host, seen in outcomes_by_host.items() if seen and host not in failing_before]
    failing = sum(all(outcome in ("failing", "no_such_name") for outcome in seen) for seen in hosts)
    return len(hosts) >= FEWEST_HOSTS and failing > MOST_FAILING * len(hosts)


def _since(before: Standing, state: State, look: Look) -> dt.datetime | None:
    return before.since if before.state is state else look.at


def _plain(before: Standing, state: State, look: Look) -> Standing:
    return replace(before, state=state, since=_since(before, state, look))


def _without_misses(before: Standing) -> Standing:
    """The page answered, whatever it says: earlier misses and failures confirm nothing any more."""
    return replace(before, misses=(), gone_misses=(), failing_since=None, failures=0)


def _answered(before: Standing, look: Look, keep_changed: bool = False) -> Standing:
    state = State.CHANGED if keep_changed else State.OK
    moved_to = look.new_address if look.outcome == "moved" else ""
    return Standing(state, _since(before, state, look), look.at, moved_to)


def _blocked(before: Standing, look: Look) -> Standing:
    """A refusal neither confirms nor clears anything: it says nothing about the source."""
    blocked = (*(at for at in before.blocked if look.at - at <= BLOCKED_WITHIN), look.at)[-BLOCKED_TIMES:]
    kept = replace(before, blocked=blocked, failing_since=None, failures=0)
    settled = before.state in (State.BROKEN, State.GONE, State.CHANGED, State.NEEDS_A_LOOK)
    return _plain(kept, State.UNCHECKABLE, look) if len(blocked) == BLOCKED_TIMES and not settled else kept


def _failing(before: Standing, look: Look) -> Standing:
    since = before.failing_since or look.at
    kept = replace(before, failing_since=since, failures=before.failures + 1)
    if look.at - since < UNREACHABLE_AFTER or kept.failures < FEWEST_FAILURES:
        return kept
    if before.state in (State.BROKEN, State.GONE):
        return kept
    return replace(
        kept, state=State.UNREACHABLE, since=before.since if before.state is State.UNREACHABLE else since
    )


def _missing(before: Standing, look: Look) -> Standing:
    misses = _confirmed(before.misses, look.at, APART)
    gone = _confirmed(before.gone_misses, look.at, GONE_APART) if look.outcome == "gone" else ()
    kept = replace(
        _without_misses(before), misses=misses[-CONFIRMATIONS:], gone_misses=gone[-GONE_CONFIRMATIONS:]
    )
    if len(gone) >= GONE_CONFIRMATIONS:
        return replace(kept, state=State.GONE, since=before.since if before.state is State.GONE else gone[0])
    if len(misses) >= CONFIRMATIONS and before.state is not State.GONE:
        return replace(
            kept, state=State.BROKEN, since=before.since if before.state is State.BROKEN else misses[0]
        )
    return kept


def _confirmed(
    times: tuple[dt.datetime, ...], now: dt.datetime, apart: dt.timedelta
) -> tuple[dt.datetime, ...]:
    """The times of looks that count, each far enough from the one before it; a look too soon counts for nothing."""
    return times if times and now - times[-1] < apart else (*times, now)
