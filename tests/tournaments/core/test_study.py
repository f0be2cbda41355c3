"""Tournaments that keep people from studying (HP6)."""

from dataclasses import replace
from datetime import datetime

import pytest

from games import study, wording
from games.models import Match
from players.models import Player
from tests.support.equal import EQUAL, begun
from tests.support.play import OPENING, abandon, open_ready, play, sit_down
from tests.support.tables import again
from tests.support.tournaments import GIRONE, Opened
from tournaments.equal import secrets
from tournaments.models import Fixture, Tournament

PATIENT = replace(EQUAL, turn_timeout=None, match_clock=3600)  # a table may wait while the other is played

pytestmark = [pytest.mark.django_db, pytest.mark.rule("HP6")]


def test_nobody_of_a_round_with_equal_deals_studies_while_it_is_on(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = begun(opened, four, now, base=PATIENT)
    at = now + OPENING
    assert study.find_refusal(four[0], now) is None, "its cards aren't dealt yet"
    over, on = open_ready(tournament, at)
    sit_down(on, at)
    at = play(over, at)
    early = over.seats.get(number=0).player
    assert study.find_refusal(early, at) == "study_equal_round"
    assert study.find_match_refusal(again(over)) == "study_running"
    at = play(on, at)
    secrets.reveal_rounds(Tournament.objects.get(pk=tournament.pk), at)
    assert study.find_refusal(early, at) is None


def test_a_match_of_a_tournament_is_studied_when_the_tournament_is_over(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = begun(opened, four, now, base=GIRONE)
    first, *_others = open_ready(tournament, now + OPENING)
    abandon(first, 0, now + OPENING)
    first = again(first)
    assert first.status == Match.Status.FINISHED
    assert study.find_match_refusal(first) == "study_tournament_running"
    assert wording.describe_study_refusal("study_tournament_running")
    Fixture.objects.filter(match=first).update(match=None)
    assert study.find_match_refusal(again(first)) == "study_tournament_running", "it was ordered to be played anew"
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    assert study.find_match_refusal(again(first)) is None
