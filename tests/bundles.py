"""A small bundle that tests change in one place: one maker, one reader, a GPU, two properties, three claims."""

import copy
import json
from pathlib import Path
from typing import Any

FILES: dict[str, Any] = {
    "bundle.json": {"format": 1},
    "organisations.json": {
        "organisations": [
            {"key": "acme", "name": "Acme", "kind": "manufacturer"},
            {"key": "acme-labs", "name": "Acme Labs", "kind": "project", "parent": "acme"},
            {"key": "bench", "name": "Bench", "kind": "independent"},
        ]
    },
    "properties/gpus.json": {
        "properties": [
            {
                "key": "memory",
                "position": 10,
                "label": "Memory",
                "group": "Memory",
                "quantity": "Memory, per GPU",
                "datatype": "quantity",
                "unit": "GB",
                "definition": "Memory of one GPU.",
            },
            {
                "key": "architecture",
                "position": 20,
                "label": "Architecture",
                "group": "Identity",
                "quantity": "Architecture",
                "datatype": "text",
                "definition": "Name of the architecture.",
            },
        ]
    },
    "sources/acme.json": {
        "publisher": "acme",
        "sources": [
            {
                "key": "acme-sheet",
                "title": "Acme & Co: data sheet",
                "url": "https://acme.example/sheet",
                "kind": "datasheet",
                "attribution_role": "maker",
                "date_basis": "published",
                "published": "2026-03",
                "scope_notes": ["Memory"],
                "verifications": [{"on": "2026-06-01", "representation": "full text"}],
            }
        ],
    },
    "sources/bench.json": {
        "publisher": "bench",
        "sources": [
            {
                "key": "bench-report",
                "title": "Report",
                "url": "https://bench.example/report",
                "kind": "benchmark results",
                "attribution_role": "third party",
                "date_basis": "not stated",
                "verifications": [{"on": "2026-06-02", "representation": "transcription", "note": "a copy"}],
            }
        ],
    },
    "subjects/gpus.json": {
        "subjects": [
            {"key": "a1", "name": "Acme A1", "maker": "acme", "hardware": "accelerator", "form_factor": "SXM"}
        ]
    },
    "claims/a1.json": {
        "subject": "a1",
        "claims": [
            {
                "number": "C-1",
                "revisions": [
                    {
                        "record_date": "2026-06-03",
                        "property": "memory",
                        "asserter": "acme",
                        "text": "80 GB",
                        "value": "80",
                        "citations": [{"source": "acme-sheet", "locator": "Table 1", "quotation": "80 GB"}],
                    }
                ],
            },
            {
                "number": "C-2",
                "revisions": [
                    {
                        "record_date": "2026-06-03",
                        "property": "memory",
                        "asserter": "bench",
                        "text": "79.60 GB",
                        "value": "79.60",
                        "bound": "about",
                        "citations": [{"source": "bench-report", "locator": "Page 2"}],
                    }
                ],
            },
            {
                "number": "C-3",
                "revisions": [
                    {
                        "record_date": "2026-06-03",
                        "property": "architecture",
                        "asserter": "acme",
                        "value_kind": "not stated",
                        "citations": [{"source": "acme-sheet", "locator": "Whole document"}],
                    }
                ],
            },
        ],
    },
}
CLAIM = "claims/a1.json"


def small() -> dict[str, Any]:
    """A copy of the small bundle's files, to be changed at will."""
    return copy.deepcopy(FILES)


def revision(files: dict[str, Any], number: int, place: int = -1) -> dict[str, Any]:
    """The revision of C-number in the small bundle."""
    return files[CLAIM]["claims"][number - 1]["revisions"][place]


def corrected(files: dict[str, Any], number: int = 1, **changes: Any) -> dict[str, Any]:
    """Add a correction of C-number and give it back."""
    revisions = files[CLAIM]["claims"][number - 1]["revisions"]
    new = copy.deepcopy(revisions[-1]) | {
        "record_date": "2026-07-01",
        "change": "correction",
        "change_note": "Misread.",
        **changes,
    }
    revisions.append(new)
    return new


def written(folder: Path, files: dict[str, Any]) -> Path:
    """Write the files (bytes as they are, all else as JSON) and give the folder back."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a bundle, name to bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*.json"))}
