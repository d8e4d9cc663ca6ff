"""A folder taken in as a bundle: its records, where each stands, and every problem of its files."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from registry.bundle.fields import (
    ENTRIES,
    OF_SUBJECT,
    PROPERTIES,
    REFERENCES,
    SOURCES,
    SUBJECT_KINDS,
    SUBJECTS,
    Record,
    Records,
    canonical,
    key_of,
)
from registry.bundle.files import cannot_be_read, files_in
from registry.bundle.layout import MANIFEST, documents, kind_of, text
from registry.bundle.problems import Problem
from registry.bundle.read import parse
from sources.addresses import AddressError, normalise

MOST_BYTES = 10_000_000
MOST_FILES = 5_000


@dataclass
class Bundle:
    """A bundle's records and where each stands (file and JSON pointer); `name` is what the log says of it.

    `broken` and `unread` tell which keys, and which kinds, have records that could not be taken in: what refers to
    them is not called missing.
    """

    name: str
    records: Records = field(default_factory=lambda: {kind: {} for kind in (*REFERENCES, *ENTRIES)})
    places: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    broken: set[tuple[str, str]] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)


def read_folder(folder: Path) -> Bundle:
    """Return what a folder holds. Nothing is read of a folder that is too large or no bundle: one problem says so."""
    bundle = Bundle(folder.resolve().name)

    def refuse(message: str, remedy: str) -> Bundle:
        bundle.problems.append(Problem(str(folder), "", None, message, remedy))
        return bundle

    if not os.path.isfile(folder / MANIFEST):  # unlike Path's, false where the folder is closed to us
        return refuse("This is no bundle.", f"Give the folder that holds {MANIFEST}.")
    paths, passed_over = files_in(folder)
    size = sum(path.lstat().st_size for path in paths.values())
    if size > MOST_BYTES or len(paths) > MOST_FILES:
        limits = f"At most {MOST_FILES:,} files and {MOST_BYTES:,} bytes are read: split it by subject."
        return refuse(f"The bundle has {len(paths):,} files with {size:,} bytes.", limits)
    bundle.problems += passed_over
    for name, path in paths.items():
        try:
            content = path.read_bytes()
        except OSError as error:
            passed_over.append(cannot_be_read(name, error))
            bundle.problems.append(passed_over[-1])
            continue
        document, problems = parse(name, content)
        bundle.problems += problems
        _take_in(bundle, name, document, problems)
    bundle.unread.update(kind for problem in passed_over if (kind := kind_of(problem.file)))
    return bundle


def write_folder(folder: Path, records: Records) -> int:
    """Write a bundle's files into a new or empty folder, or over an older dump; return how many.

    Files of the older dump that have no records any more are removed.
    """
    files = documents(records)
    for old in sorted(folder.rglob("*.json")) if folder.exists() else []:
        name = old.relative_to(folder).as_posix()
        if name not in files and (kind_of(name) or name == MANIFEST):
            old.unlink()
    for name, document in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(document), encoding="utf-8", newline="\n")
    return len(files)


def _take_in(bundle: Bundle, name: str, document: Any, problems: list[Problem]) -> None:
    kind = kind_of(name)
    items = document.get(kind) if isinstance(document, dict) and kind else None
    if not kind:
        return
    # A wrong head concerns every record of the file; other problems stand below /kind/index.
    spoiled = {problem.pointer.split("/")[2] for problem in problems if problem.pointer.count("/") >= 2}
    if not isinstance(items, list) or any(problem.pointer.count("/") < 2 for problem in problems):
        bundle.unread.add(kind)
        return
    for index, item in enumerate(items):
        key = key_of(kind, item) if isinstance(item, dict) else ""
        if str(index) in spoiled:
            bundle.broken.add((kind, key))
            continue
        pointer = f"/{kind}/{index}"
        if (kind, key) in bundle.places:
            file, first = bundle.places[kind, key]
            message = f"stands in {file}#{first} already."
            bundle.problems.append(Problem(name, pointer, key, message, "Keep one of the two."))
            continue
        bundle.places[kind, key] = name, pointer
        bundle.records[kind][key] = _expanded(kind, name, document, item)


def _expanded(kind: str, name: str, document: Record, item: Record) -> Record:
    """Return a record with what its file's name and head say written into it, in its canonical form."""
    plural = name.rpartition("/")[2].removesuffix(".json")
    if kind == PROPERTIES:
        item = {**item, "subject_kind": SUBJECT_KINDS[plural]}
    elif kind == SUBJECTS:
        item = {**item, "kind": SUBJECT_KINDS[plural]}
    elif kind == SOURCES:
        item = {**item, "publisher": document.get("publisher", ""), "link_kind": _own_link_kind(item)}
    elif kind in OF_SUBJECT:
        revisions = [{"subject": document["subject"], **revision} for revision in item["revisions"]]
        item = {**item, "revisions": revisions}
    return canonical(kind, item)


def _own_link_kind(item: Record) -> str:
    """Return the kind of link where it is another than the address itself tells."""
    try:
        told = normalise(item["url"]).link_kind
    except AddressError:
        return item.get("link_kind", "")
    return "" if item.get("link_kind", told) == told else item["link_kind"]
