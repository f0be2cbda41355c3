"""Finished matches without their cards, for what follows from results alone: levels."""

from datetime import datetime
from typing import Any

from games.models import Match, Seat
from players.models import Player
from scoring import level_book
from scoring.models import Level, LevelStep


def store_match(players: list[Player], at: datetime, points: tuple[int, int] = (11, 0), **changed: Any) -> Match:
    """Store a match that finished: Scopa to 11 at a free table, won by the points, unless said otherwise."""
    winner = None if points[0] == points[1] else int(points[1] > points[0])
    values: dict[str, Any] = {
        "ruleset": "scopa",
        "players": len(players),
        "length_kind": "points",
        "length_value": 11,
        "context": "free",
        "first_dealer": 0,
        "status": Match.Status.FINISHED,
        "opened_at": at,
        "finished_at": at,
        "settled_at": at,
        "winner": winner,
        "decided_by": "draw" if winner is None else "points",
        "margin": abs(points[0] - points[1]),
        "score_0": points[0],
        "score_1": points[1],
    }
    match = Match.objects.create(**{**values, **changed})
    numbers = (0, 1, 3) if len(players) == 3 else range(len(players))
    Seat.objects.bulk_create(
        Seat(match=match, number=number, player=player, live=False, kind=player.kind)
        for number, player in zip(numbers, players, strict=True)
    )
    return match


def settle_match(players: list[Player], at: datetime, points: tuple[int, int] = (11, 0), **changed: Any) -> Match:
    """Store a match that finished, and have levels follow it at once."""
    match = store_match(players, at, points, **changed)
    level_book.note_changes(match_ids=[match.pk], now=at)
    level_book.settle(now=at)
    return match


def read_stored() -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Return all that is stored of levels and steps."""
    levels = Level.objects.order_by("player", "ruleset", "form")
    steps = LevelStep.objects.order_by("finished_at", "match", "player")
    names = ("player_id", "ruleset", "form", "mu", "sigma", "matches", "rated_at")
    return (
        list(levels.values_list(*names)),
        list(steps.values_list("match_id", "player_id", "line", "share", "mu_after", "sigma_after", "matches")),
    )


def read_mu(player: Player, ruleset: str = "scopa", form: str = "alone") -> float | None:
    """Return the mean that is stored; None where there is none."""
    return Level.objects.filter(player=player, ruleset=ruleset, form=form).values_list("mu", flat=True).first()
