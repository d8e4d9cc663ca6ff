"""The lines of LoadGen's summary log: “key : value”, one run's log after another."""

import re
from decimal import Decimal

from registry.readers.errors import Unreadable, quoted
from registry.readers.numbers import decimal, in_range

HEADING = "MLPerf Results Summary"
LINE = re.compile(r"(?P<key>[A-Za-z0-9][^:]{0,80}?)\s*:\s*(?P<value>.*)")
ESTIMATE = re.compile(r"Early stopping (?P<rank>\d{1,2}(?:\.\d+)?th percentile) estimate")
HEADLINES = (
    "Samples per second",
    "Tokens per second",
    "Completed samples per second",
    "Completed tokens per second",
)


def facts_of(text: str) -> dict[str, str]:
    """The lines “key : value”. LoadGen repeats some; a key with two values is ambiguous."""
    found: dict[str, str] = {}
    estimated = ""  # TTFT or TPOT where the estimates that follow are of it, not of the whole query
    for line in text.splitlines():
        if match := LINE.fullmatch(line.strip(" \t*")):
            key, value = match["key"].strip(), match["value"].strip()
            if key.endswith("Early Stopping Result"):
                estimated = key.removesuffix("Early Stopping Result")
            elif ESTIMATE.fullmatch(key):
                key = estimated + key
            if found.setdefault(key, value) != value and key in (*HEADLINES, "Scenario", "Mode", "Result is"):
                raise Unreadable(
                    f"The log says {quoted(key)} twice with different values. Upload one run's log."
                )
    return found


def number(text: str, key: str) -> Decimal:
    try:
        return in_range(decimal(text))
    except Unreadable:
        raise Unreadable(
            f"The log gives {quoted(text)} for {quoted(key)}, which is no number. Correct it."
        ) from None
