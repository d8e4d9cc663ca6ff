"""Loading a bundle: everything in one transaction, through the same rules as any editor's work."""

from collections.abc import Iterator

from django.db import connection, transaction
from django.utils import timezone

from registry.actions.bundle_entries import Entries, Progress
from registry.actions.bundle_references import References
from registry.bundle.check import check
from registry.bundle.compare import Comparison, compare
from registry.bundle.fields import ENTRIES, LETTERS, number_of
from registry.bundle.folder import Bundle
from registry.bundle.known import Known
from registry.bundle.problems import BundleRefused, Problem
from registry.bundle.recorded import everything
from registry.bundle.recorded_entries import MODELS

# One number for all imports; a second one is told at once instead of waiting.
LOCK = 0x6275_6E64


class ImportRunning(Exception):
    """Another import holds the lock."""

    def __init__(self) -> None:
        super().__init__("An import is running. Wait for it to end, then load the bundle again.")


def judge(bundle: Bundle) -> Comparison:
    """Say what loading would do, with every problem found. Writes nothing."""
    known = Known(bundle, everything())
    comparison = compare(known)
    comparison.problems = [
        *bundle.problems,
        *check(known, timezone.now().date()),
        *comparison.problems,
        *_open_drafts(known, comparison),
    ]
    return comparison


def load(bundle: Bundle, progress: Progress = lambda label, done, total: None) -> Comparison:
    """Load a bundle and give back what was done. Raises BundleRefused with every problem, or ImportRunning."""
    with transaction.atomic(durable=not connection.in_atomic_block), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
        if not cursor.fetchone()[0]:
            raise ImportRunning
        note = f"Loaded from the bundle {bundle.name}."
        cursor.execute(
            "SELECT set_config('statement_timeout', '600s', true), set_config('registry.bundle', %s, true),"
            " set_config('registry.change_note', %s, true), set_config('registry.user_id', '', true)",
            [bundle.name, note],
        )
        comparison = judge(bundle)
        if comparison.problems:
            raise BundleRefused(comparison.problems)
        references = References(bundle.records, comparison)
        references.organisations()
        references.properties()
        references.sources()
        references.subjects()
        references.artifacts()
        entries = Entries(bundle.records, comparison, progress)
        for kind in ENTRIES:
            entries.load(kind)
        # The settings hold until the transaction ends, which inside a caller's own is later than here.
        cursor.execute(
            "SELECT set_config('registry.bundle', '', true), set_config('registry.change_note', '', true)"
        )
    return comparison


def _open_drafts(known: Known, comparison: Comparison) -> Iterator[Problem]:
    for kind in ENTRIES:
        touched = [number_of(name) for name in (*comparison.revisions[kind], *comparison.withdrawals[kind])]
        opened = MODELS[kind][0].objects.open().filter(number__in=touched)
        for number in opened.values_list("number", flat=True):
            name = f"{LETTERS[kind]}-{number}"
            message = f"{name} has an open draft in the registry."
            yield known.at(kind, name)("", None, message, "Publish or discard the draft first.")
