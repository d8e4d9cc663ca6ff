"""Tests of llama-bench in markdown tables, with the log around them: the devices before a table, the build after it."""

import re
from dataclasses import dataclass
from itertools import islice

from registry.readers.errors import Unreadable, quoted
from registry.readers.findings import limited
from registry.readers.llama_rows import Row, cache, lines_from, word
from registry.readers.numbers import from_text
from registry.readers.text import kept

HEADER = re.compile(
    r"^[ \t]*\|[ \t]*model[ \t]*\|[ \t]*size[ \t]*\|[ \t]*params[ \t]*\|.*\|[ \t]*t/s[ \t]*\|[ \t]*$",
    re.MULTILINE,
)
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
    """Tests of all tables in the text."""
    found: list[Row] = []
    before = 0  # where the text above the next table begins
    for number, head in enumerate(HEADER.finditer(text)):
        limited(number)
        if head.start() < before:
            continue
        header, end = cells(head[0]), head.end()
        tests = []
        for line in lines_from(text, head.end() + 1):
            if not line.lstrip().startswith("|") or HEADER.match(line):
                break
            end += len(line) + 1
            if not set(line) <= set("|-: \t"):
                tests.append(cells(line))
                limited(len(found) + len(tests))
        around = around_table(text[before : head.start()], text[end : end + 400])
        before = end
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
    last = None
    for each in FOUND.finditer(above):
        last = each
    listed = DEVICE.finditer(above, last.start() if last else 0)
    names = [kept(next(name for name in match.groups() if name)) for match in islice(listed, 64)]
    build = BUILD.search(below)
    return Around(
        hardware=", ".join(dict.fromkeys(name for name in names if name))[:300] or None,
        devices=int(last["count"]) if last else None,
        commit=build["commit"] if build else None,
        build=int(build["build"]) if build else None,
    )


def cells(line: str) -> list[str]:
    return [cell.strip(" \t*`") for cell in line.strip().strip("|").split("|")]


def table_row(row: dict[str, str], around: Around) -> Row:
    test, speed = TEST.fullmatch(row.get("test", "")[:60]), SPEED.fullmatch(row.get("t/s", "")[:60])
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
