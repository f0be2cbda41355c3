"""The house in people's stead, over real sockets and with a real worker: a seat is taken over and given back; training
has a hint and two cards taken back, and a record that replays."""

import json
from collections.abc import Callable
from datetime import datetime
from io import StringIO
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from websockets.sync.client import ClientConnection

from games.engine.game import Length
from games.models import Match, Move
from games.services import seating
from games.training.actions import begin_training
from players.models import Player
from tests.support.live import Site
from tests.support.people import create_person, sign_in
from tests.support.sockets import open_socket, receive

pytestmark = [pytest.mark.process("flows")]

Json = dict[str, Any]


class Table:
    """One player's socket at a table, and the last view it was sent."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.view: Json = {}
        self.ids = 0

    def send(self, kind: str, **fields: object) -> str:
        self.ids += 1
        self.socket.send(json.dumps({"t": kind, "id": f"{kind}-{self.ids}", **fields}))
        return f"{kind}-{self.ids}"

    def wait(self, until: Callable[[Json], bool]) -> Json:
        """Return the first view that is so, the last one included."""
        while not (self.view and until(self.view)):
            self.take(receive(self.socket))
        return self.view

    def answer(self, about: str) -> Json:
        """Return the answer to an action."""
        while (frame := receive(self.socket)).get("id") != about:
            self.take(frame)
        return frame

    def take(self, frame: Json) -> None:
        assert frame["t"] != "error", frame
        if frame["t"] == "view":
            self.view = frame

    def play(self, move: str) -> None:
        version = self.view["v"]
        assert self.answer(self.send("move", v=version, move=move))["t"] == "ack"
        self.wait(lambda view: view["v"] > version)


def plays(view: Json) -> list[str]:
    return [move["move"] for move in view["legal"] if move["verb"] == "play"]


@pytest.fixture
def people(transactional_db: None) -> tuple[Player, Player]:
    now = timezone.now()
    return create_person("Anna", now), create_person("Bruno", now)


def test_a_seat_is_taken_over_after_a_timeout_and_given_back(
    live_site: Site, celery_worker: Popen[bytes], people: tuple[Player, Player]
) -> None:
    anna, bruno = people
    match = seating.open_match(
        ruleset="scopa",
        length=Length("deals", 1),
        context="free",
        options={},
        players=[anna, bruno],
        turn_timeout=2,
        match_clock=None,
        noshow_after=600,
        first_dealer=1,
        title="Anna · Bruno",
        absence=Match.Absence.HOUSE,
        now=timezone.now(),
    )
    path = f"/ws/tavolo/{match.public_id}/"
    with open_socket(live_site, sign_in(anna), path) as one, open_socket(live_site, sign_in(bruno), path) as two:
        table, other = Table(one), Table(two)
        table.wait(lambda view: view["status"] == "playing" and view["turn"] == 0)
        assert other.wait(lambda view: view["away"] == [0])["absence"] == "house"
        played = table.wait(lambda view: view["away"] == [0] and view["turn"] == 1)
        assert played["hands"][0]["count"] == 2, "the house played for her"
        assert table.answer(table.send("return"))["t"] == "ack"
        assert table.wait(lambda view: view["away"] == [])["status"] == "playing"
        own = other.wait(lambda view: view["away"] == [] and view["turn"] == 1)
        other.play(plays(own)[0])
        mine = table.wait(lambda view: view["turn"] == 0 and view["clock"]["ends"] is not None)
        table.play(plays(mine)[0])
    assert not Move.objects.filter(text__endswith="timeout").exists()


@pytest.mark.rule("B7")
def test_training_with_a_hint_and_two_cards_taken_back_has_a_record_that_replays(
    live_site: Site, celery_worker: Popen[bytes], people: tuple[Player, Player], tmp_path: Path
) -> None:
    anna, _bruno = people
    now: datetime = timezone.now()
    match = begin_training(
        player=anna,
        ruleset="scopa",
        players=2,
        length=Length("deals", 1),
        options={},
        turn_timeout=None,
        match_clock=None,
        strength="club",
        now=now,
    )
    client = sign_in(anna)
    with open_socket(live_site, client, f"/ws/tavolo/{match.public_id}/") as socket:
        table = Table(socket)
        for _time in range(2):
            mine = table.wait(lambda view: view["status"] == "playing" and view["turn"] == 0)
            hint = table.answer(table.send("hint", v=mine["v"]))
            assert (hint["t"], hint["v"]) == ("hint", mine["v"])
            assert hint["moves"][-1]["move"] in plays(mine)
            table.play(plays(mine)[0])
            theirs = table.wait(lambda view: view["turn"] == 0)
            assert table.answer(table.send("takeback", v=theirs["v"]))["t"] == "ack"
            again = table.wait(lambda view, before=theirs["v"]: view["v"] > before)
            assert (again["hands"], again["table"], again["stock"]) == (mine["hands"], mine["table"], mine["stock"])
        table.play(hint["moves"][-1]["move"])
        table.wait(lambda view: view["turn"] == 0)
        table.send("abandon", confirm=True)
        over = table.wait(lambda view: view["result"] is not None)
        assert over["result"]["decided_by"] == "set_aside"
    record = client.get(reverse("match-record", args=[match.public_id])).content
    file, out = tmp_path / "record.json", StringIO()
    file.write_bytes(record)
    call_command("replay", str(file), stdout=out)
    verdict = json.loads(out.getvalue())
    assert (verdict["ok"], verdict["complete"]) == (True, False)
    stands = [text.partition(" ") for text in json.loads(record)["deals"][0]["moves"]]
    assert [move for seat, _, move in stands if seat == "0"] == [hint["moves"][-1]["move"]], "two cards were taken back"
    dealer = json.loads(record)["first_dealer"]
    # The lot says who begins (G3): the house plays before her or not.
    assert [seat for seat, _, _ in stands] == (["0", "1"] if dealer == 1 else ["1", "0", "1"])
    assert len(stands) < Move.objects.filter(match=match).count()
