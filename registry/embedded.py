"""Embedded servers (being written): what `make serve` starts where no server is given."""

from collections.abc import MutableMapping


def fill_environment(environment: MutableMapping[str, str]) -> None:
    """Add the addresses of the embedded servers, where they run and no others are set."""
