"""Constraints that triggers never let anybody reach: with the triggers off they still hold."""

import pytest
from django.db import connections, transaction

from registry.models import FormerSlug
from tests import factories
from tests.refusals import refused, sql

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


@pytest.fixture
def as_owner():
    """Runs a statement as the owner with every rule of these tables off; gives up the transaction afterwards."""
    owner = connections["owner"]

    def run(statement, *tables):
        for table in tables:
            sql(f"ALTER TABLE {table} DISABLE TRIGGER USER", on=owner)
        sql(statement, on=owner)

    with transaction.atomic("owner"):
        yield run
        transaction.set_rollback(True, "owner")


@pytest.fixture
def claim():
    return factories.claim()


UNREACHED = {
    "an unknown status": (
        "status_known",
        "ALTER TABLE {table} DROP CONSTRAINT {table_name}_dates_with_status; UPDATE {table} SET status = 'approved'",
    ),
    "two published revisions": (
        "one_published_revision_per_lineage",
        "UPDATE {table} SET status = 'published', ended_at = NULL, ended_on = NULL",
    ),
    "two open revisions": (
        "one_open_revision_per_lineage",
        "UPDATE {table} SET status = 'draft', published_at = NULL, ended_at = NULL, ended_on = NULL",
    ),
    "an end before the beginning": (
        "dates_with_status",
        "UPDATE {table} SET status = 'withdrawn', end_note = 'x', ended_at = now(), ended_on = record_date - 1"
        " WHERE revision = 2",
    ),
    "a publication without a number": ("dates_with_status", "UPDATE {table} SET number = NULL"),
    "a publication by its author": ("second_person", "UPDATE {table} SET published_by_id = created_by_id"),
    "a publication by nobody": ("publisher_named", "UPDATE {table} SET published_by_id = NULL"),
    "a change without a note": (
        "change_note_required",
        "UPDATE {table} SET change_note = '' WHERE revision = 2",
    ),
    "a revision twice": ("revision_once", "UPDATE {table} SET revision = 1, change_kind = 'first'"),
}


@pytest.mark.parametrize("kind", ["claim", "reproduction", "benchmarkrecord"])
@pytest.mark.parametrize("what", UNREACHED)
def test_without_triggers_constraints_hold(what, kind, claim, as_owner):
    rule, statement = UNREACHED[what]
    entries = {
        "claim": lambda: claim,
        "reproduction": lambda: factories.reproduction(claim),
        "benchmarkrecord": factories.benchmark_record,
    }
    factories.revision(entries[kind]())
    table = f"registry_{kind}"
    with refused(f"{kind}_{rule}", using="owner"):
        as_owner(statement.format(table=table, table_name=kind), table)


def test_one_head(as_owner):
    with refused("publicationhead_one_row", using="owner"):
        as_owner("INSERT INTO registry_publicationhead (id, sequence, sha256) VALUES (2, 0, '')")


def test_one_state(as_owner):
    with refused("registrystate_one_row", using="owner"):
        as_owner("INSERT INTO registry_registrystate (id, version, changed_at) VALUES (2, 0, now())")


def test_one_subject_a_former_address(claim, as_owner):
    other = factories.subject()
    FormerSlug.objects.using("owner").create(kind="gpu", slug="h100", subject_id=claim.subject_id)
    with refused("former_slug_once", using="owner"):
        as_owner(
            f"INSERT INTO registry_formerslug (kind, slug, subject_id) VALUES ('gpu', 'h100', {other.pk})"
        )


def test_a_claim_of_another_kind_than_its_property(claim, as_owner):
    with refused("claim_property_of_kind", using="owner"):
        as_owner("UPDATE registry_claim SET subject_kind = 'runtime'", "registry_claim")


@pytest.mark.parametrize(
    ("rule", "table"),
    [("property_with_kind", "registry_property"), ("subject_with_kind", "registry_subject")],
)
def test_the_pairs_that_foreign_keys_need_cannot_be_broken_before_the_primary_key(
    rule, table, as_owner, claim
):
    """They are unique because the id alone is: nothing to break, but others hold on to them."""
    held = sql(
        "SELECT confrelid::regclass::text FROM pg_constraint WHERE conname LIKE 'claim_%_of_kind' ORDER BY 1"
    )
    assert (table,) in held
    assert sql("SELECT convalidated FROM pg_constraint WHERE conname = %s", rule) == [(True,)]
