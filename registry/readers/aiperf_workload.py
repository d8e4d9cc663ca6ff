"""What AIPerf was asked to send: dataset, lengths and latency limits, in both forms of `input_config`.

A dataset's path is never read; where prompts come from a file, a person must say which.
"""

from decimal import Decimal
from typing import NamedTuple

from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.numbers import plain
from registry.readers.text import kept

NOTHING = Fields({})


class Workload(NamedTuple):
    """Asked prompt and output length, how the prompt's varies, and the dataset; None where not stated."""

    prompt: Decimal | None
    answer: Decimal | None
    distribution: str | None
    dataset: str | None


def workload(config: Fields, findings: Findings) -> Workload:
    given = config.inner("input") or NOTHING
    older = given.inner("prompt") or NOTHING
    first = [item for item in sections(config.raw("datasets")) if isinstance(item, dict)][:1]
    newer = Fields(first[0], "input_config.datasets") if first else config.inner("dataset") or NOTHING
    prompts = newer.inner("prompts") or NOTHING
    asked, spread = drawn(older.inner("input_tokens") or prompts.inner("isl"))
    answer, _ = drawn(older.inner("output_tokens") or prompts.inner("osl"))
    words = None
    if asked is not None and spread is not None:
        words = "fixed input length" if spread == 0 else f"input normal, deviation {plain(spread)} tokens"
    kind, shape = newer.text("type"), newer.text("format") or given.text("custom_dataset_type")
    if shape == "multi_turn":
        findings.warn(
            "shared-prefixes",
            "Requests are turns of conversations, so a prefix cache shortens the prefill of most of them.",
            "input_config",
        )
    named = given.text("public_dataset") or (kind if kind != "file" else None)
    return Workload(asked, answer, words, named or ("synthetic" if asked else None))


def sections(raw: object) -> list[object]:
    return list(raw.values()) if isinstance(raw, dict) else raw if isinstance(raw, list) else []


def drawn(section: Fields | None) -> tuple[Decimal | None, Decimal | None]:
    """Mean and deviation of an asked length; a single value is fixed."""
    if section is None:
        return None, None
    if "value" in section:
        return section.positive("value"), Decimal(0)
    return section.positive("mean"), section.number("stddev")


def forced(given: Fields) -> bool:
    """Whether the server was told to write exactly the asked number of tokens."""
    extra = given.raw("extra")
    pairs = (
        [pair for pair in extra if isinstance(pair, list) and len(pair) == 2]
        if isinstance(extra, list)
        else []
    )
    return any(pair[0] == "ignore_eos" and pair[1] is True for pair in pairs)


def limits(section: Fields | None) -> str | None:
    """Latency limits goodput was counted by, in each metric's display unit (milliseconds for latencies)."""
    if section is None:
        return None
    found = [f"{name} {plain(value)}" for name in section if (value := section.number(name)) is not None]
    return kept("; ".join(found)) if found else None
