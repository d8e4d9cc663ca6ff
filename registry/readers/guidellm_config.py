"""What a GuideLLM report says about its conditions, in its three layouts.

0.2 and 0.3 write args, worker and request_loader into each benchmark; later versions a config into each benchmark and
the arguments at the top. Addresses, keys and headers of the backend are never read.
"""

import re
from decimal import Decimal

from registry.readers.clock import instant
from registry.readers.conditions import Conditions
from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.numbers import plain
from registry.readers.text import model_name

NOTHING = Fields({})
ROUTES = {"/v1/chat/completions", "/v1/completions", "/v1/responses", "chat_completions", "text_completions"}
SYNTHETIC = re.compile(
    r"\b(?P<key>prompt_tokens|output_tokens)[\"']?\s*[=:]\s*(?P<value>\d{1,7})\b", re.ASCII
)


def stated(report: Fields, benchmark: Fields, findings: Findings) -> Conditions:
    args = benchmark.inner("args") or report.inner("args") or NOTHING
    config = benchmark.inner("config") or NOTHING
    spec = (report.inner("config") or NOTHING).inner("spec") or NOTHING
    worker, loader = benchmark.inner("worker") or NOTHING, benchmark.inner("request_loader") or NOTHING
    backend = first_object(config, spec, key="backend")
    profile = first_object(args, config, spec, key="profile")
    strategy = first_object(args, config, benchmark.inner("scheduler") or NOTHING, key="strategy")
    named = worker.text("backend_model") or backend.text("model") or plain_text(args, "model")
    name, revision, shortened = model_name(named or "")
    if shortened:
        findings.warn("model-from-path", "The model is named by a folder, whose last part alone is kept.")
    route = backend.text("request_format") or plain_text(args, "request_type")
    prompt, answer, dataset = data(loader, spec, args, findings)
    tokenizer = (
        loader.text("processor")
        or first_object(spec, key="tokenizer").text("model")
        or plain_text(args, "processor")
    )
    seed = (profile if "random_seed" in profile else args).count("random_seed")
    if seed is None:
        seed = first_object(spec, key="seed").count("value")
    limit = strategy.some("max_concurrency")
    if (
        limit
        and strategy.text("type_") != "concurrent"
        and not isinstance(profile.raw("max_concurrency"), Decimal)
    ):
        findings.note(
            "tool-limit",
            f"GuideLLM itself keeps at most {limit} requests in flight, whatever the load asks for.",
            "strategy.max_concurrency",
        )
    mode, in_flight, rate, arrival = load(strategy, profile)
    warm_up = warmed(args, config)
    if warm_up not in (None, "none"):
        findings.warn(
            "warm-up-overlap",
            "Requests that overlapped the warm-up may be counted: versions before the fix of guidellm#1078 did so.",
            "warmup",
        )
    return Conditions(
        model=name,
        model_revision=revision,
        tokenizer=model_name(tokenizer)[0] if tokenizer else None,
        endpoint=route
        if route in ROUTES
        else worker.text("backend_type") or backend.text("kind") or backend.text("type_"),
        streaming=backend.flag("stream"),
        dataset=dataset,
        input_tokens_requested=prompt,
        output_tokens_requested=answer,
        seed=seed,
        load_mode=mode,
        concurrency=in_flight,
        request_rate=rate,
        arrival=arrival,
        warm_up=warm_up,
        warm_up_excluded=True if warm_up not in (None, "none") else None,
        started_at=instant(benchmark.positive("start_time")),
        duration=benchmark.positive("duration"),
    )


def first_object(*places: Fields, key: str) -> Fields:
    """The first of these places that holds an object under the key; layouts differ in where things stand."""
    for place in places:
        if isinstance(found := place.raw(key), dict):
            return Fields(found, place.path(key))
    return NOTHING


def plain_text(place: Fields, key: str) -> str | None:
    return place.text(key) if isinstance(place.raw(key), str) else None


def load(strategy: Fields, profile: Fields) -> tuple[str | None, int | None, Decimal | None, str | None]:
    """Mode, requests in flight, rate and arrival. A strategy's own max_concurrency is a limit of the tool, not asked for."""
    kind = strategy.text("type_") or strategy.text("kind") or ""
    cap = profile.raw("max_concurrency")
    asked_cap = profile.some("max_concurrency") if isinstance(cap, Decimal) else None
    if kind == "synchronous":
        return "single stream", 1, None, "sequential"
    if kind == "concurrent":
        return "closed", strategy.some("streams") or strategy.some("max_concurrency"), None, None
    if kind == "throughput":
        return ("closed", asked_cap, None, None) if asked_cap else ("all at once", None, None, "all at once")
    if kind in ("constant", "poisson"):
        return "open", asked_cap, strategy.positive("rate"), kind
    return None, None, None, None


def warmed(args: Fields, config: Fields) -> str | None:
    """How the warm-up was asked for: a number, a share or a duration; “none” where the fields are empty."""
    if "warmup_number" in args or "warmup_duration" in args:
        number, seconds = args.some("warmup_number"), args.positive("warmup_duration")
        return f"{number} requests" if number else f"{plain(seconds)} s" if seconds else "none"
    for place in (config, args):
        raw = place.raw("warmup")
        if isinstance(raw, dict):
            section = Fields(raw, "warmup")
            share, value = section.positive("percent"), section.positive("value")
            return f"{plain(share)} of the run" if share else f"{plain(value)} as set" if value else "none"
        if isinstance(raw, Decimal):
            return f"{plain(raw)} as set" if raw else "none"
        if "warmup" in place:
            return "none" if raw is None else None
    return None


def data(
    loader: Fields, spec: Fields, args: Fields, findings: Findings
) -> tuple[Decimal | None, Decimal | None, str | None]:
    """Asked prompt and output tokens, and the dataset: synthetic, or its name without folders."""
    source = loader.raw("data") or spec.raw("data") or args.raw("data")
    listed = source if isinstance(source, list) else [source]
    if len(listed) != 1:
        return None, None, None
    if isinstance(listed[0], dict):
        section = Fields(listed[0], "data")
        if section.items("prefix_buckets") or (section.some("turns") or 1) > 1:
            findings.warn(
                "shared-prefixes",
                "Prompts share prefixes or earlier turns, so a prefix cache shortens the prefill of most requests.",
                "data",
            )
        kind = section.text("kind") or ("synthetic" if "prompt_tokens" in section else None)
        return section.positive("prompt_tokens"), section.positive("output_tokens"), kind
    if not isinstance(listed[0], str):
        return None, None, None
    asked = {found["key"]: Decimal(found["value"]) for found in SYNTHETIC.finditer(listed[0][:2000])}
    if asked:
        return asked.get("prompt_tokens"), asked.get("output_tokens"), "synthetic"
    return None, None, model_name(listed[0][:200])[0]
