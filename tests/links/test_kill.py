"""Workers that are killed, a broker that is killed, two beats: everything is looked at, nothing at the wrong time.

The log of the asked server is the judge. Real broker, real worker processes, started and restarted as `make serve` does.
"""

import os
import random
import signal
import time
from collections import Counter

import psutil

from registry.embedded import Home, Valkey
from sources.models import Host, Link, LinkCheck
from tests.links.citing import cite
from tests.links.conftest import settings_for
from tests.links.processes import Crew, Hire
from tests.links.recorder import HOSTS, Recorder

SOURCES, ON_HOSTS = 500, 25
RUN, DEADLINE, INTERVAL, THREADS = 3, 4, 0.15, 8
LEASE = RUN + 2 * DEADLINE + 5  # seconds, as sources.drain has it
KILLS = 6
PATIENCE = 110  # seconds in which it has to end at the latest


def kill_some_worker(crew: Crew, chance: random.Random) -> None:
    """SIGKILL to a worker: to all of it, to its head alone, or to the process that does its work."""
    alive = [child.process for child in crew.children if child.name == "worker" and child.process]
    worker = psutil.Process(chance.choice(alive).pid)
    hands = worker.children()
    how = chance.choice(["all", "head", "hands"])
    if how == "hands" and hands:
        hands[0].kill()
    else:
        for process in [worker, *(hands if how == "all" else [])]:
            process.kill()


def test_nothing_is_lost_or_done_twice_when_workers_and_broker_are_killed(
    recorder: Recorder, hire: Hire, home: Home
) -> None:
    valkey = Valkey(home)
    valkey.start()
    chance = random.Random(1)
    recorder.delay = 0.05
    hosts = HOSTS[:ON_HOSTS]
    sources = cite(*(recorder.url(hosts[n % ON_HOSTS], f"/{n}") for n in range(SOURCES)))
    crew = hire(
        **settings_for(recorder, RUN=RUN, DEADLINE=DEADLINE, MIN_INTERVAL=INTERVAL, THREADS=THREADS),
        CELERY_BROKER_URL=valkey.url(),
    )
    for _ in range(3):
        crew.start_worker()
    for _ in range(2):
        crew.start_beat()
    gives_up = time.monotonic() + PATIENCE
    kills, next_kill = 0, None
    while (left := Link.objects.filter(last_check=None).count()) and time.monotonic() < gives_up:
        crew.look()
        if next_kill is None and left < SOURCES - 25:
            next_kill = time.monotonic()
        if next_kill and kills < KILLS and time.monotonic() >= next_kill:
            kill_some_worker(crew, chance)
            kills += 1
            next_kill += 1.5
            if kills == KILLS // 2:
                broker = valkey._process()
                assert broker is not None
                os.kill(broker.pid, signal.SIGKILL)
                broker.wait(10)
                valkey.start()
        time.sleep(0.1)
    assert left == 0

    # One verdict, one row, one look.
    assert LinkCheck.objects.count() == SOURCES
    assert set(LinkCheck.objects.values_list("source", flat=True)) == {source.pk for source in sources}
    assert set(Link.objects.values_list("state", "equal_looks", "lost_leases")) == {("ok", 1, 0)}
    # One at a time, with the pause between them.
    assert recorder.overlaps() == []
    assert recorder.shortest_pause() >= INTERVAL
    # No page is asked for again while its lease lives, and only what a killed worker had in hand is asked for again.
    pages = {one.path: [] for one in recorder.pages()}
    for one in recorder.pages():
        pages[one.path].append(one.began)
    again = [
        later - earlier for times in pages.values() for earlier, later in zip(times, times[1:], strict=False)
    ]
    assert len(pages) == SOURCES
    assert len(again) <= KILLS * THREADS
    assert min(again, default=LEASE) > LEASE - DEADLINE
    assert kills == KILLS
    # robots.txt: once a host and process at most.
    robots = Counter(one.host for one in recorder.asked(path="/robots.txt"))
    assert max(robots.values()) <= 3 + KILLS
    assert not Host.objects.filter(lease_token__isnull=False).exists()
