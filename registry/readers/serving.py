"""What the load clients of vLLM and SGLang have in common: flat objects with keys such as mean_ttft_ms."""

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from registry.readers.conditions import Conditions
from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.load import check_throughput
from registry.readers.metric import percentile
from registry.readers.numbers import plain

PER_REQUEST = (
    "ttft_client",
    "e2e_client",
)  # one value for each successful request; TPOT needs a second token


def latency_pattern(words: Iterable[str]) -> re.Pattern[str]:
    """The keys of these metrics, in every statistic a client may be asked for."""
    return re.compile(
        rf"(?P<statistic>mean|median|std|min|max|p\d{{1,2}}(?:\.\d{{1,3}})?)_(?P<metric>{'|'.join(words)})_ms"
    )


def latencies(row: Fields, metrics: Mapping[str, str], findings: Findings, ok: int | None) -> None:
    """All latencies, in milliseconds, by the client's word for the metric."""
    pattern = latency_pattern(metrics)
    groups: dict[str, dict[str, tuple[str, Decimal | None]]] = {}
    for key in row:
        if not (match := pattern.fullmatch(key)):
            continue
        word, metric = match["statistic"], metrics[match["metric"]]
        statistic = percentile(word) if word[0] == "p" else word
        value = row.number(key)
        if statistic is None:
            findings.note("statistic-not-kept", f"{key} is a percentile outside the list of statistics.", key)
            continue
        group = groups.setdefault(metric, {})
        if statistic in group and group[statistic][1] != value:
            findings.warn(
                "median-twice", f"{key} differs from {group[statistic][0]}; the latter is kept.", key
            )
        group.setdefault(statistic, (key, value))
    for metric, group in groups.items():
        findings.spread(metric, "ms", group, n=ok if metric in PER_REQUEST else None)


def throughput(
    row: Fields,
    findings: Findings,
    rates: Iterable[tuple[str, str, int | None]],
    duration: Decimal | None,
) -> None:
    """Rates of the whole run, given as metric, key and what was counted; each must be amount over duration."""
    for metric, key, amount in rates:
        findings.rate(metric, key, row.number(key))
        check_throughput(findings, metric, amount, duration)


def label(conditions: Conditions) -> str:
    """A run's name in lists: the model and the load."""
    loads = {
        "closed": f"{conditions.concurrency} in flight",
        "all at once": "all at once",
        "open": f"{plain(conditions.request_rate or Decimal(0))} requests/s",
    }
    load = loads.get(conditions.load_mode or "", "load not stated")
    return f"{conditions.model or 'model not stated'}, {load}"
