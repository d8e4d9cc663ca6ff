"""What is wrong with the benchmark records of a bundle, and with the files they were read from."""

from collections.abc import Iterator

from registry.bundle.fields import SUBJECTS, Record
from registry.bundle.known import At, Known, day
from registry.bundle.problems import Problem
from registry.readers.metrics import METRICS

MOST = 2_147_483_647  # what a column of counts holds
_ROLES = {"subject": "gpu", "checkpoint": "checkpoint", "runtime": "runtime"}
_COUNTS = (
    "accelerators", "nodes", "requests_attempted", "requests_ok", "requests_failed", "requests_incomplete",
    "concurrency", "batch_size", "values", "divisor", "size",
)  # fmt: skip


def check_benchmark(at: At, revision: Record, known: Known) -> Iterator[Problem]:
    """Yield what is wrong with one published state of a record, its references aside."""
    for role, kind in _ROLES.items():
        subject = known.get(SUBJECTS, revision.get(role, "")) or {"kind": kind}
        if subject["kind"] != kind:
            message = f"is a {subject['kind']} and cannot be the {'hardware' if role == 'subject' else role}."
            yield at(role, revision[role], message, f"Name a {kind}.")
    measured = day(revision["measured_on"]) if "measured_on" in revision else None
    if "measured_on" in revision and (measured is None or revision["measured_on"] > revision["record_date"]):
        message = "is no day up to the record date."
        yield at("measured_on", revision["measured_on"], message, "Give the day it was measured.")
    yield from too_many(at, "", revision)
    yield from too_many(at, "workload/", revision.get("workload", {}))
    for name in ("requests_ok", "requests_failed"):
        attempted = int(revision.get("requests_attempted", MOST))
        if attempted < int(revision.get(name, 0)) <= MOST:
            yield at(
                name, revision[name], f"is more than were attempted ({attempted}).", "Correct the counts."
            )
    if "suite" in revision and not {"suite_round", "scenario"} <= revision.keys():
        remedy = "Give “suite_round” and “scenario”."
        yield at("suite", revision["suite"], "is cited without its round or scenario.", remedy)
    yield from _measurements(at, revision)


def check_artifact(at: At, record: Record) -> Iterator[Problem]:
    """Yield what is wrong with what a bundle says of a file."""
    yield from too_many(at, "", record)
    if record.get("redistributable") and "licence" not in record:
        message = "A file that may be passed on has a licence."
        yield at("redistributable", None, message, "Name the licence, or leave “redistributable” out.")


def too_many(at: At, below: str, record: Record) -> Iterator[Problem]:
    """Yield a problem for each count that no column could hold."""
    for name in _COUNTS:
        if int(record.get(name, 0)) > MOST:
            yield at(below + name, record[name], f"is more than {MOST:,}.", "Correct the count.")


def _measurements(at: At, revision: Record) -> Iterator[Problem]:
    seen = set()
    for index, measurement in enumerate(revision["measurements"]):
        place = f"measurements/{index}/"
        metric, statistic = measurement["metric"], measurement["statistic"]
        if metric not in METRICS:
            remedy = "Name one of those in registry/readers/metrics.py."
            yield at(f"{place}metric", metric, "is no metric of this program.", remedy)
        if (metric, statistic) in seen:
            message = f"of {metric} stands here twice."
            yield at(f"{place}statistic", statistic, message, "Keep one of the two.")
        seen.add((metric, statistic))
        yield from too_many(at, place, measurement)
