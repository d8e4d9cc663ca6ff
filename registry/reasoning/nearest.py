"""Records that differ from one in exactly one condition: the controlled experiments hidden in the registry.

Two records that differ in one condition agree in all others. So each record is filed once under each condition, by the
rest of its conditions; whatever lies in the same place with another value is a neighbour, and nothing else is looked at.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from registry.reasoning.benchmark_facts import Record, by_name, flag_set, fold, reported, shown, version
from registry.reasoning.comparability_alike import lengths_alike, load, output_length, prompt_length
from registry.reasoning.comparability_rules import RULES
from registry.reasoning.mlperf import suite_name

# A condition and the facts it is made of: another runtime has other versions, other hardware another form.
CONDITIONS: tuple[tuple[str, ...], ...] = (
    ("hardware", "hardware_form"),
    ("accelerators",),
    ("nodes",),
    ("interconnect",),
    ("checkpoint", "checkpoint_revision"),
    ("precision",),
    ("runtime", "runtime_version"),
    ("flags",),
    ("task",),
    ("quality_gate",),
    ("dataset",),
    ("prompt_tokens",),
    ("output_tokens",),
    ("context_policy",),
    ("cache_policy",),
    ("cache_state",),
    ("load_mode",),
    ("concurrency",),
    ("request_rate",),
    ("arrival",),
    ("warm_up",),
    ("streaming",),
    ("sampling",),
    ("latency_limits",),
    ("boundary",),
    ("performed_by",),
    ("tool", "tool_version"),
    ("power_boundary",),
    ("suite", "suite_round"),
    ("system_type",),
    ("benchmark",),
    ("division",),
    ("category",),
    ("scenario",),
    ("verification_status",),
)
# What came out of the measurement is no condition of it.
OUTCOMES = ("requests_failed", "requests_incomplete", "prompt_tokens_actual")
WORDS = {rule.field: rule.condition for rule in reversed(RULES)}


@dataclass(frozen=True)
class Neighbour:
    """`condition` in words, and what the two records report of it."""

    record: Record
    field: str
    condition: str
    mine: str
    theirs: str


_Places = defaultdict[tuple[int, int], defaultdict[Any, list[Record]]]


class Neighbourhood:
    """Records filed by all but one of their conditions, to ask about many of them: `nearest` is enough to ask about one."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._places: _Places = defaultdict(lambda: defaultdict(list))
        for record in records:
            for place, value in _places(record):
                self._places[place][value].append(record)

    def of(self, record: Record) -> tuple[Neighbour, ...]:
        """The record's neighbours, by condition and name."""
        found = []
        for place, value in _places(record):
            for theirs, others in self._places.get(place, {}).items():
                if theirs != value:
                    near = (neighbour(record, other, place[0]) for other in others)
                    found += [(place[0], each) for each in near if each]
        return tuple(each for _, each in sorted(found, key=_by_condition_and_name))


def nearest(record: Record, others: Iterable[Record]) -> tuple[Neighbour, ...]:
    """Those of the others that differ from the record in one condition, and in nothing that one does not report."""
    mine = dict(_places(record))
    found = [
        (place[0], each)
        for other in others
        for place, value in _places(other)
        if place in mine and value != mine[place] and (each := neighbour(record, other, place[0]))
    ]
    return tuple(each for _, each in sorted(found, key=_by_condition_and_name))


def neighbour(record: Record, other: Record, index: int) -> Neighbour | None:
    """The other as a neighbour by one condition; None where something else differs, is silent, or nothing was measured
    alike. Hashes only say where to look: here every condition is compared."""
    fields = CONDITIONS[index]
    for each in CONDITIONS:
        if each != fields and _value(record, each) != _value(other, each):
            return None
    every = (
        *(field for each in CONDITIONS for field in each),
        "prompt_tokens_actual",
        "output_tokens_actual",
    )
    if any(_silent(record, field) != _silent(other, field) for field in every):
        return None
    if not _lengths_agree(record, other, fields) or not _measured_alike(record, other):
        return None
    field = next(field for field in fields if _fact(record, field) != _fact(other, field))
    return Neighbour(other, field, WORDS[field], _shown(record, field), _shown(other, field))


def _by_condition_and_name(found: tuple[int, Neighbour]) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    return found[0], by_name(found[1].record.name)


def _places(record: Record) -> list[tuple[tuple[int, int], Any]]:
    """Where a record is filed: each condition's number with the hash of the rest, and the condition's value."""
    values = [_value(record, fields) for fields in CONDITIONS]
    hashes = [hash((index, value)) for index, value in enumerate(values)]
    whole = sum(hashes)
    return [((index, whole - hashes[index]), value) for index, value in enumerate(values)]


def _value(record: Record, fields: tuple[str, ...]) -> Any:
    return _fact(record, fields[0]) if len(fields) == 1 else tuple(_fact(record, field) for field in fields)


def _fact(record: Record, field: str) -> Any:
    """A fact as it counts: what the rules of comparing take for one is one here."""
    normalised = NORMALISED.get(field)
    return normalised(record) if normalised else reported(getattr(record, field))


def _length(stated: str | None, actual: Decimal | None) -> str | None:
    """The stated distribution; where there is none, the mean in two digits, for it varies by chance."""
    if fold(stated) or actual is None:
        return fold(stated)
    return f"about {actual:.2g}"


NORMALISED: dict[str, Callable[[Record], Any]] = {
    "runtime_version": lambda record: version(record.runtime_version),
    "tool_version": lambda record: version(record.tool_version),
    "suite": lambda record: suite_name(record.suite),
    "suite_round": lambda record: version(record.suite_round),
    "flags": lambda record: flag_set(record.flags),
    "load_mode": load,
    "prompt_tokens": lambda record: _length(record.prompt_tokens, record.prompt_tokens_actual),
    "output_tokens": lambda record: _length(record.output_tokens, record.output_tokens_actual),
}


def _silent(record: Record, field: str) -> bool:
    return reported(getattr(record, field)) is None


def _shown(record: Record, field: str) -> str:
    lengths = {"prompt_tokens": prompt_length, "output_tokens": output_length}
    return str(lengths[field](record)) if field in lengths else shown(getattr(record, field))


def _lengths_agree(record: Record, other: Record, fields: tuple[str, ...]) -> bool:
    """Asked for alike is not processed alike; and lengths that are nearly alike are no other condition."""
    for field, length in (("prompt_tokens", prompt_length), ("output_tokens", output_length)):
        mine, theirs = length(record), length(other)
        if mine and theirs and lengths_alike(mine, theirs) == (field in fields):
            return False
    return True


def _measured_alike(record: Record, other: Record) -> bool:
    """Both state at least one figure by one definition and statistic."""
    stated = {(each.metric, each.statistic) for each in record.figures}
    return any((each.metric, each.statistic) in stated for each in other.figures)
