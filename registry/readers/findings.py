"""Collecting the figures and quirks of one run, with the rules that hold for every tool."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from registry.readers.decode import Documents
from registry.readers.errors import Unreadable, quoted
from registry.readers.fields import Fields
from registry.readers.metric import STATISTICS
from registry.readers.numbers import plain
from registry.readers.run import Figure, Quirk, figure

MAX_RUNS = 5_000

_PLAIN_NAME = re.compile("(?=.{1,40}$)[a-z]+(_[a-z]+)*")
RANK = {name: Decimal(name[1:]) for name in STATISTICS if name[0] == "p"} | {
    "min": Decimal(0),
    "median": Decimal(50),
    "max": Decimal(100),
}


def rows(documents: Documents) -> list[dict[str, object]]:
    """Every JSON object at the top of the file or in a list at its top: one file may hold several runs."""
    listed: Iterable[object] = (
        row
        for document in documents.objects
        for row in (document if isinstance(document, list) else [document])
    )
    return [row for row in listed if isinstance(row, dict)]


def runs_of(documents: Documents, is_run: Callable[[dict[str, object]], bool]) -> list[Fields]:
    """The rows that are runs of a tool, each with its place in the file."""
    found = [row for row in rows(documents) if is_run(row)]
    return placed(found, "run")


def left_over(documents: Documents, read: int) -> tuple[Quirk, ...]:
    """What else the file holds: objects of another kind, and long arrays that were cut out unread."""
    found = []
    if (others := len(rows(documents)) - read) > 0:
        found.append(
            Quirk(
                "other-objects", f"{others} other JSON object(s) in the file are no runs and were not read."
            )
        )
    if documents.left_out:
        found.append(
            Quirk(
                "details-left-out", f"{documents.left_out} long list(s) of per-request details were not read."
            )
        )
    return tuple(found)


def placed(found: list[dict[str, object]], word: str) -> list[Fields]:
    """Rows as fields that know which one they are, where there are several."""
    limited(len(found))
    return [Fields(row, f"{word} {n}" if len(found) > 1 else "") for n, row in enumerate(found, 1)]


def limited(count: int) -> None:
    """Refuse files with more runs than a person can review."""
    if count > MAX_RUNS:
        raise Unreadable(f"The file holds {count:,} runs; at most {MAX_RUNS:,} are read. Split the file.")


@dataclass
class Findings:
    """What is found in one run. Zero, where nothing can be zero, is missing and says so."""

    figures: list[Figure] = field(default_factory=list)
    quirks: list[Quirk] = field(default_factory=list)

    def note(self, code: str, sentence: str, where: str = "") -> None:
        self.quirks.append(Quirk(code, sentence, "note", where))

    def warn(self, code: str, sentence: str, where: str = "") -> None:
        self.quirks.append(Quirk(code, sentence, "warning", where))

    def add(self, found: Figure) -> None:
        for other in self.figures:
            if (other.metric, other.statistic) == (found.metric, found.statistic):
                raise Unreadable(
                    f"The fields {quoted(other.field)} and {quoted(found.field)} give one figure twice. Remove one."
                )
        self.figures.append(found)

    def rate(
        self, metric: str, name: str, value: Decimal | None, unit: str = "", divisor: int | None = None
    ) -> None:
        """A figure of the whole run; 0 means that nothing was measured."""
        if value is None:
            return
        refuse_negative(name, value)
        if value == 0:
            self.warn("zero-is-missing", f"{name} is 0, which no measurement gives: read as missing.", name)
            return
        self.add(figure(metric, "value", value, unit, field=name, divisor=divisor))

    def spread(
        self,
        metric: str,
        unit: str,
        found: Mapping[str, tuple[str, Decimal | None]],
        n: int | None = None,
        divisor: int | None = None,
    ) -> None:
        """Statistics of one metric, given as statistic → (the file's field, value)."""
        known = {key: (name, value) for key, (name, value) in found.items() if value is not None}
        zeros = []
        for statistic, (name, value) in known.items():
            refuse_negative(name, value)
            if statistic == "std":
                continue
            if value == 0:
                zeros.append(name)
            else:
                self.add(figure(metric, statistic, value, unit, n=n, field=name, divisor=divisor))
        if zeros:
            self.warn(
                "zero-is-missing",
                f"{', '.join(zeros)} {'is' if len(zeros) == 1 else 'are'} 0, which no measurement gives: "
                "read as missing.",
                zeros[0],
            )
        self.deviation(metric, unit, known, zeros, n, divisor)
        self.in_order(metric)

    def deviation(
        self,
        metric: str,
        unit: str,
        known: Mapping[str, tuple[str, Decimal]],
        zeros: list[str],
        n: int | None,
        divisor: int | None,
    ) -> None:
        """The standard deviation, unless it is one of nothing or of a single value."""
        if "std" not in known or len(zeros) >= len(known) - 1 > 0:
            return
        name, value = known["std"]
        if n == 1:
            self.note("deviation-of-one", f"{name} is taken over one value, so it is missing, not 0.", name)
            return
        self.add(figure(metric, "std", value, unit, n=n, field=name, divisor=divisor))

    def in_order(self, metric: str) -> None:
        """Warn where a higher percentile is below a lower one: then two numbers were mixed up."""
        ranked = sorted(
            (RANK[each.statistic], each.value, each.field)
            for each in self.figures
            if each.metric == metric and each.statistic in RANK
        )
        for (_, low, low_name), (_, high, high_name) in zip(ranked, ranked[1:], strict=False):
            if high < low:
                self.warn(
                    "percentiles-out-of-order",
                    f"{high_name} ({plain(high)}) is below {low_name} ({plain(low)}): one of them is wrong.",
                    high_name,
                )

    def value(self, metric: str, statistic: str = "value") -> Decimal | None:
        """A figure found before, in its metric's unit."""
        wanted = (f.value for f in self.figures if (f.metric, f.statistic) == (metric, statistic))
        return next(wanted, None)

    def unread(self, names: list[str]) -> None:
        """Say which fields of the file nobody here knows; a person may know them. Only names made of plain words are
        shown: whoever writes a path, a host or a key into a name would find it published.
        """
        if names:
            shown = ", ".join([name for name in names if _PLAIN_NAME.fullmatch(name)][:12])
            among = f", {shown} among them" if shown else ""
            self.note(
                "unread-fields",
                f"Fields that this reader does not know, so that it did not read them: {len(names)}{among}.",
            )


def refuse_negative(name: str, value: Decimal) -> None:
    if value < 0:
        raise Unreadable(
            f"The field {quoted(name)} is {plain(value)}, which cannot be negative. Correct the file."
        )
