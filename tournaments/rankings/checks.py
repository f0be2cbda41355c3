"""Points and rankings held against the results (Y4): what is stored must be what they give.

A ranking that a change still waits for isn't compared: it is late, not wrong.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournaments.core.locking import lock_tournament
from tournaments.models import Ranking, RankingChange, Tournament
from tournaments.rankings import points, refresh


class RankingDifference(NamedTuple):
    """Value that isn't what the results give. ``about``: the tournament or ranking, and whose value it is."""

    about: str
    name: str
    stored: Any
    given: Any

    def __str__(self) -> str:
        return f"{self.about} {self.name}: {self.stored!r} → {self.given!r}"


def list_differences() -> Iterator[str]:
    """Yield what ``manage.py recompute --check`` prints."""
    yield from map(str, find_ranking_differences(timezone.now()))


def recompute_all(now: datetime) -> list[str]:
    """Store points and rankings anew. Return what differed, in words."""
    return [str(difference) for difference in recompute_rankings(now)]


def find_ranking_differences(now: datetime) -> Iterator[RankingDifference]:
    """Yield the stored points and ranks that differ from those the results give; it writes nothing."""
    for tournament in list_finished():
        yield from _compare_points(tournament)
    waiting = list(RankingChange.objects.all())
    for ranking in Ranking.objects.order_by("pk"):
        if not any(refresh.follows(refresh.name_board(ranking), change) for change in waiting):
            if refresh.is_late(ranking, now):
                continue
            for person, stored, given in refresh.find_board_differences(ranking, now):
                yield RankingDifference(f"ranking {ranking.pk} person {person}", "rank and value", stored, given)


def recompute_rankings(now: datetime) -> list[RankingDifference]:
    """Store the points that the results give, and make every ranking anew. Return the former differences."""
    differences = list(find_ranking_differences(now))
    for tournament_id in list_finished().values_list("pk", flat=True):
        with transaction.atomic():
            points.store_points(lock_tournament(tournament_id, lent=True), now)
    refresh.refresh_rankings(now=now)
    for ranking in Ranking.objects.order_by("pk"):
        refresh.refresh_board(refresh.name_board(ranking), now, anyhow=True)
    return differences


def list_finished() -> QuerySet[Tournament]:
    """Return the tournaments that give points, or have any that they shouldn't."""
    over = Tournament.objects.filter(state=Tournament.State.FINISHED)
    return (over | Tournament.objects.filter(points__isnull=False)).distinct().order_by("pk")


def _compare_points(tournament: Tournament) -> Iterator[RankingDifference]:
    for (entry, person), stored, given in points.find_point_differences(tournament):
        about = f"{tournament.public_id} entry {entry} person {person}"
        none = (None,) * len(points.STORED)
        for name, own, other in zip(points.STORED, stored or none, given or none, strict=True):
            if own != other:
                yield RankingDifference(about, name, own, other)
