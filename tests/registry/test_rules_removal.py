"""What anything refers to stays: no row takes another's place under its id, and what nobody needs may still go."""

import json
import threading

import psycopg
import pytest
from django.db import IntegrityError, ProgrammingError, connection

from registry.actions import log
from registry.actions.lifecycle import discard
from registry.actions.subjects import change_subject
from registry.models import GPU, ClaimCitation, Property, Subject
from sources.models import Organisation, Passage, Source
from tests import factories
from tests.refusals import refused, setting, sql

committed = pytest.mark.django_db(transaction=True, databases=["default", "owner"])

# What may not be replaced → the record, made with what rests on it.
NEEDED = {
    "a passage that a published claim cites": lambda: factories.claim().citations.get().passage,
    "a passage that a draft cites": lambda: factories.claim("draft").citations.get().passage,
    "a passage that a reproduction cites": lambda: (
        factories.reproduction(factories.claim()).citations.get().passage
    ),
    "a passage that a robot has looked for": lambda: looked_for(factories.passage()),
    "a verified source": factories.source,
    "a lead with a passage": lambda: factories.passage(verified=False).source,
    "a source that another was superseded by": lambda: following(factories.source(verified=False)),
    "a publisher of a lead": lambda: factories.source(verified=False).publisher,
    "a maker": lambda: factories.subject().maker,
    "an asserter": lambda: factories.claim("draft", asserter=factories.organisation()).asserter,
    "a performer": lambda: factories.reproduction(factories.claim(), "draft").performer,
    "a parent": lambda: factories.organisation(parent=factories.organisation()).parent,
    "a subject of a published claim": lambda: factories.claim().subject,
    "a subject of a draft": lambda: factories.claim("draft").subject,
    "a subject in a context": lambda: in_context(factories.subject()),
    "a subject that had another address": lambda: renamed(factories.subject()),
    "a property of a published claim": lambda: factories.claim().property,
    "a property of a draft": lambda: factories.claim("draft").property,
}
OTHERWISE = {
    Passage: {"quotation": "words nobody wrote"},
    Source: {"title": "Another title", "verified_on": None, "verified_representation": ""},
    Organisation: {"name": "Competitor"},
    Subject: {"key": "another", "name": "Another"},
    Property: {"key": "another", "unit": "PFLOPS"},
}


def looked_for(passage):
    passage.checks.create(verdict="present", reason="found")
    return passage


def following(source):
    factories.source(verified=False, state="superseded", superseded_by=source)
    return source


def in_context(subject):
    factories.claim(contexts=[(subject, "hardware")])
    return subject


def renamed(subject):
    GPU.objects.filter(subject=subject).delete()
    return change_subject(subject, {"slug": f"{subject.slug}-x"}, by=factories.user("administrator"))


def as_it_stands(record, on=connection):
    """The row as the database has it."""
    table, key = record._meta.db_table, record._meta.pk.column
    with on.cursor() as cursor:
        cursor.execute(f"SELECT to_jsonb(t)::text FROM {table} t WHERE {key} = %s", [record.pk])
        return json.loads(cursor.fetchone()[0])


def replace(on, record, changes):
    """Deletes the row and inserts another with the same id in its place, in one transaction, and commits."""
    table, key = record._meta.db_table, record._meta.pk.column
    row = as_it_stands(record, on) | changes
    try:
        on.execute("SELECT set_config('registry.change_note', 'A test.', true)")
        on.execute(f"DELETE FROM {table} WHERE {key} = %s", [record.pk])
        on.execute(
            f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_record(NULL::{table}, %s)",
            [json.dumps(row)],
        )
        on.commit()
    finally:
        on.rollback()


def holds():
    return log.verify().problems == []


@committed
@pytest.mark.parametrize("what", NEEDED)
def test_nothing_takes_the_place_of(what, web_sql):
    record = NEEDED[what]()
    before = as_it_stands(record)
    with pytest.raises(psycopg.errors.CheckViolation, match="refer to it") as refusal:
        replace(web_sql, record, OTHERWISE[type(record)])
    assert refusal.value.diag.constraint_name == "needed_is_kept"
    assert "Only what nothing refers to can go." in refusal.value.diag.message_hint
    assert as_it_stands(record) == before
    assert holds()


@committed
@pytest.mark.parametrize("what", NEEDED)
def test_no_queryset_deletes(what):
    """Django asks some of this itself; where it does not, the database does."""
    record = NEEDED[what]()
    kept = type(record).objects.filter(pk=record.pk)
    # Former addresses, which would go first, are not the web role's to delete.
    with pytest.raises((IntegrityError, ProgrammingError)):
        kept.delete()
    with refused("needed_is_kept", getattr(record, "key", "p. 2"), "cannot be deleted", "Only what nothing"):
        kept._raw_delete("default")
    assert kept.exists()


@committed
def test_the_attack_that_was_found(web_sql):
    """The words of a published claim's passage, exchanged within one transaction."""
    passage = factories.claim().citations.get().passage
    with pytest.raises(psycopg.errors.CheckViolation) as refusal:
        web_sql.execute(
            f"BEGIN; DELETE FROM sources_passage WHERE id = {passage.pk};"
            " INSERT INTO sources_passage (id, source_id, locator, quotation) OVERRIDING SYSTEM VALUE"
            f" VALUES ({passage.pk}, {passage.source_id}, 'x', 'words nobody wrote'); COMMIT;"
        )
    assert refusal.value.diag.message_primary == (
        'The passage "p. 2" cannot be deleted: rows of registry_claimcitation refer to it.'
    )
    assert Passage.objects.get(pk=passage.pk).quotation == passage.quotation
    assert holds()


@committed
@pytest.mark.parametrize("kind", ["gpu", "checkpoint", "runtime"])
def test_details_that_readers_have_seen_stay(kind, web_sql):
    subject = factories.claim(subject=factories.subject(kind)).subject
    detail = getattr(subject, kind)
    before = as_it_stands(detail)
    with pytest.raises(
        psycopg.errors.CheckViolation, match=f"The {kind} details of {subject.key}"
    ) as refusal:
        replace(web_sql, detail, {})
    assert refusal.value.diag.constraint_name == "detail_is_kept"
    setting("change_note", "A test.")
    with refused("detail_is_kept", subject.key, "Change them, with a note"):
        type(detail).objects.filter(pk=subject.pk).delete()
    assert as_it_stands(detail) == before


class TestIds:
    """An id means one row: what nobody refers to may go, but nothing comes in its place."""

    @committed
    @pytest.mark.parametrize("model", OTHERWISE)
    def test_one_that_is_free_again_is_not_given_again(self, model, web_sql):
        record = FREE[model]()
        with pytest.raises(psycopg.errors.CheckViolation, match=f"cannot have the id {record.pk}") as refusal:
            replace(web_sql, record, OTHERWISE[model])
        assert refusal.value.diag.constraint_name == "id_given_once"
        assert "Leave the id out" in refusal.value.diag.message_hint
        assert model.objects.filter(pk=record.pk).exists()

    @pytest.mark.django_db
    def test_one_to_come_is_not_taken(self):
        factories.organisation()
        with refused("id_given_once", "cannot have the id", "Leave the id out"):
            sql(
                "INSERT INTO sources_organisation (id, key, name, kind) VALUES (987654321, 'a', 'A', 'press')"
            )

    @pytest.mark.django_db
    def test_many_rows_of_one_statement_have_theirs(self):
        made = Organisation.objects.bulk_create(
            Organisation(key=f"bulk-{n}", name=f"Bulk {n}", kind="press") for n in range(3)
        )
        sql(
            "INSERT INTO sources_organisation (key, name, kind)"
            " SELECT key || '-x', name || ' x', kind FROM sources_organisation WHERE key LIKE 'bulk-%%' ORDER BY key DESC"
        )
        assert len({one.pk for one in made}) == 3
        assert Organisation.objects.filter(key__endswith="-x").count() == 3

    @committed
    def test_a_citation_on_its_way_does_not_reach_other_words(self, web_sql):
        """The deleter does not see it yet; it waits, and finds its passage gone."""
        passage, draft = factories.passage(), factories.claim("draft", cited=[])
        web_sql.execute("DELETE FROM sources_passage WHERE id = %s", [passage.pk])
        raised = []

        def cite():
            try:
                ClaimCitation.objects.create(
                    entry=draft, passage_id=passage.pk, stance="supports", position=1
                )
            except IntegrityError as error:
                raised.append(error)
            finally:
                connection.close()

        citing = threading.Thread(target=cite)
        citing.start()
        web_sql.execute(
            "INSERT INTO sources_passage (source_id, locator, quotation) VALUES (%s, 'p. 2', 'Other words')",
            [passage.source_id],
        )
        citing.join(0.3)
        web_sql.commit()
        citing.join(10)
        assert len(raised) == 1
        assert not draft.citations.exists()

    @committed
    def test_a_snapshot_that_uncites_the_past_deletes_nothing(self, web_sql):
        """A transaction that began before the citation is stopped at its end by the foreign key."""
        passage = factories.passage()
        web_sql.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        web_sql.execute("SELECT FROM sources_passage")
        factories.claim(cited=[(passage, "supports")])
        web_sql.execute("DELETE FROM sources_passage WHERE id = %s", [passage.pk])
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            web_sql.commit()
        assert Passage.objects.filter(pk=passage.pk).exists()


def bare_source():
    source = factories.source(verified=False)
    source.link.delete()
    return source


def bare_subject():
    subject = factories.subject()
    subject.gpu.delete()
    return subject


FREE = {
    Passage: factories.passage,
    Source: bare_source,
    Organisation: factories.organisation,
    Subject: bare_subject,
    Property: factories.property_,
}


@committed
@pytest.mark.parametrize("model", FREE)
def test_what_nothing_refers_to_may_go(model, web_sql):
    first, second = FREE[model](), FREE[model]()
    web_sql.execute(f"DELETE FROM {model._meta.db_table} WHERE id = %s", [first.pk])
    web_sql.commit()
    model.objects.filter(pk=second.pk)._raw_delete("default")
    assert not model.objects.filter(pk__in=[first.pk, second.pk]).exists()


@committed
def test_a_lead_goes_with_its_link():
    lead = factories.source(verified=False)
    lead.delete()
    assert not Source.objects.filter(key=lead.key).exists()


@committed
def test_a_discarded_draft_frees_what_it_cited():
    draft = factories.claim("draft")
    passage = draft.citations.get().passage
    discard(draft, by=draft.created_by)
    passage.delete()
    assert not Passage.objects.filter(locator="p. 2").exists()


@pytest.mark.django_db
def test_every_row_that_entries_refer_to_is_kept():
    """A new table that something refers to needs the rule, or a reason to stand here."""
    bare = sql(
        "SELECT DISTINCT confrelid::regclass::text FROM pg_constraint WHERE contype = 'f'"
        " AND (confrelid::regclass::text LIKE 'registry\\_%' OR confrelid::regclass::text LIKE 'sources\\_%')"
        # The rows of some tables are never deleted at all, whatever refers to them.
        " AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = confrelid"
        "                 AND tgname IN ('rule_kept', 'rule_append_only', 'rule_permanent'))"
    )
    assert bare == [("sources_host",)]  # It says nothing but its own name, and when it may be asked.
    numbered = sql(
        "SELECT tgrelid::regclass::text FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid"
        " WHERE proname = 'rule_needed_is_kept' EXCEPT SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'rule_id'"
    )
    assert numbered == []
