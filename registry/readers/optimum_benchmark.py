"""Hugging Face optimum-benchmark: `benchmark.json` (config and report) or `benchmark_report.json` alone.

Definitions: optimum_benchmark/scenarios/inference and benchmark/report.py. Everything is measured in process. Prefill is
the forward pass that yields the first token, decode all later steps; decode throughput is batch × (new tokens - 1) over
mean decode latency. A report with `load` and `forward` alone is no text generation and holds no token rate.
"""

from decimal import Decimal

from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.errors import Unreadable, quoted
from registry.readers.fields import Fields
from registry.readers.findings import Findings, left_over, rows, runs_of
from registry.readers.metric import percentile
from registry.readers.run import Report, Run
from registry.readers.text import model_name

TOOL = "optimum-benchmark"
FORMATS = "benchmark.json with config and report, or the report with prefill, decode, forward or call"
NEEDS = tuple(name for name in (*NEEDED, "batch_size") if name != "latency_limits")

LATENCIES = {
    "load": "load_latency_optimum",
    "load_model": "load_latency_optimum",
    "prefill": "prefill_latency_optimum",
    "decode": "decode_latency_optimum",
    "per_token": "per_token_latency_optimum",
    "forward": "forward_latency_optimum",
    "call": "call_latency_optimum",
}
THROUGHPUTS = {
    # stage: metric and the unit the file must state for it
    "prefill": ("prefill_throughput_optimum", "samples/s"),
    "decode": ("decode_throughput_optimum", "tokens/s"),
    "forward": ("forward_throughput_optimum", "samples/s"),
}
ENERGIES = {"prefill": "prefill_energy_optimum", "decode": "decode_energy_optimum"}
WORDS = {"mean": "mean", "stdev": "std"}


def report_of(row: dict[str, object]) -> object:
    """The report inside a benchmark.json, or the object itself if it is a report."""
    return row["report"] if isinstance(row.get("report"), dict) and "config" in row else row


def is_run(row: dict[str, object]) -> bool:
    report = report_of(row)
    if not isinstance(report, dict):
        return False
    stages = [report[key] for key in LATENCIES if key in report]
    return bool(stages) and all(
        isinstance(stage, dict) and isinstance(stage.get("latency", 0), dict | None) for stage in stages
    )


def recognises(documents: Documents) -> bool:
    return any(is_run(row) for row in rows(documents))


def read_runs(documents: Documents) -> Report:
    found = runs_of(documents, is_run)
    runs = tuple(read_run(row) for row in found)
    versions = {environment(row).text("optimum_benchmark_version") for row in found}
    kind = "benchmark.json" if "config" in found[0] else "report without configuration"
    return Report(
        TOOL, versions.pop() if len(versions) == 1 else None, kind, runs, left_over(documents, len(found))
    )


def config(row: Fields) -> Fields:
    return row.inner("config") or Fields({}, "config")


def environment(row: Fields) -> Fields:
    return config(row).inner("environment") or Fields({}, "environment")


def read_run(row: Fields) -> Run:
    findings = Findings()
    report = Fields(report_of(row.document), "report")
    conditions = stated(row, findings)
    for stage in LATENCIES:
        if inner := report.inner(stage):
            measured(stage, inner, findings)
    check_tokens(row, report, findings)
    if not {"decode", "per_token"} & set(report):
        findings.warn(
            "no-text-generation",
            "The report has no decoding: its rates are samples per second, never tokens.",
            "report",
        )
    unknown = [key for key in report if key not in LATENCIES]
    findings.unread([key[:60] for key in unknown if key.isidentifier()])
    return Run(
        label=f"{conditions.model or 'model not stated'}, batch {conditions.batch_size or 'not stated'}",
        conditions=conditions,
        figures=tuple(findings.figures),
        missing=conditions.missing(NEEDS),
        quirks=tuple(findings.quirks),
        refused="" if findings.figures else "The report holds no figure above 0: nothing was measured.",
    )


def measured(stage: str, inner: Fields, findings: Findings) -> None:
    if latency := inner.inner("latency"):
        unit = unit_of(latency, ("s", "ms"))
        found: dict[str, tuple[str, Decimal | None]] = {}
        for word in latency:
            if statistic := WORDS.get(word) or (percentile(word) if word.startswith("p") else None):
                found[statistic] = (f"{stage}.latency.{word}", latency.number(word))
        findings.spread(
            LATENCIES[stage], unit, found, n=latency.count("count") or len(latency.items("values")) or None
        )
    rate = inner.inner("throughput")
    if rate and stage in THROUGHPUTS:
        metric, unit = THROUGHPUTS[stage]
        findings.rate(metric, f"{stage}.throughput.value", rate.number("value"), unit_of(rate, (unit,)))
    energy = inner.inner("energy")
    if energy and stage in ENERGIES:
        unit = unit_of(energy, ("kWh", "J"))
        findings.rate(ENERGIES[stage], f"{stage}.energy.total", energy.number("total"), unit)
    efficiency = inner.inner("efficiency")
    if efficiency and stage == "decode":
        unit = unit_of(efficiency, ("tokens/kWh", "tokens/J"))
        findings.rate(
            "decode_efficiency_optimum", "decode.efficiency.value", efficiency.number("value"), unit
        )
    memory = inner.inner("memory")
    if memory and stage == "decode":
        unit = unit_of(memory, ("MB",))
        findings.rate(
            "peak_memory_optimum", "decode.memory.max_allocated", memory.positive("max_allocated"), unit
        )


def unit_of(inner: Fields, known: tuple[str, ...]) -> str:
    unit = inner.text("unit")
    if unit not in known:
        raise Unreadable(
            f"{inner.where} is in {quoted(unit)}; known are {' and '.join(known)}. Correct the file's unit."
        )
    return unit


def check_tokens(row: Fields, report: Fields, findings: Findings) -> None:
    """Decode and per-token figures must speak of the same steps; tracked tokens of warm-up runs break that."""
    decode, token = report.inner("decode"), report.inner("per_token")
    steps, runs = (each and each.inner("latency") for each in (token, decode))
    new_tokens = asked_tokens(row)
    if not steps or not runs or not new_tokens:
        return
    counted, expected = steps.count("count"), (runs.count("count") or 0) * (new_tokens - 1)
    if counted and expected and counted != expected:
        findings.warn(
            "per-token-population",
            f"per_token holds {counted} values where the decoding runs have {expected} steps: it counts others too, "
            "so it is not the time per token of these runs.",
            "per_token",
        )


def scenario(row: Fields) -> Fields:
    return config(row).inner("scenario") or config(row).inner("benchmark") or Fields({}, "scenario")


def asked_tokens(row: Fields) -> int | None:
    generate = scenario(row).inner("generate_kwargs") or Fields({})
    return generate.some("max_new_tokens") or scenario(row).some("new_tokens")


def stated(row: Fields, findings: Findings) -> Conditions:
    backend = config(row).inner("backend") or Fields({}, "backend")
    shapes = scenario(row).inner("input_shapes") or Fields({})
    generate = scenario(row).inner("generate_kwargs") or Fields({})
    name, revision, shortened = model_name(backend.text("model") or "")
    if shortened:
        findings.warn(
            "model-from-path", "The model is named by a folder, whose last part alone is kept.", "model"
        )
    hardware, accelerators = devices(row, backend, findings)
    new_tokens, prompt = asked_tokens(row), shapes.some("sequence_length")
    library = environment(row).text("transformers_version")
    warm_up = scenario(row).count("warmup_runs")
    sampled = generate.flag("do_sample")
    return Conditions(
        hardware=hardware,
        accelerators=accelerators,
        host=environment(row).text("cpu"),
        operating_system=environment(row).text("system"),
        model=name,
        model_revision=(backend.inner("model_kwargs") or Fields({})).text("revision") or revision,
        precision=backend.text("torch_dtype") or backend.text("dtype"),
        quantization=backend.text("quantization_scheme"),
        runtime=backend.text("name"),
        runtime_version=backend.text("version"),
        backend=f"Transformers {library}" if library else None,
        task=backend.text("task"),
        batch_size=shapes.some("batch_size"),
        input_tokens=Decimal(prompt) if prompt else None,
        output_tokens=Decimal(new_tokens) if new_tokens else None,
        dataset="generated inputs" if prompt else None,
        repetitions=scenario(row).some("iterations"),
        seed=backend.count("seed"),
        sampling=None if sampled is None else ("sampling" if sampled else "greedy"),
        warm_up=None if warm_up is None else f"{warm_up} runs",
        warm_up_excluded=None if warm_up is None else True,
        load_mode="single stream",
    )


def devices(row: Fields, backend: Fields, findings: Findings) -> tuple[str | None, int | None]:
    """The accelerators in use: `environment` lists those of the machine, `device_ids` picks some of them."""
    listed = [
        name for item in environment(row).items("gpu") if isinstance(item, str) and (name := item.strip())
    ]
    chosen = backend.text("device_ids")
    if backend.text("device") == "cpu" or not listed:
        return None, None
    picked = [int(word) for word in (chosen or "").split(",") if word.strip().isdecimal() and len(word) < 5]
    if not picked:
        return (listed[0], None) if len(set(listed)) == 1 else (None, None)
    names = {listed[index] for index in picked if index < len(listed)}
    if len(listed) > len(picked):
        findings.note(
            "machine-lists-more",
            f"The machine lists {len(listed)} devices; the run used {len(picked)} of them (device_ids {chosen}).",
            "environment.gpu",
        )
    return (Fields({"gpu": names.pop()}).text("gpu") if len(names) == 1 else None), len(picked)
