"""Reads of the facts of a player's matches: sums, months, companions. As many queries for any number.

They take a choice of rows (``choose_facts``), to which an app above may add conditions of its own, and results in the
place of the matches' own: what is counted is ``counted_outcome``, ``counted_for`` and ``counted_against``.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Avg, Count, F, Q, QuerySet, Sum
from django.db.models.functions import TruncMonth

from games.models import SeatFacts
from players.models import Player

SUMMED = (
    "cards_for", "cards_against", "deals",
    "scope", "settebello", "primiera", "accusi", "cappotti", "last_tricks", "plays", "thinking_ms",
)  # fmt: skip
MOST_COMPANIONS = 20
Outcome = SeatFacts.Outcome


@dataclass(frozen=True, slots=True)
class FactSums:
    """Sums over some matches of one player; ``month``: of which month, where they are."""

    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points_for: int = 0
    points_against: int = 0
    cards_for: int = 0
    cards_against: int = 0
    card_deals: int = 0  # of games that have card points
    deals: int = 0
    scope: int = 0
    settebello: int = 0
    primiera: int = 0
    accusi: int = 0
    cappotti: int = 0
    last_tricks: int = 0
    plays: int = 0
    thinking_ms: int = 0
    month: datetime | None = None

    @property
    def won_percent(self) -> int | None:
        """Return the share of matches won, in whole per cent; None without a match."""
        return round(100 * self.won / self.matches) if self.matches else None

    @property
    def points_a_deal(self) -> float | None:
        """Return the points made a deal; None without a deal."""
        return self.points_for / self.deals if self.deals else None

    @property
    def against_a_deal(self) -> float | None:
        """Return the others' points a deal."""
        return self.points_against / self.deals if self.deals else None

    @property
    def cards_a_deal(self) -> float | None:
        """Return the card points made a deal; None without a deal of a game that has them."""
        return self.cards_for / self.card_deals if self.card_deals else None

    @property
    def cards_against_a_deal(self) -> float | None:
        """Return the others' card points a deal."""
        return self.cards_against / self.card_deals if self.card_deals else None

    @property
    def seconds_a_play(self) -> float | None:
        """Return the seconds thought about a card; None without one."""
        return self.thinking_ms / self.plays / 1000 if self.plays else None


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody a player has met: partner or opponent, in how many matches, and how many of those the player won and
    lost."""

    player: Player
    matches: int
    won: int
    lost: int = 0

    @property
    def won_percent(self) -> int:
        """Return the share of matches won, in whole per cent."""
        return round(100 * self.won / self.matches)

    @property
    def decided_percent(self) -> int:
        """Return the share of the decided matches that were won, in whole per cent."""
        return round(100 * self.won / max(1, self.won + self.lost))


def choose_facts(player: Player) -> QuerySet[SeatFacts]:
    """Return the rows of a player that count, with their own results: not of free matches that the staff annulled."""
    rows = SeatFacts.objects.filter(player=player, match__annulled_at=None)
    return rows.annotate(counted_outcome=F("outcome"), counted_for=F("points_for"), counted_against=F("points_against"))


def list_rulesets(rows: QuerySet[SeatFacts]) -> list[str]:
    """Return the games of these rows, the most played first."""
    counted = rows.order_by().values("ruleset").annotate(n=Count("pk")).order_by("-n", "ruleset")
    return list(counted.values_list("ruleset", flat=True))


def _sums() -> dict[str, Count | Sum | Avg]:
    counts = {outcome: Count("pk", filter=Q(counted_outcome=outcome)) for outcome in Outcome.values}
    points = {"points_for": Sum("counted_for", default=0), "points_against": Sum("counted_against", default=0)}
    points["card_deals"] = Sum("deals", filter=Q(cards_for__isnull=False), default=0)
    return {"matches": Count("pk"), **counts, **points, **{name: Sum(name, default=0) for name in SUMMED}}


def read_sums(rows: QuerySet[SeatFacts]) -> FactSums:
    """Return the sums over all of these rows."""
    return FactSums(**rows.order_by().aggregate(**_sums()))


def read_sums_by_game(rows: QuerySet[SeatFacts]) -> dict[str, FactSums]:
    """Return the sums over these rows, by game."""
    games = rows.order_by().values("ruleset").annotate(**_sums()).order_by("ruleset")
    sums: list[dict[str, Any]] = [dict(game) for game in games]
    return {str(game.pop("ruleset")): FactSums(**game) for game in sums}


def read_months(rows: QuerySet[SeatFacts]) -> list[FactSums]:
    """Return the sums of each month in which there was a match, by the reader's calendar, the earliest first."""
    months = rows.order_by().values(month=TruncMonth("finished_at")).annotate(**_sums()).order_by("month")
    return [FactSums(**month) for month in months]


def list_companions(rows: QuerySet[SeatFacts], player: Player, *, partners: bool) -> list[Companion]:
    """Return with whom the player has played most, or against whom."""
    others = rows.order_by().annotate(other=F("match__facts__player"), other_side=F("match__facts__side"))
    others = others.exclude(other=player.pk)
    others = others.filter(other_side=F("side")) if partners else others.exclude(other_side=F("side"))
    outcomes = {code: Count("pk", filter=Q(counted_outcome=code)) for code in (Outcome.WON, Outcome.LOST)}
    counted = others.values("other").annotate(n=Count("pk"), **outcomes).order_by("-n", "other")
    return _name_companions(counted.values_list("other", "n", *outcomes)[:MOST_COMPANIONS])


def _name_companions(counted: Iterable[tuple[int, int, int, int]]) -> list[Companion]:
    rows = list(counted)
    players = Player.objects.in_bulk([other for other, *_counts in rows])
    return [Companion(players[other], n, won, lost) for other, n, won, lost in rows]
