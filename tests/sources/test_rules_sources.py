"""Sources, passages and verifications: attribution stays, dates come from verifications, histories only grow."""

import datetime
import threading
from functools import partial

import pytest
from django.db import connection

from sources.actions.sources import change_source, record_verification
from sources.models import LinkCheck, Passage, PassageCheck, ReferenceChange, Source, Verification
from tests import factories
from tests.refusals import INSERTS, UPDATES, refused, setting, sql

pytestmark = pytest.mark.django_db


@pytest.fixture
def source():
    return factories.source()


@pytest.mark.parametrize("road", UPDATES)
class TestChanges:
    def test_a_source_keeps_its_publisher(self, road, source):
        setting("change_note", "A test.")
        with refused(
            "source_attribution_permanent", source.key, "cannot lose its publisher", "Name the right"
        ):
            UPDATES[road](source, {"publisher": None})

    def test_a_lead_keeps_its_publisher_too(self, road):
        with refused("source_attribution_permanent"):
            UPDATES[road](factories.source(verified=False), {"publisher": None})

    def test_a_publisher_is_not_exchanged_in_silence(self, road, source):
        competitor = factories.organisation()
        with refused("source_change_noted", source.key, "without a note", "Say what changed"):
            UPDATES[road](source, {"publisher": competitor})

    def test_no_field_of_a_verified_source_changes_in_silence(self, road, source):
        for changes in (
            {"title": "Other"},
            {"url": "https://example.org/other"},
            {"work_id": "url:other"},
            {"version": "2"},
            {"kind": "blog"},
            {"attribution_role": "third party"},
            {"scope_notes": ["vendor peak"]},
            {"archive_url": "https://archive.example.org/1"},
            {"state": "withdrawn"},
            {"created_at": "2020-01-01T00:00:00Z"},
        ):
            with refused("source_change_noted", source.key):
                UPDATES[road](source, changes)

    def test_blanks_are_no_note(self, road, source):
        setting("change_note", " \u00a0\u200b—")
        with refused("source_change_noted"):
            UPDATES[road](source, {"title": "Other"})

    def test_a_lead_changes_without_a_note(self, road):
        UPDATES[road](factories.source(verified=False), {"title": "Other"})

    def test_the_verified_date_is_not_typed_in(self, road, source):
        setting("change_note", "A test.")
        for record in (source, factories.source(verified=False)):
            for changes in (
                {"verified_on": "2026-01-02"},
                {"verified_representation": "summary"},
                {"read_directly": not record.read_directly},
            ):
                with refused("verified_on_from_verifications", record.key, "Record a verification"):
                    UPDATES[road](record, changes)

    @pytest.mark.parametrize("field", ["published", "last_modified"])
    def test_a_source_is_not_dated_tomorrow(self, road, field):
        lead, tomorrow = factories.source(verified=False), factories.today() + datetime.timedelta(days=1)
        basis = {"date_basis": field.replace("_", " "), f"{field}_precision": "day"}
        with refused("source_date_not_in_future", lead.key, str(tomorrow), "Give the day"):
            UPDATES[road](lead, {**basis, f"{field}_on": tomorrow})
        UPDATES[road](lead, {**basis, f"{field}_on": factories.today()})

    def test_a_passage_does_not_change(self, road, source):
        passage = factories.passage(source)
        for changes in ({"quotation": "Other"}, {"locator": "p. 3"}, {"source": factories.source()}):
            with refused("passage_immutable", "p. 2", "Add another passage"):
                UPDATES[road](passage, changes)

    def test_a_verification_does_not_change(self, road, source):
        verification = source.verifications.get()
        for changes in ({"outcome": "differs"}, {"verified_on": "2020-01-01"}, {"note": "x"}):
            with refused("append_only", "sources_verification", "Add a new row"):
                UPDATES[road](verification, changes)


@pytest.mark.parametrize("road", INSERTS)
class TestAdditions:
    def test_a_source_is_not_born_verified(self, road, source):
        for fields in ({"verified_on": factories.today()}, {"read_directly": True}):
            born = Source(key="born", title="Born", url="https://example.org/b", work_id="url:b", **fields)
            with refused(
                "verified_on_from_verifications", "The verified date of the source born", "Add the source"
            ):
                INSERTS[road](born)

    def test_a_source_is_not_read_tomorrow(self, road, source):
        tomorrow = factories.today() + datetime.timedelta(days=1)
        with refused("verification_not_in_future", str(tomorrow), "Give the day"):
            INSERTS[road](Verification(source=source, verified_on=tomorrow, representation="full text"))

    def test_a_source_is_not_born_with_a_date_to_come(self, road):
        lead, tomorrow = factories.source(verified=False), factories.today() + datetime.timedelta(days=1)
        lead.pk, lead.key, lead.work_id = None, "born", "url:born"
        lead.date_basis, lead.published_on, lead.published_precision = "published", tomorrow, "day"
        with refused("source_date_not_in_future", "The source born", str(tomorrow), "Give the day"):
            INSERTS[road](lead)

    def test_a_source_is_not_read_before_its_publication(self, road):
        source = factories.source(
            date_basis="published", published_on=datetime.date(2025, 6, 1), published_precision="day"
        )
        early = Verification(source=source, verified_on=datetime.date(2025, 5, 31), representation="excerpt")
        with refused(
            "verification_after_publication", source.key, "2025-06-01", "2025-05-31", "Give the day"
        ):
            INSERTS[road](early)


HISTORIES = {
    "verification": lambda s: s.verifications.get(),
    "link check": lambda s: LinkCheck.objects.create(source=s, verdict="working", reason="200"),
    "passage check": lambda s: PassageCheck.objects.create(
        passage=factories.passage(s), verdict="present", reason="found"
    ),
}


@pytest.mark.parametrize("history", HISTORIES)
def test_histories_only_grow(history, source):
    row = HISTORIES[history](source)
    table = row._meta.db_table
    with refused("append_only", table, "kept for ever"):
        sql(f"DELETE FROM {table} WHERE id = %s", row.pk)
    with refused("append_only", table):
        type(row).objects.filter(pk=row.pk).delete()
    with refused("append_only", table):
        sql(f"UPDATE {table} SET id = id + 1000 WHERE id = %s", row.pk)


class TestVerifiedDate:
    def test_the_newest_success_is_shown(self, source):
        older = factories.today() - datetime.timedelta(days=30)
        record_verification(source, on=older, representation="excerpt")
        source.refresh_from_db()
        assert (source.verified_on, source.verified_representation) == (factories.today(), "full text")

    def test_a_failure_moves_nothing(self):
        source = factories.source(verified_on=datetime.date(2026, 1, 2))
        record_verification(source, on=factories.today(), representation="full text", outcome="differs")
        source.refresh_from_db()
        assert source.verified_on == datetime.date(2026, 1, 2)

    def test_having_read_the_text_once_outlasts_a_later_repost(self):
        source = factories.source(verified_on=datetime.date(2026, 1, 2))
        record_verification(source, on=factories.today(), representation="repost")
        source.refresh_from_db()
        assert (source.verified_representation, source.read_directly) == ("repost", True)

    def test_a_summary_alone_is_second_hand(self):
        source = factories.source(representation="summary")
        assert source.second_hand
        assert list(Source.objects.second_hand()) == [source]

    @pytest.mark.django_db(transaction=True)
    def test_of_two_verifications_at_once_the_newest_is_shown(self):
        """Without the lock the slower one overwrote the newer date with its own older one."""
        for _ in range(10):
            source = factories.source(verified=False)
            days = [factories.today() - datetime.timedelta(days=n) for n in range(4)]
            at_once(*[partial(record_verification, source, on=day, representation="excerpt") for day in days])
            source.refresh_from_db()
            assert source.verified_on == factories.today()


def at_once(*actions):
    """Runs each in a thread and connection of its own, all released together."""
    barrier = threading.Barrier(len(actions))

    def run(action):
        try:
            barrier.wait()
            action()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)


class TestHistory:
    def test_a_noted_change_is_kept_with_its_person_and_its_columns(self, source):
        person = factories.user()
        change_source(source, {"title": "Other"}, note="The title was cut.", by=person)
        kept = ReferenceChange.objects.get(table="source", key=source.key, operation="update")
        assert (kept.before, kept.after) == ({"title": source.title}, {"title": "Other"})
        assert (kept.note, kept.changed_by) == ("The title was cut.", person)

    def test_a_bulk_change_is_kept_row_by_row(self):
        keys = {factories.source(verified=False).key for _ in range(3)}
        Source.objects.update(licence="CC BY 4.0")
        assert set(ReferenceChange.objects.filter(operation="update").values_list("key", flat=True)) == keys

    def test_a_verification_is_no_change_of_the_source(self, source):
        assert not ReferenceChange.objects.filter(table="source", operation="update").exists()

    def test_a_setting_that_names_nobody_is_nobody(self, source):
        setting("user_id", "'; DROP TABLE auth_user")
        change = Source.objects.filter(pk=factories.source(verified=False).pk)
        setting("user_id", "nobody")
        change.update(title="Other")
        assert ReferenceChange.objects.first().changed_by_id is None

    def test_a_deletion_is_kept(self):
        passage_free = factories.organisation()
        sql("DELETE FROM sources_organisation WHERE id = %s", passage_free.pk)
        kept = ReferenceChange.objects.first()
        assert (kept.operation, kept.key, kept.before["name"]) == (
            "delete",
            passage_free.key,
            passage_free.name,
        )


def test_an_address_may_carry_two_versions_but_not_one_twice(source):
    twin = {"work_id": source.work_id, "url": source.url, "title": "T", "kind": "datasheet"}
    words = {"attribution_role": "maker", "link_kind": "pinned", "date_basis": "not stated"}
    Source.objects.create(key="v2", version="v2", **twin, **words)
    with refused("source_identity", "already in this version"):
        Source.objects.create(key="v2-again", version="v2", **twin, **words)


def test_a_passage_that_nobody_cites_may_go(source):
    passage = factories.passage(source)
    sql("DELETE FROM sources_passage WHERE id = %s", passage.pk)
    assert not Passage.objects.filter(pk=passage.pk).exists()
