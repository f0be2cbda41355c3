"""Leave to study, and matches that may be studied (HP6): nobody with a card to play that counts gets any."""

from datetime import datetime

import pytest

from games import study, wording
from games.models import Match
from games.services import errors
from games.training import hints
from players.models import Player
from tests.support.people import take_house
from tests.support.play import sit_down
from tests.support.tables import FIRST, again, opened, play_out, seated

pytestmark = [pytest.mark.django_db, pytest.mark.rule("HP6")]


def test_who_sits_live_at_a_table_may_not_study_before_it_is_over(anna: Player, bruno: Player, now: datetime) -> None:
    assert study.find_refusal(anna, now) is None
    match = opened([anna, bruno], now)
    assert study.find_refusal(anna, now) == "study_seated"
    assert study.find_match_refusal(match) == "study_running"
    sit_down(match, now)
    play_out(match, now)
    assert again(match).status == Match.Status.FINISHED
    assert study.find_refusal(anna, now) is None
    assert study.find_match_refusal(again(match)) is None


def test_a_hint_in_training_is_for_who_sits_nowhere_else(anna: Player, bruno: Player, now: datetime) -> None:
    opened([anna, bruno], now)
    private = seated([anna, *take_house(count=1, now=now)], now, context="free", training=True, absence="house",
                     first_dealer=1, turn_timeout=None, match_clock=None)  # fmt: skip
    with pytest.raises(errors.StudyRefused) as refused:
        hints.prepare_hint(match_id=private.pk, seat=0, control=FIRST, version=private.version, now=now)
    assert refused.value.code == "study_seated"
    assert wording.describe_refusal(refused.value.code)


def test_who_trains_may_study_meanwhile(anna: Player, now: datetime) -> None:
    seated([anna, *take_house(count=1, now=now)], now, context="free", training=True, absence="house")
    assert study.find_refusal(anna, now) is None
