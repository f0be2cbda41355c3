"""Rematches (B5): all ask within a minute, and the next table opens, with the next dealer and the evening's score."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games import wording
from games.engine.game import Length
from games.lobby import actions, rematches
from games.lobby.actions import LobbyRefused
from games.models import Deal, FreeTable, Match, Seat
from games.services import referee
from games.services.annulment import annul_match
from players.models import Player, PlayerBlock, User
from tests.support.clock import NOW
from tests.support.lobby import begin_at, finish_by_forfeit, open_free_table, sit_down_at
from tests.support.tables import again, opened
from tests.support.threads import run_at_once

pytestmark = pytest.mark.django_db


def ask(match: Match, player: Player, now: datetime) -> Match | None:
    return rematches.ask_rematch(match_id=match.pk, player=player, now=now)


def refused(call: Any) -> str:
    with pytest.raises(LobbyRefused) as error:
        call()
    assert wording.describe_lobby_refusal(error.value.code)
    return error.value.code


def play_one(players: list[Player], now: datetime, loser: int = 0, **changed: Any) -> Match:
    """Play a match at a free table, which the player at seat ``loser`` gives up."""
    match = begin_at(players, now, **changed)
    return finish_by_forfeit(match, loser, now)


@pytest.mark.rule("B5")
def test_when_all_have_asked_the_next_table_opens_with_the_same_settings(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = play_one([anna, bruno], now, length=Length("points", 31), match_clock=300, options={"accuso": True})
    assert ask(match, anna, now) is None
    assert ask(match, anna, now) is None, "asked twice, it is one wish"
    stand = rematches.read_stand(match, bruno, now)
    assert stand is not None
    assert (stand.open, stand.has_asked, stand.missing, stand.seconds) == (True, False, ("Bruno",), 60)
    rematch = ask(match, bruno, now)
    assert rematch is not None
    assert (rematch.ruleset, rematch.length_value, rematch.match_clock, rematch.options, rematch.context) == (
        "tresette", 31, 300, {"accuso": True}, "free",
    )  # fmt: skip
    assert list(Seat.objects.filter(match=rematch).values_list("player__name", flat=True)) == ["Anna", "Bruno"]
    assert rematch.free_table.previous == match.free_table
    assert ask(match, anna, now) == rematch, "who asks late is led to it"


@pytest.mark.rule("B5", "G3")
@pytest.mark.parametrize("first", [0, 1])
def test_the_next_dealer_sits_to_the_right_of_the_last(anna: Player, bruno: Player, now: datetime, first: int) -> None:
    match = play_one([anna, bruno], now)
    Deal.objects.filter(match=match).update(dealer=first)
    ask(match, anna, now)
    rematch = ask(match, bruno, now)
    assert rematch is not None
    assert rematch.first_dealer == 1 - first


@pytest.mark.rule("G3")
def test_after_a_void_deal_the_same_dealer_would_have_dealt_again(anna: Player, bruno: Player, now: datetime) -> None:
    match = play_one([anna, bruno], now)
    Deal.objects.filter(match=match).update(dealer=1)
    Deal.objects.create(match=match, number=9, dealer=0, deck="", dealt_at=now, finished=True, void=True)
    assert rematches.compute_next_dealer(match) == 0


@pytest.mark.rule("B5")
def test_players_of_the_house_say_yes_at_once(anna: Player, now: datetime) -> None:
    table = open_free_table(anna, now, players=4)
    match = actions.fill(table_id=table.pk, by=anna, now=now)
    assert match is not None
    house = [seat.player for seat in match.seats.all() if seat.player.is_house]
    busy = house[0]
    finish_by_forfeit(match, 0, now)
    opened(house[:2], now)  # two of them play elsewhere by now
    rematch = ask(match, anna, now)
    assert rematch is not None
    seats = {seat.number: seat.player for seat in rematch.seats.all()}
    assert seats[0] == anna
    assert [seats[number].is_house for number in (1, 2, 3)] == [True] * 3
    assert seats[3] == house[2], "who is free stays"
    assert busy not in seats.values()


@pytest.mark.rule("B5")
def test_it_is_asked_within_a_minute_of_the_end(anna: Player, bruno: Player, now: datetime) -> None:
    match = play_one([anna, bruno], now)
    late = now + rematches.ASK_WITHIN
    assert ask(match, anna, late - timedelta(milliseconds=1)) is None
    assert refused(lambda: ask(match, bruno, late)) == "rematch_over"
    stand = rematches.read_stand(match, bruno, late)
    assert stand is not None
    assert not stand.open
    assert FreeTable.objects.count() == 1


def test_who_did_not_play_who_plays_elsewhere_and_what_has_no_result_is_refused(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    match = play_one([anna, bruno], now)
    assert refused(lambda: ask(match, carla, now)) == "not_here"
    elsewhere = opened([anna, carla], now, context="free")
    assert refused(lambda: ask(match, anna, now)) == "seated_elsewhere"
    assert ask(match, bruno, now) is None
    assert refused(lambda: ask(elsewhere, anna, now)) == "no_rematch", "no free table: a tournament's"
    referee.stop(match_id=elsewhere.pk, now=now)
    ask(match, anna, now)
    stopped = FreeTable.objects.get(previous=match.free_table).match
    assert stopped is not None
    assert refused(lambda: ask(stopped, anna, now)) == "no_rematch"
    referee.stop(match_id=stopped.pk, now=now)
    assert refused(lambda: ask(stopped, anna, now)) == "no_rematch"


def test_one_who_asked_and_sat_down_elsewhere_meanwhile_opens_nothing(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    match = play_one([anna, bruno], now)
    ask(match, anna, now)
    table = open_free_table(anna, now)
    assert refused(lambda: ask(match, bruno, now)) == "rematch_left"
    actions.leave(table_id=table.pk, player=anna, now=now)
    opened([anna, carla], now, context="free")
    assert refused(lambda: ask(match, bruno, now)) == "rematch_left"
    assert FreeTable.objects.filter(previous=match.free_table).count() == 0


@pytest.mark.rule("B5", "B6")
def test_neither_who_is_suspended_nor_who_blocks_the_other_plays_on(anna: Player, bruno: Player, now: datetime) -> None:
    match = play_one([anna, bruno], now)
    ask(match, anna, now)
    PlayerBlock.objects.create(player=anna, blocked=bruno, at=now)
    assert refused(lambda: ask(match, bruno, now)) == "rematch_left"
    PlayerBlock.objects.all().delete()
    User.objects.filter(pk=anna.user_id).update(suspended_until=now + timedelta(days=1))
    assert refused(lambda: ask(match, bruno, now)) == "rematch_left", "she had asked before"
    User.objects.filter(pk=bruno.user_id).update(suspended_until=now + timedelta(days=1))
    assert refused(lambda: ask(match, bruno, now)) == "suspended"
    assert FreeTable.objects.count() == 1


@pytest.mark.rule("B5")
def test_the_evening_counts_the_matches_of_the_chain(anna: Player, bruno: Player, now: datetime) -> None:
    match = play_one([anna, bruno], now, loser=0)
    for loser in (1, 0, 0):
        ask(match, anna, now)
        rematch = ask(match, bruno, now)
        assert rematch is not None
        assert rematches.count_evening(rematch.free_table).played == rematch.free_table.first.evening.count()
        match = finish_by_forfeit(rematch, loser, now)
    assert rematches.count_evening(match.free_table) == rematches.Evening((1, 3), 0)
    first = FreeTable.objects.get(previous=None)
    assert rematches.count_evening(first) == rematches.Evening((0, 1), 0), "the page of an earlier one says how it was"
    play_one([anna, bruno], now)
    assert rematches.count_evening(match.free_table).played == 4, "another evening"
    annul_match(match_id=match.pk, now=now)
    assert rematches.count_evening(match.free_table) == rematches.Evening((1, 2), 0), "what is annulled is nobody's"


@pytest.mark.rule("B5")
@pytest.mark.parametrize("ended", [{"stopped_at": NOW, "winner": None}, {"both_forfeited": True, "winner": None}])
def test_a_match_without_a_result_is_none_of_the_evening_and_has_no_rematch(
    anna: Player, bruno: Player, now: datetime, ended: dict[str, Any]
) -> None:
    match = play_one([anna, bruno], now)
    Match.objects.filter(pk=match.pk).update(**ended)
    assert rematches.count_evening(match.free_table) == rematches.Evening((0, 0), 0)
    assert refused(lambda: ask(match, anna, now)) == "no_rematch"
    stand = rematches.read_stand(again(match), anna, now)
    assert stand is not None
    assert not stand.open


@pytest.mark.rule("B5")
def test_a_table_that_has_begun_stays_as_long_as_its_match(anna: Player, bruno: Player, now: datetime) -> None:
    match = play_one([anna, bruno], now)
    assert match.free_table.due_at is None
    assert not actions.expire(table_id=match.free_table.pk, now=now + timedelta(days=400))
    match.delete()
    assert not FreeTable.objects.exists()


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.rule("B5")
def test_of_the_last_two_who_ask_at_once_one_opens_the_table(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    players = [anna, bruno, carla, dino]
    match = begin_at(players, now)
    finish_by_forfeit(match, 0, now)
    answers = run_at_once(*(lambda player=player: ask(match, player, now) for player in players * 2))
    assert all(isinstance(answer, Match | None) for answer in answers), answers
    assert FreeTable.objects.filter(previous=match.free_table).count() == 1
    assert Match.objects.count() == 2
    assert {answer for answer in answers if answer} == {Match.objects.latest("pk")}


def test_without_its_lock_the_database_still_lets_one_table_follow(anna: Player, bruno: Player, now: datetime) -> None:
    match = play_one([anna, bruno], now)
    ask(match, anna, now)
    ask(match, bruno, now)
    again = FreeTable.objects.get(previous=match.free_table)
    again.pk, again.public_id, again.match = None, "another", None
    with pytest.raises(Exception, match=r"(?i)unique"):
        again.save()


def test_a_seat_given_up_before_is_no_wish(anna: Player, bruno: Player, now: datetime) -> None:
    table = open_free_table(anna, now, ruleset="scopa", players=2, length=Length("points", 11))
    match = sit_down_at(table, bruno, 1, now)
    assert match is not None
    assert refused(lambda: ask(match, anna, now)) == "no_rematch", "it is still being played"
