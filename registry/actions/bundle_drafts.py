"""What one revision in a bundle says, as the draft of an entry: its keys looked up, its numbers read."""

import uuid
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

from registry.actions.benchmark_records import workload_of
from registry.actions.bundle_references import only
from registry.bundle.fields import (
    BENCHMARKS,
    CLAIMS,
    ORGANISATIONS,
    PROPERTIES,
    REPRODUCTIONS,
    SOURCES,
    SUBJECTS,
    Record,
    number_of,
)
from registry.models import BenchmarkRecord, Claim, Property, Reproduction, Subject
from sources.models import Organisation, Source

Lineages = dict[int, uuid.UUID]


class Drafts:
    """Makes the drafts of one load, once every row they point to is there."""

    def __init__(self) -> None:
        """Look up what entries point to."""
        self.ids: dict[str, dict[str, int]] = {
            ORGANISATIONS: dict(Organisation.objects.values_list("key", "pk")),
            PROPERTIES: dict(Property.objects.values_list("key", "pk")),
            SOURCES: dict(Source.objects.values_list("key", "pk")),
            SUBJECTS: dict(Subject.objects.values_list("key", "pk")),
        }
        self.workload_ids: dict[tuple[Any, ...], int] = {}
        self.makers: dict[str, Callable[[str, int, Record, Lineages], Any]] = {
            CLAIMS: self.claim,
            REPRODUCTIONS: self.reproduction,
            BENCHMARKS: self.benchmark,
        }

    def claim(self, name: str, place: int, revision: Record, lineages: Lineages) -> Claim:
        """Return the draft of a claim's revision."""
        return Claim(
            **_life(name, place, revision, lineages),
            **only(revision, "value_kind", "text", "bound", "conditions", "boundary", "derivation", "note"),
            subject_id=self.ids[SUBJECTS][revision["subject"]],
            property_id=self.ids[PROPERTIES][revision["property"]],
            asserter_id=self.ids[ORGANISATIONS][revision["asserter"]],
            **numbers(revision, "value", "low", "high"),
        )

    def reproduction(self, name: str, place: int, revision: Record, lineages: Lineages) -> Reproduction:
        """Return the draft of a reproduction's revision."""
        return Reproduction(
            **_life(name, place, revision, lineages),
            **only(revision, "outcome", "text", "tolerance", "conditions"),
            claim_number=number_of(revision["claim"]),
            performer_id=self.ids[ORGANISATIONS][revision["performer"]],
            **numbers(revision, "measured"),
        )

    def benchmark(self, name: str, place: int, revision: Record, lineages: Lineages) -> BenchmarkRecord:
        """Return the draft of a benchmark record's revision."""
        return BenchmarkRecord(
            **_life(name, place, revision, lineages),
            **only(revision, *_SAID_OF_RECORDS),
            **numbers(revision, *_COUNTED_OF_RECORDS),
            **{
                f"{role}_id": self.ids[kind][revision[field]]
                for field, role, kind in _ROLES
                if field in revision
            },
            artifact_id=revision.get("artifact"),
            workload_id=self.workload(revision.get("workload", {})),
            measured_on=date.fromisoformat(revision["measured_on"]) if "measured_on" in revision else None,
        )

    def workload(self, said: Record) -> int:
        """Return the id of the workload that says this; the database tells whether it is a new one."""
        known = tuple(said.items())
        if known not in self.workload_ids:
            figures = numbers(
                said, "input_tokens", "output_tokens", "request_rate", "concurrency", "batch_size"
            )
            self.workload_ids[known] = workload_of({**said, **figures}).pk
        return self.workload_ids[known]


_ROLES = (
    ("subject", "hardware", SUBJECTS), ("checkpoint", "checkpoint", SUBJECTS), ("runtime", "runtime", SUBJECTS),
    ("submitter", "submitter", ORGANISATIONS), ("performed_by", "performed_by", ORGANISATIONS),
)  # fmt: skip
_COUNTED_OF_RECORDS = (
    "accelerators", "nodes", "requests_attempted", "requests_ok", "requests_failed", "requests_incomplete",
    "input_tokens", "output_tokens",
)  # fmt: skip
_SAID_OF_RECORDS = (
    "interconnect", "system", "model_as_stated", "model_revision", "precision", "runtime_as_stated", "runtime_version",
    "flags", "boundary", "tool", "tool_version", "suite", "suite_round", "division", "category", "availability",
    "scenario", "result_id", "verification", "power_boundary", "run", "further", "quirks", "note",
)  # fmt: skip


def numbers(record: Record, *fields: str) -> Record:
    """Return those of the fields that a record has, as numbers."""
    return {field: Decimal(record[field]) for field in fields if field in record}


def _life(name: str, place: int, revision: Record, lineages: Lineages) -> Record:
    number = number_of(name)
    lineage = {"lineage": lineages[number]} if number in lineages else {}
    return {
        "number": number,
        "revision": place,
        "change_kind": revision.get("change", "first"),
        **only(revision, "change_note"),
        **lineage,
    }
