"""robots.txt as RFC 9309 has it: read, asked and remembered. Only `rules_of` knows what an answer to the request means."""

import re
import string
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from sources.clients.exchange import Exchange, Failure, Kind, NotFetchedError
from sources.clients.limits import AGENT

_LONGEST = 500_000  # characters read, as the RFC asks for at least
_MOST_RULES = 5000
_KEPT_S = 24 * 3600.0  # seconds
_KEPT_HOSTS = 20_000
_AS_THEY_ARE = string.punctuation
# Failures of robots.txt that would meet the page in the same way: the page's own request is spared, its failure known.
_SAME_FOR_ALL = {"unsafe", "no_such_name", "dns_failed", "refused", "unreachable", "tls", "busy"}


@dataclass(frozen=True)
class Rule:
    """One line of a robots.txt that speaks to us."""

    pattern: str  # path, with * for anything and $ at the end for the end
    allow: bool


@dataclass(frozen=True)
class Robots:
    """What one origin asks of us; no rules: everything may be fetched."""

    rules: tuple[Rule, ...] = ()

    def allows(self, path: str) -> bool:
        """Whether a path with its query may be fetched: the longest pattern that fits decides, Allow on a tie."""
        path = _plain(path)
        fitting = [rule for rule in self.rules if _fits(rule.pattern, path)]
        return not fitting or max(fitting, key=lambda rule: (len(rule.pattern), rule.allow)).allow


def parse(text: str, agent: str = AGENT) -> Robots:
    """The rules for an agent: those of all groups that name it, else of all groups for anybody."""
    named: list[Rule] = []
    anybody: list[Rule] = []
    found_name = False
    speaks_to: set[str] = set()
    in_rules = False
    for line in text[:_LONGEST].lstrip("\ufeff").splitlines():
        key, colon, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            continue
        if key == "user-agent":
            if in_rules:
                speaks_to, in_rules = set(), False
            speaks_to.add(value.split("/")[0].strip().lower())
            found_name = found_name or agent.lower() in speaks_to
        elif key in ("allow", "disallow"):
            in_rules = True
            if not value or len(named) + len(anybody) >= _MOST_RULES:
                continue
            rule = Rule(_plain(value), key == "allow")
            if agent.lower() in speaks_to:
                named.append(rule)
            if "*" in speaks_to:
                anybody.append(rule)
    return Robots(tuple(named if found_name else anybody))


def rules_of(answer: Exchange | Failure) -> Robots:
    """What the answer to a request for robots.txt means.

    No such file (4xx): all may be fetched. A server that cannot say (5xx, no complete answer): nothing may be, for now;
    that raises NotFetchedError with the kind of the failure, so that it counts as a failure and not as a ban.
    """
    if isinstance(answer, Failure):
        if answer.kind in ("too_many_redirects", "redirect_loop", "redirect_nowhere", "unsupported"):
            return Robots()
        if answer.hops and answer.kind == "unsafe":
            return Robots()  # robots.txt alone was sent astray; the page may be elsewhere
        if answer.kind in _SAME_FOR_ALL:
            raise NotFetchedError(answer.kind, answer.reason, answer.retry_after)
        raise NotFetchedError(answer.kind, f"robots.txt could not be read. {answer.reason}")
    if answer.status >= 500 or answer.status == 429:
        kind: Kind = "busy" if answer.status == 429 else "robots_failed"
        raise NotFetchedError(
            kind,
            f"robots.txt answers with status {answer.status}; nothing is fetched until it can be read.",
            answer.retry_after,
        )
    return parse(answer.text) if 200 <= answer.status < 300 else Robots()


class RobotsCache:
    """Rules of many origins for a day, the longest unused forgotten first. One for each process; threads may share it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, Robots]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, origin: str) -> Robots | None:
        """The rules of an origin, None where they are not known or too old."""
        with self._lock:
            at, rules = self._kept.get(origin, (0.0, None))
            if rules is None or self._clock() - at > _KEPT_S:
                return None
            self._kept.move_to_end(origin)
            return rules

    def put(self, origin: str, rules: Robots) -> None:
        """Remember the rules of an origin."""
        with self._lock:
            self._kept[origin] = (self._clock(), rules)
            self._kept.move_to_end(origin)
            while len(self._kept) > _KEPT_HOSTS:
                self._kept.popitem(last=False)


def _plain(path: str) -> str:
    """A path with every escape in one spelling, and escapes for all that needs them."""
    upper = re.sub("%[0-9a-fA-F]{2}", lambda found: found[0].upper(), path)
    return quote(upper.encode("utf-8", "replace"), safe=_AS_THEY_ARE)


def _fits(pattern: str, path: str) -> bool:
    """Whether a pattern fits the beginning of a path; without regular expressions, which hostile stars make slow."""
    ends = pattern.endswith("$")
    first, *others = (pattern[:-1] if ends else pattern).split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    if not others:
        return not ends or at == len(path)
    *middle, last = others
    for piece in middle:
        found = path.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    if ends:
        return path.endswith(last) and len(path) - len(last) >= at
    return path.find(last, at) >= 0
