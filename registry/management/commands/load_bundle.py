"""Load a bundle of reviewed records: a dry run with every problem at once, or all of it with --apply."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import IntegrityError

from registry.actions.bundle import ImportRunning, judge, load
from registry.bundle.compare import Comparison
from registry.bundle.folder import Bundle, read_folder
from registry.bundle.problems import BundleRefused, Problem
from registry.errors import sentence

_MOST_SHOWN = 1000
_WIDTH = 30


class Command(BaseCommand):
    help = "Checks a bundle against its schema, itself and the registry; with --apply loads it in one transaction."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the folder, and whether to write."""
        parser.add_argument("path", type=Path, metavar="PATH", help="the folder that holds bundle.json")
        parser.add_argument("--apply", action="store_true", help="write; without it nothing is changed")

    def handle(self, *args: Any, path: Path, apply: bool, **options: Any) -> None:
        """Print what is new, the same and ahead; exit with 1 and every problem if there is one."""
        bundle = read_folder(path)
        try:
            comparison = load(bundle, self._progress) if apply and not bundle.problems else judge(bundle)
        except BundleRefused as refusal:
            self._refuse(refusal.problems)
        except ImportRunning as running:
            raise CommandError(str(running)) from None
        except IntegrityError as error:
            raise CommandError(
                f"The database refused the bundle; nothing was written. {sentence(error)}"
            ) from None
        if comparison.problems:
            self._refuse(comparison.problems)
        self._report(bundle, comparison, apply)

    def _report(self, bundle: Bundle, comparison: Comparison, apply: bool) -> None:
        for kind, keys in comparison.new.items():
            if keys:
                self.stdout.write(f"{len(keys):6} new {kind}")
        for kind, numbers in comparison.revisions.items():
            if numbers:
                count = sum(
                    len(bundle.records[kind][name]["revisions"]) - first + 1
                    for name, first in numbers.items()
                )
                self.stdout.write(f"{count:6} new revisions of {kind}")
        for line in comparison.ahead:
            self.stdout.write(f"  kept: {line}")
        did = "Loaded" if apply else "Dry run, nothing written"
        self.stdout.write(
            f"{did}: {comparison.new_count} new, {comparison.same} same, {len(comparison.ahead)} kept."
        )
        if not apply and comparison.new_count:
            self.stdout.write("Run it again with --apply to load them.")

    def _refuse(self, problems: list[Problem]) -> None:
        for problem in problems[:_MOST_SHOWN]:
            self.stderr.write(str(problem))
        if len(problems) > _MOST_SHOWN:
            self.stderr.write(f"… and {len(problems) - _MOST_SHOWN} more.")
        raise CommandError(f"{len(problems)} problem{'s' * (len(problems) != 1)}; nothing was written.")

    def _progress(self, label: str, done: int, total: int) -> None:
        if not total or not sys.stderr.isatty():
            return
        filled = _WIDTH * done // total
        line = f"\r{label:14} [{'#' * filled}{'.' * (_WIDTH - filled)}] {done}/{total}"
        self.stderr.write(line, ending="\n" if done == total else "")
        self.stderr.flush()
