"""A correction is live everywhere at once; what stood before stays readable, with its date and its reason (T-11)."""

import csv
import io
from datetime import date, timedelta
from decimal import Decimal

import pytest

from registry.presentation.page import with_suffix
from sources.actions.sources import change_source
from tests import factories
from tests.pages.reading import flags_of, page_of, part, rendered, text_of
from tests.pages.world import CORRECTED, FIRST, WITHDRAWN, corrected

DAY = date(2024, 7, 1)
NOTE = "The data sheet says 94 GB; we had read the wrong column."


@pytest.fixture
def revised(world):
    """Revision 2 of a headline figure of the A1: 94 GB where 96 GB stood."""
    return corrected(world, world.a1_memory, DAY, NOTE, text="94 GB", value=Decimal(94))


def addresses(claim):
    return [
        "/gpus",
        "/gpus/aster-a1",
        "/gpus/compare?ids=aster-a1,zenith-z3",
        f"/claims/C-{claim.number}",
        "/sources/aster-a1-sheet",
        "/sources/aster-overview",
    ]


def texts(client, address):
    """The visible words of a page and of its twin."""
    yield text_of(part(page_of(client.get(address)), "main"))
    yield text_of(rendered(client.get(with_suffix(address, "md")).content.decode()))


def csv_value(client, query, key="memory"):
    answer = client.get(f"/gpus/compare.csv?ids=aster-a1,zenith-z3{query}")
    return next(
        (row["value"], row["revision"])
        for row in csv.DictReader(io.StringIO(answer.content.decode()))
        if row["property"] == key
    )


def test_revision_two_is_live_everywhere_at_once(client, revised):
    for address in addresses(revised):
        for text in texts(client, address):
            assert "94\u202fGB" in text or "94 GB" in text, address
            assert f"Corrected {DAY}" in text, address
        drawers = {node.attrs.get("id") for node in page_of(client.get(address)).walk()}
        assert f"provenance-{revised.number}-2" in drawers, address
        assert f"provenance-{revised.number}-1" not in drawers, address
    assert csv_value(client, "") == ("94", "2")


def test_revision_one_stays_at_its_own_address_with_a_banner(client, revised):
    for text in texts(client, f"/claims/C-{revised.number}/1"):
        assert f"Superseded on {DAY}. Revision 2 of {DAY} stands now." in text
        assert "96 GB" in text
        assert f"Revision 1 · Editorial record: {FIRST}" in text
    page = page_of(client.get(f"/claims/C-{revised.number}/1"))
    assert f"Corrected {DAY}" not in flags_of(part(page, f"provenance-{revised.number}-1"))


def test_revision_two_has_an_address_of_its_own_and_shows_what_it_changed(client, revised):
    for address in (f"/claims/C-{revised.number}", f"/claims/C-{revised.number}/2"):
        for text in texts(client, address):
            assert NOTE in text
            assert "What revision 2 changed" in text
            assert f"Revision 2 · Editorial record: {DAY}" in text
    page = page_of(client.get(f"/claims/C-{revised.number}"))
    changed = [[text_of(cell) for cell in row.elements()] for row in page.walk() if row.has_class("changed")]
    assert changed == [["Value (changed)", "96 GB", "94 GB"], ["As stated (changed)", "96 GB", "94 GB"]]


def test_the_notice_stands_under_corrections_and_on_the_home_page(client, revised):
    for address in ("/corrections", "/", "/gpus/aster-a1"):
        for text in texts(client, address):
            assert f"{DAY} C-{revised.number}, revision 2: correction: Aster A1, Memory capacity" in text
            assert NOTE in text


def test_the_day_before_shows_the_old_value_and_the_day_itself_the_new(client, revised):
    before = DAY - timedelta(days=1)
    for address in ("/gpus/aster-a1?as_of={}", "/gpus/compare?ids=aster-a1,zenith-z3&as_of={}"):
        for text in texts(client, address.format(before)):
            assert "96" in text
            assert "94 GB" not in text
            assert f"As of {before}." in text
            assert NOTE not in text
        for text in texts(client, address.format(DAY)):
            assert "94 GB" in text
    assert csv_value(client, f"&as_of={before}") == ("96", "1")
    assert csv_value(client, f"&as_of={DAY}") == ("94", "2")


def test_a_value_of_an_earlier_day_leads_to_the_revision_that_stood_then(client, revised):
    page = page_of(client.get(f"/gpus/aster-a1?as_of={DAY - timedelta(days=1)}"))
    drawer = part(page, f"provenance-{revised.number}-1")
    links = {text_of(node): node.attrs["href"] for node in drawer.walk() if node.tag == "a"}
    assert links[f"Claim C-{revised.number}, revision 1"] == f"/claims/C-{revised.number}/1"


def test_each_publication_raises_the_revision_of_the_pages_it_touches(world, client):
    def record(address):
        page = page_of(client.get(address))
        return text_of(next(node for node in page.walk() if node.has_class("record-line")))

    before = {address: record(address) for address in ("/gpus/aster-a1", "/gpus/boreal-b1", "/")}
    corrected(world, world.a1_memory, DAY, NOTE, text="94 GB", value=Decimal(94))
    after = {address: record(address) for address in before}
    assert after["/gpus/boreal-b1"] == before["/gpus/boreal-b1"]
    assert after["/gpus/aster-a1"] != before["/gpus/aster-a1"]
    assert after["/"] != before["/"]
    # One row for the revision that ended, one for the one that stands.
    revision = int(before["/gpus/aster-a1"].partition("Revision ")[2].partition(" ")[0])
    assert f"Revision {revision + 2} · Editorial record: {DAY}" in after["/gpus/aster-a1"]


def test_before_its_withdrawal_a_claim_stands_in_views_of_the_past(world, client):
    before = WITHDRAWN - timedelta(days=1)
    for text in texts(client, f"/gpus/boreal-b1?as_of={before}"):
        assert "53 TB/s" in text
    for text in texts(client, f"/gpus/boreal-b1?as_of={WITHDRAWN}"):
        assert "53 TB/s" not in text
    for text in texts(client, "/corrections"):
        assert f"{WITHDRAWN} C-{world.withdrawn.number}, revision 1: withdrawn" in text
        assert "The transcription had lost a decimal point." in text


def test_the_first_day_shows_the_first_figures(client, world):
    for text in texts(client, f"/gpus/aster-a1?as_of={FIRST}"):
        assert "3.2 TB/s" in text
    for text in texts(client, f"/gpus/aster-a1?as_of={CORRECTED}"):
        assert "3.35" in text
        assert "3.2 TB/s" not in text


def test_a_withdrawal_of_an_old_claim_is_the_newest_correction(world, client):
    for claim in (
        world.a2_memory,
        world.a2_sparse,
        world.unreproduced,
        world.a1_sparse,
        world.range,
        world.contested,
    ):
        corrected(world, claim, CORRECTED, "A word was wrong.", boundary="Typography.")
    factories.withdrawn(world.none, reason="There are links after all.")
    for text in texts(client, "/"):
        assert "There are links after all." in text


def test_a_noted_change_of_a_source_stands_under_corrections_and_on_its_page(world, client):
    note = "The publisher moved the file."
    change_source(world.sheet, {"url": "https://example.org/moved"}, note=note, by=world.editor)
    for address in ("/corrections", "/sources/aster-a1-sheet"):
        for text in texts(client, address):
            assert note in text
            assert "https://example.org/moved" in text


def test_a_later_reading_makes_no_revision_and_shows_live(world, client):
    def record():
        page = page_of(client.get("/gpus/aster-a1"))
        return text_of(next(node for node in page.walk() if node.has_class("record-line")))

    before = record()
    today = factories.references.today()
    factories.references.record_verification(
        world.sheet, on=today, representation="full text", by=world.editor
    )
    assert record() == before
    for address in ("/gpus/aster-a1", "/sources/aster-a1-sheet", f"/claims/C-{world.unreproduced.number}"):
        for text in texts(client, address):
            assert f"Verified: {today}." in text


def test_readings_of_an_earlier_day_are_those_known_then(world, client):
    [html, twin] = texts(client, f"/gpus/aster-a1?as_of={FIRST}")
    for text in (html, twin):
        assert "Verified: 2024-02-01." in text
        assert "Verified: 2024-06-01." not in text
