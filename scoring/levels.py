"""Levels as they are read: shown ones, by person, and the history of one person (L1, L5). It writes nothing."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from games.levels import ShownLevel
from scoring import ratings
from scoring.days import count_days
from scoring.models import Level, LevelBook, LevelStep


def read_shown_levels(player_ids: Collection[int], ruleset: str, form: str, now: datetime) -> dict[int, ShownLevel]:
    """Return the levels of these players, by id, as they are shown now; who has none isn't in it."""
    rows = Level.objects.filter(player__in=player_ids, ruleset=ruleset, form=form)
    return {row.player_id: show_level(row, now) for row in rows}


def show_level(level: Level, now: datetime) -> ShownLevel:
    """Return a stored level as it is shown now (L5): its uncertainty has grown by the days since the last match."""
    sigma = ratings.grow_sigma(level.sigma, count_days(level.rated_at, now))
    return ShownLevel(ratings.scale(level.mu), ratings.is_uncertain(sigma))


@dataclass(frozen=True, slots=True)
class LevelPoint:
    """A point of somebody's level over time: what it was after a match that counted."""

    at: datetime
    match_id: int
    public_id: str  # the match's
    share: float
    level: ShownLevel


@dataclass(frozen=True, slots=True)
class LevelHistory:
    """Somebody's level in a ruleset and form, with its points over time, the oldest first."""

    ruleset: str
    form: str
    level: ShownLevel
    matches: int
    points: tuple[LevelPoint, ...]


def list_level_history(player_id: int, now: datetime) -> list[LevelHistory]:
    """Return the histories of a player's levels, those with the most matches first (L5)."""
    points: dict[tuple[str, str], list[LevelPoint]] = {}
    steps = LevelStep.objects.filter(player=player_id).order_by("finished_at", "match_id").select_related("match")
    for step in steps:
        shown = ShownLevel(ratings.scale(step.mu_after), ratings.is_uncertain(step.sigma_after))
        point = LevelPoint(step.finished_at, step.match_id, step.match.public_id, step.share, shown)
        points.setdefault((step.ruleset, step.form), []).append(point)
    levels = Level.objects.filter(player=player_id).order_by("-matches", "ruleset", "form")
    return [
        LevelHistory(
            level.ruleset,
            level.form,
            show_level(level, now),
            level.matches,
            tuple(points.get((level.ruleset, level.form), ())),
        )
        for level in levels
    ]


def find_progress() -> int | None:
    """Return how much of a recomputation is done, in percent; None where none is under way (L6)."""
    book = LevelBook.objects.filter(started_at__isnull=False).first()
    return None if book is None else 100 * book.done // max(book.total, 1)
