"""Every behaviour of the farm through the whole queue, phase after phase: the right verdict, one request at a time a host."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from sources.drain import drain
from sources.models import Host
from tests.linkfarm import linkfarm
from tests.linkfarm.serving import serving
from tests.links.citing import cite, free_hosts, link_of, make_due

RUN = "queue"
# No source can have these addresses; `check_address` and the tests of the fetcher try them.
NO_SOURCE = {
    "unescaped": "holds blanks as an editor would paste them: they are escaped when the source is registered",
    "scheme-mailto": "is no web address",
    "scheme-ftp": "is no web address",
    "scheme-javascript": "is no web address",
    "scheme-data": "is no web address",
}


@pytest.fixture
def farm(settings: Settings, transactional_db: None, tmp_path: Path) -> Iterator[linkfarm.LinkFarm]:
    """The farm with TLS, whose slow sites are slower than a look may be."""
    with serving(port=0, slow_s=5, max_hold_s=10, tls_folder=tmp_path) as served:
        settings.LINKCHECK_ALLOWED_NETWORKS = ["127.0.0.0/16"]
        settings.LINKCHECK_ALLOWED_PORTS = [str(served.port), str(served.tls_port)]
        settings.LINKCHECK_AUTHORITIES = served.catalogue()["authority"]
        settings.LINKCHECK_MIN_INTERVAL = 0.02
        settings.LINKCHECK_DEADLINE = 4.0
        settings.LINKCHECK_THREADS = 64
        yield served


def test_every_behaviour_has_its_right_verdict_in_every_phase(farm: linkfarm.LinkFarm) -> None:
    every = {one["name"]: one for one in farm.catalogue(run=RUN)["behaviours"]}
    wanted = {name: one for name, one in every.items() if name not in NO_SOURCE}
    sources = dict(zip(wanted, cite(*(one["url"] for one in wanted.values())), strict=True))
    wrong = []
    for phase in range(max(len(one["phases"]) for one in wanted.values())):
        now = {name: one for name, one in wanted.items() if phase < len(one["phases"])}
        make_due(*(sources[name] for name in now))
        free_hosts()
        run = drain(20, [sources[name].pk for name in now])
        assert run.network_down == ""
        assert (run.recorded.lost, run.recorded.put_off, run.looked) == (0, 0, len(now))
        for name, one in now.items():
            link = link_of(sources[name])
            found = link.last_check.verdict if link.last_check else "none"
            if found not in (one["phases"][phase], *one["also"]):
                wrong.append(
                    (name, phase, one["phases"][phase], found, link.last_check and link.last_check.reason)
                )
    assert wrong == []
    stats = farm.stats(RUN)
    assert stats["canary"] == []
    assert {
        host: one["most_at_once"] for host, one in stats["hosts"].items() if one["most_at_once"] > 1
    } == {}
    assert not any(hit["authorization"] for one in stats["behaviours"].values() for hit in one["hits"])
    assert {
        name: one["came_back_too_soon"]
        for name, one in stats["behaviours"].items()
        if one["came_back_too_soon"]
    } == {}
    assert not Host.objects.filter(lease_token__isnull=False).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", NO_SOURCE)
def test_what_is_left_out_can_be_no_source(name: str) -> None:
    behaviour = linkfarm.CATALOGUE[name]
    url = linkfarm.LinkFarm(port=1).url(behaviour, RUN) if name == "unescaped" else behaviour.url
    with pytest.raises(IntegrityError, match="source_address_is_web"), transaction.atomic():
        cite(url)
