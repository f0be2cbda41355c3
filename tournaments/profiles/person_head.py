"""Head of each of a person's pages: who they are, their last matches, their levels. It never writes, and reads nothing
that they don't show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.levels import PAIRS, START
from games.wording import name_band
from players import presence
from players.models import Follow, Player
from scoring.levels import LevelHistory, LevelPoint, list_level_history
from tournaments.core.last_results import read_last_outcomes
from tournaments.profiles.queries import list_pairs

LAST = 10
TILES = 4
CURVE_MATCHES = 10  # from so many on a level has a curve, a band and a change
CURVE_POINTS = 24
CURVE_WIDTH, CURVE_HEIGHT, CURVE_MARGIN = 110, 40, 5
LATELY = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class LevelTile:
    """A level as its tile shows it. ``change``: of the last thirty days; ``curve``: points of a line, with its tip."""

    ruleset: str
    form: str
    level: str
    matches: int
    band: str = ""
    change: int = 0
    curve: str = ""
    tip: tuple[int, int] = (0, 0)

    @property
    def is_pairs(self) -> bool:
        """Tell whether it is a level in pairs."""
        return self.form == PAIRS

    @property
    def up(self) -> int:
        """Return by how much it rose; 0 if it didn't."""
        return max(0, self.change)

    @property
    def down(self) -> int:
        """Return by how much it fell; 0 if it didn't."""
        return max(0, -self.change)


@dataclass(frozen=True, slots=True)
class PersonHead:
    """Head of a person's pages for one reader. ``here``: they have a page open, and show it."""

    here: bool = False
    last: tuple[str, ...] = ()
    tiles: tuple[LevelTile, ...] = ()
    more_levels: int = 0
    friends: int = 0
    pairs: int = 0


def read_head(person: Player, parts: frozenset[str], now: datetime, *, own: bool = False) -> PersonHead:
    """Return the head of a person's pages, of those ``parts`` alone that its reader is shown."""
    levels = list_level_history(person.pk, now) if "levels" in parts else []
    last = read_last_outcomes([person.pk], LAST).get(person.pk, ()) if "history" in parts else ()
    here = presence.find_here(now) if "presence" in parts and not own else None
    return PersonHead(
        here=here is not None and person.pk in here,
        last=last,
        tiles=tuple(make_tile(level, now) for level in levels[:TILES]),
        more_levels=max(0, len(levels) - TILES),
        friends=Follow.objects.filter(player=person, followed__user__is_active=True).count() if own else 0,
        pairs=list_pairs(person).filter(ended_at=None).count() if own else 0,
    )


def make_tile(history: LevelHistory, now: datetime) -> LevelTile:
    """Return the tile of a level."""
    plain = LevelTile(history.ruleset, history.form, str(history.level), history.matches)
    if history.matches < CURVE_MATCHES or len(history.points) < 2:
        return plain
    before = [point for point in history.points if point.at <= now - LATELY]
    values = [point.level.value for point in _thin(history.points)]
    curve = _draw_curve(values)
    return LevelTile(
        history.ruleset,
        history.form,
        str(history.level),
        history.matches,
        band=name_band(history.level.band),
        change=history.level.value - (before[-1].level.value if before else START),
        curve=" ".join(f"{x},{y}" for x, y in curve),
        tip=curve[-1],
    )


def _thin(points: Sequence[LevelPoint]) -> list[LevelPoint]:
    step = max(1, -(-len(points) // CURVE_POINTS))
    return [*points[:-1:step], points[-1]]


def _draw_curve(values: Sequence[int]) -> list[tuple[int, int]]:
    """Return the points of a line through these values, over the whole width of a tile's curve."""
    low, high = min(values), max(values)
    width, height = CURVE_WIDTH - 2 * CURVE_MARGIN, CURVE_HEIGHT - 2 * CURVE_MARGIN
    return [
        (
            CURVE_MARGIN + round(width * number / (len(values) - 1)),
            CURVE_MARGIN + round(height * (high - value) / max(1, high - low)),
        )
        for number, value in enumerate(values)
    ]
