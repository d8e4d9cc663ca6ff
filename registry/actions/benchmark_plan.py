"""What importing a result file would make: what a reader found, completed by a person. Reads the register, writes nothing."""

import difflib
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils import timezone

from registry.actions.benchmark_conditions import (
    OF_RECORD,
    OF_WORKLOAD,
    TYPES,
    column_of,
    completed,
    typed,
    wanted,
)
from registry.models import Artifact, BenchmarkRecord, Subject, Workload
from registry.readers import read
from registry.readers.conditions import Conditions
from registry.readers.run import Report, Run
from sources.models import Organisation, Source

_LENGTHS = ("input_tokens", "output_tokens", "input_tokens_requested", "output_tokens_requested")
_ELSEWHERE = {"hardware", "prefix_cache", "started_at", "submitter"}
MOST_COUNTED = 2**31 - 1  # what the columns of counts hold
MOST_MEASURED = Decimal(10) ** 20
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
# What a run prints of each role, and the kind of subject it means.
ROLES = {"hardware": "gpu", "checkpoint": "checkpoint", "runtime": "runtime"}


@dataclass(frozen=True)
class Supplied:
    """What a person says about a file. It completes what the file says and never overrides it.

    A file may name several systems, models and submitters: the maps go from what it prints to the record of the
    register, with "" for whatever is not listed; None says that nobody named it.
    """

    source: Source  # where the file is published
    hardware: Mapping[str, Subject | None]
    submitter: Mapping[str, Organisation | None]
    checkpoint: Mapping[str, Subject | None] = field(default_factory=dict)
    runtime: Mapping[str, Subject | None] = field(default_factory=dict)
    performed_by: Organisation | None = None
    origin: str = ""  # the address of this very file; empty: the source's
    licence: str = ""
    redistributable: bool = False
    boundary: str = ""
    verification: str = ""
    context_policy: str = ""
    cache_state: str = ""
    note: str = ""
    conditions: Mapping[str, Any] = field(default_factory=dict)  # names of registry.readers.conditions
    known_only: bool = False  # leave out runs whose hardware or submitter is not named above


@dataclass(frozen=True)
class Planned:
    """One draft that an import would make: the columns of record and workload, and its run."""

    run: Run
    record: dict[str, Any]
    workload: dict[str, Any]
    missing: tuple[str, ...]  # facts that neither the file nor a person states


@dataclass(frozen=True)
class Plan:
    """What an import would do. With `problems` it does nothing."""

    report: Report
    sha256: str
    planned: tuple[Planned, ...] = ()
    refused: tuple[Run, ...] = ()  # runs of the file that must not become results
    left_out: tuple[Run, ...] = ()  # runs on hardware, or by submitters, that nobody named
    problems: tuple[str, ...] = ()


class KnownFile(Exception):
    """The file was imported already. `records` are the records made from it."""

    def __init__(self, artifact: Artifact, records: list[BenchmarkRecord]) -> None:
        self.artifact = artifact
        self.records = records
        made = ", ".join(record.name for record in records[:5]) + (" …" if len(records) > 5 else "")
        super().__init__(
            f"This file was imported on {artifact.read_at:%Y-%m-%d} as “{artifact.name}”"
            + (f": {made}. Correct those instead." if made else ", and its drafts were discarded since.")
        )


def refuse_known(data: bytes) -> None:
    """Raise KnownFile for a file that records rest on already."""
    known = Artifact.objects.filter(pk=hashlib.sha256(data).hexdigest()).first()
    records = list(known.records.order_by("number", "revision")[:20]) if known else []
    if known and records:
        raise KnownFile(known, records)


def plan(data: bytes, name: str, supplied: Supplied, report: Report | None = None) -> Plan:
    """What importing a file would make, with every problem at once. Reads the file, unless it was, and writes nothing.

    Raises registry.readers.errors.Unreadable for a file that cannot be read, KnownFile for one that was imported.
    """
    refuse_known(data)
    report = report or read(data, name)
    problems = [*_problems_of(supplied)]
    planned, refused, left_out = [], [], []
    for run in report.runs:
        if run.refused:
            refused.append(run)
            continue
        named = printed(run)
        who = {role: _chosen(getattr(supplied, role), words) for role, words in named.items()}
        unknown = [role for role in ("hardware", "submitter") if who[role] is None]
        if unknown and supplied.known_only:
            left_out.append(run)
            continue
        for role in unknown:
            words = f"for “{named[role]}”" if named[role] else "and the file names none"
            problems.append(f"No {role} is chosen {words}: say which record of the register it is.")
        conditions, clashes = completed(run, supplied.conditions)
        problems += clashes
        problems += [f"{run.label}: {problem}" for problem in _sense(run, conditions)]
        planned.append(_planned(run, conditions, report, supplied, who))
    if not planned:
        why = refused[0].refused if refused else "it holds none."
        if left_out:
            why = "none is on hardware, or by a submitter, that you named."
        problems.append(f"No run of the file can become a record: {why}")
    return Plan(
        report,
        hashlib.sha256(data).hexdigest(),
        tuple(planned),
        tuple(refused),
        tuple(left_out),
        tuple(dict.fromkeys(problems)),
    )


def printed(run: Run) -> dict[str, str]:
    """What a run prints as its hardware, checkpoint, runtime and submitter; "" for what it does not."""
    said = run.conditions
    return {
        "hardware": said.hardware or said.system or "",
        "checkpoint": said.model or "",
        "runtime": said.runtime or "",
        "submitter": said.submitter or "",
    }


def _problems_of(supplied: Supplied) -> Iterable[str]:
    if supplied.source.publisher_id is None:
        yield f"The source {supplied.source.key} names no publisher, so nothing can be published that cites it: name it first."
    for role, kind in ROLES.items():
        for subject in getattr(supplied, role).values():
            if subject is not None and subject.kind != kind:
                yield f"{subject.name} is no {kind} and cannot be the {role}: choose another subject."
    for name, value in supplied.conditions.items():
        if name not in TYPES:
            near = difflib.get_close_matches(name, TYPES, 1)
            yield f"“{name}” is no condition a record knows.{f' Did you mean {near[0]}?' if near else ''}"
        elif typed(name, value) is None:
            yield f"{name}={value}: give {wanted(name)}."
    if supplied.redistributable and not supplied.licence.strip():
        yield "A file that may be passed on has a licence: name it."
    if supplied.origin and not re.match("https?://[^/]", supplied.origin):
        yield f"The origin {supplied.origin[:60]} is no web address: it has to start with http:// or https://."
    for model, names in (
        (Artifact, ["licence", "origin"]),
        (BenchmarkRecord, ["boundary", "verification", "note"]),
    ):
        for name in names:
            column: Any = model._meta.get_field(name)
            if (length := len(getattr(supplied, name))) > column.max_length:
                yield f"The {name} has {length} characters; {column.max_length} is the most that is kept."


def _sense(run: Run, conditions: Conditions) -> Iterable[str]:
    if not run.figures:
        yield "it holds no figure that can be read."
    yield from _beyond(run, conditions)
    if 0 in (conditions.accelerators, conditions.nodes):
        yield "it used no accelerator or no node, so it says nothing of one: leave its hardware out."
    if conditions.suite and not (conditions.suite_version and conditions.scenario):
        yield "a suite's result is cited with its round and scenario: give suite_version and scenario."


def _beyond(run: Run, conditions: Conditions) -> Iterable[str]:
    """What the database would refuse, told before anything is written, and what no run can have."""
    counts = run.counts
    ended: Any = max(counts.ok or 0, counts.failed or 0)
    if counts.attempted is not None and ended > counts.attempted:
        yield f"{ended} requests succeeded or failed, more than the {counts.attempted} that were attempted."
    kept = {name: value for name, value in conditions.stated().items() if column_of(name)}
    kept |= {f"requests_{name}": value for name, value in vars(counts).items()}
    for name, value in kept.items():
        if isinstance(value, int) and not isinstance(value, bool) and value > MOST_COUNTED:
            yield f"{name} is {value}; {MOST_COUNTED} is the most that is kept."
    for name in ("request_rate", "duration", "burstiness"):
        if (rate := getattr(conditions, name)) is not None and rate <= 0:
            yield f"{name} is {rate}, which no run has."
    for each in run.figures:
        if not abs(each.value) < MOST_MEASURED:
            yield f"{each.metric}, {each.statistic} is {each.as_stated}, which nobody measured."
    if conditions.started_at:
        day = _day(conditions.started_at)
        if day is None:
            yield f"started_at is {conditions.started_at}, which is no day: give one such as 2026-11-30."
        elif day > timezone.now().date():
            yield f"started_at is {conditions.started_at}, a day that has not come yet."


def _chosen(named: Mapping[str, Any], words: str) -> Any:
    return named.get(words, named.get(""))


def _planned(
    run: Run, conditions: Conditions, report: Report, supplied: Supplied, who: Mapping[str, Any]
) -> Planned:
    said = conditions.stated()
    # A prefill alone gives no output, a decode alone takes no prompt. Columns have no zero, so that none can mean
    # “not reported”; the fact stands under `further`.
    none = {name: said.pop(name) for name in _LENGTHS if said.get(name) == 0}
    record = {column or name: said[name] for name, column in OF_RECORD.items() if name in said}
    workload = {column or name: said[name] for name, column in OF_WORKLOAD.items() if name in said}
    if "prefix_cache" in said:
        workload["cache_policy"] = "prefix cache on" if said["prefix_cache"] else "prefix cache off"
    workload |= {"context_policy": supplied.context_policy, "cache_state": supplied.cache_state}
    apart = {*OF_RECORD, *OF_WORKLOAD, *_ELSEWHERE}
    record |= {
        **who,
        "performed_by": supplied.performed_by,
        "boundary": supplied.boundary,
        "verification": supplied.verification,
        "note": supplied.note,
        "tool": report.tool,
        "tool_version": report.tool_version or "",
        "run": run.label[:300],
        "measured_on": _day(conditions.started_at),
        "requests_attempted": run.counts.attempted,
        "requests_ok": run.counts.ok,
        "requests_failed": run.counts.failed,
        "requests_incomplete": run.counts.incomplete,
        "further": {name: _plain(value) for name, value in said.items() if name not in apart}
        | {name: _plain(value) for name, value in none.items()}
        | ({"hardware": conditions.hardware} if conditions.hardware else {}),
        "quirks": [quirk.sentence[:600].rstrip() for quirk in (*report.quirks, *run.quirks)],
    }
    return Planned(run, _fitting(BenchmarkRecord, record), _fitting(Workload, workload), run.missing)


def _fitting(model, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values cut to the length of their columns: what a file prints has no limit."""
    return {
        name: value[:most].rstrip()
        if isinstance(value, str) and (most := model._meta.get_field(name).max_length)
        else value
        for name, value in values.items()
    }


def _plain(value: Any) -> Any:
    # Not every reader of JSON takes more than 15 digits for the same number.
    long = isinstance(value, int) and abs(value) >= 10**15
    return str(value) if long or isinstance(value, Decimal) else value


def _day(moment: str | None) -> date | None:
    found = _DAY.match(moment or "")
    try:
        return date.fromisoformat(found[0]) if found else None
    except ValueError:
        return None
