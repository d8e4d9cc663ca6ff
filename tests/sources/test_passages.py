"""Passages against altered copies of the page they are cited from: no altered figure passes, no new layout alarms."""

import time

import pytest

from sources.passages import Anchor, Found, prepare, standing_of
from sources.text import Text, read
from tests.sources.source_page import ALTERED, LAYOUT, PAGE, PASSAGES, STANDINS, Mutation


def text_of(html: str) -> Text:
    return read(html.encode(), "text/html", html)


def anchors() -> dict[str, Anchor]:
    found = {name: standing_of(*passage, text_of(PAGE)).anchor for name, passage in PASSAGES.items()}
    return {name: anchor for name, anchor in found.items() if anchor}


LAST = anchors()


def look(mutation: Mutation, known: bool) -> dict[str, tuple[str, str]]:
    ready = prepare(text_of(mutation.html))
    found = {
        name: standing_of(*passage, ready, LAST[name] if known else None)
        for name, passage in PASSAGES.items()
    }
    return {name: (str(one.state), f"{one.reason} [{one.nearest}]") for name, one in found.items()}


def test_every_passage_stands_in_the_page_it_was_cited_from() -> None:
    assert LAST.keys() == PASSAGES.keys()


@pytest.mark.parametrize("mutation", LAYOUT, ids=lambda mutation: mutation.name)
def test_a_new_layout_raises_nothing(mutation: Mutation) -> None:
    for known in (True, False):
        for name, (state, why) in look(mutation, known).items():
            allowed = {"intact", "moved", mutation.found.get(name, "intact")}
            assert state in allowed, (name, known, state, why)


@pytest.mark.parametrize("mutation", [one for one in LAYOUT if one.found], ids=lambda mutation: mutation.name)
def test_what_was_said_otherwise_or_elsewhere_is_named(mutation: Mutation) -> None:
    found = look(mutation, True)
    assert {name: found[name][0] for name in mutation.found} == mutation.found


@pytest.mark.parametrize("mutation", ALTERED, ids=lambda mutation: mutation.name)
def test_what_was_altered_is_found_and_nothing_else(mutation: Mutation) -> None:
    for name, (state, why) in look(mutation, True).items():
        if wanted := mutation.found.get(name):
            assert state in wanted.split("|"), (name, state, why)
        else:
            assert state == "intact", (name, state, why)


@pytest.mark.parametrize("mutation", ALTERED, ids=lambda mutation: mutation.name)
def test_what_was_altered_never_passes_as_intact_at_a_first_look(mutation: Mutation) -> None:
    for name, (state, why) in look(mutation, False).items():
        # A bare figure that stands elsewhere too can only be told by what stood around it before.
        if name in mutation.found and not (name == "bare figure" and "elsewhere" in mutation.name):
            assert state in ("number changed", "gone"), (name, state, why)


@pytest.mark.parametrize("mutation", STANDINS, ids=lambda mutation: mutation.name)
def test_a_page_in_the_place_of_the_source_says_nothing_about_its_words(mutation: Mutation) -> None:
    assert {state for state, _ in look(mutation, True).values()} == {"could not look"}


def test_there_are_at_least_thirty_copies() -> None:
    assert len(LAYOUT) + len(ALTERED) + len(STANDINS) >= 30


@pytest.mark.parametrize(
    ("words", "page", "state"),
    [
        ("3.35TB/s of bandwidth", "It has 3.35 TB/s of bandwidth.", "intact"),
        ("1,979 TFLOPS at FP8", "rated 1979 TFLOPS at FP8", "intact"),
        ("1,979 TFLOPS at FP8", "rated 1\u202f979 TFLOPS at FP8", "intact"),
        ("holds 3 TB of memory", "It holds 4 TB of memory.", "number changed"),
        ("holds 3 TB of memory", "It holds 3 TiB of memory.", "number changed"),
        ("holds 3 TB of memory", "It holds 3.0 TB of memory.", "intact"),
        ("holds 80 GB of memory", "It holds 180 GB of memory.", "number changed"),
        ("uses 80 GB HBM3", "It uses 80 GB HBM3e today", "number changed"),
        ("32 billion active parameters", "32B active parameters", "intact"),
        ("License: glm-5.3", "License: MIT, and more words of no interest here", "gone"),
        ("supports … of memory", "It supports up to a lot. And 12 GB of memory.", "intact"),
        ("", "Anything at all.", "could not look"),
        ("—", "Anything at all.", "could not look"),
    ],
)
def test_figures_are_compared_as_figures(words: str, page: str, state: str) -> None:
    found = standing_of(words, "anywhere", text_of(f"<html><body><p>{page}</p></body></html>"))
    assert found.state == state, found


def test_words_missing_from_a_page_that_was_cut_may_stand_in_the_rest_of_it() -> None:
    start = PAGE[: PAGE.index("In a system")]
    cut = read(start.encode(), "text/html", start, cut=True)
    found = standing_of(*PASSAGES["aggregate"], cut)
    assert found.state is Found.COULD_NOT_LOOK
    assert "only the first part was fetched" in found.reason
    assert standing_of(*PASSAGES["capacity"], cut).state is Found.INTACT


def test_words_that_stand_only_in_the_banner_of_a_page_stand() -> None:
    banner = PAGE.replace("<main>", "<header>Now with 512 MB of cache</header><main>")
    assert standing_of("512 MB of cache", "top of the page", text_of(banner)).state is Found.INTACT


def test_a_page_of_hostile_depth_is_not_taken_for_one_that_lost_its_words() -> None:
    deep = text_of("<html><body>" + "<div>" * 50_000 + "Memory bandwidth 3.35 TB/s")
    assert not deep.whole
    assert "too deeply" in deep.why


def test_a_changed_number_is_shown_with_the_words_around_it() -> None:
    altered = standing_of(*PASSAGES["bandwidth"], text_of(PAGE.replace("3.35TB/s", "4.8TB/s")))
    assert "4.8TB/s" in altered.reason
    assert "Memory bandwidth" in altered.nearest
    assert altered.raises_review


HOSTILE = {
    "one word again and again": ("memory bandwidth 3.35 TB/s", "memory bandwidth " * 120_000),
    "one figure again and again": ("8 TB/s", "8 TB/s 9 TB/s " * 140_000),
    "almost the passage": ("a a a a a a a a a a a a a a a b", "a a a a a a a a c " * 110_000),
    "the passage again and again": ("memory bandwidth 3.35 TB/s", "memory bandwidth 3.36 TB/s " * 75_000),
    "digits without end": ("3.35 TB/s memory", "3" * 2_000_000),
    "groups without end": ("3.35 TB/s memory", "1,000" + ",000" * 499_000),
    "letters without end": ("3.35 TB/s memory", "é" * 1_000_000),
    "dots and blanks": ("3.35 TB/s memory", ". - / " * 330_000),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_two_megabytes_of_hostile_text_take_seconds_at_most(case: str) -> None:
    words, filler = HOSTILE[case]
    began = time.process_time()
    standing_of(words, "table, X2 column", read(filler.encode(), "text/plain", filler))
    standing_of(words, "table, X2 column", text_of(f"<html><body><table><tr><td>{filler}</table>"))
    assert time.process_time() - began < 12
