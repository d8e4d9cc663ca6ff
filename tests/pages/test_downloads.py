"""The CSV of a comparison: the same claims, values and flags as the page, safe in a spreadsheet."""

import csv
import io

from registry.presentation.downloads import COLUMNS
from tests import factories
from tests.pages.reading import page_of, part, text_of
from tests.pages.world import ODD

A1_B1 = "/gpus/compare.csv?ids=aster-a1,boreal-b1"


def rows(client, address=A1_B1):
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.content.decode()), strict=True))


def test_columns_and_their_order_are_a_promise(world, client):
    header = client.get(A1_B1).content.decode().split("\r\n")[0].replace('"', "")
    assert header == (
        "subject,subject_name,group,property,property_label,condition,state,value,low,high,bound,unit,as_stated,"
        "conditions,boundary,derivation,asserter,flags,claim,revision,record_date,sources,source_addresses,published,verified"
    )
    assert len(COLUMNS) == 25


def test_the_file_is_named_after_its_subjects(world, client):
    assert client.get(A1_B1)["Content-Disposition"] == 'attachment; filename="aster-a1-boreal-b1.csv"'


def test_every_claim_of_the_page_is_in_the_file_and_no_other(world, client):
    for query in (
        "",
        "&group=Compute",
        "&diff=1",
        "&as_of=2024-03-01",
        "&as_of=2024-05-01&group=Memory&diff=1",
    ):
        page = page_of(client.get(f"/gpus/compare?ids=aster-a1,boreal-b1{query}"))
        drawers = {node.attrs["id"] for node in page.walk() if "popover" in node.attrs}
        found = {f"provenance-{row['claim'][2:]}-{row['revision']}" for row in claimed(client, A1_B1 + query)}
        assert found == drawers, query


def claimed(client, *address):
    """The rows that hold a claim."""
    return [row for row in rows(client, *address) if row["state"] != "not_reviewed"]


def test_a_cell_that_says_not_reviewed_yet_is_a_row_that_says_so(world, client):
    page = text_of(part(page_of(client.get("/gpus/compare?ids=aster-a1,boreal-b1")), "main"))
    absent = [row for row in rows(client) if row["state"] == "not_reviewed"]
    assert len(absent) == page.count("Not reviewed yet") > 0
    assert not any(row["value"] or row["claim"] or row["flags"] for row in absent)


def test_values_and_words_are_those_of_the_page(world, client):
    page = page_of(client.get("/gpus/compare?ids=aster-a1,boreal-b1"))
    for row in claimed(client):
        drawer = text_of(part(page, f"provenance-{row['claim'][2:]}-{row['revision']}"))
        said = row["as_stated"].removeprefix("'") if row["state"] == "value" and not row["derivation"] else ""
        assert said in drawer
        for column in ("conditions", "boundary", "derivation"):
            assert row[column] in drawer
        for flag in filter(None, row["flags"].split("; ")):
            assert flag in drawer
        for address in row["source_addresses"].split():
            assert address in [
                node.attrs.get("href")
                for node in part(page, f"provenance-{row['claim'][2:]}-{row['revision']}").walk()
            ]


def row_of(client, claim, address=A1_B1):
    return next(row for row in rows(client, address) if row["claim"] == f"C-{claim.number}")


def test_numbers_are_plain_and_in_the_unit_of_the_property(world, client):
    dense = row_of(client, world.second_hand)
    assert (dense["value"], dense["unit"], dense["as_stated"]) == ("2600", "TFLOPS", "2.6 PFLOPS")
    power = row_of(client, world.up_to)
    assert (power["value"], power["bound"], power["as_stated"]) == ("700", "at most", "up to 700W")
    span = row_of(client, world.range, "/gpus/compare.csv?ids=zenith-z3,aster-a1")
    assert (span["value"], span["low"], span["high"]) == ("", "400", "450")
    assert row_of(client, world.second_revision)["value"] == "3.350"


def test_each_kind_of_absence_has_one_word_and_no_number(world, client):
    found = {
        row_of(client, claim, "/gpus/compare.csv?ids=aster-a2,boreal-b1")["state"]: claim
        for claim in (world.not_stated, world.withheld, world.none, world.b1_memory)
    }
    assert list(found) == ["not_stated", "withheld", "known_not_to_exist", "value"]
    for claim in (world.not_stated, world.withheld, world.none):
        row = row_of(client, claim, "/gpus/compare.csv?ids=aster-a2,boreal-b1")
        assert [row[name] for name in ("value", "low", "high", "bound", "as_stated")] == [""] * 5


def test_dates_keep_their_names(world, client):
    assert row_of(client, world.unreproduced)["published"] == "2024-01-15"
    assert row_of(client, world.unreproduced)["verified"] == "2024-06-01"
    assert row_of(client, world.b1_memory)["published"] == "last modified 2024-01"
    assert row_of(client, world.b1_memory)["verified"] == "2024-02-01, read through a transcription"
    two = row_of(client, world.a1_memory)
    assert two["sources"] == "aster-a1-sheet aster-overview"
    assert two["published"] == "2024-01-15; not stated"


def test_a_source_cited_twice_stands_once(world, client):
    passages = [(factories.passage(world.sheet, locator=f"p. {page}"), "supports") for page in (7, 8)]
    claim = factories.claim(
        subject=world.a1, property=world.links, cited=passages, text="Two pages", value=None
    )
    assert row_of(client, claim)["sources"] == "aster-a1-sheet"


def test_odd_words_survive_quoting(world, client):
    assert row_of(client, world.a1_links)["conditions"] == ODD
    assert row_of(client, world.b1_memory)["subject_name"] == "Boreal B1 & <i>rack</i>"


def test_formulas_from_sources_are_made_text_in_the_file(world, client):
    stated = {row["as_stated"] for row in rows(client, "/models/compare.csv?ids=quill-7b,quill-9-5b")}
    assert "'=HYPERLINK(1)" in stated
    assert {row["as_stated"] for row in rows(client, "/inference-stack/compare.csv?ids=loom,shuttle")} == {
        "'-f wheels",
        "Debian",
    }


def test_a_comparison_of_one_or_none_is_a_file_without_rows(world, client):
    assert rows(client, "/gpus/compare.csv") == []
    assert rows(client, "/gpus/compare.csv?ids=aster-a1") == []
