"""Where each record stands in a bundle: one topic a file, so that a reviewer reads one file for one question."""

import json
from collections import defaultdict

from registry.bundle.fields import (
    CLAIMS,
    ENTRIES,
    IN_ONE_FILE,
    PROPERTIES,
    REPRODUCTIONS,
    SOURCES,
    SUBJECT_KINDS,
    SUBJECTS,
    Record,
    Records,
    key_of,
    number_of,
)

FORMAT = 1
MANIFEST = "bundle.json"
UNATTRIBUTED = "unattributed"
_PLURALS = {kind: plural for plural, kind in SUBJECT_KINDS.items()}


def documents(records: Records) -> dict[str, Record]:
    """Return the files of a bundle, name to content, for records in their canonical form."""
    files: dict[str, Record] = {MANIFEST: {"format": FORMAT}}
    for kind, name in IN_ONE_FILE.items():
        if records.get(kind):
            files[name] = {kind: sorted(records[kind].values(), key=lambda record: key_of(kind, record))}
    files |= _by_subject_kind(PROPERTIES, records, "subject_kind", "position", "key")
    files |= _by_publisher(records)
    files |= _by_subject_kind(SUBJECTS, records, "kind", "key")
    for kind in ENTRIES:
        files |= _by_subject(kind, records)
    return files


def text(document: Record) -> str:
    """Return a file's text; the same content always gives the same bytes."""
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def kind_of(name: str) -> str:
    """Return the kind of record a file name stands for, "" for none."""
    folder, _, rest = name.partition("/")
    for kind, file in IN_ONE_FILE.items():
        if name == file:
            return kind
    if folder in (PROPERTIES, SUBJECTS):
        return folder if rest.removesuffix(".json") in SUBJECT_KINDS else ""
    return folder if folder in (SOURCES, *ENTRIES) and rest.endswith(".json") and "/" not in rest else ""


def expected_head(name: str) -> tuple[str, str] | None:
    """Return the field at the head of a file that repeats its name, and its value; None where there is none."""
    stem = name.rpartition("/")[2].removesuffix(".json")
    if kind_of(name) == SOURCES:
        return ("publisher", "" if stem == UNATTRIBUTED else stem)
    return ("subject", stem) if kind_of(name) in ENTRIES else None


def _sorted(records, *fields) -> list[Record]:
    return sorted(records, key=lambda record: [record[field] for field in fields])


def _without(record: Record, field: str, value: str) -> Record:
    return {name: content for name, content in record.items() if name != field or content != value}


def _by_subject_kind(kind: str, records: Records, field: str, *order: str) -> dict[str, Record]:
    files = defaultdict(list)
    for record in _sorted(records.get(kind, {}).values(), *order):
        files[record[field]].append(_without(record, field, record[field]))
    return {f"{kind}/{_PLURALS[value]}.json": {kind: files[value]} for value in sorted(files)}


def _by_publisher(records: Records) -> dict[str, Record]:
    files = defaultdict(list)
    for record in _sorted(records.get(SOURCES, {}).values(), "key"):
        publisher = record.get("publisher", "")
        files[publisher].append(_without(record, "publisher", publisher))
    return {
        f"{SOURCES}/{publisher or UNATTRIBUTED}.json": ({"publisher": publisher} if publisher else {})
        | {SOURCES: items}
        for publisher, items in sorted(files.items())
    }


def _by_subject(kind: str, records: Records) -> dict[str, Record]:
    files = defaultdict(list)
    for record in sorted(records.get(kind, {}).values(), key=lambda record: number_of(record["number"])):
        subject = _subject_of(kind, record, records)
        revisions = [_without(revision, "subject", subject) for revision in record["revisions"]]
        files[subject].append({"number": record["number"], "revisions": revisions})
    return {f"{kind}/{subject}.json": {"subject": subject, kind: files[subject]} for subject in sorted(files)}


def _subject_of(kind: str, record: Record, records: Records) -> str:
    newest = record["revisions"][-1]
    if kind == REPRODUCTIONS:
        newest = records[CLAIMS][newest["claim"]]["revisions"][-1]
    return newest["subject"]
