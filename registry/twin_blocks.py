"""From a tree of our HTML to CommonMark blocks and inlines. Pure."""

import re
from collections.abc import Iterable
from urllib.parse import urljoin

from registry.twin_tree import Node

_BLOCK_TAGS = (
    "address article aside blockquote caption dd details div dl dt fieldset figcaption figure footer form"
    " h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td th thead tr ul"
)
_CONTROL_TAGS = "input select textarea option optgroup datalist label legend button script style template"
BLOCKS = frozenset(_BLOCK_TAGS.split())
CONTROLS = frozenset(_CONTROL_TAGS.split())
HEADINGS = {f"h{level}": level for level in range(1, 7)}
# Noncharacters stand for the marks of emphasis until their neighbours are known.
STRONG, EMPHASIS = "\ufdd0", "\ufdd1"

_SPACE = re.compile(r"[ \t\n\r\f]+")
_SPECIAL = re.compile(r"[\\`*\[\]<>|~]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)|(?<!\S)#|!$")
_BLOCK_START = re.compile(r"^(?:([-+])(?=[ -]|$)|(\d{1,9})([.)])(?= |$))")
_ODD_IN_ADDRESS = re.compile(r"[\s()<>\\|]")
_OPENS_BLOCK = re.compile(r"- |\d+\. |> |\||#+ |`{3}|<!--|---")
_MARKER = re.compile(f"[{STRONG}{EMPHASIS}]")


def as_inline(text: str) -> str:
    """Text as Markdown that reads as exactly this text."""
    return _BLOCK_START.sub(_escape_start, _escape(_SPACE.sub(" ", text).strip(" ")))


def _escape(text: str) -> str:
    return _SPECIAL.sub(
        lambda found: "\\" + found.group(), text.translate({0: "\ufffd", 0xFDD0: "\ufffd", 0xFDD1: "\ufffd"})
    )


def _escape_start(found: re.Match[str]) -> str:
    sign, digits, point = found.groups()
    return "\\" + sign if sign else f"{digits}\\{point}"


class Writer:
    """Writes the blocks of one page; remembers its drawers, which end up in one list."""

    def __init__(self, canonical: str) -> None:
        self.canonical = canonical
        self.drawers: list[Node] = []
        self._in_cell = False

    # Inlines

    def inline(self, node: Node) -> str:
        """All inline content of `node` in one line; blocks inside it are joined by spaces."""
        text = _SPACE.sub(" ", "".join(self._pieces(node))).replace("\\\n ", "\\\n").strip(" ")
        return _BLOCK_START.sub(_escape_start, _emphasised(text))

    def _pieces(self, node: Node) -> Iterable[str]:
        for child in node.children:
            if isinstance(child, str):
                yield _escape(_SPACE.sub(" ", child))
            else:
                yield self._piece(child)

    def _piece(self, node: Node) -> str:
        tag = node.tag
        if "popover" in node.attrs:
            self.drawers.append(node)
            return ""
        if tag == "button" and node.has_class("mark"):
            return self._mark(node)
        if tag in CONTROLS:
            return ""
        if tag == "a":
            return self._anchor(node)
        if tag == "br":
            return " <br> " if self._in_cell else " "
        if tag == "code" or tag == "kbd" or tag == "samp":
            return self._code(node.text())
        if tag == "img":
            return (
                f"![{_escape(node.attrs['alt'])}]({self.address(node.attrs.get('src', ''))})"
                if node.attrs.get("alt")
                else ""
            )
        if tag == "svg":
            words = [
                _SPACE.sub(" ", part.text()).strip() for part in node.walk() if part.tag in ("title", "desc")
            ]
            return _escape(" ".join(words))
        inner = "".join(self._pieces(node))
        if node.has_class("badge"):
            return f"({inner.strip(' ')})"
        if tag == "strong" or tag == "b":
            return _wrapped(inner, STRONG)
        if tag in ("em", "i", "cite", "dfn", "var"):
            return _wrapped(inner, EMPHASIS)
        return f" {inner} " if tag in BLOCKS else inner

    def _mark(self, node: Node) -> str:
        """A citation mark leads to its entry in the source list, which has the anchor source-NUMBER."""
        words = node.text().strip()
        return self.link(_escape(words), "#source-" + words.strip("[]"))

    def _anchor(self, node: Node) -> str:
        inner = "".join(self._pieces(node))
        words = inner.strip(" \n")
        if not words:
            return inner
        before, after = (" " if inner[0] == " " else ""), (" " if inner[-1] == " " else "")
        return before + self.link(words, node.attrs["href"]) + after if "href" in node.attrs else inner

    def link(self, words: str, href: str) -> str:
        """A Markdown link with an absolute address; `words` are Markdown already."""
        return f"[{words}]({self.address(href)})"

    def address(self, href: str) -> str:
        """The absolute address as a Markdown link destination."""
        target = urljoin(self.canonical, href)
        if not _ODD_IN_ADDRESS.search(target) and "&" not in target:
            return target
        target = re.sub(r"&(?=#?\w+;)", "&amp;", target)
        target = re.sub(
            r"[\s<>\\|]", lambda found: "".join(f"%{byte:02X}" for byte in found.group().encode()), target
        )
        return f"<{target}>" if "(" in target or ")" in target else target

    def _code(self, text: str) -> str:
        text = _SPACE.sub(" ", text).strip(" ")
        if not text:
            return ""
        if self._in_cell:
            text = text.replace("|", "\\|")
        fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
        pad = " " if text[0] == "`" or text[-1] == "`" else ""
        return f"{fence}{pad}{text}{pad}{fence}"

    # Blocks

    def blocks(self, node: Node) -> list[str]:
        """The blocks of the content of `node`, each on lines of its own."""
        found: list[str] = []
        run: list[Node | str] = []
        for child in node.children:
            if isinstance(child, str) or not self._is_block(child):
                run.append(child)
                continue
            self._end_run(run, found)
            self._block(child, found)
        self._end_run(run, found)
        return found

    def _is_block(self, node: Node) -> bool:
        return node.tag in BLOCKS or "popover" in node.attrs

    def _end_run(self, run: list[Node | str], found: list[str]) -> None:
        if run:
            text = self.inline(Node("p", {}, list(run)))
            run.clear()
            if text:
                found.append(text)

    def _block(self, node: Node, found: list[str]) -> None:
        tag = node.tag
        if "popover" in node.attrs:
            self.drawers.append(node)
        elif tag == "h1" or node.has_class("description") or node.has_class("provenance-heading"):
            return  # the twin opens with the first two and gives its drawers under a heading of its own
        elif tag in HEADINGS:
            found.append("#" * HEADINGS[tag] + " " + self.inline(node))
        elif tag in ("ul", "ol"):
            self._list(node, found)
        elif tag == "dl":
            self._definitions(node, found)
        elif tag == "table":
            found.extend(self._table(node))
        elif tag == "blockquote":
            found.append(_prefixed("\n\n".join(self.blocks(node)), "> ", "> "))
        elif tag == "pre":
            fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", node.text())), default=0))
            found.append(f"{fence}\n{node.text().strip(chr(10))}\n{fence}")
        elif tag == "hr":
            found.append("---")
        elif tag in ("p", "dt", "summary", "figcaption", "caption"):
            self._end_run(list(node.children), found)
        else:
            found.extend(self.blocks(node))

    def _list(self, node: Node, found: list[str]) -> None:
        items = [item for item in node.elements() if item.tag == "li"]
        number = int(node.attrs.get("start") or 1)
        numbered = node.tag == "ol" and "reversed" not in node.attrs and not node.has_class("sources")
        lines = []
        for item in items:
            mark = f"{number}. " if numbered else "- "
            number += 1
            lines.append(_prefixed("\n\n".join(self._item(item)), mark, " " * len(mark)))
        self._add_list("\n".join(lines), found)

    def _item(self, item: Node) -> list[str]:
        """The blocks of a list item; a number or date in front of its first paragraph joins it."""
        blocks = self.blocks(item)
        first = next(item.elements(), None)
        if (
            len(blocks) > 1
            and first is not None
            and not self._is_block(first)
            and not _OPENS_BLOCK.match(blocks[1])
        ):
            blocks[:2] = [f"{blocks[0]} {blocks[1]}"]
        return blocks

    def _definitions(self, node: Node, found: list[str]) -> None:
        lines: list[str] = []
        for part in node.walk():
            if part.tag == "dt":
                lines.append(f"- {_emphasised(_wrapped(self.inline(part), STRONG))}:")
            elif part.tag == "dd" and lines:
                lines[-1] += " " + self._flow(part, " ")
        self._add_list("\n".join(lines), found)

    def _add_list(self, text: str, found: list[str]) -> None:
        if not text:
            return
        if found and re.match(r"(?:- |\d+\. )", found[-1]):
            found.append("<!-- -->")  # else two lists in a row would be read as one
        found.append(text)

    # Tables

    def _table(self, table: Node) -> list[str]:
        rows: list[Node] = []
        before: list[str] = []
        for part in table.walk():
            if part.tag == "caption":
                before.append(self.inline(part))
            elif part.tag == "tr":
                rows.append(part)
        self._in_cell = True
        lines = [self._row(row) for row in rows]
        self._in_cell = False
        width = max((len(line) for line in lines), default=0)
        if not width:
            return before
        if not any(part.tag == "thead" for part in table.elements()):
            lines.insert(0, [])
        texts = ["| " + " | ".join(line + [""] * (width - len(line))) + " |" for line in lines]
        texts.insert(1, "|" + " --- |" * width)
        return [*before, "\n".join(texts)]

    def _row(self, row: Node) -> list[str]:
        cells: list[str] = []
        for cell in row.elements():
            if cell.tag in ("td", "th"):
                text = self._flow(cell, "<br>")
                if cell.attrs.get("scope") in ("rowgroup", "colgroup"):
                    text = _emphasised(_wrapped(text, STRONG))
                cells += [text, *[""] * (int(cell.attrs.get("colspan") or 1) - 1)]
        return cells

    def _flow(self, node: Node, between: str) -> str:
        """The content of a cell in one line, its blocks joined by `between`."""
        if not any(self._is_block(child) for child in node.elements()):
            return self.inline(node)
        parts = []
        for block in self._flat(node):
            text = self.inline(block)
            if text:
                parts.append(text)
        return between.join(parts)

    def _flat(self, node: Node) -> Iterable[Node]:
        run: list[Node | str] = []
        for child in node.children:
            if isinstance(child, Node) and self._is_block(child) and "popover" not in child.attrs:
                if run:
                    yield Node("p", {}, run)
                    run = []
                yield from self._flat(child)
            else:
                run.append(child)
        if run:
            yield Node("p", {}, run)

    # Drawers

    def provenance(self) -> list[str]:
        """The heading and the list of every drawer seen so far; nothing where a page has none."""
        if not self.drawers:
            return []
        lines = [
            _prefixed("\n\n".join(self.blocks(Node("div", {}, drawer.children))), "- ", "  ")
            for drawer in self.drawers
        ]
        return ["## Provenance", "\n".join(lines)]


def _prefixed(text: str, first: str, rest: str) -> str:
    lines = text.split("\n")
    return "\n".join([first + lines[0], *((rest + line).rstrip() for line in lines[1:])]).rstrip()


def _wrapped(inner: str, sign: str) -> str:
    """Emphasis around the words themselves, blanks outside it."""
    words = inner.strip(" ")
    if not words or STRONG in words or EMPHASIS in words:
        return inner
    at = inner.index(words)
    return f"{inner[:at]}{sign}{words}{sign}{inner[at + len(words) :]}"


def _emphasised(text: str) -> str:
    """Turn each pair of signs into * or **, where Markdown would read it so; else leave the words plain."""
    if STRONG not in text and EMPHASIS not in text:
        return text
    places = [found.start() for found in _MARKER.finditer(text)]
    parts: list[str] = []
    at = 0
    for start, end in zip(places[::2], places[1::2], strict=True):
        good = _may_stand_beside(text[start - 1 : start], text[start + 1]) and _may_stand_beside(
            text[end + 1 : end + 2], text[end - 1]
        )
        sign = ("**" if text[start] == STRONG else "*") if good else ""
        parts += [text[at:start], sign, text[start + 1 : end], sign]
        at = end + 1
    parts.append(text[at:])
    return "".join(parts)


def _may_stand_beside(outside: str, inside: str) -> bool:
    """Whether a run of * between these two can open or close emphasis: CommonMark's flanking rule, strictly."""
    if inside.isspace() or outside in (STRONG, EMPHASIS, "*"):
        return False
    return not outside or outside.isspace() or (not outside.isalnum()) or inside.isalnum()
