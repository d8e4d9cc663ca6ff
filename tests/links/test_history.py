"""What is kept of looks: a row for each change of verdict, a count for looks that say the same."""

from sources.drain import drain
from sources.standing import State
from tests.links.citing import cite, link_of, make_due, pass_days, rows_of
from tests.links.recorder import HOSTS, Answer, Recorder, document, empty, html
from tests.refusals import refused, sql

LONG = "<p>The board holds memory and a controller, and its makers describe both at length.</p>" * 9


def look(recorder: Recorder, answer: Answer) -> None:
    """Let the one source be looked at, which answers so."""
    recorder.answers["/doc"] = answer
    make_due()
    assert drain(3).looked == 1


def test_equal_looks_are_counted_and_a_change_of_verdict_is_a_row(recorder: Recorder) -> None:
    (source,) = cite(recorder.url(HOSTS[0]))
    for _ in range(4):
        look(recorder, document("/doc"))
    link = link_of(source)
    (good,) = rows_of(source)
    assert (link.equal_looks, link.last_check) == (4, good)
    assert good.checked_at == link.first_equal_look_at < link.last_equal_look_at
    assert (good.looks_before, good.last_before_at) == (0, None)

    last_good_look = link.last_equal_look_at
    for _ in range(2):
        look(recorder, empty(404))
    _, missing = rows_of(source)
    assert (missing.verdict, missing.status) == ("broken", 404)
    assert (missing.looks_before, missing.last_before_at) == (4, last_good_look)
    assert link_of(source).equal_looks == 2

    look(recorder, empty(410))
    look(recorder, empty(403))
    look(recorder, empty(401))
    look(recorder, empty(403))
    rows = rows_of(source)
    assert [(row.verdict, row.status, row.looks_before) for row in rows] == [
        ("ok", 200, 0), ("broken", 404, 4), ("gone", 410, 2), ("blocked", 403, 1), ("blocked", 401, 1), ("blocked", 403, 1)
    ]  # fmt: skip
    assert sum(row.looks_before for row in rows) + link_of(source).equal_looks == 10


def test_another_target_of_a_redirect_is_a_row_and_another_reason_in_words_is_none(
    recorder: Recorder,
) -> None:
    (source,) = cite(recorder.url(HOSTS[0]))
    recorder.answers["/one"] = recorder.answers["/two"] = document("/doc")
    for path in ("/one", "/one", "/two", "/two"):
        look(recorder, empty(301, f"Location: {path}"))
    assert [(row.verdict, row.final_url) for row in rows_of(source)] == [
        ("moved", recorder.url(HOSTS[0], "/one")),
        ("moved", recorder.url(HOSTS[0], "/two")),
    ]
    assert link_of(source).moved_to == recorder.url(HOSTS[0], "/two")


def test_a_link_is_broken_after_three_looks_days_apart_and_alive_after_one(recorder: Recorder) -> None:
    (source,) = cite(recorder.url(HOSTS[0]))
    look(recorder, document("/doc"))
    for day in range(3):
        pass_days(source, 3.5)
        look(recorder, empty(404))
        # Asking again and again at once confirms nothing.
        look(recorder, empty(404))
        assert link_of(source).state == ("broken" if day == 2 else "ok")
    broken = link_of(source)
    assert broken.since == broken.misses[0]
    assert broken.last_good_at < broken.since
    look(recorder, document("/doc"))
    assert (link_of(source).state, link_of(source).misses) == (State.OK, [])
    assert [row.verdict for row in rows_of(source)] == ["ok", "broken", "ok"]


def test_refusals_and_pauses_never_make_a_link_broken(recorder: Recorder) -> None:
    (source,) = cite(recorder.url(HOSTS[0]))
    look(recorder, document("/doc"))
    for _ in range(12):
        pass_days(source, 4)
        look(recorder, empty(403))
        pass_days(source, 4)
        look(recorder, empty(401))
    assert link_of(source).state == "cannot be checked by machine"


def test_rows_of_looks_can_be_neither_changed_nor_removed(recorder: Recorder) -> None:
    (source,) = cite(recorder.url(HOSTS[0]))
    look(recorder, html(f"<title>A page</title>{LONG}"))
    for statement in ("UPDATE sources_linkcheck SET verdict = 'broken'", "DELETE FROM sources_linkcheck"):
        with refused("append_only", "kept for ever"):
            sql(statement)
    assert rows_of(source)[0].verdict == "ok"
