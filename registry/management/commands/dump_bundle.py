"""Write everything published as a bundle."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction

from registry.bundle.fields import ENTRIES
from registry.bundle.folder import write_folder
from registry.bundle.layout import MANIFEST
from registry.bundle.recorded import published


class Command(BaseCommand):
    help = (
        "Writes every published revision and what it rests on as JSON files: no users, no drafts, no clocks."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the folder to write."""
        parser.add_argument(
            "path", type=Path, metavar="PATH", help="a new or empty folder, or an earlier bundle"
        )

    def handle(self, *args: Any, path: Path, **options: Any) -> None:
        """Write the files and say how many."""
        if path.exists() and (not path.is_dir() or (any(path.iterdir()) and not (path / MANIFEST).is_file())):
            raise CommandError(f"{path} holds something that is no bundle. Give a new or empty folder.")
        alone = not connection.in_atomic_block
        with transaction.atomic(), connection.cursor() as cursor:
            if alone:
                # One moment for all tables, whatever is published meanwhile.
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            records = published()
        count = write_folder(path, records)
        entries = sum(len(records[kind]) for kind in ENTRIES)
        self.stdout.write(f"Wrote {count} files with {entries} entries to {path}.")
