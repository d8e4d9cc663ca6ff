"""One look at one source: fetch its address, judge the answer, look for the cited words. No database, and no opinion
on what follows from it.
"""

import logging
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace

from sources.clients.exchange import Condition, Exchange, Failure, NotFetchedError
from sources.clients.limits import Limits
from sources.clients.manners import Manners
from sources.clients.robots import RobotsCache
from sources.clients.targets import Target
from sources.clients.web import fetch
from sources.passages import Anchor, PassageStanding, prepare, standing_of
from sources.verdicts import ANSWERED, Seen, Verdict, text_of, verdict

log = logging.getLogger(__name__)

_READER = threading.Lock()

Take = Callable[[str, uuid.UUID, float], bool]


@dataclass(frozen=True)
class Wanted:
    """A cited passage whose words are looked for, and where they stood at the last look that found them."""

    id: int
    words: str
    locator: str
    anchor: Anchor | None = None


@dataclass(frozen=True)
class Turn:
    """The right to look at one source, until the lease ends. The token proves it."""

    source_id: int
    token: uuid.UUID
    url: str
    title: str
    host: str
    condition: Condition | None = None
    seen: Seen | None = None
    failed_before: bool = False
    passages: tuple[Wanted, ...] = ()


@dataclass(frozen=True)
class Found:
    """What a look brought back; never with a body. `passages` is empty where the source itself was not read."""

    turn: Turn
    answer: Exchange | Failure
    verdict: Verdict
    passages: tuple[tuple[int, PassageStanding], ...] = ()
    put_off: bool = False  # a host's turn did not come: somebody else was asking it, so the look says nothing

    @property
    def failure(self) -> str:
        """The kind of a failed look, "" for one that was answered."""
        return self.answer.kind if isinstance(self.answer, Failure) else ""

    @property
    def network_may_be_down(self) -> bool:
        """Whether the look failed in a way that a network that is down here would make it fail."""
        return self.verdict.outcome == "failing" or self.failure == "no_such_name"


class OneHostAtATime:
    """The gate of one look: it holds the turn of the host it is asking, and of no other.

    The turn of the source's own host came with the lease. For any other host `take` is called with its name, the token
    and the seconds there are; it gives back the turn that was held, waits, and says whether the new one came.
    """

    def __init__(self, turn: Turn, take: Take) -> None:
        self.missed = False
        self._host = turn.host
        self._token = turn.token
        self._take = take

    @contextmanager
    def admit(self, target: Target, seconds: float) -> Iterator[None]:
        """Make one request in the host's turn. Raises NotFetchedError "busy" where it does not come in time."""
        if target.host != self._host:
            self._host = ""
            if not self._take(target.host, self._token, seconds):
                self.missed = True
                raise NotFetchedError("busy", f"The turn of {target.host} did not come in time.")
            self._host = target.host
        yield


def look_at(turn: Turn, limits: Limits, robots: RobotsCache, take: Take) -> Found:
    """Take one look. Raises nothing: a mistake of ours is logged and counts as a failure that may pass."""
    gate = OneHostAtATime(turn, take)
    try:
        answer = fetch(
            turn.url, limits, condition=turn.condition, admit=Manners(limits, robots, gate.admit).admit
        )
        with _reading(answer):
            return replace(_judged(turn, answer), put_off=gate.missed)
    except Exception as error:  # whatever a stranger's page makes of our code, the other looks go on
        log.exception("The look at %s stumbled.", turn.url)
        return stumbled(turn, error)


def stumbled(turn: Turn, error: Exception) -> Found:
    """What stands for a look that our own code could not finish: it says nothing about the source."""
    reason = f"The checker itself stumbled over the answer ({type(error).__name__}); its log says where."
    return Found(turn, Failure(turn.url, "protocol", reason), Verdict("failing", reason))


def _reading(answer: Exchange | Failure) -> AbstractContextManager[object]:
    """One answer of a process is read at a time: two readers share one interpreter, and would only keep each other, and the
    thread that has the connection, from it. A PDF is read in a process of its own.
    """
    pdf = isinstance(answer, Exchange) and answer.body[:1024].lstrip()[:5] == b"%PDF-"
    return nullcontext() if pdf else _READER


def _judged(turn: Turn, answer: Exchange | Failure) -> Found:
    if isinstance(answer, Failure):
        return Found(turn, answer, verdict(answer, turn.title, turn.seen))
    read = text_of(answer) if answer.status in (200, 203, 206) else None
    judged = verdict(answer, turn.title, turn.seen, read)
    stand: tuple[tuple[int, PassageStanding], ...] = ()
    if read is not None and judged.outcome in ANSWERED and turn.passages:
        ready = prepare(read)
        stand = tuple(
            (wanted.id, standing_of(wanted.words, wanted.locator, ready, wanted.anchor))
            for wanted in turn.passages
        )
    return Found(turn, replace(answer, body=b"", text=""), judged, stand)
