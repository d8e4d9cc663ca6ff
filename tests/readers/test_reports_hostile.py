"""Reports cut short, with wrong types and out of range: each gives a report or one clear sentence, nothing else."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from registry.readers import read
from registry.readers.errors import Unreadable
from tests.readers.made_reports import ALL

STRANGE = [
    None,
    "x",
    "",
    -1,
    0,
    True,
    [],
    {},
    [[]],
    {"a": {}},
    10**29,
    1e-29,
    "inf",
    "1,234.5",
    "x" * 2000,
    "../../etc",
]


def as_bytes(content: object) -> bytes:
    return (content if isinstance(content, str) else json.dumps(content)).encode()


def refusal(data: bytes) -> str:
    """The sentence a file is refused with; a full stop alone where it is read."""
    try:
        read(data)
    except Unreadable as error:
        return str(error)
    return "."


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value of a document."""
    items = (
        content.items()
        if isinstance(content, dict)
        else enumerate(content)
        if isinstance(content, list)
        else ()
    )
    for key, value in items:
        if key in ("errored", "incomplete", "total") and isinstance(value, dict):
            continue  # GuideLLM's other statuses, which are not read
        yield (*path, key)
        yield from places(value, (*path, key))


def changed(content: Any, path: tuple[Any, ...], value: object) -> Any:
    whole = copy.deepcopy(content)
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return whole


@pytest.mark.parametrize("name", [name for name in ALL if not isinstance(ALL[name], str)])
def test_a_strange_value_anywhere_is_read_or_refused_in_a_sentence(name):
    for path in places(ALL[name]):
        for value in STRANGE if len(path) < 7 else STRANGE[:3]:
            assert refusal(as_bytes(changed(ALL[name], path, value))).endswith("."), (path, value)


@pytest.mark.parametrize("name", [name for name in ALL if isinstance(ALL[name], str)])
def test_a_strange_cell_anywhere_is_read_or_refused_in_a_sentence(name):
    lines = ALL[name].splitlines()
    for number, line in enumerate(lines):
        mark = "\t" if "\t" in line else "," if "," in line else ":"
        for place in range(line.count(mark) + 1):
            for value in ("", "x", "-1", "1e29", "nan", '"', "[1, 2]", "9" * 200):
                cells = line.split(mark)
                cells[place] = value
                text = "\n".join([*lines[:number], mark.join(cells), *lines[number + 1 :]])
                assert refusal(text.encode()).endswith("."), (number, place, value)


@pytest.mark.parametrize("name", ALL)
def test_a_file_cut_anywhere_is_read_or_refused_in_a_sentence(name):
    whole = as_bytes(ALL[name])
    for end in range(1, len(whole), 7):
        assert refusal(whole[:end]).endswith("."), end


@pytest.mark.parametrize("name", ALL)
def test_what_a_spreadsheet_or_terminal_does_to_a_file_changes_nothing(name):
    text = as_bytes(ALL[name]).decode()
    expected = read(text.encode())
    assert read(b"\xef\xbb\xbf" + text.replace("\r\n", "\n").replace("\n", "\r\n").encode()) == expected
    assert read(text.encode("utf-16")) == expected


@pytest.mark.parametrize("name", ALL)
def test_every_sample_is_known_to_one_reader(name):
    assert read(as_bytes(ALL[name])).runs
