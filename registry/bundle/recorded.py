"""What the registry has, as records of a bundle: permanent keys, numbers as text, no users, no clocks."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from registry.bundle.fields import (
    ARTIFACTS,
    BENCHMARKS,
    ENTRIES,
    FIELDS,
    ORGANISATIONS,
    PROPERTIES,
    SOURCES,
    SUBJECTS,
    Record,
    Records,
    canonical,
    key_of,
)
from registry.bundle.recorded_entries import as_text, entries
from registry.models import Artifact, FormerSlug, Property, Subject
from sources.addresses import normalise
from sources.models import Organisation, Source, Verification
from sources.models.source import as_precise


def everything(using: str = "default") -> Records:
    """Return every reference row and every revision that was ever published."""
    return {
        ORGANISATIONS: _by_key(ORGANISATIONS, _organisations(using)),
        PROPERTIES: _by_key(PROPERTIES, _properties(using)),
        SOURCES: _by_key(SOURCES, _sources(using)),
        SUBJECTS: _by_key(SUBJECTS, _subjects(using)),
        ARTIFACTS: _by_key(ARTIFACTS, _artifacts(using)),
        **{kind: entries(kind, using) for kind in ENTRIES},
    }


def published(using: str = "default") -> Records:
    """Return what a dump holds: `everything` but what only drafts rest on.

    These are sources that cannot carry a publication and nothing points to, and files no published record was read from.
    """
    records = everything(using)
    read = {
        key
        for key, source in records[SOURCES].items()
        if source.get("publisher") and source.get("verifications")
    }
    pointed = {
        source.get(field) for source in records[SOURCES].values() for field in ("superseded_by", "edition_of")
    }
    records[SOURCES] = {key: source for key, source in records[SOURCES].items() if key in read | pointed}
    kept = {
        revision.get("artifact")
        for record in records[BENCHMARKS].values()
        for revision in record["revisions"]
    }
    records[ARTIFACTS] = {key: artifact for key, artifact in records[ARTIFACTS].items() if key in kept}
    return records


def _by_key(kind: str, rows: Iterable[Record]) -> dict[str, Record]:
    return {key_of(kind, row): canonical(kind, _blank_for_none(row)) for row in rows}


def _blank_for_none(row: Record) -> Record:
    return {name: "" if value is None else value for name, value in row.items()}


def _properties(using: str) -> Iterator[Record]:
    yield from (dict(row) for row in Property.objects.using(using).values())


def _organisations(using: str) -> Iterator[Record]:
    for row in Organisation.objects.using(using).values("key", "name", "kind", "parent__key"):
        yield {**row, "parent": row["parent__key"]}


def _sources(using: str) -> Iterator[Record]:
    verifications = defaultdict(list)
    for row in (
        Verification.objects.using(using)
        .order_by("verified_on", "id")
        .values("source_id", "verified_on", "representation", "outcome", "note")
    ):
        verifications[row["source_id"]].append({**row, "on": row["verified_on"].isoformat()})
    for source in Source.objects.using(using).select_related("publisher", "superseded_by", "edition_of"):
        yield {
            **{name: getattr(source, name) for name in _SOURCE_FIELDS},
            "publisher": source.publisher and source.publisher.key,
            "superseded_by": source.superseded_by and source.superseded_by.key,
            "edition_of": source.edition_of and source.edition_of.key,
            "link_kind": "" if source.link_kind == normalise(source.url).link_kind else source.link_kind,
            "published": source.published_on and as_precise(source.published_on, source.published_precision),
            "last_modified": source.last_modified_on
            and as_precise(source.last_modified_on, source.last_modified_precision),
            "verifications": verifications[source.pk],
        }


_SOURCE_FIELDS = [
    "key", "title", "product", "version", "title_stands_alone", "url", "kind", "attribution_role", "date_basis",
    "scope_notes", "archive_url", "licence", "state",
]  # fmt: skip


def _subjects(using: str) -> Iterator[Record]:
    former = defaultdict(list)
    for subject, slug in FormerSlug.objects.using(using).order_by("id").values_list("subject_id", "slug"):
        former[subject].append(slug)
    for row in Subject.objects.using(using).values(
        "id", "key", "kind", "slug", "name", "family", "maker__key", "gpu__kind", "gpu__form_factor",
        "checkpoint__identifier", "runtime__layer", "runtime__repository",
    ):  # fmt: skip
        yield {
            **row,
            "slug": "" if row["slug"] == row["key"] else row["slug"],
            "former_slugs": former[row["id"]],
            "maker": row["maker__key"],
            "hardware": row["gpu__kind"],
            "form_factor": row["gpu__form_factor"],
            "identifier": row["checkpoint__identifier"],
            "layer": row["runtime__layer"],
            "repository": row["runtime__repository"],
        }


def _artifacts(using: str) -> Iterator[Record]:
    # Not the bytes: they stay where they were read.
    for row in Artifact.objects.using(using).values(*FIELDS[ARTIFACTS]):
        yield {name: as_text(value) for name, value in row.items()}
