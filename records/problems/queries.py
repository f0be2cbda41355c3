"""Reads of problems: which there are, the one of a day, what somebody answered, their level. They never write."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet

from games.levels import ShownLevel
from players.models import Player
from records.models import Attempt, CardProblem, DailyProblem, ProblemLevel
from scoring import ratings
from scoring.days import count_days, find_day

NEAREST = 12  # problems of about one's own level, of which one is drawn


def count_by_ruleset() -> dict[str, int]:
    """Return how many problems there are of each ruleset that has any."""
    return dict(CardProblem.objects.values_list("ruleset").annotate(n=Count("pk")))


def find_problem(ruleset: str, public_id: str) -> CardProblem | None:
    """Return the problem of that public id; None if there is none of that ruleset."""
    return CardProblem.objects.filter(ruleset=ruleset, public_id=public_id).select_related("match").first()


def read_daily(now: datetime) -> dict[str, CardProblem]:
    """Return today's problem of each ruleset that has one."""
    rows = DailyProblem.objects.filter(day=find_day(now)).select_related("problem")
    return {row.ruleset: row.problem for row in rows}


def is_daily(problem: CardProblem, now: datetime) -> bool:
    """Tell if it is today's problem."""
    return DailyProblem.objects.filter(day=find_day(now), problem=problem).exists()


def choose_next_daily(ruleset: str) -> CardProblem | None:
    """Return the problem whose turn it is: of those that had no day yet the newest, else the one whose day is longest
    ago; None where there are none."""
    of_ruleset = CardProblem.objects.filter(ruleset=ruleset)
    unused = of_ruleset.filter(days=None).order_by("-mined_at", "-pk").first()
    return unused or of_ruleset.annotate(last=Max("days__day")).order_by("last", "pk").first()


def find_attempt(problem: CardProblem, player: Player) -> Attempt | None:
    """Return a member's answer to a problem."""
    return Attempt.objects.filter(problem=problem, player=player).first()


def draw_problem(ruleset: str, player: Player | None, but: Collection[str]) -> CardProblem | None:
    """Draw a problem for somebody: one they haven't answered, of about their level; None where none is left.
    ``but``: public ids of those they had otherwise."""
    left = CardProblem.objects.filter(ruleset=ruleset).exclude(public_id__in=but)
    mu = ratings.NEW.mu
    if player is not None:
        left = left.exclude(attempts__player=player)
        level = ProblemLevel.objects.filter(player=player, ruleset=ruleset).first()
        mu = mu if level is None else level.mu
    harder = list(left.filter(mu__gte=mu).order_by("mu", "pk")[:NEAREST])
    easier = list(left.filter(mu__lt=mu).order_by("-mu", "pk")[:NEAREST])
    nearest = sorted([*harder, *easier], key=lambda problem: abs(problem.mu - mu))[:NEAREST]
    return secrets.choice(nearest) if nearest else None


def choose_attempts(player: Player) -> QuerySet[Attempt]:
    """Return a member's answers, the oldest first."""
    return Attempt.objects.filter(player=player).select_related("problem").order_by("at", "pk")


@dataclass(frozen=True, slots=True)
class ProblemStanding:
    """A member in the problems of a ruleset: their level, how many they answered and found, and the levels so far."""

    level: ShownLevel
    tried: int
    solved: int
    levels: tuple[tuple[datetime, int], ...]


def show_level(mu: float, sigma: float) -> ShownLevel:
    """Return a level in problems as it is shown, by L5."""
    return ShownLevel(ratings.scale(mu), ratings.is_uncertain(sigma))


def read_standings(player: Player, now: datetime) -> dict[str, ProblemStanding]:
    """Return a member's standing in each ruleset whose problems they have tried."""
    attempts: dict[str, list[Attempt]] = {}
    for attempt in choose_attempts(player):
        attempts.setdefault(attempt.problem.ruleset, []).append(attempt)
    standings = {}
    for level in ProblemLevel.objects.filter(player=player):
        own = attempts.get(level.ruleset, [])
        sigma = ratings.grow_sigma(level.sigma, count_days(level.rated_at, now))
        standings[level.ruleset] = ProblemStanding(
            show_level(level.mu, sigma),
            level.attempts,
            sum(attempt.right for attempt in own),
            tuple((attempt.at, ratings.scale(attempt.mu)) for attempt in own),
        )
    return standings


def find_solved(player: Player, problems: Collection[CardProblem]) -> dict[int, bool]:
    """Return for each of these problems that a member answered whether they found it, by id."""
    rows = Attempt.objects.filter(Q(problem__in=problems), player=player)
    return dict(rows.values_list("problem_id", "right"))
