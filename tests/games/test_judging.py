"""Acts of a referee at a table (F2): the clocks held, time given back, a forfeit declared, no result."""

import threading
from datetime import datetime, timedelta

import pytest
from django.db import connections, transaction

from games import clocks, house_turns, outages, selectors, table_views
from games.clocks import GRACE
from games.engine.game import Length
from games.engine.record import parse, replay
from games.models import Match, Move, Seat, SeatFacts
from games.outages import Span
from games.services import errors, playing, referee, seating, settlement
from games.services.errors import Finished, NothingToGive, NotSeated, Paused
from games.sweep import Sweep
from players.models import Player
from records.results import replay_record
from scoring.match_points import compute_match_points
from tests.support.arrangements import arrange_once
from tests.support.people import take_house
from tests.support.tables import FIRST, SECOND, again, legal, opened, play, play_out, seated
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.django_db]


def seconds(value: float) -> timedelta:
    return timedelta(seconds=value)


@arrange_once
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    """Seat 1 leads; the turn ends 30 s from ``now``, the clocks have 600 s."""
    return seated([anna, bruno], now)


def held(match: Match, at: datetime) -> Match:
    referee.pause(match_id=match.pk, now=at)
    return again(match)


def test_a_paused_table_has_no_deadline_and_refuses_plays_f2(match: Match, now: datetime) -> None:
    before = again(match)
    paused = held(match, now + seconds(10))
    assert paused.version == before.version + 1
    late = now + timedelta(days=1)
    assert not settlement.expire_overdue(match_id=match.pk, now=late)
    Sweep(lambda: late).round()
    assert list(selectors.list_due_deadlines(late)) == []
    with pytest.raises(Paused):
        play(match, late)
    assert again(match).status == Match.Status.PLAYING
    view = table_views.build_table_view(match, 1, late)
    assert view["paused"] == round((now + seconds(10)).timestamp() * 1000)
    assert view["legal"]


def test_thinking_before_the_pause_is_charged_and_the_pause_to_nobody_f2_e9(match: Match, now: datetime) -> None:
    held(match, now + seconds(10))
    referee.resume(match_id=match.pk, now=now + seconds(1000))
    current = again(match)
    assert current.paused_at is None
    assert current.deadline_at == now + seconds(1020)
    play(match, now + seconds(1005))
    assert again(match).clocks_ms == [600_000, 585_000]


def test_a_pause_during_the_pause_for_a_trick_is_charged_to_nobody_either(match: Match, now: datetime) -> None:
    Match.objects.filter(pk=match.pk).update(turn_from=now + seconds(5), deadline_at=now + seconds(35))
    held(match, now + seconds(1))
    referee.resume(match_id=match.pk, now=now + seconds(11))
    play(match, now + seconds(16))
    assert again(match).clocks_ms == [600_000, 599_000]


def test_pausing_and_resuming_twice_change_nothing_more(match: Match, now: datetime) -> None:
    first = held(match, now + seconds(1))
    assert held(match, now + seconds(5)).version == first.version
    referee.resume(match_id=match.pk, now=now + seconds(9))
    resumed = again(match)
    referee.resume(match_id=match.pk, now=now + seconds(19))
    assert again(match).version == resumed.version
    assert again(match).deadline_at == now + seconds(38)


def test_what_was_overdue_before_the_pause_is_done_first(match: Match, now: datetime) -> None:
    with pytest.raises(Finished):
        referee.pause(match_id=match.pk, now=now + seconds(30) + GRACE)
    over = again(match)
    assert (over.decided_by, over.paused_at) == ("timeout", None)


def test_house_players_wait_while_the_clocks_are_held(anna: Player, now: datetime) -> None:
    (house,) = take_house(count=1, now=now)
    match = opened([anna, house], now, first_dealer=0)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token="", now=now)
    due = again(match).bot_due_at
    assert due is not None
    held(match, now)
    assert list(house_turns.list_due(due + seconds(5))) == []
    assert playing.play_house_move(match_id=match.pk, now=due + seconds(5)) is None
    referee.resume(match_id=match.pk, now=now + seconds(60))
    assert again(match).bot_due_at == due + seconds(60)
    assert playing.play_house_move(match_id=match.pk, now=due + seconds(60)) is not None


def test_a_table_that_fills_up_while_held_starts_when_it_goes_on_e9(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    assert match.noshow_at is not None
    held(match, now + seconds(10))
    assert not settlement.expire_overdue(match_id=match.pk, now=match.noshow_at + seconds(60))
    for player in (anna, bruno):
        seating.sit_down(match_id=match.pk, player_id=player.pk, token="", now=now + seconds(400))
    assert again(match).status == Match.Status.WAITING
    referee.resume(match_id=match.pk, now=now + seconds(410))
    assert again(match).status == Match.Status.PLAYING
    assert again(match).turn_from == now + seconds(410)


def test_the_wait_for_who_does_not_come_goes_on_where_it_stood_e9(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    held(match, now + seconds(100))
    referee.resume(match_id=match.pk, now=now + seconds(400))
    assert again(match).noshow_at == now + seconds(600)


def test_calls_before_the_first_card_get_their_whole_time_c2(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    match = seated([anna, bruno, carla, dino], now, ruleset="tressette-classico", length=Length("points", 21))
    assert again(match).opening_until == now + clocks.OPENING
    held(match, now + seconds(2))
    referee.resume(match_id=match.pk, now=now + seconds(62))
    assert again(match).opening_until == now + clocks.OPENING + seconds(60)


def test_an_outage_before_the_pause_is_made_good_and_one_during_it_is_not(match: Match, now: datetime) -> None:
    held(match, now + seconds(20))
    with transaction.atomic():
        outages.extend_deadlines(Span(now + seconds(15), now + seconds(60)))
        outages.extend_deadlines(Span(now + seconds(70), now + seconds(90)))
    referee.resume(match_id=match.pk, now=now + seconds(100))
    current = again(match)
    assert current.deadline_at == now + seconds(30 + 5 + 80)
    play(match, now + seconds(100))
    assert again(match).clocks_ms[1] == 600_000 - 15_000


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_a_move_in_flight_and_a_pause_meet_and_one_of_them_is_first(match: Match, now: datetime) -> None:
    barrier = threading.Barrier(2)
    refused: list[str] = []
    text, version = legal(match)[0], again(match).version

    def moves() -> None:
        barrier.wait(PATIENCE)
        try:
            play(match, now + seconds(3), text, version=version, seat=1)
        except errors.ActionRefused as refusal:
            refused.append(refusal.code)
        finally:
            connections.close_all()

    def pauses() -> None:
        barrier.wait(PATIENCE)
        referee.pause(match_id=match.pk, now=now + seconds(3))
        connections.close_all()

    threads = [threading.Thread(target=act) for act in (moves, pauses)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    current = again(match)
    assert current.paused_at == now + seconds(3)
    played = Move.objects.filter(match=match).count()
    assert (played, refused) in ((1, []), (0, ["stale"])), "the pause is a version of its own"
    assert current.version == version + 1 + played


def test_time_given_back_lengthens_the_clock_and_the_running_turn_f2(match: Match, now: datetime) -> None:
    referee.give_time(match_id=match.pk, seat=1, seconds=60, now=now + seconds(1))
    current = again(match)
    assert (current.clocks_ms, current.deadline_at) == ([600_000, 660_000], now + seconds(90))
    referee.give_time(match_id=match.pk, seat=0, seconds=30, now=now + seconds(2))
    current = again(match)
    assert (current.clocks_ms, current.deadline_at) == ([630_000, 660_000], now + seconds(90))
    play(match, now + seconds(80))
    assert again(match).clocks_ms == [630_000, 580_000]


def test_time_can_be_given_to_who_has_not_come_and_to_nobody_without_a_clock(
    anna: Player, bruno: Player, now: datetime
) -> None:
    waiting = opened([anna, bruno], now)
    referee.give_time(match_id=waiting.pk, seat=0, seconds=60, now=now)
    assert again(waiting).noshow_at == now + seconds(360)
    referee.stop(match_id=waiting.pk, now=now)
    without = seated([anna, bruno], now, match_clock=None)
    with pytest.raises(NothingToGive):
        referee.give_time(match_id=without.pk, seat=0, seconds=60, now=now)
    referee.give_time(match_id=without.pk, seat=1, seconds=60, now=now)
    assert again(without).deadline_at == now + seconds(90)
    with pytest.raises(NotSeated):
        referee.give_time(match_id=without.pk, seat=2, seconds=60, now=now)


@pytest.mark.rule("V5")
@pytest.mark.parametrize("paused", [False, True])
def test_a_forfeit_in_play_is_an_abandon_and_its_record_replays_v5_f2(
    match: Match, now: datetime, paused: bool
) -> None:
    play(match, now)
    if paused:
        held(match, now)
    referee.forfeit(match_id=match.pk, seat=1, now=now + seconds(2))
    over = again(match)
    assert (over.status, over.winner, over.offender, over.decided_by) == ("finished", 0, 1, "abandon")
    assert over.paused_at is None
    outcome = replay(parse(selectors.build_record(over))).progress.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.decided_by) == (0, "abandon")
    with pytest.raises(Finished):
        referee.forfeit(match_id=match.pk, seat=0, now=now + seconds(3))


@pytest.mark.parametrize(("seat", "verb"), [(0, "abandon"), (1, "noshow")])
def test_a_forfeit_before_the_cards_says_who_was_there_r4(
    anna: Player, bruno: Player, now: datetime, seat: int, verb: str
) -> None:
    match = opened([anna, bruno], now)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token="", now=now)
    referee.forfeit(match_id=match.pk, seat=seat, now=now + seconds(2))
    over = again(match)
    assert (over.winner, over.offender, over.decided_by) == (1 - seat, seat, verb)
    assert list(Move.objects.filter(match=match).with_results().values_list("text", flat=True)) == [f"{seat} {verb}"]
    assert replay(parse(selectors.build_record(over))).progress.outcome is not None


def test_a_stopped_match_is_over_without_a_result_and_frees_its_players_e8_f2(
    match: Match, anna: Player, bruno: Player, now: datetime
) -> None:
    play(match, now)
    referee.stop(match_id=match.pk, now=now + seconds(5))
    over = again(match)
    assert (over.status, over.winner, over.decided_by, over.offender) == ("finished", None, "", None)
    assert (over.stopped_at, over.finished_at, over.settled_at is not None) == (now + seconds(5), over.stopped_at, True)
    assert not Seat.objects.filter(match=match, live=True).exists()
    referee.stop(match_id=match.pk, now=now + seconds(6))
    assert again(match).version == over.version
    for act in (referee.pause, referee.resume):
        with pytest.raises(Finished):
            act(match_id=match.pk, now=now)
    with pytest.raises(Finished):
        playing.play_move(
            match_id=match.pk, seat=0, control=FIRST, text="play 7c", client_id=None, version=over.version, now=now
        )
    record = selectors.build_record(over)
    assert record is not None
    assert replay_record(record)["complete"] is False
    assert compute_match_points(over) is None
    assert not SeatFacts.objects.exists()
    result = table_views.build_table_view(over, 0, now)["result"]
    assert (result["decided_by"], result["winner"], result["vp"]) == ("stopped", None, None)


def test_a_match_with_a_result_is_not_stopped(match: Match, now: datetime) -> None:
    end = play_out(match, now)
    with pytest.raises(Finished):
        referee.stop(match_id=match.pk, now=end)
    assert again(match).stopped_at is None


def test_who_is_held_may_still_give_up(match: Match, now: datetime) -> None:
    held(match, now)
    playing.abandon(match_id=match.pk, seat=1, control=SECOND, confirm=True, client_id=None, now=now + seconds(3))
    assert again(match).decided_by == "abandon"
