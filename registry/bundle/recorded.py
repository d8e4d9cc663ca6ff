"""What the registry has, as records of a bundle: permanent keys, numbers as text, no users, no clocks."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import F

from registry.bundle.fields import (
    CLAIMS,
    LETTERS,
    ORGANISATIONS,
    PROPERTIES,
    REPRODUCTIONS,
    SOURCES,
    SUBJECTS,
    Record,
    Records,
    canonical,
)
from registry.models import (
    Claim,
    ClaimCitation,
    ClaimContext,
    FormerSlug,
    Property,
    Reproduction,
    ReproductionCitation,
    Subject,
)
from registry.models.entry import EVER_PUBLISHED
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
        CLAIMS: _entries(CLAIMS, using),
        REPRODUCTIONS: _entries(REPRODUCTIONS, using),
    }


def published(using: str = "default") -> Records:
    """Return what a dump holds: `everything` but sources that cannot carry a publication and nothing points to."""
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
    return records


def _by_key(kind: str, rows: Iterable[Record]) -> dict[str, Record]:
    return {row["key"]: canonical(kind, _blank_for_none(row)) for row in rows}


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


_CLAIM = {"subject": "subject__key", "property": "property__key", "asserter": "asserter__key"}
_SAME = [
    "record_date",
    "change_note",
    "self_reviewed",
    "status",
    "ended_on",
    "end_note",
    "text",
    "conditions",
]
_OF_CLAIMS = ["value_kind", "value", "low", "high", "bound", "boundary", "derivation", "note"]
_COLUMNS: dict[str, tuple[Any, Any, dict[str, str], list[str]]] = {
    CLAIMS: (Claim, ClaimCitation, _CLAIM, _OF_CLAIMS),
    REPRODUCTIONS: (
        Reproduction,
        ReproductionCitation,
        {"performer": "performer__key", "claim": "claim_number"},
        ["outcome", "measured", "tolerance"],
    ),
}


def _entries(kind: str, using: str) -> dict[str, Record]:
    model, citation, renamed, own = _COLUMNS[kind]
    citations = defaultdict(list)
    for row in citation.objects.using(using).filter(entry__status__in=EVER_PUBLISHED).values(
        "entry_id", "stance", source=F("passage__source__key"), locator=F("passage__locator"),
        quotation=F("passage__quotation"),
    ).order_by("entry_id", "position", "id"):  # fmt: skip
        citations[row["entry_id"]].append(row)
    contexts = defaultdict(list)
    if kind == CLAIMS:
        for row in ClaimContext.objects.using(using).values("entry_id", "role", "subject__key"):
            contexts[row["entry_id"]].append({"subject": row["subject__key"], "role": row["role"]})
    entries: dict[str, Record] = {}
    rows = model.objects.using(using).filter(status__in=EVER_PUBLISHED).order_by("number", "revision")
    for row in rows.values("id", "number", "revision", "change_kind", *_SAME, *own, *renamed.values()):
        name = f"{LETTERS[kind]}-{row['number']}"
        revision = {
            **{field: _text(row[field]) for field in (*_SAME, *own)},
            **{field: row[column] for field, column in renamed.items()},
            "change": row["change_kind"],
            "citations": citations[row["id"]],
            "contexts": contexts[row["id"]],
            "withdrawn": None,
        }
        if kind == REPRODUCTIONS:
            revision["claim"] = f"C-{row['claim_number']}"
        if row["status"] == "withdrawn":
            revision["withdrawn"] = {"on": row["ended_on"].isoformat(), "reason": row["end_note"]}
        entries.setdefault(name, {"number": name, "revisions": []})["revisions"].append(revision)
    return {name: canonical(kind, entry) for name, entry in entries.items()}


def _text(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool | str):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else format(value, "f")
