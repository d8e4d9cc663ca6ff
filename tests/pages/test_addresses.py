"""Addresses: what moved redirects, what was withdrawn says why, what never was suggests, and nothing leads off the site."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from registry.actions.subjects import change_subject
from registry.errors import sentence
from tests import factories
from tests.pages.reading import flags_of, page_of, part, text_of


@pytest.mark.parametrize("suffix", ["", ".md"])
def test_a_renamed_subject_redirects_for_ever(world, client, suffix):
    answer = client.get(f"/gpus/aster-a2-sxm{suffix}")
    assert (answer.status_code, answer["Location"]) == (301, f"/gpus/aster-a2{suffix}")


def test_a_renamed_subject_keeps_the_day_that_was_asked_for(world, client):
    answer = client.get("/gpus/aster-a2-sxm.md?as_of=2024-03-01")
    assert answer["Location"] == "/gpus/aster-a2.md?as_of=2024-03-01"


@pytest.mark.parametrize("suffix", ["", ".md", ".csv"])
def test_a_comparison_of_a_renamed_subject_redirects(world, client, suffix):
    answer = client.get(f"/gpus/compare{suffix}?ids=boreal-b1,aster-a2-sxm&diff=1")
    assert answer.status_code == 301
    assert answer["Location"] == f"/gpus/compare{suffix}?ids=boreal-b1,aster-a2&diff=1"


def test_a_subject_renamed_twice_redirects_from_both_and_its_own_old_name_may_come_back(world, client):
    change_subject(world.a2, {"slug": "aster-two"}, by=world.editor, note="Another name.")
    assert client.get("/gpus/aster-a2-sxm")["Location"] == "/gpus/aster-two"
    assert client.get("/gpus/aster-a2")["Location"] == "/gpus/aster-two"
    change_subject(world.a2, {"slug": "aster-a2-sxm"}, by=world.editor, note="The first name again.")
    assert client.get("/gpus/aster-a2-sxm").status_code == 200


def test_a_renamed_draft_gives_nothing_away(world, client):
    hidden = factories.subject("gpu", slug="canary-old", name="Canary", maker=world.aster)
    change_subject(hidden, {"slug": "canary-new"}, by=world.editor)
    for address in ("/gpus/canary-old", "/gpus/canary-new", "/gpus/canary-old.md"):
        assert client.get(address).status_code == 404


def refused(**fields):
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        factories.subject("gpu", **fields)
    return sentence(caught.value)


def test_reserved_and_taken_slugs_are_refused_with_what_to_do(world):
    assert refused(slug="compare") == "“compare” is the address of the comparison page: choose another slug."
    assert "leads to another subject: choose another slug" in refused(slug="aster-a1")
    former = refused(slug="aster-a2-sxm")
    assert former == (
        "The slug aster-a2-sxm was the address of another subject and still leads there. Choose another slug."
    )
    assert "lower case letters, digits and hyphens" in refused(slug="Aster_A1")


@pytest.mark.parametrize(
    ("asked", "suggested"),
    [
        ("/gpus/aster-a11", "/gpus/aster-a1"),
        ("/gpus/boreal", "/gpus/boreal-b1"),
        ("/gpu", "/gpus"),
        ("/models/aster-a1", "/gpus/aster-a1"),
        ("/sourcess", "/sources"),
        ("/gpus/compair", "/gpus/compare"),
        ("/zenith%20z3", "/gpus/zenith-z3"),
        ("/gpus/aster-a11.md", "/gpus/aster-a1"),
    ],
)
def test_a_missing_page_suggests_what_is_close(world, client, asked, suggested):
    answer = client.get(asked)
    assert answer.status_code == 404
    main = part(page_of(answer), "main")
    assert suggested in [node.attrs.get("href") for node in main.walk() if node.tag == "a"]
    assert "No page at this address" in text_of(main)


def test_a_missing_page_suggests_no_draft(world, client):
    factories.subject("gpu", slug="canary-one", name="Canary One", maker=world.aster)
    assert "anary" not in text_of(page_of(client.get("/gpus/canary-on")))


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("/gpus/", "/gpus"),
        ("/gpus/aster-a1/", "/gpus/aster-a1"),
        ("/gpus///", "/gpus"),
        ("//gpus/", "/gpus"),
        ("//", "/"),
        ("/sources/", "/sources"),
        ("/claims/C-1/1/", "/claims/C-1/1"),
        ("/gpus/aster-a1.md/", "/gpus/aster-a1.md"),
        ("/gpus/aster-a2-sxm/", "/gpus/aster-a2-sxm"),
    ],
)
@pytest.mark.parametrize("method", ["get", "head"])
def test_a_trailing_slash_redirects_to_the_page_without(world, client, asked, leads_to, method):
    answer = getattr(client, method)("/", PATH_INFO=asked, QUERY_STRING="as_of=2024-03-01")
    assert (answer.status_code, answer["Location"]) == (301, f"{leads_to}?as_of=2024-03-01")


@pytest.mark.parametrize(
    "asked", ["/gpus/none/", "/none/", "/claims/C-999/", "/claims/C-1/9/", "/gpus.csv/", "/models/x/"]
)
def test_a_trailing_slash_where_no_page_is_is_not_found_at_once(world, client, asked):
    assert client.get(asked).status_code == 404


@pytest.mark.parametrize(
    "asked",
    [
        "//evil.com/",
        "///evil.com/",
        "//evil.com/gpus/",
        "//evil.com",
        "/\\evil.com/",
        "\\\\evil.com/",
        "//evil.com%2f..",
        "/https://evil.com/",
        "//evil.com//gpus/aster-a1/",
        "/gpus//evil.com/",
        "/./gpus/",
        "/gpus/../gpus/",
    ],
)
def test_no_address_leads_off_the_site(world, client, asked):
    answer = client.get("/", PATH_INFO=asked)
    assert answer.status_code in (404, 400)
    assert "Location" not in answer


def test_a_redirect_never_carries_a_host(world, client):
    for asked in ("/gpus/", "/gpus/aster-a2-sxm", "/gpus/compare?ids=aster-a1,aster-a1"):
        location = client.get(asked)["Location"]
        assert location.startswith("/")
        assert not location.startswith("//")


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "local host", "localhost:port", "", "[::1"]
)
def test_a_strange_host_is_refused(world, client, host):
    answer = client.get("/gpus", headers={"host": host})
    assert answer.status_code == 400
    assert "The request cannot be read" in text_of(page_of(answer))


def test_a_withdrawn_claim_is_gone_with_its_reason_and_history(world, client):
    number = world.withdrawn.number
    for address, kind in ((f"/claims/C-{number}", "text/html"), (f"/claims/C-{number}.md", "text/markdown")):
        answer = client.get(address)
        assert (answer.status_code, answer["Content-Type"]) == (410, f"{kind}; charset=utf-8")
        text = answer.content.decode()
        assert "The transcription had lost a decimal point." in text
        assert "2024-06-01" in text
        assert "withdrawn" in text
        assert f"/claims/C-{number}/1" in text


def test_the_revision_of_a_withdrawn_claim_stays_with_a_banner(world, client):
    answer = client.get(f"/claims/C-{world.withdrawn.number}/1")
    assert answer.status_code == 200
    text = text_of(page_of(answer))
    assert "Withdrawn on 2024-06-01. The transcription had lost a decimal point." in text
    assert "53 TB/s" in text
    assert "Withdrawn" in flags_of(part(page_of(answer), "main"))


def test_a_withdrawn_claim_may_come_back_as_a_new_revision(world, client):
    again = factories.revision(world.withdrawn, text="5.3 TB/s", value="5.3", note="Read again.")
    assert client.get(f"/claims/C-{again.number}").status_code == 200
    banner = text_of(page_of(client.get(f"/claims/C-{again.number}/1")))
    assert "Withdrawn on 2024-06-01" in banner
    assert "C-16 as it stands".replace("16", str(again.number)) in banner


def test_drafts_and_unknown_revisions_have_no_address(world, client):
    draft = factories.revision(world.unreproduced, status="draft", text="CANARY")
    submitted = factories.revision(world.a1_memory, status="submitted", text="CANARY")
    for entry in (draft, submitted):
        assert client.get(f"/claims/C-{entry.number}/{entry.revision}").status_code == 404
        assert "CANARY" not in client.get(f"/claims/C-{entry.number}").content.decode()


def test_a_claim_about_an_organisation_breaks_no_page(world, client):
    """Subjects without a library of their own (organisations, facilities) have claims, and no page yet."""
    for kind in ("organisation", "facility"):
        about = factories.subject(kind, key=f"some-{kind}", name=f"Some {kind}", maker=world.boreal)
        measure = factories.property_(kind, key=f"{kind}-boards", label="Boards", unit="")
        claim = factories.claim(
            subject=about, property=measure, text="12", value=12, cited=[(world.boards, "supports")]
        )
        for address in (
            "/",
            "/gpus",
            f"/claims/C-{claim.number}",
            f"/sources/{world.overview.key}",
            "/corrections",
        ):
            assert client.get(address).status_code == 200, address
        assert f"Some {kind}" in text_of(page_of(client.get(f"/claims/C-{claim.number}")))
        assert client.get(f"/gpus/some-{kind}").status_code == 404


def test_a_reader_who_is_an_editor_sees_the_same_bytes(world, client):
    client.force_login(world.editor)
    for address in ("/", "/gpus/aster-a1", "/sources"):
        mine, others = client.get(address), Client().get(address)
        assert (mine.content, mine["ETag"]) == (others.content, others["ETag"])
        assert "Set-Cookie" not in mine
