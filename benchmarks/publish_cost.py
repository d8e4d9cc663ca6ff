"""What the database's rules cost when claims are published in bulk.

    python benchmarks/publish_cost.py [claims] [rounds]

Starts a PostgreSQL of its own in a temporary folder, measures (benchmarks/publishing.py), and leaves nothing behind.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


def main(arguments):
    """Run the measurement; its exit code is ours."""
    with tempfile.TemporaryDirectory(prefix="registry-benchmark-") as home:
        given = ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL")
        environment = {name: value for name, value in os.environ.items() if name not in given}
        environment |= {"REGISTRY_HOME": home}

        def run(*command, check=True):
            return subprocess.run([sys.executable, *command], cwd=PROJECT, env=environment, check=check)

        run("-m", "registry.embedded", "start")
        try:
            for line in (Path(home) / "environment").read_text().splitlines():
                name, _, value = line.partition("=")
                environment[name] = value
            run("manage.py", "migrate", "--verbosity=0")
            return run("-m", "benchmarks.publishing", *arguments, check=False).returncode
        finally:
            run("-m", "registry.embedded", "stop")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
