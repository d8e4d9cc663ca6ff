"""MLPerf's description of a system, `systems/*.json`: what a result ran on. It holds no result."""

import re
from typing import Any

from registry.readers.conditions import Conditions
from registry.readers.fields import Fields
from registry.readers.findings import Findings
from registry.readers.mlperf_rules import NEEDED, SUITE
from registry.readers.run import Run

SOFTWARE = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9 ._+-]*?)[ -]v?(?P<version>\d[^\s,;]*)")
COUNTED = re.compile(r"\(x(\d{1,6})\)", re.IGNORECASE)


def is_system(row: dict[str, object]) -> bool:
    return "accelerators_per_node" in row and "submitter" in row and "Result" not in row


def read_system(row: dict[str, object]) -> Run:
    found, findings = Fields(row), Findings()
    hardware = text(found, "accelerator_model_name")
    nodes, per_node = found.some("number_of_nodes"), found.count("accelerators_per_node")
    conditions = Conditions(
        suite=SUITE,
        submitter=text(found, "submitter"),
        division=text(found, "division"),
        category=text(found, "system_type"),
        availability=text(found, "status"),
        system=text(found, "system_name"),
        hardware=hardware,
        nodes=nodes,
        accelerators=total(hardware, nodes, per_node, findings),
        interconnect=text(found, "accelerator_interconnect"),
        operating_system=text(found, "operating_system"),
        host=host(text(found, "host_processor_model_name"), found.some("host_processors_per_node"), nodes),
        **software(text(found, "framework")),
    )
    return Run(
        label=f"system: {conditions.system or hardware or 'not named'}",
        conditions=conditions,
        missing=conditions.missing(NEEDED),
        quirks=tuple(findings.quirks),
        refused="This file describes a system and holds no measurement. Import the log or table of its results.",
    )


def text(row: Fields, key: str) -> str | None:
    found = row.text(key)
    return None if found in ("N/A", "n/a", "-", "") else found


def total(hardware: str | None, nodes: int | None, per_node: int | None, findings: Findings) -> int | None:
    """Accelerators over all nodes. Where the name itself counts them, as in “(x87)”, that count holds."""
    product = nodes * per_node if nodes is not None and per_node is not None else None
    counted = sum(int(n) for n in COUNTED.findall(hardware or "")) or None
    if counted and counted != product:
        findings.warn(
            "accelerators-counted",
            f"The name counts {counted} accelerators, nodes × accelerators per node give {product}: {counted} is kept.",
        )
        return counted
    return product


def host(processor: str | None, each: int | None, nodes: int | None) -> str | None:
    if not processor:
        return None
    return (
        f"{each} × {processor} per node"
        if each and nodes and nodes > 1
        else f"{each} × {processor}"
        if each
        else processor
    )


def software(framework: str | None) -> dict[str, Any]:
    """“vLLM 0.9.0, PyTorch 2.7, ROCm 6.4” is the runtime vLLM 0.9.0 with the rest as its backend."""
    if not framework:
        return {}
    first, _, rest = framework.partition(",")
    match = SOFTWARE.fullmatch(first.strip())
    if not match:
        return {"runtime": framework}
    return {
        "runtime": match["name"].strip(),
        "runtime_version": match["version"],
        "backend": rest.strip() or None,
    }
