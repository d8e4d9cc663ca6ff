#!/usr/bin/env python
"""Django's commands, against the servers of the environment or else those that `make serve` left in REGISTRY_HOME."""

import os
import sys

from django.core.management import execute_from_command_line

from registry import embedded


def main() -> None:
    """Run one command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "registry.settings")
    embedded.fill_environment(os.environ)
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
