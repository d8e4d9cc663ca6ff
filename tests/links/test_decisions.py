"""What people decide about links, and what looks make of it afterwards, also of those that were under way."""

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from sources.actions.links import NothingToDecideError, accept_address, accept_page, check_now
from sources.actions.sources import change_source, passage
from sources.drain import drain
from sources.models import Host, Link, PassageLook, ReferenceChange, Source
from tests import factories
from tests.links.citing import cite, link_of, make_due, rows_of
from tests.links.recorder import HOSTS, Answer, Asked, Recorder, document, empty, html

LONG = "<p>The board holds {0} of memory and a controller, and its makers describe both at length.</p>" * 9
NOT_HERE = "<title>Page not found</title><h1>Page not found</h1><p>Perhaps it moved to {0}.</p>"


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hosts have names, since no editor may register an address of numbers."""
    places = {"first.example": HOSTS[0], "second.example": HOSTS[1]}
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *more, **named: real(places.get(str(host), host), *more, **named)
    )


def sheet(figure: str) -> Answer:
    """A page whose main text holds this figure."""
    return html(f"<title>The board</title><main><h1>The board</h1>{LONG.format(figure)}</main>")


def look(recorder: Recorder, answer: Answer | Callable[[Asked], Answer]) -> None:
    """Let what is cited be looked at, which answers so."""
    recorder.answers["/doc"] = answer
    make_due()
    drain(3)


def in_another_thread(act: Callable[[], object]) -> None:
    """Do what an editor does while a look is under way, with a connection of its own."""

    def acting() -> None:
        try:
            act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(acting).result(20)


def test_a_doubtful_page_that_a_person_called_fine_does_not_come_back_as_a_doubt(recorder: Recorder) -> None:
    (source,), editor = cite(recorder.url(HOSTS[0])), factories.user()
    look(recorder, html(NOT_HERE.format("nowhere")))
    assert link_of(source).state == "needs a look"
    with pytest.raises(NothingToDecideError, match="Say in the note"):
        accept_page(source, note=" – ", by=editor)
    accept_page(source, note="The heading is a joke; the source is there.", by=editor)
    link, row = link_of(source), rows_of(source)[-1]
    assert (link.state, link.equal_looks) == ("ok", 0)
    assert (row.verdict, row.accepted_by, row.reason) == (
        "accepted",
        editor,
        "The heading is a joke; the source is there.",
    )
    assert row.looks_before == 1
    for _ in range(2):
        look(recorder, html(NOT_HERE.format("nowhere")))
        assert link_of(source).state == "ok"
    assert [one.verdict for one in rows_of(source)] == ["suspect", "accepted", "suspect"]
    assert not Link.objects.in_triage().exists()
    with pytest.raises(NothingToDecideError, match="nothing to accept"):
        accept_page(source, note="Again.", by=editor)
    look(recorder, html("<title>Sale</title><h1>This domain is for sale</h1><p>Buy this domain.</p>"))
    assert link_of(source).state == "needs a look"


def test_a_changed_text_that_a_person_called_fine_is_what_later_looks_compare_with(
    recorder: Recorder,
) -> None:
    (source,), editor = cite(recorder.url(HOSTS[0])), factories.user()
    words = passage(source, "first paragraph", "The board holds 80 GB of memory")
    look(recorder, sheet("80 GB"))
    look(recorder, sheet("96 GB"))
    assert link_of(source).state == "changed"
    assert PassageLook.objects.get(passage=words).review_since
    # It stays so although the old text comes back: a person has to look.
    look(recorder, sheet("80 GB"))
    assert link_of(source).state == "changed"
    assert PassageLook.objects.get(passage=words).review_since is None
    look(recorder, sheet("96 GB"))
    accept_page(source, note="The newer revision of the board.", by=editor)
    look(recorder, sheet("96 GB"))
    assert link_of(source).state == "ok"
    assert PassageLook.objects.get(passage=words).review_since is None
    look(recorder, sheet("141 GB"))
    assert link_of(source).state == "changed"
    assert PassageLook.objects.get(passage=words).review_since


def test_a_look_that_was_under_way_when_a_person_called_the_page_fine_is_thrown_away(
    recorder: Recorder,
) -> None:
    """It was compared with the text that the person has just replaced."""
    (source,), editor = cite(recorder.url(HOSTS[0])), factories.user()
    look(recorder, sheet("80 GB"))
    look(recorder, sheet("96 GB"))

    def meanwhile(asked: Asked) -> Answer:
        in_another_thread(lambda: accept_page(source, note="The newer revision.", by=editor))
        return sheet("96 GB")

    look(recorder, meanwhile)
    assert link_of(source).state == "ok"
    assert [row.verdict for row in rows_of(source)] == ["ok", "changed", "accepted"]
    assert not Host.objects.filter(lease_token__isnull=False).exists()


@pytest.mark.usefixtures("names")
def test_an_address_that_only_gains_tracking_is_no_new_address(recorder: Recorder) -> None:
    """The register writes both in one way, so an editor would be offered what cannot be accepted."""
    source = factories.source(url=f"http://first.example:{recorder.port}/doc")
    recorder.answers[HOSTS[0], "/doc"] = empty(301, "Location: /doc?utm_source=site")
    recorder.answers[HOSTS[0], "/doc?utm_source=site"] = document("/doc")
    drain(3)
    assert (link_of(source).state, link_of(source).moved_to) == ("ok", "")
    assert rows_of(source)[0].verdict == "moved"


@pytest.mark.usefixtures("names")
def test_a_new_address_is_a_correction_of_the_source_and_starts_anew(recorder: Recorder) -> None:
    old, new = (f"http://{name}.example:{recorder.port}/doc" for name in ("first", "second"))
    source, editor = factories.source(url=old), factories.user()
    recorder.answers[HOSTS[0], "/doc"] = empty(301, f"Location: {new}")
    recorder.answers[HOSTS[1], "/doc"] = document("/doc")
    drain(3)
    assert (link_of(source).state, link_of(source).moved_to) == ("ok", new)
    accept_address(source, note="The maker moved its documents.", by=editor)
    source.refresh_from_db()
    link = link_of(source)
    assert source.url == new
    assert (link.host_id, link.state, link.moved_to, link.last_check) == ("second.example", "", "", None)
    assert ReferenceChange.objects.filter(note="The maker moved its documents.").exists()
    asked = len(recorder.pages(HOSTS[0]))
    drain(3)
    assert link_of(source).state == "ok"
    assert len(recorder.pages(HOSTS[0])) == asked
    assert [(row.verdict, row.looks_before) for row in rows_of(source)] == [("moved", 0), ("ok", 1)]
    with pytest.raises(NothingToDecideError, match="No look found"):
        accept_address(source, note="Again.", by=editor)


@pytest.mark.usefixtures("names")
def test_the_look_at_a_former_address_that_was_under_way_is_thrown_away(recorder: Recorder) -> None:
    old, new = (f"http://{name}.example:{recorder.port}/doc" for name in ("first", "second"))
    source, editor = factories.source(url=old), factories.user()

    def meanwhile(asked: Asked) -> Answer:
        in_another_thread(lambda: change_source(source, {"url": new}, note="A slip.", by=editor))
        return empty(410)

    recorder.answers[HOSTS[0], "/doc"] = meanwhile
    drain(4)
    assert Source.objects.get(pk=source.pk).url == new
    assert [(row.verdict, row.final_url) for row in rows_of(source)] == [("ok", new)]
    assert (link_of(source).state, link_of(source).gone_misses) == ("ok", [])
    assert not Host.objects.filter(lease_token__isnull=False).exists()


def test_a_person_asks_for_a_look_at_what_robots_have_given_up(recorder: Recorder) -> None:
    (source,) = cite(f"http://127.66.20.1:{recorder.port + 1}/doc")
    drain(2)
    assert (link_of(source).state, link_of(source).due_at) == ("refused", None)
    assert drain(2).looked == 0
    check_now(source, by=factories.user())
    assert drain(2).looked == 1
    assert link_of(source).equal_looks == 2
