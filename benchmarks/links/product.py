"""The registry's own checks: sources with links that are due, two Celery workers, and messages that say so."""

import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from celery import Celery
from django.conf import settings

from benchmarks.links.memory import Sampler, Taken
from benchmarks.links.pages import article
from sources.actions.link_rows import add_links
from sources.models import Host, Link, Organisation, Passage, PassageLook, Source, Verification

PROJECT = Path(__file__).resolve().parents[2]
WORKERS = 2
TOLD = (
    "two workers as `make serve` starts one; one request at a time per host is how it is made; LINKCHECK_MIN_INTERVAL=0 "
    "takes away its pause of a second"
)
POLL = 0.05  # seconds between two looks at the database
READY, LONGEST = 60.0, 1200.0  # seconds
_QUEUE = "celery"


class NeverFinishedError(Exception):
    """The workers did not do in time what they were asked to."""


def cite(addresses: Sequence[tuple[int, str]]) -> None:
    """Record a verified source for each address, with one cited passage, its link due now."""
    publisher = Organisation.objects.create(key="benchmark", name="Benchmark", kind="independent")
    articles = {number: article(number) for number, _ in addresses}
    sources = Source.objects.bulk_create(
        Source(
            key=f"note-{number}",
            title=articles[number].title,
            url=url,
            work_id=f"url:{url}",
            publisher=publisher,
            kind="documentation",
            attribution_role="third party",
            link_kind="floating",
            date_basis="not stated",
        )
        for number, url in addresses
    )
    Verification.objects.bulk_create(
        Verification(source=source, verified_on=date(2026, 1, 1), representation="full text")
        for source in sources
    )
    Passage.objects.bulk_create(
        Passage(source=source, locator="the article", quotation=articles[number].quotation)
        for source, (number, _) in zip(sources, addresses, strict=True)
    )
    add_links(sources)


def found() -> str:
    """What the looks found, in words: by it one sees that the work was done."""
    verdicts = Counter(Link.objects.values_list("last_check__verdict", flat=True))
    passages = Counter(PassageLook.objects.values_list("verdict", flat=True))
    hosts = Host.objects.filter(lease_until__isnull=False).count()
    words = [f"{count} {verdict or 'not looked at'}" for verdict, count in verdicts.most_common()]
    words += [f"{count} passages {verdict}" for verdict, count in passages.most_common()]
    return ", ".join([*words, f"{hosts} hosts held"] if hosts else words)


@contextmanager
def workers(port: int) -> Iterator[list[int]]:
    """Process ids of workers that may ask the farm at this port, ready for messages, until the end of the block."""
    environment = os.environ | {
        "LINKCHECK_ALLOWED_NETWORKS": "127.66.0.0/16",
        "LINKCHECK_ALLOWED_PORTS": str(port),
        "LINKCHECK_MIN_INTERVAL": "0",
    }
    # As registry.serve starts its one.
    quiet = ["-W", "ignore:You're running the worker with superuser"]
    command = [sys.executable, *quiet, "-m", "celery", "--quiet", "--app=registry.celery", "worker", "--pool=prefork",
               "--concurrency=1", "--without-gossip", "--without-mingle", "--loglevel=WARNING"]  # fmt: skip
    started = [
        subprocess.Popen(
            [*command, f"--hostname=benchmark-{at}@%h"], cwd=PROJECT, env=environment, stdout=sys.stderr
        )
        for at in range(WORKERS)
    ]
    try:
        wait_for_workers()
        yield [worker.pid for worker in started]
    finally:
        for worker in started:
            worker.terminate()
        for worker in started:
            worker.wait(timeout=60)


def wait_for_workers() -> None:
    """Return when all workers answer. Raises NeverFinishedError."""
    with Celery(broker=settings.CELERY_BROKER_URL) as app:
        ends = time.monotonic() + READY
        while time.monotonic() < ends:
            if len(app.control.ping(timeout=1.0)) >= WORKERS:
                return
    raise NeverFinishedError(f"The workers were not ready within {READY:.0f} s.")


def look_at_all() -> float:
    """Send messages until every link was looked at; returns the seconds from the first message to the last look."""
    with Celery(broker=settings.CELERY_BROKER_URL) as app, app.connection_for_write() as connection:
        began = time.monotonic()
        for _ in range(WORKERS):
            app.send_task("sources.tasks.drain", connection=connection)
        while Link.objects.filter(last_equal_look_at__isnull=True).exists():
            if time.monotonic() - began > LONGEST:
                raise NeverFinishedError(f"After {LONGEST:.0f} s: {found()}.")
            time.sleep(POLL)
            # A worker whose run has ended finds the next message at once: both are busy as long as anything is due.
            waiting = connection.default_channel.queue_declare(_QUEUE, durable=True).message_count
            if not waiting:
                app.send_task("sources.tasks.drain", connection=connection)
        seconds = time.monotonic() - began
        connection.default_channel.queue_purge(_QUEUE)
    return seconds


def measure(port: int) -> tuple[float, Taken]:
    """Seconds until all that `cite` recorded was looked at, and what the workers took."""
    with workers(port) as processes, Sampler(processes) as taken:
        seconds = look_at_all()
    return seconds, taken
