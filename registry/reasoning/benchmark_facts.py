"""What comparing benchmark records needs to know about them: plain data, filled by whoever holds the records.

None always means “not reported”. It is never 0, never “off”, and never equal to anything.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any


@dataclass(frozen=True)
class MetricFacts:
    """One definition of a metric: one formula at one clock over one population.

    `family` is what readers would take for the same thing (“time per output token”): two metrics of one family with
    different keys are the trap that comparing must name. `scope` is “system”, “request” or “accelerator”.
    """

    key: str
    name: str
    formula: str
    unit: str
    clock: str
    scope: str
    family: str
    phase: str

    @property
    def per_accelerator(self) -> bool:
        return "accelerator" in self.scope

    @property
    def descriptive(self) -> bool:
        """It tells what was processed and is no result: alone it gives nothing to compare."""
        return self.unit in ("tokens", "ratio")

    @property
    def energy(self) -> bool:
        return self.unit in ("W", "J") or self.unit.endswith("/J") or self.unit.startswith("J/")

    @property
    def latency(self) -> bool:
        return self.unit in ("ms", "s")

    @property
    def throughput(self) -> bool:
        return self.unit.endswith("/s")


@dataclass(frozen=True)
class Figure:
    metric: MetricFacts
    statistic: str
    value: Decimal


@dataclass(frozen=True)
class Record:
    """A benchmark record's conditions and figures. `name` is how readers know it: “B-12/1”."""

    name: str
    # System
    hardware: str | None = None
    hardware_form: str | None = None  # accelerator, board, server or rack
    accelerators: int | None = None  # in use, over all nodes
    nodes: int | None = None
    interconnect: str | None = None
    system: str | None = None  # a suite's name of the system under test
    # Model and runtime
    checkpoint: str | None = None
    checkpoint_revision: str | None = None
    precision: str | None = None
    runtime: str | None = None
    runtime_version: str | None = None
    flags: str | None = None
    # Workload
    task: str | None = None
    quality_gate: str | None = None  # “none stated” where the source says that there was none
    dataset: str | None = None
    prompt_tokens: str | None = None  # distribution as stated, which is what was asked for
    output_tokens: str | None = None
    prompt_tokens_actual: Decimal | None = None  # mean of what was processed
    output_tokens_actual: Decimal | None = None
    context_policy: str | None = None
    cache_policy: str | None = None
    cache_state: str | None = None  # cold, warm or shared
    load_mode: str | None = None  # closed, open, offline; readers' other words are kept
    concurrency: int | None = None
    request_rate: Decimal | None = None
    arrival: str | None = None
    warm_up: str | None = None
    streaming: bool | None = None
    sampling: str | None = None
    latency_limits: str | None = None
    # Measurement
    boundary: str | None = None  # what the measurement covers
    submitter: str | None = None
    performed_by: str | None = None
    tool: str | None = None
    tool_version: str | None = None
    power_boundary: str | None = None
    # Suite
    suite: str | None = None  # “MLPerf Inference”
    suite_round: str | None = None
    system_type: str | None = None  # datacenter or edge
    benchmark: str | None = None  # “llama2-70b-99.9”
    division: str | None = None
    category: str | None = None
    scenario: str | None = None
    verification_status: str | None = None  # verified or unverified
    result_id: str | None = None
    not_closed_because: str | None = None  # why an Open result would not qualify as Closed
    retrieved_on: str | None = None
    retrieved_from: str | None = None
    # Outcome
    requests_attempted: int | None = None
    requests_ok: int | None = None
    requests_failed: int | None = None
    requests_incomplete: int | None = None  # cut off at the end: neither ok nor failed
    figures: tuple[Figure, ...] = ()

    def __post_init__(self) -> None:
        """A record has one figure a statistic of a metric, and one definition a key: else order would decide."""
        stated = [(each.metric.key, each.statistic) for each in self.figures]
        if len(set(stated)) < len(stated):
            raise ValueError(f"{self.name} states one figure twice.")
        if len({each.metric for each in self.figures}) > len({key for key, _ in stated}):
            raise ValueError(f"{self.name} defines one metric in two ways.")

    @property
    def metrics(self) -> dict[str, MetricFacts]:
        return {each.metric.key: each.metric for each in self.figures}

    @property
    def is_mlperf(self) -> bool:
        """Also what was measured with MLPerf's own code and never submitted: the same rules bind it."""
        return "mlperf" in (fold(self.suite) or "") or bool(
            re.search("mlperf|loadgen", fold(self.tool) or "")
        )


@lru_cache(maxsize=4096)
def fold(text: str | None) -> str | None:
    """A text as it counts: without case, width and blanks. A blank text reports nothing."""
    return " ".join(unicodedata.normalize("NFKC", text or "").casefold().split()) or None


def reported(value: Any) -> Any:
    """A fact as it counts in comparing: texts folded, everything else as it is."""
    return fold(value) if isinstance(value, str) else value


@lru_cache(maxsize=4096)
def version(text: str | None) -> str | None:
    """“v5.1” and “5.1” name one version; “5.10” is another."""
    folded = fold(text)
    return re.sub(r"^v\s?(?=\d)", "", folded) if folded else None


@lru_cache(maxsize=4096)
def flag_set(text: str | None) -> str | None:
    """A command line's flags in one order, for their order says nothing unless one stands twice. Case counts."""
    words = " ".join((text or "").split())
    if not words:
        return None
    groups = [re.sub(r"^(--[\w.-]+)=", r"\1 ", each) for each in re.split(r"\s+(?=--?[A-Za-z])", words)]
    names = [each.split(" ", 1)[0] for each in groups]
    return " ".join(sorted(groups) if len(set(names)) == len(names) else groups)


def shown(value: Any) -> str:
    """A fact as a sentence names it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return " ".join(str(value).split())


def by_name(name: str) -> tuple[tuple[int, int, str], ...]:
    """Order of names in which B-9/1 comes before B-10/1."""
    parts = re.split(r"([0-9]+)", name)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part)
