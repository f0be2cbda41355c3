"""Opponents whom *Gioca subito* would meet (B2a): for each game the seeks that its reader could join now, as far as
they may know of them. It never writes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games.lobby.kinds import OPTION_SETS
from games.lobby.seeks import list_joinable
from players.models import Player
from players.selectors import find_shown
from tournaments.core.shared_reads import SharedRead

SHARED_SECONDS = 1.0
MOST_FACES = 2


@dataclass(frozen=True, slots=True)
class Opponents:
    """People who wait for a match of one game, and the first of them whom the reader may know to be here."""

    ruleset: str
    count: int
    shown: tuple[Player, ...]


def read_opponents(player: Player | None, now: datetime) -> Mapping[str, Opponents]:
    """Return by game who waits for the reader (None: a visitor); every game is in it."""
    return _for_visitors.read(now) if player is None else _list_opponents(player, now)


def _list_opponents(player: Player | None, now: datetime) -> Mapping[str, Opponents]:
    waiting = list_joinable(player, now)
    shown = find_shown([seek.player for seek in waiting], player, "presence") if waiting else set()
    opponents = {}
    for ruleset in OPTION_SETS:
        people = [seek.player for seek in waiting if seek.ruleset == ruleset]
        faces = tuple(one for one in people if one.pk in shown)[:MOST_FACES]
        opponents[ruleset] = Opponents(ruleset, len(people), faces)
    return opponents


_for_visitors = SharedRead(lambda now: _list_opponents(None, now), SHARED_SECONDS)
