"""The figures of a process: given to whoever has the token, to nobody else, and true."""

import math
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from prometheus_client import REGISTRY

from config.exposition import MetricsEndpoint, measure_tables, serve_worker
from games.clocks import GRACE
from games.selectors import OVERDUE, count_overdue, count_running
from players.broadcast import publish
from players.models import Player
from players.realtime import db_executor
from tests.support.live import Site
from tests.support.sockets import open_page_socket
from tests.support.tables import again, play, seated
from tests.support.waiting import PATIENCE, until

TOKEN = "5a3f9c0e7b1d4826a8c6e2f40b9d7351"
LABELS = {"kind", "outcome", "thought", "thread"}  # of ours: none can name a person, a table or a card


def figure(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def ask(endpoint: MetricsEndpoint, path: str, authorization: str | None, method: str = "GET") -> tuple[int, str]:
    headers = [] if authorization is None else [(b"authorization", authorization.encode("latin-1"))]
    scope = {"type": "http", "method": method, "path": path, "headers": headers, "query_string": b""}
    communicator = ApplicationCommunicator(endpoint, scope)
    await communicator.send_input({"type": "http.request"})
    start = await communicator.receive_output(10)
    body = await communicator.receive_output(10)
    return start["status"], body["body"].decode()


async def site(scope: Any, receive: Any, send: Any) -> None:
    """Stand for all that is behind: it answers 418."""
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"behind"})


@pytest.fixture
def database(transactional_db: None) -> Iterator[None]:
    yield
    db_executor.shut_down()


async def test_whoever_has_the_token_is_told_the_figures(database: None) -> None:
    status, body = await ask(MetricsEndpoint(site, TOKEN), "/metrics", f"Bearer {TOKEN}")
    assert status == 200
    assert "\nsmazzata_tables_running 0.0\n" in body
    assert "\nsmazzata_ack_seconds_bucket" in body
    assert "\nprocess_open_fds " in body


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer ", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer \xe9"]
)
async def test_whoever_has_not_learns_nothing_and_costs_no_query(authorization: str | None) -> None:
    assert await ask(MetricsEndpoint(site, TOKEN), "/metrics", authorization) == (404, "")


@pytest.mark.parametrize("authorization", [None, "Bearer ", "Bearer", f"Bearer {TOKEN}"])
async def test_without_a_token_nobody_is_told(authorization: str | None) -> None:
    assert await ask(MetricsEndpoint(site, ""), "/metrics", authorization) == (404, "")


async def test_all_else_is_the_sites() -> None:
    for path in ("/", "/metrics/", "/metrics2"):
        assert await ask(MetricsEndpoint(site, TOKEN), path, f"Bearer {TOKEN}") == (418, "behind")
    assert (await ask(MetricsEndpoint(site, TOKEN), "/metrics", f"Bearer {TOKEN}", "POST"))[0] == 404


def fetch(url: str, token: str) -> tuple[int, str]:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_a_worker_tells_its_own_at_a_port_of_its_own() -> None:
    with serve_worker("127.0.0.1", 0, TOKEN) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        status, body = fetch(f"{url}/metrics", TOKEN)
        assert (status, "\n# TYPE smazzata_sweep_round_seconds histogram" in body) == (200, True)
        assert fetch(f"{url}/metrics", TOKEN.upper()) == (404, "")
        assert fetch(f"{url}/", TOKEN) == (404, "")
        server.shutdown()


def test_a_port_that_is_taken_is_an_error_and_no_silence() -> None:
    with serve_worker("127.0.0.1", 0, TOKEN) as server:
        with pytest.raises(OSError, match="in use"):
            serve_worker("127.0.0.1", server.server_port, TOKEN)
        server.shutdown()


def test_no_figure_can_have_a_person_in_it(db: None) -> None:
    """Read what was counted until now: a figure has no samples before."""
    ours = [metric for name, metric in REGISTRY._names_to_collectors.items() if name.startswith("smazzata_")]
    assert len(ours) > 5
    assert {label for metric in ours for label in getattr(metric, "_labelnames", ())} == LABELS


# --- What they count -----------------------------------------------------------------------------------------------


def test_a_table_is_overdue_once_it_is_later_than_the_sweep_ever_is(
    db: None, anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now)
    deadline = again(match).deadline_at
    assert deadline is not None
    late = deadline + GRACE + OVERDUE
    assert (count_running(), count_overdue(late - timedelta(microseconds=1)), count_overdue(late)) == (1, 0, 1)


def test_moves_are_counted_whoever_stored_them(db: None, anna: Player, bruno: Player, now: datetime) -> None:
    match, before = seated([anna, bruno], now), figure("smazzata_moves_total")
    play(match, now)
    assert figure("smazzata_moves_total") >= before + 1


def test_figures_of_the_database_are_not_made_up_while_it_is_away() -> None:
    measure_tables()  # without the fixture there is no database
    assert math.isnan(figure("smazzata_tables_running"))
    assert math.isnan(figure("smazzata_tables_overdue"))


def test_open_sockets_and_hints_are_counted(live_site: Site, anna: Player) -> None:
    before, sent = figure("smazzata_sockets_open", kind="PersonConsumer"), figure("smazzata_hints_sent_total")
    with open_page_socket(live_site, anna):
        assert figure("smazzata_sockets_open", kind="PersonConsumer") == before + 1
        publish("nobody", {"type": "changed", "v": 1})
        until(lambda: figure("smazzata_hints_sent_total") > sent, what="the hint to be taken")
    until(lambda: figure("smazzata_sockets_open", kind="PersonConsumer") == before, what="the socket to be gone")
