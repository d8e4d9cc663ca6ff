"""The components hold together: one page with all of them, its rules of markup, and its twin."""

import re
from collections import Counter

import pytest
from django.template import engines
from markdown_it import MarkdownIt

from registry.twin import markdown_twin
from registry.twin_tree import Node, parse
from tests.pages.gallery import content

CANONICAL = "https://registry.example/gpus/h200-sxm"


def render(name: str, context: dict[str, object]) -> str:
    engine = engines["django"].engine
    source = (
        (content.FOLDER / name).read_text() if name == "gallery.html" else engine.get_template(name).source
    )
    return engines["django"].from_string(source).render(context)


@pytest.fixture(scope="module")
def html() -> str:
    return render("gallery.html", content.context())


@pytest.fixture(scope="module")
def page(html: str) -> Node:
    return parse(html)


def test_nothing_needs_an_exception_from_the_content_security_policy(page: Node):
    for node in page.walk():
        assert node.tag != "style"
        assert not [name for name in node.attrs if name == "style" or name.startswith("on")]
        assert node.tag != "script" or node.attrs["src"]


def test_every_id_is_there_once(page: Node):
    ids = Counter(node.attrs["id"] for node in page.walk() if node.attrs.get("id"))
    assert [name for name, times in ids.items() if times > 1] == []


def test_every_mark_opens_a_drawer_and_has_an_entry_in_the_source_list(page: Node):
    ids = {node.attrs.get("id") for node in page.walk()}
    for mark in (node for node in page.walk() if node.has_class("mark")):
        assert mark.attrs["popovertarget"] in ids
        assert "source-" + mark.text().strip("[]") in ids
        assert mark.attrs["aria-label"].startswith(f"Source {mark.text().strip('[]')}: ")


def test_heading_levels_skip_none(page: Node):
    main = next(node for node in page.walk() if node.attrs.get("id") == "main")
    levels = [int(node.tag[1]) for node in main.walk() if re.fullmatch("h[1-6]", node.tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


def words(node: Node) -> list[str]:
    """Words below `node` that are not those of form controls."""
    if node.tag in ("label", "select", "legend") or (node.tag == "button" and not node.has_class("mark")):
        return []
    found = (
        re.findall(r"[^\s:().,;]+", part) if isinstance(part, str) else words(part) for part in node.children
    )
    return [word for some in found for word in some]


def test_every_word_of_main_is_in_the_twin(html: str, page: Node):
    main = next(node for node in page.walk() if node.attrs.get("id") == "main")
    description = content.head().description
    twin = markdown_twin(
        html, title="T", description=description, canonical=CANONICAL, last_updated="2026-10-13"
    )
    in_twin = set(words(parse(MarkdownIt("commonmark").enable("table").render(twin))))
    assert [word for word in words(main) if word not in in_twin and not word.startswith("[")] == []


def test_every_flag_stands_in_the_twin_in_its_own_words(html: str):
    twin = markdown_twin(html, title="T", description="D", canonical=CANONICAL, last_updated="2026-10-13")
    assert [flag.words for flag in content.FLAGS if f"({flag.words})" not in twin] == []


@pytest.mark.parametrize(
    "name", ["400.html", "403.html", "403_csrf.html", "404.html", "410.html", "500.html", "503.html"]
)
def test_error_pages_need_no_context(name: str):
    assert "<h1>" in render(name, {})
