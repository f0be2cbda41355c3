"""A tournament from its draw to its final ranks, on real tables (E5, E8, E9, K1-K5, R1-R4, V5)."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine.game import Length
from games.models import Match, Seat
from games.signals import match_finished
from players.models import Player
from scoring import vp
from tests.support.entries import enter_all
from tests.support.people import create_person
from tests.support.play import (
    OPENING,
    abandon,
    nobody_comes,
    only_one_comes,
    open_ready,
    play,
    ready,
    rounds_played,
    stored_equals_recomputed,
)
from tests.support.tables import opened as open_free_table
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.models import Entry, EntryMember, Fixture, LogEntry, Tournament
from tournaments.organise import lifecycle
from tournaments.running.results import record_result

# The result of a match is passed on after its commit, in a transaction of its own.
pytestmark = [pytest.mark.django_db]

State = Tournament.State


def started(tournament: Tournament, players: list[Player], now: datetime) -> Tournament:
    enter_all(tournament, players, now)
    assert tournament.state == State.RUNNING
    return tournament


def fixture_of(match: Match) -> Fixture:
    return Fixture.objects.get(match=match)


def test_the_draw_gives_every_entry_a_seed_and_logs_the_order_k1(cup: Tournament) -> None:
    order = list(Entry.objects.filter(tournament=cup).order_by("seed").values_list("pk", flat=True))
    assert list(Entry.objects.order_by("seed").values_list("seed", flat=True)) == [1, 2, 3, 4]
    assert len(cup.lot) == 32
    logged = LogEntry.objects.get(code="drawn").detail
    assert (logged["order"], logged["lot"]) == (order, cup.lot)


def test_the_draw_is_by_lot_k1(opened: Opened, anna: Player, bruno: Player, now: datetime) -> None:
    firsts = {
        EntryMember.objects.get(
            entry__tournament=started(opened(max_entries=2), [anna, bruno], now), entry__seed=1
        ).person.player
        for _ in range(tries(10, 40))
    }
    assert firsts == {anna, bruno}, "in a soak, once in 2^39 runs chance alone breaks this"


def test_tables_open_after_the_pause_with_the_first_named_at_seat_0_k4_r1(cup: Tournament, now: datetime) -> None:
    assert open_ready(cup, now + timedelta(seconds=2)) == [], "the pause is 3 s"
    matches = open_ready(cup, now + timedelta(seconds=3))
    assert len(matches) == 2
    for match in matches:
        fixture = fixture_of(match)
        seats = Seat.objects.filter(match=match).order_by("number").values_list("player_id", flat=True)
        people = [entry.members.get().person.player_id for entry in (fixture.first, fixture.second)]
        assert list(seats) == people
        assert (match.context, match.turn_timeout, match.match_clock) == ("ko", KO.turn_timeout, KO.match_clock)
    assert open_ready(cup, now + timedelta(seconds=4)) == [], "only once"


def test_a_ko_is_played_to_its_final_ranks_k1_k4(cup: Tournament, now: datetime) -> None:
    rounds_played(cup, now)
    assert cup.finished_at is not None
    ranks = sorted(Entry.objects.filter(tournament=cup).values_list("rank", flat=True))
    assert ranks == [1, 2, 3, 3]
    final = Fixture.objects.get(round__name="final")
    winner = (final.first, final.second)[final.winner or 0]
    assert winner is not None
    assert winner.rank == 1
    assert (final.vp_0, final.mp_0) == (None, None)
    assert stored_equals_recomputed(cup)


def test_a_girone_is_played_to_its_final_ranks_r1_r2(girone: Tournament, now: datetime) -> None:
    rounds_played(girone, now)
    fixtures = Fixture.objects.filter(round__tournament=girone).select_related("match")
    assert fixtures.count() == 6
    for fixture in fixtures:
        m = fixture.match
        assert m is not None
        worth = vp.compute_points("tresette", Length("deals", 1), m.winner, m.margin or 0)
        assert worth is not None
        assert ((fixture.mp_0, fixture.mp_1), (fixture.vp_0, fixture.vp_1)) == worth
    for entry in Entry.objects.filter(tournament=girone):
        own = [(f.vp_0, f.mp_0) for f in fixtures if f.first_id == entry.pk]
        own += [(f.vp_1, f.mp_1) for f in fixtures if f.second_id == entry.pk]
        assert (entry.vp, entry.mp, entry.played) == (sum(v for v, _ in own), sum(m for _, m in own), 3)
    assert stored_equals_recomputed(girone)


def test_the_log_is_in_the_order_of_the_acts_whenever_each_began_e2(cup: Tournament, now: datetime) -> None:
    first, second = open_ready(cup, now + OPENING)
    play(second, now + 2 * OPENING)
    play(first, now + OPENING)  # in a process that had looked at its clock before
    results = LogEntry.objects.filter(tournament=cup, code="result")
    assert [entry.detail["fixture"] for entry in results] == [fixture_of(match).pk for match in (second, first)]


def test_a_round_waits_for_the_one_before_r6(girone: Tournament, now: datetime) -> None:
    first, second = open_ready(girone, now + OPENING)
    end = play(first, now + OPENING)
    assert ready(girone) == []
    play(second, end)
    assert {fixture.round.number for fixture in ready(girone)} == {2}
    assert Tournament.objects.get().rounds.get(number=1).finished


def test_stored_standings_equal_the_recomputed_ones_after_every_result(girone: Tournament, now: datetime) -> None:
    at = now
    while ready(girone):
        at += OPENING
        for match in open_ready(girone, at):
            at = play(match, at)
            assert stored_equals_recomputed(girone)


@pytest.mark.rule("V5")
def test_who_does_not_come_forfeits_and_the_other_goes_on_e9_v5(cup: Tournament, now: datetime) -> None:
    match, _other = open_ready(cup, now + OPENING)
    only_one_comes(match, seat=1)
    fixture = fixture_of(match)
    assert (fixture.winner, fixture.forfeit_by, fixture.decided_by) == (1, 0, "noshow")
    assert fixture.state == Fixture.State.DONE
    assert fixture.first is not None
    assert (fixture.first.forfeits, fixture.first.rank) == (1, 3)


@pytest.mark.rule("V5")
def test_who_abandons_in_a_girone_gets_0_vp_and_the_other_14_at_least_v5_r4(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = started(opened(GIRONE, max_entries=2), [anna, bruno], now)
    (match,) = open_ready(tournament, now + OPENING)
    abandon(match, 0, now + OPENING)
    fixture = fixture_of(match)
    assert fixture.forfeit_by == 0
    assert fixture.vp_0 == 0
    assert fixture.vp_1 is not None
    assert fixture.vp_1 >= 14
    tournament.refresh_from_db()
    assert tournament.state == State.FINISHED


def test_if_nobody_comes_the_next_opponent_has_a_bye_k5(cup: Tournament, now: datetime) -> None:
    match, other = open_ready(cup, now + OPENING)
    nobody_comes(match)
    assert fixture_of(match).double_forfeit
    play(other, now + OPENING)
    final = Fixture.objects.get(round__name="final")
    assert (final.state, final.match) == (Fixture.State.BYE, None)
    cup.refresh_from_db()
    assert cup.state == State.FINISHED
    assert sorted(Entry.objects.values_list("rank", flat=True)) == [1, 3, 3, 3]


def test_if_nobody_comes_to_the_final_both_are_second_k5(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = started(opened(max_entries=2), [anna, bruno], now)
    (final,) = open_ready(tournament, now + OPENING)
    nobody_comes(final)
    assert list(Entry.objects.values_list("rank", flat=True)) == [2, 2]


def test_if_nobody_comes_in_a_girone_each_has_0_vp_and_the_losers_mp_r4(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = started(opened(GIRONE, max_entries=2), [anna, bruno], now)
    (match,) = open_ready(tournament, now + OPENING)
    nobody_comes(match)
    worth = vp.compute_double_forfeit("tresette", Length("deals", 1))
    assert worth is not None
    assert [(e.vp, e.mp, e.forfeits) for e in Entry.objects.all()] == [(0, worth.mp[0], 1), (0, worth.mp[1], 1)]
    assert stored_equals_recomputed(tournament)


def test_a_fixture_waits_for_a_player_who_sits_elsewhere_and_then_opens_e8(
    opened: Opened, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    elsewhere = open_free_table([anna, carla], now, context="free")
    tournament = started(opened(max_entries=2), [anna, bruno], now)
    at = now + OPENING
    assert open_ready(tournament, at) == []
    (fixture,) = ready(tournament)
    assert fixture.opens_at is not None
    assert fixture.opens_at > at, "the sweep looks again a little later"
    nobody_comes(elsewhere)
    assert len(open_ready(tournament, at + OPENING)) == 1


def test_a_result_told_twice_counts_once(girone: Tournament, now: datetime) -> None:
    match, _other = open_ready(girone, now + OPENING)
    end = play(match, now + OPENING)
    girone.refresh_from_db()
    before = (girone.version, list(Entry.objects.order_by("pk").values_list("played", "vp")))
    match_finished.send(sender=Match, match_id=match.pk, now=end)
    assert not record_result(match_id=match.pk, now=end)
    girone.refresh_from_db()
    assert (girone.version, list(Entry.objects.order_by("pk").values_list("played", "vp"))) == before
    assert LogEntry.objects.filter(code="result").count() == 1


def test_a_match_that_is_not_over_gives_no_result(cup: Tournament, now: datetime) -> None:
    match, _other = open_ready(cup, now + OPENING)
    assert not record_result(match_id=match.pk, now=now)
    assert fixture_of(match).state == Fixture.State.PLAYING


def test_a_free_table_is_nobodys_result(anna: Player, bruno: Player, now: datetime) -> None:
    match = open_free_table([anna, bruno], now, context="free")
    nobody_comes(match)
    assert Match.objects.get(pk=match.pk).settled_at is not None
    assert not record_result(match_id=match.pk, now=now)


def test_results_of_a_cancelled_tournament_count_for_nothing(cup: Tournament, organiser: Player, now: datetime) -> None:
    match, _other = open_ready(cup, now + OPENING)
    lifecycle.cancel_tournament(tournament_id=cup.pk, by=organiser, reason="Neve", now=now)
    play(match, now + OPENING)
    assert Match.objects.get(pk=match.pk).settled_at is not None
    assert fixture_of(match).result_at is None
    assert open_ready(cup, now + OPENING) == []


def test_the_third_place_fixture_is_played_before_the_tournament_is_over_k4(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = started(opened(format_options={"third_place": True}), four, now)
    rounds_played(tournament, now)
    assert sorted(Entry.objects.values_list("rank", flat=True)) == [1, 2, 3, 4]


@pytest.mark.parametrize("size", [4, 16])
def test_taking_in_a_result_takes_the_same_number_of_queries_in_any_field(
    opened: Opened, now: datetime, size: int
) -> None:
    tournament = started(opened(max_entries=size), [create_person(f"P{n}", now) for n in range(size)], now)
    matches = open_ready(tournament, now + OPENING)
    match = matches[0]
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, winner=0, margin=1, score_0=1, decided_by="points", noshow_at=None
    )
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert record_result(match_id=match.pk, now=now)
    real = [q for q in queries.captured_queries if not q["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT"))]
    assert len(real) == 19
