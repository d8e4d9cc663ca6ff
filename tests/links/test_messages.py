"""Messages only say that it is time to look: doubled ones, two beats and a worker that slept change nothing."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable

import redis

from registry.celery import app
from sources.models import Host, Link
from tests.links.citing import cite, link_of, rows_of
from tests.links.conftest import settings_for
from tests.links.processes import Hire
from tests.links.recorder import HOSTS, Recorder, document, empty
from tests.site import PROJECT


def wait_until(holds: Callable[[], object], seconds: float = 60) -> None:
    """Wait for something that has to come; fails where it does not."""
    ends = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < ends, "It did not come in time."
        time.sleep(0.05)


def test_two_beats_and_doubled_messages_make_no_extra_look(
    recorder: Recorder, hire: Hire, broker: redis.Redis
) -> None:
    sources = cite(*(recorder.url(host, f"/{number}") for host in HOSTS[:12] for number in range(5)))
    with app.connection_for_write() as line:
        for _ in range(20):
            app.send_task("sources.tasks.drain", connection=line)
    crew = hire(**settings_for(recorder, RUN=2, DEADLINE=8))
    for _ in range(2):
        crew.start_worker()
        crew.start_beat()
    wait_until(lambda: not Link.objects.filter(last_check=None).exists())
    for _ in range(20):
        app.send_task("sources.tasks.drain")
    wait_until(lambda: broker.llen("celery") == 0)
    for child in crew.children:
        child.ask_to_stop()  # a worker finishes what it is doing
    wait_until(lambda: all(child.process and child.process.poll() is not None for child in crew.children))
    assert len(recorder.pages()) == len(sources)
    assert recorder.overlaps() == []
    assert {(len(rows_of(source)), link_of(source).equal_looks) for source in sources} == {(1, 1)}


def test_the_late_look_of_a_process_that_slept_beyond_its_lease_is_thrown_away(
    recorder: Recorder, hire: Hire
) -> None:
    """The sleeper is a command: a worker of Celery that sleeps for so long is ended by its head."""
    found = [document("/doc"), empty(404, delay=0.5)]
    recorder.answers["/doc"] = lambda asked: found.pop()
    (source,) = cite(recorder.url(HOSTS[0]))
    crew = hire(**settings_for(recorder, RUN=1, DEADLINE=2))
    command = [sys.executable, str(PROJECT / "manage.py"), "check_links"]
    with subprocess.Popen(command, env=crew.environment, stdout=subprocess.PIPE, text=True) as sleeper:
        wait_until(recorder.pages)
        sleeper.send_signal(signal.SIGSTOP)
        try:
            assert link_of(source).lease_token
            crew.start_worker()
            crew.start_beat()
            wait_until(lambda: rows_of(source))
        finally:
            sleeper.send_signal(signal.SIGCONT)
        said, _ = sleeper.communicate(timeout=30)
    assert "1  left to another worker" in said
    assert len(recorder.pages()) == 2
    assert [row.verdict for row in rows_of(source)] == ["ok"]
    link = link_of(source)
    assert (link.state, link.equal_looks, link.failures, link.misses) == ("ok", 1, 0, [])
    assert not Host.objects.filter(lease_token__isnull=False).exists()
