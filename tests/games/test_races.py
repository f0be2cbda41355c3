"""Several at once: a turn has one outcome, a seat one owner, a result one telling. Each guard-off twin breaks."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from games import match_cache
from games.clocks import HOUSE_PATIENCE
from games.engine.game import Length
from games.engine.record import parse_move
from games.locked_match import LockedMatch
from games.match_cache import MATCHES
from games.models import Deal, Match, Move, Seat
from games.services import errors, playing, preferences, seating, settlement
from games.signals import match_finished
from games.sweep import Sweep
from players.models import Player
from tests.support.tables import CONTROLS, again, legal, opened, play_out, seated
from tests.support.thorough import tries
from tests.support.threads import run_at_once

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]
TRIES = tries(6, 24)  # of what two or three do at once


def mover(match: Match, text: str, version: int, seat: int, client_id: str, now: datetime) -> Callable[[], playing.Ack]:
    return lambda: playing.play_move(
        match_id=match.pk,
        seat=seat,
        control=CONTROLS[seat],
        text=text,
        client_id=client_id,
        version=version,
        now=now,
    )


def test_of_many_moves_at_one_version_one_counts(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    for _ in range(10):
        current, choices = again(match), legal(match)
        assert current.turn_seat is not None
        answers = run_at_once(
            *(
                mover(
                    match,
                    choices[number % len(choices)],
                    current.version,
                    current.turn_seat,
                    f"{current.version}-{number}",
                    now,
                )
                for number in range(4)
            )
        )
        kinds = Counter(type(answer) for answer in answers)
        assert kinds == {playing.Ack: 1, errors.Stale: 3}, answers
    assert Move.objects.count() == 10


def test_of_a_move_sent_many_times_every_answer_is_the_first(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    for _ in range(10):
        current, text = again(match), legal(match)[0]
        assert current.turn_seat is not None
        answers = run_at_once(*[mover(match, text, current.version, current.turn_seat, f"{current.version}", now)] * 4)
        assert set(answers) == {playing.Ack(f"{current.version}", current.version + 1)}
    assert Move.objects.count() == 10


def test_a_move_and_its_timeout_never_both_and_never_neither(anna: Player, bruno: Player, now: datetime) -> None:
    """Move and timeout have their own instants around the end of the grace; the first to get the lock is the
    outcome."""
    outcomes: Counter[str] = Counter()
    for attempt in range(TRIES):
        match = seated([anna, bruno], now)
        current, text = again(match), legal(match)[0]
        assert current.deadline_at is not None
        assert current.turn_seat is not None
        end = current.deadline_at + timedelta(milliseconds=500)
        early, late = end - timedelta(milliseconds=1), end + timedelta(milliseconds=attempt % 2)
        answers = run_at_once(
            mover(match, text, current.version, current.turn_seat, "x", early),
            lambda match=match, late=late: settlement.expire_overdue(match_id=match.pk, now=late),  # type: ignore[misc]
            lambda match=match, late=late: Sweep(lambda: late).round(),  # type: ignore[misc]
        )
        moves = list(Move.objects.filter(match=match).with_results().values_list("text", flat=True))
        assert len(moves) == 1, (moves, answers)
        timed_out = moves[0].endswith("timeout")
        assert isinstance(answers[0], errors.Stale if timed_out else playing.Ack)
        outcomes["timeout" if timed_out else "move"] += 1
        if again(match).status == Match.Status.PLAYING:
            playing.abandon(match_id=match.pk, seat=0, control=CONTROLS[0], confirm=True, client_id=None, now=now)
    assert sum(outcomes.values()) == TRIES


def test_sweepers_at_the_same_work_do_it_once(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    delivered: Counter[int] = Counter()

    def receiver(match_id: int, **_: Any) -> None:
        delivered[match_id] += 1

    matches = [seated([anna, bruno], now), seated([carla, dino], now)]
    late = now + timedelta(seconds=31)
    match_finished.connect(receiver)
    try:
        run_at_once(*[lambda: Sweep(lambda: late).round()] * 4)
    finally:
        match_finished.disconnect(receiver)
    for match in matches:
        assert list(Move.objects.filter(match=match).with_results().values_list("text", flat=True)) == ["1 timeout"]
        assert again(match).settled_at == late
        assert delivered[match.pk] >= 1  # told again at most by whoever came in between: receivers are idempotent


def test_the_house_moves_once_however_many_sweep(anna: Player, bruno: Player, now: datetime) -> None:
    Player.objects.update(kind=Player.Kind.HOUSE)
    match = opened(list(Player.objects.all()), now)
    for _ in range(tries(4, 12)):
        current = again(match)
        assert current.bot_due_at is not None
        at = current.bot_due_at + HOUSE_PATIENCE
        run_at_once(*[lambda at=at: Sweep(lambda: at).round()] * 3)  # type: ignore[misc]
        assert again(match).version == current.version + 1


def test_a_player_asked_to_two_tables_sits_at_one(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    answers = run_at_once(*(lambda other=other: opened([anna, other], now) for other in (bruno, carla, dino)))  # type: ignore[misc]
    assert Counter(type(answer) for answer in answers) == {Match: 1, errors.SeatTaken: 2}
    assert Match.objects.count() == 1


def test_the_first_deal_is_dealt_once_though_all_arrive_together(anna: Player, bruno: Player, now: datetime) -> None:
    for _ in range(5):
        match = opened([anna, bruno], now)
        run_at_once(
            *(
                lambda match=match, player=player: seating.sit_down(
                    match_id=match.pk, player_id=player.pk, token="", now=now
                )  # type: ignore[misc]
                for player in (anna, bruno, anna, bruno)
            )
        )
        assert Deal.objects.filter(match=match, void=False).count() == 1
        assert again(match).status == Match.Status.PLAYING
        seating.sit_down(match_id=match.pk, player_id=anna.pk, token="x", now=now)
        playing.abandon(match_id=match.pk, seat=0, control="x", confirm=True, client_id=None, now=now)


def test_the_last_card_of_a_deal_deals_the_next_once(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, length=Length("deals", 3), match_clock=None, turn_timeout=None)
    last = 36 - tries(2, 36)  # of the 36 cards of a deal, those that both send
    while again(match).status == Match.Status.PLAYING:
        current, text = again(match), legal(match)[0]
        assert current.turn_seat is not None
        move = mover(match, text, current.version, current.turn_seat, f"{current.version}", now)
        if Move.objects.count() % 36 >= last:
            run_at_once(move, move)
        else:
            move()
    assert list(Deal.objects.filter(void=False).values_list("moves__ply").order_by("number", "moves__ply")[:36]) == [
        (ply,) for ply in range(36)
    ]


# --- The twins -------------------------------------------------------------------------------------------------------


@contextmanager
def no_uniqueness() -> Iterator[None]:
    """The database without the constraints on moves."""
    dropped = Move._meta.constraints
    Move._meta.constraints = []
    try:
        with connection.schema_editor() as editor:
            for constraint in dropped:
                editor.remove_constraint(Move, constraint)
        yield
    finally:
        Move.objects.all().delete()
        Move._meta.constraints = dropped
        with connection.schema_editor() as editor:
            for constraint in dropped:
                editor.add_constraint(Move, constraint)


def both_outcomes(match: Match, now: datetime) -> None:
    """A move and its timeout, each decided on what it read before the other wrote: what the row's lock prevents."""
    move, timeout = LockedMatch(again(match), now), LockedMatch(again(match), now + timedelta(seconds=31))
    assert move.position.version == timeout.position.version  # both have looked
    move.play([parse_move(f"{move.match.turn_seat} {legal(match)[0]}")])
    assert timeout.expire()


def test_twin_without_the_lock_only_the_database_stands_in_the_way(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    with pytest.raises(IntegrityError), transaction.atomic():
        both_outcomes(match, now)


def test_twin_without_lock_and_constraints_a_turn_ends_twice(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    with no_uniqueness():
        with transaction.atomic():
            both_outcomes(match, now)
        assert [move.ply for move in Move.objects.filter(match=match)] == [0, 0]
        assert len({move.version for move in Move.objects.filter(match=match)}) == 1


def test_twin_without_the_constraint_a_player_sits_twice(anna: Player, bruno: Player, now: datetime) -> None:
    """Return what two openings do that both looked before either wrote."""
    match = opened([anna, bruno], now)
    constraint = next(candidate for candidate in Seat._meta.constraints if candidate.name == "player_one_live_seat")
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(match=match, number=2, player=anna)
    with connection.schema_editor() as editor:
        editor.remove_constraint(Seat, constraint)
    try:
        Seat.objects.create(match=match, number=2, player=anna)
        assert Seat.objects.filter(player=anna, live=True).count() == 2
    finally:
        Seat.objects.filter(number=2).delete()
        with connection.schema_editor() as editor:
            editor.add_constraint(Seat, constraint)


@pytest.mark.rule("X1", "T10")
def test_of_a_card_with_its_calls_sent_many_times_every_answer_is_the_first(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    """Several rows, one action: the calls before the card, the card, what the system calls after it."""
    options = {"dichiarazioni": True, "accuso": True}
    match = seated([anna, bruno, carla, dino], now, ruleset="tresette", options=options)
    for _ in range(12):
        current = again(match)
        text = next(text for text in legal(match) if text.startswith("play"))
        assert current.turn_seat is not None
        before = Move.objects.count()
        answers = run_at_once(*[mover(match, text, current.version, current.turn_seat, f"{current.version}", now)] * 4)
        rows = Move.objects.count() - before
        assert set(answers) == {playing.Ack(f"{current.version}", current.version + rows)}
        assert again(match).version == current.version + rows
    texts = list(Move.objects.order_by("version").with_results().values_list("text", flat=True))
    assert sum(" play " in text for text in texts) == 12
    assert sum(" declare " in text for text in texts) == 3  # one a lead


def test_a_match_that_ends_between_two_reads_is_read_again(
    anna: Player, bruno: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process ends it after this one has read its row, and before it reads the deals."""
    match = seated([anna, bruno], now, length=Length("deals", 1))
    honest = MATCHES.read

    def read_and_be_overtaken(match_id: int) -> Match | None:
        monkeypatch.setattr(MATCHES, "read", honest)
        row = honest(match_id)
        play_out(match, now)
        match_cache.clear_caches()  # they are another process's
        return row

    match_cache.clear_caches()
    monkeypatch.setattr(MATCHES, "read", read_and_be_overtaken)
    assert match_cache.read_match(match.pk).match.status == Match.Status.FINISHED


@pytest.mark.rule("X1")
def test_a_choice_of_automatic_calls_and_a_move_at_once_are_both_done(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime
) -> None:
    players = [anna, bruno, carla, dino]
    match = seated(players, now, ruleset="tresette", options={"accuso": True})
    for attempt in range(8):
        current = again(match)
        seat = current.turn_seat
        assert seat is not None
        text = next(text for text in legal(match) if text.startswith("play"))
        chosen = ["accuso"] if attempt % 2 else ["out", "declare"]

        def choose(seat: int = seat, chosen: list[str] = chosen) -> playing.Ack:
            return preferences.choose_automatic(
                match_id=match.pk, seat=seat, control=CONTROLS[seat], automatic=chosen, client_id="c", now=now
            )

        def follow(seat: int = seat) -> None:
            preferences.follow_preference(player_id=players[seat].pk, now=now)

        answers = run_at_once(choose, mover(match, text, current.version, seat, f"{attempt}", now), follow)
        assert not [
            answer for answer in answers if isinstance(answer, Exception) and not isinstance(answer, errors.Stale)
        ]
        preferences.follow_preference(player_id=players[seat].pk, now=now)
        assert again(match).automatic(seat) == set(chosen)
    versions = list(Move.objects.order_by("version").values_list("version", flat=True))
    assert versions == list(range(versions[0], versions[0] + len(versions)))
