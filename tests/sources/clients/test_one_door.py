"""One package alone opens connections to strangers, and it knows nothing of Django."""

import ast

from tests.house.files import modules, tree

CLIENTS = {"requests", "urllib3", "http.client", "urllib.request", "httpx", "aiohttp", "ftplib", "telnetlib"}


def imported(path):
    """The modules that a module imports."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name, packages):
    return any(name == package or name.startswith(package + ".") for package in packages)


def test_nothing_else_speaks_http():
    found = [
        f"{path}: {name}"
        for path in modules("sources")
        if path.parts[:2] != ("sources", "clients")
        for name in imported(path)
        if within(name, CLIENTS)
    ]
    assert not found


def test_clients_know_no_django():
    clients = [path for path in modules("sources") if path.parts[:2] == ("sources", "clients")]
    assert clients
    assert not [
        f"{path}: {name}"
        for path in clients
        for name in imported(path)
        if within(name, {"django", "registry"})
    ]
