"""The file through which `make serve` tells commands of the same instance where its servers are."""

import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from registry.embedded.home import Home

FILE = "environment"


def default_home() -> Path:
    """The folder of the instance that the environment speaks of: REGISTRY_HOME, or .local in the project."""
    return Path(os.environ.get("REGISTRY_HOME") or Path(__file__).resolve().parents[2] / ".local").absolute()


def write_environment(home: Home, values: Mapping[str, str]) -> None:
    """Leave the values for commands; the file is ours alone because it holds passwords."""
    home.write_private(home.path / FILE, "".join(f"{name}={value}\n" for name, value in values.items()))


def forget_environment(home: Home) -> None:
    """Take the values away: nothing runs any more."""
    (home.path / FILE).unlink(missing_ok=True)


def read_environment(folder: Path) -> dict[str, str]:
    """The values that a running instance left, or none."""
    try:
        lines = (folder / FILE).read_text().splitlines()
    except OSError:
        return {}
    return dict(line.split("=", 1) for line in lines if "=" in line)


def fill_environment(environment: MutableMapping[str, str]) -> None:
    """Add what a running `make serve` left; what is set already wins."""
    values = read_environment(default_home())
    if environment.get("DATABASE_URL"):
        # Somebody else's database: our owner's address would lead to another one.
        values.pop("DATABASE_OWNER_URL", None)
    for name, value in values.items():
        if not environment.get(name):
            environment[name] = value
