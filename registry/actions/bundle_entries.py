"""What a bundle adds to the entries: each revision of all of them at once, born, submitted, published, ended."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from registry.actions.bundle_drafts import Drafts, Lineages, numbers
from registry.actions.bundle_references import BATCH, only
from registry.bundle.compare import Comparison
from registry.bundle.fields import (
    ENTRIES,
    SOURCES,
    SUBJECTS,
    Record,
    Records,
    number_of,
)
from registry.bundle.recorded_entries import MODELS
from registry.models import (
    ClaimContext,
    Measurement,
)
from registry.models.entry import Status
from sources.models import Passage

Progress = Callable[[str, int, int], None]
# One entry on its way: its name, the revision's record, the row.
Wave = list[tuple[str, Record, Any]]


class Entries:
    """The entries of one load, once every row they rest on is there."""

    def __init__(self, records: Records, comparison: Comparison, progress: Progress) -> None:
        """Look up what the entries point to, and add the passages they cite."""
        self.records, self.comparison, self.progress = records, comparison, progress
        self.drafts = Drafts()
        self.passage_ids = self.passages()

    def passages(self) -> dict[tuple[Any, ...], int]:
        """Add the passages that new revisions cite; return the id of every passage by source, place and words."""
        wanted = dict.fromkeys(
            self.passage_key(citation)
            for kind in ENTRIES
            for number, first in self.comparison.revisions[kind].items()
            for revision in self.records[kind][number]["revisions"][first - 1 :]
            for citation in revision["citations"]
        )
        columns = ("source_id", "locator", "quotation")
        ids = {tuple(row[1:]): row[0] for row in Passage.objects.values_list("pk", *columns)}
        made = Passage.objects.bulk_create(
            [Passage(**dict(zip(columns, key, strict=True))) for key in wanted if key not in ids],
            batch_size=BATCH,
        )
        return ids | {(passage.source_id, passage.locator, passage.quotation): passage.pk for passage in made}

    def passage_key(self, citation: Record) -> tuple[Any, ...]:
        """Return source, place and words of a citation."""
        return (
            self.drafts.ids[SOURCES][citation["source"]],
            citation["locator"].strip(),
            citation.get("quotation", "").strip(),
        )

    def load(self, kind: str) -> None:
        """Add the new revisions of a kind: all first revisions, then all second ones …, each ended if it ended."""
        model, citation = MODELS[kind]
        make = self.drafts.makers[kind]
        entries, firsts = self.records[kind], self.comparison.revisions[kind]
        lineages: Lineages = dict(model.objects.exclude(number=None).values_list("number", "lineage"))
        ended = self.comparison.withdrawals[kind]
        self.withdraw(model, ((name, entries[name]["revisions"][place - 1]) for name, place in ended.items()))
        lengths = {name: len(entries[name]["revisions"]) for name in firsts}
        total, done = sum(lengths[name] - first + 1 for name, first in firsts.items()), 0
        for place in range(1, max(lengths.values(), default=0) + 1):
            wave: Wave = []
            for name in sorted(firsts, key=number_of):
                if firsts[name] <= place <= lengths[name]:
                    revision = entries[name]["revisions"][place - 1]
                    wave.append((name, revision, make(name, place, revision, lineages)))
            for start in range(0, len(wave), BATCH):
                self.publish(model, citation, wave[start : start + BATCH])
                done += len(wave[start : start + BATCH])
                self.progress(kind.capitalize(), done, total)
            lineages |= {entry.number: entry.lineage for _, _, entry in wave}

    def publish(self, model: Any, citation: Any, part: Wave) -> None:
        """Take a part of a wave through its life; the database judges every step."""
        model.objects.bulk_create(entry for _, _, entry in part)
        self.complete(citation, part)
        model.objects.filter(pk__in=[entry.pk for _, _, entry in part]).update(status=Status.SUBMITTED)
        days = defaultdict(list)
        for _, revision, entry in part:
            days[revision["record_date"], revision.get("self_reviewed", False)].append(entry.pk)
        for (record_date, self_reviewed), ids in sorted(days.items()):
            model.objects.filter(pk__in=ids).update(
                status=Status.PUBLISHED,
                record_date=date.fromisoformat(record_date),
                self_reviewed=self_reviewed,
            )
        self.withdraw(model, ((name, revision) for name, revision, _ in part if "withdrawn" in revision))

    def withdraw(self, model: Any, ended: Iterable[tuple[str, Record]]) -> None:
        """Withdraw what stands published of the named entries, on the day and for the reason of its record."""
        for name, revision in ended:
            end = revision["withdrawn"]
            model.objects.filter(number=number_of(name), status=Status.PUBLISHED).update(
                status=Status.WITHDRAWN, ended_on=date.fromisoformat(end["on"]), end_note=end["reason"]
            )

    def complete(self, citation: Any, part: Wave) -> None:
        """Add citations, contexts and measurements while the entries are drafts."""
        citation.objects.bulk_create(
            citation(
                entry=entry,
                passage_id=self.passage_ids[self.passage_key(cited)],
                position=position,
                **only(cited, "stance"),
            )
            for _, revision, entry in part
            for position, cited in enumerate(revision["citations"], start=1)
        )
        ClaimContext.objects.bulk_create(
            ClaimContext(
                entry=entry, subject_id=self.drafts.ids[SUBJECTS][context["subject"]], role=context["role"]
            )
            for _, revision, entry in part
            for context in revision.get("contexts", [])
        )
        Measurement.objects.bulk_create(
            Measurement(
                entry=entry,
                metric_id=measured["metric"],
                position=position,
                **only(measured, "statistic", "text"),
                **numbers(measured, "value", "values", "divisor"),
            )
            for _, revision, entry in part
            for position, measured in enumerate(revision.get("measurements", []), start=1)
        )
