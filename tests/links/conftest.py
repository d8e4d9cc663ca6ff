"""A recorder, short pauses, and workers; every test here commits, for the queue's clock is that of the transaction."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from pytest_django import Settings

from tests.links.processes import Hire, hired
from tests.links.recorder import Recorder, recording

INTERVAL = 0.05  # seconds between two requests to a host, where a test needs no other


@pytest.fixture
def recorder(settings: Settings, transactional_db: None) -> Iterator[Recorder]:
    """The recorder, which looks may reach, with short pauses and deadlines."""
    with recording() as served:
        settings.LINKCHECK_ALLOWED_NETWORKS = ["127.66.0.0/16"]
        settings.LINKCHECK_ALLOWED_PORTS = [str(served.port)]
        settings.LINKCHECK_MIN_INTERVAL = INTERVAL
        settings.LINKCHECK_DEADLINE = 8.0
        settings.LINKCHECK_RUN = 10.0
        settings.LINKCHECK_THREADS = 32
        yield served


@pytest.fixture
def hire(broker: object, transactional_db: None, tmp_path: Path) -> Iterator[Hire]:
    """Makes crews of workers and beats, which end before the database is emptied."""
    with hired(tmp_path) as maker:
        yield maker
    connections.close_all()


def settings_for(recorder: Recorder, **more: object) -> dict[str, str]:
    """The environment in which a worker may reach the recorder."""
    settings = {
        "LINKCHECK_ALLOWED_NETWORKS": "127.66.0.0/16",
        "LINKCHECK_ALLOWED_PORTS": str(recorder.port),
        "LINKCHECK_MIN_INTERVAL": str(INTERVAL),
    }
    return settings | {f"LINKCHECK_{name}": str(value) for name, value in more.items()}
