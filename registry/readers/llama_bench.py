"""llama.cpp `llama-bench`: JSON array, JSON lines, CSV or markdown; each test is a run of its own.

Definitions: tools/llama-bench/llama-bench.cpp. "pp" is prompt tokens over time, "tg" generated tokens over time, "pp+tg"
both over the whole time, a total and no output speed. One stream, no server, no first-token latency. `n_depth` tokens
are in the context before the test; files without it are older than the option, which is depth 0.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.findings import Findings
from registry.readers.llama_rows import Row, written_rows
from registry.readers.llama_table import table_rows
from registry.readers.run import Report, Run

TOOL = "llama-bench"
FORMATS = "JSON, JSON lines or CSV with build_commit and avg_ts, or the markdown table with model, size, params and t/s"
NEEDS = tuple(name for name in NEEDED if name not in ("latency_limits", "sampling", "dataset"))

# model_type ends in how the weights are stored: "llama 1B Q4_K - Medium", "qwen2 7B F16".
STORED = re.compile(r"\b((?:all )?(?:I?Q\d|TQ\d|BF16|F16|F32|MXFP4|NVFP4).*)$")
SMALLEST_BUILD = 100  # git counts commits; a shallow clone counts 1


def recognises(documents: Documents) -> bool:
    return bool(written_rows(documents) or table_rows(documents.text))


def read_runs(documents: Documents) -> Report:
    written = written_rows(documents)
    found = written or table_rows(documents.text)
    kind = "JSON or CSV" if written else "markdown"
    runs = tuple(read_run(row) for row in found)
    versions = {run.conditions.runtime_version for run in runs}
    return Report(TOOL, versions.pop() if len(versions) == 1 else None, kind, runs)


@dataclass(frozen=True)
class Test:
    """Which of the three speeds a test measures."""

    metric: str
    name: str


def test_of(row: Row) -> Test:
    prompt, generated = row.prompt or 0, row.generated or 0
    depth = f" @ depth {row.depth}" if row.depth else ""
    if prompt and generated:
        return Test("prompt_and_generation_llama", f"pp{prompt}+tg{generated}{depth}")
    if generated:
        return Test("token_generation_llama", f"tg{generated}{depth}")
    return Test("prompt_processing_llama", f"pp{prompt}{depth}")


def read_run(row: Row) -> Run:
    findings = Findings()
    test = test_of(row)
    speeds: dict[str, tuple[str, Decimal | None]] = {
        "mean": (row.speed_field, row.speed),
        "std": (row.deviation_field, row.deviation),
    }
    findings.spread(test.metric, "tokens/s", speeds, n=row.repetitions)
    if test.metric == "prompt_and_generation_llama":
        findings.warn(
            "total-tokens", f"{test.name} counts prompt and generated tokens together: it is no output speed."
        )
    if row.generated and not row.prompt:
        findings.note("single-stream", "One sequence at a time: no server, no first-token or tail latency.")
    conditions = stated(row, findings)
    nothing = "" if row.prompt or row.generated else "The test has neither prompt nor generated tokens."
    return Run(
        label=f"{row.model or row.model_type or 'model not stated'}, {test.name}",
        conditions=conditions,
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDS),
        quirks=tuple(findings.quirks),
        refused=nothing
        or ("" if findings.figures else "The test holds no speed above 0: nothing was measured."),
    )


def stated(row: Row, findings: Findings) -> Conditions:
    stored = STORED.search(row.model_type or "")
    if not row.model:
        findings.warn(
            "model-is-a-type",
            "The table names architecture, size and quantisation, not the checkpoint: the model must be supplied.",
            "model",
        )
    if "RPC" in (row.backend or ""):
        findings.warn(
            "several-machines",
            "The RPC backend is listed: the model may have been spread over several machines.",
            "backends",
        )
    if row.hardware and not row.accelerators:
        findings.note(
            "devices-listed",
            "The devices are listed as text; how many of them were used is not stated.",
            "gpu_info",
        )
    return Conditions(
        hardware=row.hardware,
        accelerators=row.accelerators,
        host=row.host,
        model=row.model,
        architecture=row.model_type,
        precision=stored[1] if stored else None,
        quantization=stored[1] if stored else None,
        kv_cache_precision=row.cache_type,
        runtime="llama.cpp",
        runtime_version=version(row, findings),
        backend=row.backend,
        max_batch_tokens=row.batch,
        flags=row.flags,
        input_tokens=Decimal(row.prompt) if row.prompt is not None else None,
        output_tokens=Decimal(row.generated) if row.generated is not None else None,
        context_tokens=row.depth,
        batch_size=1,
        repetitions=row.repetitions,
        load_mode="single stream",
        concurrency=1,
        prefix_cache=False,
        started_at=row.started_at,
    )


def version(row: Row, findings: Findings) -> str | None:
    """Commit and build number; the number of a shallow clone says nothing."""
    if row.build is not None and row.build < SMALLEST_BUILD:
        findings.note(
            "build-number",
            f"Build number {row.build} comes from a shallow clone; the commit alone counts.",
            "build",
        )
        return row.commit
    if row.commit and row.build is not None:
        return f"b{row.build} ({row.commit})"
    return row.commit
