"""Every behaviour of the farm of badly behaved sites, fetched for real: the right (or also accepted) verdict in each phase."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from sources.clients.exchange import Condition, Exchange
from sources.clients.limits import Limits, networks, ports
from sources.clients.web import fetch
from sources.verdicts import ANSWERED, Seen, verdict
from tests.linkfarm import linkfarm

RUN = "verdicts"


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[linkfarm.LinkFarm]:
    """The farm, with TLS; slow sites take five seconds. Its loop is closed, which `linkfarm.running` leaves open."""
    loop = asyncio.new_event_loop()
    served = linkfarm.LinkFarm(port=0, slow_s=5, max_hold_s=10, tls_folder=tmp_path_factory.mktemp("tls"))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(served.start(), loop).result(timeout=120)
        yield served
    finally:
        asyncio.run_coroutine_threadsafe(served.stop(), loop).result(timeout=10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=10)
        loop.close()


def names() -> list[str]:
    return [one.name for one in linkfarm.CATALOGUE.values() if not one.held_back]


@pytest.mark.parametrize("name", names())
def test_the_right_verdict_in_every_phase(farm: linkfarm.LinkFarm, name: str) -> None:
    limits = Limits(
        deadline=4,
        min_interval=0.0,
        networks=networks(["127.0.0.0/16"]),
        ports=ports([str(farm.port), str(farm.tls_port)]),
        authorities=farm.catalogue()["authority"],
    )
    behaviour = next(one for one in farm.catalogue(run=RUN)["behaviours"] if one["name"] == name)
    previous: Seen | None = None
    condition: Condition | None = None
    for wanted in behaviour["phases"]:
        look = fetch(behaviour["url"], limits, condition=condition)
        found = verdict(look, previous=previous)
        assert found.outcome in (wanted, *behaviour["also"]), found
        if found.outcome in ANSWERED and isinstance(look, Exchange):
            previous = found.seen
            headers = look.headers
            condition = Condition(headers.get("etag", ""), headers.get("last-modified", ""), look.final_url)
    assert not farm.stats(RUN)["canary"]
