"""PostgreSQL set up as docs/deploy.md says writes no statement's values to its log, whatever happens (N2, AT4)."""

import os
import re
import signal
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from config.environment import BASE_DIR
from config.launcher import processes
from tests.services import MARK, PostgresServer
from tests.support.waiting import until

SETTINGS = (BASE_DIR / "docs" / "deploy" / "postgresql.sql").read_text()
DECK = "AdRdCdFd7d6d5d4d3d2d"


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server of its own: killing a backend throws everybody out."""
    folder = Path(tempfile.mkdtemp(prefix="log-", dir=os.environ[MARK]))  # where ``nobody`` may pass
    made = PostgresServer(folder)
    process = made.start()
    yield made
    processes.stop(process, patience=5)


def connect(server: PostgresServer, role: str, database: str = "cards") -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(host=str(server.folder), user=role, dbname=database, autocommit=True)


def make_role(server: PostgresServer, role: str, settings: str) -> None:
    with connect(server, "postgres", "postgres") as admin:
        admin.execute(f"CREATE ROLE {role} LOGIN")
        admin.execute(f"CREATE DATABASE cards_{role} OWNER {role}")
        admin.execute("ALTER SYSTEM SET log_min_duration_statement = 0")  # a server that logs slow statements: all
        admin.execute("ALTER SYSTEM SET deadlock_timeout = '10ms'")
        admin.execute("ALTER SYSTEM SET log_lock_waits = on")
        admin.execute("SELECT pg_reload_conf()")
        if settings:
            admin.execute(settings.replace("smazzata", role))


def suffer(server: PostgresServer, role: str) -> str:
    """Do what a server may write a statement for, values and all; what it wrote."""
    log = server.folder / "postgres.log"
    before = len(log.read_text())
    database = f"cards_{role}"
    with closing(connect(server, role, database)) as one, closing(connect(server, role, database)) as other:
        one.execute("CREATE TABLE deal (id int PRIMARY KEY, deck text CHECK (length(deck) < 80), number int NOT NULL)")
        one.execute(f"INSERT INTO deal VALUES (1, '{DECK}', 1)")
        for broken in (
            f"INSERT INTO deal VALUES (1, '{DECK}', 1)",
            f"INSERT INTO deal VALUES (2, '{DECK}', NULL)",
            f"INSERT INTO deal VALUES (3, '{DECK * 5}', 1)",
            f"SELECT '{DECK}' FROM nothing",
        ):
            with pytest.raises(psycopg.Error):
                one.execute(broken)
        with pytest.raises(psycopg.Error):
            one.execute("INSERT INTO deal VALUES (4, %s, NULL)", [DECK])
        with one.transaction():
            one.execute(f"UPDATE deal SET deck = '{DECK}' WHERE id = 1")
            other.execute("SET lock_timeout = '50ms'")
            with pytest.raises(psycopg.Error):
                other.execute(f"UPDATE deal SET deck = '{DECK}' WHERE id = 1")
        pid = one.info.backend_pid
        one.pgconn.send_query(f"SELECT pg_sleep(100), '{DECK}'".encode())
        until(lambda: _is_at_work(pid), what="the statement to run")
        os.kill(pid, signal.SIGKILL)
        until(lambda: f"(PID {pid}) was terminated by signal 9" in log.read_text(), what="the server to notice")
    until(lambda: "ready to accept connections" in log.read_text().rpartition("signal 9")[2], what="it to come back")
    return log.read_text()[before:]


def _is_at_work(pid: int) -> bool:
    return "SELECT" in Path(f"/proc/{pid}/cmdline").read_text()


def test_nothing_of_a_statement_is_in_the_log_of_a_server_set_up_as_the_page_says(server: PostgresServer) -> None:
    make_role(server, "anna", SETTINGS)
    written = suffer(server, "anna")
    assert "was terminated by signal 9" in written
    assert "ERROR:" not in written, "a lock that isn't waited for is no fault; the site says what is"
    assert DECK not in written


def test_without_those_settings_it_would_be(server: PostgresServer) -> None:
    make_role(server, "bruno", "")
    written = suffer(server, "bruno")
    ways = ("Failed process was running", "STATEMENT:", "Failing row contains", "duration:")
    assert [way for way in ways if not re.search(f"{way}.*{DECK}", written)] == []
