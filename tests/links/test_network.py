"""When most hosts fail, it is the network here: nothing is learned of the sources. A few failing ones among many are."""

import socket

import pytest
from django.core.management import CommandError, call_command

from sources.drain import drain
from sources.models import Link
from tests.links.citing import cite, facts, link_of, make_due, pass_days, rows_of
from tests.links.recorder import HOSTS, Recorder, empty

DEAD = [f"127.66.30.{number}" for number in range(1, 31)]  # nothing listens there
DOWN = "The network here seems to be down"


@pytest.fixture
def lost_resolver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names cannot be found, as without a network."""
    real = socket.getaddrinfo

    def nothing(host: object, *arguments: object, **more: object) -> object:
        if str(host).endswith(".example"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return real(host, *arguments, **more)

    monkeypatch.setattr(socket, "getaddrinfo", nothing)


def test_a_run_in_which_most_hosts_fail_changes_nothing_and_says_why(
    recorder: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    cite(*(recorder.url(host, f"/{n}") for host in DEAD[:7] for n in range(3)))
    before = facts()
    with pytest.raises(CommandError) as said:
        call_command("check_links")
    assert f"{DOWN}: 7 of 7 hosts could not be reached." in str(said.value)
    assert said.value.returncode == 1
    assert facts() == before
    assert not Link.objects.filter(lease_token__isnull=False).exists()
    # One look at each host was enough to know; those seven come again in ten minutes.
    assert Link.objects.due().count() == 14
    out = capsys.readouterr().out
    assert "     0  looks" in out
    assert "    14  still due: not looked at" in out


@pytest.mark.usefixtures("lost_resolver")
def test_names_that_no_resolver_finds_are_no_dead_links_while_the_network_here_is_down(
    recorder: Recorder,
) -> None:
    cite(*(f"http://host-{number}.example:{recorder.port}/" for number in range(6)), recorder.url(HOSTS[0]))
    before = facts()
    run = drain(3)
    assert "6 of 7 hosts" in run.network_down
    assert run.discarded == 6
    after = facts()
    assert after["passages"] == before["passages"]
    assert [row for row in after["links"] if row[1] != "ok"] == before["links"][:6]
    assert len(after["checks"]) == 1


@pytest.mark.usefixtures("lost_resolver")
def test_a_few_failing_hosts_among_many_good_ones_are_written_down(recorder: Recorder) -> None:
    dead = cite(recorder.url(DEAD[0]), recorder.url(DEAD[1]), f"http://gone.example:{recorder.port}/")
    good = cite(*(recorder.url(host) for host in HOSTS[:8]))
    run = drain(3)
    assert run.network_down == ""
    assert [rows_of(source)[0].verdict for source in dead] == ["failing", "failing", "broken"]
    assert {link_of(source).state for source in good} == {"ok"}


def test_an_outage_is_noticed_over_several_small_runs_within_the_hour(recorder: Recorder) -> None:
    sources = cite(*(recorder.url(host) for host in DEAD[:8]))
    said = []
    for source in sources:
        said.append(drain(2, [source.pk]).network_down)
    # Four hosts prove nothing; from the fifth on they are most of what was looked at.
    assert [bool(words) for words in said] == [False] * 4 + [True] * 4
    assert Link.objects.exclude(last_check=None).count() == 4
    assert {link.state for link in Link.objects.all()} == {""}


def test_hosts_that_failed_before_prove_nothing_about_the_network(recorder: Recorder) -> None:
    good = cite(*(recorder.url(host) for host in HOSTS[:8]))
    dead = cite(*(recorder.url(host) for host in DEAD[:6]))
    assert drain(3).network_down == ""
    for source in dead:
        pass_days(source, 1)
    make_due(*dead)
    run = drain(3)
    assert run.network_down == ""
    assert {link_of(source).failures for source in dead} == {2}
    assert {link_of(source).failures for source in good} == {0}


def test_a_failing_host_with_many_sources_is_asked_about_all_of_them_by_one_command(
    recorder: Recorder, capsys: pytest.CaptureFixture[str]
) -> None:
    cite(*(recorder.url(DEAD[0], f"/{number}") for number in range(6)), recorder.url(HOSTS[0]))
    call_command("check_links")
    out = capsys.readouterr().out
    assert "     6  failing" in out
    assert "still due" not in out


def test_a_pause_that_a_host_asked_for_stands_even_when_its_look_is_not_believed(recorder: Recorder) -> None:
    """Most hosts answer 503 with Retry-After: that is no reason to come back before."""
    recorder.answers["/doc"] = empty(503, "Retry-After: 3000")
    sources = cite(*(recorder.url(host) for host in HOSTS[:6]))
    assert drain(3).network_down
    asked = len(recorder.pages())
    make_due(*sources)
    drain(2)
    assert len(recorder.pages()) == asked
