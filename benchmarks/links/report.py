"""What came of a run, as a table for people and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from benchmarks.links.memory import MIB, Taken

PRODUCT = "registry"


@dataclass
class Measured:
    """One checker's run. `seconds` are wall time, `asking_seconds` those from first request to last answer."""

    name: str
    version: str
    told: str
    skipped: str = ""  # the reason in one line; then nothing below is filled
    seconds: float = 0.0
    asking_seconds: float = 0.0
    asked: int = 0  # distinct addresses, counted by the farm as everything below but memory and processor
    read: int = 0  # of them with GET: the page itself, not its headers alone
    most_at_once: int = 0  # requests to any one host
    robots_hosts: int = 0
    connections: int = 0
    peak_mib: float = 0.0
    cpu_seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        """Addresses a second of wall time."""
        return self.asked / self.seconds if self.seconds else 0.0

    def take(self, counts: dict, taken: Taken) -> None:
        """Fill in what farm and sampler say."""
        for name in ("asked", "read", "most_at_once", "robots_hosts", "connections", "asking_seconds"):
            setattr(self, name, counts[name])
        self.peak_mib, self.cpu_seconds = round(taken.peak, 1), round(taken.cpu_seconds, 2)


_COLUMNS = (
    "",
    "wall s",
    "addr/s",
    "registry is",
    "most/host",
    "robots",
    "pages read",
    "peak MiB",
    "cpu s",
    "asking s",
)
_LEGEND = """
wall s       from the start of the program to its end; of the registry, from the first message to the last look in the database
registry is  how many times as many addresses a second the registry checks
most/host    most requests that the farm had from it at once for any one host
robots       hosts whose robots.txt it asked for
pages read   addresses asked with GET; all others with HEAD, without their text
peak MiB     resident memory of the program and all it started, added up every 0.2 s (shared pages count in each
             process); of the registry, both workers with their children, without PostgreSQL and Valkey
cpu s        processor time of the same processes; the rest of the machine is farm, database and sampler
asking s     from the first request to the last answer, as the farm saw it: without starts, installing or preparing
"""


def table(rows: Sequence[Measured]) -> str:
    """The rows side by side, what each was told, and what the columns mean."""
    ours = next((row for row in rows if row.name == PRODUCT and not row.skipped), None)
    cells = [_COLUMNS]
    for row in rows:
        name = f"{row.name} {row.version}".strip()
        if row.skipped:
            continue
        ratio = f"{ours.per_second / row.per_second:.2f}x" if ours and row.per_second else "-"
        cells.append(
            (
                name,
                f"{row.seconds:.1f}",
                f"{row.per_second:.0f}",
                ratio,
                str(row.most_at_once),
                str(row.robots_hosts or "no"),
                str(row.read),
                f"{row.peak_mib:.0f}",
                f"{row.cpu_seconds:.1f}",
                f"{row.asking_seconds:.1f}",
            )
        )
    widths = [max(len(line[at]) for line in cells) for at in range(len(_COLUMNS))]
    lines = [
        "  ".join(
            [
                line[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
            ]
        )
        for line in cells
    ]
    lines += [f"skipped: {row.name} {row.version}: {row.skipped}" for row in rows if row.skipped]
    lines += ["", "How each was told to take one request at a time per host, without pauses:"]
    lines += [f"  {row.name}: {row.told}." for row in rows]
    lines += [f"  {row.name}: {note}" for row in rows for note in row.notes]
    return "\n".join(lines) + "\n" + _LEGEND


def as_json(ground: dict, rows: Sequence[Measured]) -> str:
    """The same as JSON, with what all of them were given."""
    found = [{**asdict(row), "per_second": round(row.per_second, 1)} for row in rows]
    return json.dumps({"given": ground, "measured": found}, indent=2, ensure_ascii=False)


def memory_through_the_run(taken: Taken, lines: int = 15) -> str:
    """Resident memory of each worker's processes through a run, and its first and last thirds: flat or not."""
    samples = taken.samples
    step = max(1, len(samples) // lines)
    workers = range(len(samples[0][1]))
    said = ["seconds  " + "  ".join(f"worker {at + 1} MiB" for at in workers)]
    for at, trees in samples[::step]:
        said.append(f"{at:7.1f}  " + "  ".join(f"{tree / MIB:12.1f}" for tree in trees))
    third = max(1, len(samples) // 3)
    for worker in workers:
        first, last = (
            sum(trees[worker] for _, trees in part) / len(part) / MIB
            for part in (samples[:third], samples[-third:])
        )
        said.append(
            f"worker {worker + 1}: {first:.1f} MiB in the first third, {last:.1f} in the last ({last - first:+.1f})"
        )
    return "\n".join(said)
