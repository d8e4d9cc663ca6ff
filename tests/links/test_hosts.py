"""One host is asked one thing at a time, with pauses, and never before the moment it named."""

import datetime as dt
from email.utils import format_datetime

import pytest
from django.utils import timezone

from sources.drain import drain
from sources.models import Host
from tests.links.citing import cite, free_hosts, link_of, make_due, rows_of
from tests.links.recorder import HOSTS, Answer, Recorder, document, empty


def left_alone(host: str) -> float:
    """Seconds for which a host is left alone from now on."""
    return (Host.objects.get(pk=host).free_at - timezone.now()).total_seconds()


def in_an_hour() -> str:
    return format_datetime(dt.datetime.now(dt.UTC) + dt.timedelta(hours=1), usegmt=True)


ASKS = {
    "429 with seconds": (lambda: empty(429, "Retry-After: 120"), "/doc", 120),
    "429 with a date": (lambda: empty(429, f"Retry-After: {in_an_hour()}"), "/doc", 3600),
    "429 for a week": (lambda: empty(429, "Retry-After: 604800"), "/doc", 86400),
    "429 at once": (lambda: empty(429, "Retry-After: 0"), "/doc", 60),
    "429 without a word": (lambda: empty(429), "/doc", 60),
    "503 with seconds": (lambda: empty(503, "Retry-After: 240"), "/doc", 240),
    "robots.txt 429": (lambda: empty(429, "Retry-After: 300"), "/robots.txt", 300),
    "robots.txt 503": (lambda: empty(503, "Retry-After: 300"), "/robots.txt", 300),
}


@pytest.mark.parametrize("case", ASKS)
def test_a_host_that_asks_for_a_pause_has_it_for_all_its_sources_while_others_are_asked(
    recorder: Recorder, case: str
) -> None:
    answer, path, seconds = ASKS[case]
    recorder.answers[HOSTS[0], path] = answer()
    on_it = cite(recorder.url(HOSTS[0]), recorder.url(HOSTS[0], "/second"), recorder.url(HOSTS[0], "/third"))
    elsewhere = cite(*(recorder.url(host, f"/{number}") for host in HOSTS[1:4] for number in range(4)))
    run = drain(5)
    assert len(recorder.asked(HOSTS[0], path)) == 1
    assert len(recorder.asked(HOSTS[0])) <= 2
    assert seconds - 10 < left_alone(HOSTS[0]) <= seconds
    assert {link_of(source).state for source in elsewhere} == {"ok"}
    assert {link_of(source).state for source in on_it} == {""}
    assert run.waiting is not None
    # It may be due as often as it likes: the host was promised a pause.
    make_due()
    drain(2, [source.pk for source in on_it])
    assert len(recorder.asked(HOSTS[0], path)) == 1


def test_a_silent_host_is_left_alone_twice_as_long_each_time_and_a_good_answer_ends_that(
    recorder: Recorder,
) -> None:
    recorder.answers["/doc"] = empty(429)
    (source,) = cite(recorder.url(HOSTS[0]))
    pauses = []
    for _ in range(4):
        drain(3)
        pauses.append(left_alone(HOSTS[0]))
        free_hosts()
        make_due()
    assert [round(pause, -1) for pause in pauses] == [60, 120, 240, 480]
    recorder.answers["/doc"] = document("/doc")
    drain(3)
    assert link_of(source).state == "ok"
    assert Host.objects.get(pk=HOSTS[0]).limits == 0
    recorder.answers["/doc"] = empty(429)
    make_due()
    drain(3)
    assert 50 < left_alone(HOSTS[0]) <= 60


def test_only_silence_makes_the_next_silence_longer(recorder: Recorder) -> None:
    recorder.answers["/doc"] = empty(429, "Retry-After: 70")
    cite(recorder.url(HOSTS[0]))
    for _ in range(3):
        drain(3)
        free_hosts()
        make_due()
    recorder.answers["/doc"] = empty(429)
    drain(3)
    assert 50 < left_alone(HOSTS[0]) <= 60


def test_the_host_that_is_left_alone_is_the_one_that_asked_for_it(recorder: Recorder) -> None:
    recorder.answers[HOSTS[0], "/doc"] = empty(302, f"Location: {recorder.url(HOSTS[1])}")
    recorder.answers[HOSTS[1], "/doc"] = empty(429, "Retry-After: 600")
    (first, *_) = cite(recorder.url(HOSTS[0]), recorder.url(HOSTS[0], "/2"), recorder.url(HOSTS[1], "/3"))
    link = link_of(first)
    drain(3, [first.pk])
    drain(2)
    assert left_alone(HOSTS[0]) < 1
    assert left_alone(HOSTS[1]) > 500
    assert [one.path for one in recorder.pages(HOSTS[0])] == ["/doc", "/2"]
    assert [one.path for one in recorder.pages(HOSTS[1])] == ["/doc"]
    assert link.host_id == HOSTS[0]


def test_robots_txt_is_asked_for_once_and_obeyed(recorder: Recorder) -> None:
    rules = Answer(200, b"User-agent: *\nDisallow: /closed\n", ("Content-Type: text/plain",))
    recorder.answers["/robots.txt"] = rules
    paths = ("/a", "/b", "/closed/a", "/closed/b")
    sources = cite(*(recorder.url(host, path) for host in HOSTS[:3] for path in paths))
    drain(8)
    make_due()
    drain(8)
    assert [len(recorder.asked(host, "/robots.txt")) for host in HOSTS[:3]] == [1, 1, 1]
    assert not [one for one in recorder.log if one.path.startswith("/closed")]
    assert [rows_of(source)[0].verdict for source in sources] == ["ok", "ok", "blocked", "blocked"] * 3
    assert len(recorder.pages()) == 12


def test_a_redirect_takes_the_turn_of_the_host_it_leads_to(recorder: Recorder) -> None:
    """Twelve hosts send on to one, which is cited too; two send on to each other."""
    recorder.delay = 0.05
    for number, host in enumerate(HOSTS[:12]):
        recorder.answers[host, "/doc"] = empty(302, f"Location: {recorder.url(HOSTS[20], f'/{number}')}")
    for host, other in ((HOSTS[13], HOSTS[14]), (HOSTS[14], HOSTS[13])):
        for number in range(5):
            recorder.answers[host, f"/cross/{number}"] = empty(
                302, f"Location: {recorder.url(other, f'/{number}')}"
            )
    cited = [recorder.url(host) for host in HOSTS[:12]]
    cited += [recorder.url(HOSTS[20], f"/own/{number}") for number in range(5)]
    cited += [recorder.url(host, f"/cross/{number}") for host in HOSTS[13:15] for number in range(5)]
    sources = cite(*cited)
    for _ in range(5):
        run = drain(10)
        if not (left := [source for source in sources if not rows_of(source)]):
            break
        make_due(*left)  # put off for a minute: the other host's turn did not come
    assert recorder.overlaps() == []
    assert recorder.shortest_pause() >= 0.05
    assert {row.verdict for source in sources for row in rows_of(source)} <= {"ok", "redirected"}
    assert all(len(rows_of(source)) == 1 for source in sources)
    assert run.network_down == ""
