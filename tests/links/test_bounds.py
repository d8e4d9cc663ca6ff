"""Many looks need few statements and no more memory than few looks do."""

import datetime as dt
import gc
import sys
from collections import deque
from dataclasses import fields

from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sources.actions.looks import record
from sources.actions.queue import claim
from sources.actions.sources import passage
from sources.clients.robots import RobotsCache
from sources.drain import _Drain
from sources.look import Found, look_at
from sources.models import Link
from sources.reach import limits
from tests.links.citing import cite, free_hosts, make_due
from tests.links.recorder import HOSTS, Answer, Recorder, document, empty, html

LEASE = dt.timedelta(seconds=60)
KINDS = [
    document("/doc"),
    empty(404),
    empty(429, "Retry-After: 90"),
    empty(429),
    empty(503, "Retry-After: 90"),
    empty(301, "Location: /there"),
    html("<title>Page not found</title><h1>Page not found</h1>"),
]


def looks_at(recorder: Recorder, number: int, answers: list[Answer]) -> tuple[list[Found], int]:
    """Looks at so many hosts, each with its passages, not yet written down; and the statements that claiming took."""
    for at, host in enumerate(HOSTS[:number]):
        recorder.answers[host, "/doc"] = answers[at % len(answers)]
    cited = list(Link.objects.filter(host__in=HOSTS[:number]).values_list("pk", flat=True))
    make_due()
    free_hosts()
    with CaptureQueriesContext(
        connection,
    ) as claiming:
        turns = claim(number, LEASE, cited)
    assert len(turns) == number
    cache = RobotsCache()
    return [look_at(turn, limits(), cache, lambda host, token, seconds: True) for turn in turns], len(
        claiming
    )


def statements(looks: list[Found]) -> int:
    """How many statements it takes to write these looks down."""
    with CaptureQueriesContext(connection) as writing:
        assert record(looks, dt.timedelta(0)).lost == 0
    return len(writing)


def test_a_batch_of_looks_takes_as_many_statements_as_one_of_few(recorder: Recorder) -> None:
    for source in cite(*(recorder.url(host) for host in HOSTS)):
        for number in range(3):
            passage(source, f"line {number}", f"The board of /doc holds memory and a controller {number}")
    taken = []
    for number in (len(KINDS), 6 * len(KINDS)):
        Link.objects.update(last_check=None, lost_leases=0)
        looks, claiming = looks_at(recorder, number, KINDS)
        first = statements(looks)
        looks, _ = looks_at(recorder, number, [*KINDS[1:], KINDS[0]])
        taken.append((claiming, first, statements(looks)))
    few, many = taken
    assert few[0] == many[0]
    # Retries of a batch size of 500 aside, the number of looks plays no part.
    assert abs(many[1] - few[1]) <= 1
    assert abs(many[2] - few[2]) <= 1
    assert max(many) < 30


def test_twelve_hundred_looks_leave_nothing_behind(recorder: Recorder) -> None:
    settings.LINKCHECK_MIN_INTERVAL = 0.0  # the fixture puts it back, and the next two too
    settings.LINKCHECK_THREADS = 8
    settings.LINKCHECK_RUN = 120.0
    recorder.log = deque(maxlen=1)  # type: ignore[assignment]
    hosts = HOSTS[:40]
    for host in hosts[:3]:
        recorder.answers[host, "/0"] = empty(503)
    cite(*(recorder.url(host, f"/{number}") for host in hosts for number in range(10)))
    most = 0
    blocks = []

    def sample(looks: int) -> None:
        nonlocal most
        most = max(most, len(run.finished), len(run.kept_back), run.inbox.qsize(), len(run.outcomes))

    for round_ in range(3):
        make_due()
        free_hosts()
        run = _Drain(settings.LINKCHECK_RUN, None, sample)
        result = run.run()
        assert result.looked + result.discarded >= 370
        assert {each for seen in run.outcomes.values() for each in seen} <= {"ok", "failing"}
        assert all(len(seen) <= 2 for seen in run.outcomes.values())
        # What changed is told, and nothing else grows with the number of looks. (A failing host keeps some for later.)
        kept = {each.name: getattr(result.recorded, each.name) for each in fields(result.recorded)}
        grown = {name for name, value in kept.items() if isinstance(value, list) and len(value) > 30}
        assert grown == ({"changes"} if round_ == 0 else set())
        gc.collect()
        blocks.append(sys.getallocatedblocks())
    assert most <= 2 * settings.LINKCHECK_THREADS + len(hosts)
    # Of four hundred equal looks nothing stays; one that stayed would be dozens of objects.
    assert blocks[2] - blocks[1] < 800, blocks
    assert sys.getsizeof(result.recorded.verdicts) < 1000
