"""`manage.py check_links`: which links it looks at, what it says, and that it may run beside workers."""

import io
import os
import pty
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from registry.celery import app
from sources.actions.links import mark_due
from sources.actions.sources import passage
from sources.drain import drain
from sources.models import Host, Link
from tests.links.citing import cite, free_hosts, link_of, make_due, rows_of
from tests.links.conftest import settings_for
from tests.links.processes import Hire, environment_of
from tests.links.recorder import HOSTS, Recorder, empty, html
from tests.links.test_messages import wait_until
from tests.site import PROJECT

PAGE = "<title>A board</title><h1>A board</h1>" + "<p>The board has 80 GB of memory, and much else.</p>" * 9


def check_links(*arguments: str) -> str:
    """What the command prints."""
    out = io.StringIO()
    call_command("check_links", *arguments, stdout=out)
    return out.getvalue()


def test_it_looks_at_what_is_due_unless_told_otherwise(recorder: Recorder) -> None:
    first, second, third = cite(*(recorder.url(host) for host in HOSTS[:3]))
    assert "     3  looks" in check_links()
    assert check_links() == check_links("--due") == "No link is due.\n"
    make_due(second)
    assert "     1  looks" in check_links("--due")
    assert [link_of(each).equal_looks for each in (first, second, third)] == [1, 2, 1]
    assert "     3  looks" in check_links("--all")
    assert [link_of(each).equal_looks for each in (first, second, third)] == [2, 3, 2]
    assert "     2  looks" in check_links("--source", first.key, "--source", third.key)
    assert [link_of(each).equal_looks for each in (first, second, third)] == [3, 3, 3]


def test_all_means_those_too_that_only_a_person_takes_up(recorder: Recorder) -> None:
    (source,) = cite(recorder.url(HOSTS[0]))
    Link.objects.update(due_at=None, lost_leases=9)
    assert check_links() == "No link is due.\n"
    assert "     1  looks" in check_links("--all")
    assert link_of(source).state == "ok"


def test_an_unknown_key_is_named_and_nothing_is_looked_at(recorder: Recorder) -> None:
    (source,) = cite(recorder.url(HOSTS[0]))
    with pytest.raises(CommandError, match="No source has the key “nowhere”: copy it from the end of"):
        check_links("--source", source.key, "--source", "nowhere")
    assert recorder.log == []
    with pytest.raises(CommandError, match="not allowed with argument"):
        check_links("--all", "--source", source.key)


def test_the_summary_counts_looks_and_names_what_changed(recorder: Recorder) -> None:
    sources = cite(*(recorder.url(host) for host in HOSTS[:6]))
    passage(sources[0], "first paragraph", "The board has 80 GB of memory")
    recorder.answers["/doc"] = html(PAGE)
    check_links()
    recorder.answers[HOSTS[0], "/doc"] = html(PAGE.replace("80 GB", "96 GB"))
    recorder.answers[HOSTS[1], "/doc"] = empty(404)
    recorder.answers[HOSTS[2], "/doc"] = empty(429, "Retry-After: 3600")
    recorder.answers[HOSTS[3], "/doc"] = html("<title>Page not found</title><h1>Page not found</h1>")
    others = cite(recorder.url(HOSTS[2], "/second"))
    said = check_links("--all").splitlines()
    assert said[:6] + sorted(said[6:8]) + said[8:] == [
        "     2  ok            answers with what was cited",
        "     1  changed       answers, but the text differs",
        "     1  suspect       answers with what is probably not the source",
        "     1  rate_limited  asks us to come back later",
        "     1  broken        says that it is not there",
        "     6  looks",
        *sorted([f"  {sources[0].key}: ok → changed", f"  {sources[3].key}: ok → needs a look"]),
        f"  {sources[0].key}, first paragraph: number changed; claims that cite it are under review",
        "     1  still due: their hosts ask to be left alone for a while",
    ]
    assert rows_of(others[0]) == []


def test_the_bar_is_for_a_terminal_alone(recorder: Recorder) -> None:
    sources = cite(*(recorder.url(host) for host in HOSTS[:4]))
    command = [sys.executable, str(PROJECT / "manage.py"), "check_links", "--all"]
    environment = environment_of(settings_for(recorder))
    quiet = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert quiet.stderr == ""
    assert f"     {len(sources)}  looks" in quiet.stdout
    free_hosts()
    ours, theirs = pty.openpty()
    try:
        shown = subprocess.run(
            command, env=environment, stdout=subprocess.PIPE, stderr=theirs, check=True, timeout=60
        )
        bar = os.read(ours, 100_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert "█" * 30 + " 4/4 links" in bar
    assert "█" not in shown.stdout.decode()


def test_it_works_beside_a_running_worker(recorder: Recorder, hire: Hire) -> None:
    sources = cite(*(recorder.url(host, f"/{number}") for host in HOSTS[:10] for number in range(30)))
    recorder.delay = 0.02
    crew = hire(**settings_for(recorder, RUN=20, DEADLINE=8, THREADS=3))
    crew.start_worker()
    app.send_task("sources.tasks.drain")
    wait_until(lambda: len(recorder.log) > 20)
    said = check_links()
    by_the_command = int(next(line for line in said.splitlines() if line.endswith("  looks")).split()[0])
    assert 0 < by_the_command < len(sources)
    wait_until(lambda: not Link.objects.filter(last_check=None).exists())
    assert len(recorder.pages()) == len(sources)
    assert recorder.overlaps() == []
    assert recorder.shortest_pause() >= 0.05
    assert "left to another worker" not in said
    assert "still due" not in said


def test_making_everything_due_and_writing_looks_down_do_not_wait_for_each_other(recorder: Recorder) -> None:
    cite(*(recorder.url(host, f"/{number}") for host in HOSTS for number in range(3)))
    stop = threading.Event()

    def insist() -> int:
        times = 0
        try:
            while not stop.is_set():
                mark_due(Link.objects.order_by("-due_at"))
                times += 1
        finally:
            connection.close()
        return times

    with ThreadPoolExecutor(1) as pool:
        insisting = pool.submit(insist)
        try:
            run = drain(4)
        finally:
            stop.set()
        assert insisting.result(20) > 10
    assert run.recorded.lost == 0
    assert run.looked > 0
    assert not Host.objects.filter(lease_token__isnull=False).exists()
