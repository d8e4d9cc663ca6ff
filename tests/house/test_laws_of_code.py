"""Laws of DESIGN §4 and §8 that no linter knows. Each test names the file and the line that break it."""

import ast
import re
from pathlib import Path

import pytest

from tests.house.files import PROJECT, calls, modules, text_of, tracked, tree

WRITES = {
    "save", "create", "update", "delete", "get_or_create", "update_or_create",
    "bulk_create", "bulk_update", "acreate", "asave", "adelete",
}  # fmt: skip
# Objects whose methods carry the same names and write nothing to the database.
HARMLESS = {
    "update": {
        "dict",
        "digest",
        "data",
        "context",
        "query",
        "attributes",
        "attrs",
        "params",
        "headers",
        "hash",
    },
}


def lines(found: list[str]) -> str:
    """The findings as an assertion shows them."""
    return "\n" + "\n".join(found)


def test_html_is_declared_safe_in_the_prose_module_alone() -> None:
    words = re.compile(
        r"\bmark_safe\b|\bSafeString\b|\bSafeText\b|\|\s*safe\b|autoescape off|\bsafeseq\b|__html__"
    )
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in tracked()
        if path.suffix in (".py", ".html", ".txt", ".md")
        and path.parts[0] in ("registry", "sources", "templates")
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if words.search(line) and path != Path("registry/prose.py")
    ]
    assert not found, lines(found)


def test_there_are_no_signals() -> None:
    words = re.compile(
        r"django\.(db\.models|core|dispatch|test)\S* import .*\b(signals|receiver|Signal)\b|@receiver\b"
    )
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in modules()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if words.search(line)
    ]
    assert not found, lines(found)


def test_imports_stand_at_the_top_and_name_what_they_take() -> None:
    found = []
    for path in modules("registry", "sources", "tests", "benchmarks"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = [n for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom)]
                found += [f"{path}:{n.lineno}: an import inside {node.name}" for n in inner]
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
                found.append(f"{path}:{node.lineno}: a star import")
    assert not found, lines(sorted(set(found)))


def test_modules_are_named_for_what_they_hold() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "core", "base", "services", "misc"}
    found = [str(p) for p in modules("registry", "sources", "tests") if {p.stem, *p.parent.parts} & vague]
    assert not found, lines(found)


def test_only_actions_write() -> None:
    """Views, API, admin, forms, tags and reasoning look things up and call one action."""
    places = {"views", "api", "admin", "forms", "templatetags", "reasoning", "readers", "admin.py"}
    found = []
    for path in modules():
        if not places & {*path.parts[1:2]}:
            continue
        for node in ast.walk(tree(path)):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in WRITES
            ):
                owner = ast.unparse(node.func.value)
                plain = owner.rsplit(".", 1)[-1].lower() in HARMLESS.get(node.func.attr, set())
                if not plain and owner != "super()":
                    found.append(f"{path}:{node.lineno}: {owner}.{node.func.attr}(…)")
    assert not found, lines(found)


def test_no_warning_of_the_linter_is_switched_off() -> None:
    found = [
        f"{path}:{number}"
        for path in modules("registry", "sources", "tests", "benchmarks")
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if re.search(r"#\s*no" + r"qa\b", line)
    ]
    assert not found, lines(found)


@pytest.mark.parametrize("name", ["csrf_exempt", "extra", "RawSQL", "eval", "exec"])
def test_doors_that_stay_shut(name: str) -> None:
    found = [f"{path}:{line}" for path in modules() for called, line in calls(path) if called == name]
    # Pages that know GET and HEAD only may answer a POST with 405 before its token is asked for.
    decorated = [
        str(path)
        for path in modules()
        if name == "csrf_exempt"
        and name in text_of(path)
        and path.as_posix() != "registry/views/rendering.py"
    ]
    assert not found + decorated, lines(found + decorated)


def test_the_project_is_where_these_tests_think_it_is() -> None:
    assert (PROJECT / "manage.py").is_file()
    assert modules()
