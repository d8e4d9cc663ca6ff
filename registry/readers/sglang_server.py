"""`server_info` of SGLang: the server's flags as it answered them. Addresses, folders and keys are never looked at."""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TypedDict, TypeVar

from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.numbers import in_range, plain

Value = TypeVar("Value", str, int, bool)


class Server(TypedDict):
    """The facts of `Conditions` that the flags state."""

    model_revision: str | None
    precision: str | None
    quantization: str | None
    kv_cache_precision: str | None
    runtime: str | None
    runtime_version: str | None
    tensor_parallel: int | None
    pipeline_parallel: int | None
    expert_parallel: int | None
    data_parallel: int | None
    data_parallel_attention: bool | None
    accelerators: int | None
    accelerators_prefill: int | None
    accelerators_decode: int | None
    nodes: int | None
    disaggregated: bool | None
    speculative: str | None
    max_batch_size: int | None
    prefix_cache: bool | None
    flags: str | None


SHOWN_FLAGS = (
    "mem_fraction_static", "chunked_prefill_size", "max_prefill_tokens", "schedule_policy", "schedule_conservativeness",
    "page_size", "attention_backend", "decode_attention_backend", "prefill_attention_backend", "sampling_backend",
    "moe_a2a_backend", "moe_runner_backend", "speculative_num_steps", "speculative_num_draft_tokens",
    "cuda_graph_max_bs", "context_length", "stream_interval",
)  # fmt: skip


def server_of(row: Fields, findings: Findings) -> tuple[str | None, Server]:
    """The model as the server names it, and the other facts. Prefill and decode servers are listed apart."""
    info = row.inner("server_info")
    if info is None:
        return None, facts([], [], findings)
    prefill, decode = servers(info, "prefill"), servers(info, "decode")
    if not prefill and not decode:
        one = info if "version" in info or "model_path" in info else None
        together = [one] if one else servers(info, "internal_states")[:1]
        return agreed(together, lambda each: each.text("model_path")), facts(together, [], findings)
    findings.note(
        "disaggregated",
        f"{len(prefill)} prefill and {len(decode)} decode server(s): their hardware may differ.",
        "server_info",
    )
    return agreed(prefill + decode, lambda each: each.text("model_path")), facts(prefill, decode, findings)


def servers(info: Fields, key: str) -> list[Fields]:
    return [Fields(item, f"{info.path(key)}[{n}]") for n, item in enumerate(info.items(key))]


def facts(prefill: list[Fields], decode: list[Fields], findings: Findings) -> Server:
    """What all servers agree on; without decode servers, the first list holds the one server that does both."""
    every = prefill + decode

    def text(key: str) -> str | None:
        found = agreed(every, lambda each: each.text(key))
        return None if found == "auto" else found

    def some(key: str) -> int | None:
        return agreed(every, lambda each: each.some(key))

    cached = [each.flag("disable_radix_cache") for each in prefill or decode]
    apart = bool(decode)
    return Server(
        model_revision=text("revision"),
        precision=text("quantization") or text("dtype"),
        quantization=text("quantization"),
        kv_cache_precision=text("kv_cache_dtype"),
        runtime="SGLang" if every else None,
        runtime_version=version(prefill, decode),
        tensor_parallel=some("tp_size"),
        pipeline_parallel=some("pp_size"),
        expert_parallel=some("ep_size"),
        data_parallel=some("dp_size"),
        data_parallel_attention=agreed(every, lambda each: each.flag("enable_dp_attention")),
        accelerators=accelerators(every),
        accelerators_prefill=accelerators(prefill) if apart else None,
        accelerators_decode=accelerators(decode) if apart else None,
        nodes=None if apart else some("nnodes"),
        disaggregated=apart if every else None,
        speculative=text("speculative_algorithm"),
        max_batch_size=some("max_running_requests"),
        prefix_cache=not cached[0] if len(set(cached)) == 1 and cached[0] is not None else None,
        flags=shown(every),
    )


def agreed(every: list[Fields], look: Callable[[Fields], Value | None]) -> Value | None:
    """A value that every server gives alike."""
    found = {look(each) for each in every}
    return found.pop() if len(found) == 1 else None


def version(prefill: list[Fields], decode: list[Fields]) -> str | None:
    """One version, or which role ran which."""
    first = agreed(prefill, lambda each: each.text("version"))
    second = agreed(decode, lambda each: each.text("version"))
    if first and second and first != second:
        return f"{first} (prefill), {second} (decode)"
    return first or second


def accelerators(every: list[Fields]) -> int | None:
    """tp × pp accelerators a replica, and dp replicas unless data parallelism is inside attention alone."""
    total = 0
    for each in every:
        tensor, pipeline = each.some("tp_size"), each.some("pp_size") or 1
        replicas = 1 if each.flag("enable_dp_attention") else each.some("dp_size") or 1
        if tensor is None:
            return None
        total += tensor * pipeline * replicas
    return total or None


def shown(every: list[Fields]) -> str | None:
    """The flags that bear on speed, as name=value, where all servers agree."""
    found = []
    for key in SHOWN_FLAGS:
        values = {word(each.raw(key)) for each in every}
        value = values.pop() if len(values) == 1 else None
        found += [f"{key}={value}"] if value else []
    return " ".join(found)[:300] or None


def word(value: object) -> str | None:
    """A number or a plain word of a flag; anything else is not shown."""
    if isinstance(value, Decimal):
        return plain(in_range(value))
    return (
        value if isinstance(value, str) and value != "auto" and re.fullmatch(r"[\w-]{1,30}", value) else None
    )
