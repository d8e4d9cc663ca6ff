"""The embedded servers: what a person sees after a crash, a stale file, a second start. Each test has its own home."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from registry.embedded import (
    OWNER_ROLE,
    WEB_ROLE,
    EmbeddedError,
    Home,
    Postgres,
    Valkey,
    fill_environment,
    forget_environment,
    write_environment,
)
from registry.embedded.postgres import SUPERUSER
from registry.embedded.processes import alive, ended
from registry.supervisor import MARK, Child, end_leftovers, stop_all
from tests.environment import discard


@pytest.fixture
def postgres(home: Home) -> Postgres:
    server = Postgres(home, durable=False)
    server.start()
    return server


@pytest.fixture
def valkey(home: Home) -> Valkey:
    server = Valkey(home)
    server.start()
    return server


def main_process(server: Postgres | Valkey) -> psutil.Process:
    process = server._process()
    assert process is not None
    return process


def kill(server: Postgres | Valkey) -> None:
    process = main_process(server)
    process.kill()
    assert ended(process, 10)


def query(address: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(address) as connection:
        return connection.execute(statement).fetchall()  # type: ignore[arg-type]


def test_both_servers_listen_on_private_unix_sockets_only(postgres: Postgres, valkey: Valkey) -> None:
    for server in (postgres, valkey):
        assert [
            c for c in main_process(server).net_connections("inet") if c.status == psutil.CONN_LISTEN
        ] == []
    assert postgres.home.sockets().stat().st_mode & 0o077 == 0


def test_the_owner_owns_the_database_and_the_web_role_may_little(postgres: Postgres) -> None:
    assert query(postgres.url(OWNER_ROLE), "SELECT current_user, current_database()") == [
        ("registry_owner", "registry")
    ]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        query(postgres.url(WEB_ROLE), "CREATE TABLE mine (id int)")
    roles = "SELECT rolname FROM pg_roles WHERE rolcanlogin AND (rolsuper OR rolcreaterole)"
    assert query(postgres.url(SUPERUSER, "postgres"), roles) == [("postgres",)]


def test_a_wrong_password_is_refused_on_the_socket(postgres: Postgres) -> None:
    address = postgres.url(WEB_ROLE).replace(postgres.home.secret(WEB_ROLE), "guess")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(address)


def test_passwords_are_random_and_readable_by_their_owner_alone(home: Home) -> None:
    assert len(home.secret("one")) == 64
    assert home.secret("one") == home.secret("one") != home.secret("two")
    assert (home.path / "secrets").stat().st_mode & 0o077 == 0
    assert (home.path / "secrets" / "one").stat().st_mode & 0o777 == 0o600


def test_a_running_server_is_used_again(postgres: Postgres, valkey: Valkey) -> None:
    before = main_process(postgres).pid, main_process(valkey).pid
    Postgres(postgres.home, durable=False).start()
    Valkey(valkey.home).start()
    assert (main_process(postgres).pid, main_process(valkey).pid) == before


def test_what_a_role_changed_about_itself_does_not_outlive_a_start(postgres: Postgres) -> None:
    with psycopg.connect(postgres.url(WEB_ROLE), autocommit=True) as connection:
        connection.execute("ALTER ROLE registry_web SET lock_timeout = 1")
        connection.execute(
            "ALTER ROLE registry_web IN DATABASE registry SET default_transaction_read_only = on"
        )
        connection.execute("ALTER ROLE registry_web PASSWORD 'mine'")
    with psycopg.connect(postgres.url(OWNER_ROLE), autocommit=True) as connection:
        connection.execute("ALTER ROLE registry_owner SET search_path = pg_catalog")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(postgres.url(WEB_ROLE))
    Postgres(postgres.home, durable=False).start()
    settings = "SELECT current_setting('lock_timeout'), current_setting('default_transaction_read_only')"
    assert query(postgres.url(WEB_ROLE), settings) == [("0", "off")]
    assert query(postgres.url(OWNER_ROLE), "SHOW search_path") == [('"$user", public',)]
    assert query(postgres.url(SUPERUSER, "postgres"), "SELECT FROM pg_db_role_setting") == []


def test_killed_servers_come_back_with_what_they_kept(home: Home) -> None:
    postgres, valkey = Postgres(home), Valkey(home)
    postgres.start()
    valkey.start()
    with psycopg.connect(postgres.url(OWNER_ROLE)) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    with redis.Redis(unix_socket_path=str(valkey.socket)) as client:
        client.rpush("queue", "message")
    time.sleep(1.1)  # Valkey writes its queue to disk once a second
    for server in (postgres, valkey):
        kill(server)
        assert not server.running()
        server.start()
    assert query(postgres.url(OWNER_ROLE), "SELECT number FROM kept") == [(7,)]
    with redis.Redis(unix_socket_path=str(valkey.socket)) as client:
        assert client.lrange("queue", 0, -1) == [b"message"]


def test_a_hung_broker_is_replaced(valkey: Valkey) -> None:
    hung = main_process(valkey)
    hung.send_signal(signal.SIGSTOP)
    valkey.start()
    assert valkey.running()
    assert main_process(valkey).pid != hung.pid


def test_an_unreadable_queue_is_set_aside_and_said(
    valkey: Valkey, capsys: pytest.CaptureFixture[str]
) -> None:
    valkey.stop()
    (valkey.data / "appendonlydir" / "appendonly.aof.manifest").write_text("garbage")
    valkey.start()
    assert valkey.running()
    assert "Valkey could not read its queue" in capsys.readouterr().out


def test_a_stale_pid_file_with_a_strangers_number_is_no_obstacle(postgres: Postgres) -> None:
    postgres.stop()
    (postgres.data / "postmaster.pid").write_text(f"{os.getpid()}\n{postgres.data}\n")
    postgres.start()
    assert postgres.running()
    assert main_process(postgres).pid != os.getpid()


def test_a_half_made_data_folder_is_set_aside_and_said(
    home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    half = home.folder("postgres")
    (half / "PG_VERSION").write_text("18\n")
    home.folder("postgres.new1")
    postgres = Postgres(home, durable=False)
    postgres.start()
    assert postgres.running()
    assert "was never completed" in capsys.readouterr().out
    assert [path.name.partition("-")[0] for path in home.path.glob("postgres.*")] == ["postgres.incomplete"]


def test_data_of_another_major_version_is_left_alone_and_the_way_out_named(postgres: Postgres) -> None:
    postgres.stop()
    (postgres.data / "PG_VERSION").write_text("12\n")
    with pytest.raises(
        EmbeddedError, match=r"holds data of PostgreSQL 12; the installed one is 18\. Dump it"
    ):
        postgres.start()


def test_a_stop_leaves_no_process(postgres: Postgres, valkey: Valkey) -> None:
    processes = main_process(postgres), main_process(valkey)
    postgres.stop()
    valkey.stop()
    assert not any(alive(process) for process in processes)


def test_a_long_home_has_its_sockets_in_a_short_private_folder(home: Home) -> None:
    long = Home(home.path / ("a name with spaces " * 6).strip())
    assert len(str(long.sockets())) < 80
    assert long.sockets().stat().st_mode & 0o777 == 0o700
    server = Valkey(long)
    server.start()
    assert server.running()
    discard(long)


def test_a_home_is_held_by_one_start_at_a_time(home: Home) -> None:
    home.lock()
    words = rf"already running \(process {os.getpid()}\)\. Stop it with `make stop`"
    with pytest.raises(EmbeddedError, match=words):
        Home(home.path).lock()
    assert Home(home.path).holder() == os.getpid()


def test_the_lock_of_a_killed_start_holds_nothing(home: Home) -> None:
    code = (
        "import sys, time; from pathlib import Path; from registry.embedded import Home;"
        "Home(Path(sys.argv[1])).lock(); print('held', flush=True); time.sleep(9)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(home.path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(EmbeddedError, match=f"process {holder.pid}"):
            home.lock()
        holder.kill()
    home.lock()


@pytest.mark.parametrize("name", ['qu"ote', "dol$lar", "back`tick", "per%cent"])
def test_a_home_that_postgres_tools_cannot_take_is_refused_at_once(tmp_path: Path, name: str) -> None:
    with pytest.raises(EmbeddedError, match="do not take"):
        Home(tmp_path / name)


def test_a_home_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match=r"REGISTRY_HOME .*/file/home cannot be used: Not a directory\."):
        Home(tmp_path / "file" / "home")


def test_commands_find_the_servers_of_a_running_instance(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGISTRY_HOME", str(home.path))
    write_environment(home, {"DATABASE_URL": "web", "DATABASE_OWNER_URL": "owner", "SECRET_KEY": "key"})
    assert (home.path / "environment").stat().st_mode & 0o777 == 0o600
    found: dict[str, str] = {}
    fill_environment(found)
    assert found == {"DATABASE_URL": "web", "DATABASE_OWNER_URL": "owner", "SECRET_KEY": "key"}
    forget_environment(home)
    nothing: dict[str, str] = {}
    fill_environment(nothing)
    assert nothing == {}


def test_what_the_environment_names_wins_and_never_meets_our_owner(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGISTRY_HOME", str(home.path))
    write_environment(home, {"DATABASE_URL": "web", "DATABASE_OWNER_URL": "owner", "SECRET_KEY": "key"})
    given = {"DATABASE_URL": "postgres://elsewhere/theirs"}
    fill_environment(given)
    assert given == {"DATABASE_URL": "postgres://elsewhere/theirs", "SECRET_KEY": "key"}


def test_a_child_that_dies_is_started_again_after_a_pause(capfd: pytest.CaptureFixture[str]) -> None:
    child = Child("clock", [sys.executable, "-c", "import time; time.sleep(9)"], os.environ)
    child.start()
    assert child.process is not None
    first = child.process
    first.kill()
    first.wait()
    give_up = time.monotonic() + 10
    while (child.process is None or child.process is first) and time.monotonic() < give_up:
        child.look()
        time.sleep(0.05)
    assert child.process is not None
    assert child.process.poll() is None
    assert child.process is not first
    assert "The clock ended (code -9); starting it again in 1 s." in capfd.readouterr().out
    stop_all([child])
    assert child.process is None


def test_what_a_killed_supervisor_left_is_found_and_ended(home: Home) -> None:
    sleep = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(9)"]
    ours = subprocess.Popen(sleep, env={**os.environ, MARK: str(home.path)}, stdout=subprocess.PIPE)
    others = subprocess.Popen(sleep, env={**os.environ, MARK: "another home"}, stdout=subprocess.PIPE)
    with ours, others:
        for process in (ours, others):
            assert process.stdout is not None
            assert process.stdout.readline() == b"up\n"
        assert end_leftovers(home.path) == 1
        assert ours.poll() is not None
        assert others.poll() is None
        others.kill()
