"""manage.py verify_log: whatever was changed past the rules is named."""

import pytest
from django.core.management import call_command
from django.db import connections, transaction

from registry.actions import log
from registry.models import Publication
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True, databases=["default", "owner"])


@pytest.fixture
def published():
    """Three claims, the first of them corrected and reproduced, the second withdrawn."""
    first, second, third = factories.claim(), factories.claim(), factories.claim()
    factories.reproduction(first)
    factories.claim("draft")
    first = factories.revision(first, text="1980 TFLOPS", value="1980")
    return first, factories.withdrawn(second), third


@pytest.fixture
def as_owner():
    """Runs SQL as the owner with every trigger of a table off: what no rule can stop, the log must show."""

    def run(table, *statements):
        with connections["owner"].cursor() as cursor:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            try:
                for statement in statements:
                    cursor.execute(statement)
            finally:
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")

    return run


def problems():
    return " ".join(log.verify().problems)


def test_a_log_that_holds_says_its_rows_and_head(published, capsys):
    call_command("verify_log")
    head = Publication.objects.last()
    assert capsys.readouterr().out == f"OK: {head.sequence} rows, head {head.sha256}\n"


def test_an_empty_log_holds(capsys):
    call_command("verify_log")
    assert capsys.readouterr().out == f"OK: 0 rows, head {'0' * 64}\n"


def test_a_hash_noted_earlier_is_still_there(published):
    noted = Publication.objects.first().sha256
    assert log.verify(contains=noted).holds


def test_a_hash_noted_before_the_log_was_rewritten_is_missed(published):
    assert "was rewritten since it was noted" in " ".join(log.verify(contains="ab" * 32).problems)


def test_more_rows_than_are_held_at_a_time_are_verified(published, monkeypatch):
    monkeypatch.setattr(log, "BATCH", 2)
    assert log.verify().holds


def test_a_published_value_altered_with_triggers_disabled_is_caught(published, as_owner, capsys):
    as_owner("registry_claim", "UPDATE registry_claim SET value = 1981 WHERE number = 3")
    with pytest.raises(SystemExit) as exit_:
        call_command("verify_log")
    assert exit_.value.code == 1
    said = capsys.readouterr().err
    assert "C-3/1 does not say what row" in said
    assert "1981" in said


_FORGED = (
    "INSERT INTO registry_publication"
    " SELECT sequence + 1, 'C', 99, 1, 'published', 'x', record_date, '', 1, '1 {}', sha256,"
    " publication_digest(sha256, sequence + 1, 'C', 99, 1, 'published', 'x', record_date, '', recorded_at, '1 {}'),"
    " recorded_at FROM registry_publication ORDER BY sequence DESC LIMIT 1"
)
_HEAD_MOVED = (
    "UPDATE registry_publicationhead SET (sequence, sha256) ="
    " (SELECT sequence, sha256 FROM registry_publication ORDER BY sequence DESC LIMIT 1)"
)
ALTERED = {
    "a text of the log": (
        "registry_publication",
        "UPDATE registry_publication SET text = replace(text, '1979', '1978') WHERE sequence = 2",
        "Row 2 (C-2/1 published) was altered",
    ),
    "a day of the log": (
        "registry_publication",
        "UPDATE registry_publication SET record_date = record_date - 1 WHERE sequence = 1",
        "Row 1 (C-1/1 published) was altered",
    ),
    "a subject of the log": (
        "registry_publication",
        "UPDATE registry_publication SET subject_key = 'other' WHERE sequence = 3",
        "Row 3 (C-3/1 published) was altered",
    ),
    "a format of the log": (
        "registry_publication",
        "UPDATE registry_publication SET format_version = 2 WHERE sequence = 3",
        "Row 3 (C-3/1 published) was altered",
    ),
    "a hash of the log": (
        "registry_publication",
        "UPDATE registry_publication SET sha256 = repeat('a', 64) WHERE sequence = 2",
        "Row 2 (C-2/1 published) was altered",
    ),
    "a row taken from the middle of the log": (
        "registry_publication",
        "DELETE FROM registry_publication WHERE sequence = 2",
        "Row 2 of the log is missing: the next one is 3.",
    ),
    "the first row of the log": (
        "registry_publication",
        "DELETE FROM registry_publication WHERE sequence = 1",
        "Row 1 of the log is missing",
    ),
    "the last row of the log": (
        "registry_publication",
        "DELETE FROM registry_publication WHERE sequence = (SELECT max(sequence) FROM registry_publication)",
        "rows are missing at the end",
    ),
    "the last row and the head": (
        "registry_publication",
        "DELETE FROM registry_publication WHERE event = 'withdrawn'",
        _HEAD_MOVED,
        "C-2/1 is withdrawn, but row 2 of the log says published",
    ),
    "a row added at the end of the log": (
        "registry_publication",
        "INSERT INTO registry_publication SELECT sequence + 1, letter, number, revision, event, subject_key,"
        " record_date, bundle, format_version, text, sha256, repeat('b', 64), recorded_at"
        " FROM registry_publication ORDER BY sequence DESC LIMIT 1",
        "was altered: its hash is not that of what it says",
    ),
    "a row added with a right hash": (
        "registry_publication",
        _FORGED,
        "rows are missing at the end, or were added past the rules",
    ),
    "a row and the head with right hashes": (
        "registry_publication",
        _FORGED,
        _HEAD_MOVED,
        "(C-99/1 published) speaks of an entry that is gone",
    ),
    "an entry taken away": (
        "registry_claim",
        "ALTER TABLE registry_claimcitation DISABLE TRIGGER USER",
        "DELETE FROM registry_claimcitation WHERE entry_id IN (SELECT id FROM registry_claim WHERE number = 3)",
        "DELETE FROM registry_claim WHERE number = 3",
        "ALTER TABLE registry_claimcitation ENABLE TRIGGER USER",
        "Row 3 (C-3/1 published) speaks of an entry that is gone",
    ),
    "an entry published past the log": (
        "registry_claim",
        "UPDATE registry_claim SET status = 'published', number = 77, record_date = current_date,"
        " published_at = now(), bundle = 'x' WHERE status = 'draft'",
        "C-77/1 is published, but the log has no row of it",
    ),
    "a status": (
        "registry_claim",
        "UPDATE registry_claim SET status = 'withdrawn', ended_at = now(), ended_on = record_date, end_note = 'x'"
        " WHERE number = 3",
        "C-3/1 is withdrawn, but row 3 of the log says published",
    ),
    "a withdrawal's reason": (
        "registry_claim",
        "UPDATE registry_claim SET end_note = 'A better reason.' WHERE number = 2",
        "C-2/1 does not say what row",
    ),
    "a record date": (
        "registry_claim",
        "UPDATE registry_claim SET record_date = record_date - 1 WHERE number = 3",
        "C-3/1 does not say what row",
    ),
    "an end": (
        "registry_claim",
        "UPDATE registry_claim SET ended_on = ended_on + 1 WHERE number = 2",
        "C-2/1 does not carry the dates",
    ),
    "a bundle": (
        "registry_claim",
        "UPDATE registry_claim SET bundle = 'hardware' WHERE number = 3",
        "C-3/1 does not carry the dates, subject and bundle",
    ),
    "the successor of a superseded entry": (
        "registry_claim",
        "UPDATE registry_claim SET status = 'draft', published_at = NULL WHERE number = 1 AND revision = 2",
        "C-1/1 is superseded, but no revision follows it",
    ),
    "a citation": (
        "registry_claimcitation",
        "DELETE FROM registry_claimcitation WHERE entry_id IN (SELECT id FROM registry_claim WHERE number = 3)",
        "1 published without an attributed, verified source that supports them; the first is C-3/1",
    ),
    "a stance": (
        "registry_claimcitation",
        "UPDATE registry_claimcitation SET stance = 'context'"
        " WHERE entry_id IN (SELECT id FROM registry_claim WHERE number = 3)",
        "C-3/1 does not say what row",
    ),
    "a source's publisher": (
        "sources_source",
        "UPDATE sources_source SET publisher_id = NULL",
        "4 published without an attributed, verified source that supports them; the first is C-1/1",
    ),
    "a verification": (
        "sources_verification",
        "UPDATE sources_verification SET outcome = 'differs'",
        "published without an attributed, verified source",
    ),
    "a passage": (
        "sources_passage",
        "UPDATE sources_passage SET quotation = 'Other words.'",
        "C-1/1 does not say what row",
    ),
    "a key": (
        "sources_organisation",
        "UPDATE sources_organisation SET key = key || '-x'",
        "C-1/1 does not say what row",
    ),
    "a reproduction": (
        "registry_reproduction",
        "UPDATE registry_reproduction SET outcome = 'not reproduced'",
        "R-1/1 does not say what row",
    ),
}


@pytest.mark.parametrize("what", ALTERED)
def test_what_was_altered_past_the_rules_is_named(what, published, as_owner):
    table, *statements, words = ALTERED[what]
    as_owner(table, *statements)
    assert words in problems()


STRANGE = {
    "a rule switched off": (
        "ALTER TABLE registry_claim DISABLE TRIGGER rule_step",
        "rule_step on registry_claim",
    ),
    "a rule taken away": ("DROP TRIGGER rule_kept ON registry_claim", "rule_kept on registry_claim"),
    "a rule that says yes": (
        "CREATE OR REPLACE FUNCTION rule_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "function rule_append_only()",
    ),
    "a trigger that is no rule": (
        "CREATE TRIGGER zz BEFORE UPDATE ON registry_claim FOR EACH ROW EXECUTE FUNCTION rule_no_truncate()",
        "zz on registry_claim",
    ),
    "a function that is no rule": (
        "CREATE FUNCTION refuse(rule text) RETURNS void LANGUAGE sql AS ''",
        "function refuse(text)",
    ),
    "a constraint taken away": (
        "ALTER TABLE registry_claim DROP CONSTRAINT claim_numbers_finite",
        "claim_numbers_finite is missing",
    ),
    "a constraint not enforced for old rows": (
        "ALTER TABLE registry_claim DROP CONSTRAINT claim_bound_known,"
        " ADD CONSTRAINT claim_bound_known CHECK (bound <> 'x') NOT VALID",
        "claim_bound_known is missing",
    ),
    "a unique index taken away": (
        "DROP INDEX claim_one_published_revision_per_lineage",
        "claim_one_published_revision_per_lineage is missing",
    ),
}


@pytest.mark.parametrize("what", STRANGE)
def test_rules_that_are_not_those_of_the_files_are_named(what, monkeypatch):
    statement, words = STRANGE[what]
    monkeypatch.setattr(log, "connection", connections["owner"])
    with transaction.atomic("owner"):
        with connections["owner"].cursor() as cursor:
            cursor.execute(statement)
        problems, notes = log.strange_rules()
        transaction.set_rollback(True, "owner")
    assert words in " ".join(problems), notes


def test_without_the_owner_the_rules_are_not_compared(published, monkeypatch, capsys):
    monkeypatch.setattr(log, "connections", {"owner": connections["default"]})
    call_command("verify_log")
    said = capsys.readouterr().out
    assert "Rules not compared" in said
    assert "OK: 7 rows" in said
