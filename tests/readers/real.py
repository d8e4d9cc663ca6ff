"""Real result files, which stay outside the project: beside it, or in the folder BENCHMARK_FILES names."""

import os
from pathlib import Path

import pytest

FOLDER = Path(
    os.environ.get("BENCHMARK_FILES") or Path(__file__).resolve().parents[3] / "shared/data/benchmarks"
)


def real(name: str) -> bytes:
    """The bytes of one of them; a test that needs it is skipped where it is missing."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"No real result file {name}: set BENCHMARK_FILES to the folder that holds them.")
    return path.read_bytes()
