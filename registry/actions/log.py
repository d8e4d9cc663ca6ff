"""Verifying the log: the chain of publications, today's rows against it, and the rules that keep both."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC

from django.db import OperationalError, ProgrammingError, connection, connections, transaction

from registry import rules
from registry.errors import COMPOSITE_KEYS, declared
from registry.models import Publication, PublicationHead
from registry.models.entry import Entry
from sources.rules import differences, missing_constraints

FIRST = "0" * 64
# No privilege, a table in use for too long, or no connection at all.
_NOT_OURS_TO_COMPARE = {"42501", "55P03", None}
BATCH = 2000  # rows held at a time

Progress = Callable[[str, int, int], None]


@dataclass
class Verdict:
    """What was found: how many rows the log has, the hash of the last one, and what does not match, worst first."""

    rows: int = 0
    head: str = FIRST
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """True where nothing was found."""
        return not self.problems


def verify(progress: Progress = lambda label, done, total: None, contains: str = "") -> Verdict:
    """Recomputes the chain, compares each entry with its newest row, and the rules with their files.

    `contains` is a hash that somebody wrote down earlier: the chain must still hold it. Of each part only the first
    problem is told. Reads one snapshot, holds at most BATCH rows in memory, and writes nothing.
    """
    verdict = Verdict()
    with transaction.atomic():
        with connection.cursor() as cursor:
            if not connection.savepoint_ids:  # the outermost transaction can still choose
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        verdict.rows = Publication.objects.count()
        parts = [
            _broken_chain(verdict, progress, contains),
            *(_changed_entries(model, verdict, progress) for model in rules.ENTRIES),
            _rows_without_entry(),
            *(_unsupported(model) for model in rules.ENTRIES),
        ]
        verdict.problems = [problem for problem in (next(part, None) for part in parts) if problem]
    # Outside the snapshot: comparing installs the rules anew, for which it needs every table for a moment.
    strange, verdict.notes = strange_rules()
    verdict.problems += strange
    return verdict


def digest(row: Publication) -> str:
    """The SHA-256 of one row of the log, over the very text that publication_digest (rules/20_log.sql) takes."""
    said = [
        row.previous_sha256,
        str(row.sequence),
        f"{row.letter}-{row.number}/{row.revision}",
        row.event,
        row.subject_key,
        row.record_date.isoformat(),
        row.bundle,
        row.recorded_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        row.text,
    ]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def strange_rules() -> tuple[list[str], list[str]]:
    """Rules and constraints that are not those of the code, and a note where nobody could compare."""
    missing = missing_constraints(connection, [*declared(), *COMPOSITE_KEYS])
    problems = [f"The constraint {missing[0]} is missing or not enforced: migrate anew."] if missing else []
    try:
        strange = differences(connections["owner"], rules.statements())
    except (OperationalError, ProgrammingError) as error:
        if getattr(error.__cause__, "sqlstate", None) not in _NOT_OURS_TO_COMPARE:
            raise
        reason = str(error).strip().splitlines()[0]
        return problems, [f"Rules not compared: that takes the owner's role (DATABASE_OWNER_URL). {reason}"]
    if strange:
        problems.append(
            f"{len(strange)} rules in the database are not those of the files: {strange[0]}. "
            "Find out who changed them, then run migrate."
        )
    return problems, []


def _broken_chain(verdict: Verdict, progress: Progress, contains: str) -> Iterator[str]:
    previous, sequence, found = FIRST, 0, not contains
    for row in Publication.objects.order_by("sequence").iterator(chunk_size=BATCH):
        if row.sequence != sequence + 1:
            yield f"Row {sequence + 1} of the log is missing: the next one is {row.sequence}."
        if row.previous_sha256 != previous:
            yield f"Row {_named(row)} does not follow the row before it: their hashes differ."
        if digest(row) != row.sha256:
            yield f"Row {_named(row)} was altered: its hash is not that of what it says."
        if not row.text.startswith(f"{row.format_version} "):
            yield f"Row {_named(row)} was altered: its text is not of format {row.format_version}."
        previous, sequence = row.sha256, row.sequence
        found = found or row.sha256 == contains
        if sequence % BATCH == 0:
            progress("log", sequence, verdict.rows)
    progress("log", verdict.rows, verdict.rows)
    verdict.head = previous
    head = PublicationHead.objects.filter(id=1).first()
    if head is None:
        yield "The log has no head: its one row is gone."
    elif (head.sequence, head.sha256) != (sequence, previous):
        yield (
            f"The log ends at row {sequence} ({previous[:12]}…), but its head says {head.sequence} "
            f"({head.sha256[:12]}…): rows are missing at the end, or were added past the rules."
        )
    if not found:
        yield f"No row of the log has the hash {contains}: the log was rewritten since it was noted."


def _changed_entries(model: type[Entry], verdict: Verdict, progress: Progress) -> Iterator[str]:
    table = model._meta.db_table
    label, total, done = str(model._meta.verbose_name_plural), model.objects.ever_published().count(), 0
    last = (0, 0)
    while True:
        with connection.cursor() as cursor:
            cursor.execute(_COMPARED.format(table=table), [*last, BATCH, model.letter])
            rows = cursor.fetchall()
        for row in rows:
            yield from _compared(model.letter, *row)
        if not rows:
            return
        last, done = rows[-1][:2], done + len(rows)
        progress(label, done, total)


# Today's rows after a number and revision, beside the newest log row of each and beside the row of its publication.
_COMPARED = """
WITH page AS (
  SELECT id FROM {table} WHERE status NOT IN ('draft', 'submitted') AND (number, revision) > (%s, %s)
  ORDER BY number, revision LIMIT %s)
SELECT entry.number, entry.revision, entry.status, entry.bundle,
       CASE entry.status WHEN 'published' THEN entry.record_date ELSE entry.ended_on END,
       said.subject_key, said.body, newest.sequence, newest.event, newest.record_date, newest.subject_key, newest.text,
       first.bundle, first.record_date, entry.record_date,
       entry.status <> 'superseded' OR EXISTS (
         SELECT FROM {table} next WHERE next.lineage = entry.lineage AND next.revision = entry.revision + 1
           AND next.status NOT IN ('draft', 'submitted'))
FROM {table} entry
JOIN {table}_said(ARRAY(SELECT id FROM page)) said USING (id)
LEFT JOIN LATERAL (
  SELECT * FROM registry_publication WHERE letter = %s AND number = entry.number AND revision = entry.revision
  ORDER BY sequence DESC LIMIT 1) newest ON true
LEFT JOIN LATERAL (
  SELECT * FROM registry_publication WHERE letter = newest.letter AND number = entry.number
    AND revision = entry.revision AND event = 'published' ORDER BY sequence LIMIT 1) first ON true
ORDER BY entry.number, entry.revision
"""


def _compared(
    letter, number, revision, status, bundle, day, subject, said, sequence, *logged
) -> Iterator[str]:
    event, logged_day, logged_subject, text, logged_bundle, first_day, record_date, followed = logged
    name = f"{letter}-{number}/{revision}"
    if sequence is None:
        yield f"{name} is {status}, but the log has no row of it."
        return
    where = f"row {sequence} of the log"
    if event != status:
        yield f"{name} is {status}, but {where} says {event}."
    if text != said:
        yield f"{name} does not say what {where} recorded: {_difference(text, said)}."
    if (logged_day, logged_subject or "", first_day, logged_bundle) != (
        day,
        subject or "",
        record_date,
        bundle,
    ):
        yield f"{name} does not carry the dates, subject and bundle that {where} recorded."
    if not followed:
        yield f"{name} is superseded, but no revision follows it."


def _difference(before: str, now: str) -> str:
    """The first place where two texts part, with a few words of each."""
    place = next(
        (n for n, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), min(len(before), len(now))
    )
    start = max(0, place - 20)
    return f"“{before[start : place + 20]}” there, “{now[start : place + 20]}” now"


def _rows_without_entry() -> Iterator[str]:
    known = [model.letter for model in rules.ENTRIES]
    stranger = Publication.objects.exclude(letter__in=known).order_by("sequence").first()
    if stranger:
        yield f"Row {_named(stranger)} is of a kind that this registry does not know."
    for model in rules.ENTRIES:
        orphan = Publication.objects.raw(
            f"SELECT log.* FROM registry_publication log LEFT JOIN {model._meta.db_table} entry"
            " ON entry.number = log.number AND entry.revision = log.revision"
            " AND entry.status NOT IN ('draft', 'submitted')"
            " WHERE log.letter = %s AND entry.id IS NULL ORDER BY log.sequence LIMIT 1",
            [model.letter],
        )
        for row in orphan:
            yield f"Row {_named(row)} speaks of an entry that is gone."


def _unsupported(model: type[Entry]) -> Iterator[str]:
    """Entries that no attributed source, verified by then, supports. There must be none."""
    with connection.cursor() as cursor:
        tables = {"entry": model._meta.db_table, "citation": rules.ENTRIES[model][0]._meta.db_table}
        cursor.execute(_UNSUPPORTED.format(**tables))
        count, number, revision = cursor.fetchone()
    if count:
        yield (
            f"{count} published without an attributed, verified source that supports them; the first is "
            f"{model.letter}-{number}/{revision}."
        )


_UNSUPPORTED = """
SELECT count(*) OVER (), number, revision FROM {entry} entry WHERE status NOT IN ('draft', 'submitted') AND NOT EXISTS (
  SELECT FROM {citation} citation
  JOIN sources_passage passage ON passage.id = citation.passage_id
  JOIN sources_source source ON source.id = passage.source_id
  JOIN sources_organisation publisher ON publisher.id = source.publisher_id
  JOIN sources_verification verification ON verification.source_id = source.id
  WHERE citation.entry_id = entry.id AND citation.stance = 'supports' AND publisher.name ~ '[[:alnum:]]'
    AND verification.outcome = 'confirmed' AND verification.verified_on <= entry.record_date)
UNION ALL SELECT 0, NULL, NULL
ORDER BY 2, 3 LIMIT 1
"""


def _named(row: Publication) -> str:
    return f"{row.sequence} ({row.letter}-{row.number}/{row.revision} {row.event})"
