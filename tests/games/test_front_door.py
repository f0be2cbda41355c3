"""The watch at the front door: a site that can't be reached is an outage, and outages are given back up to a point.

Guarantees AT9 and the fifth rule of turns and deadlines.
"""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from games import outages
from games.front_door import DoorWatch, knock
from games.models import Liveness, Match
from games.outages import DOOR, SWEEPER, Span
from games.services import referee, settlement
from players.models import Player
from tests.support.play import OPENING, open_ready, sit_down
from tests.support.tables import again, seated
from tests.support.tournaments import KO
from tournaments.entries import join
from tournaments.models import Tournament
from tournaments.organise import lifecycle

pytestmark = [pytest.mark.django_db]


def seconds(value: float) -> timedelta:
    return timedelta(seconds=value)


class Door(BaseHTTPRequestHandler):
    """Answers as a site does, or as a proxy whose site is gone."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/healthz" and self.server.open else 502)  # type: ignore[attr-defined]
        self.end_headers()

    def log_message(self, *_args: object) -> None:
        pass


@contextmanager
def site() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    server.open = True  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def address(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}"


def test_a_door_is_open_where_the_site_answers_and_shut_in_every_other_case_at9() -> None:
    with site() as server:
        assert knock(address(server))
        server.open = False  # type: ignore[attr-defined]
        assert not knock(address(server)), "the proxy answers for a site that is gone"
        assert not knock(address(server).replace("http:", "https:")), "no certificate"
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        assert not knock(f"http://127.0.0.1:{deaf.getsockname()[1]}", seconds=0.05), "it takes connections, and is deaf"
    assert not knock("http://127.0.0.1:1")


class Hour:
    """A clock that a test moves."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    return seated([anna, bruno], now, turn_timeout=30, match_clock=None)


def watch_shut_door(match: Match, now: datetime, until: float) -> DoorWatch:
    """A door reached at ``now`` and then shut, looked at every half second until so many seconds later."""
    hour = Hour(now)
    watch = DoorWatch("", hour)
    with site() as server:
        watch.url = address(server)
        assert watch.look()
    while hour.now < now + seconds(until):
        hour.now += seconds(0.5)
        watch.url = "http://127.0.0.1:1"
        assert not watch.look()
    return watch


def test_what_could_not_be_reached_is_an_outage_and_given_back_at9(match: Match, now: datetime) -> None:
    watch = watch_shut_door(match, now, 40)
    assert not settlement.expire_overdue(match_id=match.pk, now=now + seconds(40)), "the turn ended at 30"
    with site() as server:
        watch.url, watch.pulse._next = address(server), 0
        assert watch.look()
    assert again(match).deadline_at == now + seconds(30 + 40)
    assert not settlement.expire_overdue(match_id=match.pk, now=now + seconds(69))
    Liveness.objects.update(beat_at=now + seconds(71))
    assert settlement.expire_overdue(match_id=match.pk, now=now + seconds(71))


def test_where_nobody_watches_the_door_the_clocks_run_on_at9(
    match: Match, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "has_outage", lambda now: False)
    watch_shut_door(match, now, 40)
    assert settlement.expire_overdue(match_id=match.pk, now=now + seconds(40))


def test_a_door_that_was_never_reached_from_here_is_no_outage_at9(match: Match, now: datetime) -> None:
    watch = DoorWatch("http://127.0.0.1:1", Hour(now))
    assert not watch.look()
    assert not Liveness.objects.exists()
    assert settlement.expire_overdue(match_id=match.pk, now=now + seconds(31))


def test_a_door_that_stays_shut_stretches_no_clock_for_more_than_ten_minutes_at9(match: Match, now: datetime) -> None:
    watch_shut_door(match, now, 610)
    assert not Liveness.objects.filter(kind=DOOR).exists(), "given up, until somebody reaches it"
    assert seconds(600) <= again(match).deadline_at - now - seconds(30) <= seconds(605)
    assert settlement.expire_overdue(match_id=match.pk, now=now + seconds(640))


def test_one_slow_answer_is_no_outage(match: Match, now: datetime) -> None:
    outages.record_beat(DOOR, now)
    assert outages.record_beat(DOOR, now + seconds(3)) == seconds(0)
    assert not outages.has_outage(now + seconds(6))
    assert outages.has_outage(now + seconds(8))


# --- A minute a turn, ten minutes a match ----------------------------------------------------------------------------


@pytest.fixture
def refereed(anna: Player, bruno: Player, carla: Player, now: datetime) -> Match:
    """A table of Carla's tournament, being played."""
    settings = type(KO)(**{name: getattr(KO, name) for name in KO.__slots__} | {"max_entries": 2, "turn_timeout": 30})
    made = lifecycle.create_tournament(organiser=carla, settings=settings, now=now)
    lifecycle.publish_tournament(tournament_id=made.pk, by=carla, now=now)
    for player in (anna, bruno):
        join.enter_player(tournament_id=made.pk, player=player, now=now)
    (match,) = open_ready(made, now + OPENING)
    sit_down(match, now + OPENING)
    return again(match)


def version(match: Match) -> int:
    return Tournament.objects.get(rounds__fixtures__match=match).version


def test_after_a_minute_given_back_a_turns_clock_stands_until_a_referee_lets_it_run(refereed: Match) -> None:
    begun, ends = refereed.turn_from, refereed.deadline_at
    assert begun is not None
    assert ends is not None
    Liveness.objects.create(kind=SWEEPER, beat_at=begun + seconds(10))
    before = version(refereed)
    outages.record_beat(SWEEPER, begun + seconds(100))
    held = again(refereed)
    assert held.paused_at == begun + seconds(10 + 60)
    assert version(refereed) > before, "F4: the desk shows it at once"
    referee.resume(match_id=refereed.pk, now=begun + seconds(400))
    assert again(refereed).deadline_at == ends + seconds(400 - 10), "nothing of it was charged to anybody"


def test_after_ten_minutes_in_all_so_does_a_matchs(refereed: Match) -> None:
    Match.objects.filter(pk=refereed.pk).update(outage_ms=590_000)
    begun = refereed.turn_from
    assert begun is not None
    outages.extend_deadlines(Span(begun + seconds(1), begun + seconds(6)))
    assert (again(refereed).paused_at, again(refereed).outage_ms) == (None, 595_000)
    outages.extend_deadlines(Span(begun + seconds(10), begun + seconds(18)))
    assert again(refereed).paused_at == begun + seconds(15)


def test_a_table_without_a_referee_gets_all_of_it_back(match: Match, now: datetime) -> None:
    outages.extend_deadlines(Span(now + seconds(1), now + seconds(301)))
    assert (again(match).paused_at, again(match).deadline_at) == (None, now + seconds(330))
