"""The number of queries of every page, on record: it does not grow with what the page shows."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.presentation.page import with_suffix
from tests import factories
from tests.pages.world import CORRECTED, FIRST, corrected, ended, reproduced, said

# Every page asks for the state's version twice (its ETag, its snapshot) and once for the subjects of the footer.
BUDGET = {
    "/": 10,
    "/resources": 5,
    "/gpus": 8,
    "/gpus?q=a&maker=aster&kind=accelerator": 8,
    "/models": 8,
    "/inference-stack": 8,
    "/gpus/aster-a1": 10,
    "/gpus/aster-a1?as_of=2024-03-01": 11,
    "/models/quill-7b": 10,
    "/inference-stack/loom": 10,
    "/gpus/compare": 5,
    "/gpus/compare?ids=aster-a1": 5,
    "/gpus/compare?ids=aster-a1,boreal-b1": 8,
    "/gpus/compare?ids=aster-a1,aster-a2,boreal-b1,zenith-z3,mote-1,mote-2": 8,
    "/gpus/compare?ids=aster-a1,boreal-b1&as_of=2024-03-01&diff=1": 9,
    "/gpus/compare.csv?ids=aster-a1,boreal-b1": 6,
    "/sources": 7,
    "/sources?publisher=aster&kind=datasheet&q=a&age=due": 7,
    "/sources?link=unchecked": 7,
    "/sources/aster-a1-sheet": 11,
    "/about/link-checker": 3,
    "/claims/C-1": 10,
    "/claims/C-7": 9,
    "/claims/C-7/1": 9,
    "/claims/C-16": 5,
    "/corrections": 10,
    "/none": 1,
    "/gpus/aster-a2-sxm": 4,
}


def queries(address):
    with CaptureQueriesContext(connection) as captured:
        answer = Client().get(address)
    assert answer.status_code in (200, 301, 404, 410)
    return [query["sql"] for query in captured if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]


def grow(world):
    """More than three times as much of everything that a page lists."""
    sources = [
        factories.source(
            key=f"more-{number}",
            publisher=publisher,
            title=f"More {number}",
            kind="datasheet",
            verified_on=FIRST,
        )
        for number, publisher in enumerate([world.aster, world.boreal, world.quill, world.lab] * 8)
    ]
    passages = [factories.passage(source) for source in sources]
    passages += [factories.passage(world.sheet, locator=f"row {number}") for number in range(10)]
    subjects = [world.a1, world.a2, world.b1, world.a3, *world.more]
    for number in range(10):
        maker = factories.organisation(key=f"maker-{number}", name=f"Maker {number}")
        subjects.append(factories.subject("gpu", key=f"gpu-{number}", name=f"GPU {number}", maker=maker))
    for number, subject in enumerate(subjects * 3):
        cited = [passages[number % len(passages)], (passages[(number + 1) % len(passages)], "context")]
        place = {"passages": cited, "conditions": f"Run {number % 3}"}
        claim = said(world, subject, world.dense, f"{number} TFLOPS", number, **place)
        said(world, subject, world.memory, f"{number} GB", number, passages=cited)
        reproduced(world, claim, "reproduced" if number % 2 else "not reproduced")
        if number % 2:
            claim = corrected(
                world, claim, CORRECTED, "Corrected.", text=f"{number}0 TFLOPS", value=number * 10
            )
        if number % 5 == 0:
            ended(claim, CORRECTED, "Taken back.")
    again = world.second_revision
    for times in range(3):
        again = corrected(world, again, CORRECTED, "Again.", boundary=f"Time {times}.")
        reproduced(world, world.unreproduced, "not reproduced")
        more = factories.claim(
            subject=world.quill_7b,
            property=world.license,
            cited=[(passages[times], "supports")],
            value=None,
            text="MIT",
        )
        factories.withdrawn(more)
        factories.claim(
            subject=world.loom_engine,
            property=world.packages,
            cited=[(passages[times], "supports")],
            value=None,
            text="Deb",
        )


@pytest.mark.parametrize("suffix", ["", "md"])
def test_every_page_keeps_its_budget_also_with_three_times_the_rows(world, suffix):
    addresses = [address for address in BUDGET if not suffix or ".csv" not in address]
    asked = {address: with_suffix(address, suffix) if suffix else address for address in addresses}
    # One of everything first: what a page has none of, it need not look into.
    reproduced(world, world.unreproduced, "inconclusive")
    said(world, world.a1, world.dense, "2 PFLOPS", 2000, passages=[world.measured], conditions="At 20 °C")
    said(world, world.a1, world.bandwidth, "3 TB/s", 3, passages=[world.measured], conditions="At 20 °C")
    before = {address: queries(asked[address]) for address in addresses}
    grow(world)
    after = {address: queries(asked[address]) for address in addresses}
    for address in addresses:
        assert len(after[address]) == len(before[address]), (address, after[address])
    if not suffix:
        assert {address: len(sql) for address, sql in after.items()} == BUDGET


def test_the_pages_did_grow(world):
    def size(address):
        return len(Client().get(address).content)

    addresses = [
        "/gpus",
        "/gpus/aster-a1",
        "/sources",
        "/corrections",
        "/sources/aster-a1-sheet",
        "/claims/C-1",
        "/claims/C-7",
    ]
    before = {address: size(address) for address in addresses}
    grow(world)
    for address in addresses:
        assert size(address) > before[address] + 500, address
