"""What counts as equal in comparing two records, how it is named, and what eases a difference."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from registry.reasoning.benchmark_facts import Record, fold, shown

# Mean lengths of two runs of one workload differ by chance, not by more than this share.
NEARLY = Decimal("0.05")
# Shares of failed requests that differ by more than this change what the figures cover.
MANY_FAILURES = Fraction(1, 20)
PARTS, WHOLES = {"accelerator", "board"}, {"server", "rack"}
OFFLINE = "offline"
NO_GATE = {"none", "none stated"}


def same(a: Any, b: Any) -> bool:
    return bool(a == b)


def nearly(a: Decimal, b: Decimal) -> bool:
    return abs(a - b) <= NEARLY * max(abs(a), abs(b))


@dataclass(frozen=True)
class Length:
    """Tokens of a request: the distribution as stated, and the mean of what was processed."""

    stated: str | None
    actual: Decimal | None

    def __str__(self) -> str:
        asked = f"stated as {shown(self.stated)}" if fold(self.stated) else ""
        actual = f"{shown(self.actual)} processed on average" if self.actual is not None else ""
        return ", ".join(filter(None, [asked, actual]))

    @property
    def expected(self) -> Decimal | None:
        """The mean: as processed, else as stated where that is one number."""
        try:
            return self.actual if self.actual is not None else Decimal((self.stated or "").replace(",", ""))
        except InvalidOperation:
            return None


def prompt_length(record: Record) -> Length | None:
    return _length(record.prompt_tokens, record.prompt_tokens_actual)


def output_length(record: Record) -> Length | None:
    return _length(record.output_tokens, record.output_tokens_actual)


def _length(stated: str | None, actual: Decimal | None) -> Length | None:
    return Length(stated, actual) if fold(stated) or actual is not None else None


def lengths_alike(a: Length, b: Length) -> bool:
    """What was processed decides; where one side states only what was asked for, its number does, or its words."""
    if (a.actual is None or b.actual is None) and a.stated and fold(a.stated) == fold(b.stated):
        return True
    expected = a.expected, b.expected
    return expected[0] is not None and expected[1] is not None and nearly(expected[0], expected[1])


def length_basis(record: Record) -> str | None:
    """Whether lengths are what was processed or only what was asked for."""
    lengths = [each for each in (prompt_length(record), output_length(record)) if each]
    if not lengths:
        return None
    actual = [each.actual is not None for each in lengths]
    return "as processed" if all(actual) else "as asked for" if not any(actual) else "partly as processed"


def distributions(record: Record) -> tuple[str | None, str | None] | None:
    stated = fold(record.prompt_tokens), fold(record.output_tokens)
    return stated if any(stated) else None


def distributions_shown(record: Record) -> str:
    prompt, output = record.prompt_tokens, record.output_tokens
    return f"{shown(prompt or 'not reported')} (prompt), {shown(output or 'not reported')} (output)"


def part_or_whole(record: Record) -> str | None:
    form = fold(record.hardware_form)
    return "part" if form in PARTS else "whole" if form in WHOLES else form


def form_shown(record: Record) -> str:
    kind = {"part": "accelerators by count", "whole": "a whole system"}.get(part_or_whole(record) or "")
    form = shown(record.hardware_form or "")
    return f"{kind} ({form})" if kind else form


def gate(record: Record) -> str | None:
    """The quality that answers were held to; None where none is reported or there was none."""
    stated = fold(record.quality_gate)
    return None if stated in NO_GATE else stated


def both_gated(a: Record, b: Record) -> str:
    """The words that both were held to one quality; empty where that is not so."""
    if (
        a.is_mlperf
        and b.is_mlperf
        and {fold(a.division), fold(b.division)} == {"closed"}
        and agree(a, b, "benchmark")
    ):
        return f"Both are held to the quality target of {shown(a.benchmark)}."
    if gate(a) and gate(a) == gate(b) and agree(a, b, "task"):
        return f"Both met the same quality gate: {shown(a.quality_gate)}."
    return ""


def agree(a: Record, b: Record, field: str) -> bool:
    """Both report the text, and the same."""
    value = fold(getattr(a, field))
    return value is not None and value == fold(getattr(b, field))


def known_and_gated(a: Record, b: Record) -> str:
    """The same, for what must be known whatever the answers were worth."""
    return both_gated(a, b) if fold(a.checkpoint) and fold(b.checkpoint) else ""


def qualifies_as_open(a: Record, b: Record) -> str:
    """Open beside Closed is allowed where it is said why the Open result would not qualify as Closed."""
    if not fold(a.division) or not fold(b.division):
        return ""
    reasons = [each.not_closed_because for each in (a, b) if fold(each.division) == "open"]
    stated = [shown(each) for each in reasons if fold(each)]
    if not stated or len(stated) < len(reasons):
        return ""
    return f"The Open result would not qualify as Closed: {'; '.join(sorted(stated)).rstrip('.')}."


def failed_share(record: Record) -> Fraction | None:
    """Failed of attempted requests; 0 failed is 0 whatever was attempted."""
    failed, attempted = record.requests_failed, record.requests_attempted
    if failed is None:
        return None
    if attempted is None and record.requests_ok is not None:
        attempted = record.requests_ok + failed + (record.requests_incomplete or 0)
    if failed == 0:
        return Fraction(0)
    return Fraction(failed, attempted) if attempted else None


def shares_near(a: Fraction, b: Fraction) -> bool:
    return abs(a - b) <= MANY_FAILURES


def failures_shown(record: Record) -> str:
    """“3 of 1000 failed”, “0 failed”."""
    of = f" of {record.requests_attempted}" if record.requests_attempted is not None else ""
    return f"{record.requests_failed}{of} failed"


def failures(record: Record) -> tuple[int, Fraction | None] | None:
    return None if record.requests_failed is None else (record.requests_failed, failed_share(record))


def failures_alike(a: tuple[int, Fraction | None], b: tuple[int, Fraction | None]) -> bool:
    """The share counts; a number of failures among an unknown number of requests is like no other."""
    return a[1] is not None and a[1] == b[1]


def measured_by_mlperf_power(record: Record) -> bool | None:
    boundary = fold(record.power_boundary)
    return None if boundary is None else "mlperf power" in boundary.replace("®", "")


def both_hold(a: bool, b: bool) -> bool:
    return a and b


def load(record: Record) -> str | None:
    """The load mode in one word: everything sent or queued at the start is what offline means."""
    mode = fold(record.load_mode)
    return OFFLINE if mode == "all at once" else mode


def offline(record: Record) -> str | None:
    mode = load(record)
    return None if mode is None else OFFLINE if mode == OFFLINE else "under load"


def load_shown(record: Record) -> str:
    return "offline" if load(record) == OFFLINE else f"under {shown(record.load_mode)} load"
