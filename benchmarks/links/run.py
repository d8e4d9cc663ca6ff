"""Link checkers side by side: the registry, a plain `requests` loop, linkinator, LinkChecker, django-linkcheck.

    python benchmarks/links/run.py                     all of them, on 2,000 addresses over 200 hosts that take 50 ms
    python benchmarks/links/run.py --only registry --only linkinator
    python benchmarks/links/run.py --checks 20000      the registry alone, and its memory through the run
    python benchmarks/links/run.py --help              the other options

Starts a PostgreSQL and a Valkey of its own in a temporary folder and leaves nothing behind but the other checkers, which
are installed at their first run into a folder of the user's cache (--cache). All traffic is on loopback.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def main(arguments):
    """Run the measurement between servers of its own; its exit code is ours."""
    with tempfile.TemporaryDirectory(prefix="registry-benchmark-") as home:
        given = ("DATABASE_URL", "DATABASE_OWNER_URL", "CELERY_BROKER_URL")
        kept = {n: v for n, v in os.environ.items() if n not in given and not n.startswith("LINKCHECK_")}
        environment = kept | {"REGISTRY_HOME": home}

        def run(*command, check=True):
            # What the steps say goes beside the result, which may be JSON.
            out = sys.stderr if check else None
            return subprocess.run(
                [sys.executable, *command], cwd=PROJECT, env=environment, check=check, stdout=out
            )

        run("-m", "registry.embedded", "start")
        try:
            for line in (Path(home) / "environment").read_text().splitlines():
                name, _, value = line.partition("=")
                environment[name] = value
            run("manage.py", "migrate", "--verbosity=0")
            return run("-m", "benchmarks.links", *arguments, check=False).returncode
        finally:
            run("-m", "registry.embedded", "stop")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
