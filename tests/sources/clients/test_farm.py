"""The farm of badly behaved sites: what the fetcher makes of each behaviour, before any verdict."""

import pytest

from sources.clients.exchange import Condition, Exchange, Failure
from sources.clients.manners import Manners
from sources.clients.robots import RobotsCache
from sources.clients.web import fetch
from tests.linkfarm import linkfarm

# Behaviours that end without an answer to judge, and the names of their failures.
FAILURES = {
    "loop-self": "redirect_loop",
    "loop-growing": "too_many_redirects",
    "hop-nowhere": "redirect_nowhere",
    "hop-to-private": "unsafe",
    "hop-to-private-later": "unsafe",
    "hop-to-private-v6": "unsafe",
    "hop-to-file": "unsafe",
    "private-address": "unsafe",
    "private-address-v6": "unsafe",
    "odd-port": "unsafe",
    "credentials-in-url": "unsafe",
    "slow-headers": "timeout",
    "dripping-body": "timeout",
    "truncated": "cut",
    "chunk-garbage": "protocol",
    "false-gzip": "bad_encoding",
    "reset": "reset",
    "no-answer": "closed",
    "garbled-status": "protocol",
    "refused": "refused",
    "robots-disallow": "robots",
    "scheme-mailto": "unsupported",
    "scheme-ftp": "unsupported",
    "scheme-javascript": "unsupported",
    "scheme-data": "unsupported",
    "tls-self-signed": "tls",
    "tls-expired": "tls",
    "tls-other-name": "tls",
}
# Hops of behaviours that lead elsewhere: how, and the status that counts.
HOPS = {
    "moved-301": ([301], 200),
    "moved-308": ([308], 200),
    "found-302": ([302], 200),
    "see-other-303": ([303], 200),
    "temporary-307": ([307], 200),
    "chain-permanent": ([301, 308, 301], 200),
    "chain-mixed": ([301, 302, 301], 200),
    "chain-eight": ([301] * 8, 200),
    "hop-relative": ([301], 200),
    "hop-other-host": ([301], 200),
    "hop-slash": ([301], 200),
    "hop-utf8": ([301], 200),
    "hop-keeps-fragment": ([301], 200),
    "hop-sets-cookie": ([302], 200),
    "hop-to-404": ([301], 404),
    "hop-to-gone": ([301], 410),
    "hop-to-error-page": ([302], 200),
    "hop-to-home": ([301], 200),
    "hop-to-login": ([302], 200),
    "refresh-header": ([200], 200),
    "meta-refresh": ([200], 200),
    "doi": ([302], 200),
    "doi-publisher-refuses": ([302], 403),
}
STATUSES = {
    "not-found": 404, "gone": 410, "forbidden": 403, "unauthorized": 401, "payment-402": 402, "legal-451": 451,
    "request-denied-999": 999, "challenge-403": 403, "server-error": 500, "bad-gateway": 502, "unavailable": 503,
    "unavailable-until": 503, "edge-522": 522, "request-timeout-408": 408, "no-content-204": 204, "unasked-304": 304,
    "limited-seconds": 429, "limited-date": 429, "limited-silent": 429, "limited-then-ok": 429, "down-then-up": 503,
    "dead-then-alive": 404, "head-lies": 404, "doi-unknown": 404,
}  # fmt: skip


@pytest.mark.parametrize("name", [b.name for b in linkfarm.CATALOGUE.values() if not b.held_back])
def test_each_behaviour(name, farm, farm_limits):
    url = farm.url(farm.behaviours[name], "each")
    found = fetch(url, farm_limits, admit=Manners(farm_limits, RobotsCache()).admit)
    assert found.elapsed < farm_limits.deadline + 0.5
    if name in FAILURES:
        assert isinstance(found, Failure)
        assert found.kind == FAILURES[name], found
    else:
        assert isinstance(found, Exchange), found
        before, status = HOPS.get(name, ([], STATUSES.get(name, 200)))
        assert [hop.status for hop in found.hops] == [*before, status]
    seen = farm.stats("each")
    assert seen["canary"] == []
    hits = seen["behaviours"].get(name, {"hits": []})["hits"]
    assert {hit["method"] for hit in hits} <= {"GET"}
    assert not any(hit["authorization"] for hit in hits)
    assert all(hit["bytes"] < 4_000_000 for hit in hits), "a bounded part is taken"


@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("etag", Condition('"v1-5f3a"')),
        ("etag-weak", Condition('W/"v1-5f3a"')),
        ("last-modified", Condition("", "Thu, 04 Mar 2021 05:06:07 GMT")),
    ],
)
def test_a_page_that_did_not_change_is_not_sent_again(name, condition, farm, farm_limits):
    found = fetch(farm.url(farm.behaviours[name], "conditions"), farm_limits, condition=condition)
    assert (found.status, found.conditional, found.body) == (304, True, b"")


def test_a_304_that_nobody_asked_for_is_told_apart(farm, farm_limits):
    assert not fetch(farm.url(farm.behaviours["unasked-304"], "unasked"), farm_limits).conditional


@pytest.mark.parametrize(
    ("name", "least"), [("limited-seconds", 120), ("limited-date", 118), ("unavailable-until", 120)]
)
def test_a_host_says_when_to_come_back(name, least, farm, farm_limits):
    assert least <= fetch(farm.url(farm.behaviours[name], "retry"), farm_limits).retry_after <= 120


def test_a_good_certificate_tells_when_it_runs_out(farm, farm_limits):
    assert fetch(farm.url(farm.behaviours["tls-good"], "tls"), farm_limits).tls_until is not None


def test_the_fragment_is_kept_through_a_hop(farm, farm_limits):
    assert fetch(farm.url(farm.behaviours["hop-keeps-fragment"], "keep"), farm_limits).final_url.endswith(
        "new.html#results"
    )


def test_text_is_read_whatever_the_header_says(farm, farm_limits):
    assert (
        "Évaluation – Übersicht"
        in fetch(farm.url(farm.behaviours["wrong-charset"], "text"), farm_limits).text
    )
