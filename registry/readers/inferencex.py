"""InferenceX (formerly InferenceMAX): aggregated points as JSON, rows of its API, its CSV export, an experimental client.

Raw files are those of vLLM's client and are read there. Definitions: InferenceX `utils/process_result.py`. Throughput is
per GPU: all of it divided by all GPUs, or, in multi-node runs, output by the decode GPUs and input by the prefill GPUs;
the file's own numbers show which. Latencies are seconds, whatever a header says; *_intvty is 1 / TPOT of the same
statistic. Data are Apache-2.0 and ask for attribution to InferenceX.
"""

from decimal import Decimal

from registry.readers import inferencex_client, inferencex_table
from registry.readers.conditions import NEEDED, Conditions
from registry.readers.decode import Documents
from registry.readers.fields import Fields
from registry.readers.findings import Findings, rows
from registry.readers.inferencex_gpus import Gpus, gpus, shown, throughput
from registry.readers.load import check_chunks
from registry.readers.metric import percentile
from registry.readers.run import Report, Run
from registry.readers.text import kept, model_name

TOOL = "InferenceX"
FORMATS = "aggregated JSON with tput_per_gpu and median_ttft; the CSV with Throughput/GPU columns"

STATISTICS = ("mean", "median", "std", "min", "max")
LATENCIES = {"ttft": "ttft_client", "tpot": "tpot_client", "itl": "itl_chunk_client", "e2el": "e2e_client"}
ATTRIBUTION = (
    "The data are InferenceX's, under Apache-2.0, which asks for attribution wherever they are shown."
)


def is_point(row: dict[str, object]) -> bool:
    measured = row.get("metrics", row)
    named = "hw" in row or "hardware" in row
    return (
        named
        and isinstance(measured, dict)
        and bool({"tput_per_gpu", "output_tput_per_gpu"} & measured.keys())
    )


def is_agentic(row: dict[str, object]) -> bool:
    """Rows of multi-turn agent traces have nested metrics of their own definitions."""
    kind = str(row.get("scenario_type") or row.get("benchmark_type") or "")
    return ("hw" in row or "hardware" in row) and ("request_metrics" in row or kind.startswith("agentic"))


def recognises(documents: Documents) -> bool:
    found = rows(documents)
    return (
        any(is_point(row) or is_agentic(row) or inferencex_client.is_run(row) for row in found)
        or inferencex_table.is_table(documents.text)
    )  # fmt: skip


def read_runs(documents: Documents) -> Report:
    found = rows(documents)
    if clients := [Fields(row) for row in found if inferencex_client.is_run(row)]:
        runs = tuple(inferencex_client.read_run(row) for row in clients)
        return Report(TOOL, None, "experimental client, latencies without a unit", runs)
    points = [Fields(row, f"point {n}") for n, row in enumerate(found, 1) if is_point(row) or is_agentic(row)]
    form = "aggregated results"
    if not points:
        points = [Fields(row, f"row {n}") for n, row in enumerate(inferencex_table.points(documents.text), 1)]
        form = "CSV export"
    if any("metrics" in point for point in points):
        form = "rows of the API"
    return Report(
        TOOL, None, f"{form}; the file states no version", tuple(read_point(point) for point in points)
    )


def read_point(row: Fields) -> Run:
    findings = Findings()
    measured = row.inner("metrics") or row
    system = shown(gpus(row), measured, findings)
    hardware = row.text("hw") or row.text("hardware")
    findings.note("attribution", ATTRIBUTION)
    refused = ""
    if is_agentic(row.document):
        refused = "Results of agent traces have definitions of their own, which this reader does not know."
    else:
        unit = unit_of(row, measured, findings)
        if unit:
            latencies(measured, unit, findings)
        throughput(measured, system, findings)
        check_chunks(findings)
        refused = "" if findings.figures else "The point holds no measured figure."
    findings.note(
        "failures-not-reported",
        "The tool publishes no count of failed requests, and latencies cover successful ones.",
    )
    conditions = stated(row, system, hardware, findings)
    return Run(
        label=", ".join(
            part
            for part in (
                conditions.model or "model not stated",
                f"{conditions.accelerators} × {hardware}" if conditions.accelerators else hardware,
                conditions.runtime,
                f"{conditions.concurrency} in flight" if conditions.concurrency else None,
            )
            if part
        ),
        conditions=conditions,
        figures=() if refused else tuple(findings.figures),
        missing=conditions.missing((*NEEDED, "input_tokens_requested", "output_tokens_requested")),
        quirks=tuple(findings.quirks),
        refused=refused,
    )


def unit_of(row: Fields, measured: Fields, findings: Findings) -> str | None:
    """Whether latencies are seconds or milliseconds, by what cannot lie: interactivity is 1 / TPOT in tokens per second.

    Without interactivity, JSON has seconds by definition; a CSV has what fits its throughput.
    """
    labelled = row.text(inferencex_table.LABELLED)
    shown = None
    for statistic in ("median", "mean", "p99"):
        tpot, interactivity = measured.positive(f"{statistic}_tpot"), measured.positive(f"{statistic}_intvty")
        if tpot and interactivity:
            product = tpot * interactivity
            shown = (
                "s" if abs(product - 1) < Decimal("0.05") else "ms" if abs(product - 1000) < 50 else "unclear"
            )
            break
    if shown == "unclear" or (shown is None and labelled == "ms"):
        findings.warn(
            "unit-not-shown",
            "Headers of this export said ms while values were seconds until 2026-07-31, and these numbers do not show which "
            "they are: latencies are left out."
            if labelled
            else "TPOT and interactivity are not each other's inverse in any unit: latencies are left out.",
        )
        return None
    unit = shown or labelled or "s"
    if labelled and labelled != unit:
        findings.warn(
            "seconds-labelled-ms" if unit == "s" else "milliseconds-labelled-s",
            f"The headers say ({labelled}), but interactivity × TPOT shows that latencies are in {unit}: read as {unit}.",
        )
    elif not labelled and unit == "ms":
        findings.warn(
            "milliseconds", "Interactivity × TPOT shows that latencies are in ms, not in seconds as usual."
        )
    return unit


def latencies(measured: Fields, unit: str, findings: Findings) -> None:
    groups: dict[str, dict[str, tuple[str, Decimal | None]]] = {}
    inverse: dict[str, tuple[str, Decimal | None]] = {}
    for key in measured:
        word, _, name = key.partition("_")
        statistic = word if word in STATISTICS else percentile(word) if word.startswith("p") else None
        if statistic is None:
            continue
        if name in LATENCIES:
            groups.setdefault(LATENCIES[name], {}).setdefault(statistic, (key, measured.number(key)))
        elif name == "intvty" and statistic != "std":
            inverse.setdefault(statistic, (key, measured.number(key)))
    for metric, group in groups.items():
        findings.spread(metric, unit, group)
    for statistic, (key, value) in inverse.items():
        # One by one: as the inverse of TPOT, its percentiles fall where those of a latency rise.
        single = Findings()
        single.spread("interactivity_client", "tokens/s", {statistic: (key, value)})
        findings.figures += single.figures
    if "std_intvty" in measured:
        findings.note(
            "std-intvty-left-out",
            "std_intvty is 1 over a deviation and means nothing: left out.",
            "std_intvty",
        )


def stated(row: Fields, system: Gpus, hardware: str | None, findings: Findings) -> Conditions:
    name, revision, shortened = model_name(row.text("model") or "")
    if shortened:
        findings.warn(
            "model-from-path", "The model is named by a folder, whose last part alone is kept.", "model"
        )
    if hardware and "-" in hardware:
        findings.note(
            "runner-name",
            f"“{hardware}” names the runner: the part behind the hyphen is no part of the GPU.",
            "hw",
        )
    if not row.some("isl"):
        findings.note(
            "lengths-in-file-name", "The asked lengths stand in the file's name only; they must be supplied."
        )
    _, _, version = (row.text("image") or "").rpartition("/")
    tag = version.partition("@")[0].rpartition(":")[2] if ":" in version.partition("@")[0] else None
    return Conditions(
        hardware=hardware,
        accelerators=system.total,
        nodes=1 if row.flag("is_multinode") is False else None,
        accelerators_prefill=system.prefill,
        accelerators_decode=system.decode,
        model=name,
        model_revision=revision,
        precision=row.text("precision"),
        runtime=row.text("framework"),
        runtime_version=kept(tag) if tag else None,
        tensor_parallel=row.some("tp") if not system.split else None,
        pipeline_parallel=row.some("pp"),
        expert_parallel=row.some("ep") if not system.split else None,
        data_parallel_attention=row.flag("dp_attention"),
        disaggregated=row.flag("disagg"),
        speculative=row.text("spec_decoding")
        or row.text("spec_method")
        or {"on": "mtp"}.get(row.text("mtp") or ""),
        input_tokens_requested=row.positive("isl"),
        output_tokens_requested=row.positive("osl"),
        load_mode="closed" if row.some("conc") else None,
        concurrency=row.some("conc"),
        started_at=row.text("date"),
    )
