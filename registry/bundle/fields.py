"""Which fields a record has, in which order they are written, and what a missing one means."""

from decimal import Decimal
from typing import Any

Record = dict[str, Any]
# kind of record → permanent key → record
Records = dict[str, dict[str, Record]]

ORGANISATIONS, PROPERTIES, SOURCES, SUBJECTS = "organisations", "properties", "sources", "subjects"
ARTIFACTS = "artifacts"
CLAIMS, REPRODUCTIONS, BENCHMARKS = "claims", "reproductions", "benchmarks"
REFERENCES = (ORGANISATIONS, PROPERTIES, SOURCES, SUBJECTS, ARTIFACTS)
ENTRIES = (CLAIMS, REPRODUCTIONS, BENCHMARKS)
LETTERS = {CLAIMS: "C", REPRODUCTIONS: "R", BENCHMARKS: "B"}
# Kinds whose records stand in one file, and kinds whose entries name the subject of their file.
IN_ONE_FILE = {ORGANISATIONS: "organisations.json", ARTIFACTS: "artifacts.json"}
OF_SUBJECT = (CLAIMS, BENCHMARKS)
# Kind of entry → its fields that hold the key of another record, and of which kind.
REFERS = {
    CLAIMS: {"subject": SUBJECTS, "property": PROPERTIES, "asserter": ORGANISATIONS},
    REPRODUCTIONS: {"claim": CLAIMS, "performer": ORGANISATIONS},
    BENCHMARKS: {
        "subject": SUBJECTS, "checkpoint": SUBJECTS, "runtime": SUBJECTS, "submitter": ORGANISATIONS,
        "performed_by": ORGANISATIONS, "artifact": ARTIFACTS,
    },
}  # fmt: skip

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
    BENCHMARKS: {
        **_LIFE, "subject": "", "accelerators": "", "nodes": "", "interconnect": "", "system": "", "checkpoint": "",
        "model_as_stated": "", "model_revision": "", "precision": "", "runtime": "", "runtime_as_stated": "",
        "runtime_version": "", "flags": "", "workload": {}, "boundary": "", "submitter": None, "performed_by": "",
        "measured_on": "", "tool": None, "tool_version": "", "suite": "", "suite_round": "", "division": "",
        "category": "", "availability": "", "scenario": "", "result_id": "", "verification": "",
        "requests_attempted": "", "requests_ok": "", "requests_failed": "", "requests_incomplete": "",
        "input_tokens": "", "output_tokens": "", "power_boundary": "", "run": None, "artifact": "", "further": {},
        "quirks": [], "note": "", "measurements": [], "citations": [], "withdrawn": None,
    },
    # A yes or no that is not reported is None, for “no” is an answer.
    "workload": {
        "task": "", "quality_gate": "", "dataset": "", "input_tokens": "", "output_tokens": "",
        "length_distribution": "", "context_policy": "", "cache_policy": "", "cache_state": "", "load_mode": "",
        "concurrency": "", "request_rate": "", "arrival": "", "batch_size": "", "warm_up": "",
        "warm_up_excluded": None, "streaming": None, "sampling": "", "latency_limits": "",
    },
    "measurements": {"metric": None, "statistic": None, "value": None, "text": "", "values": "", "divisor": ""},
    ARTIFACTS: {
        "sha256": None, "size": None, "name": None, "tool": None, "tool_version": "", "format": "", "origin": None,
        "licence": "", "redistributable": False,
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
        if name in ("withdrawn", "workload"):
            formed[name] = canonical(name, value)
        elif name in ("verifications", "citations", "contexts", "measurements"):
            formed[name] = [canonical(name, item) for item in value]
        elif name == "further":
            formed[name] = dict(sorted(value.items()))
        elif kind == "workload" and name in _MEASURED:
            formed[name] = _shortest(value)
    # A workload of which nothing is reported is left out like any other default.
    formed = {name: value for name, value in formed.items() if name != "workload" or value}
    if "verifications" in formed:
        formed["verifications"].sort(key=lambda verification: verification["on"])
    if "contexts" in formed:
        formed["contexts"].sort(key=lambda context: (context["role"], context["subject"]))
    return formed


# Two workloads are one if their numbers are, however many zeros follow.
_MEASURED = ("input_tokens", "output_tokens", "request_rate")


def _shortest(number: str) -> str:
    """Return 128 for 128.0."""
    return format(Decimal(number), "f").rstrip("0").rstrip(".") if "." in number else number


def key_of(kind: str, record: Record) -> str:
    """Return what a record is known by."""
    return str(record.get("number" if kind in ENTRIES else "sha256" if kind == ARTIFACTS else "key"))


def number_of(name: str) -> int:
    """Return 12 for C-12."""
    return int(name[2:])
