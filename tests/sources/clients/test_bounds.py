"""Time, bytes and memory: whatever a server does, a look ends, and soon."""

import socket
import threading
import time
import tracemalloc

import pytest

from sources.clients.exchange import Exchange, Failure
from tests.sources.clients.site import BOMB, RAW

SECOND = 1.0
SLACK = 0.5  # seconds that a busy machine may add


@pytest.mark.parametrize(
    "path", ["/hang", "/header-drip", "/status-drip", "/drip", "/chain/3?to=/hang", "/r/302?to=/drip"]
)
def test_one_deadline_stands_round_the_whole(path, look, site):
    began = time.monotonic()
    found = look(site.url(path), deadline=SECOND)
    assert time.monotonic() - began < SECOND + SLACK
    assert isinstance(found, Failure)
    assert found.kind == "timeout"
    assert "within 1 s" in found.reason


def test_the_status_of_a_body_that_never_came_is_known(look, site):
    assert look(site.url("/drip"), deadline=0.5).status == 200


def test_the_body_of_a_redirect_is_not_waited_for(look, site):
    found = look(site.url("/redirect-drip"))
    assert [hop.status for hop in found.hops] == [302, 200]
    assert found.elapsed < SLACK


def test_an_error_page_that_drips_does_not_hide_its_status(look, site):
    found = look(site.url("/error-drip"), deadline=1.0)
    assert isinstance(found, Exchange)
    assert (found.status, found.truncated) == (404, True)


def test_a_resolver_that_hangs_is_left_behind(look, site):
    released = threading.Event()

    def hang(host, port):
        released.wait(10)
        return [site.host]

    began = time.monotonic()
    found = look(site.url(host="pub.test"), resolver=hang, deadline=SECOND)
    released.set()
    assert time.monotonic() - began < SECOND + SLACK
    assert found.kind == "dns_failed"


def test_a_host_that_takes_no_connection_is_left_behind(look, site):
    with socket.socket() as full:
        full.bind((site.host, 0))
        full.listen(0)
        port = full.getsockname()[1]
        waiting = [socket.socket() for _ in range(4)]
        for sock in waiting:
            sock.setblocking(False)
            sock.connect_ex((site.host, port))
        found = look(f"http://{site.host}:{port}/", deadline=0.7, ports=frozenset({port}))
        for sock in waiting:
            sock.close()
    assert found.kind == "timeout"
    assert found.elapsed < 0.7 + SLACK


def test_a_handshake_that_never_ends_is_left_behind(look, site):
    with socket.socket() as silent:
        silent.bind((site.host, 0))
        silent.listen()
        port = silent.getsockname()[1]
        found = look(f"https://{site.host}:{port}/", deadline=0.7, ports=frozenset({port}))
    assert found.kind == "timeout"
    assert found.elapsed < 0.7 + SLACK


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/longheader/10000000", "too_large"),
        ("/headers/5000", "too_large"),
        ("/early-for-ever", "protocol"),
        ("/continue-for-ever", "protocol"),
        ("/switch", "protocol"),
        ("/nine", "protocol"),
        ("/lying-length", "cut"),
    ],
)
def test_what_is_no_answer_has_a_name(path, kind, look, site):
    found = look(site.url(path))
    assert isinstance(found, Failure)
    assert found.kind == kind
    assert found.elapsed < 1.0


@pytest.mark.parametrize("path", ["/endless", "/big/10000000000", "/gzipbomb", "/tiny-chunks"])
def test_a_body_without_end_is_read_in_part(path, look, site):
    found = look(site.url(path), max_bytes=100_000)
    assert isinstance(found, Exchange)
    assert found.truncated
    assert len(found.body) <= 100_000
    assert found.elapsed < 1.5


def test_a_chunk_without_end_is_not_collected(look, site):
    found = look(site.url("/chunk-line"), max_bytes=100_000)
    assert found.elapsed < 1.0
    assert isinstance(found, Failure) or not found.body


def test_a_bomb_costs_no_more_memory_than_the_limit(look, site):
    assert len(BOMB) < 100_000
    look(site.url("/ok"))
    tracemalloc.start()
    try:
        found = look(site.url("/gzipbomb"))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.truncated
    assert len(found.body) == 2_000_000
    assert peak < 12_000_000


def test_what_is_too_large_by_its_headers_is_not_taken(look, site):
    RAW["pdf"] = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 700000000\r\n\r\n"
        + b"%PDF-" * 50_000
    )
    found = look(site.url("/raw/pdf"))
    assert (found.truncated, found.length_promised) == (True, 700_000_000)
    assert found.body.startswith(b"%PDF-")
    assert len(found.body) <= 4096
