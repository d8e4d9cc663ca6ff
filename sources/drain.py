"""Works the queue of links: claims what is due, looks at many hosts at once, writes down what was found.

One thread speaks with the database and many look, so that a run needs one connection, and statements serve many looks.
Lost, doubled or late calls change nothing: what is due stands in the tables, and a lease decides who looks.
"""

import datetime as dt
import logging
import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, OperationalError
from django.utils import timezone

from sources.actions.looks import Recorded, discard, outcomes_since, record
from sources.actions.queue import claim, take_host, wait
from sources.clients.robots import RobotsCache
from sources.look import Found, Turn, look_at, stumbled
from sources.reach import limits
from sources.standing import network_is_down

log = logging.getLogger(__name__)

GATHER = 0.03  # seconds in which finished looks are gathered into one transaction
NAP = 0.2  # seconds
WINDOW = dt.timedelta(hours=1)  # of looks that say whether the network here is down
NETWORK_DOWN = (
    "The network here seems to be down: {failing} of {hosts} hosts could not be reached. "
    "These looks changed nothing; they are due again in ten minutes."
)

_robots = RobotsCache()  # one a process: rules are kept for a day


@dataclass
class Run:
    """What came of a run, as `sources.actions.looks.Recorded`, and why it ended."""

    recorded: Recorded = field(default_factory=Recorded)
    network_down: str = ""  # the sentence that says so, with numbers
    discarded: int = 0
    waiting: float | None = None  # seconds until the next due link could be looked at; None: nothing is due

    @property
    def in_reach(self) -> bool:
        """Whether another run would find something to look at."""
        return self.waiting is not None and self.waiting < settings.LINKCHECK_RUN

    @property
    def looked(self) -> int:
        """Looks that were written down."""
        return sum(self.recorded.verdicts.values())


def lease() -> dt.timedelta:
    """How long a look may stay unfinished: failed ones are kept back until the end of the run."""
    return dt.timedelta(seconds=settings.LINKCHECK_RUN + 2 * settings.LINKCHECK_DEADLINE + 5)


def drain(
    seconds: float,
    only: Sequence[int] | None = None,
    report: Callable[[int], None] = lambda looks: None,
) -> Run:
    """Look at due links for so many seconds, or until none is due; of the sources `only` where given.

    `report` is called with the number of further looks that are finished.
    """
    return _Drain(seconds, only, report).run()


class _Drain:
    """One run. Its methods are called by the thread that has the connection, except `take`."""

    def __init__(self, seconds: float, only: Sequence[int] | None, report: Callable[[int], None]) -> None:
        self.ends = time.monotonic() + seconds
        self.only = list(only) if only is not None else None
        self.report = report
        self.limits = limits()
        self.interval = dt.timedelta(seconds=self.limits.min_interval)
        self.inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.in_flight = 0
        self.finished: list[Found] = []
        self.kept_back: list[Found] = []  # failures, until it is known whether the network here is down
        self.outcomes: dict[str, set[str]] = {}
        self.result = Run()

    def run(self) -> Run:
        with ThreadPoolExecutor(settings.LINKCHECK_THREADS, "look") as lookers:
            while True:
                if time.monotonic() < self.ends:
                    self.begin(lookers)
                if self.in_flight:
                    self.listen()
                    self.write_down()
                elif not self.wait_for_a_turn():
                    break
        self.settle()
        return self.result

    def begin(self, lookers: ThreadPoolExecutor) -> None:
        """Hand out as many looks as there are idle lookers and hosts whose turn is free."""
        idle = settings.LINKCHECK_THREADS - self.in_flight
        if not idle:
            return
        for turn in claim(idle, lease(), self.only):
            self.in_flight += 1
            future = lookers.submit(look_at, turn, self.limits, _robots, self.take)
            future.add_done_callback(lambda done: self.inbox.put(lambda: self.finish(done.result())))

    def listen(self) -> None:
        """Do what lookers ask for, until a moment after the first of them."""
        try:
            self.inbox.get(timeout=NAP)()
        except queue.Empty:
            return
        time.sleep(GATHER)
        while True:
            try:
                self.inbox.get_nowait()()
            except queue.Empty:
                return

    def finish(self, found: Found) -> None:
        self.in_flight -= 1
        host = found.turn.host
        if not found.put_off and not found.turn.failed_before:
            outcome = "no_such_name" if found.failure == "no_such_name" else found.verdict.outcome
            self.outcomes.setdefault(host, set()).add(outcome)
        (self.kept_back if found.network_may_be_down else self.finished).append(found)

    def take(self, host: str, token: UUID, seconds: float) -> bool:
        """Called by lookers: wait for another host's turn. The thread that has the connection asks for it."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            answer: Future[bool] = Future()
            self.inbox.put(lambda answer=answer: _fulfil(answer, host, token, self.interval))  # type: ignore[misc]
            try:
                if answer.result(timeout=seconds):
                    return True
            except TimeoutError:
                return False  # the thread that has the connection was busy with other looks
            time.sleep(min(NAP, max(0.0, ends - time.monotonic())))
        return False

    def write_down(self) -> None:
        if self.finished:
            looks, self.finished = self.finished, []
            self.record(looks)
            self.report(len(looks))

    def record(self, looks: Sequence[Found]) -> None:
        """Write looks down together; where one of them cannot be, all others all the same."""
        try:
            self.result.recorded.add(record(looks, self.interval))
        except (DatabaseError, ValueError) as error:  # ValueError: text that no database takes
            if len(looks) > 1:
                for found in looks:
                    self.record([found])
            else:
                self.record_at_least(looks[0].turn, error)

    def record_at_least(self, turn: Turn, error: Exception) -> None:
        """Where what was found cannot be written down, that is; where the link is locked for long, nothing."""
        if not isinstance(error, OperationalError):
            log.error("What was found at %s cannot be written down.", turn.url, exc_info=error)
            try:
                self.result.recorded.add(record([stumbled(turn, error)], self.interval))
                return
            except DatabaseError as again:
                error = again
        log.warning("The look at %s was lost, it is taken again: %s", turn.url, error)
        self.result.recorded.lost += 1

    def wait_for_a_turn(self) -> bool:
        """Sleep until a link may be claimed; False where that is not before the run ends."""
        self.result.waiting = seconds = wait(self.only, [found.turn.token for found in self.kept_back])
        if seconds is None or time.monotonic() + seconds >= self.ends:
            return False
        time.sleep(min(max(seconds, 0.01), NAP))
        return True

    def settle(self) -> None:
        """Decide on the failures: when most hosts fail, it is the network here, and nothing is known of the sources."""
        if not self.kept_back:
            return
        outcomes, failing_before = outcomes_since(timezone.now() - WINDOW)
        for host, seen in self.outcomes.items():
            outcomes.setdefault(host, set()).update(seen)
        if network_is_down(outcomes, failing_before):
            fresh = {host: seen for host, seen in outcomes.items() if host not in failing_before}
            failing = sum(
                all(each in ("failing", "no_such_name") for each in seen) for seen in fresh.values()
            )
            self.result.network_down = NETWORK_DOWN.format(failing=failing, hosts=len(fresh))
            self.result.discarded = len(self.kept_back)
            log.warning(self.result.network_down)
            discard(self.kept_back, self.interval)
        else:
            self.record(self.kept_back)
        self.report(len(self.kept_back))
        self.result.waiting = wait(self.only)  # their hosts are free again, for other links on them


def _fulfil(answer: Future[bool], host: str, token: UUID, interval: dt.timedelta) -> None:
    try:
        answer.set_result(take_host(host, token, lease(), interval))
    except OperationalError:
        answer.set_result(False)  # somebody has the row: not now
    except Exception as error:
        answer.set_exception(error)  # the look ends with it; the thread that has the connection goes on
