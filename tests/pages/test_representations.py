"""Every page as HTML and as its Markdown twin: the same words, flags and dates, each naming the other."""

import re
from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client

from registry.twin_tree import Node
from tests.pages.reading import FRONT_MATTER, flags_of, page_of, part, rendered, text_of, words

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"


@dataclass
class Pair:
    """A page and its twin, both as text and as trees."""

    address: str
    html: str
    twin: str
    page: Node
    read: Node

    @property
    def canonical(self):
        return next(node.attrs["href"] for node in self.page.walk() if node.attrs.get("rel") == "canonical")

    @property
    def matter(self):
        lines = self.twin.split("\n")
        assert [lines[0], lines[5]] == ["---", "---"]
        pairs = (re.fullmatch(r'([a-z-]+): "(.*)"', line).groups() for line in lines[1:5])
        return {name: value.replace('\\"', '"') for name, value in pairs}


@pytest.fixture(scope="module")
def pairs(answers):
    return [
        Pair(
            address, html.content.decode(), md.content.decode(), page_of(html), rendered(md.content.decode())
        )
        for address, (html, md) in answers.items()
    ]


def test_every_page_answers_as_html_and_as_twin(answers):
    for address, (html, md) in answers.items():
        assert (html.status_code, md.status_code) == (200, 200), address
        assert html["Content-Type"] == "text/html; charset=utf-8"
        assert md["Content-Type"] == "text/markdown; charset=utf-8"


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (BROWSER, "text/html"),
        ("*/*", "text/html"),
        ("", "text/html"),
        ("text/*", "text/html"),
        ("application/json", "text/html"),
        ("text/html, text/markdown;q=0.9", "text/html"),
        ("text/markdown;q=0", "text/html"),
        ("text/markdown;q=0.5, text/html;q=0.7", "text/html"),
        ("text/markdown", "text/markdown"),
        ("TEXT/Markdown", "text/markdown"),
        ("text/markdown, */*", "text/markdown"),
        ("text/markdown, text/html;q=0.9", "text/markdown"),
        ("text/markdown;variant=CommonMark, text/html;q=0.5", "text/markdown"),
        ("text/markdown;q=bogus", "text/markdown"),
        (", ;;q=, text/markdown ,,", "text/markdown"),
    ],
)
def test_markdown_is_given_only_to_who_names_it(world, client, accept, kind):
    for address in ("/", "/gpus/aster-a1", "/gpus/compare?ids=aster-a1,boreal-b1"):
        answer = client.get(address, headers={"accept": accept})
        assert answer["Content-Type"] == f"{kind}; charset=utf-8"
        assert "Accept" in answer["Vary"]


def test_both_ways_to_the_twin_give_the_same_bytes(answers, client, world):
    for address, (_, md) in answers.items():
        assert client.get(address, headers={"accept": "text/markdown"}).content == md.content, address


def test_every_answer_varies_by_accept_whatever_its_status(world, client):
    for address in ("/gpus", "/gpus.md", "/gpus/none", "/gpus?kind=none", "/gpus/aster-a2-sxm"):
        assert "Accept" in client.get(address).get("Vary", ""), address
    gone = client.get(f"/claims/C-{world.withdrawn.number}")
    assert "Accept" in gone["Vary"]


def test_html_names_its_twin_and_both_name_one_canonical_address(world, client, answers, pairs):
    for pair in pairs:
        links = {link.attrs.get("rel"): link.attrs for link in pair.page.walk() if link.tag == "link"}
        assert links["alternate"]["type"] == "text/markdown"
        alternate = urlsplit(links["alternate"]["href"])
        assert (
            client.get(f"{alternate.path}?{alternate.query}").content == answers[pair.address][1].content
        ), pair
        assert pair.matter["canonical"] == pair.canonical
        canonical = pair.canonical.removeprefix(settings.SITE_URL)
        assert client.get(canonical).content.decode() == pair.html, pair.address


def test_the_canonical_address_drops_what_the_page_does_not_know(world, client):
    page = page_of(client.get("/sources?utm_source=x&page=1&kind=paper&q="))
    links = [
        node.attrs["href"] for node in page.walk() if node.attrs.get("rel") in ("canonical", "alternate")
    ]
    assert [link.removeprefix(settings.SITE_URL) for link in links] == [
        "/sources?kind=paper",
        "/sources.md?kind=paper",
    ]


def test_front_matter_has_four_quoted_values_that_the_page_shows(pairs):
    for pair in pairs:
        matter = pair.matter
        assert list(matter) == ["title", "description", "canonical", "last-updated"]
        title = text_of(next(node for node in pair.page.walk() if node.tag == "title"))
        assert matter["title"] == title
        assert title.endswith(f" | {settings.SITE_NAME}")
        assert [matter["description"]] == [
            text_of(node) for node in pair.page.walk() if node.has_class("description")
        ]
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", matter["last-updated"])
        for line in (node for node in pair.page.walk() if node.has_class("record-line")):
            assert f"Editorial record: {matter['last-updated']}" in text_of(line)


def test_twin_opens_with_title_canonical_address_and_description(pairs):
    for pair in pairs:
        heading, canonical, quote = list(pair.read.elements())[:3]
        assert heading.tag == "h1"
        assert text_of(heading) == pair.matter["title"].rpartition(" | ")[0]
        assert text_of(canonical) == f"Canonical HTML: {pair.canonical}"
        assert (quote.tag, text_of(quote)) == ("blockquote", pair.matter["description"])


def test_no_word_stands_in_html_or_twin_alone(pairs):
    for pair in pairs:
        regions = [part(pair.page, name) for name in ("breadcrumb", "navigation", "main", "footer")]
        in_html = sum(map(words, regions), Counter())
        twins_own = (
            f"Canonical HTML {pair.canonical} Breadcrumb Research navigation "
            "This is a generated representation of the public HTML page"
        )
        steps = sum(step.tag == "li" for step in regions[0].walk())
        own = Counter(re.findall(r"[^\s:().,;]+", twins_own)) + Counter("/" * (steps - 1))
        in_twin = words(pair.read)
        assert (in_html + own - in_twin, in_twin - in_html - own) == ({}, {}), pair.address


def test_no_sentence_of_html_is_torn_in_the_twin(pairs):
    """Each paragraph, term and heading of <main> stands in one piece in the twin."""
    for pair in pairs:
        twin = _plain(text_of(pair.read))
        for block in part(pair.page, "main").walk():
            if block.tag in ("p", "dd", "caption", "h2", "h3") and not any(
                inner.tag in ("button", "p", "div", "ul", "label", "select") or "popover" in inner.attrs
                for inner in block.walk()
                if inner is not block
            ):
                assert _plain(text_of(block)) in twin, (pair.address, text_of(block))


def _plain(text):
    # A badge stands in brackets in the twin.
    return " ".join(re.sub(r"[()]", " ", text).split())


def test_flags_and_dates_are_the_same_in_html_and_twin(pairs):
    for pair in pairs:
        main, twin = part(pair.page, "main"), text_of(pair.read)
        for flag, times in Counter(flags_of(main)).items():
            assert twin.count(f"({flag})") >= times, (pair.address, flag)
        times = [node for node in main.walk() if node.tag == "time"]
        in_twin = Counter(re.findall(r"\d{4}(?:-\d{2}){0,2}", twin))
        assert not Counter(map(text_of, times)) - in_twin, pair.address
        assert all(node.attrs["datetime"] == text_of(node) for node in times), pair.address


def test_every_link_of_html_is_in_the_twin_and_absolute_there(pairs):
    for pair in pairs:
        targets = {node.attrs["href"] for node in pair.read.walk() if node.tag == "a"}
        assert {target for target in targets if not re.match("https?://", target)} == set()
        for name in ("main", "footer", "navigation", "breadcrumb"):
            for link in (node.attrs["href"] for node in part(pair.page, name).walk() if "href" in node.attrs):
                base = {"#": pair.canonical, "/": settings.SITE_URL}.get(link[0], "")
                assert base + link in targets, (pair.address, link)


def test_twin_is_commonmark_without_html_of_its_own(pairs):
    for pair in pairs:
        raw = set(re.findall(r"(?<!\\)</?[a-z]+[^>]*>", FRONT_MATTER.sub("", pair.twin))) - {"<br>"}
        assert {tag for tag in raw if not tag.startswith("<http")} == set(), pair.address
        for table in (node for node in pair.read.walk() if node.tag == "table"):
            rows = (row for row in table.walk() if row.tag == "tr")
            assert len({sum(cell.tag in ("td", "th") for cell in row.elements()) for row in rows}) == 1, (
                pair.address
            )


def test_closing_notice_says_what_the_twin_is(pairs):
    for pair in pairs:
        for sentence in (
            "This is a generated representation of the public HTML page.",
            "Diagrams are conceptual. Nothing on this page implies available capacity, a live interface",
        ):
            assert sentence in pair.twin[-1500:]


def test_head_answers_like_get_without_a_body(answers, client, world):
    for address, (got, _) in answers.items():
        head = client.head(address)
        assert (head.status_code, head.content) == (200, b"")
        assert (head["ETag"], head["Content-Type"]) == (got["ETag"], got["Content-Type"])


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_nothing_but_get_and_head_is_understood(world, method):
    stranger = Client(enforce_csrf_checks=True)
    for address in ("/", "/gpus", "/gpus.md", "/gpus/aster-a1", "/sources", "/gpus/compare.csv?ids=aster-a1"):
        answer = getattr(stranger, method)(address)
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD"), address


@pytest.mark.parametrize(
    "address", ["/gpus.csv", "/index.csv", "/index", "/claims/C-1.csv", "/gpus/compare.md.md"]
)
def test_a_representation_that_does_not_exist_is_not_found(world, client, address):
    assert client.get(address).status_code == 404
