"""Loading a bundle: everything in one transaction, through the same rules as any editor's work."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from registry.bundle.check import check
from registry.bundle.compare import Comparison, compare
from registry.bundle.fields import (
    CLAIMS,
    ENTRIES,
    ORGANISATIONS,
    PROPERTIES,
    REPRODUCTIONS,
    SOURCES,
    SUBJECTS,
    Record,
    Records,
    number_of,
)
from registry.bundle.folder import Bundle
from registry.bundle.known import Known, day
from registry.bundle.problems import BundleRefused, Problem
from registry.bundle.recorded import everything
from registry.models import (
    GPU,
    Checkpoint,
    Claim,
    ClaimCitation,
    ClaimContext,
    Property,
    Reproduction,
    ReproductionCitation,
    Runtime,
    Subject,
)
from registry.models.entry import OPEN, Status
from sources.addresses import normalise
from sources.models import Link, Organisation, Passage, Source, Verification

# One number for all imports; a second one is told at once instead of waiting.
_LOCK = 0x6275_6E64
_BATCH = 500

Progress = Callable[[str, int, int], None]


class ImportRunning(Exception):
    """Another import holds the lock."""

    def __init__(self) -> None:
        super().__init__("An import is running. Wait for it to end, then load the bundle again.")


def judge(bundle: Bundle) -> Comparison:
    """Return what loading would do, with every problem found. Writes nothing."""
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
    """Load a bundle and return what was done. Raises BundleRefused with every problem, or ImportRunning."""
    with transaction.atomic(durable=not connection.in_atomic_block), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
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
        _Load(bundle.records, comparison, progress).run()
        # The settings hold until the transaction ends, which inside a caller's own is later than here.
        cursor.execute(
            "SELECT set_config('registry.bundle', '', true), set_config('registry.change_note', '', true)"
        )
    return comparison


def _open_drafts(known: Known, comparison: Comparison) -> Iterator[Problem]:
    for kind, model in ((CLAIMS, Claim), (REPRODUCTIONS, Reproduction)):
        touched = [number_of(name) for name in (*comparison.revisions[kind], *comparison.withdrawals[kind])]
        for number in model.objects.filter(number__in=touched, status__in=OPEN).values_list(
            "number", flat=True
        ):
            name = f"{model.letter}-{number}"
            message = f"{name} has an open draft in the registry."
            yield known.at(kind, name)("", None, message, "Publish or discard the draft first.")


class _Load:
    """One load. Reference rows first, then each revision of all entries at once: born, submitted, published, ended."""

    def __init__(self, records: Records, comparison: Comparison, progress: Progress) -> None:
        self.records, self.comparison, self.progress = records, comparison, progress

    def run(self) -> None:
        self.organisations()
        self.properties()
        self.sources()
        self.subjects()
        self.ids = {
            kind: dict(model.objects.values_list("key", "pk"))
            for kind, model in (
                (ORGANISATIONS, Organisation),
                (PROPERTIES, Property),
                (SOURCES, Source),
                (SUBJECTS, Subject),
            )
        }
        self.passages()
        for kind in ENTRIES:
            self.entries(kind)

    def new(self, kind: str) -> list[Record]:
        return [self.records[kind][key] for key in self.comparison.new[kind]]

    def organisations(self) -> None:
        waiting = self.new(ORGANISATIONS)
        ids = dict(Organisation.objects.values_list("key", "pk"))
        while waiting:
            ready = [record for record in waiting if not record.get("parent") or record["parent"] in ids]
            made = Organisation.objects.bulk_create(
                Organisation(
                    **_only(record, "key", "name", "kind"), parent_id=ids.get(record.get("parent", ""))
                )
                for record in ready
            )
            ids |= {organisation.key: organisation.pk for organisation in made}
            waiting = [record for record in waiting if record["key"] not in ids]
        self.progress("Organisations", len(self.new(ORGANISATIONS)), len(self.new(ORGANISATIONS)))

    def properties(self) -> None:
        Property.objects.bulk_create(Property(**record) for record in self.new(PROPERTIES))
        self.progress("Properties", len(self.new(PROPERTIES)), len(self.new(PROPERTIES)))

    def sources(self) -> None:
        publishers = dict(Organisation.objects.values_list("key", "pk"))
        made = Source.objects.bulk_create(
            [_source(record, publishers) for record in self.new(SOURCES)], batch_size=_BATCH
        )
        Link.objects.bulk_create(Link(source=source) for source in made)
        self.relate({source.key: source for source in made})
        ids = dict(Source.objects.values_list("key", "pk"))
        verifications = self.comparison.verifications + [
            (record["key"], verification)
            for record in self.new(SOURCES)
            for verification in record.get("verifications", [])
        ]
        Verification.objects.bulk_create(
            Verification(
                source_id=ids[key],
                verified_on=day(verification["on"]),
                **_only(verification, "representation", "outcome", "note"),
            )
            for key, verification in verifications
        )
        self.progress("Sources", len(made), len(made))

    def relate(self, made: dict[str, Source]) -> None:
        """Relate editions and successors, before a verification makes every change of a source a noted one."""
        every = {source.key: source for source in Source.objects.only("key")} | made
        related = []
        for record in self.new(SOURCES):
            if {"superseded_by", "edition_of"} & record.keys():
                source = made[record["key"]]
                source.state = record.get("state", source.state)
                source.superseded_by = every.get(record.get("superseded_by", ""))
                source.edition_of = every.get(record.get("edition_of", ""))
                related.append(source)
        Source.objects.bulk_update(related, ["state", "superseded_by", "edition_of"])

    def subjects(self) -> None:
        makers = dict(Organisation.objects.values_list("key", "pk"))
        records = self.new(SUBJECTS)
        made = Subject.objects.bulk_create(
            Subject(
                **_only(record, "key", "kind", "name", "family"),
                slug=[*record.get("former_slugs", []), record.get("slug") or record["key"]][0],
                maker_id=makers[record["maker"]],
            )
            for record in records
        )
        ids = {subject.key: subject.pk for subject in made}
        GPU.objects.bulk_create(
            GPU(subject_id=ids[record["key"]], kind=record["hardware"], **_only(record, "form_factor"))
            for record in records if record["kind"] == "gpu"
        )  # fmt: skip
        Checkpoint.objects.bulk_create(
            Checkpoint(subject_id=ids[record["key"]], identifier=record["identifier"])
            for record in records if record["kind"] == "checkpoint"
        )  # fmt: skip
        Runtime.objects.bulk_create(
            Runtime(subject_id=ids[record["key"]], **_only(record, "layer", "repository"))
            for record in records if record["kind"] == "runtime"
        )  # fmt: skip
        for record in records:
            # The database itself remembers an address that changes, so the subject goes through each of them.
            for slug in [*record.get("former_slugs", [])[1:], record.get("slug") or record["key"]]:
                if record.get("former_slugs"):
                    Subject.objects.filter(pk=ids[record["key"]]).update(slug=slug)
        self.progress("Subjects", len(made), len(made))

    def passages(self) -> None:
        wanted = dict.fromkeys(
            self.passage_key(citation)
            for kind in ENTRIES
            for number, first in self.comparison.revisions[kind].items()
            for revision in self.records[kind][number]["revisions"][first - 1 :]
            for citation in revision["citations"]
        )
        columns = ("source_id", "locator", "quotation")
        self.passage_ids = {tuple(row[1:]): row[0] for row in Passage.objects.values_list("pk", *columns)}
        made = Passage.objects.bulk_create(
            [
                Passage(**dict(zip(columns, key, strict=True)))
                for key in wanted
                if key not in self.passage_ids
            ],
            batch_size=_BATCH,
        )
        self.passage_ids |= {
            (passage.source_id, passage.locator, passage.quotation): passage.pk for passage in made
        }

    def passage_key(self, citation: Record) -> tuple[Any, ...]:
        return (
            self.ids[SOURCES][citation["source"]],
            citation["locator"].strip(),
            citation.get("quotation", "").strip(),
        )

    def entries(self, kind: str) -> None:
        model, make = (Claim, self.claim) if kind == CLAIMS else (Reproduction, self.reproduction)
        firsts = self.comparison.revisions[kind]
        lineages = dict(model.objects.values_list("number", "lineage"))
        self.withdraw(
            model,
            ((name, self.records[kind][name]["revisions"][-1]) for name in self.comparison.withdrawals[kind]),
        )
        total = sum(
            len(self.records[kind][number]["revisions"]) - first + 1 for number, first in firsts.items()
        )
        done = 0
        for place in range(
            max((len(self.records[kind][number]["revisions"]) for number in firsts), default=0)
        ):
            wave = []
            for name in sorted(firsts, key=number_of):
                revisions = self.records[kind][name]["revisions"]
                if firsts[name] - 1 <= place < len(revisions):
                    wave.append((name, revisions[place], make(name, place + 1, revisions[place], lineages)))
            for start in range(0, len(wave), _BATCH):
                part = wave[start : start + _BATCH]
                self.publish(kind, model, part)
                done += len(part)
                self.progress(kind.capitalize(), done, total)
            lineages |= {entry.number: entry.lineage for _, _, entry in wave}

    def publish(self, kind: str, model: Any, part: list[tuple[str, Record, Any]]) -> None:
        model.objects.bulk_create(entry for _, _, entry in part)
        self.cite(kind, part)
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
        for name, revision in ended:
            end = revision["withdrawn"]
            model.objects.filter(number=number_of(name), status=Status.PUBLISHED).update(
                status=Status.WITHDRAWN, ended_on=date.fromisoformat(end["on"]), end_note=end["reason"]
            )

    def cite(self, kind: str, part: list[tuple[str, Record, Any]]) -> None:
        citation = ClaimCitation if kind == CLAIMS else ReproductionCitation
        citation.objects.bulk_create(
            citation(
                entry=entry,
                passage_id=self.passage_ids[self.passage_key(cited)],
                position=position,
                **_only(cited, "stance"),
            )
            for _, revision, entry in part
            for position, cited in enumerate(revision["citations"], start=1)
        )
        ClaimContext.objects.bulk_create(
            ClaimContext(entry=entry, subject_id=self.ids[SUBJECTS][context["subject"]], role=context["role"])
            for _, revision, entry in part
            for context in revision.get("contexts", [])
        )

    def claim(self, name: str, place: int, revision: Record, lineages: dict[int, Any]) -> Claim:
        return Claim(
            **_life(name, place, revision, lineages),
            **_only(revision, "value_kind", "text", "bound", "conditions", "boundary", "derivation", "note"),
            subject_id=self.ids[SUBJECTS][revision["subject"]],
            property_id=self.ids[PROPERTIES][revision["property"]],
            asserter_id=self.ids[ORGANISATIONS][revision["asserter"]],
            **{
                figure: Decimal(revision[figure]) for figure in ("value", "low", "high") if figure in revision
            },
        )

    def reproduction(self, name: str, place: int, revision: Record, lineages: dict[int, Any]) -> Reproduction:
        return Reproduction(
            **_life(name, place, revision, lineages),
            **_only(revision, "outcome", "text", "tolerance", "conditions"),
            claim_number=number_of(revision["claim"]),
            performer_id=self.ids[ORGANISATIONS][revision["performer"]],
            measured=Decimal(revision["measured"]) if "measured" in revision else None,
        )


def _only(record: Record, *fields: str) -> Record:
    return {field: record[field] for field in fields if field in record}


def _life(name: str, place: int, revision: Record, lineages: dict[int, Any]) -> Record:
    number = number_of(name)
    lineage = {"lineage": lineages[number]} if number in lineages else {}
    return {
        "number": number,
        "revision": place,
        "change_kind": revision.get("change", "first"),
        **_only(revision, "change_note"),
        **lineage,
    }


def _source(record: Record, publishers: dict[str, int]) -> Source:
    address = normalise(record["url"])
    dates: Record = {}
    for field in ("published", "last_modified"):
        if field in record:
            dates[f"{field}_on"] = day(record[field])
            dates[f"{field}_precision"] = {4: "year", 7: "month", 10: "day"}[len(record[field])]
    return Source(
        **_only(record, "key", "title", "product", "title_stands_alone", "kind", "attribution_role", "date_basis",
                "scope_notes", "archive_url", "licence"),
        url=address.url,
        work_id=address.work_id,
        version=record.get("version", "") or address.version,
        link_kind=record.get("link_kind", "") or address.link_kind,
        publisher_id=publishers.get(record.get("publisher", "")),
        state=record.get("state", "current") if record.get("state") != "superseded" else "current",
        **dates,
    )  # fmt: skip
