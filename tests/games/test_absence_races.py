"""The house, its sweepers and a player who comes back, moves, leaves or takes back, all at once: each turn is made
once, and nobody is lost between them."""

from datetime import datetime, timedelta

import pytest

from games import match_cache, selectors, table_views
from games.clocks import HOUSE_PATIENCE
from games.engine.record import parse, replay
from games.models import Match, Move, Seat
from games.services import errors, playing, seating, settlement
from games.sweep import Sweep
from games.training import hints
from players.models import Player
from tests.support.people import take_house
from tests.support.tables import CONTROLS, FIRST, SECOND, again, legal, opened, play, seated
from tests.support.threads import run_at_once

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]

LATE = timedelta(seconds=31)
FREE = {"context": "free", "absence": Match.Absence.HOUSE}
TRAINING = {**FREE, "training": True, "turn_timeout": None, "match_clock": None, "noshow_after": 86_400}


def expect_whole(match: Match) -> None:
    """Expect the stored moves to be the position that every process would read, and a record that replays."""
    current = again(match)
    plies = list(
        Move.objects.filter(match=match, deal__finished=False, undone_at=None)
        .order_by("ply")
        .values_list("ply", flat=True)
    )
    assert plies == list(range(len(plies)))
    table_views.clear_caches()
    _match, position = match_cache.read_match(match.pk)
    assert position is not None
    assert (position.version, position.ply) == (current.version, len(plies))
    running = selectors.build_running_record(current).record
    assert replay(parse(running)).progress.outcome is None


def test_a_turn_that_runs_out_is_taken_over_once_or_played_in_time(anna: Player, bruno: Player, now: datetime) -> None:
    for attempt in range(8):
        match = seated([anna, bruno], now, **FREE)
        text, version = legal(match)[0], again(match).version
        deadline = again(match).deadline_at
        assert deadline is not None
        end = deadline + timedelta(milliseconds=500)

        def move(match: Match = match, text: str = text, version: int = version, end: datetime = end) -> object:
            early = end - timedelta(milliseconds=1)
            return playing.play_move(
                match_id=match.pk, seat=1, control=SECOND, text=text, client_id="x", version=version, now=early
            )

        late = end + timedelta(milliseconds=attempt % 2)
        answers = run_at_once(
            move,
            lambda match=match, late=late: settlement.expire_overdue(match_id=match.pk, now=late),  # type: ignore[misc]
            lambda late=late: Sweep(lambda: late).round(),  # type: ignore[misc]
        )
        after = again(match)
        assert after.status == Match.Status.PLAYING
        if isinstance(answers[0], playing.Ack):
            assert (after.taken_over, Move.objects.filter(match=match).count()) == (0, 1)
        else:
            assert isinstance(answers[0], errors.Stale)
            assert (after.taken_over, Move.objects.filter(match=match).count()) == (0b10, 0)
        expect_whole(match)
        playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id=None, now=end)
        playing.abandon(match_id=match.pk, seat=1, control=SECOND, confirm=True, client_id=None, now=end)


def test_who_comes_back_while_the_house_moves_loses_no_turn_and_gains_none(
    anna: Player, bruno: Player, now: datetime
) -> None:
    match = seated([anna, bruno], now, **FREE)
    hour = now + LATE
    for _ in range(6):
        settlement.expire_overdue(match_id=match.pk, now=hour)
        due, seat = again(match).bot_due_at, again(match).turn_seat
        assert due is not None
        assert seat is not None
        before = Move.objects.filter(match=match).count()
        run_at_once(
            lambda due=due: playing.play_house_move(match_id=match.pk, now=due),  # type: ignore[misc]
            lambda seat=seat, due=due: playing.come_back(  # type: ignore[misc]
                match_id=match.pk, seat=seat, control=CONTROLS[seat], client_id="b", now=due
            ),
            lambda due=due: Sweep(lambda: due + HOUSE_PATIENCE).round(),  # type: ignore[misc]
        )
        Sweep(lambda due=due: due + HOUSE_PATIENCE).round()  # type: ignore[misc]
        assert again(match).taken_over == 0
        assert Move.objects.filter(match=match).count() == before + 1, "the turn was the house's"
        expect_whole(match)
        turn_from = again(match).turn_from
        assert turn_from is not None
        hour = max(hour, turn_from) + LATE


def test_all_who_leave_at_once_end_the_match_once(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, **FREE)
    answers = run_at_once(
        *(
            lambda seat=seat: playing.abandon(  # type: ignore[misc]
                match_id=match.pk, seat=seat, control=CONTROLS[seat], confirm=True, client_id=None, now=now
            )
            for seat in (0, 1)
        )
    )
    assert all(isinstance(answer, playing.Ack) for answer in answers), answers
    assert (again(match).decided_by, again(match).winner) == ("deserted", None)
    assert not Seat.objects.filter(live=True).exists()


@pytest.mark.rule("B7")
def test_cards_are_taken_back_while_the_house_moves(anna: Player, now: datetime) -> None:
    match = seated([anna, *take_house(count=1, now=now)], now, **{**TRAINING, "first_dealer": 1})
    for number in range(6):
        play(match, now, legal(match)[number % len(legal(match))])
        version, due = again(match).version, again(match).bot_due_at
        assert due is not None
        answers = run_at_once(
            lambda due=due: playing.play_house_move(match_id=match.pk, now=due),  # type: ignore[misc]
            *[
                lambda version=version, number=number: hints.take_back(  # type: ignore[misc]
                    match_id=match.pk, seat=0, control=FIRST, client_id=f"t{number}", version=version, now=now
                )
            ]
            * 2,
        )
        taken = [answer for answer in answers[1:] if isinstance(answer, playing.Ack)]
        assert len(taken) <= 1, "one click takes back one card"
        assert all(isinstance(answer, playing.Ack | errors.Stale) for answer in answers[1:]), answers
        expect_whole(match)
        if again(match).turn_seat == 1:
            later = again(match).bot_due_at
            assert later is not None
            playing.play_house_move(match_id=match.pk, now=later)


@pytest.mark.rule("B7")
def test_training_that_is_played_while_another_table_opens_is_set_aside(
    anna: Player, bruno: Player, now: datetime
) -> None:
    for _ in range(4):
        match = seated([anna, *take_house(count=1, now=now)], now, **{**TRAINING, "first_dealer": 1})
        text, version = legal(match)[0], again(match).version
        answers = run_at_once(
            lambda: opened([anna, bruno], now, **FREE),
            lambda match=match, text=text, version=version: playing.play_move(  # type: ignore[misc]
                match_id=match.pk, seat=0, control=FIRST, text=text, client_id="x", version=version, now=now
            ),
            lambda match=match: seating.sit_down(match_id=match.pk, player_id=anna.pk, token="newer", now=now),  # type: ignore[misc]
        )
        assert isinstance(answers[0], Match), answers
        assert (again(match).status, again(match).decided_by) == (Match.Status.FINISHED, "set_aside")
        table = answers[0]
        settlement.expire_overdue(match_id=table.pk, now=now + timedelta(seconds=301))
        assert again(table).status == Match.Status.FINISHED
