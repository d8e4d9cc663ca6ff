"""What the laws are read against: the project's tracked files, and their code as syntax trees."""

import ast
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# The farm of badly behaved sites is taken over as it stands: it is no module of ours.
TAKEN_OVER = Path("tests/linkfarm/linkfarm.py")
CODE = ("registry", "sources")


@cache
def tracked() -> tuple[Path, ...]:
    """Every file that git knows and that is there, as paths relative to the project."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=PROJECT, check=True, capture_output=True, text=True
    )
    return tuple(Path(name) for name in listed.stdout.split("\0") if name and (PROJECT / name).is_file())


def text_of(path: Path) -> str:
    """The text of a tracked file; the empty text where it holds bytes."""
    try:
        return (PROJECT / path).read_text()
    except UnicodeDecodeError:
        return ""


def modules(*folders: str) -> list[Path]:
    """Tracked Python files below the folders (registry and sources where none is named), migrations left out."""
    wanted = folders or CODE
    return [
        p
        for p in tracked()
        if p.suffix == ".py" and p.parts[0] in wanted and "migrations" not in p.parts and p != TAKEN_OVER
    ]


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a tracked module."""
    return ast.parse(text_of(path), filename=str(path))


def calls(path: Path) -> Iterator[tuple[str, int]]:
    """The name of each method or function called in a module (the last part of it), and its line."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr, node.lineno
            elif isinstance(node.func, ast.Name):
                yield node.func.id, node.lineno
