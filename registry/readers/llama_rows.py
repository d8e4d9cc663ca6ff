"""Tests of llama-bench as rows: from JSON objects and from CSV."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from registry.readers.decode import Documents
from registry.readers.errors import Unreadable
from registry.readers.fields import Fields
from registry.readers.findings import limited, placed, rows
from registry.readers.text import model_name


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
    return [written(row) for row in placed(found, "test")]


def csv_rows(text: str) -> list[dict[str, object]]:
    """A CSV begins with its header, perhaps after log lines."""
    start = re.search(r'^"?build_commit"?,', text, re.MULTILINE)
    if not start:
        return []
    found: list[dict[str, object]] = []
    try:
        table = csv.reader((line for line in lines_from(text, start.start()) if line.strip()), strict=True)
        header = next(table)
        if len(set(header)) != len(header):
            raise Unreadable("A column stands twice in the CSV of llama-bench. Remove the wrong one.")
        for row in table:
            if len(row) != len(header):
                break
            found.append(dict(zip(header, row, strict=True)))
            limited(len(found))
    except csv.Error as error:
        raise Unreadable(
            f"The CSV of llama-bench is broken: {error}. Write it again with the tool."
        ) from None
    return found


def lines_from(text: str, start: int) -> Iterator[str]:
    """The lines from here on, one at a time: a log may have millions."""
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


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
