"""Seats that the house plays for whoever is absent: taken over, given back, left for good; and the end when nobody is
there. No forfeit stands in the record for it."""

from datetime import datetime, timedelta

import pytest

from games import selectors, table_views
from games.clocks import DESERTED
from games.engine.game import IllegalMove
from games.engine.record import parse, replay
from games.models import Match, Move, Seat
from games.plain_moves.plan import MoveRequest, plan_move
from games.services import errors, playing, seating, settlement
from games.sweep import Sweep
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.people import take_house
from tests.support.tables import CONTROLS, FIRST, SECOND, THREE_SETTINGS, again, legal, opened, play, seated

pytestmark = pytest.mark.django_db

LATE = timedelta(seconds=31)
FREE = {"context": "free", "absence": Match.Absence.HOUSE}


def expire(match: Match, now: datetime) -> bool | None:
    return settlement.expire_overdue(match_id=match.pk, now=now)


def move_house(match: Match) -> Match:
    due = again(match).bot_due_at
    assert due is not None
    assert playing.play_house_move(match_id=match.pk, now=due) is not None
    return again(match)


def come_back(match: Match, seat: int, now: datetime) -> playing.Ack:
    return playing.come_back(match_id=match.pk, seat=seat, control=CONTROLS[seat], client_id="back", now=now)


def leave(match: Match, seat: int, now: datetime) -> playing.Ack:
    return playing.abandon(
        match_id=match.pk, seat=seat, control=CONTROLS[seat], confirm=True, client_id="leave", now=now
    )


def away(match: Match, now: datetime) -> list[int]:
    found: list[int] = table_views.build_table_view(match, None, now)["away"]
    return found


@arrange_once
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    """Anna and Bruno at a free table in one deal of Scopa; Bruno is to lead."""
    return seated([anna, bruno], now, **FREE)


@pytest.mark.both_databases
def test_a_turn_that_runs_out_is_the_houses_and_no_forfeit(match: Match, now: datetime) -> None:
    assert expire(match, now + LATE)
    taken = again(match)
    assert (taken.status, taken.taken_over, taken.deadline_at) == (Match.Status.PLAYING, 0b10, None)
    assert taken.clocks_ms == [600_000, 569_000]
    assert away(match, now) == [1]
    after = move_house(match)
    assert after.turn_seat == 0
    assert after.deadline_at is not None
    assert [text.split()[:2] for text in Move.objects.with_results().values_list("text", flat=True)] == [["1", "play"]]
    assert after.clocks_ms == [600_000, 569_000]


def test_where_chi_manca_perde_it_is_a_forfeit_as_ever(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, context="free")
    assert expire(match, now + LATE)
    assert (again(match).decided_by, again(match).winner) == ("timeout", 0)


def test_who_comes_back_plays_from_the_next_turn_on_while_the_running_one_stays_the_houses(
    match: Match, now: datetime
) -> None:
    expire(match, now + LATE)
    come_back(match, 1, now + LATE)
    back = again(match)
    assert (back.taken_over, back.deadline_at) == (0, None)
    assert back.bot_due_at is not None, "or who clicks would stop the table with every turn"
    move_house(match)
    play(match, now + 2 * LATE)
    turn = again(match)
    assert (turn.turn_seat, turn.bot_due_at) == (1, None)
    assert turn.deadline_at is not None


def test_who_comes_back_before_the_turn_begins_has_it_with_its_clock(match: Match, now: datetime) -> None:
    expire(match, now + LATE)
    move_house(match)
    Match.objects.filter(pk=match.pk).update(turn_from=now + 2 * LATE)
    play(match, now + 2 * LATE)
    turn = again(match)
    assert turn.turn_from is not None
    Match.objects.filter(pk=match.pk).update(turn_from=turn.turn_from + LATE)
    come_back(match, 1, turn.turn_from)
    turn = again(match)
    assert turn.turn_from is not None
    assert (turn.bot_due_at, turn.deadline_at) == (None, turn.turn_from + timedelta(seconds=30))


def test_a_card_of_ones_own_gives_the_seat_back_too(match: Match, now: datetime) -> None:
    expire(match, now + LATE)
    play(match, now + LATE, seat=1)
    assert (again(match).taken_over, again(match).turn_seat) == (0, 0)
    assert again(match).clocks_ms == [600_000, 569_000], "the turn was charged when it ran out"


def test_such_a_card_goes_the_long_way(match: Match, now: datetime) -> None:
    expire(match, now + LATE)
    table_views.encode_views(match.pk, [1])
    text, version = legal(match)[0], again(match).version
    request = MoveRequest(match.public_id, match.pk, 1, SECOND, text, "c", version)
    assert plan_move(request, now + LATE) is None
    come_back(match, 1, now + LATE)
    table_views.encode_views(match.pk, [1])
    assert plan_move(request._replace(version=version + 1), now + LATE) is not None


def test_opening_the_page_again_is_coming_back(match: Match, bruno: Player, now: datetime) -> None:
    expire(match, now + LATE)
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token="newer", now=now + LATE)
    assert again(match).taken_over == 0


def test_a_match_clock_that_ran_out_gets_a_deals_share_when_its_player_is_back(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, **FREE, turn_timeout=None, match_clock=60)
    expire(match, now + 2 * LATE)
    assert again(match).clocks_ms == [60_000, 0]
    come_back(match, 1, now + 2 * LATE)
    assert again(match).clocks_ms == [60_000, 60_000]


def test_the_house_plays_for_who_never_came_until_they_do(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now, **FREE)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token=FIRST, now=now)
    assert expire(match, now + timedelta(seconds=301))
    begun = again(match)
    assert (begun.status, begun.taken_over, begun.turn_seat) == (Match.Status.PLAYING, 0b10, 1)
    move_house(match)
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token=SECOND, now=now + timedelta(seconds=310))
    assert again(match).taken_over == 0
    assert Seat.objects.get(match=match, number=1).arrived_at is not None


def test_a_table_that_nobody_came_to_ends_without_a_result(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now, **FREE)
    assert expire(match, now + timedelta(seconds=301))
    over = again(match)
    assert (over.status, over.decided_by, over.winner) == (Match.Status.FINISHED, "deserted", None)
    assert over.stopped_at is not None
    assert not Seat.objects.filter(match=match, live=True).exists()


def test_a_match_that_all_have_left_alone_goes_on_for_ten_minutes_and_ends(match: Match, now: datetime) -> None:
    expire(match, now + LATE)
    assert again(match).noshow_at is None
    move_house(match)
    alone = now + 3 * LATE
    expire(match, alone)
    assert again(match).noshow_at == alone + DESERTED
    assert table_views.build_table_view(match, None, now)["clock"]["noshow"] is None
    over = alone + DESERTED + timedelta(seconds=1)
    Sweep(lambda: over).round()
    ended = again(match)
    assert (ended.decided_by, ended.winner, ended.status) == ("deserted", None, Match.Status.FINISHED)
    view = table_views.build_table_view(match, None, over)
    assert view["result"]["decided_by"] == "deserted"
    record = parse(selectors.build_record(ended))
    assert not replay(record).progress.outcome


def test_it_goes_on_if_one_of_them_is_back_in_time(match: Match, now: datetime) -> None:
    expire(match, now + LATE)
    move_house(match)
    expire(match, now + 3 * LATE)
    come_back(match, 1, now + 4 * LATE)
    assert again(match).noshow_at is None
    assert not expire(match, now + 4 * LATE + DESERTED)


@pytest.mark.both_databases
def test_who_leaves_gives_the_seat_to_the_house_for_good_and_is_free(
    match: Match, bruno: Player, now: datetime
) -> None:
    assert leave(match, 1, now) == leave(match, 1, now), "sent again it gets its first answer"
    left = again(match)
    assert (left.status, left.taken_over, left.given_up) == (Match.Status.PLAYING, 0b10, 0b10)
    assert not Seat.objects.filter(player=bruno, live=True).exists()
    assert selectors.find_viewpoint(left, bruno, now).seat is None
    with pytest.raises(errors.Replaced):
        play(match, now, seat=1)
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token="newer", now=now)
    assert again(match).taken_over == 0b10
    with pytest.raises((errors.Replaced, IllegalMove)):
        play(match, now, seat=1)
    move_house(match)


@pytest.mark.both_databases
def test_the_last_of_several_to_leave_ends_the_match_without_a_result(match: Match, now: datetime) -> None:
    leave(match, 1, now)
    leave(match, 0, now)
    assert (again(match).decided_by, again(match).winner) == ("deserted", None)


def test_who_leaves_a_table_against_the_house_loses_as_ever(anna: Player, now: datetime) -> None:
    match = seated([anna, *take_house(count=1, now=now)], now, **FREE)
    leave(match, 0, now)
    assert (again(match).decided_by, again(match).winner) == ("abandon", 1)


def test_of_three_the_house_plays_the_morto_too(anna: Player, bruno: Player, carla: Player, now: datetime) -> None:
    match = opened([anna, bruno, carla], now, **{**THREE_SETTINGS, "absence": Match.Absence.HOUSE})
    for seat, player in zip((0, 1, 3), (anna, bruno, carla), strict=True):
        seating.sit_down(match_id=match.pk, player_id=player.pk, token=CONTROLS[seat], now=now)
    hour = now
    while (turn := again(match)).turn_seat not in (0, 2):
        assert turn.turn_from is not None
        hour = max(hour, turn.turn_from) + timedelta(seconds=1)
        play(match, hour)
    expire(match, hour + timedelta(seconds=60))
    assert again(match).taken_over == 0b101
    come_back(match, 0, hour + timedelta(seconds=60))
    assert again(match).taken_over == 0


def test_a_match_in_which_the_house_helped_out_is_finished_and_replays(match: Match, now: datetime) -> None:
    expire(match, now + LATE)
    hour = now + LATE
    while (current := again(match)).status == Match.Status.PLAYING:
        if current.bot_due_at is not None:
            hour = max(hour, current.bot_due_at)
            playing.play_house_move(match_id=match.pk, now=hour)
        else:
            assert current.turn_from is not None
            hour = max(hour, current.turn_from) + timedelta(seconds=1)
            play(match, hour)
    verdict = replay(parse(selectors.build_record(again(match))))
    assert verdict.progress.outcome is not None
    assert again(match).offender is None
