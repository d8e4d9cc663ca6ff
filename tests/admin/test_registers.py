"""Subjects, properties, organisations and accounts, as administrators keep them."""

import pytest
from django.contrib.auth.models import Group, Permission

from registry.models import FormerSlug, Property, Subject
from sources.models import ReferenceChange
from tests import factories
from tests.admin.desks import sent_back


def change(record):
    return f"/admin/{record._meta.app_label}/{record._meta.model_name}/{record.pk}/change/"


def test_a_subject_is_added_with_the_details_of_its_kind(administrator):
    maker = factories.organisation()
    data = {"kind": "gpu", "name": "X 100.5", "key": "gpu-x-100-5", "maker": maker.name, "gpu_kind": "board"}
    assert administrator.post("/admin/registry/subject/add/", data).status_code == 302
    subject = Subject.objects.get(key="gpu-x-100-5")
    assert (subject.slug, subject.maker, subject.gpu.kind) == ("x-100-5", maker, "board")
    assert ReferenceChange.objects.get(table="subject", key=subject.key).changed_by == administrator.person


def test_a_subject_without_the_details_of_its_kind_is_a_form_error(administrator):
    maker = factories.organisation()
    data = {"kind": "checkpoint", "name": "M", "key": "m", "maker": maker.key, "gpu_kind": "board"}
    answer = administrator.post("/admin/registry/subject/add/", data)
    assert sorted(answer.context["adminform"].form.errors) == ["gpu_kind", "identifier"]
    assert not Subject.objects.filter(key="m").exists()


def test_a_renamed_slug_says_that_the_old_address_leads_here(administrator):
    subject = factories.subject()
    data = {**sent_back(administrator.get(change(subject))), "slug": "renamed"}
    page = administrator.post(change(subject), data, follow=True).content.decode()
    assert f"The old address “{subject.slug}” leads here from now on." in page
    assert FormerSlug.objects.get(slug=subject.slug).subject == subject


@pytest.mark.parametrize("slug", ["compare", "Not A Slug", "x" * 101])
def test_a_slug_that_cannot_be_is_a_form_error(administrator, slug):
    subject = factories.subject()
    data = {**sent_back(administrator.get(change(subject))), "slug": slug}
    assert administrator.post(change(subject), data).status_code == 200


def test_key_and_kind_do_not_change(administrator):
    subject = factories.subject()
    data = {**sent_back(administrator.get(change(subject))), "key": "another", "kind": "runtime"}
    administrator.post(change(subject), data)
    assert Subject.objects.filter(pk=subject.pk, key=subject.key, kind="gpu").exists()


def test_a_slug_taken_meanwhile_is_a_form_error_in_words(administrator):
    taken, subject = factories.subject(), factories.subject()
    data = {**sent_back(administrator.get(change(subject))), "slug": taken.slug}
    page = administrator.post(change(subject), data).content.decode()
    assert "choose another slug" in page


def test_a_property_is_added_and_changed(administrator):
    data = {
        "key": "fp4-dense",
        "subject_kind": "gpu",
        "label": "FP4, dense",
        "definition": "Peak.",
        "datatype": "quantity",
        "unit": "TFLOPS",
        "group": "Compute",
        "position": "3",
        "quantity": "FP4",
        "condition": "dense",
        "performance_figure": "on",
    }
    assert administrator.post("/admin/registry/property/add/", data).status_code == 302
    prop = Property.objects.get(key="fp4-dense")
    data = {**sent_back(administrator.get(change(prop))), "label": "FP4 dense"}
    assert administrator.post(change(prop), data).status_code == 302
    prop.refresh_from_db()
    assert prop.label == "FP4 dense"


def test_an_author_adds_an_organisation_and_changes_none(author):
    data = {"name": "New Lab", "key": "new-lab", "kind": "independent", "parent": ""}
    assert author.post("/admin/sources/organisation/add/", data).status_code == 302
    known = factories.organisation()
    assert author.post(change(known), {"name": "X", "kind": "press"}).status_code == 403


def test_an_administrator_gives_roles_but_makes_no_superuser(administrator):
    person = factories.user("author")
    reviewer = Group.objects.get(name="reviewer")
    data = sent_back(administrator.get(change(person))) | {"groups": [reviewer.pk], "is_superuser": "on"}
    data["user_permissions"] = [Permission.objects.get(codename="delete_user").pk]
    administrator.post(change(person), data)
    data["user_permissions"] = [Permission.objects.get(codename="publish_own_claim").pk]
    administrator.post(change(person), data)
    person.refresh_from_db()
    assert not person.is_superuser
    assert list(person.groups.all()) == [reviewer]
    assert [p.codename for p in person.user_permissions.all()] == ["publish_own_claim"]


def test_an_administrator_does_not_raise_themselves_nor_touch_a_superuser(administrator):
    own = change(administrator.person)
    data = sent_back(administrator.get(own)) | {"groups": [], "is_superuser": "on"}
    administrator.post(own, data)
    administrator.person.refresh_from_db()
    assert not administrator.person.is_superuser
    assert administrator.person.groups.count() == 1
    root = factories.user("administrator", is_superuser=True)
    assert administrator.post(change(root), data).status_code == 403
    password = f"/admin/auth/user/{root.pk}/password/"
    assert (
        administrator.post(password, {"password1": "a b c d e f 1", "password2": "a b c d e f 1"}).status_code
        == 403
    )


def test_permissions_a_superuser_gave_outlast_an_administrators_save(administrator):
    person = factories.user("author")
    person.user_permissions.add(Permission.objects.get(codename="view_user"))
    data = sent_back(administrator.get(change(person))) | {"groups": [], "user_permissions": []}
    administrator.post(change(person), data)
    assert [p.codename for p in person.user_permissions.all()] == ["view_user"]


NOTE = "The maker renamed it."


def rests_on(claim):
    """What a change of each kind of record is: the record, the fields, and words of the notice readers see."""
    subject = claim.subject
    return {
        "address": (subject, {"slug": "renamed"}, "renamed"),
        "name": (subject, {"name": "Renamed"}, "Renamed"),
        "details of a GPU": (subject, {"form_factor": "PCIe"}, "PCIe"),
        "definition": (claim.property, {"definition": "What marketing says."}, "What marketing says."),
        "organisation": (subject.maker, {"name": "Renamed Maker"}, "Renamed Maker"),
    }


@pytest.mark.parametrize("what", ["address", "name", "details of a GPU", "definition", "organisation"])
def test_what_published_claims_rest_on_changes_with_a_note_that_readers_see(administrator, client, what):
    record, fields, words = rests_on(factories.claim())[what]
    data = {**sent_back(administrator.get(change(record))), **fields}
    for note in ["", " — "]:
        answer = administrator.post(change(record), {**data, "note": note})
        assert list(answer.context["adminform"].form.errors) == ["note"]
        assert "readers see the note" in answer.content.decode()
    assert administrator.post(change(record), {**data, "note": NOTE}).status_code == 302
    told = ReferenceChange.objects.noted().get()
    assert (told.note, told.changed_by, told.key) == (NOTE, administrator.person, record.key)
    page = client.get("/corrections").content.decode()
    assert NOTE in page
    assert words in page


@pytest.mark.parametrize(
    ("kind", "fields"),
    [("checkpoint", {"identifier": "maker/renamed"}), ("runtime", {"repository": "maker/renamed"})],
)
def test_details_of_other_kinds_change_with_a_note_too(administrator, kind, fields):
    subject = factories.claim(subject=factories.subject(kind)).subject
    data = {**sent_back(administrator.get(change(subject))), **fields}
    assert "note" in administrator.post(change(subject), data).context["adminform"].form.errors
    assert administrator.post(change(subject), {**data, "note": NOTE}).status_code == 302
    assert getattr(type(getattr(subject, kind)).objects.get(pk=subject.pk), *fields) == "maker/renamed"


def test_a_subject_renamed_after_publication_is_found_at_both_addresses(administrator, client):
    subject = factories.claim().subject
    data = {**sent_back(administrator.get(change(subject))), "slug": "renamed", "note": NOTE}
    administrator.post(change(subject), data)
    assert client.get("/gpus/renamed").status_code == 200
    answer = client.get(f"/gpus/{subject.slug}")
    assert (answer.status_code, answer.url) == (301, "/gpus/renamed")


def test_a_slug_of_another_or_a_reserved_one_is_a_clear_error_of_its_field(administrator):
    subject, other = factories.claim().subject, factories.subject(name="Other")
    former = other.slug
    administrator.post(change(other), {**sent_back(administrator.get(change(other))), "slug": "taken"})
    for slug, words in {
        "taken": "“taken” is the address of Other: choose another slug.",
        former: f"“{former}” was the address of Other and still leads there: choose another slug.",
        "compare": "“compare” is the address of the comparison page: choose another slug.",
    }.items():
        data = {**sent_back(administrator.get(change(subject))), "slug": slug, "note": NOTE}
        answer = administrator.post(change(subject), data)
        assert words in answer.content.decode(), slug
    subject.refresh_from_db()
    assert subject.slug != "taken"


def test_order_and_headline_need_no_note(administrator):
    prop = factories.claim().property
    data = {**sent_back(administrator.get(change(prop))), "position": "9", "headline": "on"}
    assert administrator.post(change(prop), data).status_code == 302


def test_saving_unchanged_needs_no_note(administrator):
    claim = factories.claim()
    for record in (claim.subject, claim.property, claim.subject.maker):
        assert (
            administrator.post(change(record), sent_back(administrator.get(change(record)))).status_code
            == 302
        )


def test_who_only_reads_is_asked_for_no_note(author):
    claim = factories.claim()
    for record in (claim.subject, claim.property, claim.subject.maker):
        assert 'name="note"' not in author.get(change(record)).content.decode()
