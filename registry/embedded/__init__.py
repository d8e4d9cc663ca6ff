"""Embedded PostgreSQL and Valkey for `make serve` and the tests: real servers from wheels, on Unix sockets only.

Nothing here knows Django: it runs before settings exist and is what they are filled from.
"""

from registry.embedded.environment import (
    default_home,
    fill_environment,
    forget_environment,
    read_environment,
    write_environment,
)
from registry.embedded.errors import EmbeddedError
from registry.embedded.home import Home
from registry.embedded.postgres import OWNER_ROLE, WEB_ROLE, Postgres
from registry.embedded.valkey import Valkey

__all__ = [
    "OWNER_ROLE",
    "WEB_ROLE",
    "EmbeddedError",
    "Home",
    "Postgres",
    "Valkey",
    "default_home",
    "fill_environment",
    "forget_environment",
    "read_environment",
    "write_environment",
]
