"""Stakes at free tables: held while one sits, settled once with the result, reversed by an annulment (Z2, Z3)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games import wording
from games.chips import actions as chips
from games.chips import audit, queries
from games.engine.game import Length
from games.lobby import actions, rematches
from games.lobby.actions import LobbyRefused
from games.models import ChipAccount, ChipEntry, ChipHold, ChipTransfer, FreeTable, Match
from games.services import annulment, referee
from games.services.errors import NotStarted
from games.services.settlement import pass_result_on
from players.models import Player
from players.services.close_account import close_account
from players.signals import AccountBusy
from tests.support.chips import give_chips, play_golden, read_chips, read_held, sum_all
from tests.support.lobby import begin_at, finish_by_forfeit, open_free_table, sit_down_at
from tests.support.people import create_person

pytestmark = pytest.mark.django_db

Reason = ChipTransfer.Reason
SCOPA: dict[str, Any] = {"ruleset": "scopa", "players": 2, "length": Length("points", 11)}


@pytest.fixture
def four(anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime) -> list[Player]:
    return [give_chips(player, 100, now) for player in (anna, bruno, carla, dino)]


def refused(call: Any) -> str:
    with pytest.raises(LobbyRefused) as error:
        call()
    assert wording.describe_lobby_refusal(error.value.code)
    return error.value.code


@pytest.mark.rule("Z2", "Z3", "T6")
def test_a_cappotto_wins_a_second_stake_as_worked_out_by_hand(four: list[Player], now: datetime) -> None:
    """One deal with cappotto: the greatest loss is two stakes of 15, the match's and T6's; each of a pair pays both."""
    anna, bruno, carla, dino = four
    match = play_golden("tresette-4-cappotto", four, now, stake=15)
    assert (match.stakes_0, match.stakes_1) == (2, 0)
    assert read_chips(anna, carla) == [130, 130]
    assert read_chips(bruno, dino) == [70, 70]
    assert read_held(*four) == [0, 0, 0, 0]
    assert [(won.name, won.amount) for won in queries.list_winnings(match, anna)] == [
        ("Anna", 30), ("Bruno", -30), ("Carla", 30), ("Dino", -30),
    ]  # fmt: skip
    assert sum_all() == 0
    assert audit.find_differences() == []


@pytest.mark.rule("Z3", "C6")
@pytest.mark.parametrize(("record", "times"), [("classico-cappotto", 2), ("classico-stramazzone", 8)])
def test_special_victories_are_worth_their_multiples(
    four: list[Player], now: datetime, record: str, times: int
) -> None:
    match = play_golden(record, four, now, stake=3)
    line = 0 if match.stakes_0 else 1
    assert read_chips(*four) == [100 + 3 * times * (1 if seat % 2 == line else -1) for seat in range(4)]


@pytest.mark.rule("Z2", "M3")
def test_in_three_who_plays_alone_stakes_twice(four: list[Player], now: datetime) -> None:
    anna, bruno, carla, _dino = four
    match = begin_at(
        [anna, bruno, carla], now, ruleset="tressette-accusa", length=Length("points", 11), stake=20,
        options={"accusa": "obbligatoria"},
    )  # fmt: skip
    assert read_held(anna, bruno, carla) == [40, 20, 20]
    finish_by_forfeit(match, 0, now)
    assert read_chips(anna, bruno, carla) == [60, 120, 120]


@pytest.mark.rule("Z2")
def test_what_one_can_lose_is_held_while_one_sits_and_given_back(four: list[Player], now: datetime) -> None:
    anna, bruno, carla, dino = four
    options = {"cappotto": True}
    table = open_free_table(anna, now, players=4, length=Length("deals", 4), options=options, stake=10)
    assert read_held(anna) == [50]
    sit_down_at(table, bruno, 1, now)
    sit_down_at(table, anna, 3, now)
    assert read_held(anna, bruno) == [50, 50], "who moves holds no more than before"
    actions.leave(table_id=table.pk, player=anna, now=now)
    assert read_held(anna, bruno) == [0, 50]
    actions.expire(table_id=table.pk, now=now + actions.STALE_AFTER)
    assert read_held(bruno) == [0]
    assert read_chips(*four) == [100] * 4
    assert not ChipHold.objects.exists()
    assert audit.find_differences() == []
    assert carla.pk != dino.pk


@pytest.mark.rule("Z2")
def test_who_cannot_cover_the_greatest_loss_cannot_sit(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    options = {"cappotto": True}
    assert refused(
        lambda: open_free_table(anna, now, length=Length("deals", 4), options=options, stake=21)
    ) == "too_few_chips"  # fmt: skip
    assert not FreeTable.objects.exists()
    table = open_free_table(anna, now, length=Length("deals", 4), options=options, stake=20)
    poor = give_chips(create_person("Elio", now), 99, now)
    assert refused(lambda: sit_down_at(table, poor, 1, now)) == "too_few_chips"
    sit_down_at(table, bruno, 1, now)
    assert read_held(anna, bruno, poor) == [100, 100, 0]


@pytest.mark.rule("Z2", "Z5")
def test_stakes_are_for_members_who_want_them_and_never_with_the_house(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    table = open_free_table(anna, now, **SCOPA, stake=5)
    Player.objects.filter(pk=bruno.pk).update(kind=Player.Kind.GUEST)
    assert refused(lambda: sit_down_at(table, Player.objects.get(pk=bruno.pk), 1, now)) == "stake_members"
    plain = create_person("Elio", now)
    assert refused(lambda: sit_down_at(table, plain, 1, now)) == "stakes_off"
    assert refused(lambda: actions.fill(table_id=table.pk, by=anna, now=now)) == "stake_no_house"
    assert Match.objects.count() == 0


@pytest.mark.rule("Z3", "V6")
def test_a_forfeit_is_settled_on_the_ordinary_difference(four: list[Player], now: datetime) -> None:
    """Giving up before a card gives the eleven points of the deal away (T11): six, by the rule's cap."""
    anna, bruno, *_rest = four
    match = begin_at([anna, bruno], now, length=Length("deals", 1), stake=2, stake_per="point")
    assert read_held(anna, bruno) == [22, 22]
    match = finish_by_forfeit(match, 0, now)
    assert match.margin == 6
    assert read_chips(anna, bruno) == [88, 112]


@pytest.mark.rule("Z2", "Z3")
def test_nobody_pays_more_than_was_held_when_they_sat_down(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    match = begin_at([anna, bruno], now, length=Length("deals", 1), stake=10)
    ChipHold.objects.update(amount=4)
    ChipAccount.objects.filter(held__gt=0).update(held=4)
    finish_by_forfeit(match, 1, now)
    assert read_chips(anna, bruno) == [104, 96]
    assert audit.find_differences() == []


@pytest.mark.rule("Z3")
def test_a_result_is_settled_once(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    match = begin_at([anna, bruno], now, length=Length("deals", 1), stake=10)
    finish_by_forfeit(match, 1, now)
    assert read_chips(anna, bruno) == [110, 90]
    for _again in range(2):
        Match.objects.filter(pk=match.pk).update(settled_at=None)
        pass_result_on(match_id=match.pk, now=now)
        chips.settle_stakes(match_id=match.pk, now=now)
    assert read_chips(anna, bruno) == [110, 90]
    assert ChipTransfer.objects.filter(match=match).count() == 1


def test_a_draw_and_a_match_that_was_stopped_move_nothing(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    match = begin_at([anna, bruno], now, length=Length("deals", 1), stake=10)
    referee.stop(match_id=match.pk, now=now)
    assert read_chips(anna, bruno) == [100, 100]
    assert read_held(anna, bruno) == [0, 0]
    assert queries.list_winnings(match, anna) == []


@pytest.mark.rule("Z3")
def test_an_annulment_gives_everybody_theirs_back(four: list[Player], now: datetime) -> None:
    match = play_golden("tresette-4-cappotto", four, now, stake=15)
    annulment.annul_match(match_id=match.pk, now=now)
    annulment.annul_match(match_id=match.pk, now=now)
    assert read_chips(*four) == [100] * 4
    assert sum_all() == 0
    assert audit.find_differences() == []


@pytest.mark.rule("Z3")
def test_where_the_winner_has_spent_it_all_the_house_pays_the_rest(four: list[Player], now: datetime) -> None:
    anna, bruno, carla, _dino = four
    first = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=100), 1, now)
    assert read_chips(anna, bruno) == [200, 0]
    give_chips(carla, 70, now)
    finish_by_forfeit(begin_at([anna, carla], now, length=Length("deals", 1), stake=170), 0, now)
    assert read_chips(anna, bruno, carla) == [30, 0, 340]
    before = read_house()
    annulment.annul_match(match_id=first.pk, now=now)
    assert read_chips(anna, bruno, carla) == [0, 100, 340]
    assert read_house() == before - 70
    assert sum_all() == 0
    assert audit.find_differences() == []


@pytest.mark.rule("Z3")
def test_what_is_held_at_another_table_is_not_taken_back(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    first = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=100), 1, now)
    open_free_table(anna, now, **SCOPA, stake=150)
    annulment.annul_match(match_id=first.pk, now=now)
    assert read_chips(anna, bruno) == [150, 100]
    assert read_held(anna) == [150]


def test_an_annulled_match_that_was_not_settled_yet_moves_nothing(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    match = begin_at([anna, bruno], now, length=Length("deals", 1), stake=10)
    with pytest.raises(NotStarted):
        annulment.annul_match(match_id=match.pk, now=now)
    Match.objects.filter(pk=match.pk).update(status="finished", finished_at=now, winner=0, stakes_0=1, annulled_at=now)
    chips.settle_stakes(match_id=match.pk, now=now)
    assert read_chips(anna, bruno) == [100, 100]
    assert read_held(anna, bruno) == [0, 0]


@pytest.mark.rule("Z4")
def test_the_chips_of_a_closed_account_are_the_houses(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    before = read_house()
    match = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=10), 1, now)
    close_account(player_id=anna.pk, now=now)
    assert read_house() == before + 110
    assert sum_all() == 0
    assert ChipEntry.objects.filter(transfer__match=match).count() == 2, "the books keep their lines, without a name"
    annulment.annul_match(match_id=match.pk, now=now)
    assert read_chips(bruno) == [100], "the house pays what it was given"
    assert audit.find_differences() == []


@pytest.mark.rule("Z3")
def test_what_a_closed_account_would_get_back_is_the_houses(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    match = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=10), 1, now)
    close_account(player_id=bruno.pk, now=now)
    before = read_house()
    annulment.annul_match(match_id=match.pk, now=now)
    assert read_chips(anna) == [100]
    assert read_house() == before + 10
    assert sum_all() == 0


def test_who_closes_their_account_leaves_the_table_and_holds_nothing(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    finish_by_forfeit(begin_at([anna, bruno], now), 1, now)  # a result hangs on the account: its row stays
    table = open_free_table(anna, now, **SCOPA, stake=20)
    close_account(player_id=anna.pk, now=now)
    table.refresh_from_db()
    assert table.state == FreeTable.State.CLOSED
    assert not ChipHold.objects.exists()


def test_nobody_closes_their_account_while_their_chips_are_at_stake(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    match = begin_at([anna, bruno], now, length=Length("deals", 1), stake=10)
    with pytest.raises(AccountBusy):
        close_account(player_id=anna.pk, now=now)
    finish_by_forfeit(match, 0, now)
    close_account(player_id=anna.pk, now=now)
    assert sum_all() == 0


@pytest.mark.rule("B5", "Z2")
def test_a_rematch_is_played_for_the_same_stake_by_who_can_still_cover_it(four: list[Player], now: datetime) -> None:
    anna, bruno, *_rest = four
    match = finish_by_forfeit(begin_at([anna, bruno], now, length=Length("deals", 1), stake=40), 1, now)
    rematches.ask_rematch(match_id=match.pk, player=anna, now=now)
    second = rematches.ask_rematch(match_id=match.pk, player=bruno, now=now)
    assert second is not None
    assert read_held(anna, bruno) == [40, 40]
    second = finish_by_forfeit(second, 1, now)
    assert read_chips(anna, bruno) == [180, 20]
    rematches.ask_rematch(match_id=second.pk, player=anna, now=now)
    assert refused(lambda: rematches.ask_rematch(match_id=second.pk, player=bruno, now=now)) == "too_few_chips"
    third = now + timedelta(seconds=5)
    give_chips(bruno, 20, now)
    assert rematches.ask_rematch(match_id=second.pk, player=bruno, now=third) is not None


def read_house() -> int:
    return queries.ChipAccount.objects.get(house=True).balance
