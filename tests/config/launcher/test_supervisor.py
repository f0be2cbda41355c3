"""``make run``: one command that starts everything, keeps it alive, stops it, and says in one sentence why it can't.

A start takes some seconds of a processor, so the tests share two: the first as on one machine, on a database, a Redis
and an address of its own; the second on the same data, but given a database and a Redis, and for a network.
"""

import json
import os
import shutil
import signal
import socket
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest

from config.environment import read_environment
from config.launcher import install, redis_server
from config.launcher.supervisor import Supervisor
from tests.support.lan import ask_from, find_lan_addresses
from tests.support.product import MARKS, ROOT, Product, find_port, running, started
from tests.support.thorough import THOROUGH, tries
from tests.support.waiting import PATIENCE, until


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The product of the first start. Its data are prepared as at any start but the very first, which `make soak` and
    `make bare` try."""
    with running(tmp_path_factory.mktemp("product") / "data", fresh=THOROUGH) as first:
        yield first


@pytest.fixture(scope="module")
def before(product: Product) -> set[str]:
    """The tournaments of the first start."""
    return read_tournaments(product.data_dir / "smazzata.sqlite3")


@pytest.fixture(scope="module")
def elsewhere(product: Product, before: set[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of the second start: that of the first, which was killed without a word, moved away."""
    check_the_end(product, signal.SIGKILL)
    folder = tmp_path_factory.mktemp("elsewhere")
    for file in product.data_dir.glob("smazzata.sqlite3*"):
        shutil.move(file, folder)
    return folder / "smazzata.sqlite3"


@pytest.fixture(scope="module")
def for_a_network(product: Product, elsewhere: Path) -> Iterator[Product]:
    """The product of the second start."""
    given = {"DATABASE_URL": f"sqlite:///{elsewhere}", "REDIS_URL": os.environ["REDIS_URL"], "REDIS_PREFIX": "second"}
    with running(product.data_dir, env={"HOST": "0.0.0.0", "PLAIN_NETWORK": "0", **given}) as second:
        yield second


def body(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def gone(processes: dict[str, psutil.Process]) -> bool:
    return not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes.values())


def test_it_prints_one_address_and_answers_there(product: Product) -> None:
    assert product.said.read_text() == f"Smazzata is ready: {product.url}/\n"
    assert body(f"{product.url}/healthz") == "ok"
    until(lambda: set(product.children()) == set(MARKS), what="every process")


def test_its_worker_has_the_beat_in_it(product: Product) -> None:
    log = product.data_dir / "log" / "worker.log"
    until(lambda: "celery.beat: Scheduler: Sending due task" in log.read_text(), what="the first task")
    until(lambda: list(product.data_dir.glob("beat-schedule*")), what="what ran when to be remembered")


def test_its_worker_watches_the_front_door_and_a_deaf_site_is_noted_at9(product: Product) -> None:
    """The web process is stopped, not killed: its address takes connections, and nobody answers."""

    def count_silence() -> float:
        with closing(sqlite3.connect(product.data_dir / "smazzata.sqlite3")) as database:
            row = database.execute("SELECT beat_at FROM games_liveness WHERE kind = 'door'").fetchone()
        if row is None:
            return float("inf")
        return (datetime.now(UTC) - datetime.fromisoformat(row[0]).replace(tzinfo=UTC)).total_seconds()

    until(lambda: count_silence() < 2, what="the worker to reach the site")
    web = product.children()["web"]
    web.suspend()
    try:
        until(lambda: count_silence() > 4, what="the outage to be noted")
    finally:
        web.resume()
    until(lambda: count_silence() < 2, what="the site to be reached again")
    log = product.data_dir / "log" / "worker.log"
    until(lambda: "door was away" in log.read_text(), what="the log to tell of it")  # after the commit


def test_it_serves_static_files_under_hashed_names(product: Product) -> None:
    manifest = json.loads((product.data_dir / "static" / "staticfiles.json").read_text())["paths"]
    hashed = manifest["css/everywhere.css"]
    assert hashed != "css/everywhere.css"
    assert f"/static/{hashed}" in body(product.url)
    deck = manifest["cards/napoletane.svg"]
    assert deck != "cards/napoletane.svg"
    for file in (hashed, deck):
        with urllib.request.urlopen(f"{product.url}/static/{file}", timeout=PATIENCE) as answer:
            assert "immutable" in answer.headers["Cache-Control"]


def test_a_missing_page_shows_nothing_of_the_code(product: Product) -> None:
    with pytest.raises(urllib.error.HTTPError) as error:
        body(f"{product.url}/non-esiste/")
    with error.value as answer:
        text = answer.read().decode()
    assert answer.code == 404
    assert "urlpatterns" not in text
    assert "Traceback" not in text


@pytest.mark.parametrize("name", tries(("redis", "web"), tuple(MARKS)))  # the worker starts as the web does
def test_a_killed_child_is_started_again_and_the_site_goes_on(product: Product, name: str) -> None:
    victim = product.children()[name]
    others = {other: process.pid for other, process in product.children().items() if other != name}

    victim.kill()

    def back() -> bool:
        new = product.children().get(name)
        return new is not None and new.pid != victim.pid

    until(back, what=f"another {name}")
    until(product.up, what="the site to answer")
    assert {other: product.children()[other].pid for other in others} == others
    assert f"The process {name} stopped" in product.complaints.read_text()


def test_a_second_instance_on_the_same_data_is_refused(product: Product) -> None:
    with started(product.data_dir, port=find_port()) as second:
        assert second.wait() == 1
        assert "already running on the data in" in second.complaints.read_text()
    assert product.up()


def check_the_end(product: Product, number: signal.Signals) -> None:
    """Check that it ends at the signal, with its children."""
    children = product.children()
    product.supervisor.send_signal(number)
    assert product.wait() == (-signal.SIGKILL if number == signal.SIGKILL else 0)
    until(lambda: gone(children), what="every child to end")


def read_tournaments(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as database:
        return {row[0] for row in database.execute("SELECT public_id FROM tournaments_tournament")}


# --- The second start: what follows has ended the first ---------------------------------------------------------------


def test_what_was_killed_leaves_nothing_running_and_its_data_to_the_next_start(
    product: Product, before: set[str], elsewhere: Path, for_a_network: Product
) -> None:
    assert not product.up()
    assert for_a_network.up()
    assert before
    assert before <= read_tournaments(elsewhere)


def test_given_a_database_and_a_redis_it_starts_no_server_of_its_own(for_a_network: Product) -> None:
    """The database is another file here; the layout of docs/deploy.md runs on PostgreSQL (test_deployment.py)."""
    assert set(for_a_network.children()) == {"web", "worker"}
    assert not list(for_a_network.data_dir.glob("*.sqlite3"))


@pytest.mark.rule("O9")
def test_make_run_for_a_network_closes_the_accounts_to_it_o9(for_a_network: Product) -> None:
    local = f"http://localhost:{for_a_network.port}/"
    until(lambda: local in for_a_network.complaints.read_text(), what="the address for whoever logs in")
    assert ask_from(for_a_network, "/account/login/") == 200
    assert ask_from(for_a_network, "/account/login/", x_forwarded_for="192.168.1.30") == 403
    for source in find_lan_addresses():
        assert ask_from(for_a_network, "/account/login/", source) == 403
        assert ask_from(for_a_network, "/", source) == 200


@pytest.mark.long("it ends the processes of the second start, whose time is counted here")
def test_nothing_is_left_when_it_is_told_to_end(for_a_network: Product) -> None:
    check_the_end(for_a_network, signal.SIGINT)


# --- Starts that are refused ------------------------------------------------------------------------------------------


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with started(tmp_path / "data", port=taken.getsockname()[1]) as product:
            assert product.wait() == 1
            complaints = product.complaints.read_text()
    assert complaints.count("\n") == 1
    assert f"Port {product.port} is taken by another program" in complaints


BROKEN = {
    "PORT": ("abc", "PORT must be a whole number"),
    "WEB_WORKERS": ("0", "WEB_WORKERS must be a whole number from 1"),
    "HTTPS": ("perhaps", "HTTPS must be 1 or 0"),
    "HOST": ("198.51.100.7", "HOST=198.51.100.7 is not an address of this machine"),
    "DATABASE_URL": ("junk", "DATABASE_URL must look like postgres://"),
    "REDIS_URL": ("localhost", "REDIS_URL must look like redis://"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_setting_is_one_sentence_that_names_it(tmp_path: Path, name: str) -> None:
    value, sentence = BROKEN[name]
    with started(tmp_path / "data", env={name: value}) as product:
        assert product.wait() in (1, 2)
        complaints = product.complaints.read_text()
    assert complaints.count("\n") == 1
    assert sentence in complaints


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
def test_a_server_that_does_not_answer_is_one_sentence_that_names_the_setting(tmp_path: Path, name: str) -> None:
    address = {"DATABASE_URL": "postgres://anna@127.0.0.1:{}/club", "REDIS_URL": "redis://127.0.0.1:{}/0"}[name]
    with started(tmp_path / "data", env={name: address.format(find_port())}) as product:
        assert product.wait() == 1
        complaints = product.complaints.read_text()
    assert complaints.count("\n") == 1
    assert name in complaints


def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with started(tmp_path / "data", env={"DATA_DIR": str(blocked / "data")}) as product:
        assert product.wait() == 1
        complaints = product.complaints.read_text()
    assert complaints.count("\n") == 1
    assert "DATA_DIR" in complaints


def test_where_there_is_no_redis_a_server_is_fetched_and_the_apt_line_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The installer here fetches nothing, as without a network."""
    installer = tmp_path / "install.py"
    installer.write_text(f"import sys; open({str(tmp_path / 'wanted')!r}, 'w').write(sys.argv[1])")
    monkeypatch.setattr(install, "__file__", str(installer))
    monkeypatch.setattr(redis_server, "find_bundled_server", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with socket.socket() as listening:
        supervisor = Supervisor(replace(read_environment(), data_dir=tmp_path / "data"), listening)
        with pytest.raises(redis_server.RedisNotStarted, match="sudo apt install redis-server"):
            supervisor.start_redis()
    assert (tmp_path / "wanted").read_text() == "requirements-redis.lock"
    assert (ROOT / "requirements-redis.lock").exists()
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "sudo apt install redis-server" in said
