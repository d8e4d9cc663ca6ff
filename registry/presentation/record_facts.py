"""A benchmark record as reasoning knows it: plain data, with None for whatever is not reported."""

from registry.reasoning.benchmark_facts import Figure, MetricFacts, Record
from registry.reasoning.metric_families import family_of

_FORMS = {"accelerator": "accelerator", "board": "board", "server": "server", "rack-scale system": "rack"}
# The words of records and of reasoning for one load.
_LOADS = {"all at once": "offline"}


def metric_facts(metric):
    """A metric as reasoning compares it."""
    scope = "accelerator" if metric.per_accelerator else "request" if metric.per == "request" else "system"
    return MetricFacts(
        metric.key,
        metric.name,
        metric.formula,
        metric.unit,
        metric.clock,
        scope,
        family_of(metric.key),
        metric.phase,
    )


def record_facts(record):
    """The facts of a record that was read with `for_readers`."""
    asked = record.workload
    detail = getattr(record.hardware, "gpu", None)
    stated = {
        "hardware": record.hardware.name,
        "hardware_form": _FORMS.get(detail.kind) if detail else None,
        "accelerators": record.accelerators,
        "nodes": record.nodes,
        "interconnect": record.interconnect,
        "system": record.system,
        "checkpoint": record.checkpoint.name if record.checkpoint else record.model_as_stated,
        "checkpoint_revision": record.model_revision,
        "precision": _precision(record),
        "runtime": record.runtime.name if record.runtime else record.runtime_as_stated,
        "runtime_version": record.runtime_version,
        "flags": record.flags or _parallelism(record),
        "task": asked.task,
        "quality_gate": asked.quality_gate,
        "dataset": asked.dataset,
        "prompt_tokens": _length(asked.input_tokens, asked.length_distribution),
        "output_tokens": _length(asked.output_tokens, asked.length_distribution),
        "prompt_tokens_actual": record.input_tokens,
        "output_tokens_actual": record.output_tokens,
        "context_policy": asked.context_policy,
        "cache_policy": asked.cache_policy,
        "cache_state": asked.cache_state,
        "load_mode": _LOADS.get(asked.load_mode, asked.load_mode),
        "concurrency": asked.concurrency,
        "request_rate": asked.request_rate,
        "arrival": asked.arrival,
        "warm_up": asked.warm_up,
        "streaming": asked.streaming,
        "sampling": asked.sampling,
        "latency_limits": asked.latency_limits,
        "boundary": record.boundary,
        "submitter": record.submitter.name,
        "performed_by": record.performed_by.name if record.performed_by else None,
        "tool": record.tool,
        "tool_version": record.tool_version,
        "power_boundary": record.power_boundary,
        "suite": record.suite,
        "suite_round": record.suite_round,
        "system_type": record.category if record.suite else None,
        "benchmark": record.model_as_stated if record.suite else None,
        "division": record.division,
        "category": record.availability,
        "scenario": record.scenario,
        "verification_status": record.verification,
        "result_id": record.result_id,
        "requests_attempted": record.requests_attempted,
        "requests_ok": record.requests_ok,
        "requests_failed": record.requests_failed,
        "requests_incomplete": record.requests_incomplete,
    }
    figures = tuple(
        Figure(metric_facts(each.metric), each.statistic, each.value) for each in record.measurements.all()
    )
    # A blank text is how the database keeps what is not reported.
    known = {name: value for name, value in stated.items() if value not in ("", None)}
    return Record(name=f"B-{record.number}/{record.revision}", figures=figures, **known)


def _length(tokens, distribution):
    if tokens is None:
        return distribution or None
    return f"{tokens.normalize():f} tokens{f', {distribution}' if distribution else ''}"


def _precision(record):
    """That of the weights, with that of the KV cache where it is known: both decide what a figure is worth."""
    cache = record.further.get("kv_cache_precision")
    return f"{record.precision}, KV cache {cache}" if record.precision and cache else record.precision


def _parallelism(record):
    """How the work was split, where the file states it apart from flags."""
    return " ".join(
        f"--{name.replace('_', '-')} {record.further[name]}"
        for name in (
            "tensor_parallel",
            "pipeline_parallel",
            "expert_parallel",
            "data_parallel",
            "data_parallel_attention",
            "disaggregated",
            "speculative",
        )
        if name in record.further
    )
