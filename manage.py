#!/usr/bin/env python
"""Django's commands, against the servers of the environment or else those that `make serve` left in REGISTRY_HOME."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

from registry import embedded

START = "Start the registry with `make serve`, or name the servers of a running one in the environment."


def main() -> None:
    """Run one command. Settings that are missing and a database that does not answer end in a line, not a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    embedded.fill_environment(os.environ)
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        home = embedded.default_home()
        start = "" if embedded.read_environment(home) else f" No registry runs in {home}. {START}"
        sys.exit(f"{error}{start}")
    except OperationalError as error:
        # Without an SQLSTATE there was no server to give one.
        if "--traceback" in sys.argv or getattr(error.__cause__, "sqlstate", None):
            raise
        reason = " ".join(str(error).split())
        sys.exit(f"The database does not answer: {reason} {START}")


if __name__ == "__main__":
    main()
