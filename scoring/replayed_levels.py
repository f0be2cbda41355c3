"""Levels replayed from matches, in memory: the step of each person by each match, and what they have at its end (L6).

It reads what was before the first match, and writes nothing.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, Q, Window
from django.db.models.functions import RowNumber

from scoring import ratings
from scoring.counted_matches import CountedMatch, Place
from scoring.days import count_days
from scoring.models import Level, LevelStep
from scoring.ratings import Rating

MAX_ASKED = 400  # people asked for in one read
EQUAL = 5e-7  # numbers that differ by less are the same (L6)


class LevelKey(NamedTuple):
    """A level of somebody: whose, in what ruleset and form (L1)."""

    player_id: int
    ruleset: str
    form: str


class Standing(NamedTuple):
    """Level as it is at one moment of the replay."""

    rating: Rating
    matches: int
    rated_at: datetime


class RatedStep(NamedTuple):
    """RatedStep of a level as ``LevelStep`` stores it."""

    match_id: int
    player_id: int
    ruleset: str
    form: str
    finished_at: datetime
    line: int
    share: float
    mu_before: float
    sigma_before: float
    mu_after: float
    sigma_after: float
    matches: int

    def differs(self, other: "RatedStep") -> bool:
        """Tell if two steps differ, numbers to 6 decimals (L6)."""
        return any(
            abs(own - its) > EQUAL if isinstance(own, float) and isinstance(its, float) else own != its
            for own, its in zip(self, other, strict=True)
        )


class ReplayedLevels:
    """Levels from a place on. ``standings`` are those of everybody who has been looked at; None for whoever has
    none."""

    def __init__(self, since: Place | None) -> None:
        self.since = since
        self.standings: dict[LevelKey, Standing | None] = {}

    def rate(self, batch: Collection[CountedMatch]) -> Iterator[RatedStep]:
        """Yield the steps of these matches, in order."""
        self.look_up({kind for match in batch for line in match.lines for kind in _list_kinds(match, line)})
        for match in batch:
            yield from self._rate(match)

    def look_up(self, kinds: Collection[LevelKey]) -> None:
        """Read what these levels were before the replay, where it isn't known yet."""
        unknown = {kind for kind in kinds if kind not in self.standings}
        self.standings |= dict.fromkeys(unknown)
        if self.since is None or not unknown:
            return
        people = sorted({kind.player_id for kind in unknown})
        for first in range(0, len(people), MAX_ASKED):
            for kind, standing in _read_before(people[first : first + MAX_ASKED], self.since):
                if kind in unknown:
                    self.standings[kind] = standing

    def _rate(self, match: CountedMatch) -> Iterator[RatedStep]:
        place = match.place
        kinds = tuple(_list_kinds(match, line) for line in match.lines)
        first, second = ([self._find_rating(kind, place.finished_at) for kind in line] for line in kinds)
        after = ratings.rate((first, second), match.share)
        for line, before in enumerate((first, second)):
            for kind, old, new in zip(kinds[line], before, after[line], strict=True):
                standing = self.standings[kind]
                matches = 1 if standing is None else standing.matches + 1
                self.standings[kind] = Standing(new, matches, place.finished_at)
                yield RatedStep(
                    match_id=place.match_id,
                    player_id=kind.player_id,
                    ruleset=match.ruleset,
                    form=match.form,
                    finished_at=place.finished_at,
                    line=line,
                    share=1 - match.share if line else match.share,
                    mu_before=old.mu,
                    sigma_before=old.sigma,
                    mu_after=new.mu,
                    sigma_after=new.sigma,
                    matches=matches,
                )

    def _find_rating(self, kind: LevelKey, at: datetime) -> Rating:
        """Return the rating with which a match begins: its uncertainty has grown by the days away (L5)."""
        standing = self.standings[kind]
        if standing is None:
            return ratings.NEW
        sigma = ratings.grow_sigma(standing.rating.sigma, count_days(standing.rated_at, at))
        return Rating(standing.rating.mu, sigma)


def _list_kinds(match: CountedMatch, line: Collection[int]) -> list[LevelKey]:
    return [LevelKey(player_id, match.ruleset, match.form) for player_id in line]


def _read_before(people: Collection[int], since: Place) -> Iterator[tuple[LevelKey, Standing]]:
    """Yield the levels of these people before a place: the stored ones where those are older, else by their steps."""
    settled = Level.objects.filter(player__in=people, rated_at__lt=since.finished_at)
    for level in settled:
        kind = LevelKey(level.player_id, level.ruleset, level.form)
        yield kind, Standing(Rating(level.mu, level.sigma), level.matches, level.rated_at)
    newer = set(
        Level.objects.filter(player__in=people, rated_at__gte=since.finished_at).values_list("player_id", flat=True)
    )
    before = Q(finished_at__lt=since.finished_at) | Q(finished_at=since.finished_at, match__lt=since.match_id)
    latest = Window(
        RowNumber(),
        partition_by=[F("player"), F("ruleset"), F("form")],
        order_by=[F("finished_at").desc(), F("match").desc()],
    )
    for step in LevelStep.objects.filter(before, player__in=newer).annotate(age=latest).filter(age=1):
        kind = LevelKey(step.player_id, step.ruleset, step.form)
        yield kind, Standing(Rating(step.mu_after, step.sigma_after), step.matches, step.finished_at)
