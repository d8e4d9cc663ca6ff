"""The turns of hosts, where two workers meet in the database."""

import datetime as dt
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from sources.actions.queue import claim, give_back, take_host
from sources.models import Host, Link
from tests.links.citing import cite
from tests.links.recorder import HOSTS

LEASE, NONE = dt.timedelta(seconds=60), dt.timedelta(0)

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_looks_that_want_each_others_host_at_once_do_not_lock_each_other_out() -> None:
    Host.objects.bulk_create([Host(name="a.example"), Host(name="b.example")])
    barrier = threading.Barrier(2)

    def cross(first: str, second: str) -> int:
        try:
            for _ in range(60):
                token = uuid.uuid4()
                barrier.wait(20)
                take_host(first, token, LEASE, NONE)
                barrier.wait(20)
                take_host(second, token, LEASE, NONE)
                barrier.wait(20)
                give_back([token], NONE)
            return 60
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(cross, "a.example", "b.example"), pool.submit(cross, "b.example", "a.example")]
        assert [each.result(60) for each in both] == [60, 60]


def test_many_claims_at_once_give_each_link_and_each_host_away_once() -> None:
    cite(*(f"http://{host}/{number}" for host in HOSTS[:20] for number in range(10)))

    def take(_: int) -> list[tuple[int, str]]:
        try:
            return [(turn.source_id, turn.host) for _ in range(5) for turn in claim(3, LEASE)]
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        turns = [turn for taken in pool.map(take, range(6)) for turn in taken]
    assert len(turns) == 20
    assert len({source for source, _ in turns}) == len({host for _, host in turns}) == 20
    assert Link.objects.filter(lease_token__isnull=False).count() == 20
    assert Host.objects.filter(lease_token__isnull=False).count() == 20
