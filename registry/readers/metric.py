"""What a metric and a statistic are.

A metric is one formula at one clock, over one population. Tools give one word to different formulas ("ITL") and
different words to one formula; here each formula has one key, whatever the tool calls it.
"""

from dataclasses import dataclass

CLOCKS = {
    "client": "the load client, over the network: queueing and transport are inside",
    "server": "the server's own counters",
    "engine": "the process that runs the engine: no server, no network",
    "load generator": "MLPerf LoadGen beside the system under test",
}
POOLINGS = {
    "request": "one value for each successful request",
    "chunk": "every streamed chunk of all requests in one pool",
    "token": "every token of all requests in one pool",
    "batch": "one value for each batch or iteration",
    "run": "one value for the whole run",
}
PHASES = ("prefill", "decode", "request", "run")

# The units figures are kept in; readers convert what the file writes and keep that beside it.
UNITS = {
    "ms": "milliseconds",
    "s": "seconds",
    "tokens/s": "tokens per second",
    "requests/s": "requests per second",
    "samples/s": "samples per second",
    "queries/s": "queries per second",
    "tokens": "tokens",
    "tokens/J": "tokens per joule",
    "J": "joules",
    "J/token": "joules per token",
    "W": "watts",
    "MB": "megabytes (10⁶ bytes)",
    "ratio": "a ratio without unit",
    "steps/s": "steps per second",
    "USD/Mtok": "US dollars per million tokens",
}

# Median and p50 are one statistic and are called median. "total" is a sum over the population; "value" is the one
# figure of a run that is no statistic over anything.
PERCENTILES = frozenset(
    [f"p{n}" for n in range(1, 100) if n != 50] + ["p0.1", "p99.5", "p99.9", "p99.95", "p99.99", "p99.999"]
)
STATISTICS = frozenset({"mean", "median", "min", "max", "std", "total", "value"}) | PERCENTILES


def percentile(number: str) -> str | None:
    """The statistic's word for a percentile written “99”, “99.0”, “0.5” …: None if it is not in the list."""
    number = number.strip().lstrip("pP")
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    name = "median" if number == "50" else f"p{number}"
    return name if name in STATISTICS else None


@dataclass(frozen=True)
class Metric:
    """One definition. `tools` names who reports it; two tools share a key only where formula and clock agree."""

    key: str
    name: str
    formula: str
    unit: str
    clock: str
    per: str
    phase: str
    tools: tuple[str, ...]
    per_accelerator: bool = False

    def __post_init__(self) -> None:
        assert self.unit in UNITS, self.key
        assert self.clock in CLOCKS, self.key
        assert self.per in POOLINGS, self.key
        assert self.phase in PHASES, self.key
