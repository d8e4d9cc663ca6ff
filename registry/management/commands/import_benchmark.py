"""Read benchmark result files and make drafts of records from them: a dry run unless told otherwise."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError
from django.db import DataError, IntegrityError

from registry.actions.benchmark_import import import_file
from registry.actions.benchmark_plan import ROLES, KnownFile, Plan, Supplied, plan
from registry.actions.benchmark_suggestions import suggested
from registry.actions.lifecycle import publish, submit
from registry.errors import sentence
from registry.models import BenchmarkRecord, Subject
from registry.readers import read
from registry.readers.errors import Unreadable
from registry.readers.run import Report, Run
from registry.readers.text import MAX_BYTES
from sources.models import Organisation, Source

_WIDTH = 30  # characters of the bar
_NAMED = "[PRINTED=]SLUG"


class Command(BaseCommand):
    help = (
        "Reads result files of benchmark tools. Without --apply nothing is written: what was recognised, what is missing and "
        "every problem are printed. --json prints what was read and needs nothing beside the files."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The files, and what they do not say themselves."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--json", action="store_true", help="print what was read as JSON and stop")
        parser.add_argument("--apply", action="store_true", help="make the drafts")
        parser.add_argument("--by", metavar="USER", default="", help="the author of the drafts")
        parser.add_argument(
            "--publish-by",
            metavar="USER",
            default="",
            help="with --apply: submit the drafts too, and publish them as reviewed by this second person",
        )
        parser.add_argument("--source", metavar="KEY", default="", help="the source that publishes the files")
        for role in ROLES:
            parser.add_argument(
                f"--{role}",
                metavar=_NAMED,
                action="append",
                default=[],
                help=f"the {role} that the file means",
            )
        parser.add_argument(
            "--submitter",
            metavar="[PRINTED=]KEY",
            action="append",
            default=[],
            help="the organisation that publishes it",
        )
        parser.add_argument(
            "--performed-by", metavar="KEY", default="", help="the organisation that measured"
        )
        parser.add_argument(
            "--condition",
            metavar="NAME=VALUE",
            action="append",
            default=[],
            help="a fact the file does not state",
        )
        parser.add_argument("--origin", metavar="URL", default="", help="where this very file is published")
        parser.add_argument("--licence", default="", help="the file's licence")
        parser.add_argument(
            "--redistributable", action="store_true", help="the licence lets the file be passed on"
        )
        parser.add_argument(
            "--known-only",
            action="store_true",
            help="leave out runs on hardware, or by submitters, that are not named",
        )
        parser.add_argument("--verification", default="", help="verified or unverified, as a suite says")

    def handle(self, *args: Any, files: Sequence[Path], **options: Any) -> None:
        """All files or none: problems of every file are printed before anything is written."""
        contents = [(path, self._bytes(path)) for path in files]
        if options["json"]:
            self._print_json(contents)
            return
        supplied = self._supplied(options)
        plans = []
        problems = 0
        for number, (path, data) in enumerate(contents, start=1):
            self._progress(number, len(contents), path.name)
            found = self._plan(path, data, supplied)
            if found is None or found.problems:
                problems += 1
            plans.append(found)
        if problems:
            raise CommandError(f"Nothing was written: {problems} of {len(contents)} files have problems.")
        if not options["apply"]:
            self.stdout.write(
                "Dry run, nothing written. Run it again with --apply --by USER to make the drafts."
            )
            return
        by = self._user(options["by"], "the author of the drafts with --by")
        reviewer = options["publish_by"] and self._user(
            options["publish_by"], "the reviewer with --publish-by"
        )
        self._apply(contents, supplied, by, reviewer)

    def _apply(
        self, contents: Sequence[tuple[Path, bytes]], supplied: Supplied, by: Any, reviewer: Any
    ) -> None:
        for path, data in contents:
            try:
                made = import_file(data, path.name, supplied, by=by)
            except IntegrityError as error:
                raise CommandError(
                    f"{path.name}: refused, nothing of it was written. {sentence(error)}"
                ) from None
            except DataError:
                words = "A value is too large, or in a form that cannot be kept."
                raise CommandError(f"{path.name}: refused, nothing of it was written. {words}") from None
            if reviewer:
                self._publish(path, made, by, reviewer)
                continue
            self.stdout.write(
                f"{path.name}: {len(made)} drafts. Submit them in the admin once their conditions are complete."
            )

    def _publish(self, path: Path, made: Sequence[BenchmarkRecord], by: Any, reviewer: Any) -> None:
        numbers = []
        try:
            for done, record in enumerate(made, start=1):
                submitted = submit(record, by=by, note=f"Imported from {path.name}.")
                numbers.append(publish(submitted, by=reviewer).name)
                self._progress(done, len(made), "published")
        except (PermissionDenied, IntegrityError) as refusal:
            why = sentence(refusal) if isinstance(refusal, IntegrityError) else refusal
            raise CommandError(
                f"{len(numbers)} of {len(made)} were published, the others are drafts. {why}"
            ) from None
        self.stdout.write(f"{path.name}: {len(made)} records published, {numbers[0]} to {numbers[-1]}.")

    def _user(self, username: str, words: str) -> Any:
        found = get_user_model().objects.filter(username=username, is_active=True).first()
        if found is None:
            raise CommandError(f"There is no user “{username}”: name {words}.")
        return found

    def _plan(self, path: Path, data: bytes, supplied: Supplied) -> Plan | None:
        try:
            found = plan(data, path.name, supplied)
        except (Unreadable, KnownFile) as refusal:
            self.stderr.write(f"{path.name}: {refusal}")
            return None
        self._describe(path, found)
        for problem in found.problems:
            self.stderr.write(f"{path.name}: {problem}")
        return found

    def _describe(self, path: Path, found: Plan) -> None:
        report = found.report
        self.stdout.write(
            f"{path.name}: {report.tool} {report.tool_version or '(version not stated)'}, {report.format}"
        )
        self.stdout.write(f"  {len(found.planned)} drafts, {len(found.refused)} runs refused")
        if found.left_out:
            self.stdout.write(
                f"  {len(found.left_out)} runs left out: their hardware or submitter is not named"
            )
        for run in found.refused:
            self.stdout.write(f"  refused {run.label}: {run.refused}")
        missing = dict.fromkeys(name for each in found.planned for name in each.missing)
        if missing:
            self.stdout.write(f"  not stated by the file: {', '.join(missing)}")
        for quirk in dict.fromkeys(
            quirk.sentence
            for quirk in (*report.quirks, *(quirk for run in report.runs for quirk in run.quirks))
        ):
            self.stdout.write(f"  note: {quirk}")
        for role, seen in suggested(report).items():
            for words, subject in seen.items():
                if subject:
                    self.stdout.write(f"  {role} “{words}” may be {subject.slug}")

    def _print_json(self, contents: Sequence[tuple[Path, bytes]]) -> None:
        found, failed = [], False
        for path, data in contents:
            try:
                found.append({"file": path.name, **as_json(read(data, path.name))})
            except Unreadable as refusal:
                failed = True
                found.append({"file": path.name, "error": str(refusal)})
                self.stderr.write(str(refusal))
        self.stdout.write(json.dumps(found[0] if len(found) == 1 else found, indent=2, ensure_ascii=False))
        if failed:
            sys.exit(1)

    def _bytes(self, path: Path) -> bytes:
        try:
            if path.stat().st_size > MAX_BYTES:
                raise CommandError(
                    f"{path.name} has {path.stat().st_size} bytes; {MAX_BYTES} is the most that is read."
                )
            return path.read_bytes()
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from None

    def _supplied(self, options: dict[str, Any]) -> Supplied:
        source = Source.objects.filter(key=options["source"]).first()
        if source is None:
            raise CommandError(
                f"There is no source “{options['source']}”: name with --source the one that publishes the files (last part of "
                "its address, /sources/KEY); register it first if it is new."
            )
        performed_by = options["performed_by"]
        return Supplied(
            source=source,
            submitter=self._organisations(options["submitter"]),
            performed_by=self._organisations([performed_by])[""] if performed_by else None,
            origin=options["origin"],
            licence=options["licence"],
            redistributable=options["redistributable"],
            verification=options["verification"],
            known_only=options["known_only"],
            conditions=dict(_pair(text, "--condition", "NAME=VALUE") for text in options["condition"]),
            hardware=self._subjects("gpu", options["hardware"]),
            checkpoint=self._subjects("checkpoint", options["checkpoint"]),
            runtime=self._subjects("runtime", options["runtime"]),
        )

    def _subjects(self, kind: str, named: Sequence[str]) -> dict[str, Subject]:
        found = {}
        for words, slug in map(_printed, named):
            subject = Subject.objects.filter(kind=kind, slug=slug).first()
            if subject is None:
                raise CommandError(
                    f"There is no {kind} “{slug}”: copy it from the end of its page's address."
                )
            found[words] = subject
        return found

    def _organisations(self, named: Sequence[str]) -> dict[str, Organisation]:
        found = {}
        for words, key in map(_printed, named):
            organisation = Organisation.objects.filter(key=key).first()
            if organisation is None:
                raise CommandError(f"There is no organisation with the key “{key}”.")
            found[words] = organisation
        return found

    def _progress(self, done: int, total: int, name: str) -> None:
        if sys.stderr.isatty():
            full = _WIDTH * done // total
            self.stderr.write(
                f"\r{'█' * full}{'·' * (_WIDTH - full)} {done}/{total} {name[:40]:40}",
                ending="\n" if done == total else "",
            )


def _printed(text: str) -> tuple[str, str]:
    """What the file prints and what it means: “H100 SXM=h100”, or “h100” for all the file names."""
    words, equals, name = text.rpartition("=")
    return (words, name) if equals else ("", text)


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"{option} takes {form}, not “{text}”.")
    return name, value


def as_json(report: Report) -> dict[str, Any]:
    """A report as plain data; numbers as text, exactly as they were read."""
    return {
        "tool": report.tool,
        "version": report.tool_version,
        "format": report.format,
        "quirks": [_quirk(quirk) for quirk in report.quirks],
        "runs": [_run(run) for run in report.runs],
    }


def _run(run: Run) -> dict[str, Any]:
    counts = run.counts
    return {
        "label": run.label,
        "refused": run.refused or None,
        "conditions": {name: _plain(value) for name, value in run.conditions.stated().items()},
        "counts": {
            "attempted": counts.attempted,
            "ok": counts.ok,
            "failed": counts.failed,
            "incomplete": counts.incomplete,
        },
        "metrics": [
            {
                "metric": figure.metric,
                "statistic": figure.statistic,
                "value": str(figure.value),
                "unit": figure.unit,
                "as_stated": figure.as_stated,
                "values": figure.n,
                "divisor": figure.divisor,
                "field": figure.field,
            }
            for figure in run.figures
        ],
        "missing": list(run.missing),
        "quirks": [_quirk(quirk) for quirk in run.quirks],
    }


def _quirk(quirk: Any) -> dict[str, str]:
    return {"code": quirk.code, "sentence": quirk.sentence, "severity": quirk.severity, "where": quirk.where}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Decimal) else value
