"""What is sent, what is followed, what comes back."""

import re
import socket
from dataclasses import replace

import pytest

from sources.clients.budget import Budget
from sources.clients.connection import VettedConnection
from sources.clients.exchange import Condition, Exchange, Failure, NotFetchedError
from sources.clients.limits import agent, networks, ports
from sources.clients.targets import target
from sources.clients.web import fetch
from tests.sources.clients.conftest import PUBLIC
from tests.sources.clients.site import PAGE, RAW, page, site_on


@pytest.fixture(autouse=True)
def _nothing_asked_yet(site):
    site.asked.clear()


def raw(site, name, answer_):
    RAW[name] = answer_
    return site.url(f"/raw/{name}")


# What is sent ------------------------------------------------------------------------------------------


def test_the_agent_names_us_and_a_page_about_us(look, site):
    look(site.url(), agent=agent("https://registry.example.org/about"))
    assert re.fullmatch(
        r"EvidenceRegistryLinks/1\.0 \(\+https://registry\.example\.org/about\)",
        site.asked[0].headers["user-agent"],
    )


def test_an_agent_holds_nothing_that_ends_a_header():
    assert agent("https://x.org/é\r\nX: 1 (y)") == "EvidenceRegistryLinks/1.0 (+https://x.org/X:1y)"
    assert agent("") == "EvidenceRegistryLinks/1.0"


def test_a_request_asks_for_html_unpacked_once(look, site):
    look(site.url(host="pub.test"))
    headers = site.asked[0].headers
    assert headers["accept"].startswith("text/html,")
    assert headers["accept-encoding"] == "identity"
    assert headers["connection"] == "close"
    assert headers["host"] == f"pub.test:{site.port}"
    assert not {"cookie", "authorization", "if-none-match", "referer"} & set(headers)


def test_nothing_is_taken_from_the_environment(look, site, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text(
        f"machine {site.host} login reader password s3cret\nmachine pub.test login reader password s3cret\n"
    )
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.66.6.6:9/")
    monkeypatch.setenv("NETRC", str(netrc))
    assert look(site.url(host="pub.test")).status == 200
    assert look(site.url()).status == 200
    assert not any("authorization" in request.headers for request in site.asked)


@pytest.mark.parametrize(
    ("cited", "sent"),
    [
        ("/a%2Fb/caf%C3%A9%20(2)?q=a+b%20c", "/a%2Fb/caf%C3%A9%20(2)?q=a+b%20c"),
        ("/caf%c3%a9", "/caf%c3%a9"),
        ("/a/../b/./c", "/a/../b/./c"),
        ("/x//y", "/x//y"),
        ("/a;b=1,2?c[]=1&c[]=2", "/a;b=1,2?c[]=1&c[]=2"),
        ("/étude finale.html", "/%C3%A9tude%20finale.html"),
        ("/100%", "/100%25"),
        ("/%zz?é=ü", "/%25zz?%C3%A9=%C3%BC"),
        ("/a|b{c}<d>", "/a%7Cb%7Bc%7D%3Cd%3E"),
        ("/?", "/?"),
        ("?q", "/?q"),
        ("", "/"),
        ("/p#frag?x", "/p"),
    ],
)
def test_an_address_is_sent_as_cited_with_only_the_illegal_escaped(cited, sent, look, site):
    look(site.url(cited))
    assert site.paths() == [sent]


def test_a_host_in_another_script_is_asked_by_its_ascii_name(look, site):
    look(site.url(host="bücher.test"))
    assert site.asked[0].headers["host"] == f"xn--bcher-kva.test:{site.port}"


# Names and connections ---------------------------------------------------------------------------------


def test_a_name_is_resolved_once_for_each_request(look, resolver, site):
    assert look(site.url(host="rebind.test")).status == 200
    assert resolver.asked == ["rebind.test"]


def test_a_name_that_turns_inward_between_hops_is_refused(look, canaries, site):
    found = look(site.url("/r/302?to=/ok", host="rebind.test"))
    assert (found.kind, [hop.status for hop in found.hops]) == ("unsafe", [302])
    assert not any(canary.asked for canary in canaries)


def test_the_reason_does_not_tell_where_a_name_leads(look, site):
    assert "127" not in look(site.url(host="loop.test")).reason.replace(str(site.port), "")


def test_further_addresses_are_tried_within_the_deadline(look, site):
    assert look(site.url(host="dead-first.test")).status == 200


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (socket.gaierror(socket.EAI_NONAME, "x"), "no_such_name"),
        (socket.gaierror(socket.EAI_AGAIN, "x"), "dns_failed"),
        (socket.gaierror(socket.EAI_FAIL, "x"), "dns_failed"),
        (OSError("x"), "dns_failed"),
        (UnicodeError("x"), "dns_failed"),
    ],
)
def test_a_host_that_is_not_there_differs_from_a_resolver_that_fails(error, kind, look, resolver, site):
    resolver.answers["odd.test"] = [error]
    assert look(site.url(host="odd.test")).kind == kind


def test_a_name_without_addresses_does_not_exist(look, resolver, site):
    resolver.answers["odd.test"] = [[]]
    assert look(site.url(host="odd.test")).kind == "no_such_name"


def test_the_system_resolver_is_asked_for_names(limits, site, monkeypatch):
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (PUBLIC, site.port))] * 2
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    assert fetch(site.url(host="pub.test"), limits).status == 200


def test_the_peer_of_a_connection_is_judged_again(limits, site, canaries):
    """Even if an address got past the vetting, no request is sent to it."""
    asked = target(site.url(), limits.ports)
    connection = VettedConnection(asked, ["127.66.6.6"], limits, Budget(1, 1000))
    with pytest.raises(NotFetchedError, match="is not on the public internet"):
        connection.connect()
    assert not any(canary.asked for canary in canaries)


def test_a_mistake_of_ours_is_not_hidden(look, site):
    def broken(host, port):
        raise RuntimeError("a mistake")

    with pytest.raises(RuntimeError, match="a mistake"):
        look(site.url(host="pub.test"), resolver=broken)


def test_nobody_listening_has_a_name(look, limits):
    with socket.socket() as closed:
        closed.bind((PUBLIC, 0))
        port = closed.getsockname()[1]
    assert look(f"http://{PUBLIC}:{port}/", ports=frozenset({port})).kind == "refused"


def test_an_ipv6_address_is_asked_where_the_operator_allows_it(limits):
    with site_on("::1") as six:
        found = fetch(
            f"http://[::1]:{six.port}/ok",
            replace(limits, networks=networks(["::1/128"]), ports=ports([str(six.port)])),
        )
    assert found.status == 200
    assert six.asked[0].headers["host"] == f"[::1]:{six.port}"


# Redirects ---------------------------------------------------------------------------------------------


def test_hops_tell_status_and_target(look, site):
    found = look(site.url("/r/301?to=/r/307?to=/ok"))
    assert [(hop.status, hop.permanent) for hop in found.hops] == [(301, True), (307, False), (200, False)]
    assert found.hops[0].location == found.hops[1].url
    assert found.final_url == site.url("/ok")


def test_ten_hops_are_followed_and_eleven_are_not(look, site):
    assert look(site.url("/chain/10?to=/ok")).status == 200
    found = look(site.url("/chain/11?to=/ok"))
    assert found.kind == "too_many_redirects"
    assert len(found.hops) == 11


def test_a_circle_is_noticed_when_it_closes(look, site):
    found = look(site.url("/r/302?to=/loop"))
    assert found.kind == "redirect_loop"
    assert site.paths() == ["/r/302?to=/loop", "/loop"]


def test_a_cookie_opens_the_circle_and_is_gone_with_the_look(look, site):
    path = "/cookie?to=/cookie?to=/ok"
    assert look(site.url(path)).status == 200
    assert [request.headers.get("cookie") for request in site.asked] == [None, "a=1; b=2", "a=1; b=2"]
    look(site.url())
    assert "cookie" not in site.asked[-1].headers


def test_cookies_stay_with_their_host(look, site):
    look(site.url("/cookie?to=" + site.url(host="pub.test"), host="pub2.test"))
    assert "cookie" not in site.asked[-1].headers


def test_the_fragment_lives_on_unless_the_target_has_its_own(look, site):
    assert look(site.url("/r/301?to=/ok#here")).final_url.endswith("/ok#here")
    assert look(site.url("/r/301?to=/ok%23there") + "#here").final_url.endswith("/ok#there")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_without_a_target_is_named(status, look, site):
    found = look(raw(site, "nowhere", b"HTTP/1.1 %d X\r\nContent-Length: 0\r\n\r\n" % status))
    assert found.kind == "redirect_nowhere"
    assert found.status == status


def test_300_and_304_are_answers(look, site):
    for status in (300, 304):
        found = look(
            raw(site, "kept", b"HTTP/1.1 %d X\r\nLocation: /ok\r\nContent-Length: 0\r\n\r\n" % status)
        )
        assert (found.status, len(found.hops)) == (status, 1)


@pytest.mark.parametrize(
    ("location", "sent"),
    [
        ("résumé.html".encode(), "/raw/r%C3%A9sum%C3%A9.html"),
        (b"r\xe9sum\xe9.html", "/raw/r%C3%A9sum%C3%A9.html"),
        (b"a b", "/raw/a%20b"),
        (b"?x=1", "/raw/onward?x=1"),
        (b"../up", "/up"),
    ],
)
def test_a_target_is_read_as_it_was_meant(location, sent, look, site):
    look(raw(site, "onward", b"HTTP/1.1 301 X\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n"))
    assert site.paths()[1] == sent


def test_a_refresh_is_a_temporary_hop(look, site):
    for path in ("/refresh?to=/ok", "/meta?to=/ok"):
        found = look(site.url(path))
        assert [(hop.via, hop.permanent) for hop in found.hops] == [("refresh", False), ("", False)]


@pytest.mark.parametrize(
    "answer_",
    [
        page(PAGE, "Refresh: 300"),
        page(PAGE, "Refresh: 300; url=/elsewhere"),
        page(b'<noscript><meta http-equiv="refresh" content="0; url=/elsewhere"></noscript>'),
        page(b'<!-- <meta http-equiv="refresh" content="0; url=/elsewhere"> -->'),
        page(b'<meta http-equiv="refresh" content="0; url=">'),
        page(b'<script>\'<meta http-equiv="refresh" content="0; url=/elsewhere">\'</script>'),
        page(PAGE, "Refresh: 0; url=/raw/stays"),
        b"HTTP/1.1 404 X\r\nRefresh: 0; url=/elsewhere\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_a_refresh_that_is_none_is_not_followed(answer_, look, site):
    found = look(raw(site, "stays", answer_))
    assert len(found.hops) == 1
    assert found.hops[0].via == ""


def test_a_page_stands_although_it_would_send_its_readers_inward(look, site, canaries):
    found = look(site.url(f"/refresh?to=http://127.66.6.6:{site.port}/"))
    assert isinstance(found, Exchange)
    assert found.text == PAGE.decode()
    assert "not on the public internet" in found.forward_refused
    assert not any(canary.asked for canary in canaries)


def test_a_page_that_refreshes_in_a_circle_stands(look, site):
    RAW["there"] = page(PAGE, "Refresh: 0; url=/raw/back")
    found = look(raw(site, "back", page(PAGE, "Refresh: 0; url=/raw/there")))
    assert isinstance(found, Exchange)
    assert (found.text, found.forward_refused) == (PAGE.decode(), "")


# What comes back ---------------------------------------------------------------------------------------


def test_an_answer_comes_with_headers_type_and_text(look, site):
    found = look(site.url())
    assert (found.status, found.content_type, found.charset) == (200, "text/html", "utf-8")
    assert (found.text, found.bytes_read, found.length_promised) == (PAGE.decode(), len(PAGE), len(PAGE))
    assert found.headers["etag"] == 'W/"one"'
    assert "set-cookie" not in found.headers
    assert not found.truncated


def test_headers_are_fit_to_be_stored(look, site):
    found = look(raw(site, "odd", page(b"x", "X-A: " + "y" * 60_000, "X-B: a\0b", "X-B: c")))
    assert len(found.headers["x-a"]) == 4096
    assert found.headers["x-b"] == "a b, c"


@pytest.mark.parametrize(("given", "promised"), [("abc", None), ("-5", None), ("9" * 40, None)])
def test_a_length_that_is_none_is_not_believed(given, promised, look, site):
    found = look(raw(site, "length", f"HTTP/1.1 200 OK\r\nContent-Length: {given}\r\n\r\nbody".encode()))
    if isinstance(found, Exchange):
        assert found.length_promised is promised
    else:
        assert found.kind in ("cut", "protocol")


def test_validators_go_back_byte_for_byte_and_only_to_the_page_that_gave_them(look, site):
    known = Condition('W/"one"', "Thu, 04 Mar 2021 05:06:07 GMT", site.url("/ok"))
    found = look(site.url("/r/301?to=/ok"), condition=known)
    assert [request.headers.get("if-none-match") for request in site.asked] == [None, 'W/"one"']
    assert site.asked[1].headers["if-modified-since"] == known.last_modified
    assert found.conditional
    assert not look(site.url("/other"), condition=known).conditional


def test_a_condition_without_an_address_is_for_the_first_request(look, site):
    found = look(site.url("/r/301?to=/ok"), condition=Condition('"x"'))
    assert [request.headers.get("if-none-match") for request in site.asked] == ['"x"', None]
    assert not found.conditional


def test_a_look_never_raises_for_what_a_server_sends(look, site):
    """Beginnings of answers cut anywhere, and bytes that are nothing."""
    whole = page(b"<p>x", "Content-Encoding: gzip", "Location: http://[", "Refresh: 0;url=http://[")
    for cut in range(0, len(whole), 7):
        assert isinstance(look(raw(site, "cut", whole[:cut] + b"\xff\x00\r\n\r\n")), Exchange | Failure)


def test_a_redirect_to_what_is_no_address_is_refused(look, site):
    for location in (b"http://[", b"http://[::1", b"http://a:b", b"\x85x"):
        found = look(
            raw(site, "bad", b"HTTP/1.1 302 X\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n")
        )
        assert isinstance(found, Failure)
        assert found.kind == "unsafe", (location, found)


def test_requests_are_admitted_one_by_one(look, site):
    asked = []

    def admit(target_, seconds):
        asked.append((target_.host, target_.path, 0 < seconds <= 2))
        if target_.path == "/ok":
            raise NotFetchedError("busy", "The host is being asked by another.", 7)
        return socket.socket()  # any context manager

    found = look(site.url("/r/302?to=/ok"), admit=admit)
    assert asked == [(PUBLIC, "/r/302?to=/ok", True), (PUBLIC, "/ok", True)]
    assert (found.kind, found.retry_after, found.status) == ("busy", 7, 302)
    assert site.paths() == ["/r/302?to=/ok"]
