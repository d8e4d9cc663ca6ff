"""The standing readers see moves more slowly than the verdicts. Each line is a history and where it ends."""

import datetime as dt

import pytest

from sources.standing import Look, Standing, State, after, network_is_down, standing

START = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)


def day(number: float) -> dt.datetime:
    return START + dt.timedelta(days=number)


def history(text: str) -> Standing:
    """The standing after looks written as “day outcome, day outcome”."""
    looks = []
    for part in text.split(","):
        number, outcome = part.split()
        accepted = outcome == "fine"
        new = "https://new.example/" if outcome == "moved" else ""
        looks.append(Look(day(float(number)), "suspect" if accepted else outcome, new, accepted))
    return standing(looks)


@pytest.mark.parametrize(
    ("looks", "state", "since"),
    [
        ("0 ok", "ok", 0),
        ("0 broken", "not checked yet", None),
        ("0 ok, 1 broken", "ok", 0),
        ("0 ok, 1 broken, 4 broken", "ok", 0),
        ("0 ok, 1 broken, 4 broken, 7 broken", "broken", 1),
        ("0 ok, 1 broken, 2 broken, 3 broken, 3.5 broken", "ok", 0),
        ("0 ok, 1 broken, 2 broken, 4 broken, 6.9 broken", "ok", 0),
        ("0 ok, 1 broken, 2 broken, 4 broken, 7 broken", "broken", 1),
        ("0 ok, 1 broken, 4 ok, 7 broken, 10 broken", "ok", 0),
        ("0 ok, 1 broken, 4 broken, 7 suspect, 10 broken", "needs a look", 7),
        ("0 ok, 1 broken, 4 failing, 7 broken, 8 blocked, 10 broken", "broken", 1),
        ("0 ok, 1 broken, 4 broken, 7 broken, 10 ok", "ok", 10),
        ("0 ok, 1 broken, 4 broken, 7 broken, 10 redirected", "ok", 10),
        ("0 ok, 1 broken, 4 broken, 7 broken, 10 failing, 20 blocked", "broken", 1),
        ("0 ok, 1 broken, 4 broken, 7 broken, 40 broken", "broken", 1),
        ("0 ok, 1 gone", "ok", 0),
        ("0 ok, 1 gone, 1.5 gone", "ok", 0),
        ("0 ok, 1 gone, 4 gone", "gone", 1),
        ("0 ok, 1 gone, 4 broken, 7 gone", "broken", 1),
        ("0 ok, 1 gone, 4 gone, 34 broken", "gone", 1),
        ("0 ok, 1 gone, 4 gone, 34 ok", "ok", 34),
        ("0 ok, 1 broken, 4 broken, 7 broken, 10 gone, 14 gone", "gone", 10),
        ("0 ok, 1 moved", "ok", 0),
        ("0 ok, 1 changed", "changed", 1),
        ("0 ok, 1 changed, 9 changed", "changed", 1),
        ("0 ok, 1 changed, 9 ok", "changed", 1),
        ("0 ok, 1 changed, 9 fine", "ok", 9),
        ("0 ok, 1 suspect", "needs a look", 1),
        ("0 ok, 1 suspect, 9 suspect, 20 suspect, 30 suspect", "needs a look", 1),
        ("0 ok, 1 suspect, 9 fine", "ok", 9),
        ("0 ok, 1 suspect, 9 ok", "ok", 9),
        ("0 ok, 1 blocked", "ok", 0),
        ("0 ok, 1 blocked, 15 blocked", "ok", 0),
        ("0 ok, 1 blocked, 15 blocked, 29 blocked", "cannot be checked by machine", 29),
        ("0 blocked, 30 blocked, 60 blocked", "not checked yet", None),
        ("0 ok, 1 blocked, 15 blocked, 29 blocked, 43 ok", "ok", 43),
        ("0 ok, 1 rate_limited, 2 rate_limited, 3 rate_limited, 40 rate_limited", "ok", 0),
        ("0 ok, 1 failing", "ok", 0),
        ("0 ok, 1 failing, 10 failing, 21 failing", "ok", 0),
        ("0 ok, 1 failing, 10 failing, 22 failing", "unreachable", 1),
        ("0 ok, 1 failing, 22 failing", "ok", 0),
        ("0 ok, 1 failing, 10 rate_limited, 22 failing, 23 failing, 24 failing", "ok", 0),
        ("0 ok, 1 failing, 10 failing, 22 failing, 23 ok", "ok", 23),
        ("0 ok, 1 unsafe", "refused", 1),
        ("0 unsupported", "not checked", 0),
    ],
)
def test_the_standing_after_a_history(looks: str, state: str, since: int | None) -> None:
    reached = history(looks)
    assert (reached.state, reached.since) == (state, None if since is None else day(since))


@pytest.mark.parametrize(
    "outcome", ["blocked", "rate_limited", "failing", "suspect", "changed", "redirected"]
)
def test_no_other_outcome_ever_makes_a_link_broken(outcome: str) -> None:
    reached = standing([Look(day(0), "ok"), *(Look(day(4 * n), outcome) for n in range(1, 200))])
    assert reached.state not in (State.BROKEN, State.GONE)


def test_the_new_address_is_offered_while_the_last_look_says_so() -> None:
    assert history("0 ok, 1 moved").moved_to == "https://new.example/"
    assert history("0 moved, 1 ok").moved_to == ""
    assert history("0 moved, 1 failing, 2 blocked").moved_to == "https://new.example/"


def test_a_broken_link_says_since_when_and_when_it_was_last_alive() -> None:
    reason = history("0 ok, 1 broken, 4 broken, 7 broken").reason
    assert reason == "Link broken since 2026-01-02; last seen alive 2026-01-01."


def test_one_more_look_gives_what_the_whole_history_gives() -> None:
    reached = Standing()
    for number, outcome in enumerate(["ok", "broken", "blocked", "broken", "broken", "gone"]):
        reached = after(reached, Look(day(3 * number), outcome))
    assert reached == history("0 ok, 3 broken, 6 blocked, 9 broken, 12 broken, 15 gone")


def test_an_outcome_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="no such outcome: dead"):
        after(Standing(), Look(day(0), "dead"))


@pytest.mark.parametrize(
    ("run", "before", "down"),
    [
        ({f"h{n}": ["failing"] for n in range(10)}, (), True),
        ({f"h{n}": ["failing"] if n < 6 else ["ok"] for n in range(10)}, (), True),
        ({f"h{n}": ["failing"] if n < 5 else ["ok"] for n in range(10)}, (), False),
        ({f"h{n}": ["failing", "ok"] for n in range(10)}, (), False),
        ({f"h{n}": ["no_such_name", "failing"] for n in range(10)}, (), True),
        ({f"h{n}": ["broken"] for n in range(10)}, (), False),
        ({f"h{n}": ["failing"] for n in range(4)}, (), False),
        ({f"h{n}": ["failing"] if n < 6 else ["ok"] for n in range(11)}, ("h0", "h1", "h2"), False),
        ({"one": ["failing"] * 500, **{f"h{n}": ["ok"] for n in range(9)}}, (), False),
        ({}, (), False),
    ],
)
def test_a_run_in_which_most_hosts_fail_tells_of_the_network_here(
    run: dict[str, list[str]], before: tuple[str, ...], down: bool
) -> None:
    assert network_is_down(run, before) is down
