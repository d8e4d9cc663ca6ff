"""`make serve` from outside: one command, one line for each thing that cannot be, an orderly end."""

import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import urllib.request

import pytest

from registry.embedded import Home
from tests.site import PROJECT, Site, free_port

SERVE = [sys.executable, "-m", "registry.serve"]


def serve(**environment: str) -> subprocess.Popen[str]:
    """Start it with these variables on top of ours."""
    return subprocess.Popen(
        SERVE,
        cwd=PROJECT,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said_until(process: subprocess.Popen[str], words: str, seconds: float = 60) -> list[str]:
    """The lines that came, up to the one with the words; fails where it does not come in time."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    said: list[str] = []
    while not said or words not in said[-1]:
        line = lines.get(timeout=seconds)
        if line is None:
            pytest.fail("It ended before that:\n" + "".join(said))
        said.append(line)
    return said


def test_it_serves_with_given_servers_embeds_what_is_missing_and_ends_in_order(
    live_site: Site, home: Home
) -> None:
    port = free_port()
    process = serve(
        DATABASE_URL=live_site.database_url,
        DATABASE_OWNER_URL=live_site.owner_url,
        CELERY_BROKER_URL="",
        PORT=str(port),
        REGISTRY_HOME=str(home.path),
        STATIC_ROOT=str(home.path / "static"),
    )
    with process:
        said = said_until(process, f"Evidence Registry is at http://127.0.0.1:{port}")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20) as answer:
            assert answer.status == 200
            assert "unsafe" not in answer.headers["Content-Security-Policy"]
        again = subprocess.run(
            SERVE,
            check=False,
            cwd=PROJECT,
            env={**os.environ, "PORT": str(free_port()), "REGISTRY_HOME": str(home.path)},
            capture_output=True,
            text=True,
        )
        process.send_signal(signal.SIGTERM)
        assert process.wait(40) == 0
    assert any("Starting Valkey" in line for line in said)
    assert not any("Starting PostgreSQL" in line or "password" in line for line in said)
    assert again.returncode == 1
    assert again.stderr.count("\n") == 1
    assert f"is already running (process {process.pid})" in again.stderr
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"PORT": "eighty"}, "PORT is 'eighty'; it must be a number from 1 to 65535."),
        ({"PORT": "taken"}, "is in use. Choose another one: PORT="),
        (
            {"DATABASE_URL": "postgres://nobody@127.0.0.1:9/none"},
            "DATABASE_URL is set, but its server cannot be used:",
        ),
    ],
)
def test_a_start_that_cannot_be_says_why_in_one_line(
    environment: dict[str, str], words: str, home: Home
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = {"PORT": str(taken.getsockname()[1])} if environment.get("PORT") == "taken" else {}
        process = serve(**{"PORT": str(free_port()), "REGISTRY_HOME": str(home.path), **environment, **port})
        _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert words in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL"])
def test_settings_without_a_value_they_need_name_it_and_the_remedy(name: str, home: Home) -> None:
    environment = {**os.environ, "REGISTRY_HOME": str(home.path), name: " "}
    command = [sys.executable, "manage.py", "check"]
    done = subprocess.run(command, check=False, cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name} is not set. Set it to")
    assert f"No registry runs in {home.path}. Start the registry with `make serve`" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["verify_log", "migrate", "load_bundle fixtures"])
@pytest.mark.parametrize(
    "address", ["postgres://nobody@127.0.0.1:9/none", "postgres://nobody@%2Fnowhere/none"]
)
def test_a_command_without_a_running_database_says_so_in_one_line(
    command: str, address: str, home: Home
) -> None:
    environment = {**os.environ, "REGISTRY_HOME": str(home.path), "DATABASE_URL": address}
    environment["DATABASE_OWNER_URL"] = address
    line = [sys.executable, "manage.py", *command.split()]
    done = subprocess.run(line, check=False, cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("The database does not answer: ")
    assert done.stderr.endswith("in the environment.\n")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_command_shows_its_traceback_to_who_asks(home: Home) -> None:
    environment = {**os.environ, "REGISTRY_HOME": str(home.path), "SECRET_KEY": " "}
    line = [sys.executable, "manage.py", "verify_log", "--traceback"]
    done = subprocess.run(line, check=False, cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert "ImproperlyConfigured: SECRET_KEY is not set." in done.stderr
