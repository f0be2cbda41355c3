"""Problems from matches of tournaments (HP7): they wait for the tournament's end."""

from datetime import datetime

import pytest

from players.models import Player
from records.models import MinedMatch
from records.problems import mining
from tests.support.entries import enter_all
from tests.support.play import OPENING, open_ready, play
from tests.support.tournaments import GIRONE, Opened

pytestmark = [pytest.mark.django_db, pytest.mark.rule("HP7")]


def test_matches_of_a_tournament_wait_for_its_end(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened(GIRONE)
    enter_all(tournament, four, now)
    first, *_others = open_ready(tournament, now + OPENING)
    play(first, now + OPENING)
    assert first in mining.list_unmined()
    assert not mining.is_due()
    assert mining.mine(now=now, seconds=600, most=100) == 0
    assert not MinedMatch.objects.exists()
    tournament.state = "finished"
    tournament.save()
    assert mining.is_due()
