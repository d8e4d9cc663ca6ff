"""What a bundle adds to the rows that entries rest on: organisations, properties, sources, subjects, files read."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from django.db import connection

from registry.bundle.compare import Comparison
from registry.bundle.fields import ARTIFACTS, ORGANISATIONS, PROPERTIES, SOURCES, SUBJECTS, Record, Records
from registry.bundle.known import day
from registry.models import GPU, Artifact, Checkpoint, Property, Runtime, Subject
from sources.actions.link_rows import IMPORT_SPREAD, add_links
from sources.addresses import normalise
from sources.models import Organisation, Source, Verification

BATCH = 500


class References:
    """The reference rows of one load, each kind after those it points to."""

    def __init__(self, records: Records, comparison: Comparison) -> None:
        """Keep the bundle's records and what is new of them."""
        self.records, self.comparison = records, comparison

    def new(self, kind: str) -> list[Record]:
        """Return the records of a kind that the registry has not."""
        return [self.records[kind][key] for key in self.comparison.new[kind]]

    def organisations(self) -> None:
        """Add the new organisations, parents first."""
        waiting = self.new(ORGANISATIONS)
        ids = dict(Organisation.objects.values_list("key", "pk"))
        while waiting:
            ready = [record for record in waiting if not record.get("parent") or record["parent"] in ids]
            made = Organisation.objects.bulk_create(
                Organisation(
                    **only(record, "key", "name", "kind"), parent_id=ids.get(record.get("parent", ""))
                )
                for record in ready
            )
            ids |= {organisation.key: organisation.pk for organisation in made}
            waiting = [record for record in waiting if record["key"] not in ids]

    def properties(self) -> None:
        """Add the new properties."""
        Property.objects.bulk_create(Property(**record) for record in self.new(PROPERTIES))

    def sources(self) -> None:
        """Add the new sources, each with its link, and the new verifications."""
        publishers = dict(Organisation.objects.values_list("key", "pk"))
        made = Source.objects.bulk_create(
            [_source(record, publishers) for record in self.new(SOURCES)], batch_size=BATCH
        )
        add_links(made, IMPORT_SPREAD)
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
                verified_on=date.fromisoformat(verification["on"]),
                **only(verification, "representation", "outcome", "note"),
            )
            for key, verification in verifications
        )

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
        with unnoted():
            Source.objects.bulk_update(related, ["state", "superseded_by", "edition_of"])

    def subjects(self) -> None:
        """Add the new subjects with what is particular to their kind."""
        makers = dict(Organisation.objects.values_list("key", "pk"))
        records = self.new(SUBJECTS)
        made = Subject.objects.bulk_create(
            Subject(
                **only(record, "key", "kind", "name", "family"),
                slug=[*record.get("former_slugs", []), record.get("slug") or record["key"]][0],
                maker_id=makers[record["maker"]],
            )
            for record in records
        )
        ids = {subject.key: subject.pk for subject in made}
        GPU.objects.bulk_create(
            GPU(subject_id=ids[record["key"]], kind=record["hardware"], **only(record, "form_factor"))
            for record in records if record["kind"] == "gpu"
        )  # fmt: skip
        Checkpoint.objects.bulk_create(
            Checkpoint(subject_id=ids[record["key"]], identifier=record["identifier"])
            for record in records if record["kind"] == "checkpoint"
        )  # fmt: skip
        Runtime.objects.bulk_create(
            Runtime(subject_id=ids[record["key"]], **only(record, "layer", "repository"))
            for record in records if record["kind"] == "runtime"
        )  # fmt: skip
        with unnoted():
            for record in records:
                # The database itself remembers an address that changes, so the subject goes through each of them.
                for slug in [*record.get("former_slugs", [])[1:], record.get("slug") or record["key"]]:
                    if record.get("former_slugs"):
                        Subject.objects.filter(pk=ids[record["key"]]).update(slug=slug)

    def artifacts(self) -> None:
        """Add what is known of new result files; a bundle has not their bytes."""
        Artifact.objects.bulk_create(
            Artifact(**{**record, "size": int(record["size"])}) for record in self.new(ARTIFACTS)
        )


@contextmanager
def unnoted() -> Iterator[None]:
    """What is done inside belongs to the making of a new row: without a note, readers are told of no correction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('registry.change_note', true)")
        (note,) = cursor.fetchone()
        cursor.execute("SELECT set_config('registry.change_note', '', true)")
        yield
        cursor.execute("SELECT set_config('registry.change_note', %s, true)", [note or ""])


def only(record: Record, *fields: str) -> Record:
    """Return those of the fields that a record has."""
    return {field: record[field] for field in fields if field in record}


def _source(record: Record, publishers: dict[str, int]) -> Source:
    address = normalise(record["url"])
    dates: Record = {}
    for field in ("published", "last_modified"):
        if field in record:
            dates[f"{field}_on"] = day(record[field])
            dates[f"{field}_precision"] = {4: "year", 7: "month", 10: "day"}[len(record[field])]
    return Source(
        **only(record, "key", "title", "product", "title_stands_alone", "kind", "attribution_role", "date_basis",
                "scope_notes", "archive_url", "licence"),
        url=address.url,
        work_id=address.work_id,
        version=record.get("version", "") or address.version,
        link_kind=record.get("link_kind", "") or address.link_kind,
        publisher_id=publishers.get(record.get("publisher", "")),
        state=record.get("state", "current") if record.get("state") != "superseded" else "current",
        **dates,
    )  # fmt: skip
