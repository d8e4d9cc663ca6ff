"""The conditions of a run: what each takes when a person states it, and which column of record or workload it fills."""

from collections.abc import Mapping
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

from registry.models import BenchmarkRecord, Workload
from registry.readers.conditions import ARRIVALS, LOAD_MODES, Conditions
from registry.readers.run import Run

# Where a fact of a file goes; what is in neither map stands under `further`, by its own name.
OF_RECORD = {
    **dict.fromkeys(
        "accelerators nodes interconnect system model_revision precision runtime_version flags division category "
        "availability scenario result_id input_tokens output_tokens power_boundary suite".split(),
    ),
    "model": "model_as_stated",
    "runtime": "runtime_as_stated",
    "suite_version": "suite_round",
}
OF_WORKLOAD = {
    **dict.fromkeys(
        "task quality_gate dataset length_distribution load_mode concurrency request_rate arrival batch_size warm_up "
        "warm_up_excluded streaming sampling latency_limits".split(),
    ),
    "input_tokens_requested": "input_tokens",
    "output_tokens_requested": "output_tokens",
}
# Condition → its type, as its declaration has it.
TYPES = {each.name: str(each.type).partition(" ")[0].rpartition(".")[2] for each in fields(Conditions)}
_WORDS = {
    "int": "a whole number",
    "Decimal": "a number",
    "bool": "yes or no",
    "str": f"words; of a load {', '.join(LOAD_MODES)}, of arrivals {', '.join(ARRIVALS)}",
}


def wanted(name: str) -> str:
    """What a condition takes, in words."""
    return _WORDS[TYPES[name]]


def column_of(name: str) -> Any:
    """The column that a condition fills; None for one that stands under `further`, or is read as something else."""
    for model, columns in ((BenchmarkRecord, OF_RECORD), (Workload, OF_WORKLOAD)):
        if name in columns:
            return model._meta.get_field(columns[name] or name)
    return None


def typed(name: str, value: Any) -> Any:
    """A condition as its type, None where it is none of its values."""
    text = str(value).strip()
    kind = TYPES[name]
    if name == "load_mode":
        return text if text in LOAD_MODES else None
    if name == "arrival":
        return text if text in ARRIVALS else None
    if kind == "bool":
        return {"yes": True, "true": True, "no": False, "false": False}.get(text.lower())
    if kind == "str":
        return text or None
    try:
        number = Decimal(text)
    except ArithmeticError:
        return None
    if (
        not number.is_finite()
        or number < 0
        or number.adjusted() > 20
        or (kind == "int" and number != int(number))
    ):
        return None
    return int(number) if kind == "int" else number


def completed(run: Run, conditions: Mapping[str, Any]) -> tuple[Conditions, list[str]]:
    """The conditions of a run with what a person adds; what the file says otherwise is a problem, not overridden."""
    said = run.conditions.stated()
    given = {name: typed(name, value) for name, value in conditions.items() if name in TYPES}
    clashes = [
        f"{run.label}: the file says {name} is {said[name]}, you say {value}. Leave it out, or check the file."
        for name, value in given.items()
        if name in said and said[name] != value
    ]
    added = {name: value for name, value in given.items() if name not in said and value is not None}
    return replace(run.conditions, **added), clashes
