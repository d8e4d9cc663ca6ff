"""The entries the registry has, as records of a bundle: each with every revision that was ever published."""

from collections import defaultdict
from typing import Any

from django.db.models import F

from registry.bundle.fields import BENCHMARKS, CLAIMS, FIELDS, LETTERS, REPRODUCTIONS, Record, canonical
from registry.models import (
    BenchmarkCitation,
    BenchmarkRecord,
    Claim,
    ClaimCitation,
    ClaimContext,
    Measurement,
    Reproduction,
    ReproductionCitation,
)
from registry.models.entry import EVER_PUBLISHED

# Kind of entry → its model and its citations' model.
MODELS: dict[str, tuple[Any, Any]] = {
    CLAIMS: (Claim, ClaimCitation),
    REPRODUCTIONS: (Reproduction, ReproductionCitation),
    BENCHMARKS: (BenchmarkRecord, BenchmarkCitation),
}
# Kind of entry → those of its fields that another table says, by the column there.
_ELSEWHERE = {
    CLAIMS: {"subject": "subject__key", "property": "property__key", "asserter": "asserter__key"},
    REPRODUCTIONS: {"performer": "performer__key", "claim": "claim_number"},
    BENCHMARKS: {
        "subject": "hardware__key", "checkpoint": "checkpoint__key", "runtime": "runtime__key",
        "submitter": "submitter__key", "performed_by": "performed_by__key", "artifact": "artifact_id",
        **{f"workload__{name}": f"workload__{name}" for name in FIELDS["workload"]},
    },
}  # fmt: skip
_LIFE = ["id", "number", "revision", "status", "change_kind", "record_date", "ended_on", "end_note"]
_NOT_COLUMNS = {"change", "workload", "measurements", "citations", "contexts", "withdrawn"}


def entries(kind: str, using: str) -> dict[str, Record]:
    """Return every entry of a kind with the revisions of it that were ever published."""
    model, citation = MODELS[kind]
    citations = defaultdict(list)
    for row in citation.objects.using(using).filter(entry__status__in=EVER_PUBLISHED).values(
        "entry_id", "stance", source=F("passage__source__key"), locator=F("passage__locator"),
        quotation=F("passage__quotation"),
    ).order_by("entry_id", "position", "id"):  # fmt: skip
        citations[row["entry_id"]].append(row)
    others = _OTHERS[kind](using) if kind in _OTHERS else {}
    elsewhere = _ELSEWHERE[kind]
    own = [name for name in FIELDS[kind] if name not in {*_NOT_COLUMNS, *elsewhere}]
    found: dict[str, Record] = {}
    rows = model.objects.using(using).filter(status__in=EVER_PUBLISHED).order_by("number", "revision")
    for row in rows.values(*{*_LIFE, *own, *elsewhere.values()}):
        name = f"{LETTERS[kind]}-{row['number']}"
        said = {
            name: as_text(row[column]) for name, column in [*zip(own, own, strict=True), *elsewhere.items()]
        }
        revision = {
            **said,
            "change": row["change_kind"],
            "citations": citations[row["id"]],
            **{part: rows_of.get(row["id"], []) for part, rows_of in others.items()},
            "withdrawn": None,
        }
        if kind == REPRODUCTIONS:
            revision["claim"] = f"C-{row['claim_number']}"
        elif kind == BENCHMARKS:
            revision["workload"] = {
                name: row[f"workload__{name}"]
                if FIELDS["workload"][name] is None
                else said[f"workload__{name}"]
                for name in FIELDS["workload"]
            }
        if row["status"] == "withdrawn":
            revision["withdrawn"] = {"on": row["ended_on"].isoformat(), "reason": row["end_note"]}
        found.setdefault(name, {"number": name, "revisions": []})["revisions"].append(revision)
    return {name: canonical(kind, entry) for name, entry in found.items()}


def _contexts(using: str) -> dict[str, Any]:
    contexts = defaultdict(list)
    for row in ClaimContext.objects.using(using).values("entry_id", "role", "subject__key"):
        contexts[row["entry_id"]].append({"subject": row["subject__key"], "role": row["role"]})
    return {"contexts": contexts}


def _measurements(using: str) -> dict[str, Any]:
    measurements = defaultdict(list)
    columns = ("statistic", "value", "text", "values", "divisor")
    for row in Measurement.objects.using(using).filter(entry__status__in=EVER_PUBLISHED).values(
        "entry_id", "metric_id", *columns
    ).order_by("entry_id", "position", "id"):  # fmt: skip
        said = {name: as_text(row[name]) for name in columns}
        measurements[row["entry_id"]].append({"metric": row["metric_id"], **said})
    return {"measurements": measurements}


# Kind of entry → what reads its children other than citations.
_OTHERS = {CLAIMS: _contexts, BENCHMARKS: _measurements}


def as_text(value: Any) -> Any:
    """Return a column's value as a bundle writes it: numbers and days as text, nothing as "", the rest as it is."""
    if value is None:
        return ""
    if isinstance(value, bool | str | list | dict):
        return value
    if isinstance(value, int):
        return str(value)
    return value.isoformat() if hasattr(value, "isoformat") else format(value, "f")
