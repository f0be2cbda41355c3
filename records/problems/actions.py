"""Writes of problems: a member's answer with the levels it moves, the problem of a day, what is taken back.

Only a member's first answer to a problem counts; visitors and guests answer for themselves alone, and nothing is stored
of it but in their own session.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from players.models import Player
from records.models import Attempt, CardProblem, DailyProblem, ProblemLevel
from records.problems.queries import choose_next_daily, count_by_ruleset, read_daily
from scoring import ratings
from scoring.days import count_days, find_day
from scoring.ratings import Rating


class NotAPlay(Exception):
    """The answer isn't one of the plays of the position."""


def check_play(problem: CardProblem, chosen: str) -> bool:
    """Return whether this play is the best one. NotAPlay where it can't be played there."""
    if chosen not in {play["move"] for play in problem.plays}:
        raise NotAPlay
    return chosen == problem.best


def answer_problem(*, problem_id: int, player: Player, chosen: str, now: datetime) -> Attempt:
    """Store a member's answer and move their level, and the problem's against it; who answered before gets that answer
    again. NotAPlay where it can't be played there."""
    with transaction.atomic():
        problem = CardProblem.objects.select_for_update().get(pk=problem_id)
        attempt = Attempt.objects.filter(problem=problem, player=player).first()
        if attempt is not None:
            return attempt
        right = check_play(problem, chosen)
        level = ProblemLevel.objects.select_for_update().filter(player=player, ruleset=problem.ruleset).first()
        own, other = _rate(level, problem, right, now)
        ProblemLevel.objects.update_or_create(
            player=player,
            ruleset=problem.ruleset,
            defaults={
                "mu": own.mu,
                "sigma": own.sigma,
                "attempts": 1 if level is None else level.attempts + 1,
                "rated_at": now,
            },
        )
        CardProblem.objects.filter(pk=problem.pk).update(
            mu=other.mu, sigma=other.sigma, tried=F("tried") + 1, solved=F("solved") + int(right)
        )
        return Attempt.objects.create(
            problem=problem, player=player, chosen=chosen, right=right, at=now, mu=own.mu, sigma=own.sigma
        )


def _rate(level: ProblemLevel | None, problem: CardProblem, right: bool, now: datetime) -> tuple[Rating, Rating]:
    """Return the ratings of whoever answered and of the problem, as after a match between them (L4)."""
    own = ratings.NEW
    if level is not None:
        own = Rating(level.mu, ratings.grow_sigma(level.sigma, count_days(level.rated_at, now)))
    first, second = ratings.rate(([own], [Rating(problem.mu, problem.sigma)]), 1.0 if right else 0.0)
    return first[0], second[0]


def ensure_daily(*, now: datetime) -> dict[str, CardProblem]:
    """Return today's problem of each ruleset, chosen now where nobody has asked for it yet today."""
    daily = read_daily(now)
    for ruleset in sorted(count_by_ruleset().keys() - daily.keys()):
        chosen = choose_next_daily(ruleset)
        if chosen is not None:
            row, _new = DailyProblem.objects.get_or_create(
                day=find_day(now), ruleset=ruleset, defaults={"problem": chosen}
            )
            daily[ruleset] = row.problem
    return daily


def drop_problems(*, match_id: int) -> None:
    """Delete the problems of a match that was annulled."""
    CardProblem.objects.filter(match=match_id).delete()


def forget_player(*, player: Player) -> None:
    """Delete the answers and levels of a closing account; how many have tried and found a problem stays."""
    Attempt.objects.filter(player=player).delete()
    ProblemLevel.objects.filter(player=player).delete()
