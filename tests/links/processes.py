"""Workers and beats as `make serve` starts and restarts them, on the test's own database and broker."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.db import connections

from registry.supervisor import MARK, Child, stop_all
from tests.site import in_database

# As in registry.serve; the beat's own file stands beside the homes of the test.
CELERY = [sys.executable, "-W", "ignore:You're running the worker with superuser", "-m", "celery", "--quiet"]
WORKER = "worker --pool=prefork --concurrency=1 --without-gossip --without-mingle --loglevel=WARNING"


def environment_of(settings: dict[str, str]) -> dict[str, str]:
    """The environment of a process that works on the test database."""
    name = str(connections["default"].settings_dict["NAME"])
    return {
        **os.environ,
        "DATABASE_URL": in_database(os.environ["DATABASE_URL"], name),
        "DATABASE_OWNER_URL": in_database(os.environ["DATABASE_OWNER_URL"], name),
        MARK: os.environ["REGISTRY_HOME"],
        **settings,
    }


@dataclass
class Crew:
    """Some workers and beats; `look` does what the supervisor does every half second."""

    environment: dict[str, str]
    folder: Path
    children: list[Child] = field(default_factory=list)

    def start_worker(self) -> Child:
        """One more worker with one process for its tasks."""
        return self._start("worker", [*CELERY, "--app=registry.celery", *WORKER.split()])

    def start_beat(self) -> Child:
        """One more beat; its ticks come every second."""
        schedule = self.folder / f"beat-schedule-{len(self.children)}"
        beat = ["beat", f"--schedule={schedule}", "--pidfile=", "--loglevel=WARNING"]
        return self._start("beat", [*CELERY, "--app=tests.links.quick_clock", *beat])

    def look(self) -> None:
        """Start again what has ended."""
        for child in self.children:
            child.look()

    def _start(self, name: str, command: list[str]) -> Child:
        child = Child(name, command, self.environment)
        child.start()
        self.children.append(child)
        return child


Hire = Callable[..., Crew]


@contextmanager
def hired(folder: Path) -> Iterator[Hire]:
    """A function that makes crews with settings of their own; all of them end with the block."""
    crews: list[Crew] = []

    def hire(**settings: str) -> Crew:
        crews.append(Crew(environment_of(settings), folder))
        return crews[-1]

    try:
        yield hire
    finally:
        stop_all([child for crew in crews for child in crew.children])
