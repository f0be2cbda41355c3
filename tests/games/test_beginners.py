"""Beginners: the first turn of whoever has never finished a match is a minute longer, twice at most, and all see it."""

import json
import re
from datetime import datetime, timedelta

import pytest

from games import table_views
from games.clocks import FIRST_TURN, GRACE
from games.engine.game import Length
from games.lobby import actions
from games.models import Match, Seat
from games.plain_moves.plan import MoveRequest, plan_move
from games.services import referee, settlement
from games.training.actions import begin_training
from players.models import Player
from players.services.marks import note_marks
from tests.support.arrangements import arrange_once
from tests.support.people import sign_in
from tests.support.tables import CONTROLS, again, legal, opened, play, play_out, seated

pytestmark = [pytest.mark.django_db]

FREE = {"context": "free", "welcoming": True}
TURN = timedelta(seconds=30)


def expire(match: Match, at: datetime | None) -> bool | None:
    assert at is not None
    return settlement.expire_overdue(match_id=match.pk, now=at)


@arrange_once
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    """A free table of two who have never finished a match; Bruno is to lead."""
    return seated([anna, bruno], now, **FREE)


def test_the_first_turn_of_each_beginner_is_a_minute_longer_and_no_other(match: Match, now: datetime) -> None:
    assert timedelta(seconds=60) == FIRST_TURN
    assert match.deadline_at == now + TURN + FIRST_TURN
    for extra in (FIRST_TURN, timedelta(), timedelta()):
        play(match, now)
        running = again(match)
        assert running.turn_from is not None
        assert running.deadline_at == running.turn_from + TURN + extra
    assert not expire(match, running.deadline_at + GRACE - timedelta(microseconds=1))
    assert expire(match, running.deadline_at + GRACE)


def test_the_minute_is_over_at_its_end_and_the_turn_with_it(match: Match, now: datetime) -> None:
    assert not expire(match, now + TURN + FIRST_TURN)
    assert expire(match, now + TURN + FIRST_TURN + GRACE)
    assert again(match).decided_by == "timeout"


def test_the_minute_is_charged_to_no_match_clock(match: Match, now: datetime) -> None:
    play(match, now + timedelta(seconds=70))
    assert again(match).clocks_ms == [600_000, 590_000]
    play(match, again(match).turn_from + timedelta(seconds=45))
    assert again(match).clocks_ms == [600_000, 590_000]
    play(match, again(match).turn_from + timedelta(seconds=20))
    assert again(match).clocks_ms == [600_000, 570_000]


def test_with_a_match_clock_alone_the_first_turn_ends_a_minute_after_it(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, **FREE, turn_timeout=None, match_clock=100)
    assert match.deadline_at == now + timedelta(seconds=100) + FIRST_TURN


def test_without_clocks_nobody_is_a_beginner(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, **FREE, turn_timeout=None, match_clock=None)
    assert (match.beginners, Seat.objects.filter(beginner=True).count()) == (0, 0)


def test_everybody_at_the_table_is_shown_who_has_more_time_until_they_have_played(match: Match, now: datetime) -> None:
    for seat in (0, 1, None):
        frame = table_views.build_table_view(match, seat, now)
        assert (frame["beginners"], frame["clock"]["extra"]) == ([0, 1], 60_000)
    play(match, now)
    play(match, now)
    frame = table_views.build_table_view(match, 0, now)
    assert (frame["beginners"], frame["clock"]["extra"]) == ([], 0)


def test_the_short_way_of_a_move_uses_the_minute_up_too(match: Match, now: datetime) -> None:
    version = again(match).version
    table_views.build_table_view(match, 1, now)  # the match is in the process's memory
    request = MoveRequest(match.public_id, match.pk, 1, CONTROLS[1], legal(match)[0], "one", version)
    plan = plan_move(request, now + timedelta(seconds=65))
    assert plan is not None
    assert (plan.match.beginners, plan.match.clocks_ms) == (0b01, [600_000, 595_000])


def test_who_has_finished_a_match_is_no_beginner_and_who_trained_still_is(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    play_out(seated([anna, bruno], now, **FREE), now)
    begin_training(
        player=carla,
        ruleset="scopa",
        players=2,
        length=Length("deals", 1),
        options={},
        turn_timeout=30,
        match_clock=None,
        strength="club",
        now=now,
    )
    assert Match.objects.get(training=True).beginners == 0
    Match.objects.filter(training=True).update(status=Match.Status.FINISHED, finished_at=now)
    assert opened([anna, carla], now, **FREE).beginners == 0b10


def test_a_match_without_a_result_is_no_finished_one(match: Match, anna: Player, carla: Player, now: datetime) -> None:
    referee.stop(match_id=match.pk, now=now)
    assert opened([anna, carla], now, **FREE).beginners == 0b11


@pytest.fixture
def people(anna: Player, bruno: Player, carla: Player, dino: Player) -> list[Player]:
    return [anna, bruno, carla, dino]


def test_nobody_has_it_more_than_twice(anna: Player, now: datetime, people: list[Player]) -> None:
    given = []
    for other in people[1:]:
        match = opened([anna, other], now, **FREE)
        given.append(match.beginners & 1)
        referee.stop(match_id=match.pk, now=now)
    assert given == [1, 1, 0]


def test_nor_does_a_browser_under_other_names(people: list[Player], now: datetime) -> None:
    *guests, stranger = people
    for guest in guests:
        note_marks(player=guest, address="203.0.113.9", browser="b" * 32, now=now)
    note_marks(player=stranger, address="203.0.113.9", browser="c" * 32, now=now)  # the same address is no browser
    given = []
    for guest in guests:
        match = opened([guest, stranger], now, **FREE)
        given.append(match.beginners)
        referee.stop(match_id=match.pk, now=now)
    assert given == [0b11, 0b11, 0]


def test_a_match_that_welcomes_nobody_has_none(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    assert (match.beginners, match.deadline_at) == (0, now + TURN)


def test_a_free_table_welcomes(anna: Player, bruno: Player, now: datetime) -> None:
    table = actions.open_table(
        host=anna,
        ruleset="scopa",
        players=2,
        length=Length("points", 11),
        options={},
        turn_timeout=30,
        match_clock=None,
        public=True,
        now=now,
    )
    match = actions.sit(table_id=table.pk, player=bruno, seat=1, now=now)
    assert match is not None
    assert match.beginners == 0b11


def is_shown_the_gestures(player: Player | None, match: Match) -> bool:
    page = sign_in(player).get(f"/tavoli/{match.public_id}/").content.decode()
    found = re.search(r'<script id="table-words" type="application/json">(.+?)</script>', page)
    assert found is not None
    return bool(json.loads(found[1])["beginner"])


def test_the_page_shows_how_a_card_is_played_to_a_beginner_at_the_table_alone(
    match: Match, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    assert [is_shown_the_gestures(who, match) for who in (anna, bruno, carla, None)] == [True, True, False, False]
    play_out(match, now)
    assert not is_shown_the_gestures(anna, opened([anna, carla], now, **FREE))
