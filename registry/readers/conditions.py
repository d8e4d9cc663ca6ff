"""Under which conditions a run was made: every fact a reader may report, by name and type.

A fact that is None was not stated by the file. Nothing here is ever guessed.
"""

from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any


@dataclass(frozen=True)
class Conditions:
    """Numbers are Decimal or int in the unit the comment names; texts are as printed, cleaned of folders and hosts."""

    # System
    hardware: str | None = None  # accelerator as printed
    accelerators: int | None = None  # in use by the run, over all nodes
    nodes: int | None = None
    accelerators_prefill: int | None = None
    accelerators_decode: int | None = None
    host: str | None = None  # processor and memory, never a host name
    driver: str | None = None
    operating_system: str | None = None
    interconnect: str | None = None
    system: str | None = None  # a suite's name of the system under test
    power_boundary: str | None = None

    # Model
    model: str | None = None  # as printed
    model_revision: str | None = None
    architecture: str | None = None  # family and size as printed, where that is no checkpoint's name
    precision: str | None = None  # of the weights, as printed
    kv_cache_precision: str | None = None
    quantization: str | None = None  # method, as printed
    tokenizer: str | None = None  # that counted the tokens

    # Runtime
    runtime: str | None = None
    runtime_version: str | None = None
    backend: str | None = None  # inside the runtime, as printed
    endpoint: str | None = None  # protocol the client spoke, as printed
    tensor_parallel: int | None = None
    pipeline_parallel: int | None = None
    expert_parallel: int | None = None
    data_parallel: int | None = None
    data_parallel_attention: bool | None = None
    disaggregated: bool | None = None
    speculative: str | None = None  # method, as printed
    max_batch_size: int | None = None  # requests
    max_batch_tokens: int | None = None
    prefix_cache: bool | None = None  # on or off in the server
    flags: str | None = None  # other settings of the runtime that the reader knows to be harmless

    # Workload
    task: str | None = None
    dataset: str | None = None
    requests: int | None = None  # asked for
    input_tokens_requested: Decimal | None = None  # mean or fixed, tokens per request
    output_tokens_requested: Decimal | None = None
    input_tokens: Decimal | None = None  # actual mean, tokens per request
    output_tokens: Decimal | None = None
    length_distribution: str | None = None  # how requested lengths vary
    context_tokens: int | None = None  # already in the context before the run
    batch_size: int | None = None  # fixed, of in-process runs
    repetitions: int | None = None
    seed: int | None = None
    sampling: str | None = None
    streaming: bool | None = None
    latency_limits: str | None = None
    quality_gate: str | None = None

    # Load
    load_mode: str | None = None  # one of LOAD_MODES
    concurrency: int | None = None  # the cap asked for
    concurrency_achieved: Decimal | None = None
    request_rate: Decimal | None = None  # requests/s asked for
    arrival: str | None = None  # one of ARRIVALS
    burstiness: Decimal | None = None  # shape of the gamma distribution of gaps; 1 is Poisson
    warm_up: str | None = None
    warm_up_excluded: bool | None = None

    # Record
    started_at: str | None = (
        None  # ISO 8601, without offset where the file gives none; some tools note the end
    )
    duration: Decimal | None = None  # seconds
    submitter: str | None = None
    suite: str | None = None
    suite_version: str | None = None
    division: str | None = None
    category: str | None = None
    availability: str | None = None
    scenario: str | None = None
    result_id: str | None = None

    def __post_init__(self) -> None:
        assert self.load_mode is None or self.load_mode in LOAD_MODES, self.load_mode
        assert self.arrival is None or self.arrival in ARRIVALS, self.arrival

    def stated(self) -> dict[str, Any]:
        """The facts the file states, in the order above."""
        return {name: value for name in NAMES if (value := getattr(self, name)) is not None}

    def missing(self, needed: tuple[str, ...]) -> tuple[str, ...]:
        """The needed facts the file does not state."""
        return tuple(name for name in needed if getattr(self, name) is None)


LOAD_MODES = {
    "closed": "a fixed number of requests in flight; a new one when one ends",
    "open": "requests arrive at a rate, whatever the system does",
    "all at once": "every request is sent or queued at the start",
    "single stream": "one request or batch at a time",
}
ARRIVALS = ("poisson", "gamma", "constant", "all at once", "sequential", "trace")

NAMES = tuple(field.name for field in fields(Conditions))

# What no re-run can do without, whatever the tool; readers add what their tool in particular leaves open.
NEEDED = (
    "hardware",
    "accelerators",
    "nodes",
    "model",
    "model_revision",
    "precision",
    "runtime",
    "runtime_version",
    "flags",
    "dataset",
    "input_tokens",
    "output_tokens",
    "load_mode",
    "warm_up",
    "prefix_cache",
    "sampling",
    "latency_limits",
    "quality_gate",
    "started_at",
)
assert set(NEEDED) <= set(NAMES)
