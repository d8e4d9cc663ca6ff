"""Two editors on one record: the second save shows both versions and saves nothing."""

import pytest

from registry.actions.drafts import edit_draft
from registry.actions.subjects import change_subject
from sources.actions.organisations import change_organisation
from tests import factories
from tests.admin.desks import desk, sent_back


@pytest.fixture
def draft(author):
    return factories.claim("draft", by=author.person)


def url(draft):
    return f"/admin/registry/claim/{draft.pk}/change/"


def test_the_second_save_of_a_draft_shows_both_versions(author, administrator, draft):
    form = sent_back(author.get(url(draft)))
    edit_draft(draft, {"conditions": "at 700 W"}, by=administrator.person, seen_at=draft.edited_at)
    page = author.post(url(draft), {**form, "conditions": "dense"}).content.decode()
    draft.refresh_from_db()
    assert draft.conditions == "at 700 W"
    assert "both versions stand side by side" in page
    assert "<td>at 700 W</td>" in page
    assert "<td>dense</td>" in page
    assert administrator.person.username in page


def test_who_has_read_both_may_save_over_it(author, administrator, draft):
    form = sent_back(author.get(url(draft)))
    edit_draft(draft, {"conditions": "at 700 W"}, by=administrator.person, seen_at=draft.edited_at)
    answer = author.post(url(draft), {**form, "conditions": "dense"})
    standing = answer.context["adminform"].form.standing
    assert author.post(url(draft), {**form, "conditions": "dense", "overwrite": standing}).status_code == 302
    draft.refresh_from_db()
    assert draft.conditions == "dense"


def test_a_form_without_the_stamp_saves_nothing(author, draft):
    form = {**sent_back(author.get(url(draft))), "conditions": "dense"}
    del form["seen"]
    author.post(url(draft), form)
    draft.refresh_from_db()
    assert draft.conditions == ""


def test_a_source_shows_both_versions_too(author):
    source = factories.source(verified=False)
    address = f"/admin/sources/source/{source.pk}/change/"
    mine, theirs = sent_back(author.get(address)), sent_back(author.get(address))
    author.post(address, {**theirs, "title": "Theirs"})
    page = author.post(address, {**mine, "title": "Mine"}).content.decode()
    source.refresh_from_db()
    assert source.title == "Theirs"
    assert "<td>Theirs</td>" in page
    assert "<td>Mine</td>" in page


def test_an_organisation_shows_both_versions_too(administrator):
    organisation = factories.organisation()
    address = f"/admin/sources/organisation/{organisation.pk}/change/"
    form = sent_back(administrator.get(address))
    change_organisation(organisation, {"name": "Theirs"}, by=None)
    page = administrator.post(address, {**form, "name": "Mine"}).content.decode()
    organisation.refresh_from_db()
    assert organisation.name == "Theirs"
    assert "<td>Theirs</td>" in page


def test_a_draft_saved_twice_by_one_person_is_no_conflict(author, draft):
    for words in ["dense", "sparse"]:
        assert (
            author.post(url(draft), {**sent_back(author.get(url(draft))), "conditions": words}).status_code
            == 302
        )
    draft.refresh_from_db()
    assert draft.conditions == "sparse"


def test_anothers_draft_is_read_only(author, draft):
    other = desk(factories.user("author"))
    answer = other.get(url(draft))
    assert answer.status_code == 200
    assert 'name="text"' not in answer.content.decode()
    assert other.post(url(draft), sent_back(author.get(url(draft)))).status_code == 403


def test_details_of_a_subject_are_not_saved_over_either(administrator):
    subject = factories.claim().subject
    address = f"/admin/registry/subject/{subject.pk}/change/"
    form = sent_back(administrator.get(address))
    change_subject(subject, {}, by=None, detail={"form_factor": "PCIe"}, note="Misread.")
    answer = administrator.post(address, {**form, "form_factor": "SXM", "note": "Misread, too."})
    subject.gpu.refresh_from_db()
    assert subject.gpu.form_factor == "PCIe"
    assert "both versions stand side by side" in answer.content.decode()
    standing = answer.context["adminform"].form.standing
    again = {**form, "form_factor": "SXM", "note": "Misread, too.", "overwrite": standing}
    assert administrator.post(address, again).status_code == 302
    subject.gpu.refresh_from_db()
    assert subject.gpu.form_factor == "SXM"
