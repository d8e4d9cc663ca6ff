"""`python -m registry.embedded stop`: stop a registry and whatever a killed one left running in REGISTRY_HOME.

`python -m registry.embedded start` brings the servers up alone, for commands and experiments without the site.
"""

import os
import signal
import sys
import time

from registry.embedded import (
    OWNER_ROLE,
    WEB_ROLE,
    EmbeddedError,
    Home,
    Postgres,
    Valkey,
    default_home,
    forget_environment,
    write_environment,
)
from registry.supervisor import end_leftovers

ORDERLY_STOP = 40.0  # seconds


def stop(home: Home) -> None:
    """Ask the running instance to stop; then end what is left without one."""
    holder = home.holder()
    if holder is not None:
        os.kill(holder, signal.SIGTERM)
        give_up = time.monotonic() + ORDERLY_STOP
        while home.holder() is not None and time.monotonic() < give_up:
            time.sleep(0.2)
    end_leftovers(home.path)
    for server in (Valkey(home), Postgres(home)):
        server.stop()
    forget_environment(home)
    print(f"Nothing runs in {home.path} now.")


def start(home: Home) -> None:
    """Start the servers and leave their addresses for manage.py."""
    home.lock()
    postgres, valkey = Postgres(home), Valkey(home)
    postgres.start()
    valkey.start()
    write_environment(
        home,
        {
            "DATABASE_URL": postgres.url(WEB_ROLE),
            "DATABASE_OWNER_URL": postgres.url(OWNER_ROLE),
            "CELERY_BROKER_URL": valkey.url(),
            "SECRET_KEY": home.secret("secret-key"),
            "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]",
        },
    )
    print(f"PostgreSQL and Valkey run in {home.path}; `make stop` stops them.")


def main(arguments: list[str]) -> int:
    """Do what the one argument says; the exit code is 0 when it is done."""
    work = {"start": start, "stop": stop}.get(arguments[0] if len(arguments) == 1 else "")
    if work is None:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        work(Home(default_home()))
    except EmbeddedError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
