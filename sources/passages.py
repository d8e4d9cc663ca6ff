"""Whether the words a citation rests on still stand in the text of their source.

Pure. The words are looked for as words and figures, whatever the layout: a table's cell is read with the name of its row
and, where the locator names one, of its column. What is in doubt is never called intact.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import islice

from sources.figures import Token, plain, same, tokens
from sources.page import Block
from sources.standins import standin
from sources.text import Text

LONGEST_PASSAGE = 2_000
MOST_PLACES = 5_000  # of one word that are tried; a hostile page has them by the hundred thousand
MOST_TOKENS = 300_000
CONTEXT = 4  # words before and after that tell one place from another
MOST_ANCHORS = 6
LIKE = 0.75  # of the words that make another wording of the same passage
_DECISIVE = frozenset(
    "not no none never without true false yes null unsupported deprecated removed up least most".split()
)
_GAP = re.compile(r"\s*(?:…|\[…\]|\.\.\.|\[\.\.\.\])\s*")


class Found(StrEnum):
    """How a passage stands. The last two but one raise “source changed, under review”."""

    INTACT = "intact"
    MOVED = "moved"
    REWORDED = "reworded"
    NUMBER_CHANGED = "number changed"
    GONE = "gone"
    COULD_NOT_LOOK = "could not look"


RAISES_REVIEW = frozenset({Found.NUMBER_CHANGED, Found.GONE})


@dataclass(frozen=True)
class Anchor:
    """Where a passage stood, kept for the next look: the heading above it and the words around each of its places."""

    heading: str = ""
    around: tuple[tuple[str, str], ...] = ()  # words before and after, as keys with blanks between


@dataclass(frozen=True)
class PassageStanding:
    """How a passage stands, why, and the nearest words of the text. `anchor` is None unless the words were found."""

    state: Found
    reason: str
    nearest: str = ""
    anchor: Anchor | None = None

    @property
    def raises_review(self) -> bool:
        """Whether every claim that cites the passage has to be reviewed."""
        return self.state in RAISES_REVIEW


class Prepared:
    """A text made ready for many passages: its tokens, the block of each, and the places of each word."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.why_not = _why_not(text)
        main = [] if self.why_not else [block for block in text.blocks if not block.aside]
        aside = [] if self.why_not else [block for block in text.blocks if block.aside]
        self.main, self.surroundings = Stream(main), Stream(aside)
        self.whole = text.whole and self.main.whole


class Stream:
    """The tokens of a row of blocks."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.blocks = blocks
        self.words = [plain(block.words) for block in blocks]
        self.tokens: list[Token] = []
        self.of_block: list[int] = []
        self.whole = True
        for number, words in enumerate(self.words):
            found = list(islice(tokens(words), MOST_TOKENS + 1 - len(self.tokens)))
            if len(self.tokens) + len(found) > MOST_TOKENS:
                self.whole = False
                break
            self.tokens += found
            self.of_block += [number] * len(found)

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each key stands, and each number by its plain value."""
        places: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            places.setdefault(token.key, []).append(place)
            if token.value and token.value != token.key:
                places.setdefault(token.value, []).append(place)
        return places

    def heading(self, place: int) -> str:
        """The heading above a place."""
        for block in reversed(self.blocks[: self.of_block[place] + 1]):
            if block.level:
                return " ".join(block.words.casefold().split())[:200]
        return ""

    def shown(self, start: int, end: int) -> str:
        """The words from one token to another, with a little around them, cut to 300 characters."""
        start, end = max(0, start), min(len(self.tokens), end)
        pieces = []
        for number in dict.fromkeys(self.of_block[start:end]):
            pieces.append(
                self.words[number] if len(self.words[number]) < 300 else self._part(number, start, end)
            )
        words = " · ".join(pieces)
        return words if len(words) <= 300 else words[:299] + "…"

    def _part(self, number: int, start: int, end: int) -> str:
        inside = [
            token
            for token, of in zip(self.tokens[start:end], self.of_block[start:end], strict=True)
            if of == number
        ]
        return "…" + self.words[number][max(0, inside[0].start - 40) : inside[-1].end + 40] + "…"


def prepare(text: Text) -> Prepared:
    """Return a text ready for `standing_of`; worth it where several passages of one source are looked for."""
    return Prepared(text)


def standing_of(
    words: str, locator: str, text: Text | Prepared, last: Anchor | None = None
) -> PassageStanding:
    """Return how a passage stands in the text. `last` is where it stood at the last look that found it.

    Give `last` where there is one: a bare figure ("8 TB/s") that stands in several places can only be told from its
    neighbours by the words that stood around it.
    """
    ready = text if isinstance(text, Prepared) else Prepared(text)
    if ready.why_not:
        return PassageStanding(Found.COULD_NOT_LOOK, ready.why_not)
    parts = [wanted for part in _GAP.split(words[:LONGEST_PASSAGE]) if (wanted := list(tokens(plain(part))))]
    if not parts:
        return PassageStanding(Found.COULD_NOT_LOOK, "The passage quotes no words of the source.")
    results = [_Search(part, locator, ready, last if len(parts) == 1 else None).result() for part in parts]
    worst = max(results, key=lambda result: list(Found).index(result.state))
    if not ready.whole and worst.raises_review:
        why = ready.text.why or "it is too long"
        return PassageStanding(
            Found.COULD_NOT_LOOK, f"The words were not found in what could be read: {why}.", worst.nearest
        )
    return worst


def _why_not(text: Text) -> str:
    """Why nothing can be said about any passage, "" where something can."""
    if text.kind in ("other", "empty"):
        return "The answer holds no text that could be read."
    if what := standin(text):
        return f"The page {what.reason}."
    if not any(block.words for block in text.blocks):
        return f"No text could be read: {text.why or 'the page is empty'}."
    return ""


class _Search:
    """One passage looked for in one text."""

    def __init__(self, wanted: list[Token], locator: str, ready: Prepared, last: Anchor | None) -> None:
        self.wanted, self.ready, self.last = wanted, ready, last
        self.located = [token.key for token in tokens(plain(locator[:400]))]
        self.words = [token for token in wanted if not token.figure]
        self.figures = [token for token in wanted if token.figure]
        self.capped = False

    def result(self) -> PassageStanding:
        found = self.found()
        if self.capped and found.raises_review:
            reason = "The page repeats single words of the passage too often to look at all of them."
            return PassageStanding(Found.COULD_NOT_LOOK, reason, found.nearest)
        return found

    def found(self) -> PassageStanding:
        main = self.ready.main
        places = self.exact(main)
        if column := self.in_named_column(main):
            return column
        if places:
            return self.altered(main, places) or self.standing(main, places)
        if changed := self.with_other_figures(main):
            return changed
        if beside := self.exact(self.ready.surroundings):
            return self.standing(self.ready.surroundings, beside)
        return self.nearest(main)

    # The words as they are.

    def exact(self, stream: Stream) -> list[int]:
        """The places where the words stand one after another."""
        rarest = min(range(len(self.wanted)), key=lambda n: len(self.candidates(stream, self.wanted[n])))
        length, have = len(self.wanted), stream.tokens
        found = []
        for place in self.limited(self.candidates(stream, self.wanted[rarest])):
            start = place - rarest
            fits = start >= 0 and start + length <= len(have)
            if fits and all(same(self.wanted[n], have[start + n]) for n in range(length)):
                found.append(start)
        return found

    def candidates(self, stream: Stream, token: Token) -> list[int]:
        if token.value and token.key == token.value:
            return stream.places.get(token.value, [])
        places = stream.places.get(token.key, [])
        if token.value:
            bare = stream.places.get(token.value, [])
            places = sorted({*places, *(p for p in bare[:MOST_PLACES] if same(token, stream.tokens[p]))})
        return places

    def standing(self, stream: Stream, places: list[int]) -> PassageStanding:
        anchor = self.anchor(stream, places)
        shown = stream.shown(places[0], places[0] + len(self.wanted))
        heading = anchor.heading
        if (
            self.last
            and self.last.heading
            and self.last.heading not in {stream.heading(p) for p in places[:50]}
        ):
            where = f"under “{heading[:80]}”" if heading else "outside any section"
            return PassageStanding(
                Found.MOVED,
                f"The words stand {where}, no longer under “{self.last.heading[:80]}”.",
                shown,
                anchor,
            )
        return PassageStanding(Found.INTACT, "The words stand in the source.", shown, anchor)

    def anchor(self, stream: Stream, places: list[int]) -> Anchor:
        length = len(self.wanted)
        around = tuple(
            (
                _keys(stream.tokens[max(0, p - CONTEXT) : p]),
                _keys(stream.tokens[p + length : p + length + CONTEXT]),
            )
            for p in places[:MOST_ANCHORS]
        )
        return Anchor(stream.heading(places[0]), around)

    def altered(self, stream: Stream, places: list[int]) -> PassageStanding | None:
        """A bare figure that still stands somewhere, but no longer where it stood: other figures stand there now."""
        if not self.last or len(self.words) > 2 or not self.figures:
            return None
        now = {around for p in places for around in self.anchor(stream, [p]).around}
        for before, after in self.last.around:
            kept = any((before and before == b) or (after and after == a) for b, a in now)
            if not kept and (place := self.after_words(stream, before.split())) is not None:
                return self.changed(stream, place, place + len(self.wanted))
        return None

    def after_words(self, stream: Stream, before: list[str]) -> int | None:
        """The place after these words where figures other than the wanted ones stand; None where there is none."""
        if len(before) < 2:
            return None
        for place in self.limited(stream.places.get(before[-1], [])):
            start = place - len(before) + 1
            if start < 0 or [token.key for token in stream.tokens[start : place + 1]] != before:
                continue
            here = stream.tokens[place + 1 : place + 1 + len(self.wanted)]
            if any(token.figure for token in here) and not self.holds_figures(here):
                return place + 1
        return None

    # Tables.

    def in_named_column(self, stream: Stream) -> PassageStanding | None:
        """Read the cells of the column that the locator names, each with the name of its row.

        None where the locator names no column of a table that has such a row.
        """
        other: tuple[int, str] | None = None
        for number, block in enumerate(stream.blocks):
            if len(block.cells) < 2 or len(block.columns) != len(block.cells):
                continue
            columns = self.named_columns(block.columns)
            if not columns or not self.about(block.cells[0]):
                continue
            row = list(tokens(plain(block.cells[0])))
            for column in columns:
                cell = list(tokens(plain(block.cells[column])))
                if _within(self.wanted, row + cell):
                    place = self.first_place(stream, number)
                    anchor = Anchor(stream.heading(place), (self.anchor(stream, [place]).around))
                    return PassageStanding(
                        Found.INTACT,
                        "The words stand in their row and column.",
                        stream.words[number][:300],
                        anchor,
                    )
                if any(token.figure for token in cell) and not self.holds_figures(cell):
                    other = other or (number, block.cells[column])
        if other:
            number, reads = other
            reason = f"The column that is cited reads “{reads[:80]}” in this row now."
            return PassageStanding(Found.NUMBER_CHANGED, reason, stream.words[number][:300])
        return None

    def first_place(self, stream: Stream, block: int) -> int:
        """The first token of a block."""
        low, high = 0, len(stream.of_block)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if stream.of_block[middle] < block else (low, middle)
        return min(low, len(stream.tokens) - 1)

    def named_columns(self, columns: tuple[str, ...]) -> list[int]:
        """The columns whose whole name the locator holds; of two that it holds, the longer name is meant."""
        held = []
        for number, name in enumerate(columns[1:], 1):
            keys = [token.key for token in tokens(plain(name[:200]))]
            if keys and _contains(self.located, keys):
                held.append((len(keys), number))
        longest = max(held, default=(0, 0))[0]
        return [number for length, number in held if length == longest]

    def about(self, row: str) -> bool:
        """Whether the passage names this row: its words that are no figures are all in the row's name, or the reverse."""
        named = {token.key for token in tokens(plain(row[:400])) if not token.figure}
        mine = {token.key for token in self.words}
        return bool(named) and bool(mine) and (mine <= named or named <= mine)

    # The words with something altered.

    def with_other_figures(self, stream: Stream) -> PassageStanding | None:
        """The very same words in the very same order, with other figures between them."""
        if len(self.words) < 2 or not self.figures:
            return None
        rarest = min(self.words, key=lambda token: len(stream.places.get(token.key, ())))
        offset = self.wanted.index(rarest)
        for place in self.limited(stream.places.get(rarest.key, [])):
            start = place - offset
            here = stream.tokens[max(0, start) : max(0, start) + len(self.wanted)]
            if start < 0 or len(here) < len(self.wanted):
                continue
            if all(same(w, h) or (w.figure and h.figure) for w, h in zip(self.wanted, here, strict=True)):
                return self.changed(stream, start, start + len(self.wanted))
        return None

    def changed(self, stream: Stream, start: int, end: int) -> PassageStanding:
        here = stream.tokens[start:end]
        missing = [w for w in self.figures if not any(same(w, h) for h in here)]
        cited = ", ".join(self.raw(token) for token in missing[:4])
        reason = f"The source reads “{stream.shown(start, end)[:120]}” where “{cited}” was cited."
        return PassageStanding(Found.NUMBER_CHANGED, reason, stream.shown(start - 2, end + 2))

    def raw(self, token: Token) -> str:
        """A figure for people: a key holds what is compared, the value what was printed."""
        return (token.value or token.key).lstrip("#") if "/" not in token.value else token.key.lstrip("#")

    def nearest(self, stream: Stream) -> PassageStanding:
        """The stretch of text that has most of the words, and what follows from it."""
        place, size = self.best_window(stream)
        if place is None:
            return self.lost(stream)
        here = stream.tokens[place : place + size]
        have = Counter(token.key for token in here if not token.figure)
        need = Counter(token.key for token in self.words)
        share = sum((have & need).values()) / max(1, sum(need.values()))
        shown = stream.shown(place, place + size)
        decisive = {key for key in need if key in _DECISIVE} ^ {
            token.key for token in self.core(here, need) if token.key in _DECISIVE
        }
        if share >= 0.6 and self.figures and not self.holds_figures(here):
            if any(token.figure for token in here):
                return self.changed(stream, place, place + size)
            return PassageStanding(
                Found.GONE, "The words stand, but without the figure that is cited.", shown
            )
        if share >= LIKE and len(self.words) >= 3 and not decisive:
            return PassageStanding(Found.REWORDED, "The source says it in other words.", shown)
        if share >= LIKE and len(self.words) == 2 and self.figures and not decisive:
            return PassageStanding(Found.REWORDED, "The source says it in other words.", shown)
        if share >= LIKE and decisive:
            reason = f"The source says something else: “{', '.join(sorted(decisive))}” makes the difference."
            return PassageStanding(Found.GONE, reason, shown)
        return self.lost(stream, shown if share >= 0.5 else "")

    def core(self, here: list[Token], need: Counter[str]) -> list[Token]:
        """The stretch from the first to the last of the wanted words."""
        at = [n for n, token in enumerate(here) if token.key in need]
        return here[at[0] : at[-1] + 1] if at else []

    def lost(self, stream: Stream, shown: str = "") -> PassageStanding:
        if self.last and self.figures:
            for before, _ in self.last.around:
                if (place := self.after_words(stream, before.split())) is not None:
                    return self.changed(stream, place, place + len(self.wanted))
        return PassageStanding(Found.GONE, "The words no longer stand in the source.", shown)

    def best_window(self, stream: Stream) -> tuple[int | None, int]:
        """Where the most of the words stand close together, counted in one pass; figures decide between equals."""
        size = len(self.wanted) + max(6, len(self.wanted) // 2)
        need = Counter(token.key for token in self.words)
        if not need:
            return None, size
        exact = {token.key for token in self.figures} | {token.value for token in self.figures if token.value}
        hits = sorted(
            {place for key in (*need, *exact) for place in self.limited(stream.places.get(key, []))}
        )
        have: Counter[str] = Counter()
        score = figures = first = 0
        best: tuple[tuple[int, int, int], int] | None = None
        run = stream.tokens
        for end in hits:
            key = run[end].key
            have[key] += 1
            score += have[key] <= need[key]
            figures += key not in need
            while hits[first] <= end - size:
                key = run[hits[first]].key
                score -= have[key] <= need[key]
                have[key] -= 1
                figures -= key not in need
                first += 1
            # What is shown and compared begins where the words do.
            rank = (score, min(figures, len(self.figures)), -end)
            if best is None or rank > best[0]:
                best = (rank, hits[first])
        return (best[1] if best else None), size

    def limited(self, places: list[int]) -> list[int]:
        """The first of these places, as many as are tried; that there were more is remembered."""
        self.capped = self.capped or len(places) > MOST_PLACES
        return places[:MOST_PLACES]

    def holds_figures(self, here: Sequence[Token]) -> bool:
        """Whether every figure of the passage is among these tokens."""
        left = [token for token in here if token.figure]
        for figure in self.figures:
            match = next((n for n, token in enumerate(left) if same(figure, token)), None)
            if match is None:
                return False
            left.pop(match)
        return True


def _keys(found: Sequence[Token]) -> str:
    return " ".join(token.key for token in found)


def _contains(haystack: Sequence[str], needle: Sequence[str]) -> bool:
    return any(haystack[n : n + len(needle)] == needle for n in range(len(haystack) - len(needle) + 1))


def _within(wanted: Sequence[Token], here: Sequence[Token]) -> bool:
    """Whether the wanted tokens stand among these one after another."""
    last = len(here) - len(wanted)
    return any(all(same(w, here[n + m]) for m, w in enumerate(wanted)) for n in range(last + 1))
