"""Unpacking within limits, and text in the encoding it is really in."""

import contextlib
import gzip
import time
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.clients.bodies import decoded, is_text, unpacked
from sources.clients.exchange import NotFetchedError

WORDS = b"<p>Words that stand here.</p>" * 100
BARE = zlib.compressobj(9, zlib.DEFLATED, -15)
PACKED = {
    "gzip": gzip.compress(WORDS),
    "x-gzip": gzip.compress(WORDS),
    "deflate": zlib.compress(WORDS),
    "deflate, bare": BARE.compress(WORDS) + BARE.flush(),
    "": WORDS,
    "identity": WORDS,
    "utf-8": WORDS,
}


def pieces(data, size=7):
    return (data[at : at + size] for at in range(0, len(data), size))


@pytest.mark.parametrize("encoding", PACKED)
def test_bodies_are_unpacked(encoding):
    body = unpacked(pieces(PACKED[encoding]), encoding.split(", bare")[0], 10_000)
    assert (body.content, body.bytes_read, body.truncated) == (WORDS, len(PACKED[encoding]), False)


def test_members_of_a_gzip_file_are_joined_and_padding_is_left():
    data = gzip.compress(b"one ") + gzip.compress(b"two") + b"\0" * 20
    assert unpacked(pieces(data), "gzip", 1000).content == b"one two"


@given(st.integers(1, 3000), st.sampled_from(sorted(PACKED)))
def test_no_more_than_the_limit_is_unpacked(limit, encoding):
    body = unpacked(pieces(PACKED[encoding], 50), encoding.split(", bare")[0], limit)
    assert len(body.content) <= limit
    assert WORDS.startswith(body.content)
    assert body.truncated == (len(WORDS) > limit or len(PACKED[encoding]) > limit)


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, br", "gzip, gzip"])
def test_packings_nobody_asked_for_are_named(encoding):
    with pytest.raises(NotFetchedError, match="was not asked for") as refusal:
        unpacked(pieces(WORDS), encoding, 1000)
    assert refusal.value.kind == "bad_encoding"


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_what_is_not_packed_as_it_says_is_named(encoding):
    with pytest.raises(NotFetchedError) as refusal:
        unpacked(pieces(b"\xff plain words, no packing"), encoding, 1000)
    assert refusal.value.kind == "bad_encoding"


def test_a_packed_body_that_ends_early_is_cut():
    with pytest.raises(NotFetchedError) as refusal:
        unpacked(pieces(PACKED["gzip"][:-9]), "gzip", 10_000)
    assert refusal.value.kind == "cut"


def test_an_empty_body_is_whole_however_it_says_it_is_packed():
    assert unpacked(iter(()), "gzip", 10).content == b""


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "", "br"]), st.integers(1, 50))
def test_any_bytes_are_unpacked_or_named(data, encoding, limit):
    with contextlib.suppress(NotFetchedError):
        assert len(unpacked(pieces(data), encoding, limit).content) <= limit


@pytest.mark.parametrize(
    ("content", "stated", "text"),
    [
        ("Évaluation – Übersicht".encode(), "", "Évaluation – Übersicht"),
        ("Évaluation – Übersicht".encode(), "iso-8859-1", "Évaluation – Übersicht"),
        ("Évaluation".encode("cp1252"), "", "Évaluation"),
        ("“Évaluation”".encode("cp1252"), "iso-8859-1", "“Évaluation”"),
        ("“Évaluation”".encode("cp1252"), "utf-8", "“Évaluation”"),
        ("Оценка".encode("koi8-r"), "koi8-r", "Оценка"),
        ("Оценка".encode("cp1251"), "windows-1251", "Оценка"),
        ('<meta charset="windows-1251">Оценка'.encode("cp1251"), "", '<meta charset="windows-1251">Оценка'),
        ("評価".encode("shift_jis"), "Shift_JIS", "評価"),
        ("評価".encode("euc-jp"), "EUC-JP", "評価"),
        ("評価".encode("iso-2022-jp"), "iso-2022-jp", "評価"),
        ("评价".encode("gb18030"), "GB18030", "评价"),
        ("评价".encode("utf-16"), "", "评价"),
        ("评价".encode("utf-16-be"), "utf-16be", "评价"),
        ("Évaluation".encode("utf-8-sig"), "iso-8859-1", "Évaluation"),
        ("Évaluation".encode(), "ISO-88509-1", "Évaluation"),
        (b"a\0b", "", "ab"),
    ],
)
def test_text_is_read_by_the_encoding_it_is_in(content, stated, text):
    assert decoded(content, stated)[0].rstrip("\ufffd") == text


def test_a_body_that_was_cut_may_end_within_a_character():
    assert decoded(b"caf\xc3\xa9 \xe2\x82", "", truncated=True) == ("café \ufffd", "utf-8")
    assert decoded(b"caf\xe9", "", truncated=False) == ("café", "cp1252")


@pytest.mark.parametrize(
    "name",
    ["zlib", "rot13", "idna", "punycode", "unicode_escape", "utf-7", "base64", "undefined", "../x", ""],
)
def test_names_that_are_no_encoding_of_text_are_not_used(name):
    assert decoded(b"plain \xe9", name) == ("plain é", "cp1252")


@given(st.binary(max_size=200), st.text(max_size=20))
def test_any_bytes_become_text_that_a_database_takes(content, stated):
    text, _ = decoded(content, stated)
    assert "\0" not in text
    text.encode()


@pytest.mark.parametrize(
    ("kind", "content", "text"),
    [
        ("text/html", b"", True),
        ("application/xhtml+xml", b"", True),
        ("application/json", b"", True),
        ("application/ld+json", b"", True),
        ("application/pdf", b"%PDF-1.7", False),
        ("text/html", b"%PDF-1.7", False),
        ("image/png", b"", False),
        ("application/octet-stream", b"words", False),
        ("", b"<p>", True),
        ("", b"%PDF-", False),
        ("", b"a\0b", False),
    ],
)
def test_what_is_text(kind, content, text):
    assert is_text(kind, content) is text


@pytest.mark.parametrize("piece", [b"<meta ", b"<meta charset", b"<?xml ", b"\xc3", b"<", b"charset="])
def test_two_megabytes_of_anything_are_read_soon(piece):
    began = time.perf_counter()
    decoded(piece * (2_000_000 // len(piece)), "")
    assert time.perf_counter() - began < 1.0
