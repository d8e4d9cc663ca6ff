"""The text of a fetched document: its title, headings, paragraphs and table rows, with what surrounds them told apart.

Pure: nothing is fetched. Time and memory grow with the length of the input, whatever it holds: HTML is read as a
stream of events (a tree of hostile HTML costs quadratic time to build), PDF in a process of its own with limits.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic

from sources.page import MOST_BLOCKS, Block, Page, fold, read_page
from sources.pdf import pdf_text

LONGEST_TITLE = 300
FINGERPRINT = "1"  # raised when the same page would give another fingerprint

_VOLATILE = re.compile(
    r"©|\(c\) \d{4}|copyright|all rights reserved|(?:last|page) (?:updated|modified|reviewed)|updated on|today is|visitor|"
    r"page views|generated (?:on|at|in)|\d+ (?:views|likes|shares|comments|downloads)\b",
    re.I,
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE_ONLY = re.compile(
    rf"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}}\.?,? )?(?:\d{{1,2}}(?:st|nd|rd|th)?\.? {_MONTH},? \d{{4}}"
    rf"|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}})"
    r"(?:,?[ T]\d\d?:\d\d.{0,12})?",
    re.I,
)
_RETRACTION = re.compile(
    r"\b(?:retracted|retraction (?:notice|note|of)|has been (?:retracted|withdrawn)|this (?:paper|article|preprint|version) "
    r"(?:has been|was|is) (?:retracted|withdrawn)|(?:paper|article|submission) withdrawn|withdrawn by (?:the )?authors?|"
    r"expression of concern)\b",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\s+\|\s+|\n")


@dataclass(frozen=True)
class Text:
    """What can be read of one document.

    `kind` is html, pdf, plain, other (a type that is not read) or empty. `whole` is false where the document was cut
    or could not be read to its end, so that words may be missing which the source does have; `why` then says so.
    """

    kind: str
    title: str = ""
    blocks: tuple[Block, ...] = ()
    whole: bool = True
    why: str = ""
    page: Page = field(default_factory=Page)

    @property
    def heading(self) -> str:
        """The first heading, or the first words of a page without any."""
        first = next((block.words for block in self.blocks if block.level == 1), "")
        first = first or next((block.words for block in self.blocks if block.level and not block.aside), "")
        return first[:LONGEST_TITLE]

    @property
    def main(self) -> tuple[Block, ...]:
        """The blocks that are no navigation, banner, side column, form or footer."""
        return tuple(block for block in self.blocks if not block.aside)

    @property
    def words(self) -> str:
        """The main text, one block a line."""
        return "\n".join(block.words for block in self.main)

    @property
    def retraction(self) -> str:
        """The words by which the title or a short notice says that the work was retracted or withdrawn; "" for none."""
        for words in (self.title, *(block.words for block in self.blocks if len(block.words) < 300)):
            # A notice starts with the word or speaks of this very article; a sentence about others does neither.
            if (found := _RETRACTION.search(words)) and (
                found.start() < 3 or re.search(r"\bthis\b", words[: found.end()], re.I)
            ):
                return words[:LONGEST_TITLE]
        return ""

    @property
    def fingerprint(self) -> str:
        """Version and two digests of the main text: one of its words in order, one of its sentences in any order."""
        lasting = [block.words for block in self.main if not _passing(block.words)]
        if not lasting:
            return ""
        in_order = "".join(" ".join(lasting).split()).casefold()
        sentences = sorted(
            "".join(piece.split()).casefold() for words in lasting for piece in _SENTENCE.split(words)
        )
        return f"{FINGERPRINT}:{_digest(in_order)}:{_digest(chr(10).join(filter(None, sentences)))}"


def same_text(one: str, other: str) -> bool | None:
    """Say whether two fingerprints are of the same text; None where they cannot be compared."""
    if not one or not other or one.split(":")[0] != other.split(":")[0]:
        return None
    # New layout moves the ends of blocks, reordering moves whole sentences: either digest alone proves sameness.
    return any(mine == theirs for mine, theirs in zip(one.split(":")[1:], other.split(":")[1:], strict=False))


def read(
    body: bytes, content_type: str = "", text: str = "", cut: bool = False, seconds: float = 5.0
) -> Text:
    """Return the text of a body. `text` is the decoded body where the caller has it; `cut` says it is not all of it."""
    kind = kind_of(body, content_type)
    if kind == "pdf":
        blocks, title, why = _pdf(body, seconds)
        why = why or ("only the first part was fetched" if cut else "")
        return Text("pdf", title[:LONGEST_TITLE], blocks, not why, why)
    if kind in ("other", "empty"):
        return Text(kind, whole=kind == "empty", why="" if kind == "empty" else "its type is not read")
    words = text or body.decode("utf-8", "replace")
    if kind == "plain":
        lines = tuple(islice(_lines(words), MOST_BLOCKS + 1))
        part = "only the first part was fetched" if cut else ""
        why = "it holds too many lines" if len(lines) > MOST_BLOCKS else part
        return Text("plain", "", lines, not why, why)
    page = read_page(words, monotonic() + seconds)
    why = page.stopped or ("only the first part was fetched" if cut else "")
    return Text("html", page.title[:LONGEST_TITLE], page.blocks, not why, why, page)


def kind_of(body: bytes, content_type: str) -> str:
    """Return html, pdf, plain, other or empty: what the first bytes say, and the header where they say nothing."""
    start = body[:1024].lstrip(b"\xef\xbb\xbf \t\r\n\0")
    named = content_type.partition(";")[0].strip().lower()
    if b"%PDF-" in body[:1024]:
        return "pdf"
    if not start:
        return "empty"
    if re.match(rb"<!doctype html|<html|<head|<body|<!--|<title|<h1|<p>|<div|<script", start, re.I):
        return "html"
    if named in ("text/html", "application/xhtml+xml"):
        return "html"
    if named.startswith("text/") or re.search(r"[/+](?:json|xml|yaml|x-yaml|toml|javascript)$", named):
        return "html" if named.endswith("xml") else "plain"
    if b"\0" in body[:1024] or re.match(r"(?:image|audio|video|font)/|application/(?:zip|gzip|x-)", named):
        return "other"
    if named.startswith("application/") and named != "application/octet-stream":
        return "other"
    return "html" if re.search(rb"<(?:p|div|html|body|h[1-6]|table)\b", start, re.I) else "plain"


def _pdf(body: bytes, seconds: float) -> tuple[tuple[Block, ...], str, str]:
    read_out, why = pdf_text(body, seconds)
    return tuple(_lines(read_out.text)), read_out.title, why


def _lines(words: str) -> Iterator[Block]:
    """One block for each line: the lines of a data sheet and of a configuration file are its rows."""
    for line in words.splitlines():
        if folded := fold(line):
            yield Block(folded)


def _passing(words: str) -> bool:
    """Say whether a short block only dates, counts or owns the page."""
    return len(words) < 160 and bool(
        _VOLATILE.search(words) or (len(words) < 40 and _DATE_ONLY.fullmatch(words))
    )


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:32]
