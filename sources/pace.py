"""When a link is looked at again, and when its host may be asked again. Pure: the clock and the chance come from outside.

The steps are those of the table of verdicts in the decision record on links: a good link rests for weeks, a failing one
is tried again soon and then ever more rarely, what has to be confirmed waits until looks are far enough apart to count.
"""

import datetime as dt

from sources.standing import APART, GONE_APART, Standing, State

HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)
NORMAL, LONGEST = dt.timedelta(days=14), dt.timedelta(days=60)
SPREAD = 0.2  # of the normal pause, either way, so that links checked together drift apart
FAILING = (HOUR, 6 * HOUR, DAY, 3 * DAY)
REMOVED, REMOVED_FOR = dt.timedelta(days=30), dt.timedelta(days=365)
MOST_BLOCKED = 5  # looks in a row that were refused; then only a person asks for the next
SHORTEST_WAIT, LONGEST_WAIT = dt.timedelta(minutes=1), DAY
NETWORK_DOWN = dt.timedelta(minutes=10)
A_LITTLE = dt.timedelta(minutes=30)  # beyond the time that makes a look count


def pause(
    outcome: str, standing: Standing, equal_looks: int, chance: float, wait: int | None = None
) -> dt.timedelta | None:
    """Return the time until the next look; None where only a person asks for it.

    `equal_looks` is how many looks in a row had this outcome, `chance` a number from 0 to 1, `wait` the seconds the
    host asks for.
    """
    if outcome in ("unsafe", "unsupported"):
        return None
    if outcome == "rate_limited":
        return asked(wait, equal_looks - 1)
    if outcome == "blocked":
        return NORMAL * _spread(chance) if equal_looks < MOST_BLOCKED else None
    if outcome == "failing":
        step = FAILING[min(max(standing.failures, 1), len(FAILING)) - 1]
        return max(step * _spread(chance), asked(wait, 0) if wait else step / 2)
    if standing.state in (State.BROKEN, State.GONE) and outcome in ("broken", "gone"):
        return REMOVED * _spread(chance)
    if outcome == "gone":
        return GONE_APART + A_LITTLE
    if outcome in ("broken", "suspect", "changed"):
        return APART + A_LITTLE if outcome == "broken" or equal_looks < 2 else NORMAL * _spread(chance)
    return min(NORMAL * (1 + equal_looks / 8), LONGEST / (1 + SPREAD)) * _spread(chance)


def asked(wait: int | None, times: int) -> dt.timedelta:
    """Return how long a host is left alone: as long as it asks, at least a minute and at most a day.

    A host that does not say how long is left alone for a minute, and twice as long each further time.
    """
    seconds = wait if wait is not None else 60 * 2 ** min(max(times, 0), 11)
    return min(max(dt.timedelta(seconds=seconds), SHORTEST_WAIT), LONGEST_WAIT)


def _spread(chance: float) -> float:
    return 1 - SPREAD + 2 * SPREAD * chance
