"""vLLM `bench serve` (formerly benchmark_serving.py)."""

from registry.readers.decode import Documents
from registry.readers.run import Report

TOOL = "vLLM bench serve"
FORMATS = "the JSON with mean_ttft_ms and request_throughput"


def recognises(documents: Documents) -> bool:
    return False


def read_runs(documents: Documents) -> Report:
    raise NotImplementedError
