"""Chips in tests: people who have some, tables with a stake, records played out at one."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from games.chips import ledger
from games.engine.game import Length
from games.models import ChipAccount, ChipTransfer, Match
from players.models import Player, User
from tests.support.lobby import begin_at
from tests.support.tables import CONTROLS, again, play, stack

GOLDEN = Path(__file__).parents[1] / "games" / "golden"


def give_chips(player: Player, amount: int, now: datetime) -> Player:
    """Give the player chips of the house, and show them chips (Z5)."""
    User.objects.filter(pk=player.user_id).update(chips=True)
    player.user.chips = True
    own, house = ledger.open_account(player).pk, ledger.find_house().pk
    ledger.post(ChipTransfer.Reason.TOP_UP, {own: amount, house: -amount}, now=now)
    return player


def read_chips(*players: Player) -> list[int]:
    """Return the balances of these players."""
    balances = dict(ChipAccount.objects.values_list("player_id", "balance"))
    return [balances.get(player.pk, 0) for player in players]


def read_held(*players: Player) -> list[int]:
    """Return what is held of these players' chips."""
    held = dict(ChipAccount.objects.values_list("player_id", "held"))
    return [held.get(player.pk, 0) for player in players]


def sum_all() -> int:
    """Return the sum of all balances, the house's among them: always 0."""
    return sum(ChipAccount.objects.values_list("balance", flat=True))


def play_golden(name: str, players: list[Player], now: datetime, **changed: Any) -> Match:
    """Play the record ``name`` of tests/games/golden out at a free table."""
    record = json.loads((GOLDEN / f"{name}.json").read_text())
    [(kind, value)] = record["length"].items()
    settings = {"ruleset": record["ruleset"], "length": Length(kind, value), "options": record["options"]}
    match = begin_at(players, now, first_dealer=record["first_dealer"], **settings, **changed)
    [deal] = record["deals"]
    stack(match, deal["deck"])
    for move in deal["moves"]:
        seat, _, text = move.partition(" ")
        current = again(match)
        at = max(now, current.turn_from or now)
        play(match, at, text, seat=int(seat), control=CONTROLS[0 if seat == "2" and len(players) == 3 else int(seat)])
    return again(match)
