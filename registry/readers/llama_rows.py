"""Rows of llama-bench, however they are written: JSON objects, a CSV or a markdown table with its log around it."""

import csv
import re
from dataclasses import dataclass
from decimal import Decimal

from registry.readers.decode import Documents
from registry.readers.errors import Unreadable, quoted
from registry.readers.fields import Fields
from registry.readers.findings import rows
from registry.readers.numbers import from_text
from registry.readers.text import kept, model_name


@dataclass(frozen=True)
class Row:
    """One test, in tokens and tokens per second."""

    prompt: int | None
    generated: int | None
    depth: int
    speed: Decimal | None
    deviation: Decimal | None
    speed_field: str
    deviation_field: str
    repetitions: int | None = None
    commit: str | None = None
    build: int | None = None
    model: str | None = None  # file name without folders
    model_type: str | None = None
    hardware: str | None = None
    accelerators: int | None = None
    host: str | None = None
    backend: str | None = None
    cache_type: str | None = None
    batch: int | None = None
    flags: str | None = None
    started_at: str | None = None


FLAGS = (
    "n_gpu_layers", "flash_attn", "n_batch", "n_ubatch", "n_threads", "split_mode", "n_cpu_moe", "no_kv_offload", "use_mmap",
)  # fmt: skip


def written_rows(documents: Documents) -> list[Row]:
    """Tests written as JSON or CSV."""
    found = [row for row in rows(documents) if {"build_commit", "avg_ts"} <= row.keys()]
    found += csv_rows(documents.text)
    return [written(Fields(row, f"test {n}" if len(found) > 1 else "")) for n, row in enumerate(found, 1)]


def csv_rows(text: str) -> list[dict[str, object]]:
    """A CSV begins with its header, perhaps after log lines."""
    start = re.search(r'^"?build_commit"?,', text, re.MULTILINE)
    if not start:
        return []
    lines = [line for line in text[start.start() :].split("\n") if line.strip()]
    try:
        header, *body = csv.reader(lines, strict=True)
    except csv.Error as error:
        raise Unreadable(
            f"The CSV of llama-bench is broken: {error}. Write it again with the tool."
        ) from None
    return [dict(zip(header, row, strict=True)) for row in body if len(row) == len(header)]


def written(row: Fields) -> Row:
    model, _, _ = model_name("/" + (row.text("model_filename") or "").replace("\\", "/"))
    samples = row.raw("samples_ts")
    devices = row.text("gpu_info")
    return Row(
        prompt=row.count("n_prompt"),
        generated=row.count("n_gen"),
        depth=row.count("n_depth") or 0,
        speed=row.number("avg_ts"),
        deviation=row.number("stddev_ts"),
        speed_field="avg_ts",
        deviation_field="stddev_ts",
        repetitions=len(samples) if isinstance(samples, list) else None,
        commit=row.text("build_commit"),
        build=row.count("build_number"),
        model=model,
        model_type=row.text("model_type"),
        hardware=devices,
        accelerators=1 if devices and "," not in devices and not_split(row) else None,
        host=row.text("cpu_info"),
        backend=row.text("backends") or row.text("backend"),
        cache_type=cache(row.text("type_k"), row.text("type_v")),
        batch=row.some("n_batch"),
        flags=" ".join(f"{key}={value}" for key in FLAGS if (value := word(row.raw(key))) is not None)
        or None,
        started_at=row.text("test_time"),
    )


def not_split(row: Fields) -> bool:
    """One device is listed and no other machine takes part."""
    return "RPC" not in (row.text("backends") or "") and row.count("n_gpu_layers") != 0


def cache(keys: str | None, values: str | None) -> str | None:
    return keys if keys == values else f"{keys} keys, {values} values"


def word(value: object) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value) if isinstance(value, Decimal | str) else ""
    return text if re.fullmatch(r"[\w.-]{1,20}", text) else None


HEADER = re.compile(r"^\s*\|\s*model\s*\|\s*size\s*\|\s*params\s*\|.*\|\s*t/s\s*\|\s*$")
# The plus-minus sign as printed, and as it looks after a code page was taken for another.
SPEED = re.compile(r"(?P<speed>[\d.,]+)(?:\s*(?:±|\+/-|┬▒|Â±|\ufffd)\s*(?P<deviation>[\d.,]+))?")
TEST = re.compile(
    r"(?:pp\s*(?P<prompt>\d{1,9}))?\s*\+?\s*(?:tg\s*(?P<generated>\d{1,9}))?(?:\s*@\s*d\s*(?P<depth>\d{1,9}))?"
)
BUILD = re.compile(r"^\s*build:\s*(?P<commit>[0-9a-f]{6,40})\s*\((?P<build>\d{1,9})\)", re.MULTILINE)
FOUND = re.compile(r"[Ff]ound (?P<count>\d{1,4}) (?:\w+ )?devices")
DEVICE = re.compile(
    r"^\s*(?:Device \d+: (?P<cuda>[^,\n]{1,200}),|ggml_vulkan: \d+ = (?P<vulkan>[^|\n]{1,200}?) \([^()|\n]*\) \||"
    r"ggml_metal_init: GPU name:\s*(?P<metal>[^\n]{1,200}))",
    re.MULTILINE,
)


def table_rows(text: str) -> list[Row]:
    """Tests of all markdown tables; the build stands after its table, the devices before it."""
    lines = text.split("\n")
    found: list[Row] = []
    before = 0  # where the text around the next table begins
    for start, line in enumerate(lines):
        if not HEADER.match(line):
            continue
        header = cells(line)
        body = []
        for each in lines[start + 1 :]:
            if not each.lstrip().startswith("|"):
                break
            body.append(each)
        end = start + 1 + len(body)
        around = around_table("\n".join(lines[before:start]), "\n".join(lines[end : end + 5]))
        before = end
        tests = [cells(each) for each in body if not set(each) <= set("|-: \t")]
        found += [table_row(dict(zip(header, test, strict=False)), around) for test in tests]
    return found


@dataclass(frozen=True)
class Around:
    """What the log around a table states."""

    hardware: str | None
    devices: int | None
    commit: str | None
    build: int | None


def around_table(above: str, below: str) -> Around:
    """The last device list before the table, and the build after it."""
    counts = list(FOUND.finditer(above))
    listed = DEVICE.finditer(above, counts[-1].start() if counts else 0)
    names = [kept(next(name for name in match.groups() if name)) for match in listed]
    build = BUILD.search(below)
    return Around(
        hardware=", ".join(dict.fromkeys(name for name in names if name)) or None,
        devices=int(counts[-1]["count"]) if counts else None,
        commit=build["commit"] if build else None,
        build=int(build["build"]) if build else None,
    )


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table_row(row: dict[str, str], around: Around) -> Row:
    test, speed = TEST.fullmatch(row.get("test", "")), SPEED.fullmatch(row.get("t/s", ""))
    if not test or not speed or not (test["prompt"] or test["generated"]):
        raise Unreadable(
            f"A line of the llama-bench table has the test {quoted(row.get('test', ''))} and the speed "
            f"{quoted(row.get('t/s', ''))}, which cannot be read. Correct the line."
        )
    try:
        mean, deviation = from_text(speed["speed"]), from_text(speed["deviation"] or "")
    except ValueError:
        raise Unreadable(f"The speed {quoted(row['t/s'])} is no number. Correct the line.") from None
    shown = [key for key in row if key not in ("model", "size", "params", "backend", "test", "t/s")]
    return Row(
        prompt=int(test["prompt"] or 0),
        generated=int(test["generated"] or 0),
        depth=int(test["depth"] or 0),
        speed=mean,
        deviation=deviation,
        speed_field="t/s",
        deviation_field="t/s ±",
        commit=around.commit,
        build=around.build,
        model_type=kept(row["model"]),
        hardware=around.hardware,
        accelerators=around.devices,
        backend=kept(row.get("backend", "")),
        cache_type=cache(row["type_k"], row.get("type_v")) if "type_k" in row else None,
        flags=kept(" ".join(f"{key}={row[key]}" for key in shown if word(row[key]) and word(key))),
    )
