"""Calls over real sockets: what travels with a card, options chosen at the table, the opening window, the morto."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from games.engine.game import Length
from games.models import Match, Move
from players.models import Player, User
from tests.support.decks import dealt, load
from tests.support.live import Site
from tests.support.tables import opened
from tests.support.wire import AtTable, at_table

pytestmark = [pytest.mark.django_db(transaction=True)]

ANNA = "3d 2d Ad 3c 3b 4d 5d 6d 7d 4c"
TRESETTE = {
    "ruleset": "tresette",
    "options": {"accuso": True, "dichiarazioni": True},
    "length": Length("points", 31),
    "first_dealer": 3,
}


@pytest.fixture
def four(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]


@pytest.fixture
def sitting(live_site: Site, four: list[Player], monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Connect everybody at a table; gives the match and their sockets, in the order of their seats."""
    with ExitStack() as stack:

        def sit(
            players: list[Player], *hands: str, by_fives: bool = False, **chosen: Any
        ) -> tuple[Match, list[AtTable]]:
            load(monkeypatch, dealt(*hands, by_fives=by_fives))
            match = opened(players, timezone.now(), **{**TRESETTE, **chosen})
            sockets = [stack.enter_context(at_table(live_site, match, player)) for player in players]
            for socket in sockets:
                socket.view(lambda view: view["status"] == "playing")
            return match, sockets

        yield sit


def record(match: Match) -> list[str]:
    return list(Move.objects.filter(match=match).order_by("version").with_results().values_list("text", flat=True))


def options(socket: AtTable, *automatic: str) -> Any:
    return socket.ask({"t": "options", "id": str(uuid4()), "automatic": list(automatic)})


def move(socket: AtTable, text: str, **more: Any) -> Any:
    return socket.ask({"t": "move", "id": str(uuid4()), "v": socket.seen["v"], "move": text, **more})


@pytest.mark.rule("X1", "T5", "T10")
def test_calls_travel_with_a_card_and_everybody_hears_them(sitting: Any, four: list[Player]) -> None:
    match, sockets = sitting(four, ANNA, "", "", "")
    annas, _, carlas, _ = sockets
    assert [call["arg"] for call in carlas.seen["said"]] == ["3x3+napoletana:d"]
    lone = move(annas, "declare d ho")
    assert (lone["t"], lone["code"]) == ("error", "goes_with_card")
    assert lone["message"]
    ack = move(annas, "play 3d", **{"with": ["declare d per-te+ho"]})
    assert ack["t"] == "ack"
    heard = carlas.view(lambda view: view["v"] == ack["v"])["said"][-1]
    call = {"seat": 0, "verb": "declare", "arg": "d per-te+ho", "cards": ["3d", "2d", "Ad"], "held": 7}
    assert heard == {**call, "trick": 0, "place": 0}
    assert record(match)[1:3] == ["0 declare d per-te+ho", "0 play 3d"]


@pytest.mark.rule("X1", "T5")
def test_options_chosen_at_the_table_are_true_at_once(sitting: Any, four: list[Player]) -> None:
    User.objects.filter(player=four[0]).update(auto_accuso=False)
    match, sockets = sitting(four, ANNA, "", "", "")
    annas, brunos = sockets[:2]
    assert annas.seen["automatic"] == ["out", "declare"]
    version = annas.seen["v"]
    assert options(annas, "declare")["v"] == version
    assert annas.showing(lambda view: view["automatic"] == ["declare"])["v"] == version
    ack = options(annas, "accuso", "declare")
    assert ack["v"] == version + 1
    assert annas.showing(lambda view: view["v"] == ack["v"])["automatic"] == ["accuso", "declare"]
    heard = brunos.view(lambda view: view["v"] == ack["v"])
    assert (heard["automatic"], heard["credited"]) == (["out", "accuso", "declare"], [6, 0])
    assert User.objects.get(player=four[0]).auto_accuso
    assert record(match) == ["0 accuso 3x3+napoletana:d"]


@pytest.mark.rule("X1")
def test_a_spectator_has_no_options(live_site: Site, sitting: Any, four: list[Player]) -> None:
    match, _ = sitting(four, "", "", "", "", context="free")
    with at_table(live_site, match) as visitor:
        assert visitor.view()["automatic"] == []
        assert options(visitor, "out")["code"] == "not_seated"


CROOKED: list[dict[str, Any]] = [
    {"t": "options", "id": "x"},
    {"t": "options", "id": "x", "automatic": "out"},
    {"t": "options", "id": "x", "automatic": ["out", "out"]},
    {"t": "options", "id": "x", "automatic": ["play"]},
    {"t": "options", "id": "x", "automatic": [None]},
    {"t": "options", "id": "x", "automatic": [["out"]]},
    {"t": "options", "automatic": []},
    {"t": "options", "id": "x", "automatic": [], "v": 1},
    {"t": "move", "id": "x", "v": 1, "move": "play 3d", "with": None},
    {"t": "move", "id": "x", "v": 1, "move": "play 3d", "with": "declare d ho"},
    {"t": "move", "id": "x", "v": 1, "move": "play 3d", "with": [1]},
    {"t": "move", "id": "x", "v": 1, "move": "play 3d", "with": [""]},
    {"t": "move", "id": "x", "v": 1, "move": "play 3d", "with": ["x" * 81]},
    {"t": "move", "id": "x", "v": 1, "move": "play 3d", "with": ["declare d ho"] * 5},
    {"t": "move", "id": "x", "v": 1, "move": "out", "with": []},
    {"t": "move", "id": "x", "v": 1, "with": []},
    {"t": "move", "id": "x", "v": 1, "move": "play 3d", "with": [], "more": 1},
]


def test_a_frame_that_is_none_is_refused(sitting: Any, anna: Player, bruno: Player) -> None:
    _, (annas, _) = sitting([anna, bruno], "", "", options={}, first_dealer=1)
    for frame in CROOKED:
        annas.send(frame)
        assert annas.until(lambda answer: answer["t"] == "error")["code"] == "malformed", frame
        annas.answers()


@pytest.mark.rule("C2", "C5")
def test_before_the_first_card_everybody_may_call_and_nobody_play(sitting: Any, four: list[Player]) -> None:
    classico = {"ruleset": "tressette-classico", "options": {"onori": True}}
    poor = "4d 5d 6d 7d 4c 5c 6c 7c 4b 5b"
    match, (annas, brunos, carlas, _) = sitting(four, "", "", poor, "", **classico)
    assert annas.seen["opening"]["until"] > annas.seen["now"]
    play = next(legal_move["move"] for legal_move in annas.seen["legal"] if legal_move["verb"] == "play")
    assert move(annas, play)["code"] == "calls_open"
    assert [legal_move["move"] for legal_move in carlas.seen["legal"]] == ["redeal"]
    ack = move(carlas, "redeal")
    assert ack["t"] == "ack"
    again = brunos.view(lambda view: view["v"] == ack["v"])
    assert again["deal"]["redealt"] == {"seat": 2}
    assert again["opening"]["until"] > annas.seen["opening"]["until"]
    assert record(match) == ["2 redeal"]


@pytest.mark.rule("M3")
def test_who_is_alone_plays_the_morto_over_the_same_socket(sitting: Any, four: list[Player]) -> None:
    hands = ("", "", "4d", "")
    accusa = {"ruleset": "tressette-accusa", "options": {}, "length": Length("points", 11), "context": "free"}
    match, (annas, brunos, _) = sitting(four[:3], *hands, by_fives=True, **accusa)
    assert annas.seen["turn"] == 2
    assert {legal_move["seat"] for legal_move in annas.seen["legal"]} == {2}
    assert brunos.seen["legal"] == []
    assert move(brunos, "play 4d")["t"] == "error"
    assert move(annas, "play 4d")["t"] == "ack"
    assert "2 play 4d" in record(match)
