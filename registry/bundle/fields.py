"""Which fields a record has, in which order they are written, and what a missing one means."""

from typing import Any

Record = dict[str, Any]
# kind of record → permanent key → record
Records = dict[str, dict[str, Record]]

ORGANISATIONS, PROPERTIES, SOURCES, SUBJECTS = "organisations", "properties", "sources", "subjects"
CLAIMS, REPRODUCTIONS = "claims", "reproductions"
REFERENCES = (ORGANISATIONS, PROPERTIES, SOURCES, SUBJECTS)
ENTRIES = (CLAIMS, REPRODUCTIONS)
LETTERS = {CLAIMS: "C", REPRODUCTIONS: "R"}

# File names say the plural, as the addresses of the API do.
SUBJECT_KINDS = {
    "gpus": "gpu",
    "checkpoints": "checkpoint",
    "runtimes": "runtime",
    "organisations": "organisation",
    "facilities": "facility",
}

_LIFE: Record = {"record_date": None, "change": "first", "change_note": "", "self_reviewed": False}
_ENDS: Record = {"citations": [], "contexts": [], "withdrawn": None}

FIELDS: dict[str, Record] = {
    ORGANISATIONS: {"key": None, "name": None, "kind": None, "parent": ""},
    PROPERTIES: {
        "key": None, "subject_kind": None, "position": None, "label": None, "group": None, "quantity": None,
        "condition": "", "datatype": None, "unit": "", "performance_figure": False, "headline": False,
        "definition": None,
    },
    SOURCES: {
        "key": None, "title": None, "publisher": "", "product": "", "version": "", "title_stands_alone": False,
        "url": None, "link_kind": "", "kind": None, "attribution_role": None, "date_basis": None, "published": "",
        "last_modified": "", "scope_notes": [], "archive_url": "", "licence": "", "state": "current",
        "superseded_by": "", "edition_of": "", "verifications": [],
    },
    "verifications": {"on": None, "representation": None, "outcome": "confirmed", "note": ""},
    SUBJECTS: {
        "key": None, "kind": None, "slug": "", "former_slugs": [], "name": None, "maker": None, "family": "",
        "hardware": "", "form_factor": "", "identifier": "", "layer": "", "repository": "",
    },
    CLAIMS: {
        **_LIFE, "subject": "", "property": None, "asserter": None, "value_kind": "value", "text": "", "value": "",
        "low": "", "high": "", "bound": "", "conditions": "", "boundary": "", "derivation": "", "note": "", **_ENDS,
    },
    REPRODUCTIONS: {
        **_LIFE, "claim": None, "performer": None, "outcome": None, "text": "", "measured": "", "tolerance": "",
        "conditions": "", **_ENDS,
    },
    "citations": {"source": None, "locator": None, "quotation": "", "stance": "supports"},
    "contexts": {"subject": None, "role": None},
    "withdrawn": {"on": None, "reason": None},
}  # fmt: skip


def canonical(kind: str, record: Record) -> Record:
    """Return the record in its one form: fields in order, defaults left out, unordered lists sorted.

    Entries are given as {"number": …, "revisions": [...]}.
    """
    if "revisions" in record:
        revisions = [canonical(kind, revision) for revision in record["revisions"]]
        return {"number": record["number"], "revisions": revisions}
    fields = FIELDS[kind]
    formed = {name: record[name] for name in fields if name in record and record[name] != fields[name]}
    for name, value in formed.items():
        if name == "withdrawn":
            formed[name] = canonical(name, value)
        elif name in ("verifications", "citations", "contexts"):
            formed[name] = [canonical(name, item) for item in value]
    if "verifications" in formed:
        formed["verifications"].sort(key=lambda verification: verification["on"])
    if "contexts" in formed:
        formed["contexts"].sort(key=lambda context: (context["role"], context["subject"]))
    return formed


def number_of(name: str) -> int:
    """Return 12 for C-12."""
    return int(name[2:])
