"""Levels in problems (HP7): what an answer moves, the problem of a day, and what a person takes along or leaves."""

from datetime import UTC, datetime, timedelta

import pytest

from players.models import Player
from players.services.close_account import close_account
from players.services.own_data import read_part
from records.models import Attempt, CardProblem, DailyProblem, ProblemLevel
from records.problems import actions, queries
from scoring import ratings
from tests.support.problems import plant_problem

pytestmark = [pytest.mark.django_db, pytest.mark.rule("HP7")]


def answer(problem: CardProblem, player: Player, now: datetime, place: int = 0) -> Attempt:
    chosen = problem.plays[place]["move"]
    return actions.answer_problem(problem_id=problem.pk, player=player, chosen=chosen, now=now)


def twin(problem: CardProblem, **changed: object) -> CardProblem:
    """Another problem of the same match."""
    CardProblem.objects.filter(pk=problem.pk).update(step=problem.step)
    return plant_problem(problem.match, step=problem.step + 100 + CardProblem.objects.count(), **changed)


def test_a_right_answer_moves_the_level_up_and_the_problem_down_as_a_match_between_them(
    problem: CardProblem, carla: Player, now: datetime
) -> None:
    attempt = answer(problem, carla, now)
    (own,), (other,) = ratings.rate(([ratings.NEW], [ratings.NEW]), 1.0)
    level = ProblemLevel.objects.get(player=carla)
    problem.refresh_from_db()
    assert attempt.right
    assert (level.mu, level.sigma, level.attempts) == (own.mu, own.sigma, 1)
    assert (attempt.mu, problem.mu, problem.sigma) == (own.mu, other.mu, other.sigma)
    assert own.mu > ratings.NEW.mu > other.mu
    assert (problem.tried, problem.solved) == (1, 1)


def test_a_wrong_answer_moves_them_the_other_way(problem: CardProblem, carla: Player, now: datetime) -> None:
    assert not answer(problem, carla, now, place=-1).right
    problem.refresh_from_db()
    assert ProblemLevel.objects.get().mu < ratings.NEW.mu < problem.mu
    assert (problem.tried, problem.solved) == (1, 0)


def test_only_the_first_answer_counts(problem: CardProblem, carla: Player, now: datetime) -> None:
    first = answer(problem, carla, now, place=-1)
    assert answer(problem, carla, now + timedelta(days=1)) == first
    assert ProblemLevel.objects.get().attempts == Attempt.objects.count() == 1


def test_what_cannot_be_played_there_is_no_answer(problem: CardProblem, carla: Player, now: datetime) -> None:
    for chosen in ("", "play Zz", "a\x00b", "abandon"):
        with pytest.raises(actions.NotAPlay):
            actions.answer_problem(problem_id=problem.pk, player=carla, chosen=chosen, now=now)
    assert not Attempt.objects.exists()


def test_levels_of_rulesets_are_kept_apart(problem: CardProblem, carla: Player, now: datetime) -> None:
    other = twin(problem, ruleset="briscola")
    answer(problem, carla, now)
    answer(other, carla, now, place=-1)
    standings = queries.read_standings(carla, now)
    assert standings["scopa"].level.value > 1500 > standings["briscola"].level.value
    assert (standings["scopa"].tried, standings["scopa"].solved) == (1, 1)
    assert standings["scopa"].level.uncertain


def test_the_problem_of_a_day_is_the_same_until_midnight_in_rome(problem: CardProblem) -> None:
    second = twin(problem)
    evening = datetime(2026, 11, 27, 22, 59, tzinfo=UTC)
    first_day = actions.ensure_daily(now=evening)["scopa"]
    twin(problem)
    assert actions.ensure_daily(now=evening)["scopa"] == first_day == second, "a newer one waits for its day"
    assert actions.ensure_daily(now=evening + timedelta(minutes=1))["scopa"] != first_day
    assert DailyProblem.objects.count() == 2


def test_when_every_problem_had_its_day_the_one_longest_ago_comes_again(problem: CardProblem, now: datetime) -> None:
    other = twin(problem)
    days = [actions.ensure_daily(now=now + timedelta(days=day))["scopa"] for day in range(4)]
    assert days == [other, problem, other, problem]


def test_another_problem_is_one_that_wasnt_answered_nearest_first(
    problem: CardProblem, carla: Player, now: datetime
) -> None:
    other = twin(problem)
    assert queries.draw_problem("scopa", None, [problem.public_id]) == other
    answer(other, carla, now)
    assert queries.draw_problem("scopa", carla, []) == problem
    answer(problem, carla, now)
    assert queries.draw_problem("scopa", carla, []) is None
    assert queries.draw_problem("briscola", carla, []) is None


def test_answers_are_in_the_archive_and_go_with_the_account(problem: CardProblem, carla: Player, now: datetime) -> None:
    answer(problem, carla, now)
    (row,) = read_part("problems", carla)
    assert row["problem"] == problem.public_id
    assert row["right"] is True
    assert close_account(player_id=carla.pk, now=now)
    assert not Attempt.objects.exists()
    assert not ProblemLevel.objects.exists()
    problem.refresh_from_db()
    assert (problem.tried, problem.solved) == (1, 1)
