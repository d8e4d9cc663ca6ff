"""From bytes as they come to JSON documents and lines of text, in bounded time and memory.

Result files are written by scripts, terminals and spreadsheets: UTF-16 from PowerShell, log lines before the JSON,
several documents appended, bare NaN. The structure is scanned before `json.loads` sees it, so that depth, number size
and number of values are known to be small; long arrays without objects (per-request timings, generated texts) are cut
out unread.
"""

import json
import re
from dataclasses import dataclass

from registry.readers.errors import Unreadable, quoted
from registry.readers.numbers import INFINITE, decimal
from registry.readers.text import as_utf8

MAX_DEPTH = 64
MAX_DOCUMENTS = 200_000  # tried or read
MAX_VALUES = 2_500_000  # about 300 MB as Python objects
MAX_TOKENS = 4_000_000  # strings and brackets the scan goes over, about 2 s
LONG_ARRAY = 128 * 1024  # bytes of text; an array of this size without objects is per-request detail

# A text of JSON holds no line break, so one that is not closed in its line is never searched further.
TOKEN = re.compile(rb'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"|["\[\]{}]|(?<![0-9.])[0-9][0-9.eE+-]{79,}')
# How JSON begins. “[INFO]”, “[1/3]” and “[2026-01-02 03:04]” of a log do not match.
OPENING = rb'(?:\{\s*+["}]|\[\s*+(?:[\[{"\]]|-?+[0-9][0-9.eE+-]*+\s*+[,\]]|(?:NaN|-?Infinity|true|false|null)\s*+[,\]]))'
CANDIDATE = re.compile(rb"^[ \t]*+(?=" + OPENING + rb")", re.MULTILINE)
FURTHER = re.compile(OPENING)
BETWEEN = re.compile(rb"[ \t\n,]*+")
CERTAIN = re.compile(rb'\{|\[\s*+\{\s*+["}]')


@dataclass(frozen=True)
class Documents:
    """What a file holds: JSON documents in their order, and the text outside them (all of a CSV, table or log).

    Numbers are Decimal, NaN is None, infinity is `numbers.INFINITE`. `left_out` counts the long arrays that were cut
    out; each reads as None.
    """

    objects: tuple[object, ...]
    text: str
    left_out: int = 0


@dataclass
class Budget:
    """What reading one file may cost."""

    documents: int = MAX_DOCUMENTS
    values: int = MAX_VALUES
    tokens: int = MAX_TOKENS
    retries: int = 0  # bytes that may be scanned and then turn out not to be JSON

    def spend_document(self) -> None:
        self.documents -= 1
        if self.documents < 0:
            raise Unreadable(
                f"The file holds more than {MAX_DOCUMENTS:,} JSON documents. Cut it down to the result itself."
            )

    def spend_tokens(self) -> None:
        self.tokens -= 1
        if self.tokens < 0:
            raise Unreadable(
                f"The file holds more than {MAX_TOKENS:,} texts and brackets. Export the results without "
                "per-request details."
            )

    def spend_values(self, piece: bytes) -> None:
        self.values -= piece.count(b",") + piece.count(b":") + piece.count(b"[") + piece.count(b"{")
        if self.values < 0:
            raise Unreadable(
                f"The file holds more than {MAX_VALUES:,} values. Export the results without per-request details."
            )

    def spend_retry(self, size: int) -> None:
        self.retries -= size
        if self.retries < 0:
            raise Unreadable(
                "Too many lines look like the beginning of JSON and are none. "
                "Cut the file down to the result itself."
            )


class NotJson(Exception):
    """What began like JSON is none: a line of a log, perhaps."""


class Unclosed(Exception):
    """A document or a text in it does not end; `reached` is how far it was looked for."""

    def __init__(self, reached: int) -> None:
        self.reached = reached


def decode(data: bytes) -> Documents:
    """Everything in the file, as documents and text. Raises Unreadable."""
    data = as_utf8(data)
    budget = Budget(retries=2 * len(data) + 1_000_000)
    objects: list[object] = []
    outside: list[bytes] = []
    position = told = left_out = 0
    while found := CANDIDATE.search(data, position):
        position = found.end()
        try:
            while FURTHER.match(data, position):
                document, end, cuts = document_at(data, position, budget)
                objects.append(document)
                left_out += cuts
                outside.append(data[told:position])
                position = told = BETWEEN.match(data, end).end()  # type: ignore[union-attr]
        except NotJson:
            position += 1  # a line of text; the next candidate is on another line
    outside.append(data[told:])
    return Documents(tuple(objects), b"".join(outside).strip(b" \n").decode().strip("\ufeff"), left_out)


def document_at(data: bytes, start: int, budget: Budget) -> tuple[object, int, int]:
    """The JSON document that begins here, where it ends, and how many arrays were cut out of it."""
    budget.spend_document()
    certain = CERTAIN.match(data, start) is not None
    try:
        end, cuts = extent(data, start, budget)
    except Unclosed as error:
        if certain:
            raise Unreadable(
                f"The JSON that begins on line {line_of(data, start)} does not end: the file seems cut off. "
                "Upload the whole file."
            ) from None
        budget.spend_retry(error.reached - start)
        raise NotJson from None
    piece = without(data, start, end, cuts)
    budget.spend_values(piece)
    try:
        return parse(piece), end, len(cuts)
    except ValueError as error:
        budget.spend_retry(end - start)
        if not certain:
            raise NotJson from None
        # The parser's message names a line and column of the document and quotes nothing of it.
        raise Unreadable(
            f"The JSON that begins on line {line_of(data, start)} is broken: {error}. Write it again with the tool."
        ) from None


def line_of(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1


def extent(data: bytes, start: int, budget: Budget) -> tuple[int, list[tuple[int, int]]]:
    """Where the document ends, and the long arrays without objects inside it. Raises Unclosed."""
    open_at: list[int] = []
    last_object = -1  # where the newest object began; an array that began later holds none
    cuts: list[tuple[int, int]] = []
    for token in TOKEN.finditer(data, start):
        budget.spend_tokens()
        position = token.start()
        mark = data[position]
        if mark in b"[{":
            open_at.append(position)
            last_object = position if mark == 0x7B else last_object
            if len(open_at) > MAX_DEPTH:
                raise Unreadable(
                    f"The JSON is nested deeper than {MAX_DEPTH} levels, which no benchmark tool writes. "
                    "Upload the tool's own result file."
                )
        elif mark in b"]}":
            began = open_at.pop()
            if not open_at:
                return token.end(), cuts
            if mark == 0x5D and began > last_object and token.end() - began > LONG_ARRAY:
                while cuts and cuts[-1][0] > began:
                    cuts.pop()
                cuts.append((began, token.end()))
        elif token.end() - position == 1:
            raise Unclosed(token.end())  # a quotation mark whose text never ends
        elif mark != 0x22:
            raise Unreadable(
                f"A number of {token.end() - position:,} characters begins with "
                f"{quoted(data[position : position + 20].decode())}: no measurement has that many digits. "
                "Correct the file."
            )
    raise Unclosed(len(data))


def without(data: bytes, start: int, end: int, cuts: list[tuple[int, int]]) -> bytes:
    """The document's text with null in the place of each cut."""
    pieces = []
    for began, ended in cuts:
        pieces += [data[start:began], b"null"]
        start = ended
    pieces.append(data[start:end])
    return b"".join(pieces)


def parse(piece: bytes) -> object:
    return json.loads(
        piece.decode(),
        parse_float=decimal,
        parse_int=decimal,
        parse_constant=lambda word: None if word == "NaN" else INFINITE,
        object_pairs_hook=unique,
    )


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object none of whose keys stands twice: two values for one key leave open which one was measured."""
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Unreadable(
            f"The key {quoted(twice)} stands twice in one object, so its value is ambiguous. "
            "Remove the wrong one."
        )
    return found
