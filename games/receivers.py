"""Signals: the calls that a player has the system make (X1), a closing account, a hidden name, a suspension (U2); the
end of a match, whose facts are counted and whose stakes are paid (Z3)."""

from datetime import datetime
from typing import Any

from django.db.models import Q

from games.chips import actions as chips
from games.facts.store import store_facts
from games.lobby import actions as lobby
from games.models import Match, Seat, Seek
from games.services import preferences
from games.signals import match_annulled, match_finished, match_revealed
from games.training.actions import forget_all
from players.models import Player
from players.signals import AccountBusy, account_closing, automatic_chosen, name_hidden, player_suspended


def _follow_preference(player_id: int, now: Any, **_: Any) -> None:
    preferences.follow_preference(player_id=player_id, now=now)


def _end_seeks(player: Player, **_: Any) -> None:
    """End the seek of a closing account, and those that name it as partner (B2)."""
    Seek.objects.filter(Q(player=player) | Q(partner=player)).delete()


def _forget_training(player: Player, now: datetime, **_: Any) -> None:
    forget_all(player=player, now=now)


def _count_facts(match_id: int, **_: Any) -> None:
    store_facts(match_id=match_id)


def _settle_stakes(match_id: int, now: datetime, **_: Any) -> None:
    chips.settle_stakes(match_id=match_id, now=now)


def _reverse_stakes(match_id: int, now: datetime, **_: Any) -> None:
    chips.reverse_stakes(match_id=match_id, now=now)


def _let_go(player: Player, now: datetime, **_: Any) -> None:
    """Have who closes their account leave the table they wait at, and their chips to the house (Z4)."""
    chips.lock_tables(player=player)  # before any account, which leaving locks too
    lobby.leave_any(player=player, now=now)
    if not chips.close_chips(player=player, now=now):
        raise AccountBusy("at_table")


def _give_up_waiting(player: Player, now: datetime, **_: Any) -> None:
    """End the seek of a suspended player, and give up their seat at a table that hasn't begun (U2)."""
    _end_seeks(player)
    lobby.leave_any(player=player, now=now)


def _rename_tables(player: Player, name: str = "", **_: Any) -> None:
    """Take the name that is gone out of the titles of the player's free matches, which are made of names."""
    own = Seat.objects.filter(player=player, match__context="free").values("match")
    for match in Match.objects.filter(pk__in=own).prefetch_related("seats__player").iterator(chunk_size=200):
        seats = sorted(match.seats.all(), key=lambda seat: seat.number)
        names = [name or player.name if seat.player_id == player.pk else seat.player.name for seat in seats]
        Match.objects.filter(pk=match.pk).update(title=" · ".join(names))


def connect() -> None:
    """Called once, when the app is ready."""
    match_finished.connect(_settle_stakes, dispatch_uid="games.settle_stakes")
    match_annulled.connect(_reverse_stakes, dispatch_uid="games.reverse_stakes")
    account_closing.connect(_let_go, dispatch_uid="games.let_go")
    automatic_chosen.connect(_follow_preference, dispatch_uid="games.automatic_chosen")
    account_closing.connect(_rename_tables, dispatch_uid="games.rename_tables")
    name_hidden.connect(_rename_tables, dispatch_uid="games.rename_tables")
    account_closing.connect(_end_seeks, dispatch_uid="games.account_closing")
    account_closing.connect(_forget_training, dispatch_uid="games.training_closing")
    match_finished.connect(_count_facts, dispatch_uid="games.count_facts")
    match_revealed.connect(_count_facts, dispatch_uid="games.count_revealed_facts")
    player_suspended.connect(_give_up_waiting, dispatch_uid="games.player_suspended")
