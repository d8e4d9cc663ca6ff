"""robots.txt: the words of RFC 9309, and what it means when there are none."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.clients.exchange import Exchange, Failure, Hop, NotFetchedError
from sources.clients.robots import Robots, RobotsCache, parse, rules_of

TWO_GROUPS = """
User-agent: *
Disallow: /

User-Agent: evidenceregistrylinks/1.0   # us
User-agent: other
Disallow: /private
Allow: /private/open
Disallow: /*.zip$
"""


def answered(status, text=""):
    return Exchange(
        "https://x.org/robots.txt",
        (Hop("https://x.org/robots.txt", status),),
        status,
        text=text,
        retry_after=60,
    )


def failed(kind, *hops):
    return Failure("https://x.org/robots.txt", kind, "Why.", hops)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("/page", True),
        ("/private", False),
        ("/private/x?y", False),
        ("/private/open/x", True),
        ("/a.zip", False),
        ("/a.zip?x", True),
        ("/%70rivate", True),
    ],
)
def test_the_group_that_names_us_speaks_to_us(path, allowed):
    assert parse(TWO_GROUPS).allows(path) is allowed


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/", True),
        ("User-agent: *\nDisallow:", "/", True),
        ("User-agent: *\nDisallow: /", "/", False),
        ("\ufeffUser-agent: *\r\nDisallow: /\r\n", "/", False),
        ("User-agent: *\rDisallow: /", "/", False),
        ("user-agent:*\ndisallow:/a", "/abc", False),
        ("Disallow: /", "/", True),
        ("User-agent: Googlebot\nDisallow: /", "/", True),
        ("User-agent: *\nCrawl-delay: 5\nDisallow: /a\n\nDisallow: /b", "/b", False),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("User-agent: *\nAllow: /\nDisallow: /a/b", "/a/b/c", False),
        ("User-agent: *\nDisallow: /*/c", "/a/b/c", False),
        ("User-agent: *\nDisallow: /a*b*c$", "/aXbXc", False),
        ("User-agent: *\nDisallow: /a*b*c$", "/aXbXcd", True),
        ("User-agent: *\nDisallow: /a$", "/ab", True),
        ("User-agent: *\nDisallow: /caf\u00e9", "/caf%c3%a9", False),
        ("User-agent: *\nDisallow: /caf%C3%A9", "/caf%c3%a9/x", False),
        ("User-agent: *\nDisallow: /x # y", "/x", False),
        ("User-agent: *\nDisallow: /a\nUser-agent: EvidenceRegistryLinks\nDisallow: /b", "/a", True),
        ("<html><body>User-agent: *", "/", True),
    ],
)
def test_the_longest_fitting_rule_decides(text, path, allowed):
    assert parse(text).allows(path) is allowed


@given(st.text(max_size=300), st.text(max_size=50))
def test_any_text_is_a_robots_txt(text, path):
    assert parse("User-agent: *\n" + text).allows("/" + path) in (True, False)


def test_a_hostile_robots_txt_is_read_soon():
    began = time.perf_counter()
    rules = parse("User-agent: *\n" + ("Disallow: /" + "*a" * 50 + "$\n") * 20_000)
    rules.allows("/" + "a" * 2000)
    assert time.perf_counter() - began < 2.0


@pytest.mark.parametrize("status", [401, 403, 404, 410, 418])
def test_no_robots_txt_forbids_nothing(status):
    assert rules_of(answered(status, "User-agent: *\nDisallow: /")) == Robots()


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (answered(500), "robots_failed"),
        (answered(503), "robots_failed"),
        (answered(429), "busy"),
        (failed("timeout"), "timeout"),
        (failed("refused"), "refused"),
        (failed("no_such_name"), "no_such_name"),
        (failed("unsafe"), "unsafe"),
    ],
)
def test_a_robots_txt_that_cannot_be_read_puts_the_look_off(answer, kind):
    with pytest.raises(NotFetchedError) as refusal:
        rules_of(answer)
    assert refusal.value.kind == kind


@pytest.mark.parametrize(
    "answer",
    [
        failed("redirect_loop"),
        failed("too_many_redirects"),
        failed("unsafe", Hop("https://x.org/robots.txt", 302)),
    ],
)
def test_a_robots_txt_sent_astray_is_none(answer):
    assert rules_of(answer) == Robots()


def test_rules_are_remembered_for_a_day_and_for_many_hosts():
    now = [0.0]
    cache = RobotsCache(lambda: now[0])
    for number in range(20_001):
        cache.put(f"https://{number}.org", Robots())
    assert cache.get("https://0.org") is None
    assert cache.get("https://1.org") == Robots()
    now[0] = 86_401
    assert cache.get("https://1.org") is None
