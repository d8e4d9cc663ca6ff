"""Flags stand in the same words on pages, in twins and in downloads, and change everywhere at once (T-07)."""

import csv
import io
import re

import pytest
from django.db import IntegrityError, transaction

from registry.actions.lifecycle import withdraw
from registry.presentation.page import with_suffix
from registry.reasoning.flags import MEANINGS
from sources.actions.sources import record_verification
from tests import factories
from tests.pages.reading import flags_of, page_of, part, rendered, text_of
from tests.pages.world import CORRECTED, FIRST, READ, said

UNREPRODUCED = "Manufacturer figure, not reproduced"
SECOND_HAND = "Read at second hand"
WORDS = [
    re.escape(flag.words).replace(r"\(n\)", r"\(\d+\)").replace(r"YYYY\-MM\-DD", r"\d{4}-\d\d-\d\d")
    for flag, _ in MEANINGS
]
FLAG = re.compile(rf"\(({'|'.join(WORDS)})\)")


def shows(client, claim):
    """Place → the claim's flags there, for every page, twin and download that shows the claim."""
    beside = "boreal-b1" if claim.subject.slug != "boreal-b1" else "mote-1"
    comparison = f"/gpus/compare?ids={claim.subject.slug},{beside}"
    addresses = [
        f"/gpus/{claim.subject.slug}",
        comparison,
        f"/claims/C-{claim.number}",
        *(f"/sources/{citation.passage.source.key}" for citation in claim.citations.all()),
        *(["/gpus"] if claim.property.headline else []),
    ]
    found = {}
    for address in addresses:
        page = page_of(client.get(address))
        found[address] = flags_of(part(page, f"provenance-{claim.number}-{claim.revision}"))
        twin = rendered(client.get(with_suffix(address, "md")).content.decode())
        name = f"Claim C-{claim.number}, revision {claim.revision}"
        drawers = [
            text_of(item) for item in twin.walk() if item.tag == "li" and f"{name} " in text_of(item) + " "
        ]
        found[f"twin of {address}"] = FLAG.findall(drawers[-1])
    rows = csv.DictReader(
        io.StringIO(client.get(comparison.replace("compare", "compare.csv")).content.decode())
    )
    row = next(row for row in rows if row["claim"] == f"C-{claim.number}")
    found["csv"] = row["flags"].split("; ") if row["flags"] else []
    return found


EXPECTED = {
    "unreproduced": [UNREPRODUCED],
    "a1_memory": [],
    "second_hand": [UNREPRODUCED, SECOND_HAND],
    "b1_memory": [SECOND_HAND],
    "withheld": [SECOND_HAND],
    "none": [SECOND_HAND],
    "up_to": ["Sources disagree (2)"],
    "other": ["Sources disagree (2)"],
    "not_stated": ["Not stated in the reviewed sources"],
    "derived": ["Derived, not stated by the source"],
    "self_reviewed": ["Self-reviewed"],
    "second_revision": ["Corrected 2024-05-01"],
    "reproduced": ["Reproduced"],
    "failed": [UNREPRODUCED, "Reproduction failed (1)"],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_claim_bears_its_flags_in_the_same_words_everywhere(world, client, name):
    found = shows(client, getattr(world, name))
    assert len(found) >= 9
    assert found == dict.fromkeys(found, EXPECTED[name])


@pytest.mark.parametrize("name", EXPECTED)
def test_a_flag_stands_beside_the_value_and_not_in_its_drawer_only(world, client, name):
    claim = getattr(world, name)
    main = part(page_of(client.get(f"/gpus/{claim.subject.slug}")), "main")
    row = next(
        row
        for row in main.walk()
        if row.tag == "tr"
        and any(node.attrs.get("href") == f"/claims/C-{claim.number}" for node in row.walk())
    )
    for flag in EXPECTED[name]:
        assert flag in text_of(row)
    value = next(
        item for item in part(page_of(client.get(f"/claims/C-{claim.number}")), "main").walk()
        if item.tag == "dd" and any(node.has_class("claim") for node in item.walk())
    )  # fmt: skip
    for flag in EXPECTED[name]:
        assert flag in text_of(value)


def test_every_meaning_is_explained_in_the_words_that_are_shown(world, client):
    for address in ("/", "/resources"):
        text = text_of(page_of(client.get(address)))
        for flag, words in MEANINGS:
            assert flag.words in text
            assert words in text


def changed_flags(client, claim, flags):
    found = shows(client, claim)
    assert found == dict.fromkeys(found, flags)


def unreproduced_figures(client):
    return int(re.search(r"(\d+) of them are performance figures", text_of(page_of(client.get("/"))))[1])


def test_an_independent_reproduction_lifts_the_flag_everywhere_and_its_withdrawal_brings_it_back(
    world, client
):
    claim = world.unreproduced
    before = unreproduced_figures(client)
    changed_flags(client, claim, [UNREPRODUCED])
    passage = [(world.measured, "supports")]
    reproduction = factories.reproduction(claim, performer=world.lab, cited=passage, text="1 970 TFLOPS")
    changed_flags(client, claim, ["Reproduced"])
    assert unreproduced_figures(client) == before - 1
    assert "R-3: Meridian Lab, Reproduced. 1 970 TFLOPS" in text_of(
        page_of(client.get(f"/claims/C-{claim.number}"))
    )
    withdraw(reproduction, by=factories.user("reviewer"), reason="The clock was wrong.")
    changed_flags(client, claim, [UNREPRODUCED])
    assert unreproduced_figures(client) == before


@pytest.mark.parametrize("status", ["draft", "submitted"])
def test_a_reproduction_that_is_not_published_lifts_nothing(world, client, status):
    factories.reproduction(
        world.unreproduced, status, performer=world.lab, cited=[(world.measured, "supports")]
    )
    changed_flags(client, world.unreproduced, [UNREPRODUCED])


@pytest.mark.parametrize(
    ("outcome", "flags"),
    [("not reproduced", [UNREPRODUCED, "Reproduction failed (1)"]), ("inconclusive", [UNREPRODUCED])],
)
def test_an_unsuccessful_reproduction_lifts_nothing(world, client, outcome, flags):
    factories.reproduction(
        world.unreproduced, performer=world.lab, outcome=outcome, cited=[(world.measured, "supports")]
    )
    changed_flags(client, world.unreproduced, flags)


def test_a_failed_reproduction_stays_beside_a_successful_one(world, client):
    factories.reproduction(world.failed, performer=world.lab, cited=[(world.measured, "supports")])
    changed_flags(client, world.failed, ["Reproduced", "Reproduction failed (1)"])


def test_a_relative_of_the_maker_can_reproduce_nothing(world, client):
    sister = factories.organisation(name="Aster Research", parent=world.group)
    for performer in (world.aster, world.group, sister):
        with pytest.raises(IntegrityError), transaction.atomic():
            factories.reproduction(
                world.unreproduced, performer=performer, cited=[(world.measured, "supports")]
            )
    changed_flags(client, world.unreproduced, [UNREPRODUCED])


def test_the_parent_of_the_maker_reports_of_itself_and_a_stranger_does_not(world, client):
    place = {"passages": [world.measured], "conditions": "At 20 °C"}
    by_parent = said(world, world.a1, world.dense, "2 PFLOPS", 2000, asserter=world.group, **place)
    by_stranger = said(world, world.a1, world.sparse, "3 PFLOPS", 3000, asserter=world.lab, **place)
    changed_flags(client, by_parent, [UNREPRODUCED])
    changed_flags(client, by_stranger, [])


def test_sources_disagree_only_under_the_same_conditions_and_stop_when_one_is_withdrawn(world, client):
    place = {"passages": [world.measured], "asserter": world.lab}
    elsewhere = said(world, world.a1, world.power, "9 W", 9, conditions="Idle", **place)
    changed_flags(client, elsewhere, [])
    third = said(world, world.a1, world.power, "800 W", 800, **place)
    changed_flags(client, world.up_to, ["Sources disagree (3)"])
    for claim in (third, world.other):
        factories.withdrawn(claim)
    changed_flags(client, world.up_to, [])


def test_the_same_value_from_two_sources_is_no_disagreement(world, client):
    again = said(
        world, world.a1, world.memory, "96.0 GB", "96.00", passages=[world.measured], asserter=world.lab
    )
    changed_flags(client, again, [])
    changed_flags(client, world.a1_memory, [])


def test_reading_the_source_itself_lifts_second_hand_everywhere(world, client):
    changed_flags(client, world.b1_memory, [SECOND_HAND])
    record_verification(
        world.hearsay, on=factories.references.today(), representation="excerpt", by=world.editor
    )
    changed_flags(client, world.b1_memory, [])
    register = client.get("/sources?q=boreal-sheet").content.decode()
    assert SECOND_HAND not in register
    assert "read through" not in register


def test_a_second_source_read_itself_lifts_second_hand_but_only_if_it_supports(world, client):
    both = said(world, world.b1, world.memory, "192 GB", 192, passages=[world.transcribed, world.measured])
    changed_flags(client, both, [])
    context = said(
        world,
        world.b1,
        world.memory,
        "192 GB",
        192,
        passages=[world.transcribed, (world.measured, "context")],
    )
    changed_flags(client, context, [SECOND_HAND])


def test_flags_of_an_earlier_day_are_those_of_that_day(world, client):
    def flags(day, key):
        rows = client.get(f"/gpus/compare.csv?ids=zenith-z3,boreal-b1&as_of={day}").content.decode()
        return next(
            row["flags"]
            for row in csv.DictReader(io.StringIO(rows))
            if (row["property"], row["subject"]) == (key, "zenith-z3")
        )

    assert flags(FIRST, "peak-fp8-dense") == UNREPRODUCED
    assert flags(CORRECTED, "peak-fp8-dense") == "Reproduced"
    assert flags(FIRST, "peak-fp8-sparse") == UNREPRODUCED
    assert flags(CORRECTED, "peak-fp8-sparse") == f"{UNREPRODUCED}; Reproduction failed (1)"


def test_a_second_hand_reading_is_named_with_its_date(world, client):
    sentence = f"Verified: {READ}, read through a transcription."
    for address in (
        "/sources",
        "/sources/boreal-sheet",
        "/gpus/boreal-b1",
        f"/claims/C-{world.b1_memory.number}",
    ):
        assert sentence in text_of(page_of(client.get(address)))
        assert sentence in text_of(rendered(client.get(with_suffix(address, "md")).content.decode()))
    row = client.get("/gpus/compare.csv?ids=boreal-b1,mote-1").content.decode()
    assert f'"{READ}, read through a transcription"' in row
