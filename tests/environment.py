"""The environment of a test run, made before settings are read: servers of its own, or those that are given."""

import os
import shutil
import tempfile
from pathlib import Path

from registry.embedded import OWNER_ROLE, WEB_ROLE, EmbeddedError, Home, Postgres, Valkey
from registry.supervisor import end_leftovers

PREFIX = "registry-test-"


class Servers:
    """The servers of one run: addresses at once, processes when a test first asks for them."""

    def __init__(self) -> None:
        sweep_killed_runs()
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        folder.chmod(0o755)  # what is private in it has folders of its own
        self.home = Home(folder)
        self.home.lock()
        self.postgres = None if os.environ.get("DATABASE_URL") else Postgres(self.home, durable=False)
        self.valkey = None if os.environ.get("CELERY_BROKER_URL") else Valkey(self.home)
        self._running: set[str] = set()

    def fill(self, environment: dict[str, str]) -> None:
        """Name everything that settings need; what is given stays."""
        if self.postgres is not None:
            environment["DATABASE_URL"] = self.postgres.url(WEB_ROLE)
            environment["DATABASE_OWNER_URL"] = self.postgres.url(OWNER_ROLE)
        if self.valkey is not None:
            environment["CELERY_BROKER_URL"] = self.valkey.url()
        static = self.home.path / "static"
        static.mkdir()
        environment |= {
            "ALLOWED_HOSTS": "localhost,127.0.0.1",
            "DEBUG": "false",
            "REGISTRY_HOME": str(self.home.path),
            "SECRET_KEY": "for tests only: this key signs nothing that anybody keeps",
            "STATIC_ROOT": str(static),
        }

    def start(self, server: Postgres | Valkey | None) -> None:
        """Bring a server up, unless it was given or runs already."""
        if server is not None and server.name not in self._running:
            server.start()
            self._running.add(server.name)

    def remove(self) -> None:
        """Stop the servers and throw their data away."""
        discard(self.home)


def discard(home: Home) -> None:
    """Stop what runs in a home and remove it."""
    sockets = home.sockets()
    for server in (Valkey(home), Postgres(home)):
        server.stop()
    for folder in (home.path, sockets):
        shutil.rmtree(folder, ignore_errors=True)
    home.unlock()


def sweep_killed_runs() -> None:
    """Remove what earlier runs left that were killed; a run that lives holds its lock."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            home = Home(folder)
            home.lock()
        except (EmbeddedError, OSError):
            continue
        end_leftovers(folder)
        discard(home)
