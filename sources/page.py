"""An HTML page as a stream of blocks: headings, paragraphs and table rows, with its surroundings marked.

A page's frame (navigation, banner, side column, forms, footer) changes without the source changing, so it is told apart
here by the elements HTML has for it and by the names sites give to theirs.
"""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from time import monotonic

from lxml import etree

LARGEST_STEP = 32_768  # characters between two looks at the clock and the depth
DEEPEST = 2_000  # elements in elements; a page of hostile depth makes every closing tag a search
MOST_TEXT = 3_000_000
MOST_ANCHORS = 20_000
MOST_BLOCKS = 100_000
ENOUGH = 200  # characters that make a main text

FRAME, OUTSIDE, NAMED, FORM = "frame", "outside", "named", "form"

_SILENT = {
    "script",
    "style",
    "template",
    "svg",
    "iframe",
    "object",
    "canvas",
    "audio",
    "video",
    "select",
    "textarea",
}
_FRAME = {"nav", "aside", "footer", "dialog", "menu", "button"}
_ROLES = {
    "navigation",
    "banner",
    "contentinfo",
    "complementary",
    "search",
    "dialog",
    "alertdialog",
    "menu",
    "menubar",
}
_NAMES = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr|onetrust|breadcrumbs?|newsletter|social|share|sharing|related|recommend\w*|"
    r"sidebar|advert\w*|ads?|sponsor\w*|promo|popup|modal|toc|pagination|skip-?link|comments?|navbar|navigation|nav|menu|footer|"
    r"topbar|masthead)(?:$|[\s_-])",
    re.I,
)
_NEVER_NAMED = {"html", "body", "main", "article", "h1", "h2", "h3", "td", "th", "tr", "tbody", "p"}
_BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "dialog", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "li", "main", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "thead", "tr", "ul",
}  # fmt: skip
_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_LEVEL = {f"h{level}": level for level in range(1, 7)}
_FOOTNOTE = re.compile(r"\s*(?:[\[(]?[\d,\s*†‡§¶a-e-]{1,6}[\])]?|TM|SM|®|™|\(R\))\s*", re.I)


@dataclass(frozen=True)
class Block:
    """One paragraph, heading (`level` 1 to 6) or table row. `aside` is "" for main text, else what it belongs to.

    A row has its `cells`, one for each column, and the `columns` that the table's first row names.
    """

    words: str
    level: int = 0
    aside: str = ""
    cells: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """What a page holds beside its text. `stopped` says why it was not read to its end, "" where it was."""

    title: str = ""
    blocks: tuple[Block, ...] = ()
    anchors: frozenset[str] = frozenset()
    canonical: str = ""
    noscript: str = ""
    passwords: int = 0
    scripts: int = 0
    frames: int = 0
    stopped: str = ""


def fold(words: str) -> str:
    """The words with one blank between them. Blanks that do not break stay: they may group the digits of a number."""
    return _BLANKS.sub(" ", words).strip()


def read_page(markup: str, until: float) -> Page:
    """Return the page. Reading stops at the monotonic time `until`, at a hostile depth and after too much text."""
    reader = _Reader()
    # As a stream: the tree of a page with 40,000 attributes took 12 s to build, the stream takes milliseconds.
    parser = etree.HTMLParser(target=reader, huge_tree=True, no_network=True, remove_comments=True)
    stopped = ""
    try:
        for start in range(0, len(markup), LARGEST_STEP):
            parser.feed(markup[start : start + LARGEST_STEP].replace("\0", ""))
            if reader.depth > DEEPEST:
                stopped = "its elements are nested too deeply to be read"
            elif reader.length > MOST_TEXT or len(reader.blocks) > MOST_BLOCKS:
                stopped = "it holds too much text"
            elif monotonic() > until:
                stopped = "reading it took too long"
            if stopped:
                break
        else:
            parser.close()
    except (etree.LxmlError, AssertionError, ValueError) as error:
        stopped = f"its HTML could not be read ({type(error).__name__})" if reader.started else ""
    reader.flush()
    return replace(reader.page(), stopped=stopped)


@dataclass
class _Table:
    columns: tuple[str, ...] = ()
    row: list[tuple[str, int]] | None = None  # cells of the row being read and the columns each spans
    cell: list[str] | None = None
    spans: tuple[int, int] = (1, 1)
    carried: dict[int, tuple[int, str]] = field(default_factory=dict)  # column: rows still to come, words
    aside: str = ""


class _Reader:
    """The target of the parser: called for every tag and every piece of text."""

    def __init__(self) -> None:
        self.started = False
        self.depth = self.length = self.silent = self.mains = self.pre = 0
        self.open: list[tuple[str, str, bool]] = []  # what it counts as, the frame it belongs to, silent
        self.buffer: list[str] = []
        self.sup: list[str] | None = None
        self.title: list[str] | None = None
        self.titles = ""
        self.noscript: list[str] = []
        self.inside = {"noscript": 0, "main": 0, "article": 0}
        self.level = 0
        self.blocks: list[tuple[Block, bool, bool]] = []  # block, in main, in article
        self.anchors: set[str] = set()
        self.canonical = ""
        self.counts: Counter[str] = Counter()
        self.tables: list[_Table] = []

    # The parser's side.

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.started = True
        self.depth += 1
        if self.depth > 10 * DEEPEST:
            return
        frame = self.open[-1][1] if self.open else ""
        frame = frame or self._frame(tag, attributes)
        silent = tag in _SILENT
        if tag in _BLOCKS and not self.silent:
            self._boundary()
        part = "main" if attributes.get("role") == "main" else tag
        self.open.append((part, frame, silent))
        self.silent += silent
        self._note(tag, attributes)
        self.mains += part == "main"
        if part in self.inside:
            self.inside[part] += 1
        if self.silent:
            return
        self.level = _LEVEL.get(tag, self.level)
        self.pre += tag == "pre"
        if tag == "sup":
            self.sup = []
        elif tag == "table":
            self._unfold()
            self.tables.append(_Table(aside=frame))
        elif tag == "tr" and self.tables:
            self._row()
            self.tables[-1].row = []
        elif tag in ("td", "th") and self.tables:
            self._cell(attributes)

    def end(self, tag: str) -> None:
        self.depth -= 1
        if not self.open or self.depth >= 10 * DEEPEST:
            return
        if tag in _BLOCKS and not self.silent:
            self._boundary()
        if tag == "sup" and self.sup is not None:
            self._superscript()
        if tag in ("tr", "table") and self.tables and not self.silent:
            self._row()
            if tag == "table":
                self.tables.pop()
        if tag == "title":
            self._title()
        if tag in _LEVEL:
            self.level = 0
        self.pre = max(0, self.pre - (tag == "pre"))
        part, _, silent = self.open.pop()
        self.silent -= silent
        if part in self.inside:
            self.inside[part] -= 1

    def data(self, words: str) -> None:
        self.started = True
        if self.title is not None:
            if sum(map(len, self.title[-2:])) < 4000 and len(self.title) < 4000:
                self.title.append(words)
        elif self.silent:
            return
        elif self.inside["noscript"]:
            if len(self.noscript) < 50:
                self.noscript.append(words)
        elif self.sup is not None:
            self.sup.append(words)
        elif self.pre and "\n" in words and not self._in_cell():
            for line in words.splitlines(keepends=True):
                self._add(line)
                if line.endswith("\n"):
                    self.flush()
        else:
            self._add(words)

    def close(self) -> None:
        return None

    # Our side.

    def flush(self) -> None:
        """End the block being read."""
        words = fold("".join(self.buffer))
        self.buffer = []
        if words:
            self._emit(Block(words, self.level, self.open[-1][1] if self.open else ""))

    def page(self) -> Page:
        return Page(
            " ".join(self.titles.split()),
            tuple(_main_told_apart(self.blocks, bool(self.mains))),
            frozenset(self.anchors),
            self.canonical,
            " ".join("".join(self.noscript).split())[:500],
            passwords=self.counts["password"],
            scripts=self.counts["script"],
            frames=self.counts["iframe"] + self.counts["frame"],
        )

    def _frame(self, tag: str, attributes: dict[str, str]) -> str:
        if tag in _FRAME or attributes.get("role", "") in _ROLES:
            return FRAME
        if tag == "header" and not (self.inside["main"] or self.inside["article"]):
            return FRAME
        if tag == "form":
            return FORM
        named = f"{attributes.get('class', '')[:300]} {attributes.get('id', '')[:100]}"
        return NAMED if tag not in _NEVER_NAMED and _NAMES.search(named) else ""

    def _note(self, tag: str, attributes: dict[str, str]) -> None:
        """Keep what the page holds beside its text."""
        for name in ("id", "name") if tag == "a" else ("id",):
            if (anchor := attributes.get(name)) and len(self.anchors) < MOST_ANCHORS:
                self.anchors.add(anchor[:500])
        if tag == "title" and not self.titles and not self.silent:
            self.title = []
        elif tag == "input":
            self.counts["password"] += attributes.get("type", "").lower() == "password"
        elif tag in ("script", "iframe", "frame"):
            self.counts[tag] += 1
        elif tag == "link" and "canonical" in attributes.get("rel", "").lower().split():
            self.canonical = self.canonical or attributes.get("href", "")[:2000]

    def _title(self) -> None:
        if self.title is not None:
            self.titles, self.title = "".join(self.title)[:4000] or " ", None

    def _add(self, words: str) -> None:
        self.length += len(words)
        cell = self._in_cell()
        (cell if cell is not None else self.buffer).append(words)

    def _boundary(self) -> None:
        cell = self._in_cell()
        if cell is None:
            self.flush()
        elif cell:
            cell.append("\n")

    def _emit(self, block: Block) -> None:
        self.blocks.append((block, bool(self.inside["main"]), bool(self.inside["article"])))

    def _superscript(self) -> None:
        """Keep an exponent ("10^24") and words, leave out the mark of a footnote, which would alter a figure."""
        words, self.sup = "".join(self.sup or ()), None
        before = "".join((self._in_cell() or self.buffer)[-3:])
        if re.search(r"(?:^|[×x*·\s])10\s*$", before) and re.fullmatch(r"\s*[-−]?\d+\s*", words):
            self._add("^" + words.strip())
        elif not _FOOTNOTE.fullmatch(words):
            self._add(f" {words} ")

    # Tables.

    def _in_cell(self) -> list[str] | None:
        return self.tables[-1].cell if self.tables else None

    def _cell(self, attributes: dict[str, str]) -> None:
        table = self.tables[-1]
        self._end_cell(table)
        table.row = [] if table.row is None else table.row
        table.cell = []
        table.spans = _span(attributes.get("colspan", ""), 30), _span(attributes.get("rowspan", ""), 100)

    def _end_cell(self, table: _Table) -> None:
        if table.cell is None or table.row is None:
            return
        self._carry(table)
        words, (across, down) = "".join(table.cell), table.spans
        place = sum(span for _, span in table.row)
        table.row.append((words, across))
        table.cell = None
        if down > 1:
            for column in range(place, place + across):
                table.carried[column] = (down, fold(words))

    def _carry(self, table: _Table) -> None:
        """Put in the cells that reach down from the rows above."""
        while table.row is not None and len(table.row) < 200:
            place = sum(span for _, span in table.row)
            left, words = table.carried.get(place, (0, ""))
            if left < 1:
                return
            table.row.append(("\0" + words, 1))

    def _unfold(self) -> None:
        """A table inside a cell: the outer one only lays out the page, so its cell so far is plain text."""
        if (cell := self._in_cell()) is not None:
            lines = "".join(cell).split("\n")
            cell.clear()
            for line in lines:
                if folded := fold(line):
                    self._emit(Block(folded, 0, self.tables[-1].aside))

    def _row(self) -> None:
        table = self.tables[-1]
        self._end_cell(table)
        if table.row is None:
            return
        self._carry(table)
        table.carried = {
            column: (left - 1, words) for column, (left, words) in table.carried.items() if left > 1
        }
        row, table.row = table.row, None
        if any(len(words) > 400 for words, _ in row):
            for words, _ in row:
                for line in words.split("\n"):
                    if folded := fold(line):
                        self._emit(Block(folded, 0, table.aside))
            return
        cells = [(fold(words), span) for words, span in row]
        spread = tuple(words.removeprefix("\0").strip() for words, span in cells for _ in range(span))[:200]
        printed = " | ".join(words for words, _ in cells if words and not words.startswith("\0"))
        if printed:
            self._emit(Block(printed, 0, table.aside, spread, table.columns))
        table.columns = table.columns or spread


def _span(text: str, most: int) -> int:
    return max(1, min(int(text), most)) if text.isascii() and text.isdigit() and len(text) < 5 else 1


def _main_told_apart(blocks: list[tuple[Block, bool, bool]], has_main: bool) -> list[Block]:
    """Mark what lies outside the element that holds the main text, where there is one with enough text in it."""
    plain = sum(len(block.words) for block, _, _ in blocks if not block.aside)
    in_main = sum(len(block.words) for block, inside, _ in blocks if inside and not block.aside)
    in_article = sum(len(block.words) for block, _, inside in blocks if inside and not block.aside)
    if not plain or plain < ENOUGH:
        # A page that is one big form, or whose body is named like a side column, has no other text.
        return [replace(block, aside="") if block.aside in (FORM, NAMED) else block for block, _, _ in blocks]
    if has_main and in_main >= ENOUGH:
        chosen = [inside for _, inside, _ in blocks]
    elif in_article >= max(ENOUGH, plain // 2):
        chosen = [inside for _, _, inside in blocks]
    else:
        return [block for block, _, _ in blocks]
    return [
        block if block.aside or inside else replace(block, aside=OUTSIDE)
        for (block, _, _), inside in zip(blocks, chosen, strict=True)
    ]
