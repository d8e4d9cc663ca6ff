"""What the web role may not do, however it asks: the roads around the rules."""

import psycopg
import pytest
from django.db import DatabaseError, connection, connections, transaction

from registry import rules
from registry.actions import log
from registry.models import Claim, Publication
from tests import factories
from tests.refusals import refused, setting, sql

pytestmark = pytest.mark.django_db

GUARDED = sorted(
    {
        "registry_artifact",
        "registry_benchmarkcitation",
        "registry_benchmarkrecord",
        "registry_claim",
        "registry_claimcitation",
        "registry_claimcontext",
        "registry_measurement",
        "registry_metric",
        "registry_reproduction",
        "registry_reproductioncitation",
        "registry_subject",
        "registry_property",
        "registry_gpu",
        "registry_checkpoint",
        "registry_runtime",
        "registry_formerslug",
        "registry_publication",
        "registry_publicationhead",
        "registry_registrystate",
        "registry_workload",
        "sources_organisation",
        "sources_source",
        "sources_passage",
        "sources_verification",
        "sources_linkcheck",
        "sources_passagecheck",
        "sources_referencechange",
    }
)


def not_allowed(statement, *values):
    """The database refuses because of who asks."""
    words = "permission denied|must be owner|must be superuser"
    with pytest.raises(DatabaseError, match=words) as refusal, transaction.atomic():
        sql(statement, *values)
    assert refusal.value.__cause__.sqlstate == "42501", refusal.value


def test_the_tests_run_as_the_web_role():
    assert sql("SELECT current_user, session_user") == [("registry_web", "registry_web")]
    assert not sql(
        "SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
    )[0][0]


@pytest.mark.parametrize("table", GUARDED)
class TestTables:
    def test_no_truncate(self, table):
        not_allowed(f"TRUNCATE {table} CASCADE")

    def test_no_trigger_is_switched_off(self, table):
        not_allowed(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        not_allowed(f"ALTER TABLE {table} DISABLE TRIGGER USER")

    def test_no_trigger_is_added_or_dropped(self, table):
        not_allowed(f"DROP TRIGGER rule_no_truncate ON {table}")
        not_allowed(
            f"CREATE TRIGGER zz BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION rule_passage_immutable()"
        )

    def test_no_column_constraint_or_rule_changes(self, table):
        not_allowed(f"ALTER TABLE {table} ADD COLUMN x int")
        not_allowed(f"ALTER TABLE {table} RENAME TO gone")
        not_allowed(f"CREATE RULE away AS ON UPDATE TO {table} DO INSTEAD NOTHING")
        not_allowed(f"DROP TABLE {table} CASCADE")
        not_allowed(f"CREATE INDEX ON {table} ((1))")


def test_every_table_of_ours_is_guarded_against_truncate():
    """The owner, too, is stopped by a rule; links are a robot's notes and may go."""
    with connections["default"].cursor() as cursor:
        cursor.execute(
            "SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'rule_no_truncate' ORDER BY 1"
        )
        assert [table for (table,) in cursor.fetchall()] == GUARDED


WRITTEN_BY_RULES = {
    "registry_publication": "letter = 'C'",
    "registry_publicationhead": "sequence = 0",
    "registry_registrystate": "version = 1",
    "registry_formerslug": "slug = 'x'",
    "registry_metric": "name = 'x'",
    "sources_referencechange": "note = ''",
    "django_migrations": "name = 'x'",
}


def test_this_lists_every_table_that_rules_write():
    assert set(WRITTEN_BY_RULES) == set(rules.WRITTEN_BY_RULES)


@pytest.mark.parametrize("table", WRITTEN_BY_RULES)
def test_what_rules_write_nobody_else_does(table):
    not_allowed(f"INSERT INTO {table} SELECT * FROM {table}")
    not_allowed(f"UPDATE {table} SET {WRITTEN_BY_RULES[table]}")
    not_allowed(f"DELETE FROM {table}")
    not_allowed(f"MERGE INTO {table} USING (SELECT 1) x ON true WHEN MATCHED THEN DELETE")
    not_allowed(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
    not_allowed(f"SELECT * FROM {table} FOR UPDATE")


SESSIONS = {
    "replica mode, in which no trigger fires": "SET session_replication_role = replica",
    "the owner's role": "SET ROLE registry_owner",
    "the superuser's role": "SET ROLE postgres",
    "the owner's session": "SET SESSION AUTHORIZATION registry_owner",
    "row security off for all": "ALTER ROLE registry_web SUPERUSER",
    "membership in the owner": "GRANT registry_owner TO registry_web",
    "a role of its own": "CREATE ROLE mine SUPERUSER",
    "a setting for all of the database": "ALTER ROLE ALL SET session_replication_role = replica",
    "a rule rewritten": "CREATE OR REPLACE FUNCTION rule_append_only() RETURNS trigger LANGUAGE plpgsql"
    " AS 'BEGIN RETURN NEW; END'",
    "the refusal rewritten": "CREATE OR REPLACE FUNCTION refuse(rule text, sentence text, remedy text) RETURNS void"
    " LANGUAGE sql AS ''",
    "another refusal that fits better": "CREATE FUNCTION refuse(rule unknown, sentence text, remedy unknown)"
    " RETURNS void LANGUAGE sql AS ''",
    "a rule dropped": "DROP FUNCTION rule_append_only() CASCADE",
    "a rule of an entry altered": "ALTER FUNCTION rule_registry_claim_step() SET search_path = pg_temp",
    "a function of its own": "CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "a schema of its own": "CREATE SCHEMA mine",
    "a temporary table": "CREATE TEMPORARY TABLE sources_verification (source_id int)",
    "a temporary view": "CREATE TEMPORARY VIEW registry_claim AS SELECT 1",
    "a temporary function": "CREATE FUNCTION pg_temp.refuse(text, text, text) RETURNS void LANGUAGE sql AS ''",
    "a table": "CREATE TABLE public.mine (id int)",
    "an operator": "CREATE OPERATOR public.~ (LEFTARG = text, RIGHTARG = text, FUNCTION = texteq)",
    "an event trigger": "CREATE EVENT TRIGGER mine ON ddl_command_start EXECUTE FUNCTION rule_append_only()",
    "an extension": "CREATE EXTENSION dblink",
    "a file read": "COPY registry_claim FROM '/etc/passwd'",
    "a program run": "COPY registry_claim TO PROGRAM 'cat'",
    "a large object from a file": "SELECT lo_import('/etc/passwd')",
    "a file listed": "SELECT pg_read_file('/etc/passwd')",
    "the version raised": "SELECT raise_registry_state()",
    "a sequence set": "SELECT setval('sources_verification_id_seq', 1)",
    "another's backend ended": "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'",
    "a subscription": "CREATE PUBLICATION mine FOR ALL TABLES",
    "everything that it owns given away": "REASSIGN OWNED BY registry_owner TO registry_web",
}


@pytest.mark.parametrize("what", SESSIONS)
def test_the_web_role_does_not_get(what):
    with pytest.raises(DatabaseError) as refusal, transaction.atomic():
        sql(SESSIONS[what])
    assert refusal.value.__cause__.sqlstate in {"42501", "42710", "0A000", "3F000", "42704"}, refusal.value


def test_functions_that_run_as_the_owner_are_not_the_web_roles_to_use():
    """With a table of its own it could make a trigger of them and write histories: so it may not name them."""
    assert (
        sql(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef"
            " AND has_function_privilege(current_user, oid, 'EXECUTE')"
        )
        == []
    )


def test_every_rule_looks_names_up_where_only_the_owner_writes():
    """Inlined ones (no search path) call only what pg_catalog has."""
    without = sql(
        "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'"
        " AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')"
        " AND NOT coalesce(strpos(proconfig::text, 'search_path=public, pg_temp') > 0, false) ORDER BY 1"
    )
    assert [name for (name,) in without] == [
        "publication_digest",
        "registry_benchmarkrecord_name",
        "registry_claim_name",
        "registry_reproduction_name",
    ]


def test_a_search_path_of_its_own_changes_nothing():
    bare = factories.claim("submitted", cited=[])
    with refused("entry_needs_attributed_source"):
        sql("SET LOCAL search_path = pg_temp, pg_catalog")
        sql("UPDATE public.registry_claim SET status = 'published' WHERE id = %s", bare.pk)


def test_dates_and_floats_printed_otherwise_do_not_change_what_is_recorded():
    claim = factories.claim("submitted")
    for name, value in {
        "DateStyle": "German",
        "IntervalStyle": "iso_8601",
        "TimeZone": "Asia/Tokyo",
        "extra_float_digits": "-15",
        "bytea_output": "escape",
        "lc_numeric": "C",
        "quote_all_identifiers": "on",
        "standard_conforming_strings": "on",
    }.items():
        sql("SELECT set_config(%s, %s, true)", name, value)
    sql(
        "UPDATE registry_claim SET status = 'published', published_by_id = %s WHERE id = %s",
        factories.user("reviewer").pk,
        claim.pk,
    )
    sql("SELECT set_config('DateStyle', 'ISO', true), set_config('TimeZone', 'UTC', true)")
    claim.refresh_from_db()
    assert claim.record_date == factories.today()
    row = Publication.objects.last()
    assert log.digest(row) == row.sha256


class TestBundleSetting:
    """registry.bundle is anybody's to set. It buys an earlier date and an absent reviewer, and the log says so."""

    def test_it_does_not_publish_without_a_source(self):
        bare = factories.claim("submitted", cited=[])
        setting("bundle", "mine")
        with refused("entry_needs_attributed_source"):
            sql("UPDATE registry_claim SET status = 'published' WHERE id = %s", bare.pk)

    def test_it_does_not_thaw(self):
        claim = factories.claim()
        setting("bundle", "mine")
        with refused("entry_frozen"):
            sql("UPDATE registry_claim SET text = 'forged' WHERE id = %s", claim.pk)

    def test_it_does_not_skip_review(self):
        setting("bundle", "mine")
        with refused("entry_transition"):
            sql("UPDATE registry_claim SET status = 'published' WHERE id = %s", factories.claim("draft").pk)

    def test_what_it_publishes_bears_its_name_in_the_row_and_in_the_log(self):
        claim = factories.claim("submitted")
        setting("bundle", "mine")
        sql("UPDATE registry_claim SET status = 'published', bundle = '' WHERE id = %s", claim.pk)
        claim.refresh_from_db()
        assert (claim.bundle, Publication.objects.last().bundle) == ("mine", "mine")

    def test_a_name_that_is_too_long_publishes_nothing(self):
        claim = factories.claim("submitted")
        setting("bundle", "m" * 201)
        with pytest.raises(DatabaseError, match="too long"), transaction.atomic():
            sql("UPDATE registry_claim SET status = 'published' WHERE id = %s", claim.pk)
        assert not Claim.objects.published().exists()


class TestOwner:
    """Rules also stop the owner's hands, where they are not switched off."""

    @pytest.mark.parametrize("table", ["registry_claim", "registry_publication", "sources_verification"])
    def test_no_truncate_outside_test_databases(self, table, owner_sql):
        body = owner_sql.execute("SELECT prosrc FROM pg_proc WHERE proname = 'rule_no_truncate'").fetchone()[
            0
        ]
        owner_sql.execute(
            "CREATE OR REPLACE FUNCTION rule_no_truncate() RETURNS trigger LANGUAGE plpgsql AS $body$"
            + body.replace("'test\\_%'", "'never\\_%'")
            + "$body$"
        )
        with pytest.raises(psycopg.errors.CheckViolation, match="cannot be truncated") as refusal:
            owner_sql.execute(f"TRUNCATE {table} CASCADE")
        assert refusal.value.diag.constraint_name == "no_truncate"
        assert "with a reason" in refusal.value.diag.message_hint

    @pytest.mark.django_db(transaction=True)
    def test_the_log_is_append_only(self, owner_sql):
        factories.claim()
        for statement in ("UPDATE registry_publication SET letter = 'X'", "DELETE FROM registry_publication"):
            with pytest.raises(psycopg.errors.CheckViolation, match="kept for ever") as refusal:
                owner_sql.execute(statement)
            assert refusal.value.diag.constraint_name == "append_only"
            owner_sql.rollback()

    @pytest.mark.django_db(transaction=True)
    def test_the_history_is_append_only(self, owner_sql):
        factories.organisation()
        with pytest.raises(psycopg.errors.CheckViolation, match="kept for ever"):
            owner_sql.execute("DELETE FROM sources_referencechange")

    @pytest.mark.django_db(transaction=True)
    def test_publishing_is_judged(self, owner_sql):
        bare = factories.claim("submitted", cited=[])
        with pytest.raises(psycopg.errors.CheckViolation, match="cites no source"):
            owner_sql.execute("UPDATE registry_claim SET status = 'published' WHERE id = %s", [bare.pk])

    @pytest.mark.django_db(transaction=True)
    def test_with_a_temporary_table_the_web_role_still_forges_nothing(self, owner_sql, web_sql):
        """An operator's database may grant TEMPORARY to all: the functions of the owner are out of reach even so."""
        claim = factories.claim()
        name = connection.settings_dict["NAME"]
        owner_sql.execute(f'GRANT TEMPORARY ON DATABASE "{name}" TO registry_web')
        owner_sql.commit()
        try:
            web_sql.execute("CREATE TEMPORARY TABLE mine (id int, key text, source_id int, outcome text)")
            web_sql.execute(
                "CREATE TEMPORARY TABLE registry_claimcitation (LIKE public.registry_claimcitation)"
            )
            for function in ("rule_remember_change('source')", "rule_verification_shown()"):
                web_sql.commit()
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    web_sql.execute(
                        f"CREATE TRIGGER t AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION {function}"
                    )
                web_sql.rollback()
            # A trigger of its own lifts the depth at which its statements run.
            web_sql.execute(
                "CREATE FUNCTION pg_temp.deep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                " PERFORM set_config('registry.change_note', 'x', true);"
                " UPDATE public.sources_source SET verified_on = '2026-01-02'; RETURN NULL; END $$"
            )
            web_sql.execute(
                "CREATE TRIGGER t AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION pg_temp.deep()"
            )
            with pytest.raises(psycopg.errors.CheckViolation, match="comes from its verifications alone"):
                web_sql.execute("INSERT INTO mine VALUES (1)")
            web_sql.rollback()
            web_sql.execute(
                "CREATE TEMPORARY TABLE other (id int);"
                "CREATE FUNCTION pg_temp.end_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                " UPDATE public.registry_claim SET status = 'superseded', ended_on = record_date; RETURN NULL; END $$;"
                "CREATE TRIGGER t AFTER INSERT ON other FOR EACH ROW EXECUTE FUNCTION pg_temp.end_it()"
            )
            with pytest.raises(psycopg.errors.CheckViolation, match="cannot go from published to superseded"):
                web_sql.execute("INSERT INTO other VALUES (1)")
            web_sql.rollback()
        finally:
            owner_sql.execute(f'REVOKE TEMPORARY ON DATABASE "{name}" FROM registry_web')
            owner_sql.commit()
        claim.refresh_from_db()
        assert claim.status == "published"
