"""Chips under concurrency: settlements, top-ups and tables at once; no chip appears or vanishes."""

import threading
from collections.abc import Callable, Iterable
from datetime import datetime

import pytest
from django.db import OperationalError, transaction

from games.chips import actions, audit, ledger
from games.chips.errors import ChipsRefused
from games.engine.game import Length
from games.lobby.actions import LobbyRefused
from games.models import ChipAccount, ChipTransfer, FreeTable, Match
from games.services.annulment import annul_match
from players.models import Player
from players.services.close_account import close_account
from tests.support.chips import give_chips, read_chips, read_held, sum_all
from tests.support.lobby import begin_at, finish_by_forfeit, open_free_table
from tests.support.locks import somebody_waits
from tests.support.people import create_person
from tests.support.threads import run_at_once
from tests.support.waiting import until

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

ONE_DEAL = {"length": Length("deals", 1)}


def members(count: int, now: datetime, chips: int = 100) -> list[Player]:
    return [give_chips(create_person(f"Socio {letter}", now), chips, now) for letter in "ABCDEFGH"[:count]]


def finish_unsettled(people: list[Player], now: datetime, stake: int) -> Match:
    """Play a match whose result hasn't been taken in yet."""
    match = begin_at(people, now, stake=stake, **ONE_DEAL)
    Match.objects.filter(pk=match.pk).update(status="finished", finished_at=now, winner=0, stakes_0=1)
    match.seats.update(live=False)
    return match


@pytest.mark.rule("Z1", "Z3")
def test_many_settlements_at_once_lose_and_make_no_chip(now: datetime) -> None:
    people = members(8, now)
    matches = [finish_unsettled(people[n : n + 2], now, 10) for n in range(0, 8, 2)]
    calls = [lambda match=match: actions.settle_stakes(match_id=match.pk, now=now) for match in matches * 3]
    tops = [lambda player=player: actions.top_up(player=player, now=now) for player in people]
    answers = run_at_once(*calls, *tops)
    assert all(answer is None or isinstance(answer, ChipsRefused | int) for answer in answers), answers
    assert audit.find_differences() == []
    assert sum_all() == 0
    assert ChipTransfer.objects.filter(reason="settlement").count() == 4
    assert read_held(*people) == [0] * 8


@pytest.mark.rule("Z3")
def test_a_match_that_many_settle_and_annul_at_once_is_paid_and_given_back_once(now: datetime) -> None:
    people = members(2, now)
    match = finish_unsettled(people, now, 30)
    calls = [lambda: actions.settle_stakes(match_id=match.pk, now=now), lambda: annul_match(match_id=match.pk, now=now)]
    answers = run_at_once(*calls * 4)
    assert answers == [None] * 8
    assert read_chips(*people) == [100, 100]
    assert audit.find_differences() == []


@pytest.mark.rule("Z4")
def test_many_top_ups_at_once_are_one(now: datetime) -> None:
    [player] = members(1, now, chips=40)
    answers = run_at_once(*[lambda: actions.top_up(player=player, now=now)] * 6)
    assert sorted(str(answer) for answer in answers) == ["60", *["topped_up"] * 5]
    assert read_chips(player) == [100]
    assert sum_all() == 0


@pytest.mark.only_on("postgres")
def test_without_the_lock_top_ups_at_once_are_several(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: what the lock is for shows when it is taken away."""
    [player] = members(1, now, chips=40)

    def read(account_ids: Iterable[int]) -> dict[int, ChipAccount]:
        return {account.pk: account for account in ChipAccount.objects.filter(pk__in=set(account_ids))}

    monkeypatch.setattr(ledger, "lock", read)
    for _round in range(20):
        run_at_once(*[lambda: actions.top_up(player=player, now=now)] * 8)
        if read_chips(player) != [100]:
            break
        ChipAccount.objects.filter(player=player).update(topped_up_on=None)
        with transaction.atomic():
            house = ledger.find_house().pk
            ledger.post(ChipTransfer.Reason.SETTLEMENT, {ledger.open_account(player).pk: -60, house: 60}, now=now)
    assert read_chips(player)[0] > 100
    assert audit.find_differences() == [], "even so no chip is lost: the database adds"


@pytest.mark.rule("Z2")
def test_two_tables_at_once_cannot_hold_the_same_chips(now: datetime) -> None:
    [player] = members(1, now)
    settings = {"players": 2, "stake": 60, **ONE_DEAL}
    answers = run_at_once(*[lambda: open_free_table(player, now, **settings)] * 4)
    assert sorted(type(answer).__name__ for answer in answers) == ["FreeTable", *["LobbyRefused"] * 3]
    assert {answer.code for answer in answers if isinstance(answer, LobbyRefused)} <= {
        "seated_elsewhere", "too_few_chips",
    }  # fmt: skip
    assert FreeTable.objects.count() == 1
    assert read_held(player) == [60]


def test_a_result_is_settled_while_the_same_people_top_up_and_ask_again(now: datetime) -> None:
    people = members(2, now)
    match = begin_at(people, now, stake=20, **ONE_DEAL)
    match = finish_by_forfeit(match, 1, now)
    assert read_chips(*people) == [120, 80]
    run_at_once(
        *[lambda: actions.settle_stakes(match_id=match.pk, now=now)] * 3,
        *[lambda: actions.top_up(player=people[1], now=now)] * 3,
    )
    assert read_chips(*people) == [120, 100]
    assert audit.find_differences() == []


def act_while_a_table_is_held(people: list[Player], now: datetime, act: Callable[[], object]) -> list[object]:
    """Have the first of three people wait at a table with a stake, after two matches that aren't settled; somebody
    settles the later one, and needs the first one's chips while ``act`` waits for its table.

    Return what the settlement and the act returned or raised.
    """
    for other in people[1:]:
        last = finish_unsettled([people[0], other], now, 10)
    open_free_table(people[0], now, players=2, stake=10, **ONE_DEAL)
    holds, own = threading.Event(), ChipAccount.objects.get(player=people[0]).pk

    def settle() -> None:
        with transaction.atomic():
            FreeTable.objects.select_for_update().get(match=last)
            holds.set()
            until(somebody_waits, what="the act, for this table")
            ledger.lock([own])
            actions.settle_stakes(match_id=last.pk, now=now)

    def wait_and_act() -> object:
        until(holds.is_set, what="the table's lock")
        return act()

    return run_at_once(settle, wait_and_act)


@pytest.mark.only_on("postgres")
@pytest.mark.rule("Z1")
def test_an_account_that_closes_locks_every_table_of_its_own_before_any_chips(now: datetime) -> None:
    people = members(3, now)
    answers = act_while_a_table_is_held(people, now, lambda: close_account(player_id=people[0].pk, now=now))
    assert answers == [None, False]
    assert read_chips(*people[1:]) == [90, 90]
    assert sum_all() == 0
    assert audit.find_differences() == []


@pytest.mark.only_on("postgres")
def test_without_that_both_wait_for_each_other_for_good(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: each table is locked when its match is settled, after the chips of the match before."""
    unlocked = FreeTable.objects.filter(match__status="finished").order_by("pk")
    monkeypatch.setattr(actions, "lock_tables", lambda *, player: list(unlocked.values_list("pk", flat=True)))
    people = members(3, now)
    answers = act_while_a_table_is_held(people, now, lambda: close_account(player_id=people[0].pk, now=now))
    assert any(isinstance(answer, OperationalError) and "deadlock" in str(answer) for answer in answers), answers


@pytest.mark.only_on("postgres")
@pytest.mark.rule("Z1")
def test_who_computes_the_books_again_holds_no_chips_while_a_table_is_waited_for(now: datetime) -> None:
    people = members(3, now)

    def recompute() -> None:
        Match.objects.update(settled_at=now)
        audit.recompute_balances(now)

    assert act_while_a_table_is_held(people, now, recompute) == [None, None]
    assert read_chips(*people) == [120, 90, 90]
    assert audit.find_differences() == []


@pytest.mark.rule("Z1", "Z4")
def test_accounts_that_close_while_their_matches_are_settled_lose_no_chip(now: datetime) -> None:
    people = members(4, now)
    matches = [finish_unsettled([one, other], now, 10) for one in people[:2] for other in people[2:]]
    settles = [lambda match=match: actions.settle_stakes(match_id=match.pk, now=now) for match in matches]
    closes = [lambda player=player: close_account(player_id=player.pk, now=now) for player in people]
    answers = run_at_once(*settles, *closes)
    assert answers == [*[None] * 4, *[False] * 4]
    assert sum_all() == 0
    assert audit.find_differences() == []
    assert set(ChipAccount.objects.filter(house=False).values_list("balance", "player")) == {(0, None)}
