"""Conduct (U1): the quit rate, and half an hour without free seeks after three matches left in a day."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.lobby.conduct import find_seek_ban, read_conduct
from games.models import Match
from games.services import playing, referee, seating, settlement
from players import caps
from players.models import Player
from tests.support.people import take_house
from tests.support.tables import CONTROLS, FIRST, opened, play_out, seated

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def _quit(players: list[Player], now: datetime) -> None:
    match = seated(players, now, context="free")
    playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)


@pytest.mark.rule("U1")
def test_the_quit_rate_is_of_the_matches_that_were_left_or_ran_out(anna: Player, bruno: Player, now: datetime) -> None:
    assert read_conduct(anna).rate == 0
    _quit([anna, bruno], now)
    slow = seated([anna, bruno], now, context="free")
    settlement.expire_overdue(match_id=slow.pk, now=now + 10 * MINUTE)
    loser = (anna, bruno)[slow.turn_seat or 0]
    end = play_out(seated([anna, bruno], now + 20 * MINUTE, context="free"), now + 20 * MINUTE)
    of_anna, of_bruno = read_conduct(anna), read_conduct(bruno)
    assert (of_anna.matches, of_bruno.matches) == (3, 3)
    assert (len(of_anna.quits), len(of_bruno.quits)) == ((2, 0) if loser == anna else (1, 1))
    assert of_anna.rate == (67 if loser == anna else 33)
    assert find_seek_ban(anna, end) is None


@pytest.mark.rule("U1")
def test_who_never_came_has_quit_and_who_waited_hasn_t(anna: Player, bruno: Player, now: datetime) -> None:

    match = opened([anna, bruno], now, context="free")
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token="", now=now)
    settlement.expire_overdue(match_id=match.pk, now=now + 10 * MINUTE)
    both = opened([anna, bruno], now + 11 * MINUTE, context="free")
    settlement.expire_overdue(match_id=both.pk, now=now + 30 * MINUTE)
    assert len(read_conduct(anna).quits) == 2
    assert len(read_conduct(bruno).quits) == 1


@pytest.mark.rule("U1")
def test_who_came_has_not_quit_where_a_partner_of_each_line_stayed_away(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    match = opened([anna, bruno, carla, dino], now, context="free")
    for player in (anna, bruno):
        seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now)
    settlement.expire_overdue(match_id=match.pk, now=now + 10 * MINUTE)
    match.refresh_from_db()
    assert match.both_forfeited
    assert [len(read_conduct(player).quits) for player in (anna, bruno, carla, dino)] == [0, 0, 1, 1]


def test_a_partner_s_flight_is_not_one_s_own(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    match = seated([anna, bruno, carla, dino], now, context="free")
    playing.abandon(match_id=match.pk, seat=2, control=CONTROLS[2], confirm=True, client_id=None, now=now)
    assert [len(read_conduct(player).quits) for player in (anna, bruno, carla, dino)] == [0, 0, 1, 0]


@pytest.mark.rule("U1", "B7")
def test_training_that_is_left_counts_for_nothing(anna: Player, now: datetime) -> None:
    about = {"context": "free", "training": True, "absence": Match.Absence.HOUSE}
    match = seated([anna, *take_house(count=1, now=now)], now, **about)
    playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=now)
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert read_conduct(anna).matches == 0


def test_a_match_a_referee_stopped_counts_for_nothing(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    referee.stop(match_id=match.pk, now=now)
    assert read_conduct(anna).matches == 0


@pytest.mark.rule("U1")
def test_three_in_a_day_close_the_seeks_for_half_an_hour(anna: Player, bruno: Player, now: datetime) -> None:
    for number in range(2):
        _quit([anna, bruno], now + number * MINUTE)
    assert find_seek_ban(anna, now + 2 * MINUTE) is None
    last = now + 3 * MINUTE
    _quit([anna, bruno], last)
    assert find_seek_ban(anna, last) == last + caps.SEEK_BAN
    assert find_seek_ban(bruno, last) is None
    assert find_seek_ban(anna, last + caps.SEEK_BAN - MINUTE) is not None
    assert find_seek_ban(anna, last + caps.SEEK_BAN) is None


def test_three_on_three_days_close_nothing(anna: Player, bruno: Player, now: datetime) -> None:
    for number in range(3):
        _quit([anna, bruno], now + number * timedelta(hours=13))
    assert find_seek_ban(anna, now + timedelta(hours=26)) is None


@pytest.mark.rule("U1")
def test_only_the_last_fifty_count_in_as_many_queries_as_one(anna: Player, bruno: Player, now: datetime) -> None:
    _quit([anna, bruno], now)
    with CaptureQueriesContext(connection) as one:
        read_conduct(anna)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(caps, "QUITS_COUNTED", 3)
        for number in range(1, 4):
            match = seated([anna, bruno], now + number * MINUTE, context="free")
            playing.abandon(
                match_id=match.pk, seat=1, control=CONTROLS[1], confirm=True, client_id=None, now=now + number * MINUTE
            )
        with CaptureQueriesContext(connection) as many:
            assert read_conduct(anna).quits == ()
        assert read_conduct(bruno).matches == 3
    assert len(many) <= len(one)


def test_where_the_house_plays_for_the_absent_who_left_has_quit(anna: Player, bruno: Player, now: datetime) -> None:
    end = play_out(match := seated([anna, bruno], now, context="free"), now)
    assert read_conduct(anna).quits == ()
    Match.objects.filter(pk=match.pk).update(absence="house", taken_over=0b01)
    assert len(read_conduct(anna).quits) == 1
    assert read_conduct(bruno).quits == ()
    Match.objects.filter(pk=match.pk).update(training=True)
    assert read_conduct(anna).matches == 0, "training counts for nothing"
    assert find_seek_ban(anna, end) is None


@pytest.mark.rule("U1")
def test_it_is_of_the_last_fifty_and_three_in_a_day_close_half_an_hour() -> None:
    assert (50, 3, timedelta(minutes=30)) == (caps.QUITS_COUNTED, caps.QUITS_A_DAY, caps.SEEK_BAN)
