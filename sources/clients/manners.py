"""How hosts are treated: robots.txt first, one pause between any two requests to the same host, redirects included."""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from sources.clients.exchange import NotFetchedError
from sources.clients.limits import Limits
from sources.clients.names import Resolver, system_resolver
from sources.clients.robots import Robots, RobotsCache, rules_of
from sources.clients.targets import Target
from sources.clients.web import Admit, anybody, fetch

_ROBOTS = (10.0, 500_000, 5)  # seconds, bytes and hops for a robots.txt
_PATH = "/robots.txt"


class Manners:
    """Good manners for one look, to be given to `fetch` as `admit=manners.admit`.

    `cache` is shared by the looks of a process. `gate` is asked around every single request, also those for robots.txt:
    there a scheduler says which hosts others are talking to, across processes.
    """

    def __init__(
        self, limits: Limits, cache: RobotsCache, gate: Admit = anybody, resolver: Resolver = system_resolver
    ) -> None:
        self._limits = limits
        self._cache = cache
        self._gate = gate
        self._resolver = resolver
        self._left: dict[str, float] = {}  # when the last request to a host ended

    @contextmanager
    def admit(self, target: Target, seconds: float) -> Iterator[None]:
        """Make one request if robots.txt lets it; waits its turn. Raises NotFetchedError: "robots", "timeout" and others."""
        ends = time.monotonic() + seconds
        if target.path != _PATH and not self._rules(target, ends).allows(target.path):
            raise NotFetchedError(
                "robots", f"robots.txt of {target.host} asks robots to stay away from this page."
            )
        with self._paced(target, ends - time.monotonic()):
            yield

    def _rules(self, target: Target, ends: float) -> Robots:
        known = self._cache.get(target.origin)
        if known is not None:
            return known
        seconds, size, hops = _ROBOTS
        limits = replace(
            self._limits,
            deadline=max(0.0, min(seconds, ends - time.monotonic())),
            max_bytes=size,
            max_hops=hops,
        )
        # The pauses of its redirects are ours; its own robots.txt is not asked for.
        found = rules_of(fetch(target.origin + _PATH, limits, resolver=self._resolver, admit=self._pace))
        self._cache.put(target.origin, found)
        return found

    def _pace(self, target: Target, seconds: float) -> AbstractContextManager[None]:
        return self._paced(target, seconds)

    @contextmanager
    def _paced(self, target: Target, seconds: float) -> Iterator[None]:
        """Wait until the host has had its pause, then hold it."""
        with self._gate(target, seconds):
            wait = self._left.get(target.host, 0.0) + self._limits.min_interval - time.monotonic()
            if target.host in self._left and wait > 0:
                if wait >= seconds:
                    raise NotFetchedError(
                        "timeout", "The pauses between requests to the host took all the time there is."
                    )
                time.sleep(wait)
            try:
                yield
            finally:
                self._left[target.host] = time.monotonic()
