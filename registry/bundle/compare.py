"""A bundle beside the registry: what is new, what is the same, where the registry is ahead, and what contradicts it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from registry.bundle.fields import ARTIFACTS, ENTRIES, REFERENCES, SOURCES, Record
from registry.bundle.known import Known
from registry.bundle.problems import Problem


@dataclass
class Comparison:
    """What loading a bundle would do. Keys by kind.

    `revisions` tells the first new revision of a number, `withdrawals` the revision that ends.
    """

    new: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in REFERENCES})
    verifications: list[tuple[str, Record]] = field(default_factory=list)
    revisions: dict[str, dict[str, int]] = field(default_factory=lambda: {kind: {} for kind in ENTRIES})
    withdrawals: dict[str, dict[str, int]] = field(default_factory=lambda: {kind: {} for kind in ENTRIES})
    same: int = 0
    # Sentences: the registry keeps its own state of these.
    ahead: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def new_count(self) -> int:
        """Return how many records, verifications, revisions and withdrawals would be written."""
        references = sum(map(len, self.new.values())) + len(self.verifications)
        return references + sum(
            len(found) for found in (*self.revisions.values(), *self.withdrawals.values())
        )


def compare(known: Known) -> Comparison:
    """Return what the bundle would add to the registry. Rows the registry has already are never changed by it."""
    comparison = Comparison()
    for kind in REFERENCES:
        for key, record in known.bundle[kind].items():
            _reference(comparison, known, kind, key, record)
    for kind in ENTRIES:
        for number, entry in known.bundle[kind].items():
            _entry(comparison, known, kind, number, entry["revisions"])
    return comparison


def _reference(comparison: Comparison, known: Known, kind: str, key: str, record: Record) -> None:
    recorded = known.recorded[kind].get(key)
    if recorded is None:
        comparison.new[kind].append(key)
        return
    if kind == SOURCES:
        there = recorded.get("verifications", [])
        fresh = [
            verification for verification in record.get("verifications", []) if verification not in there
        ]
        comparison.verifications += [(key, verification) for verification in fresh]
        recorded = {**recorded, "verifications": record.get("verifications", [])}
        record = {**record, "verifications": record.get("verifications", [])}
    if recorded == record:
        comparison.same += 1
        return
    fields = sorted(name for name in {*record, *recorded} if record.get(name) != recorded.get(name))
    if kind == ARTIFACTS:
        message = f"has another {', '.join(fields)} in the registry, and a file is what its hash says."
        remedy = "Take over what the registry has, or correct the hash."
        comparison.problems.append(known.at(kind, key)("sha256", key, message, remedy))
        return
    comparison.ahead.append(f"{kind} {key}: the registry has another {', '.join(fields)} and keeps it.")


def _entry(comparison: Comparison, known: Known, kind: str, number: str, revisions: list[Record]) -> None:
    recorded = known.recorded[kind].get(number, {"revisions": []})["revisions"]
    at = known.at(kind, number)
    for index, (ours, theirs) in enumerate(zip(revisions, recorded, strict=False)):
        if fields := sorted(_differing(ours, theirs)):
            message = f"{number}/{index + 1} says something else in the registry ({', '.join(fields)})."
            remedy = "A published revision never changes: make it the next revision, or give another number."
            comparison.problems.append(at(f"revisions/{index}", None, message, remedy))
            return
    if len(revisions) > len(recorded):
        comparison.revisions[kind][number] = len(recorded) + 1
    last = min(len(revisions), len(recorded)) - 1
    if last >= 0 and "withdrawn" in revisions[last] and "withdrawn" not in recorded[last]:
        if len(recorded) > len(revisions):
            message = f"{number}/{last + 1} is withdrawn here and was superseded in the registry."
            comparison.problems.append(
                at(f"revisions/{last}/withdrawn", None, message, "Take over what the registry has.")
            )
            return
        comparison.withdrawals[kind][number] = last + 1
        return
    if len(recorded) > len(revisions) or (
        last >= 0 and "withdrawn" in recorded[last] and "withdrawn" not in revisions[last]
    ):
        state = "withdrawn" if "withdrawn" in recorded[-1] else f"at revision {len(recorded)}"
        comparison.ahead.append(
            f"{number}: the registry is ahead ({state}); the bundle ends at {len(revisions)}."
        )
    elif number not in comparison.revisions[kind]:
        comparison.same += 1


def _differing(ours: Record, theirs: Record) -> Iterator[str]:
    for name in {*ours, *theirs} - {"withdrawn"}:
        if ours.get(name) != theirs.get(name):
            yield name
    if "withdrawn" in ours and "withdrawn" in theirs and ours["withdrawn"] != theirs["withdrawn"]:
        yield "withdrawn"
