"""Timed steps of tournaments, done by the sweep: each once, at its time, whatever comes first."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games.models import Commitment, Match
from games.sweep import Sweep
from players.models import Player
from tests.support.clock import Clock
from tests.support.equal import play_otherwise
from tests.support.fours import begin_teams, list_boards
from tests.support.play import OPENING, play
from tests.support.tournaments import KO, Opened
from tournaments.entries import join
from tournaments.entries.house import enter_house_players
from tournaments.models import Fixture, Round, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

State = Tournament.State


def test_a_tournament_starts_and_opens_its_tables_at_its_hour_e5(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    clock = Clock(now)
    sweep = Sweep(clock)
    start = now + timedelta(hours=1)
    tournament = opened(starts_at=start)
    for player in (anna, bruno):
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    clock.now = start - timedelta(milliseconds=1)
    sweep.round()
    assert Tournament.objects.get().state == State.OPEN
    clock.now = start
    sweep.round()
    assert Tournament.objects.get().state == State.RUNNING
    assert not Match.objects.exists(), "after the pause"
    clock.now = start + timedelta(seconds=KO.pause)
    sweep.round()
    assert Fixture.objects.get().state == Fixture.State.PLAYING
    sweep.round()
    assert Match.objects.count() == 1


def test_one_tournament_that_cannot_start_does_not_stop_another(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    start = now + timedelta(hours=1)
    broken, sound = opened(starts_at=start), opened(starts_at=start + timedelta(seconds=1))
    for tournament in (broken, sound):
        for player in (anna, bruno):
            join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    Tournament.objects.filter(pk=broken.pk).update(format="scomparsa")
    Sweep(Clock(start + timedelta(seconds=2))).round()
    broken.refresh_from_db()
    sound.refresh_from_db()
    assert (broken.state, sound.state) == (State.OPEN, State.RUNNING)


@pytest.mark.rule("HP2")
def test_the_house_plays_as_strongly_as_the_organiser_chose(opened: Opened) -> None:
    opened_at = timezone.now()
    tournament = opened(max_entries=2, pause=0, house_allowed=True, house_strength="master")
    enter_house_players(tournament_id=tournament.pk, count=2, now=opened_at)
    for seconds in range(1, 5):
        Sweep(lambda seconds=seconds: opened_at + timedelta(seconds=seconds)).round()  # type: ignore[misc]
    assert Match.objects.get().strength == "master"


@pytest.mark.rule("J5", "J11", "J12")
def test_the_sweep_leads_teams_from_the_first_table_to_the_last_reveal(opened: Opened, now: datetime) -> None:
    tournament = begin_teams(opened, 3, now)
    clock = Clock(now)
    sweep = Sweep(clock)
    for number in (1, 2, 3):
        clock.now += OPENING
        for _round in range(3):  # tables of the round are opened, their results passed on
            sweep.round()
        first, second = Match.objects.exclude(status=Match.Status.FINISHED).order_by("pk")
        clock.now = play(first, clock.now)
        sweep.round()
        round_ = Round.objects.get(tournament=tournament, number=number)
        assert (round_.withheld, Commitment.objects.get(round_secret__number=number).secret) == (True, "")
        clock.now = play_otherwise(second, clock.now)
        for _round in range(3):
            sweep.round()
        round_.refresh_from_db()
        assert not round_.withheld
        assert Commitment.objects.get(round_secret__number=number).secret != ""
    tournament.refresh_from_db()
    assert tournament.state == State.FINISHED
    assert sorted(row.vp_0 + row.vp_1 for board in (1, 2, 3) for row, _ in list_boards(tournament, board)) == [20] * 3
