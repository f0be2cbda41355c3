"""The ledger of chips: every transfer sums to 0, every balance is the sum of its entries, whatever is done (Z1, Z4)."""

from contextlib import ExitStack
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.db.models import F
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from games.chips import actions, audit, ledger, queries
from games.chips.errors import ChipsRefused
from games.chips.wording import describe_chip_refusal
from games.engine.game import Length
from games.lobby.actions import LobbyRefused, leave
from games.models import ChipAccount, ChipEntry, ChipHold, ChipTransfer, FreeTable, Match
from games.services.annulment import annul_match
from players.models import Player
from players.services.close_account import close_account
from tests.support.chips import give_chips, read_chips, sum_all
from tests.support.clock import NOW
from tests.support.commits import commits_at_block_end
from tests.support.lobby import finish_by_forfeit, open_free_table, sit_down_at
from tests.support.people import create_person
from tests.support.thorough import tries

Reason = ChipTransfer.Reason
pytestmark = pytest.mark.django_db


def refused(call: Any) -> str:
    with pytest.raises(ChipsRefused) as error:
        call()
    assert describe_chip_refusal(error.value.code)
    return error.value.code


@pytest.mark.rule("Z4")
def test_chips_are_topped_up_to_a_hundred_once_a_day_of_rome(anna: Player, now: datetime) -> None:
    assert actions.top_up(player=anna, now=now) == 100
    assert refused(lambda: actions.top_up(player=anna, now=now)) == "topped_up"
    house = ledger.find_house().pk
    ledger.post(Reason.SETTLEMENT, {ledger.open_account(anna).pk: -70, house: 70}, now=now)
    midnight = now.astimezone(queries.DAYS_OF).replace(hour=0, minute=0) + timedelta(days=1)
    assert refused(lambda: actions.top_up(player=anna, now=midnight - timedelta(seconds=1))) == "topped_up"
    assert queries.can_top_up(anna, midnight)
    assert actions.top_up(player=anna, now=midnight) == 70
    later = midnight + timedelta(days=3)
    assert refused(lambda: actions.top_up(player=anna, now=later)) == "enough_chips"
    assert not queries.can_top_up(anna, later)
    assert read_chips(anna) == [100]
    assert sum_all() == 0


@pytest.mark.rule("Z4")
def test_a_guest_has_no_chips(anna: Player, now: datetime) -> None:
    anna.kind = Player.Kind.GUEST
    assert refused(lambda: actions.top_up(player=anna, now=now)) == "stake_members"
    assert not ChipAccount.objects.exists()


@pytest.mark.rule("Z1")
def test_entries_that_do_not_sum_to_0_are_no_transfer(anna: Player, now: datetime) -> None:
    own, house = ledger.open_account(anna).pk, ledger.find_house().pk
    with pytest.raises(ValueError, match="sum to 0"):
        ledger.post(Reason.TOP_UP, {own: 10, house: -9}, now=now)
    assert ledger.post(Reason.TOP_UP, {own: 0, house: 0}, now=now) is None
    assert not ChipTransfer.objects.exists()


@pytest.mark.rule("Z1", "Z3")
def test_the_database_itself_lets_no_balance_fall_below_what_is_held(anna: Player, now: datetime) -> None:
    give_chips(anna, 10, now)
    for changed in ({"balance": -1}, {"held": 11}, {"balance": 3, "held": 4}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ChipAccount.objects.filter(player=anna).update(**changed)
    with pytest.raises(IntegrityError), transaction.atomic():
        ChipAccount.objects.create(house=True)
    assert ChipAccount.objects.get(house=True).balance == -10, "the house's alone may be negative"


@pytest.mark.rule("Z1")
def test_what_is_not_in_order_is_found(anna: Player, now: datetime) -> None:
    give_chips(anna, 10, now)
    assert audit.find_differences() == []
    ChipAccount.objects.filter(player=anna).update(balance=11)
    assert "balance 11, entries 10" in " ".join(audit.find_differences())
    ChipAccount.objects.filter(player=anna).update(balance=10, held=2)
    assert "held 2, holds 0" in " ".join(audit.find_differences())
    ChipAccount.objects.filter(player=anna).update(held=0)
    ChipEntry.objects.filter(account__player=anna).update(amount=9)
    assert "sum -1" in " ".join(audit.find_differences())


@pytest.mark.rule("Z1")
def test_balances_are_computed_again_from_the_lines(anna: Player, now: datetime) -> None:
    give_chips(anna, 10, now)
    ChipAccount.objects.filter(player=anna).update(balance=7, held=1)
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("recompute", "--check", "--only", "gettoni", stdout=out)
    assert "balance 7, entries 10" in out.getvalue()
    assert read_chips(anna) == [7], "it only looked"
    call_command("recompute", "--only", "gettoni", stdout=out)
    assert read_chips(anna) == [10]
    call_command("recompute", "--check", "--only", "gettoni", stdout=out)
    assert audit.find_differences() == []


PEOPLE = 3


class ChipsMachine(RuleBasedStateMachine):
    """Acts of people with chips, in any order: no chip appears or vanishes, no balance falls below its holds."""

    def __init__(self) -> None:
        super().__init__()
        self.example = ExitStack()  # each example is rolled back
        self.example.enter_context(transaction.atomic())
        self.example.enter_context(commits_at_block_end())
        self.now = NOW
        self.people = [give_chips(create_person(f"Gino {n}", NOW), 60, NOW) for n in range(PEOPLE)]
        self.matches: list[Match] = []

    def _try(self, call: Any) -> Any:
        """Do it in a transaction of its own; what is refused changes nothing."""
        before = list(ChipAccount.objects.order_by("pk").values())
        try:
            with transaction.atomic():
                return call()
        except (ChipsRefused, LobbyRefused):
            assert list(ChipAccount.objects.order_by("pk").values())[: len(before)] == before
            return None

    @rule(who=st.integers(0, PEOPLE - 1), days=st.integers(0, 1))
    def top_up(self, who: int, days: int) -> None:
        self.now += timedelta(days=days)
        self._try(lambda: actions.top_up(player=self.people[who], now=self.now))

    @rule(who=st.integers(0, PEOPLE - 1), stake=st.integers(1, 60), per=st.sampled_from(("match", "point")))
    def open_table(self, who: int, stake: int, per: str) -> None:
        chosen = {"players": 2, "length": Length("deals", 1), "stake": stake, "stake_per": per}
        self._try(lambda: open_free_table(self.people[who], self.now, **chosen))

    @rule(who=st.integers(0, PEOPLE - 1))
    def sit_down_and_play(self, who: int) -> None:
        table = FreeTable.objects.filter(state=FreeTable.State.OPEN).first()
        match = None if table is None else self._try(lambda: sit_down_at(table, self.people[who], 1, self.now))
        if match is not None:
            self.matches.append(finish_by_forfeit(match, who % 2, self.now))

    @rule(who=st.integers(0, PEOPLE - 1))
    def get_up(self, who: int) -> None:
        table = FreeTable.objects.filter(state=FreeTable.State.OPEN).first()
        if table is not None:
            self._try(lambda: leave(table_id=table.pk, player=self.people[who], now=self.now))

    @rule()
    def annul(self) -> None:
        if self.matches:
            annul_match(match_id=self.matches.pop().pk, now=self.now)

    @rule(who=st.integers(0, PEOPLE - 1))
    def settle_again(self, who: int) -> None:
        for match in self.matches:
            actions.settle_stakes(match_id=match.pk, now=self.now)

    @rule(who=st.integers(0, PEOPLE - 1))
    def close_and_come_anew(self, who: int) -> None:
        close_account(player_id=self.people[who].pk, now=self.now)
        names = {player.name for player in Player.objects.all()}
        name = next(f"Gino {n}" for n in range(1000) if f"Gino {n}" not in names)
        self.people[who] = give_chips(create_person(name, self.now), 60, self.now)

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.example.close()

    @invariant()
    def books_are_in_order(self) -> None:
        assert sum_all() == 0
        assert audit.find_differences() == []
        assert not ChipAccount.objects.filter(house=False, balance__lt=F("held")).exists()
        seated = set(ChipHold.objects.values_list("account__player", flat=True))
        assert all(Player.objects.filter(pk=player, free_seat__isnull=False).exists() for player in seated)


@pytest.mark.rule("Z1", "Z2", "Z3", "Z4")
def test_whatever_people_do_no_chip_appears_or_vanishes() -> None:
    steps = tries(12, 40)
    run_state_machine_as_test(ChipsMachine, settings=settings(max_examples=tries(4, 150), stateful_step_count=steps))
