"""Prove that nothing published was changed, removed or added past the rules."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from registry.actions.log import verify


class Command(BaseCommand):
    help = (
        "Recomputes the log's chain of hashes and compares today's entries and rules with it. "
        "Exit code 0 and the last hash where all holds; 1 and the first thing that does not match."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take a hash that was noted earlier."""
        parser.add_argument(
            "--contains",
            default="",
            metavar="SHA256",
            help="a hash this command printed earlier: the log must still hold it",
        )

    def handle(self, *args: Any, contains: str, **options: Any) -> None:
        """Print the verdict."""
        verdict = verify(self._progress, contains.strip().lower())
        for note in verdict.notes:
            self.stdout.write(note)
        for problem in verdict.problems:
            self.stderr.write(problem)
        if verdict.holds:
            self.stdout.write(f"OK: {verdict.rows} rows, head {verdict.head}")
            return
        self.stderr.write(f"The log does not hold ({verdict.rows} rows).")
        sys.exit(1)

    def _progress(self, label: str, done: int, total: int) -> None:
        if total and sys.stderr.isatty():
            self.stderr.write(f"\r{label}: {done}/{total}", ending="\n" if done == total else "")
