"""REGISTRY_HOME: the one folder that holds an instance's data, secrets, logs and sockets."""

import errno
import fcntl
import hashlib
import os
import pwd
import secrets
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from registry.embedded.account import make_reachable, private_folder, server_account
from registry.embedded.errors import EmbeddedError

# The system cuts a socket's address at 104 to 108 bytes; the longest of ours ends in "/.s.PGSQL.5432".
LONGEST_SOCKET_ADDRESS = 100
UNUSABLE = set("\"'`$\\\n\r\0%")


@dataclass
class Home:
    """One instance's folder. Making it makes the folder; nothing is started."""

    path: Path
    account: pwd.struct_passwd | None = field(default_factory=server_account)
    _lock: int | None = None

    def __post_init__(self) -> None:
        self.path = self.path.expanduser().absolute()
        if set(str(self.path)) & UNUSABLE:
            raise EmbeddedError(
                f"REGISTRY_HOME {self.path} cannot be used: PostgreSQL's tools do not take quotes, $ or \\."
            )
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not os.access(self.path, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, f"it belongs to {self.path.owner()}")
            make_reachable(self.path / "postgres", self.account)
        except OSError as error:
            raise EmbeddedError(f"REGISTRY_HOME {self.path} cannot be used: {error.strerror}.") from error

    def folder(self, name: str) -> Path:
        """A private folder of the servers below this one, made if need be."""
        return private_folder(self.path / name, self.account)

    def sockets(self) -> Path:
        """The private folder of the sockets: here, or in the system's temporary folder where our path is too long."""
        near = self.path / "run"
        if len(os.fsencode(near / ".s.PGSQL.5432")) <= LONGEST_SOCKET_ADDRESS:
            return private_folder(near, self.account)
        key = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:12]
        short = Path(tempfile.gettempdir()) / f"registry-{key}"
        make_reachable(short, self.account)
        return private_folder(short, self.account)

    def secret(self, name: str) -> str:
        """A random text of 64 characters that stays the same for this instance; its file is ours alone (0600)."""
        folder = self.path / "secrets"
        folder.mkdir(mode=0o700, exist_ok=True)
        path = folder / name
        if not path.exists() or not path.read_text().strip():
            self.write_private(path, secrets.token_urlsafe(48) + "\n")
        return path.read_text().strip()

    def write_private(self, path: Path, text: str) -> None:
        """Write a file that is ours alone (0600), whole or not at all."""
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        draft.replace(path)

    def lock(self) -> None:
        """Hold this folder until the process ends; a process that died, however, holds nothing.

        Raises EmbeddedError while another process holds it.
        """
        descriptor = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(descriptor, 20).decode().strip() or "unknown"
            os.close(descriptor)
            raise EmbeddedError(
                f"The registry in {self.path} is already running (process {holder}). "
                "Stop it with `make stop`, or give a second one its own REGISTRY_HOME and PORT."
            ) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        self._lock = descriptor  # a bare number: no collector ever closes it

    def unlock(self) -> None:
        """Let others hold this folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def holder(self) -> int | None:
        """The process that holds this folder, or None."""
        path = self.path / "lock"
        if not path.exists():
            return None
        with path.open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return int(file.read().strip() or 0) or None
        return None
