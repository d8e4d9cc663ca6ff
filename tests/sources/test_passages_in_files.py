"""Text out of other documents than web pages, and out of hostile ones: bounded time, and never a wrong word."""

import time
import zlib

import pytest

from sources.passages import Found, prepare, standing_of
from sources.text import kind_of, read


def pdf(stream: bytes, filter_name: bytes = b"") -> bytes:
    """A PDF of one page with this content stream."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>"
    )
    content = b"<< %s /Length %d >>\nstream\n%s\nendstream" % (filter_name, len(stream), stream)
    catalog, pages = b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate((catalog, pages, page, content, font), 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return bytes(out + b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start)


SHEET = b"BT /F1 12 Tf 72 720 Td (Memory bandwidth 3.35 TB/s) Tj 0 -20 Td (Max TDP 700 W) Tj ET"


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("Memory bandwidth 3.35TB/s", "intact"),
        ("Memory bandwidth 4.8 TB/s", "number changed"),
        ("Max TDP 700W", "intact"),
        ("Max TDP 750W", "number changed"),
        ("Nothing of the kind was ever said", "gone"),
    ],
)
def test_words_in_a_pdf(words: str, state: str) -> None:
    assert standing_of(words, "page 1", read(pdf(SHEET), "application/pdf")).state == state


@pytest.mark.parametrize("body", [pdf(SHEET)[:400], b"%PDF-1.7\n", pdf(b""), b"%PDF-1.7\n" + bytes(4000)])
def test_a_pdf_without_readable_text_says_nothing(body: bytes) -> None:
    found = standing_of("Memory bandwidth 3.35TB/s", "page 1", read(body, "application/pdf"))
    assert found.state is Found.COULD_NOT_LOOK, found


HOSTILE_PDFS = {
    "a stream that unpacks to 150 MB": pdf(zlib.compress(b"BT (abc) Tj ET " * 10_000_000, 9), b"/Filter /FlateDecode"),
    "pages within themselves": b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages "
    b"/Kids [2 0 R 2 0 R 2 0 R] /Count 3 >>\nendobj\ntrailer << /Root 1 0 R /Size 3 >>\n%%EOF",
    "brackets without end": pdf(b"[" * 900_000),
    "strings without end": pdf(b"(" * 900_000),
    "a million operators": pdf(b"BT /F1 12 Tf (abc) Tj ET " * 70_000),
    "objects without end": b"%PDF-1.4\n" + b"1 0 obj << /A 1 0 R >> " * 80_000,
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE_PDFS)
def test_a_hostile_pdf_costs_seconds_at_most(case: str) -> None:
    began = time.monotonic()
    text = read(HOSTILE_PDFS[case], "application/pdf", seconds=3)
    assert time.monotonic() - began < 5
    assert standing_of("Memory bandwidth 3.35TB/s", "page 1", text).state in (
        Found.COULD_NOT_LOOK,
        Found.GONE,
    )


MARKUP = {
    "elements in elements": "<div>" * 400_000,
    "half-closed elements": "<b>" * 20_000 + "</p>" * 400_000,
    "one element with 200,000 attributes": "<p " + " ".join(f"a{n}=1" for n in range(200_000)) + ">",
    "tables in tables": "<table><tr><td>" * 130_000,
    "misplaced table text": "<table>x<b>" * 180_000,
    "cells without end": "<table><tr>" + "<td>1" * 400_000,
    "cells that reach far": "<table>" + '<tr><td colspan=9999 rowspan=9999>1' * 55_000,
    "raised figures": "<p>" + "10<sup>2</sup>" * 130_000,
    "headings": "<h2>A</h2>3.35 TB/s memory" * 75_000,
    "angle brackets": "<" * 2_000_000,
    "comments": "<!--" * 500_000,
    "titles": "<title>" * 280_000,
    "scripts": "<script>" * 250_000,
    "lines": "<pre>" + "a\n" * 1_000_000,
}  # fmt: skip


@pytest.mark.parametrize("case", MARKUP)
def test_two_megabytes_of_hostile_markup_cost_seconds_at_most(case: str) -> None:
    began = time.process_time()
    text = read(MARKUP[case].encode(), "text/html", MARKUP[case])
    assert text.fingerprint is not None
    standing_of("memory bandwidth 3.35 TB/s", "table, X2 column", text)
    assert time.process_time() - began < 10


def test_fifty_passages_of_one_hostile_page_cost_seconds_at_most() -> None:
    words = "8 TB/s 9 TB/s memory bandwidth of " * 55_000
    began = time.process_time()
    ready = prepare(read(words.encode(), "text/plain", words))
    for number in range(50):
        standing_of(f"memory bandwidth of {number} TB/s", "table", ready)
    assert time.process_time() - began < 15


@pytest.mark.parametrize(
    ("body", "content_type", "kind"),
    [
        (b"<!DOCTYPE html><p>x", "", "html"),
        (b"<!DOCTYPE html><p>x", "application/pdf", "html"),
        (b"\n\n%PDF-1.4", "text/html", "pdf"),
        (b'{"a": 1}', "application/json", "plain"),
        (b'{"a": 1}', "text/html; charset=utf-8", "html"),
        (b"# Title", "text/markdown", "plain"),
        (b"\x89PNG\r\n\x1a\n\0\0", "", "other"),
        (b"PK\x03\x04", "application/zip", "other"),
        (b"just words", "", "plain"),
        (b"", "text/html", "empty"),
        (b"\0\0\0\0", "text/html", "empty"),
    ],
)
def test_the_first_bytes_say_what_a_document_is(body: bytes, content_type: str, kind: str) -> None:
    assert kind_of(body, content_type) == kind


def test_a_configuration_file_is_read_line_by_line() -> None:
    body = b'{\n  "num_experts": 384,\n  "tie_word_embeddings": false\n}'
    text = read(body, "application/json")
    assert standing_of('"num_experts": 384', "field", text).state is Found.INTACT
    assert standing_of('"num_experts": 256', "field", text).state is Found.NUMBER_CHANGED
    assert standing_of('"tie_word_embeddings": true', "field", text).state is Found.GONE
