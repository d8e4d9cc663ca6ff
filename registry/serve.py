"""`python -m registry.serve`: everything that the registry needs, in one terminal, until Ctrl-C.

Servers named by DATABASE_URL and CELERY_BROKER_URL are used; what is not named runs embedded in REGISTRY_HOME.
"""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

import psycopg
from psycopg import sql

from registry.embedded import (
    OWNER_ROLE,
    WEB_ROLE,
    EmbeddedError,
    Home,
    Postgres,
    Valkey,
    default_home,
    forget_environment,
    write_environment,
)
from registry.supervisor import MARK, Child, end_leftovers, stop_all

PROJECT = Path(__file__).resolve().parent.parent
FIXTURES = PROJECT / "fixtures"
HOST = "127.0.0.1"
FIRST_ANSWER = 60.0  # seconds until the web server must have answered
SERVER_LOOK = 5.0  # seconds between two looks at the embedded servers

Server = Postgres | Valkey


def say(text: str) -> None:
    """One line of progress."""
    print(text, flush=True)


def chosen_port() -> int:
    """The port that PORT names (8000 where it names none). Raises EmbeddedError where it cannot be used."""
    text = os.environ.get("PORT") or "8000"
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise EmbeddedError(f"PORT is {text!r}; it must be a number from 1 to 65535.")
    port = int(text)
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            reason = "is for the administrator only" if isinstance(error, PermissionError) else "is in use"
            other = port + 1 if 1023 < port < 65535 else 8000
            raise EmbeddedError(
                f"Port {port} {reason}. Choose another one: PORT={other} make serve"
            ) from error
    return port


def check_database(environment: Mapping[str, str]) -> None:
    """Connect once to each database address that was given. Raises EmbeddedError where that fails."""
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
        address = environment.get(name)
        if address:
            try:
                psycopg.connect(address, connect_timeout=10).close()
            except psycopg.Error as error:
                reason = str(error).strip().splitlines()[0]
                raise EmbeddedError(f"{name} is set, but its server cannot be used: {reason}") from error


class Instance:
    """One running registry: its folder, its environment, its servers and its processes."""

    def __init__(self, home: Home, port: int) -> None:
        self.home = home
        self.port = port
        self.environment = {
            **os.environ,
            "PORT": str(port),
            "REGISTRY_HOME": str(home.path),
            MARK: str(home.path),
        }
        self.servers: list[Server] = []
        self.children: list[Child] = []
        self.commands: list[subprocess.Popen[bytes]] = []

    def start_servers(self) -> None:
        """Start the servers that the environment does not name, and leave their addresses for commands."""
        provided: dict[str, str] = {}
        if not self.environment.get("SECRET_KEY"):
            provided["SECRET_KEY"] = self.home.secret("secret-key")
        if not self.environment.get("ALLOWED_HOSTS"):
            provided["ALLOWED_HOSTS"] = "localhost,127.0.0.1,[::1]"
        if self.environment.get("DATABASE_URL"):
            check_database(self.environment)
        else:
            say("Starting PostgreSQL …")
            postgres = Postgres(self.home)
            self.servers.append(postgres)
            postgres.start()
            provided |= {
                "DATABASE_URL": postgres.url(WEB_ROLE),
                "DATABASE_OWNER_URL": postgres.url(OWNER_ROLE),
            }
        if not self.environment.get("CELERY_BROKER_URL"):
            say("Starting Valkey …")
            valkey = Valkey(self.home)
            self.servers.append(valkey)
            valkey.start()
            provided["CELERY_BROKER_URL"] = valkey.url()
        self.environment |= provided
        write_environment(self.home, provided)

    def prepare(self) -> None:
        """Bring database and static files up to date; a new registry also gets its content and its first user."""
        static_files = self._command("collectstatic", "--noinput", "--verbosity=0")
        say("Preparing the database …")
        self._finish(self._command("migrate", "--verbosity=0"))
        if any(FIXTURES.rglob("*.json")) and not self._has_rows("sources_source"):
            say("Loading the fixtures …")
            self._finish(self._command("load_bundle", str(FIXTURES), "--apply"))
        if not self._has_rows("auth_user"):
            self._make_first_user()
        self._finish(static_files)

    def start_children(self) -> None:
        """Start web server, worker and beat, and wait for the first answer."""
        python = [sys.executable, "-m"]
        # Celery's long warning to root is known: for root, everything here runs as root but the servers.
        quiet = ["-W", "ignore:You're running the worker with superuser"]
        celery = [sys.executable, *quiet, "-m", "celery", "--quiet", "--app=registry.celery"]
        # With one thread a worker, two requests that wait for the database hold up everybody until its timeout: another
        # page took 6 s beside them, with four threads 0.1 s, and the same bytes. Two still meet in one worker too often;
        # four cost a tenth of the throughput of a busy site. Each thread keeps one connection to the database.
        granian = (
            f"granian --interface=wsgi --host={HOST} --port={self.port} --workers=2 --blocking-threads=4"
        )
        self._child(
            "web server",
            [*python, *granian.split(), "--no-ws", "--log-level=warning", "registry.wsgi:application"],
        )
        worker = "worker --pool=prefork --concurrency=1 --without-gossip --without-mingle --loglevel=WARNING"
        self._child("worker", [*celery, *worker.split()])
        schedule = self.home.path / "beat-schedule"
        self._child("beat", [*celery, "beat", f"--schedule={schedule}", "--pidfile=", "--loglevel=WARNING"])
        self._wait_for_the_first_answer()

    def watch(self) -> None:
        """Keep everything running until a signal says stop."""
        next_look = time.monotonic() + SERVER_LOOK
        while True:
            time.sleep(0.5)
            for child in self.children:
                child.look()
            if time.monotonic() >= next_look:
                self._look_at_servers()
                next_look = time.monotonic() + SERVER_LOOK

    def stop(self) -> None:
        """Stop processes first, then the servers they use."""
        for command in self.commands:
            if command.poll() is None:
                command.terminate()
                command.wait()
        stop_all(self.children)
        for server in reversed(self.servers):
            server.stop()
        forget_environment(self.home)

    # -- steps --------------------------------------------------------------------------------------

    def _command(self, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
        """Start a command of manage.py; its words go to the terminal."""
        command = [sys.executable, str(PROJECT / "manage.py"), *arguments]
        process = subprocess.Popen(command, env={**self.environment, **more}, stdin=subprocess.DEVNULL)
        self.commands.append(process)
        return process

    def _finish(self, process: subprocess.Popen[bytes]) -> None:
        if process.wait():
            arguments = (
                [str(argument) for argument in process.args[1:]] if isinstance(process.args, list) else []
            )
            raise EmbeddedError(
                f"`{Path(arguments[0]).name} {' '.join(arguments[1:])}` failed; it says why above."
            )

    def _has_rows(self, table: str) -> bool:
        with psycopg.connect(self.environment["DATABASE_URL"], connect_timeout=10) as connection:
            query = sql.SQL("SELECT FROM {} LIMIT 1").format(sql.Identifier(table))
            return connection.execute(query).fetchone() is not None

    def _make_first_user(self) -> None:
        password = secrets.token_urlsafe(12)
        arguments = (
            "createsuperuser",
            "--noinput",
            "--username=admin",
            "--email=admin@localhost",
            "--verbosity=0",
        )
        self._finish(self._command(*arguments, DJANGO_SUPERUSER_PASSWORD=password))
        say(f"First user: admin, password: {password} (shown only this once; change it after logging in)")

    def _child(self, name: str, command: list[str]) -> None:
        child = Child(name, command, self.environment)
        child.start()
        self.children.append(child)

    def _wait_for_the_first_answer(self) -> None:
        web = self.children[0].process
        give_up = time.monotonic() + FIRST_ANSWER
        while time.monotonic() < give_up:
            if web is None or web.poll() is not None:
                raise EmbeddedError("The web server ended at once; it says why above.")
            try:
                urllib.request.urlopen(f"http://{HOST}:{self.port}/", timeout=FIRST_ANSWER).close()
                return
            except urllib.error.HTTPError:
                return  # an answer all the same
            except OSError:
                time.sleep(0.1)
        raise EmbeddedError(f"The web server did not answer within {FIRST_ANSWER:.0f} s.")

    def _look_at_servers(self) -> None:
        for server in self.servers:
            if not server.running():
                say(f"{server.name} is gone; starting it again.")
                try:
                    server.start()
                except EmbeddedError as error:
                    say(str(error))


def stop_by_signal(number: int, frame: FrameType | None) -> None:
    """Turn a signal into the one way out."""
    raise KeyboardInterrupt


def main() -> int:
    """Serve until a signal; the exit code is 0 after an orderly stop, 1 where the start failed."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop_by_signal)
    instance = None
    try:
        began = time.monotonic()
        home = Home(default_home())
        home.lock()
        if end_leftovers(home.path):
            say("Ended what an earlier start had left running.")
        instance = Instance(home, chosen_port())
        instance.start_servers()
        instance.prepare()
        instance.start_children()
        address = f"http://{HOST}:{instance.port}"
        say(f"Evidence Registry is at {address} · admin at {address}/admin/ · Ctrl-C stops it")
        say(f"(started in {time.monotonic() - began:.1f} s)")
        instance.watch()
    except KeyboardInterrupt:
        say("Stopping …")
        return 0
    except EmbeddedError as error:
        print(error, file=sys.stderr, flush=True)
        return 1
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if instance is not None:
            instance.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
