"""Reads of what stands beside a person's matches: won and lost by month, matches against the reader, trophies.

It never writes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Count, F, Q
from django.utils.formats import date_format

from games.facts.queries import FactSums, read_months
from players.models import Player
from tournaments.models import TournamentPoints
from tournaments.profiles.history import choose_counted, list_own_persons

MONTHS = 6
LEAST_MONTHS = 3  # a chart of fewer says nothing that its figures don't
MOST_AWARDS = 60
BAR_PIXELS = 100  # of the month with the most matches


@dataclass(frozen=True, slots=True)
class MonthBar:
    """Won and lost matches of a month, and how high their bars are."""

    name: str
    long_name: str
    won: int
    lost: int
    won_pixels: int
    lost_pixels: int


@dataclass(frozen=True, slots=True)
class Meeting:
    """Matches of two people against each other, as one of them sees them."""

    won: int
    lost: int
    drawn: int

    @property
    def decided_percent(self) -> int:
        """Return the share of the decided matches that were won, in whole per cent."""
        return round(100 * self.won / max(1, self.won + self.lost))


@dataclass(frozen=True, slots=True)
class Trophies:
    """Tournaments a person has won, and in which they came second or third; and cappotti."""

    first: int = 0
    second: int = 0
    third: int = 0
    cappotti: int = 0

    def __bool__(self) -> bool:
        return bool(self.first or self.second or self.third or self.cappotti)


def draw_months(months: Sequence[FactSums]) -> list[MonthBar]:
    """Return bars of the last months in which there was a match; none where a chart would say nothing."""
    shown = months[-MONTHS:]
    if len(shown) < LEAST_MONTHS:
        return []
    most = max(1, *(month.won + month.lost for month in shown))
    return [
        MonthBar(
            date_format(month.month, "b"),
            date_format(month.month, "F Y"),
            month.won,
            month.lost,
            round(BAR_PIXELS * month.won / most),
            round(BAR_PIXELS * month.lost / most),
        )
        for month in shown
        if month.month is not None
    ]


def read_month_sums(person: Player) -> list[FactSums]:
    """Return what a person has played, month by month."""
    return read_months(choose_counted(person))


def read_meeting(reader: Player, person: Player) -> Meeting | None:
    """Return how the reader has fared against a person; None where they never met."""
    own = choose_counted(reader).annotate(other=F("match__facts__player"), other_side=F("match__facts__side"))
    against = own.filter(other=person.pk).exclude(other_side=F("side"))
    counts = against.order_by().aggregate(
        **{outcome: Count("pk", filter=Q(counted_outcome=outcome)) for outcome in ("won", "lost", "drawn")}
    )
    return Meeting(**counts) if any(counts.values()) else None


def read_trophies(person: Player, cappotti: int) -> Trophies:
    """Return the trophies of a person, with the cappotti that their statistics have."""
    own = TournamentPoints.objects.filter(person__in=list_own_persons(person), field__gt=1)
    counts = own.aggregate(
        **{name: Count("pk", filter=Q(rank=rank)) for rank, name in enumerate(("first", "second", "third"), start=1)}
    )
    return Trophies(**counts, cappotti=cappotti)


def list_awards(person: Player) -> list[TournamentPoints]:
    """Return the tournaments in which a person was among the first three, the latest first."""
    own = TournamentPoints.objects.filter(person__in=list_own_persons(person), rank__lte=3, field__gt=1)
    return list(own.select_related("tournament").order_by("-tournament__finished_at", "-pk")[:MOST_AWARDS])


@dataclass(frozen=True, slots=True)
class Beside:
    """Figures beside the matches for one reader; those they aren't shown are empty."""

    months: tuple[MonthBar, ...] = ()
    won: int = 0
    lost: int = 0
    drawn: int = 0
    matches: int = 0
    meeting: Meeting | None = None
    trophies: Trophies = field(default_factory=Trophies)


def count_beside(months: Sequence[FactSums]) -> Beside:
    """Return bars and sums of some months."""
    return Beside(
        months=tuple(draw_months(months)),
        won=sum(month.won for month in months),
        lost=sum(month.lost for month in months),
        drawn=sum(month.drawn for month in months),
        matches=sum(month.matches for month in months),
    )


def read_beside(person: Player, reader: Player | None, parts: frozenset[str]) -> Beside:
    """Return what stands beside a person's matches, of those ``parts`` alone that the reader is shown."""
    months = read_month_sums(person) if "statistics" in parts else []
    cappotti = sum(month.cappotti for month in months)
    return replace(
        count_beside(months),
        meeting=read_meeting(reader, person) if reader is not None and reader.pk != person.pk else None,
        trophies=read_trophies(person, cappotti) if "tournaments" in parts else Trophies(cappotti=cappotti),
    )
