"""Every hostile address, ours and those of the shared list: nothing but the allowed site is ever connected to."""

import codecs
import re
from pathlib import Path

import pytest

from sources.clients.exchange import Exchange, Failure
from tests.house.files import PROJECT
from tests.sources.clients.conftest import PUBLIC

OURS = Path(__file__).with_name("hostile_addresses.txt")
SHARED = PROJECT.parent / "shared" / "payloads" / "ssrf.txt"
REACHED = {PUBLIC, "127.66.0.99"}


def unescaped(text):
    """The address that a line of the list stands for: \\t, \\r, \\0, \\xNN and \\uNNNN are what Python reads in them."""
    return codecs.decode(text.encode("ascii"), "unicode_escape")


def lines(path):
    """Address and expectation of each line."""
    if not path.is_file():
        return []
    rows = [line for line in path.read_text().split("\n") if line.strip() and not line.startswith("#")]
    return [tuple(row.split("\t", 1)) for row in rows]


@pytest.mark.parametrize(("written", "expected"), lines(OURS))
def test_our_list(written, expected, look, site, canaries, connections):
    site.asked.clear()
    found = look(unescaped(written.replace("PORT", str(site.port))))
    word, _, kind = expected.partition(" ")
    if word == "ok":
        assert isinstance(found, Exchange), found
        assert found.status in (200, 404, 999)
    else:
        assert isinstance(found, Failure)
        assert found.kind == kind, found
        assert bool(found.hops) == (word == "redirect")
    if word == "refuse":
        assert connections == []
    assert set(connections) <= REACHED
    assert not any(canary.asked for canary in canaries)
    assert "user" not in found.final_url or "pw@" not in found.final_url
    assert not any("authorization" in request.headers for request in site.asked)


@pytest.mark.skipif(not SHARED.is_file(), reason="the shared list of payloads is not beside this clone")
def test_the_shared_list(look, site, canaries, connections):
    wrong = []
    for written, expected in lines(SHARED):
        connections.clear()
        here = re.sub(
            r"(://(?:pub|pub2|rebind|mixed|PUB)\.(?:test|TEST)\.?)(?::80)?(?=/)",
            rf"\1:{site.port}",
            unescaped(written),
        )
        found = look(here, deadline=0.8)
        right = {
            "refuse": isinstance(found, Failure)
            and found.kind in ("unsafe", "unsupported")
            and not connections,
            "refuse-redirect": isinstance(found, Failure) and found.kind == "unsafe" and bool(found.hops),
            "ok": isinstance(found, Exchange),
            "inert": True,
            "bounded": found.elapsed < 1.2,
        }[expected]
        if not right or not set(connections) <= {PUBLIC}:
            wrong.append((written, expected, found, list(connections)))
    assert not wrong
    assert not any(canary.asked for canary in canaries)
