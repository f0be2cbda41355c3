"""Free tables in tests."""

from datetime import datetime
from typing import Any

from games.engine.game import Length
from games.lobby import actions
from games.models import FreeTable, Match
from players.models import Player


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
