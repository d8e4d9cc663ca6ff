"""Verdicts on looks made by hand: statuses, failures, roads, and pages that stand in for what was cited."""

import pytest

from sources.clients.exchange import Exchange, Failure, Hop
from sources.text import read
from sources.verdicts import Seen, Verdict, text_of, verdict

ARTICLE = (
    "<p>"
    + "The study followed 812 people in nine towns for six years, and their sleep was measured. " * 25
    + "</p>"
)
CITED = "https://institute.example/reports/2019/annex-b.html"


def page(title: str, body: str = ARTICLE, head: str = "") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def answer(
    body: str | bytes = "",
    status: int = 200,
    url: str = CITED,
    hops: tuple[tuple[int, str], ...] = (),
    headers: dict[str, str] | None = None,
    content_type: str = "text/html",
    **more: object,
) -> Exchange:
    """An exchange; `hops` are the status of each redirect and where it leads."""
    road, at = [], url
    for code, onward in hops:
        road.append(Hop(at, code, onward, "http"))
        at = onward
    raw = body.encode() if isinstance(body, str) else body
    text = body if isinstance(body, str) else ""
    return Exchange(
        url, (*road, Hop(at, status)), status, headers or {}, content_type, "utf-8", raw, text, **more
    )  # type: ignore[arg-type]


def outcome(look: Exchange | Failure, title: str = "", previous: Seen | None = None) -> str:
    return verdict(look, title, previous).outcome


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        (200, "ok"), (203, "ok"), (202, "suspect"), (204, "suspect"), (205, "suspect"), (206, "ok"), (300, "suspect"),
        (302, "broken"), (304, "failing"), (400, "broken"), (401, "blocked"), (402, "blocked"), (403, "blocked"),
        (404, "broken"), (405, "blocked"), (406, "blocked"), (408, "failing"), (409, "failing"), (410, "gone"),
        (414, "broken"), (418, "blocked"), (421, "failing"), (423, "blocked"), (425, "failing"), (429, "rate_limited"),
        (451, "blocked"), (500, "failing"), (501, "failing"), (502, "failing"), (503, "failing"), (504, "failing"),
        (511, "failing"), (522, "failing"), (530, "failing"), (600, "failing"), (999, "blocked"), (100, "failing"),
    ],
)  # fmt: skip
def test_the_status(status: int, wanted: str) -> None:
    assert outcome(answer(page("Report"), status)) == wanted


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("unsupported", "unsupported"), ("unsafe", "unsafe"), ("no_such_name", "broken"), ("dns_failed", "failing"),
        ("refused", "failing"), ("unreachable", "failing"), ("reset", "failing"), ("closed", "failing"),
        ("timeout", "failing"), ("tls", "failing"), ("cut", "failing"), ("too_large", "failing"),
        ("protocol", "failing"), ("bad_encoding", "failing"), ("redirect_loop", "broken"),
        ("too_many_redirects", "broken"), ("redirect_nowhere", "broken"), ("robots", "blocked"), ("busy", "rate_limited"),
    ],
)  # fmt: skip
def test_the_failure(kind: str, wanted: str) -> None:
    found = verdict(Failure(CITED, kind, "the reason"))  # type: ignore[arg-type]
    assert (found.outcome, found.reason, found.seen) == (wanted, "The reason.", None)


SHORT = {
    "Page not found": "suspect", "404": "suspect", "Error 404": "suspect", "404 - File or directory not found": "suspect",
    "Oops! We can’t find that page": "suspect", "Sorry, this document is no longer available": "suspect",
    "This page does not exist": "suspect", "Seite nicht gefunden": "suspect", "Page introuvable": "suspect",
    "Página no encontrada": "suspect", "ページが見つかりません": "suspect",
    "页面不存在": "suspect", "Страница не найдена": "suspect",
    "The article has been removed": "suspect", "Content unavailable: the page was deleted": "suspect",
    "institute.example is for sale": "suspect", "This domain has expired": "suspect", "Parked Domain": "suspect",
    "Buy this domain": "suspect", "HugeDomains": "suspect", "Account Suspended": "suspect",
    "Database Error": "suspect", "500 Internal Server Error": "suspect", "Something went wrong": "suspect",
    "An unexpected error occurred": "suspect", "502 Bad Gateway": "suspect", "Application error": "suspect",
    "Down for maintenance": "suspect", "We will be back soon": "suspect", "Site temporarily unavailable": "suspect",
    "Welcome to nginx!": "suspect", "Apache2 Ubuntu Default Page: It works": "suspect",
    "Just a moment...": "blocked", "Attention Required! | Cloudflare": "blocked", "Are you a robot?": "blocked",
    "Making sure you’re not a bot!": "blocked", "Verify you are human": "blocked", "Pardon Our Interruption": "blocked",
    "Security check": "blocked", "Checking your browser before accessing": "blocked", "Robot Check": "blocked",
    "Before you continue": "blocked", "We value your privacy": "blocked", "This website uses cookies": "blocked",
    "Sign in": "blocked", "Log in - Institute": "blocked", "Please log in to continue": "blocked",
    "Subscribe to continue reading": "blocked", "Access Denied": "blocked", "403 Forbidden": "blocked",
    "Not available in your region": "blocked", "Your request has been blocked": "blocked",
    "Too many requests": "rate_limited",
}  # fmt: skip


@pytest.mark.parametrize("words", SHORT)
@pytest.mark.parametrize("where", ["title", "heading"])
def test_a_short_page_that_says_what_it_is(words: str, where: str) -> None:
    body = "<p>Please go to our start page or use the search.</p>"
    short = page(words, body) if where == "title" else page("Institute", f"<h1>{words}</h1>{body}")
    found = verdict(answer(short))
    assert found.outcome == SHORT[words], found
    assert found.seen is None, "what stands in for the source is never compared with it"


@pytest.mark.parametrize("words", SHORT)
def test_an_article_may_be_about_anything(words: str) -> None:
    assert (
        outcome(answer(page("What happens to cited pages", f"<h1>Findings</h1>{ARTICLE}<p>{words}</p>")))
        == "ok"
    )


@pytest.mark.parametrize("words", SHORT)
def test_a_long_page_is_the_source_whatever_its_title(words: str) -> None:
    assert outcome(answer(page(words, f"<h1>{words}</h1>{ARTICLE}"))) == "ok"


@pytest.mark.parametrize("words", ["Page not found", "Sign in", "Just a moment...", "Domain for sale"])
def test_a_page_that_bears_the_title_of_the_source_is_the_source(words: str) -> None:
    short = page(f"{words}: how sites answer for what they lost", "<p>An abstract of a few words.</p>")
    assert outcome(answer(short)) != "ok"
    assert outcome(answer(short), f"{words}: How Sites Answer for What They Lost") == "ok"


@pytest.mark.parametrize(
    "title",
    [
        "400 Gb Ethernet for accelerators", "500 W modules", "Top 500 list", "Error-correcting memory (ECC)",
        "Gone with the wind", "Document /doc/404", "Document /doc/500", "Login-free inference", "Exception handling in CUDA",
        "GitHub - vllm-project/vllm", "Cookies", "Maintainers", "Service level agreement", "Bad weather",
        "Model card: Llama 3.3", "Warning signs of drift", "H100 domain-specific accelerators", "NVIDIA H100 80GB",
        "Free computing", "Signal processing", "Pages of history",
    ],
)  # fmt: skip
def test_a_short_page_with_a_harmless_title(title: str) -> None:
    assert outcome(answer(page(title, "<p>A few words and 80 GB.</p>"))) == "ok"


PASSWORD = '<form><input name="user"><input type="password" name="p"></form>'


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        (page("Library", f"<h1>Your account</h1>{PASSWORD}"), "blocked"),
        (page("Report", f"{ARTICLE}{PASSWORD}"), "ok"),
        (page("App", '<div id="root"></div><script src="/a.js"></script>'), "suspect"),
        (
            page(
                "App", "<noscript>You need to enable JavaScript to run this app.</noscript><script></script>"
            ),
            "suspect",
        ),
        (
            page(
                "Report",
                f"{ARTICLE}<noscript>Please enable JavaScript for comments.</noscript><script></script>",
            ),
            "ok",
        ),
        (page("Frames", '<iframe src="https://other.example/"></iframe>'), "suspect"),
        ("", "suspect"),
        ("   \n ", "suspect"),
        (page("", ""), "suspect"),
        ("<p>Only a paragraph without any frame around it.</p>", "ok"),
    ],
)
def test_what_stands_where_the_text_should(html: str, wanted: str) -> None:
    assert outcome(answer(html)) == wanted


@pytest.mark.parametrize(
    ("headers", "status", "wanted"),
    [
        ({"cf-mitigated": "challenge"}, 403, "blocked"),
        ({"cf-mitigated": "challenge"}, 503, "blocked"),
        ({"x-amzn-waf-action": "challenge"}, 202, "blocked"),
        ({"x-amzn-waf-action": "captcha"}, 405, "blocked"),
        ({"cf-mitigated": "challenge"}, 429, "rate_limited"),
        ({"server": "cloudflare"}, 503, "failing"),
    ],
)
def test_a_challenge_announced_by_a_header(headers: dict[str, str], status: int, wanted: str) -> None:
    assert outcome(answer(page("Hello"), status, headers=headers)) == wanted


def test_a_challenge_may_come_with_an_error_of_the_server() -> None:
    assert outcome(answer(page("Just a moment...", "<p>Checking.</p>"), 503)) == "blocked"
    assert outcome(answer(page("Service unavailable", "<p>Later.</p>"), 503)) == "failing"


NEW = "https://institute.example/new/annex-b"


@pytest.mark.parametrize(
    ("url", "hops", "wanted"),
    [
        (CITED, ((301, NEW),), "moved"),
        (CITED, ((308, NEW),), "moved"),
        (CITED, ((301, "https://institute.example/a/b"), (308, NEW)), "moved"),
        (CITED, ((302, NEW),), "redirected"),
        (CITED, ((301, "https://institute.example/a/b"), (307, NEW)), "redirected"),
        (CITED, ((302, CITED),), "ok"),
        (f"{CITED}#results", ((302, f"{CITED}#results"),), "ok"),
        ("http://institute.example/a/b", ((301, "https://institute.example/a/b"),), "moved"),
        ("https://institute.example/a", ((301, "https://institute.example/a/"),), "moved"),
        ("https://institute.example/docs/index.html", ((301, "https://institute.example/docs/"),), "moved"),
        ("https://institute.example/", ((301, "https://www.institute.example/"),), "moved"),
        ("https://institute.example/", ((302, "https://institute.example/en/"),), "redirected"),
        (CITED, ((301, "https://institute.example/"),), "suspect"),
        (CITED, ((302, "https://institute.example/index.html"),), "suspect"),
        (CITED, ((302, "https://www.institute.example/en/"),), "suspect"),
        (CITED, ((301, "https://elsewhere.example/"),), "suspect"),
        (CITED, ((301, "https://institute.example/reports/"),), "suspect"),
        (CITED, ((302, "https://institute.example/404.html"),), "suspect"),
        (CITED, ((302, "https://institute.example/errors/not-found"),), "suspect"),
        ("https://doi.org/10.5555/1", ((302, "https://publisher.example/article/1"),), "redirected"),
        ("https://doi.org/10.5555/1", ((301, "https://publisher.example/article/1"),), "redirected"),
        ("https://doi.org/10.5555/1", ((302, "https://publisher.example/"),), "redirected"),
        ("https://hdl.handle.net/2027/1", ((301, "https://library.example/x"),), "redirected"),
        ("https://purl.org/dc/terms/", ((301, "https://dublincore.example/terms"),), "redirected"),
    ],
)
def test_the_road(url: str, hops: tuple[tuple[int, str], ...], wanted: str) -> None:
    found = verdict(answer(page("Annex B"), url=url, hops=hops))
    assert found.outcome == wanted, found
    assert bool(found.new_address) == (wanted == "moved"), "an address is offered for a permanent move only"


@pytest.mark.parametrize(
    ("end", "wanted"),
    [("https://institute.example/login?next=x", "blocked"), ("https://sso.example/saml2/idp", "blocked"),
     ("https://consent.example.com/", "blocked"), ("https://institute.example/subscribe", "blocked")],
)  # fmt: skip
def test_a_road_that_ends_at_a_gate(end: str, wanted: str) -> None:
    assert outcome(answer(page("Institute", "<p>One moment.</p>"), hops=((302, end),))) == wanted


def test_a_refusal_behind_an_identifier_says_that_it_resolves() -> None:
    found = verdict(
        answer("", 403, "https://doi.org/10.5555/1", ((302, "https://publisher.example/article/1"),))
    )
    assert found.outcome == "blocked"
    assert "identifier resolves" in found.reason
    unknown = verdict(answer("", 404, "https://doi.org/10.5555/2"))
    assert unknown.outcome == "broken"
    assert "does not know this identifier" in unknown.reason


def seen(html: str) -> Seen:
    found = verdict(answer(html)).seen
    assert found
    return found


BEFORE = page("Noise and sleep", f"<main><h1>Noise and sleep</h1><p>42 per cent fewer.</p>{ARTICLE}</main>")


@pytest.mark.parametrize(
    ("now", "wanted"),
    [
        (BEFORE, "ok"),
        (BEFORE.replace("42", "24"), "changed"),
        (
            BEFORE.replace("<main>", "<nav>New</nav><main>").replace(
                "</body>", "<footer>2026</footer></body>"
            ),
            "ok",
        ),
        (BEFORE.replace("<main>", "<header>Visitor 12</header><form><input></form><main>"), "ok"),
        (BEFORE.replace("</main>", "<p>Last updated on 4 March 2026</p></main>"), "ok"),
        (BEFORE.replace("</main>", "</main><section>Related: street lighting, tree cover</section>"), "ok"),
        (
            " ".join(BEFORE.split())
            .replace("<p>", '<p class="lead"> <span>')
            .replace("</p>", "</span>\n</p>"),
            "ok",
        ),
        (
            page(
                "Noise and sleep", f"<main><h1>Noise and sleep</h1>{ARTICLE}<p>42 per cent fewer.</p></main>"
            ),
            "ok",
        ),
        (BEFORE.replace("</main>", "<p>4 March 2026</p><p>1,204 views</p></main>"), "ok"),
        (BEFORE.replace("</main>", "<p>Layers 64</p></main>"), "changed"),
        (BEFORE.replace("<title>", "<title>RETRACTED: "), "changed"),
        (
            BEFORE.replace("<main>", "<div>This article has been retracted. See the notice.</div><main>"),
            "changed",
        ),
        (
            BEFORE.replace(
                "</main>", "<p>Unlike this one, a paper on bees was retracted in 2019.</p></main>"
            ),
            "changed",
        ),
        (page("Noise and sleep", "<main><h1>Noise and sleep</h1><p>Short now.</p></main>"), "changed"),
        (page("Something else", ARTICLE.replace("sleep", "hunger")), "changed"),
    ],
)
def test_what_changed_since_the_last_look(now: str, wanted: str) -> None:
    assert outcome(answer(now), previous=seen(BEFORE)) == wanted


def test_surroundings_are_told_apart_without_a_main_element() -> None:
    """Many sites name them by elements or classes only."""
    before = page("A", f"<nav>Home</nav><div class='sidebar'>7 offers</div>{ARTICLE}<footer>Terms</footer>")
    now = page("A", f"<nav>Start</nav><div class='sidebar'>9 offers</div>{ARTICLE}<footer>Rules</footer>")
    assert outcome(answer(now), previous=seen(before)) == "ok"
    assert outcome(answer(now.replace("nine", "ten")), previous=seen(before)) == "changed"


def test_a_retraction_is_named_first() -> None:
    found = verdict(
        answer(BEFORE.replace("<title>", "<title>RETRACTED: ").replace("42", "24")), previous=seen(BEFORE)
    )
    assert "retracted" in found.reason


def test_what_could_not_be_read_to_its_end_is_no_change_and_replaces_nothing() -> None:
    found = verdict(answer(BEFORE[:1200], truncated=True), previous=seen(BEFORE))
    assert found.outcome == "ok"
    assert found.seen is not None
    assert found.seen.fingerprint == seen(BEFORE).fingerprint


def test_a_304_that_was_asked_for_keeps_what_was_seen() -> None:
    found = verdict(answer("", 304, conditional=True), previous=seen(BEFORE))
    assert (found.outcome, found.seen) == ("ok", seen(BEFORE))


@pytest.mark.parametrize(
    ("before", "now", "wanted"),
    [("pdf", page("Publications", "<h1>They have moved</h1>"), "suspect"), ("html", page("Report"), "ok"),
     ("other", page("Report"), "suspect")],
)  # fmt: skip
def test_another_type_than_before(before: str, now: str, wanted: str) -> None:
    assert outcome(answer(now), previous=Seen(before)) == wanted


def test_a_pdf_by_name_that_is_a_short_page() -> None:
    url = "https://institute.example/report.pdf"
    assert (
        outcome(answer(page("Publications", "<p>Our publications have a new home.</p>"), url=url))
        == "suspect"
    )
    assert outcome(answer(page("Report"), url=url)) == "ok"
    assert outcome(answer("not a PDF", url=url, content_type="application/pdf")) == "suspect"


@pytest.mark.parametrize(
    ("fragment", "note"),
    [("results", False), ("table-9", True), ("method", False), ("L10-L20", False), ("!/a/b", False), ("/a", False),
     (":~:text=nine%20towns", False), (":~:text=ten%20towns", True), ("r%C3%A9sultats", False), ("", False)],
)  # fmt: skip
def test_a_missing_place_in_the_page_is_a_note(fragment: str, note: bool) -> None:
    html = page(
        "A", f'<h2 id="results">R</h2><h2 id="user-content-method">M</h2><i id="résultats"></i>{ARTICLE}'
    )
    found = verdict(answer(html, url=f"{CITED}#{fragment}" if fragment else CITED))
    assert found.outcome == "ok"
    assert any("no place named" in line for line in found.notes) is note


def test_other_things_worth_a_note() -> None:
    head = '<link rel="canonical" href="https://institute.example/other">'
    assert verdict(answer(page("A", head=head))).notes == (
        "The page names another address as its own: https://institute.example/other.",
    )
    assert verdict(answer(page("A", head=head.replace("other", "reports/2019/annex-b.html")))).notes == ()


def test_a_page_that_only_sends_on_to_what_must_not_be_fetched_is_unsafe() -> None:
    refused = "The address ::1 is not on the public internet."
    assert outcome(answer(page("Moved", "<p>Moved.</p>"), forward_refused=refused)) == "unsafe"
    assert outcome(answer(page("Report"), forward_refused=refused)) == "ok"


def test_no_reason_shows_credentials() -> None:
    found = verdict(answer(page("A"), hops=((301, "https://me:secret@new.example/a/b"),)))
    assert "secret" not in found.reason


def test_the_text_is_read_once_when_it_is_given() -> None:
    look = answer(BEFORE)
    assert verdict(look, read=text_of(look)) == verdict(look)
    assert verdict(look, read=read(b"", "text/html")).outcome == "suspect"


@pytest.mark.parametrize(
    "body", [b"\0" * 2_000_000, b"\xff\xfe" * 50_000, b"<" * 500_000, b"%PDF-1.7\n" + b"\0" * 4000]
)
@pytest.mark.parametrize("content_type", ["text/html", "application/pdf", "", "image/png", "text/plain"])
def test_any_body_gets_some_verdict(body: bytes, content_type: str) -> None:
    found = verdict(answer(body, content_type=content_type, truncated=True), previous=seen(BEFORE))
    assert isinstance(found, Verdict)
    assert found.outcome in ("ok", "suspect", "changed")
