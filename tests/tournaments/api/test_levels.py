"""Levels of a person in the API: the value of today, its history, and who is shown them (L1, L5)."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from players.models import Player, ProfileAudience
from scoring import level_book
from tests.support.levels import settle_match
from tests.support.people import sign_in

pytestmark = pytest.mark.django_db


def read_levels_of(player: Player, client: Client | None = None) -> object:
    answer = (client or Client()).get(f"/api/v1/people/{player.public_id}/levels/")
    return answer.json() if answer.status_code == 200 else answer.status_code


@pytest.mark.rule("L1", "L5", "L6")
def test_levels_have_their_value_band_and_history(anna: Player, bruno: Player, now: datetime) -> None:
    matches = [settle_match([anna, bruno], now + timedelta(hours=hour)) for hour in range(2)]
    level_book.begin_whole_run(now=now)
    answer = read_levels_of(anna)
    assert isinstance(answer, dict)
    (level,) = answer["levels"]
    assert answer["recomputing"] == 0
    assert (level["ruleset"], level["form"], level["uncertain"]) == ("scopa", "alone", True)
    assert (level["matches"], level["band"]) == (2, "expert")
    assert [point["match"] for point in level["points"]] == [match.public_id for match in matches]
    assert level["points"][-1]["value"] == level["value"] > level["points"][0]["value"] > 1500


def test_who_hides_their_levels_alone_is_shown_them(anna: Player, bruno: Player, now: datetime) -> None:
    settle_match([anna, bruno], now)
    ProfileAudience.objects.create(player=anna, levels="nobody")
    assert read_levels_of(anna) == 404
    assert isinstance(read_levels_of(anna, sign_in(anna)), dict)
    assert isinstance(read_levels_of(bruno), dict)


def test_a_level_over_time_names_no_match_of_who_hides_them(anna: Player, bruno: Player, now: datetime) -> None:
    match = settle_match([anna, bruno], now)
    ProfileAudience.objects.create(player=anna, history="nobody")
    for reader, named in ((None, None), (anna, match.public_id)):
        answer = read_levels_of(anna, sign_in(reader))
        assert isinstance(answer, dict)
        (point,) = answer["levels"][0]["points"]
        assert point["match"] == named
        assert (point["share"] is None) == (named is None)
        assert point["value"] > 1500
