"""No input whatever makes the readers raise anything but Unreadable, whose sentence is short and says what to do."""

import json
import re
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registry.readers import read
from registry.readers.errors import Unreadable
from tests.readers.made import ALL, LLAMA_TABLE

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-10, 10**40),
    st.floats(),
    st.sampled_from(
        ["", "None", "inf", "NaN", "1,234.5", "-1", "0", "x" * 400, "a/b/c/d", "\ud800", "\x00", "p99"]
    ),
    st.text(max_size=20),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
)
SAMPLES = [*ALL.values()]


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where anything stands in a sample."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, inner in items for found in ((*path, key), *spots(inner, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """The sample with another value at one place."""
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], other)
    return copy


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A sample in which up to three things are something else."""
    sample = draw(st.sampled_from(SAMPLES))
    for _ in range(draw(st.integers(1, 3))):
        if places := spots(sample):
            sample = put(sample, draw(st.sampled_from(places)), draw(ODD))
    return json.dumps([sample] * draw(st.integers(1, 2))).encode()


def read_or_refused(data: bytes) -> None:
    """A report, or a refusal in words; any other exception fails the test."""
    try:
        found = read(data)
    except Unreadable as error:
        sentence = str(error)
    else:
        assert found.runs
        return
    assert re.fullmatch(r"[^\x00-\x1f]{20,3000}\.", sentence)


@given(st.binary(max_size=300))
def test_any_bytes(data):
    read_or_refused(data)


@given(st.text(alphabet='{}[]",:0123456789eE+-.\\ \n\ttrufalsn|#NIy', max_size=200))
def test_any_text_that_looks_like_json(text):
    read_or_refused(text.encode())


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(damaged())
def test_any_damaged_result(data):
    read_or_refused(data)


@given(st.data())
def test_any_cut_or_spliced_result(data):
    text = data.draw(st.sampled_from([json.dumps(sample) for sample in SAMPLES] + [LLAMA_TABLE]))
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    read_or_refused((text[:start] + data.draw(st.text(max_size=10)) + text[end:]).encode("utf-8", "replace"))


@given(st.sampled_from(sorted(ALL)), st.sampled_from(["utf-8-sig", "utf-16", "utf-16-le"]), st.booleans())
def test_a_result_reads_the_same_however_it_is_wrapped(tool, encoding, windows):
    text = "INFO 01-02 starting\n" + json.dumps(ALL[tool], indent=1) + "\ndone\n"
    wrapped = (text.replace("\n", "\r\n") if windows else text).encode(encoding)
    assert read(wrapped) == read(json.dumps(ALL[tool]).encode())
    assert read(wrapped).tool == tool
