"""What is wrong with a bundle is told before any database is asked: everything, at once, with its place and remedy."""

import json
import os
import time
from datetime import date
from pathlib import Path

import pytest

from registry.bundle.check import check
from registry.bundle.folder import read_folder, write_folder
from registry.bundle.known import Known
from registry.bundle.read import parse
from tests.bundles import CLAIM, contents, corrected, revision, small, written

TODAY = date(2026, 11, 30)


def problems(folder, files):
    """Every problem of a bundle beside an empty registry, as lines."""
    bundle = read_folder(written(folder, files))
    empty = {kind: {} for kind in bundle.records}
    return [str(problem) for problem in [*bundle.problems, *check(Known(bundle, empty), TODAY)]]


def test_a_sound_bundle_has_no_problems(tmp_path):
    assert problems(tmp_path, small()) == []


def test_a_folder_without_manifest_is_no_bundle(tmp_path):
    assert "This is no bundle. Give the folder that holds bundle.json." in str(
        read_folder(tmp_path).problems[0]
    )


def test_writing_what_was_read_is_the_same_to_the_byte(tmp_path):
    records = read_folder(written(tmp_path / "given", small())).records
    write_folder(tmp_path / "once", records)
    write_folder(tmp_path / "twice", read_folder(tmp_path / "once").records)
    assert contents(tmp_path / "once") == contents(tmp_path / "twice")


def test_a_dump_over_an_older_one_leaves_no_file_behind(tmp_path):
    files = small()
    write_folder(tmp_path, read_folder(written(tmp_path, files)).records)
    del files[CLAIM]
    write_folder(tmp_path, read_folder(written(tmp_path / "given", files)).records)
    assert not (tmp_path / CLAIM).exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'\xef\xbb\xbf{"format": 1}', "starts with a byte order mark. Save it as UTF-8 without BOM."),
        (b'{"format": "\xff"}', "Byte 12 is not UTF-8."),
        (b'{"format": 1', "Line 1, column 13 is no JSON"),
        (b'{"format": 1, "format": 1}', "#/format: This name stands twice in one object."),
        (b'{"format": NaN}', "“NaN” is a bare number. Write figures as text"),
        (b'{"format": 1e400}', "“1e400” is a bare number."),
        (b'{"format": -Infinity}', "“-Infinity” is a bare number."),
        (b'{"format": ' + b"9" * 10_000 + b"}", "is a bare number."),
        (b'{"format": "\\ud800"}', "holds half a character"),
        (b'{"format": "a\\u0000b"}', "“a\\u0000b” holds a character that nobody sees (U+0000)."),
        (
            b'{"format": "a\\nb"}',
            "#/format: “a\\u000ab” holds a character that nobody sees (U+000A). Remove it;",
        ),
        (b'{"format": "\\u001b[2J"}', "“\\u001b[2J” holds a character that nobody sees (U+001B)."),
        (b'{"format": "a\\u007f"}', "(U+007F)."),
        (
            '{"format": "GPU \u202exobX"}'.encode(),
            "“GPU \\u202exobX” holds a character that nobody sees (U+202E).",
        ),
        (b'{"format": "a\\u2066b"}', "(U+2066)."),
        (b'{"a\\u0007b": 1}', "“a\\u0007b” holds a character that nobody sees (U+0007)."),
        (b'{"format": " 1"}', "begins or ends with a blank."),
        (b"[" * 100_000, "nests deeper than 20 levels."),
        (b'{"format": 2}', "1 was expected"),
        (b'{"format": 1, "users": []}', "“users” is no field here."),
        (b"[]", "This has to be object."),
    ],
)
def test_a_file_two_readers_could_take_differently_is_refused(content, words):
    _, found = parse("bundle.json", content)
    assert words in str(found[0])


def test_a_file_no_bundle_has_is_named(tmp_path):
    found = problems(tmp_path, small() | {"users.json": {}, "claims/deep/a1.json": {}})
    assert [line.partition(" See")[0] for line in found] == [
        "claims/deep/a1.json: No file of a bundle has this name.",
        "users.json: No file of a bundle has this name.",
    ]


def test_a_bundle_over_ten_megabytes_is_not_read(tmp_path):
    found = problems(tmp_path, small() | {"organisations.json": b" " * 10_000_001})
    assert "with 10,00" in found[0]
    assert found[0].endswith("At most 5,000 files and 10,000,000 bytes are read: split it by subject.")


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    written(tmp_path / "bundle", small())
    (tmp_path / "secret.json").write_text("{}")
    (tmp_path / "bundle" / "organisations.json").unlink()
    (tmp_path / "bundle" / "organisations.json").symlink_to(tmp_path / "secret.json")
    bundle = read_folder(tmp_path / "bundle")
    assert bundle.records["organisations"] == {}
    assert (
        "organisations.json: This is a link, and links are not followed. Put the file or folder itself in its place."
        in map(str, bundle.problems)
    )


def linked_folder(folder):
    (folder / "claims").rename(folder.parent / "elsewhere")
    (folder / "claims").symlink_to(folder.parent / "elsewhere")


def dangling(folder):
    (folder / "organisations.json").unlink()
    (folder / "organisations.json").symlink_to("nowhere.json")


def piped(folder):
    (folder / "organisations.json").unlink()
    os.mkfifo(folder / "organisations.json")


def named_like_a_file(folder):
    (folder / "sources" / "more.json").mkdir()


PASSED_OVER = {
    "a linked folder": (linked_folder, "claims: This is a link, and links are not followed."),
    "a link to nothing": (dangling, "organisations.json: This is a link, and links are not followed."),
    "a pipe": (
        piped,
        "organisations.json: This is a pipe, socket or device, not a file. Remove or rename it.",
    ),
    "a folder with a file's name": (named_like_a_file, "sources/more.json: This is a folder, not a file."),
}


@pytest.mark.parametrize("what", PASSED_OVER)
def test_what_is_not_read_is_named(tmp_path, what):
    spoil, words = PASSED_OVER[what]
    folder = written(tmp_path / "bundle", small())
    spoil(folder)
    found = read_folder(folder).problems
    assert len(found) == 1
    assert words in str(found[0])


def test_a_note_beside_the_files_is_no_problem(tmp_path):
    assert problems(tmp_path, small() | {"NOTES.md": b"Read by two people."}) == []


def test_a_file_that_may_not_be_read_is_named_and_nothing_that_rests_on_it(tmp_path, monkeypatch):
    allowed = Path.read_bytes

    def read_bytes(path):
        if path.name == "organisations.json":
            raise PermissionError(13, "Permission denied", str(path))
        return allowed(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    assert problems(tmp_path, small()) == [
        "organisations.json: This cannot be read (Permission denied). Make it readable for whoever loads the bundle."
    ]


def test_a_folder_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    scandir = os.scandir

    def closed(path):
        if Path(path).name == "claims":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    assert "claims: This cannot be read (Permission denied)." in problems(tmp_path, small())[0]


CLAIM_PROBLEMS = [
    ({"record_date": "2026-02-30"}, "/record_date: “2026-02-30” is no day."),
    ({"record_date": "2027-01-01"}, "“2027-01-01” has not come yet."),
    ({"record_date": "2026-05-31"}, "No supporting source with a publisher was verified by 2026-05-31."),
    ({"record_date": "yesterday"}, "does not have the right form. The editorial record date"),
    ({"change": "correction"}, "“correction” stands on a first revision."),
    ({"property": "colour"}, "“colour” is in neither the bundle nor the registry (properties)."),
    ({"asserter": "nobody"}, "“nobody” is in neither the bundle nor the registry (organisations)."),
    ({"asserter": "bench"}, "is neither the subject's maker nor the publisher of a source cited in support."),
    (
        {"citations": [{"source": "gone", "locator": "x1"}]},
        "“gone” is in neither the bundle nor the registry (sources).",
    ),
    ({"citations": []}, "Here"),
    (
        {"citations": [{"source": "acme-sheet", "locator": "T", "stance": "context"}]},
        "No supporting source with a publisher was verified",
    ),
    ({"citations": [{"source": "acme-sheet", "locator": "T"}] * 2}, "“T” is cited twice."),
    (
        {"citations": [{"source": "acme-sheet", "locator": "T", "quotation": "x" * 301}]},
        "has 301 characters; at most 300",
    ),
    ({"value": "eighty"}, "“eighty” does not have the right form. A number as text"),
    ({"value": 80}, "“80” has to be string."),
    ({"value": "1,000"}, "“1,000” does not have the right form."),
    ({"value": "NaN"}, "“NaN” does not have the right form."),
    ({"bound": "exactly"}, "“exactly” is none of at most, at least, about."),
    ({"property": "architecture"}, "“80” stands on a property of datatype text."),
    (
        {"low": "70", "high": "90"},
        "“memory” needs one number or a range. Give “value”, or “low” and “high”, in GB.",
    ),
    ({"value_kind": "withheld"}, "“80” stands on a claim that is “withheld”."),
    (
        {"contexts": [{"subject": "b2", "role": "model"}]},
        "“b2” is in neither the bundle nor the registry (subjects).",
    ),
    ({"subject": "b2"}, "“b2” is in neither the bundle nor the registry (subjects)."),
    ({"withdrawn": {"on": "2026-06-02", "reason": "Wrong."}}, "is no day between its record date and today."),
    ({"withdrawn": {"on": "2026-06-04"}}, "Here is missing: reason."),
]


@pytest.mark.parametrize(("change", "words"), CLAIM_PROBLEMS)
def test_a_claim_that_cannot_stand_says_why(tmp_path, change, words):
    files = small()
    revision(files, 1).update(change)
    found = problems(tmp_path, files)
    assert len(found) == 1
    assert found[0].startswith("claims/a1.json#/claims/0/revisions/0")
    assert words in found[0] or words == "Here"


def test_a_range_has_its_lower_end_first(tmp_path):
    files = small()
    del revision(files, 1)["value"]
    revision(files, 1).update(low="90", high="80")
    assert "“90” is above 80." in problems(tmp_path, files)[0]


def test_a_later_revision_needs_its_reason_and_its_day(tmp_path):
    files = small()
    late = corrected(files, record_date="2026-06-01")
    del late["change_note"]
    found = problems(tmp_path, files)
    assert any("needs “change” and “change_note”" in line for line in found)
    assert any("is before the revision it follows ended or began (2026-06-03)." in line for line in found)


@pytest.mark.parametrize(
    ("file", "path", "change", "words"),
    [
        ("organisations.json", ["organisations", 2], {"name": "Acme"}, "“Acme” is also the name of acme."),
        ("organisations.json", ["organisations", 0], {"parent": "acme-labs"}, "makes a circle of parents."),
        ("organisations.json", ["organisations", 2], {"parent": "gone"}, "“gone” is in neither"),
        (
            "organisations.json",
            ["organisations", 2],
            {"key": "Bench!"},
            "“Bench!” does not have the right form.",
        ),
        (
            "organisations.json",
            ["organisations", 2],
            {"key": "acme"},
            "stands in organisations.json#/organisations/0 already.",
        ),
        (
            "properties/gpus.json",
            ["properties", 1],
            {"quantity": "Memory, per GPU"},
            "has the quantity and condition of memory.",
        ),
        (
            "sources/acme.json",
            ["sources", 0],
            {"url": "https://u:p@acme.example/"},
            "remove everything up to the @",
        ),
        (
            "sources/acme.json",
            ["sources", 0],
            {"url": "ftp://acme.example/"},
            "“ftp://acme.example/” does not have the right form.",
        ),
        (
            "sources/acme.json",
            ["sources", 0],
            {"url": "https://acme.example/a?utm_source=x"},
            "Write https://acme.example/a",
        ),
        (
            "sources/acme.json",
            ["sources", 0],
            {"url": "https://acme.example/v1.2/a"},
            "The address pins 1.2.",
        ),
        ("sources/acme.json", ["sources", 0], {"url": "https://www.bench.example/report"}, "is the work of"),
        (
            "sources/acme.json",
            ["sources", 0],
            {"date_basis": "not stated"},
            "“not stated” stands beside a date.",
        ),
        ("sources/acme.json", ["sources", 0], {"date_basis": "last modified"}, "needs “last_modified”."),
        (
            "sources/acme.json",
            ["sources", 0],
            {"published": "2026-07"},
            "is after the source was read (2026-06-01).",
        ),
        ("sources/acme.json", ["sources", 0], {"published": "2026-02-30"}, "“2026-02-30” is no date."),
        ("sources/acme.json", ["sources", 0], {"published": "2026-12"}, "“2026-12” has not come yet."),
        ("sources/acme.json", ["sources", 0], {"state": "superseded"}, "does not fit “superseded_by”."),
        ("sources/acme.json", ["sources", 0], {"edition_of": "gone"}, "“gone” is in neither"),
        (
            "sources/acme.json",
            [],
            {"publisher": "bench"},
            "“bench” is not what the file's name says. Write “acme”",
        ),
        ("subjects/gpus.json", ["subjects", 0], {"slug": "compare"}, "is the address of a page of its own"),
        ("subjects/gpus.json", ["subjects", 0], {"identifier": "acme/a1"}, "is a field of a checkpoint."),
        ("subjects/gpus.json", ["subjects", 0], {"hardware": "toaster"}, "is none of accelerator, board"),
    ],
)
def test_a_reference_row_that_cannot_stand_says_why(tmp_path, file, path, change, words):
    files = small()
    target = files[file]
    for step in path:
        target = target[step]
    target.update(change)
    found = problems(tmp_path, files)
    assert any(words in line and line.startswith(file.partition("/")[0]) for line in found)


def test_two_names_with_one_address_are_told_apart(tmp_path):
    files = small()
    files["subjects/gpus.json"]["subjects"].append(
        {"key": "a-1", "slug": "a1", "name": "Acme A.1", "maker": "acme", "hardware": "board"}
    )
    assert "“Acme A.1” and “Acme A1” would both be at “a1”" in problems(tmp_path, files)[0]


def test_a_gpu_without_its_kind_of_hardware_is_named(tmp_path):
    files = small()
    del files["subjects/gpus.json"]["subjects"][0]["hardware"]
    assert problems(tmp_path, files) == [
        "subjects/gpus.json#/subjects/0: A gpu needs “hardware”. Add the field."
    ]


def test_fifty_errors_are_told_at_once(tmp_path):
    files = small()
    claims = files[CLAIM]["claims"]
    sound = json.dumps(claims[0])
    for number in range(4, 54):
        claims.append(json.loads(sound) | {"number": f"C-{number}"})
        claims[-1]["revisions"][0]["value"] = f"no {number}"
    assert len(problems(tmp_path, files)) == 50


def test_what_rests_on_a_broken_record_is_not_blamed_for_it(tmp_path):
    files = small()
    files["sources/acme.json"]["sources"][0]["kind"] = "rumour"
    files["organisations.json"] = b"{"
    found = problems(tmp_path, files)
    assert [line.partition("#")[0].partition(":")[0] for line in found] == [
        "organisations.json",
        "sources/acme.json",
    ]


def test_values_are_shown_without_what_a_terminal_would_obey(tmp_path):
    files = small()
    revision(files, 1)["value"] = "\x1b[2J" + "9" * 500
    line = problems(tmp_path, files)[0]
    assert "\\u001b[2J" in line
    assert len(line) < 400


def test_a_file_of_nothing_but_errors_is_given_up_soon():
    began = time.perf_counter()
    _, found = parse(CLAIM, b'{"subject": "a1", "claims": [' + b"1," * 1_000_000 + b"1]}")
    assert "has 5,000 problems or more" in str(found[-1])
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize(
    "content",
    [b"[" * 2_000_000, b'"' + b"\\" * 2_000_000, b'{"a":' * 400_000, b"0" * 2_000_000, b'["' * 1_000_000],
)
def test_hostile_bytes_are_answered_soon(content):
    began = time.perf_counter()
    _, found = parse("bundle.json", content)
    assert found
    assert time.perf_counter() - began < 2
