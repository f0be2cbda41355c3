"""Whole histories of people: months of finished matches without their cards, with their facts and levels."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from games.facts.store import store_facts
from games.models import Match, SeatFacts
from players.models import Player
from scoring import level_book
from tests.support.levels import store_match

LENGTHS = {"scopa": ("points", 11), "briscola": ("deals", 1)}  # of a match; of the other games 21 points
Played = tuple[str, tuple[int, int], float]  # game, the first player's points before the others', days ago


def store_history(people: Sequence[Player], now: datetime, played: Sequence[Played]) -> list[Match]:
    """Store these matches between the people, in two or in four, and have levels follow them."""
    matches = []
    for game, points, days in sorted(played, key=lambda row: -row[2]):
        at = now - timedelta(days=days)
        kind, value = LENGTHS.get(game, ("points", 21))
        match = store_match(list(people), at, points, ruleset=game, length_kind=kind, length_value=value)
        store_facts(match_id=match.pk)
        matches.append(match)
    level_book.note_changes(match_ids=[match.pk for match in matches], now=now)
    level_book.settle(now=now)
    return matches


def set_card_points(match: Match, points: tuple[int, int]) -> None:
    """Have a match have these card points, the first player's first."""
    for side in (0, 1):
        SeatFacts.objects.filter(match=match, side=side).update(
            cards_for=points[side], cards_against=points[1 - side], deals=1
        )
