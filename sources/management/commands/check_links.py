"""Look at links now, as the workers do, and say what came of it."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from sources.actions.links import mark_due
from sources.actions.looks import Recorded
from sources.drain import drain
from sources.models import Link, Passage, Source

_WIDTH = 30  # characters of the bar
_MEANINGS = {
    "ok": "answers with what was cited",
    "moved": "answers at another address, for good",
    "redirected": "answers at another address, for now",
    "changed": "answers, but the text differs",
    "suspect": "answers with what is probably not the source",
    "blocked": "refuses robots, or wants a login or payment",
    "rate_limited": "asks us to come back later",
    "failing": "a technical failure that may pass",
    "broken": "says that it is not there",
    "gone": "says that it was removed on purpose",
    "unsafe": "must not be fetched",
    "unsupported": "no address that is looked at",
}


class Command(BaseCommand):
    help = (
        "Looks at the links that are due, at all of them or at those of some sources, politely and beside running workers. "
        "Shows progress on standard error and prints a summary. Exit code 1 where the network here seems to be down."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which links."""
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--due", action="store_true", help="those that are due (the default)")
        which.add_argument("--all", action="store_true", help="every one, due or not")
        which.add_argument(
            "--source", action="append", default=[], metavar="KEY", help="that of one source; may be repeated"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Look until nothing chosen is due any more, then print the table."""
        chosen = self._chosen(options["all"], options["source"])
        self._done, self._total = 0, len(chosen)
        if not chosen:
            self.stdout.write("No link is due.")
            return
        total = Recorded()
        while True:
            run = drain(settings.LINKCHECK_RUN, chosen, self._progress)
            total.add(run.recorded)
            # Another run only where one could go on at once: a host that asked to be left alone is left alone.
            if run.network_down or not run.in_reach:
                break
        self._end_progress()
        self._summary(total, chosen)
        if run.network_down:
            raise CommandError(run.network_down)

    def _chosen(self, every: bool, keys: Sequence[str]) -> list[int]:
        """Ids of the sources to look at; those asked for by name or with --all are made due."""
        if keys:
            sources = dict(Source.objects.filter(key__in=keys).values_list("key", "pk"))
            if unknown := [key for key in keys if key not in sources]:
                raise CommandError(
                    f"No source has the key “{unknown[0]}”: copy it from the end of the source's address, /sources/KEY."
                )
            mark_due(Link.objects.filter(pk__in=sources.values()))
            return list(sources.values())
        if every:
            mark_due(Link.objects.all())
            return list(Link.objects.values_list("pk", flat=True))
        return list(Link.objects.due().values_list("pk", flat=True))

    def _progress(self, looks: int) -> None:
        self._done += looks
        if sys.stderr.isatty():
            full = _WIDTH * self._done // max(self._total, 1)
            bar = "█" * full + "·" * (_WIDTH - full)
            self.stderr.write(f"\r{bar} {self._done}/{self._total} links", ending="")

    def _end_progress(self) -> None:
        if sys.stderr.isatty():
            self.stderr.write("")

    def _summary(self, total: Recorded, chosen: list[int]) -> None:
        for outcome, meaning in _MEANINGS.items():
            if total.verdicts[outcome]:
                self.stdout.write(f"{total.verdicts[outcome]:6}  {outcome:12}  {meaning}")
        self.stdout.write(f"{sum(total.verdicts.values()):6}  looks")
        keys = Source.objects.in_bulk([source for source, _, _ in total.changes])
        for source, before, after in total.changes:
            if after != "ok" or before != "not checked yet":
                self.stdout.write(f"  {keys[source].key}: {before} → {after}")
        for passage in Passage.objects.filter(pk__in=total.reviews).select_related("source", "look"):
            self.stdout.write(
                f"  {passage.source.key}, {passage.locator}: {passage.look.verdict}; claims that cite it are under review"
            )
        if elsewhere := total.lost + total.put_off:
            self.stdout.write(f"{elsewhere:6}  left to another worker, which is asking that host now")
        left = Link.objects.due().filter(pk__in=chosen).count()
        if left:
            self.stdout.write(f"{left:6}  still due: their hosts ask to be left alone for a while")
