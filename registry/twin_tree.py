"""A small tree of our own HTML: elements with attributes, and texts, in order. Pure; knows no Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID_TAGS = "area base br col embed hr img input link meta source track wbr"
VOID = frozenset(_VOID_TAGS.split())


@dataclass(slots=True)
class Node:
    """An element; its children are nodes and texts."""

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list["Node | str"] = field(default_factory=list)

    def elements(self) -> Iterator["Node"]:
        """Its child elements, without texts."""
        return (child for child in self.children if isinstance(child, Node))

    def walk(self) -> Iterator["Node"]:
        """Itself and every element below it, in the order of the page."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(child for child in reversed(node.children) if isinstance(child, Node))

    def has_class(self, name: str) -> bool:
        """Whether `name` is among its classes."""
        return name in self.attrs.get("class", "").split()

    def text(self) -> str:
        """All text below it, as it stands in the HTML."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("html")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # <path/> inside SVG closes itself; elsewhere the slash means nothing, and our templates write none.
        self.open[-1].children.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        for depth in range(len(self.open) - 1, 0, -1):
            if self.open[depth].tag == tag:
                del self.open[depth:]
                return

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(html: str) -> Node:
    """Give back the root of the tree of `html`; an end tag without its start is passed over."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    return builder.root
