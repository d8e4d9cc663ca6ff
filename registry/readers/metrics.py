"""The whole vocabulary of metric definitions: key → Metric. Readers report figures by these keys only."""

from registry.readers import client_metrics, engine_metrics, loadgen_metrics

ALL = (*client_metrics.METRICS, *engine_metrics.METRICS, *loadgen_metrics.METRICS)
METRICS = {metric.key: metric for metric in ALL}
assert len(METRICS) == len(ALL), "two metrics share a key"
