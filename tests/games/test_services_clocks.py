"""Deadlines: one instant decides between a move and its timeout, and nobody pays for an outage of ours."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from games import clocks, outages, selectors, table_views
from games.clocks import GRACE, HOUSE_PATIENCE
from games.engine.game import Length
from games.engine.record import parse, replay
from games.models import Deal, Liveness, Match, Move
from games.outages import DOOR, SWEEPER, WEB, Span
from games.services import errors, playing, seating, settlement
from games.sweep import Sweep
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.tables import FIRST, again, legal, opened, play, seated
from tests.support.waiting import until

pytestmark = [pytest.mark.django_db]

HAIR = timedelta(microseconds=1)


def seconds(value: float) -> timedelta:
    return timedelta(seconds=value)


@arrange_once
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    """Seat 1 leads; the turn ends 30 s from ``now``."""
    return seated([anna, bruno], now)


@pytest.mark.parametrize("late", [seconds(0), GRACE - HAIR, -HAIR])
def test_a_move_counts_until_the_grace_is_over(match: Match, now: datetime, late: timedelta) -> None:
    at = now + seconds(30) + late
    assert not settlement.expire_overdue(match_id=match.pk, now=at)
    play(match, at)
    assert again(match).status == Match.Status.PLAYING


@pytest.mark.parametrize("late", [GRACE, GRACE + HAIR, seconds(60)])
def test_a_timeout_counts_from_then_on_whoever_looks_first(match: Match, now: datetime, late: timedelta) -> None:
    at = now + seconds(30) + late
    with pytest.raises(errors.Stale) as refused:
        play(match, at)
    over = again(match)
    assert refused.value.version == over.version
    assert (over.status, over.decided_by, over.winner, over.offender) == ("finished", "timeout", 0, 1)
    assert list(Move.objects.with_results().values_list("text", flat=True)) == ["1 timeout"]
    assert not settlement.expire_overdue(match_id=match.pk, now=at)


def test_an_ack_is_repeated_even_when_the_next_turn_is_over(match: Match, now: datetime) -> None:
    version = again(match).version
    first = play(match, now, legal(match)[0], client_id="one", version=version)
    assert play(match, now + seconds(900), "play 7c", client_id="one", version=version, seat=1) == first


def test_the_match_clock_runs_out_before_the_turn_does(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, match_clock=40, turn_timeout=30)
    for _ in range(2):
        play(match, again(match).turn_from + seconds(25))
    current = again(match)
    assert current.clocks_ms == [15_000, 15_000]
    assert (current.deadline_verb, current.deadline_at) == ("clock", current.turn_from + seconds(15))
    assert settlement.expire_overdue(match_id=match.pk, now=current.deadline_at + GRACE)
    assert again(match).decided_by == "clock"


def test_with_both_clocks_off_nothing_is_ever_due(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, match_clock=None, turn_timeout=None)
    assert again(match).deadline_at is None
    assert not settlement.expire_overdue(match_id=match.pk, now=now + timedelta(days=9))
    assert table_views.build_table_view(match, 0, now)["clock"] == {
        "from": None,
        "ends": None,
        "extra": 0,
        "left": None,
        "noshow": None,
    }


def test_a_timeout_between_deals_is_the_next_deals_first_move(anna: Player, bruno: Player, now: datetime) -> None:
    match = seated([anna, bruno], now, length=Length("deals", 2))
    for _ in range(36):
        play(match, now)
    settlement.expire_overdue(match_id=match.pk, now=again(match).deadline_at + GRACE)
    over = again(match)
    assert list(
        Deal.objects.filter(match=match, void=False)[1].moves.with_results().values_list("text", flat=True)
    ) == ["0 timeout"]
    record = selectors.build_record(over)
    assert record is not None
    assert replay(parse(record)).progress.score == (over.score_0, over.score_1)
    assert table_views.build_table_view(over, 0, now)["previous"] is None


def test_abandoning_must_be_confirmed_and_loses_at_once(match: Match, now: datetime) -> None:
    with pytest.raises(errors.NotConfirmed):
        playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=False, client_id="a", now=now)
    with pytest.raises(errors.Replaced):
        playing.abandon(match_id=match.pk, seat=0, control="older", confirm=True, client_id="a", now=now)
    assert again(match).status == Match.Status.PLAYING
    ack = playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id="a", now=now)
    over = again(match)
    assert (over.decided_by, over.winner, over.version) == ("abandon", 1, ack.version)
    assert playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id="a", now=now) == ack


def test_who_abandons_too_late_has_timed_out(match: Match, now: datetime) -> None:
    with pytest.raises(errors.Stale):
        playing.abandon(match_id=match.pk, seat=0, control=FIRST, confirm=True, client_id="a", now=now + seconds(31))
    assert (again(match).decided_by, again(match).winner) == ("timeout", 0)


def test_who_does_not_come_forfeits_before_the_first_card(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token="", now=now)
    assert not settlement.expire_overdue(match_id=match.pk, now=now + seconds(300) + GRACE - HAIR)
    assert settlement.expire_overdue(match_id=match.pk, now=now + seconds(300) + GRACE)
    over = again(match)
    assert (over.decided_by, over.winner, over.offender, over.both_forfeited) == ("noshow", 0, 1, False)
    record = selectors.build_record(over)
    assert record is not None
    assert record["deals"][-1]["moves"] == ["1 noshow"]
    assert len(record["deals"][-1]["deck"].split()) == 40
    assert replay(parse(record)).progress.outcome is not None


def test_who_comes_too_late_finds_that_they_forfeited(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    seating.sit_down(match_id=match.pk, player_id=anna.pk, token="", now=now)
    seating.sit_down(match_id=match.pk, player_id=bruno.pk, token="", now=now + seconds(300) + GRACE)
    assert (again(match).decided_by, again(match).winner) == ("noshow", 0)


@pytest.mark.parametrize(
    ("absent", "offender"), [((2,), 0), ((0, 2), 0), ((1, 3), 1), ((0, 3), None), ((0, 1, 2, 3), None)]
)
def test_a_pair_of_whom_one_does_not_come_forfeits(
    anna: Player, bruno: Player, carla: Player, dino: Player, now: datetime, absent: tuple[int, ...], offender: int
) -> None:
    players = [anna, bruno, carla, dino]
    match = opened(players, now)
    for seat in {0, 1, 2, 3} - set(absent):
        seating.sit_down(match_id=match.pk, player_id=players[seat].pk, token="", now=now)
    settlement.expire_overdue(match_id=match.pk, now=now + seconds(301))
    over = again(match)
    assert (over.decided_by, over.offender, over.both_forfeited) == ("noshow", offender, offender is None)


def test_nobody_came_and_both_forfeit(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    assert settlement.expire_overdue(match_id=match.pk, now=now + seconds(301))
    over = again(match)
    assert (over.both_forfeited, over.winner, over.decided_by, over.settled_at) == (
        True,
        None,
        "noshow",
        now + seconds(301),
    )
    assert not Deal.objects.exists()
    assert table_views.build_table_view(over, 0, now)["result"]["both_forfeited"]


# --- Outages -----------------------------------------------------------------------------------------------------


def lived(kind: str, until: datetime) -> None:
    Liveness.objects.update_or_create(kind=kind, defaults={"beat_at": until})


@pytest.mark.parametrize("kind", [SWEEPER, WEB])
def test_nothing_expires_while_a_kind_that_ever_lived_is_silent(match: Match, now: datetime, kind: str) -> None:
    lived(kind, now + seconds(20))
    at = now + seconds(40)
    assert not settlement.expire_overdue(match_id=match.pk, now=at)
    play(match, at)
    assert again(match).turn_seat == 0


def test_it_expires_where_the_guard_is_off(match: Match, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin of the test above: without the guard the same table times out."""
    lived(SWEEPER, now + seconds(20))
    monkeypatch.setattr(outages, "has_outage", lambda now: False)
    assert settlement.expire_overdue(match_id=match.pk, now=now + seconds(40))


def test_an_outage_extends_the_running_turn_by_its_length(match: Match, now: datetime) -> None:
    lived(SWEEPER, now + seconds(20))
    assert outages.record_beat(SWEEPER, now + seconds(45)) == seconds(25)
    current = again(match)
    assert current.deadline_at == now + seconds(55)
    assert current.version == match.version
    assert not settlement.expire_overdue(match_id=match.pk, now=now + seconds(55))
    play(match, now + seconds(50))
    assert again(match).clocks_ms[1] == 600_000 - 25_000  # the outage isn't thinking time


def test_a_turn_that_began_in_the_outage_gets_what_was_left_of_it(match: Match, now: datetime) -> None:
    lived(SWEEPER, now - seconds(10))
    outages.record_beat(SWEEPER, now + seconds(7))
    assert again(match).deadline_at == now + seconds(37)
    assert again(match).extension_ms == 7000


def test_a_turn_that_has_not_begun_is_not_extended(match: Match, now: datetime) -> None:
    Match.objects.update(turn_from=now + seconds(60), deadline_at=now + seconds(90))
    lived(SWEEPER, now)
    outages.record_beat(SWEEPER, now + seconds(50))
    assert again(match).deadline_at == now + seconds(90)


def test_the_wait_for_a_player_is_extended_too(anna: Player, bruno: Player, now: datetime) -> None:
    match = opened([anna, bruno], now)
    lived(WEB, now - seconds(30))
    outages.record_beat(WEB, now + seconds(12))
    assert again(match).noshow_at == now + seconds(312)
    lived(WEB, now + seconds(20))
    outages.record_beat(WEB, now + seconds(30))
    assert again(match).noshow_at == now + seconds(322)


@pytest.mark.parametrize("kind", [SWEEPER, DOOR])
def test_a_beat_in_time_is_one_statement(
    now: datetime, kind: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    outages.record_beat(kind, now)
    in_time = now + (outages.DOOR_SILENCE if kind == DOOR else outages.SILENCE)
    with django_assert_num_queries(1):
        assert outages.record_beat(kind, in_time) == seconds(0)
    assert Liveness.objects.get(kind=kind).beat_at == in_time
    assert outages.record_beat(kind, in_time + seconds(5)) == seconds(5)


@pytest.mark.django_db(transaction=True)
def test_the_heart_and_no_commit_copies_the_log_of_sqlite(now: datetime) -> None:
    def count_in_file() -> int:
        """Count the kinds that beat, by the database's file alone, without its log. In a process of its own: one that
        opens and closes the file itself loses its locks on it."""
        file, sql = connection.settings_dict["NAME"], f"SELECT COUNT(*) FROM {Liveness._meta.db_table}"
        read = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1], uri=True).execute(sys.argv[2]).fetchone())"
        command = [sys.executable, "-c", read, f"file:{file}?immutable=1", sql]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_autocheckpoint")
        assert cursor.fetchone()[0] >= 20_000, "a thousand pages are a hundred moves"
    outages.empty_log()
    assert count_in_file() == 0
    outages.record_beat(SWEEPER, now)
    heart = outages.Heart(WEB)
    heart.start()
    until(lambda: count_in_file() == 2, what="the heart to copy the log")
    heart.stop()


def test_short_silences_extend_nothing(match: Match, now: datetime) -> None:
    lived(SWEEPER, now)
    assert outages.record_beat(SWEEPER, now + seconds(2)) == seconds(0)
    assert outages.record_beat(SWEEPER, now + seconds(1)) == seconds(0)  # an older clock moves nothing back
    assert Liveness.objects.get(kind=SWEEPER).beat_at == now + seconds(2)
    assert again(match).deadline_at == now + seconds(30)


@pytest.mark.parametrize(
    ("web_dies", "web_back", "extended"),
    [
        (0, 10.5, 10.5),  # together: the database was away
        (5, 15, 15),  # one after the other, overlapping
        (-20, 20, 20),  # one inside the other; the turn began at 0
        (12, 18, 16),  # apart
    ],
)
def test_two_kinds_away_together_extend_once(
    match: Match, now: datetime, web_dies: float, web_back: float, extended: float
) -> None:
    lived(SWEEPER, now)
    lived(WEB, now + seconds(web_dies))
    outages.record_beat(SWEEPER, now + seconds(10))
    outages.record_beat(WEB, now + seconds(web_back))
    assert again(match).deadline_at == now + seconds(30 + extended)


def test_the_parts_of_an_outage_that_nobody_made_good_yet() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)

    def span(start: float, end: float) -> Span:
        return Span(at + seconds(start), at + seconds(end))

    assert outages.subtract_spans(span(0, 10), []) == [span(0, 10)]
    assert outages.subtract_spans(span(0, 10), [span(2, 4)]) == [span(0, 2), span(4, 10)]
    assert outages.subtract_spans(span(0, 10), [span(-5, 4), span(8, 20)]) == [span(4, 8)]
    assert outages.subtract_spans(span(0, 10), [span(-5, 20)]) == []


# --- House players -----------------------------------------------------------------------------------------------


def test_house_players_play_a_match_by_the_sweep(anna: Player, bruno: Player, now: datetime) -> None:
    Player.objects.filter(pk__in=[anna.pk, bruno.pk]).update(kind=Player.Kind.HOUSE)
    players = list(Player.objects.order_by("name"))
    match = opened(players, now)
    assert again(match).status == Match.Status.PLAYING  # they are there at once
    at = now
    while (current := again(match)).status == Match.Status.PLAYING:
        assert current.bot_due_at is not None
        pause = current.bot_due_at - current.turn_from
        assert timedelta(milliseconds=900) <= pause <= timedelta(milliseconds=1800)
        assert playing.play_house_move(match_id=match.pk, now=current.bot_due_at - HAIR) is None
        at = current.bot_due_at + HOUSE_PATIENCE  # nobody thinks for it here
        Sweep(lambda: at).round()  # noqa: B023
        assert again(match).version == current.version + 1
    assert again(match).settled_at == at


def test_nobody_is_moved_for_by_the_house_but_its_own(match: Match, now: datetime) -> None:
    assert again(match).bot_due_at is None
    assert playing.play_house_move(match_id=match.pk, now=now + seconds(10)) is None


@pytest.mark.parametrize(
    ("kind", "value", "deals"),
    [
        ("deals", 1, 1), ("deals", 5, 5),
        ("points", 1, 1), ("points", 6, 1), ("points", 11, 2), ("points", 17, 3), ("points", 21, 4),
        ("points", 26, 5), ("points", 31, 6), ("points", 36, 7), ("points", 41, 8),
    ],
)  # fmt: skip
def test_one_deals_share_of_the_match_clock(kind: str, value: int, deals: int) -> None:
    assert clocks.compute_tie_break_share(600, kind, value) == 600_000 // deals
