"""Free tables in tests."""

from datetime import datetime
from typing import Any

from games.engine.game import Length, list_seats
from games.lobby import actions
from games.models import Commitment, FreeTable, Match
from games.services import playing, seating
from players.models import Player
from tests.support.tables import CONTROLS, again


def open_free_table(host: Player, now: datetime, **changed: Any) -> FreeTable:
    chosen: dict[str, Any] = {
        "ruleset": "tresette",
        "players": 4,
        "length": Length("points", 21),
        "options": {},
        "turn_timeout": 30,
        "match_clock": None,
        "public": True,
    }
    return actions.open_table(host=host, now=now, **{**chosen, **changed})


def sit_down_at(table: FreeTable, player: Player, seat: int, now: datetime) -> Match | None:
    return actions.sit(table_id=table.pk, player=player, seat=seat, now=now)


def begin_at(players: list[Player], now: datetime, *, first_dealer: int | None = None, **changed: Any) -> Match:
    """Have these people sit down at a free table, in the order of its seats, and come to the match that opens."""
    table = open_free_table(players[0], now, players=len(players), **changed)
    match = None
    for player, seat in zip(players[1:], list_seats(len(players))[1:], strict=True):
        match = sit_down_at(table, player, seat, now)
    assert match is not None
    if first_dealer is not None:
        Match.objects.filter(pk=match.pk).update(first_dealer=first_dealer)
        Commitment.objects.filter(matches=match).update(dealer_drawn=False)
    return come_to(match, now)


def come_to(match: Match, now: datetime) -> Match:
    """Have everybody come to a match, in the windows CONTROLS."""
    for seat in match.seats.all():
        if not seat.player.is_house:
            seating.sit_down(match_id=match.pk, player_id=seat.player_id, token=CONTROLS[seat.number], now=now)
    return again(match)


def finish_by_forfeit(match: Match, seat: int, now: datetime) -> Match:
    """Have the player at this seat give the match up."""
    come_to(match, now)
    playing.abandon(match_id=match.pk, seat=seat, control=CONTROLS[seat], confirm=True, client_id=None, now=now)
    return again(match)
