"""A source in the line form of the register: one of three date forms, scope, version, and how it was read (S-069 to S-081)."""

import datetime
import re

import pytest
from django.template.loader import render_to_string

from registry.presentation.sources import source_line
from registry.twin_tree import parse
from sources.models import Organisation, Source
from sources.models.verification import Representation

DAY = datetime.date(2026, 10, 13)


def source(**fields):
    """A source nobody saved."""
    defaults = {
        "key": "nim",
        "title": "NIM benchmarking",
        "url": "https://docs.example/nim",
        "publisher": Organisation(name="NVIDIA"),
        "kind": "documentation",
        "date_basis": "not stated",
        "verified_on": DAY,
        "verified_representation": "full text",
        "read_directly": True,
    }
    return Source(**{**defaults, **fields})


def line(**fields):
    """The words of the line as a reader sees them."""
    html = render_to_string("components/source_line.html", {"source": source_line(source(**fields))})
    return " ".join(parse(html).text().replace(" ↱", "").split())


def test_the_parts_stand_in_their_order():
    assert line(
        product="NVIDIA NIM Benchmarking",
        version="2.0.0",
        scope_notes=["Metric definitions", "Does not eliminate physical network distance"],
        date_basis="published",
        published_on=datetime.date(2026, 9, 1),
        published_precision="day",
    ) == (
        "NIM benchmarking — NVIDIA NIM Benchmarking 2.0.0. Metric definitions; Does not eliminate physical network "
        "distance. Publication: 2026-09-01. Verified: 2026-10-13."
    )


@pytest.mark.parametrize(
    ("basis", "precision", "sentence"),
    [
        ("published", "day", "Publication: 2026-09-05."),
        ("published", "month", "Publication: 2026-09."),
        ("published", "year", "Publication: 2026."),
        ("last modified", "day", "Last modified: 2025-03-04."),
        ("last modified", "month", "Last modified: 2025-03."),
        ("last modified", "year", "Last modified: 2025."),
        ("not stated", "", "Publication: date not stated in the reviewed source."),
    ],
)
def test_exactly_one_date_form_is_printed(basis, precision, sentence):
    known = {
        "published_on": datetime.date(2026, 9, 5),
        "published_precision": precision,
        "last_modified_on": datetime.date(2025, 3, 4),
        "last_modified_precision": precision,
    }
    words = line(date_basis=basis, **(known if basis != "not stated" else {}))
    assert sentence in words
    assert len(re.findall(r"Publication:|Last modified:", words)) == 1


def test_no_date_is_taken_from_an_address_or_a_title():
    words = line(title="Annual report 2024", url="https://example.org/2024/05/06/report-2023-01-02.pdf")
    assert "Publication: date not stated in the reviewed source." in words


def test_a_publisher_is_left_out_where_the_title_stands_alone():
    assert line(title_stands_alone=True).startswith("NIM benchmarking. Publication")
    assert line(title_stands_alone=True, product="NIM", version="2").startswith(
        "NIM benchmarking. Publication"
    )


def test_a_version_belongs_to_the_product_and_is_not_printed_after_a_publisher():
    assert line(version="v2").startswith("NIM benchmarking — NVIDIA. ")
    assert line(product="vLLM", version="0.31.0").startswith("NIM benchmarking — vLLM 0.31.0. ")
    assert line(product="vLLM").startswith("NIM benchmarking — vLLM. ")


@pytest.mark.parametrize(
    ("notes", "printed"),
    [
        ([], "NVIDIA. Publication"),
        (["One note"], "NVIDIA. One note. Publication"),
        (["One note.", " Another; "], "NVIDIA. One note; Another. Publication"),
        (["A", "B", "C"], "NVIDIA. A; B; C. Publication"),
    ],
)
def test_scope_notes_are_short_phrases_with_semicolons_and_one_full_stop(notes, printed):
    assert printed in line(scope_notes=notes)


@pytest.mark.parametrize("representation", Representation)
def test_what_was_read_is_said_unless_it_was_the_text_itself(representation):
    direct = representation in ("full text", "excerpt")
    words = line(verified_representation=representation, read_directly=direct)
    article = "an" if representation == "excerpt" else "a"
    through = "" if direct else f", read through {article} {representation}"
    assert words.endswith(f"Verified: 2026-10-13{through}.")
    flags = [
        flag.words
        for flag in source_line(source(verified_representation=representation, read_directly=direct)).flags
    ]
    assert flags == ([] if direct else ["Read at second hand"])


def test_a_source_nobody_has_read_says_so():
    assert line(verified_on=None, verified_representation="", read_directly=False).endswith(
        "Not verified yet."
    )


def test_a_later_repost_does_not_undo_that_the_text_was_read_once():
    words = line(verified_representation="repost", read_directly=True)
    assert words.endswith("Verified: 2026-10-13, read through a repost.")
    assert source_line(source(verified_representation="repost", read_directly=True)).flags == []


@pytest.mark.parametrize("title", ["A & B, <i>C</i>: D — “E”", "'quoted' & co", "</a><script>x</script>"])
def test_odd_titles_are_printed_as_they_are(title):
    assert line(title=title).startswith(title)


@pytest.mark.parametrize(
    ("state", "flags"),
    [("current", []), ("superseded", ["Superseded"]), ("withdrawn", ["Withdrawn by its publisher"])],
)
def test_a_source_that_no_longer_stands_is_flagged(state, flags):
    assert [flag.words for flag in source_line(source(state=state)).flags] == flags


def test_the_line_and_the_model_say_the_same():
    for fields in (
        {},
        {"read_directly": False, "verified_representation": "summary"},
        {"product": "vLLM", "version": "1"},
    ):
        one = source(**fields)
        words = line(**fields)
        assert one.date_sentence in words
        assert one.verified_sentence in words
        assert f"{one.title} — {one.imprint}" in words
