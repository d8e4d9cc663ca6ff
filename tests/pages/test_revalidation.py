"""One strong ETag for everybody: a 304 costs one query, an editor's work changes no byte, a publication changes all."""

import re
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from registry.actions.lifecycle import discard, publish, return_to_author, submit, withdraw
from registry.actions.subjects import change_subject
from registry.models import RegistryState
from registry.presentation.page import with_suffix
from sources.actions.organisations import change_organisation
from sources.actions.sources import change_source, record_verification
from sources.models import Link
from tests import factories
from tests.pages.world import public_addresses

CANARY = "canary"


def every_address(world):
    """Every public page, its twin, the downloads, and addresses without a page that an editor's work could fill."""
    pages = public_addresses(world)
    return [
        *pages,
        *(with_suffix(address, "md") for address in pages),
        "/gpus/compare.csv?ids=aster-a1,boreal-b1",
        f"/claims/C-{world.withdrawn.number}",
        "/claims/C-1/2",
        "/claims/C-99",
        "/gpus/canary-gpu",
        "/gpus/canary-old",
        "/sources/canary-source",
        "/gpus/compare?ids=canary-gpu,aster-a1",
    ]


def read(world):
    reader = Client()
    found = {}
    for address in every_address(world):
        answer = reader.get(address)
        found[address] = (answer.status_code, answer.get("ETag"), answer.content)
    return found


def test_the_etag_is_strong_and_its_own_for_each_representation(world, client):
    etags = []
    for address in (
        "/gpus",
        "/gpus.md",
        "/",
        "/index.md",
        "/gpus/compare.csv?ids=aster-a1,boreal-b1",
        "/sources?page=1",
    ):
        answer = client.get(address)
        assert re.fullmatch(r'"[0-9a-f]{32}"', answer["ETag"])
        assert answer["Cache-Control"] == "public, no-cache"
        etags.append(answer["ETag"])
    etags.append(client.get("/gpus", headers={"accept": "text/markdown"})["ETag"])
    assert len(set(etags)) == len(etags)


def test_a_page_that_has_not_changed_is_answered_with_one_query_and_nothing_else(world):
    reader = Client()
    addresses = public_addresses(world)
    for asked in [*addresses, *(with_suffix(address, "md") for address in addresses[::5])]:
        etag = reader.get(asked)["ETag"]
        for condition in (etag, f"W/{etag}", f'"other", {etag}', f'W/"a",W/{etag}'):
            with CaptureQueriesContext(connection) as queries:
                answer = reader.get(asked, headers={"if-none-match": condition})
            assert (answer.status_code, answer.content) == (304, b""), asked
            assert (answer["ETag"], answer["Vary"]) == (etag, "Accept")
            assert len(queries) == 1, asked
            assert "registry_registrystate" in queries[0]["sql"]


def test_a_head_request_is_revalidated_too(world, client):
    etag = client.get("/gpus")["ETag"]
    assert client.head("/gpus", headers={"if-none-match": etag}).status_code == 304


def test_the_etag_of_one_page_does_not_stand_for_another(world, client):
    etag = client.get("/gpus")["ETag"]
    for address in ("/gpus.md", "/gpus?q=aster", "/models", "/gpus/none"):
        assert client.get(address, headers={"if-none-match": etag}).status_code != 304


def test_errors_and_withdrawals_have_no_etag_to_go_stale(world, client):
    for address in (
        "/gpus/none",
        "/gpus?kind=x",
        f"/claims/C-{world.withdrawn.number}",
        "/gpus/aster-a2-sxm",
    ):
        assert "ETag" not in client.get(address)


def test_the_day_is_part_of_the_etag_because_freshness_is(world, client, time_machine):
    time_machine.move_to("2031-01-01T12:00:00Z")
    first = client.get("/sources?age=due")
    time_machine.move_to("2031-01-02T00:00:00Z")
    second = client.get("/sources?age=due", headers={"if-none-match": first["ETag"]})
    assert second.status_code == 200
    assert second["ETag"] != first["ETag"]


def editors_work(world):
    """All an editor does before anything is published, each piece with a word no page may ever show."""
    by = world.editor
    lead = factories.source(verified=False, key="canary-lead", title="Canary lead", publisher=None, by=by)
    unread = factories.source(
        verified=False, key="canary-source", title="Canary source", publisher=world.aster, by=by
    )
    change_source(unread, {"title": "Canary renamed"}, note="Canary note on a lead", by=by)
    maker = factories.organisation(key="canary-maker", name="Canary maker")
    change_organisation(maker, {"name": "Canary works"}, by=by, note="Canary note on a maker")
    gpu = factories.subject("gpu", key="canary-gpu", slug="canary-old", name="Canary GPU", maker=maker)
    change_subject(
        gpu, {"slug": "canary-gpu", "name": "Canary GPU 2"}, by=by, note="Canary note on a subject"
    )
    measure = factories.property_(
        key="canary-property", label="Canary property", group="Canary group", headline=True
    )
    passage = factories.passage(world.sheet, locator="canary page", quotation="canary words")
    for number in range(20):
        subject = gpu if number % 2 else world.a1
        fields = {
            "subject": subject,
            "property": measure if number % 3 else world.memory,
            "asserter": world.aster,
        }
        cited = [(passage, "supports"), (factories.passage(lead), "context")]
        status = "submitted" if number % 4 else "draft"
        claim = factories.claim(
            status, cited=cited, text=f"canary {number}", value=number, note="Canary", by=by, **fields
        )
        if status == "submitted" and number > 12:
            return_to_author(claim, by=factories.user("reviewer"), reason="Canary reason")
    discard(
        factories.claim(
            "draft", subject=world.a1, property=world.memory, cited=[(passage, "supports")], by=by
        ),
        by=by,
    )
    factories.revision(world.unreproduced, "draft", text="canary", note="Canary correction")
    factories.revision(world.a1_memory, "submitted", text="canary", note="Canary correction")
    factories.reproduction(
        world.unreproduced, "submitted", performer=world.lab, cited=[(passage, "supports")], text="canary"
    )
    record_verification(
        unread, on=date(2024, 3, 1), representation="full text", outcome="not readable", note="Canary", by=by
    )
    Link.objects.filter(source=lead).update(failures=1)


def test_an_editors_work_changes_no_byte_and_no_etag_of_any_public_page(world):
    before, version = read(world), RegistryState.objects.get().version
    editors_work(world)
    after = read(world)
    for address in before:
        assert after[address] == before[address], address
        if CANARY not in address:
            assert CANARY not in after[address][2].decode().lower(), address
    assert RegistryState.objects.get().version == version
    # Nor does it come to light with the next publication.
    factories.claim(
        subject=world.a2, property=world.links, cited=[(world.boards, "supports")], text="None", value=None
    )
    for address, (_, _, content) in read(world).items():
        if CANARY not in address:
            assert CANARY not in content.decode().lower(), address


def etags(world):
    reader = Client()
    addresses = [
        "/",
        "/index.md",
        "/gpus/aster-a1",
        "/gpus/compare.csv?ids=aster-a1,boreal-b1",
        "/sources",
        "/claims/C-1",
    ]
    return {address: reader.get(address)["ETag"] for address in addresses}


def changes(world, act):
    before, asked = etags(world), RegistryState.objects.get().version
    act()
    assert RegistryState.objects.get().version > asked
    after = etags(world)
    return {address for address in before if before[address] == after.get(address)}


def test_a_publication_a_withdrawal_and_a_reading_change_every_etag(world):
    draft = factories.claim(
        "draft", by=world.editor, subject=world.a1, property=world.links, cited=[(world.boards, "supports")]
    )
    submitted = submit(draft, by=world.editor, note="Please.")
    reviewer = factories.user("reviewer")
    assert changes(world, lambda: publish(submitted, by=reviewer)) == set()
    submitted.refresh_from_db()
    assert changes(world, lambda: withdraw(submitted, by=reviewer, reason="No.")) == set()
    today = factories.references.today()
    assert (
        changes(
            world, lambda: record_verification(world.card, on=today, representation="full text", by=reviewer)
        )
        == set()
    )


@pytest.mark.parametrize(
    "what", ["name of a subject", "title of a source", "state of a link", "name of a maker"]
)
def test_what_readers_see_of_reference_rows_changes_every_etag(world, what):
    acts = {
        "name of a subject": lambda: change_subject(
            world.a1, {"name": "Aster A1b"}, by=world.editor, note="Renamed."
        ),
        "title of a source": lambda: change_source(
            world.sheet, {"title": "Sheet"}, note="Renamed.", by=world.editor
        ),
        "state of a link": lambda: Link.objects.filter(source=world.sheet).update(
            state="broken", since="2024-07-01T00:00Z"
        ),
        "name of a maker": lambda: change_organisation(
            world.aster, {"name": "Astra"}, by=world.editor, note="Renamed."
        ),
    }
    assert changes(world, acts[what]) == set()


def test_a_stranger_and_an_administrator_get_the_same_etag(world):
    administrator = Client()
    administrator.force_login(factories.user("administrator", is_superuser=True))
    for address in ("/", "/gpus/aster-a1", "/sources.md"):
        assert administrator.get(address)["ETag"] == Client().get(address)["ETag"]
