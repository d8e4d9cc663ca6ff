"""Adding a source, address first; verifying it; changing it with a note."""

import datetime

import pytest
from django.utils import timezone

from sources.models import ReferenceChange, Source
from tests import factories
from tests.admin.desks import sent_back

ADD = "/admin/sources/source/add/"


def filled(publisher, **changes):
    return {
        "url": "https://docs.example.org/guide?utm_source=mail",
        "title": "A guide",
        "publisher": publisher.name,
        "kind": "documentation",
        "attribution_role": "maker",
        "link_kind": "floating",
        "date_basis": "not stated",
        "state": "current",
        **changes,
    }


def change_url(source):
    return f"/admin/sources/source/{source.pk}/change/"


def test_the_first_step_asks_for_nothing_but_the_address(author):
    page = author.get(ADD).content.decode()
    assert 'name="address"' in page
    assert 'name="title"' not in page


def test_a_new_address_leads_straight_to_the_fields(author):
    answer = author.get(ADD, {"address": "https://Docs.Example.org/1.2/x?utm_source=mail"}, follow=True)
    page = answer.content.decode()
    assert 'value="https://docs.example.org/1.2/x"' in page
    assert 'value="1.2"' in page


@pytest.mark.parametrize(
    ("known", "typed"),
    [
        ("https://www.example.org/a", "http://example.org/a/?utm_campaign=x"),
        ("https://arxiv.org/abs/2309.06180v1", "https://arxiv.org/pdf/2309.06180v1"),
        ("https://doi.org/10.1145/3600006.3613165", "https://dx.doi.org/10.1145/3600006.3613165"),
    ],
)
def test_a_work_that_is_registered_is_shown_and_refused(author, known, typed):
    source = factories.source(url=known)
    page = author.get(ADD, {"address": typed}).content.decode()
    assert change_url(source) in page
    assert "This work is registered already" in page
    assert "Go on with this address" not in page


def test_another_edition_is_shown_and_may_be_added(author):
    source = factories.source(url="https://arxiv.org/abs/2309.06180v1")
    page = author.get(ADD, {"address": "https://arxiv.org/abs/2309.06180v2"}).content.decode()
    assert change_url(source) in page
    assert "Go on with this address" in page


def test_a_moving_address_is_warned_of(author):
    page = author.get(ADD, {"address": "https://docs.example.org/latest/x"}).content.decode()
    assert "A moving address" in page
    assert "Go on with this address" in page


@pytest.mark.parametrize(
    "address", ["ftp://example.org/x", "javascript:alert(1)", "https://user:pw@example.org/", "x" * 3000]
)
def test_what_is_no_address_is_a_form_error(author, address):
    answer = author.get(ADD, {"address": address})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()


def test_a_source_is_added_with_its_one_address_and_a_key(author):
    publisher = factories.organisation(name="Maker & Co")
    author.post(ADD, filled(publisher))
    source = Source.objects.get(title="A guide")
    assert source.url == "https://docs.example.org/guide"
    assert source.key == f"{publisher.key}-a-guide"
    assert source.verified_on is None


def test_a_duplicate_posted_past_the_first_step_is_refused(author):
    known = factories.source(url="https://docs.example.org/guide")
    page = author.post(ADD, filled(factories.organisation())).content.decode()
    assert f'href="{change_url(known)}"' in page
    assert Source.objects.count() == 1


def test_source_and_verification_are_recorded_together(author):
    author.post(ADD, filled(factories.organisation(), opened_today="on", representation="full text"))
    assert Source.objects.get(title="A guide").verified_on == timezone.now().astimezone(datetime.UTC).date()


def test_a_reading_without_the_tick_is_refused_and_nothing_is_added(author):
    page = author.post(ADD, filled(factories.organisation(), representation="full text")).content.decode()
    assert "recorded only by who opened the source today" in page
    assert not Source.objects.exists()


@pytest.mark.parametrize(
    "dates",
    [
        {"date_basis": "published"},
        {"date_basis": "not stated", "published_on": "2025-01-01", "published_precision": "day"},
        {"date_basis": "published", "published_on": "2025-01-01"},
        {"date_basis": ""},
    ],
)
def test_exactly_one_date_form(author, dates):
    answer = author.post(ADD, filled(factories.organisation(), **dates))
    assert answer.status_code == 200
    assert answer.context["errors"]
    assert not Source.objects.exists()


@pytest.mark.parametrize("field", ["published", "last_modified"])
def test_a_date_that_has_not_come_is_a_form_error(author, field):
    tomorrow = factories.today() + datetime.timedelta(days=1)
    dated = {f"{field}_on": str(tomorrow), f"{field}_precision": "day", "date_basis": field.replace("_", " ")}
    answer = author.post(ADD, filled(factories.organisation(), **dated))
    assert f"{tomorrow} has not come yet" in answer.context["adminform"].form.errors[f"{field}_on"][0]
    assert not Source.objects.exists()


def test_a_date_after_the_reading_is_a_form_error_and_undoes_the_source(author, monkeypatch):
    monkeypatch.setattr("registry.admin.sources.today", lambda: datetime.date(2025, 1, 1))
    dated = {"date_basis": "published", "published_on": "2025-01-02", "published_precision": "day"}
    read = {"opened_today": "on", "representation": "full text"}
    page = author.post(ADD, filled(factories.organisation(), **dated, **read)).content.decode()
    assert "cannot have been read" in page
    assert 'value="A guide"' in page
    assert not Source.objects.exists()


def test_a_verified_source_changes_only_with_a_note(author):
    source = factories.source()
    data = {**sent_back(author.get(change_url(source))), "title": "Another title"}
    assert "readers see the note" in author.post(change_url(source), data).content.decode()
    author.post(change_url(source), {**data, "note": "The page was renamed."})
    source.refresh_from_db()
    assert source.title == "Another title"
    change = ReferenceChange.objects.filter(table="source", key=source.key, operation="update").first()
    assert (change.note, change.changed_by) == ("The page was renamed.", author.person)


def test_saving_a_source_unchanged_needs_no_note(author):
    source = factories.source()
    assert author.post(change_url(source), sent_back(author.get(change_url(source)))).status_code == 302


def test_an_attribution_is_not_removed(author):
    source = factories.source()
    data = {**sent_back(author.get(change_url(source))), "publisher": "", "note": "x y"}
    assert "name the right publisher instead" in author.post(change_url(source), data).content.decode()


def test_a_verification_takes_the_tick(author):
    source = factories.source(verified=False)
    url = f"/admin/sources/source/{source.pk}/verify/"
    page = author.post(url, {"representation": "full text", "outcome": "confirmed"}).content.decode()
    assert "open it, then tick this" in page
    assert not source.verifications.exists()
    data = {
        "opened_today": "on",
        "representation": "transcription",
        "outcome": "confirmed",
        "note": "A forum post.",
    }
    answer = author.post(url, data, follow=True)
    verification = source.verifications.get()
    assert (verification.verified_by, verification.representation) == (author.person, "transcription")
    assert "read through a transcription" in answer.content.decode()


def test_the_same_verification_twice_a_day_is_a_form_error(author):
    source = factories.source(verified=False)
    url = f"/admin/sources/source/{source.pk}/verify/"
    data = {"opened_today": "on", "representation": "full text", "outcome": "confirmed"}
    author.post(url, data)
    assert "This verification is recorded already." in author.post(url, data).content.decode()
