"""Free tables: people sit down where they like, and the last seat opens the match; one place at a time (E8)."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from games import wording
from games.engine.game import Length, list_seats
from games.lobby import actions, queries
from games.lobby.actions import LobbyRefused, SetupRefused
from games.models import FreeSeat, FreeTable, Match, Seat
from games.selectors import build_record
from games.sweep import Sweep
from players.models import Player
from players.names import MAX_NAME_CHARACTERS
from players.services import house
from players.services.close_account import close_account
from players.services.hide_name import hide_name
from tests.support.lobby import begin_at, finish_by_forfeit, open_free_table, sit_down_at
from tests.support.people import create_person, take_house
from tests.support.tables import again, opened

pytestmark = pytest.mark.django_db


def refused(call: Any) -> str:
    with pytest.raises(LobbyRefused) as error:
        call()
    assert wording.describe_lobby_refusal(error.value.code)
    return error.value.code


def names(match: Match) -> dict[int, str]:
    return dict(Seat.objects.filter(match=match).values_list("number", "player__name"))


@pytest.mark.rule("G2")
def test_people_choose_their_seats_and_the_last_one_opens_the_match(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    table = open_free_table(anna, now)
    assert sit_down_at(table, bruno, 2, now) is None, "facing her: her partner"
    assert sit_down_at(table, carla, 1, now) is None
    assert Match.objects.count() == 0
    match = sit_down_at(table, dino, 3, now)
    assert match is not None
    assert names(match) == {0: "Anna", 1: "Carla", 2: "Bruno", 3: "Dino"}
    assert (match.context, match.ruleset, match.players, match.turn_timeout, match.match_clock) == (
        "free", "tresette", 4, 30, None,
    )  # fmt: skip
    table.refresh_from_db()
    assert (table.state, table.match) == (FreeTable.State.STARTED, match)
    assert not FreeSeat.objects.exists()
    assert refused(lambda: sit_down_at(table, anna, 0, now)) == "table_gone"


def test_who_sits_may_move_and_get_up_and_the_first_who_is_left_is_the_host(
    anna: Player, bruno: Player, now: datetime
) -> None:
    table = open_free_table(anna, now)
    sit_down_at(table, anna, 3, now)
    sit_down_at(table, bruno, 0, now)
    assert refused(lambda: sit_down_at(table, anna, 0, now)) == "seat_gone"
    assert [(seat.number, seat.player.name) for seat in queries.list_occupants(table)] == [(3, "Anna"), (0, "Bruno")]
    assert refused(lambda: actions.fill(table_id=table.pk, by=bruno, now=now)) == "not_host"
    actions.leave(table_id=table.pk, player=anna, now=now)
    assert refused(lambda: actions.leave(table_id=table.pk, player=anna, now=now)) == "not_here"
    assert queries.describe_table(table, bruno).is_host
    actions.leave(table_id=table.pk, player=bruno, now=now)
    table.refresh_from_db()
    assert table.state == FreeTable.State.CLOSED
    assert queries.list_tables(None) == []
    assert refused(lambda: actions.fill(table_id=table.pk, by=bruno, now=now)) == "table_gone"


def test_four_people_with_the_longest_names_sit_down_together(now: datetime) -> None:
    four = [create_person(letter * MAX_NAME_CHARACTERS, now) for letter in "abcd"]
    table = open_free_table(four[0], now)
    for seat in (0, 1, 2):
        sit_down_at(table, four[seat], seat, now)
    match = sit_down_at(table, four[3], 3, now)
    assert match is not None
    match.full_clean(exclude=["first_dealer", "options"])
    assert match.title == " · ".join(player.name for player in four)


def test_the_host_fills_the_free_seats_with_players_of_the_house(anna: Player, bruno: Player, now: datetime) -> None:
    table = open_free_table(anna, now)
    sit_down_at(table, bruno, 2, now)
    match = actions.fill(table_id=table.pk, by=anna, now=now)
    assert match is not None
    seats = {seat.number: seat.player for seat in Seat.objects.filter(match=match).select_related("player")}
    assert (seats[0], seats[2]) == (anna, bruno)
    assert seats[1].is_house
    assert seats[3].is_house
    assert match.house_seats == 0b1010


@pytest.mark.rule("M3")
def test_three_sit_at_0_1_and_3_and_the_first_seat_plays_the_morto_too(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    table = open_free_table(anna, now, ruleset="tressette-accusa", players=3, length=Length("points", 11))
    places = queries.describe_table(table, anna).places
    assert [(place.number, place.line, place.morto) for place in places] == [(0, 0, True), (1, 1, False), (3, 1, False)]
    assert refused(lambda: sit_down_at(table, bruno, 2, now)) == "no_such_seat"
    sit_down_at(table, bruno, 3, now)
    match = sit_down_at(table, carla, 1, now)
    assert match is not None
    assert match.players == 3
    assert names(match) == {0: "Anna", 1: "Carla", 3: "Bruno"}


@pytest.mark.parametrize("seat", [-1, 4, 2**40])
def test_a_seat_that_is_not_there_is_refused(anna: Player, bruno: Player, now: datetime, seat: int) -> None:
    table = open_free_table(anna, now)
    assert refused(lambda: sit_down_at(table, bruno, seat, now)) == "no_such_seat"
    two = open_free_table(bruno, now, ruleset="scopa", players=2, length=Length("points", 11))
    assert list_seats(2) == (0, 1)
    assert two.state == FreeTable.State.OPEN


@pytest.mark.rule("E8")
def test_a_person_waits_in_one_place_and_in_none_while_they_play(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    table, other = open_free_table(anna, now), open_free_table(bruno, now)
    assert refused(lambda: sit_down_at(table, bruno, 1, now)) == "seated_elsewhere"
    assert refused(lambda: open_free_table(anna, now)) == "seated_elsewhere"
    opened([carla, dino], now)
    assert refused(lambda: sit_down_at(table, carla, 1, now)) == "seated_elsewhere"
    assert refused(lambda: open_free_table(dino, now)) == "seated_elsewhere"
    assert FreeSeat.objects.count() == 2
    actions.leave(table_id=other.pk, player=bruno, now=now)
    sit_down_at(table, bruno, 1, now)
    assert queries.find_own_table(bruno) == table


def test_without_the_guard_a_player_would_wait_while_they_play(
    anna: Player, carla: Player, dino: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_free_table(anna, now)
    opened([carla, dino], now)
    monkeypatch.setattr(actions, "require_nowhere", lambda player: None)
    sit_down_at(table, carla, 1, now)
    assert queries.find_own_table(carla) == table


@pytest.mark.rule("E8")
def test_who_plays_elsewhere_by_the_time_it_is_full_gives_their_seat_up(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    table = open_free_table(anna, now, ruleset="scopa", players=2, length=Length("points", 11))
    opened([anna, carla], now)  # the table of Bruno's tournament
    assert sit_down_at(table, bruno, 1, now) is None
    assert [seat.player for seat in queries.list_occupants(table)] == [bruno]
    assert actions.fill(table_id=table.pk, by=bruno, now=now) is not None


def test_a_busy_house_player_is_left_where_they_are(
    anna: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, free = take_house(count=2, now=now)
    assert Player.objects.count() == 3
    monkeypatch.setattr(house, "_busy", [*house._busy, lambda: {busy.pk}])
    table = open_free_table(anna, now, ruleset="scopa", players=2, length=Length("points", 11))
    match = actions.fill(table_id=table.pk, by=anna, now=now)
    assert match is not None
    assert Seat.objects.filter(match=match, player=free).exists()


def test_nobody_comes_and_the_sweep_closes_it_and_forgets_it(anna: Player, bruno: Player, now: datetime) -> None:
    table = open_free_table(anna, now)
    later = now + timedelta(minutes=20)
    sit_down_at(table, bruno, 1, later)
    clock = [now + timedelta(minutes=31)]
    sweep = Sweep(lambda: clock[0])
    assert sweep.round() == 0, "somebody sat down meanwhile"
    clock[0] = later + actions.STALE_AFTER
    assert sweep.round() == 1
    table.refresh_from_db()
    assert table.state == FreeTable.State.CLOSED
    assert not FreeSeat.objects.exists()
    assert not actions.expire(table_id=table.pk, now=clock[0])
    clock[0] += actions.FORGET_AFTER
    sweep.round()
    assert not FreeTable.objects.exists()


def test_a_closed_account_leaves_its_seat(anna: Player, bruno: Player, now: datetime) -> None:
    table = open_free_table(anna, now)
    sit_down_at(table, bruno, 1, now)
    close_account(player_id=anna.pk, now=now)
    assert queries.describe_table(table, bruno).is_host


@pytest.mark.rule("G8")
def test_at_a_free_table_both_clocks_may_be_off(anna: Player, now: datetime) -> None:
    table = open_free_table(anna, now, turn_timeout=None, match_clock=None)
    match = actions.fill(table_id=table.pk, by=anna, now=now)
    assert match is not None
    assert (match.turn_timeout, match.match_clock) == (None, None)


@pytest.mark.rule("V4", "T9", "T10", "G11")
@pytest.mark.parametrize(
    ("changed", "about"),
    [
        ({"ruleset": "burraco"}, "ruleset"),
        ({"players": 3}, "players"),
        ({"length": Length("points", 102)}, "length"),
        ({"length": Length("deals", 21)}, "length"),
        ({"length": Length("points", 0)}, "length"),
        ({"length": Length("deals", 4), "options": {"vinco_subito": True}}, "vinco_subito"),
        ({"players": 2, "options": {"dichiarazioni": True}}, "dichiarazioni"),
        ({"players": 2, "options": {"carte_scoperte": True}}, "carte_scoperte"),
        ({"options": {"onori": True}}, "onori"),
        ({"options": {"accuso": 1}}, "accuso"),
        ({"options": {"accuso": "sì"}}, "accuso"),
        ({"options": {"ko_tie": "monetina"}}, "ko_tie"),
    ],
)
def test_a_match_that_cannot_be_played_so_is_refused_where_it_is_wrong(
    anna: Player, now: datetime, changed: dict[str, Any], about: str
) -> None:
    with pytest.raises(SetupRefused) as error:
        open_free_table(anna, now, **changed)
    assert error.value.fault.about == about
    assert wording.describe_setup_fault(about, error.value.fault.code, error.value.fault.allowed)
    assert not FreeTable.objects.exists()


@pytest.mark.rule("V4")
def test_a_free_table_may_have_any_length(anna: Player, bruno: Player, now: datetime) -> None:
    assert open_free_table(anna, now, length=Length("points", 101)).length_value == 101
    assert open_free_table(bruno, now, length=Length("deals", 20)).length_value == 20


@pytest.mark.rule("T6")
def test_cappotto_is_for_free_tables(anna: Player, now: datetime) -> None:
    table = open_free_table(anna, now, options={"cappotto": True})
    match = actions.fill(table_id=table.pk, by=anna, now=now)
    assert match is not None
    assert match.options == {"cappotto": True}


@pytest.mark.parametrize("gone", ["closed", "hidden"])
def test_a_name_that_is_gone_stands_in_no_title_either(
    anna: Player, bruno: Player, carla: Player, now: datetime, gone: str
) -> None:
    match = finish_by_forfeit(begin_at([anna, bruno], now), 0, now)
    other = begin_at([bruno, carla], now)
    assert match.title == "Anna · Bruno"
    name = None
    if gone == "closed":
        close_account(player_id=anna.pk, now=now)
    else:
        name = hide_name(player_id=anna.pk, now=now)
    match.refresh_from_db()
    anna.refresh_from_db()
    assert name in (None, anna.name)
    assert match.title == f"{anna.name} · Bruno" != "Anna · Bruno"
    assert "Anna" not in json.dumps(build_record(match))
    assert again(other).title == "Bruno · Carla"
