"""What all tests share: real servers, the test database with its two roles, and a network that ends at this machine.

How to choose a fixture:

* `db` (or the mark `django_db`): the usual one. Each test runs in a transaction of the web role that is rolled back;
  database rules fire and answer at once. `django.db.connection` is raw SQL in that same transaction.
* `transactional_db`: only for what needs commits (two connections, locks, workers): it costs a flush of every table.
* `web_sql`, `owner_sql`: psycopg connections of the two roles to the same database. They see committed rows only.
* `home`: an empty REGISTRY_HOME for servers of a test's own.
* `broker`: a Valkey client on the broker, emptied before and after.
* `live_site`, `open_page`, `axe` (tests/site.py): the site with all fixtures, served by granian, in a database of its
  own that lives as long as the run; and Chromium.
"""

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import TransactionTestCase
from psycopg import sql

from registry.embedded import Home
from tests.environment import Servers, discard

pytest_plugins = ["tests.site"]

# Settings are read from the environment, so the environment comes first.
servers = Servers()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
servers.fill(os.environ)  # type: ignore[arg-type]
# Hashed names need a collected folder: the live site has one, single views are tested without.
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"


def pytest_unconfigure() -> None:
    """Leave nothing running and nothing behind."""
    servers.remove()


@pytest.fixture(scope="session")
def test_servers() -> Servers:
    """The run's servers; PostgreSQL is up."""
    servers.start(servers.postgres)
    return servers


@pytest.fixture
def home() -> Iterator[Home]:
    """An empty REGISTRY_HOME; what runs in it is stopped at the end. (pytest's own folders are closed to servers.)"""
    homes = servers.home.path / "homes"
    homes.mkdir(mode=0o755, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=homes))
    folder.chmod(0o755)
    home = Home(folder)
    yield home
    discard(home)


@pytest.fixture(scope="session")
def django_db_setup(test_servers: Servers, django_db_blocker: Any) -> Iterator[None]:
    """A database made and migrated by the owner, used by the web role; removed at the end."""
    name = f"test_{settings.DATABASES['default']['NAME']}"
    with django_db_blocker.unblock():
        make_database(name)
        for alias in ("default", "owner"):
            connections[alias].close()
            connections[alias].settings_dict["NAME"] = name
        call_command("migrate", verbosity=0)
        connections["owner"].close()
        remember_rows()
        yield
        connections.close_all()
        drop_database(name)


def owner_maintenance() -> psycopg.Connection[Any]:
    """A connection of the owner to the database that is there anyway, from which others are made."""
    return psycopg.connect(
        os.environ.get("DATABASE_OWNER_URL") or os.environ["DATABASE_URL"], autocommit=True
    )


def make_database(name: str) -> None:
    """An empty database of that name, owned by the owner, open to the web role."""
    drop_database(name)
    with owner_maintenance() as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))


def drop_database(name: str) -> None:
    """No database of that name any more; only ever called with names that begin with test_."""
    with owner_maintenance() as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def remember_rows() -> None:
    """Keep a copy of the rows that migrations made, beside the tables that tests see."""
    with connect(os.environ["DATABASE_OWNER_URL"]) as connection:
        connection.execute("CREATE SCHEMA pristine")
        for table in tables(connection):
            if (
                connection.execute(sql.SQL("SELECT FROM public.{} LIMIT 1").format(table)).fetchone()
                is not None
            ):
                connection.execute(sql.SQL("CREATE TABLE pristine.{0} AS TABLE public.{0}").format(table))


def flush_as_owner(test_case: TransactionTestCase) -> None:
    """Empty all tables as the owner (the web role may not), and bring back the rows that migrations made."""
    with connect(os.environ["DATABASE_OWNER_URL"]) as connection:
        connection.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(tables(connection))))
        for table in tables(connection, "pristine"):
            copy = sql.SQL("INSERT INTO public.{0} OVERRIDING SYSTEM VALUE SELECT * FROM pristine.{0}")
            connection.execute(copy.format(table))


def tables(connection: psycopg.Connection[Any], schema: str = "public") -> list[sql.Identifier]:
    """The names of the tables in a schema."""
    found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = %s ORDER BY 1", [schema])
    return [sql.Identifier(name) for (name,) in found]


TransactionTestCase._fixture_teardown = flush_as_owner  # type: ignore[method-assign]


def connect(address: str) -> psycopg.Connection[Any]:
    """A raw connection to the test database with the role and password of an address."""
    return psycopg.connect(address, dbname=connections["default"].settings_dict["NAME"])


@pytest.fixture
def web_sql(django_db_setup: None) -> Iterator[psycopg.Connection[Any]]:
    """A raw connection as the web role, in a transaction that is rolled back unless the test commits."""
    with connect(os.environ["DATABASE_URL"]) as connection:
        yield connection
        connection.rollback()


@pytest.fixture
def owner_sql(django_db_setup: None) -> Iterator[psycopg.Connection[Any]]:
    """A raw connection as the owner, in a transaction that is rolled back unless the test commits."""
    with connect(os.environ["DATABASE_OWNER_URL"]) as connection:
        yield connection
        connection.rollback()


@pytest.fixture
def broker(test_servers: Servers) -> Iterator[redis.Redis]:
    """A client on the broker that Celery uses, with nothing in it."""
    test_servers.start(test_servers.valkey)
    address = os.environ["CELERY_BROKER_URL"].replace("redis+socket://", "unix://").split("?", 1)[0]
    client = redis.Redis.from_url(address)
    client.flushdb()
    yield client
    client.flushdb()
    client.close()


# The network ends at this machine --------------------------------------------------------------------

LOOPBACK = ("127.", "::1", "localhost")
_connect = socket.socket.connect
_getaddrinfo = socket.getaddrinfo


def guarded_connect(self: socket.socket, address: Any) -> None:
    """Connect to Unix sockets and loopback only."""
    if self.family != socket.AF_UNIX and not str(address[0]).startswith(LOOPBACK):
        raise RuntimeError(f"Tests reach this machine only, not {address[0]}: use a fake client.")
    _connect(self, address)


def guarded_getaddrinfo(host: Any, *arguments: Any, **more: Any) -> Any:
    """Look up loopback names only."""
    name = host.decode() if isinstance(host, bytes) else str(host or "localhost")
    if not name.startswith(LOOPBACK):
        raise RuntimeError(f"Tests look up names of this machine only, not {name}: use a fake client.")
    return _getaddrinfo(host, *arguments, **more)


socket.socket.connect = guarded_connect  # type: ignore[method-assign]
socket.getaddrinfo = guarded_getaddrinfo
