"""The live site and the browser: real pages over HTTP from granian, in the system's Chromium.

`live_site` runs in processes and a database of its own, with all fixtures loaded once for the whole run. Tests read it
freely; one that writes (an editor at work) makes rows of its own and expects nothing of the others'.
"""

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from registry.supervisor import MARK
from tests.environment import Servers

PROJECT = Path(__file__).resolve().parent.parent
DATABASE = "test_site"
PASSWORD = "correct horse battery staple"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


@dataclass(frozen=True)
class Site:
    """A running site: its address without a slash at the end, the address of its database, and its administrator."""

    url: str
    database_url: str
    owner_url: str
    username: str = "admin"
    password: str = PASSWORD


def in_database(address: str, name: str) -> str:
    """The same server and role, another database."""
    return urlunsplit(urlsplit(address)._replace(path=f"/{name}"))


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def live_site(test_servers: Servers) -> Iterator[Site]:
    """The site as `make serve` runs it, with the fixtures and one superuser."""
    owner = os.environ["DATABASE_OWNER_URL"]
    port = free_port()
    site = Site(
        f"http://127.0.0.1:{port}",
        in_database(os.environ["DATABASE_URL"], DATABASE),
        in_database(owner, DATABASE),
    )
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {DATABASE}")
    environment = {
        **os.environ,
        "DATABASE_URL": site.database_url,
        "DATABASE_OWNER_URL": site.owner_url,
        "PORT": str(port),
        "SITE_URL": site.url,
        "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
        "STATIC_ROOT": str(test_servers.home.path / "live-static"),
        MARK: str(test_servers.home.path),
    }
    manage(environment, "migrate", "--verbosity=0")
    if any((PROJECT / "fixtures").rglob("*.json")):
        manage(environment, "load_bundle", str(PROJECT / "fixtures"), "--apply")
    manage(
        environment,
        "createsuperuser",
        "--noinput",
        "--username=admin",
        "--email=admin@localhost",
        "--verbosity=0",
    )
    manage(environment, "collectstatic", "--noinput", "--verbosity=0")
    granian = (
        f"granian --interface=wsgi --host=127.0.0.1 --port={port} --workers=1 --blocking-threads=1 --no-ws"
    )
    command = [sys.executable, "-m", *granian.split(), "--log-level=warning", "registry.wsgi:application"]
    process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL)
    try:
        wait_until_it_answers(site.url, process)
        yield site
    finally:
        process.terminate()
        process.wait(20)


def manage(environment: dict[str, str], *arguments: str) -> None:
    """Run a command of manage.py; a failure fails the test with all it said."""
    command = [sys.executable, str(PROJECT / "manage.py"), *arguments]
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True)
    if done.returncode:
        pytest.fail(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}", pytrace=False)


def wait_until_it_answers(url: str, process: subprocess.Popen[bytes]) -> None:
    """Return at the first answer of any kind."""
    give_up = time.monotonic() + 30
    while time.monotonic() < give_up and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=20).close()
        except urllib.error.HTTPError as answer:
            answer.close()
        except OSError:
            time.sleep(0.1)
            continue
        return
    pytest.fail("The live site does not answer; its words are in the captured output.", pytrace=False)


def chromium() -> str:
    """Where Chromium is; without it the browser tests fail and say what to install."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.fail(
            "Chromium is not on PATH. Install it (Debian, Ubuntu: apt install chromium).", pytrace=False
        )
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once; it reaches this machine only."""
    # Playwright's loop runs in this thread, and Django would take the whole thread for asynchronous.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    arguments = [*ARGUMENTS, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=arguments)
        yield running
        running.close()


class OpenPage(Protocol):
    """Opens a page of the live site in a fresh profile."""

    def __call__(
        self,
        path: str = "/",
        *,
        javascript: bool = True,
        color_scheme: str = "light",
        width: int = 1280,
        height: int = 900,
        login: bool = False,
    ) -> Page: ...


@pytest.fixture
def open_page(live_site: Site, browser: Browser) -> Iterator[OpenPage]:
    """A function that opens an address of the live site; what it opened is closed after the test.

    The page's console errors (broken CSP, missing files, exceptions) are in `page.problems`.
    """
    contexts = []

    def open_page(
        path: str = "/",
        *,
        javascript: bool = True,
        color_scheme: str = "light",
        width: int = 1280,
        height: int = 900,
        login: bool = False,
    ) -> Page:
        options: dict[str, Any] = {
            "base_url": live_site.url,
            "color_scheme": color_scheme,
            "viewport": {"width": width, "height": height},
            "reduced_motion": "reduce",
        }
        context = browser.new_context(java_script_enabled=javascript, **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.problems = problems  # type: ignore[attr-defined]
        page.as_opened = options if not javascript else None  # type: ignore[attr-defined]
        if login:
            page.goto("/admin/login/")
            page.get_by_label("Username").fill(live_site.username)
            page.get_by_label("Password").fill(live_site.password)
            page.locator("[type=submit]").click()
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def browser_page(open_page: OpenPage) -> Page:
    """The home page, scripts on, light."""
    return open_page("/")


@pytest.fixture(scope="session")
def axe() -> Callable[[Page], list[str]]:
    """A function that gives back a page's accessibility violations, one line each: rule, where, what to do."""
    found = importlib.util.find_spec("axe_playwright_python")
    assert found is not None
    assert found.origin is not None
    source = Path(found.origin).with_name("axe.min.js").read_text()

    def violations(page: Page) -> list[str]:
        options = getattr(page, "as_opened", None)
        if options is None:
            return judge(page)
        # axe is a script: a page opened without scripts is judged as a copy that has none of its own.
        with page.context.browser.new_context(**options) as context:  # type: ignore[union-attr]
            document = re.sub(r"<script\b.*?</script>|</?noscript[^>]*>", "", page.content(), flags=re.DOTALL)
            context.route(
                page.url, lambda route: route.fulfill(body=document, content_type="text/html; charset=utf-8")
            )
            copy = context.new_page()
            copy.goto(page.url)
            return judge(copy)

    def judge(page: Page) -> list[str]:
        page.evaluate(source + ";undefined")
        result: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{violation['id']} ({violation['impact']}) at {node['target']}: {node['failureSummary']}"
            for violation in result["violations"]
            for node in violation["nodes"]
        ]

    return violations
