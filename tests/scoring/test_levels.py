"""Levels as they are read: by person, as they are today, and their history."""

from datetime import datetime, timedelta

import pytest
from django.template import Context, Template

from games.levels import ShownLevel, read_levels
from players.models import Player
from scoring.levels import find_progress, list_level_history
from scoring.models import Level, LevelBook

pytestmark = pytest.mark.django_db


def make_level(player: Player, at: datetime, *, mu: float = 25.0, sigma: float = 3.0, form: str = "alone") -> Level:
    """Store a level of this player at scopa."""
    return Level.objects.create(player=player, ruleset="scopa", form=form, mu=mu, sigma=sigma, matches=9, rated_at=at)


@pytest.mark.rule("L1")
def test_a_level_is_of_one_ruleset_and_form(anna: Player, bruno: Player, now: datetime) -> None:
    make_level(anna, now, mu=26.0)
    make_level(anna, now, mu=27.0, form="pairs")
    people = [anna.pk, bruno.pk]
    assert read_levels(people, "scopa", "alone", now) == {anna.pk: ShownLevel(1560, uncertain=False)}
    assert read_levels(people, "scopa", "pairs", now) == {anna.pk: ShownLevel(1620, uncertain=False)}
    assert read_levels(people, "tresette", "alone", now) == {}


@pytest.mark.rule("L5")
def test_a_level_becomes_uncertain_again_with_the_days_away(anna: Player, now: datetime) -> None:
    make_level(anna, now, sigma=3.9)
    assert not read_levels([anna.pk], "scopa", "alone", now)[anna.pk].uncertain
    assert read_levels([anna.pk], "scopa", "alone", now + timedelta(days=60))[anna.pk].uncertain


def test_the_history_has_every_form_with_the_level_of_today(anna: Player, now: datetime) -> None:
    make_level(anna, now, mu=26.0)
    assert [(one.form, one.level.value, one.points) for one in list_level_history(anna.pk, now)] == [
        ("alone", 1560, ())
    ]


@pytest.mark.rule("L6")
def test_a_recomputation_under_way_tells_how_far_it_is(now: datetime) -> None:
    assert find_progress() is None
    LevelBook.objects.create(run_from=now, started_at=now, done=30, total=120)
    assert find_progress() == 25


@pytest.mark.rule("L6")
def test_pages_say_that_levels_are_computed_again(now: datetime) -> None:
    said = Template("{% load level_progress %}{% show_level_progress %}")
    assert said.render(Context()).strip() == ""
    LevelBook.objects.create(run_from=now, started_at=now, done=1, total=2)
    assert 'data-note="levels_recomputed"' in said.render(Context())
