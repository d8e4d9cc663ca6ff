"""What a reader, or a client of the twin, finds on an answer."""

import re
from collections import Counter

from markdown_it import MarkdownIt

from registry.twin_tree import Node, parse

FRONT_MATTER = re.compile(r'---\n(?:[a-z-]+: "(?:[^"\\]|\\.)*"\n)+---\n')
_CONTROLS = {"label", "legend", "select", "textarea", "script", "style"}


def page_of(answer) -> Node:
    """The tree of an HTML answer."""
    return parse(answer.content.decode())


def part(page: Node, name: str) -> Node:
    """The element with this id."""
    return next(node for node in page.walk() if node.attrs.get("id") == name)


def text_of(node: Node) -> str:
    """Its text, with single blanks."""
    return " ".join(node.text().split())


def flags_of(node: Node) -> list[str]:
    """The words of every badge below it, in the order of the page."""
    return [text_of(badge) for badge in node.walk() if badge.has_class("badge")]


def rendered(twin: str) -> Node:
    """The tree of what another Markdown reader makes of a twin, without its front matter."""
    body = FRONT_MATTER.sub("", twin, count=1)
    return parse(MarkdownIt("commonmark").enable("table").render(body))


def words(node: Node) -> Counter[str]:
    """How often each word a reader sees stands below it; form controls are none."""
    found: Counter[str] = Counter()
    for child in node.children:
        if isinstance(child, str):
            found.update(re.findall(r"[^\s:().,;]+", child))
        elif child.tag not in _CONTROLS and (child.tag != "button" or child.has_class("mark")):
            found += words(child)
    return found


def said_flags(twin: str) -> list[str]:
    """Every "(…)" of a twin that could be a flag."""
    return re.findall(r"\(([^()]+(?:\(\d+\))?)\)", text_of(rendered(twin)))
