"""Manners on the wire: robots.txt before pages, pauses between all requests to one host, others' gates asked."""

from contextlib import contextmanager
from dataclasses import replace

import pytest

from sources.clients.exchange import NotFetchedError
from sources.clients.manners import Manners
from sources.clients.robots import RobotsCache
from sources.clients.web import fetch
from tests.sources.clients.site import RAW

FORBIDS = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\nDisallow: /ok\n"


@pytest.fixture(autouse=True)
def _nothing_asked_yet(site):
    site.asked.clear()
    RAW.clear()


@pytest.fixture
def polite(limits, resolver):
    cache = RobotsCache()

    def looked(url, gate=None, **changes):
        own = replace(limits, **changes)
        more = {"gate": gate} if gate else {}
        return fetch(url, own, resolver=resolver, admit=Manners(own, cache, resolver=resolver, **more).admit)

    return looked


def test_robots_txt_comes_first_and_once(polite, site):
    polite(site.url())
    polite(site.url())
    assert site.paths() == ["/robots.txt", "/ok", "/ok"]


def test_a_page_that_robots_txt_forbids_is_not_fetched(polite, site):
    RAW["robots.txt"] = FORBIDS
    found = polite(site.url())
    assert found.kind == "robots"
    assert site.paths() == ["/robots.txt"]
    assert "asks robots to stay away" in found.reason


def test_a_hop_to_a_forbidden_page_is_not_made(polite, site):
    RAW["robots.txt"] = FORBIDS
    found = polite(site.url("/r/302?to=/ok"))
    assert (found.kind, found.status) == ("robots", 302)
    assert site.paths() == ["/robots.txt", "/r/302?to=/ok"]


def test_each_host_has_its_own_robots_txt(polite, site):
    polite(site.url("/r/302?to=" + site.url(host="pub2.test"), host="pub.test"))
    assert site.paths().count("/robots.txt") == 2


def test_an_inner_address_is_not_asked_for_its_robots_txt(polite, site, canaries):
    assert polite(f"http://127.66.6.6:{site.port}/").kind == "unsafe"
    assert polite(site.url(f"/r/302?to=http://127.66.6.6:{site.port}/")).kind == "unsafe"
    assert not any(canary.asked for canary in canaries)


def test_all_requests_to_a_host_are_apart_hops_included(polite, site):
    polite(site.url("/chain/2?to=/ok"), min_interval=0.2)
    moments = [request.at for request in site.asked]
    assert len(moments) == 4
    assert min(after - before for before, after in zip(moments, moments[1:], strict=False)) >= 0.2


def test_hosts_do_not_wait_for_each_other(polite, site):
    found = polite(site.url("/r/302?to=" + site.url(host="pub2.test"), host="pub.test"), min_interval=0.3)
    assert found.elapsed < 0.9


def test_pauses_beyond_the_deadline_end_the_look(polite, site):
    found = polite(site.url(), min_interval=5, deadline=0.5)
    assert found.kind == "timeout"
    assert found.elapsed < 0.5
    assert site.paths() == ["/robots.txt"]


def test_a_gate_is_asked_around_every_request(polite, site):
    asked, inside = [], []

    @contextmanager
    def gate(target, seconds):
        asked.append((target.host, target.path))
        inside.append(target.host)
        yield
        inside.remove(target.host)

    polite(site.url("/r/302?to=/ok", host="pub.test"), gate=gate)
    assert asked == [("pub.test", "/robots.txt"), ("pub.test", "/r/302?to=/ok"), ("pub.test", "/ok")]
    assert inside == []


def test_a_gate_that_is_shut_postpones_the_look(polite, site):
    def shut(target, seconds):
        raise NotFetchedError("busy", "Another worker is talking to the host.", 30)

    found = polite(site.url(), gate=shut)
    assert (found.kind, found.retry_after) == ("busy", 30)
    assert site.paths() == []


def test_a_host_that_limits_even_its_robots_txt_is_left_alone(polite, site):
    RAW["robots.txt"] = b"HTTP/1.1 429 X\r\nRetry-After: 90\r\nContent-Length: 0\r\n\r\n"
    found = polite(site.url())
    assert (found.kind, found.retry_after) == ("busy", 90)
    assert site.paths() == ["/robots.txt"]
