"""Metrics MLPerf LoadGen measures beside the system under test (loadgen/logging.cc, results.cc)."""

from registry.readers.metric import Metric

METRICS: tuple[Metric, ...] = ()
