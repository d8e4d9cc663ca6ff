"""What a stranger's server says may be made to break the checker: the queue goes on, and nothing is lost."""

import datetime as dt
import os
import threading
import time
import uuid
from dataclasses import replace

import pytest
from django.db import connection
from django.utils import timezone

from sources.actions.links import check_now
from sources.actions.queue import claim
from sources.actions.sources import passage
from sources.clients.robots import RobotsCache
from sources.drain import _Drain, drain
from sources.look import Turn, look_at
from sources.models import Host, Link, LinkCheck
from sources.models.link import MOST_LOST_LEASES
from sources.reach import limits
from tests import factories
from tests.conftest import connect
from tests.links.citing import cite, free_hosts, link_of, make_due, rows_of
from tests.links.recorder import HOSTS, Answer, Recorder, empty, html
from tests.refusals import sql

PROSE = "Words about the board and its memory, said again and again. " * 20
PAGES = {
    "NUL in the title": html(f"<title>A&#0;b\x00c</title><h1>\x00</h1><p>{PROSE}\x00"),
    "half a character": html(f"<title>A &#xD800; b &#55357;</title><p>&#xDFFF; {PROSE}"),
    "half a character in bytes": Answer(
        200, b"<title>\xed\xa0\x80</title><p>\xed\xbf\xbf" + PROSE.encode(), ("Content-Type: text/html",)
    ),
    "endless title": html(f"<title>{'t' * 100_000}</title><p>{PROSE}"),
    "endless validators": html(f"<title>A page</title><p>{PROSE}", "ETag: \"" + "e" * 5000 + '"', "Last-Modified: " + "m" * 500),
    "odd validators": html(f"<title>A page</title><p>{PROSE}", 'ETag: "\xe9\x01\x7f"'),
    "odd type": Answer(200, b"<title>A page</title>" + PROSE.encode(), ("Content-Type: " + "x" * 3000,)),
    "odd status": Answer(799, b"<title>A page</title>" + PROSE.encode(), ("Content-Type: text/html",)),
    "endless location": empty(302, "Location: /" + "l" * 7000),
    "location with NUL": empty(302, "Location: /\x00\x01"),
    "location in bytes": empty(301, "Location: /\xed\xa0\x80"),
    "retry after for ever": empty(429, "Retry-After: 99999999999999999999999999"),
    "retry after in the year 9999": empty(503, "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT"),
    "retry after at minus": empty(429, "Retry-After: -5"),
    "PDF that is none": Answer(200, b"%PDF-1.7\n" + b"\x00\xff" * 2000, ("Content-Type: application/pdf",)),
    "deep": html("<title>A page</title>" + "<div>" * 20_000 + PROSE),
    "retracted in odd writing": html(f"<title>RETRACTED: \ud7ff\U0010ffff\u202e a page</title><p>{PROSE}"),
    "canonical address in odd writing": html(f'<title>A page</title><link rel=canonical href="http://\x01&#0;/&#xD800;"><p>{PROSE}'),
}  # fmt: skip


def test_no_answer_of_a_stranger_keeps_the_queue_from_writing_down_what_it_found(recorder: Recorder) -> None:
    for name, answer in zip(HOSTS, PAGES.values(), strict=False):
        recorder.answers[name, "/doc"] = answer
    sources = cite(*(recorder.url(host, "/doc") for host, _ in zip(HOSTS, PAGES, strict=False)))
    for source in sources:
        passage(source, "title &#0;", "A page of words about the board 3.35 TB/s")
    cite(*(recorder.url(host) for host in HOSTS[len(PAGES) :]))
    for _ in range(2):
        free_hosts()
        make_due()
        run = drain(10)
        assert run.looked == len(HOSTS)
    assert not LinkCheck.objects.filter(reason__contains="stumbled").exists()
    assert not Link.objects.filter(last_check=None).exists()
    assert not Link.objects.filter(lost_leases__gt=0).exists()


def test_a_look_that_stumbles_over_a_mistake_of_ours_is_a_failure_that_may_pass(
    recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    def take(host: str, token: uuid.UUID, seconds: float) -> bool:
        raise RuntimeError("A mistake of ours.")

    recorder.answers["/doc"] = empty(302, f"Location: {recorder.url(HOSTS[1])}")
    (source,) = cite(recorder.url(HOSTS[0]))
    turn = Turn(source.pk, uuid.uuid4(), source.url, source.title, HOSTS[0])
    found = look_at(turn, limits(), RobotsCache(), take)
    assert (found.verdict.outcome, found.failure) == ("failing", "protocol")
    assert "The checker itself stumbled over the answer (RuntimeError)" in found.verdict.reason
    assert "stumbled" in caplog.text
    assert recorder.pages(HOSTS[1]) == []


def test_a_look_that_no_database_can_hold_is_written_down_as_a_failure_and_spoils_no_other(
    recorder: Recorder, caplog: pytest.LogCaptureFixture
) -> None:
    sources = cite(*(recorder.url(host) for host in HOSTS[:4]))
    run = _Drain(1, None, lambda looks: None)
    looks = [
        look_at(turn, run.limits, RobotsCache(), run.take) for turn in claim(9, dt.timedelta(seconds=60))
    ]
    poisoned = replace(looks[1], verdict=replace(looks[1].verdict, reason="A NUL: \x00", notes=("\ud800",)))
    run.finished = [looks[0], poisoned, *looks[2:]]
    run.write_down()
    verdicts = {source.pk: rows_of(source)[0] for source in sources}
    assert run.result.recorded.verdicts == {"ok": 3, "failing": 1}
    assert "The checker itself stumbled" in verdicts[poisoned.turn.source_id].reason
    assert "cannot be written down" in caplog.text
    assert not Link.objects.filter(lease_token__isnull=False).exists()
    assert not Host.objects.filter(lease_token__isnull=False).exists()


def test_somebody_who_keeps_a_link_locked_costs_that_look_alone(recorder: Recorder) -> None:
    sources = cite(*(recorder.url(host) for host in HOSTS[:6]))
    recorder.delay = 0.3
    locked, release = threading.Event(), threading.Event()

    def keep() -> None:
        with connect(os.environ["DATABASE_URL"]) as other:
            while not recorder.pages():
                time.sleep(0.01)
            other.execute("SELECT FROM sources_link WHERE source_id = %s FOR UPDATE", [sources[0].pk])
            locked.set()
            release.wait(30)

    editor = threading.Thread(target=keep)
    editor.start()
    try:
        sql("SET lock_timeout = '200ms'")
        run = drain(3)
        assert locked.is_set()
    finally:
        release.set()
        editor.join()
        connection.close()
    assert run.recorded.lost == 1
    assert run.recorded.verdicts == {"ok": 5}
    assert rows_of(sources[0]) == []
    assert Link.objects.get(pk=sources[0].pk).lost_leases == 1


def test_an_address_that_kills_its_workers_is_parked_and_a_person_takes_it_up_again(
    recorder: Recorder,
) -> None:
    (source, other) = cite(recorder.url(HOSTS[0]), recorder.url(HOSTS[1]))
    for _ in range(MOST_LOST_LEASES):
        # A worker that dies in the middle leaves its lease behind, and nothing else.
        assert [turn.source_id for turn in claim(1, dt.timedelta(0), [source.pk])] == [source.pk]
    assert claim(1, dt.timedelta(0), [source.pk]) == []
    assert drain(2).recorded.verdicts == {"ok": 1}
    assert rows_of(source) == []
    assert list(Link.objects.in_triage()) == [link_of(source)]
    check_now(source, by=factories.user())
    assert drain(2).recorded.verdicts == {"ok": 1}
    assert link_of(source).lost_leases == 0
    assert link_of(source).state == link_of(other).state == "ok"


def test_links_lost_twice_come_back_apart_so_that_a_killer_takes_others_along_only_once(
    recorder: Recorder,
) -> None:
    cite(*(recorder.url(host) for host in HOSTS[:6]))
    hour = dt.timedelta(hours=1)
    for _ in range(2):
        assert len(claim(6, hour)) == 6
        # The worker died, and an hour went by.
        Link.objects.update(lease_until=timezone.now())
        Host.objects.update(lease_until=timezone.now())
    due = sorted(Link.objects.values_list("due_at", flat=True))
    assert due[0] > timezone.now() + hour * 0.9
    assert len(set(due)) == 6
    assert claim(6, hour) == []
