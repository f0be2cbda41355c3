"""Levels and the results of tournaments: the result in force counts, as it was ruled (L2, L3, L6)."""

from datetime import datetime, timedelta

import pytest

from games.models import Match
from players.models import Player
from scoring import level_audit, level_book
from scoring.models import Level, LevelStep
from tests.support.desk import build_act, read_fixture, start_refereed
from tests.support.play import abandon, nobody_comes, open_ready, play
from tests.support.tournaments import Opened
from tournaments.desk.results import Decision, annul_result, declare_forfeit, order_replay, restore_result, set_result
from tournaments.models import Fixture, Tournament
from tournaments.running.withdraw import withdraw_entry

pytestmark = pytest.mark.django_db
LATER = timedelta(minutes=30)


def open_first(tournament: Tournament, now: datetime) -> Match:
    return open_ready(tournament, now + timedelta(minutes=1))[0]


def follow(now: datetime) -> None:
    """Have levels follow, as the sweep does; and be equal to what the results give."""
    level_book.settle(now=now)
    assert list(level_audit.list_differences()) == []


def read_share(match: Match) -> float | None:
    return LevelStep.objects.filter(match=match, line=0).values_list("share", flat=True).first()


@pytest.mark.rule("L2", "L3")
def test_a_tournaments_match_counts_by_its_vp(girone: Tournament, now: datetime) -> None:
    match = open_first(girone, now)
    ended = play(match, now + timedelta(minutes=1))
    follow(ended)
    fixture = read_fixture(match)
    assert fixture.vp_0 is not None
    assert read_share(match) == pytest.approx(fixture.vp_0 / 20)


@pytest.mark.rule("L3")
def test_a_knock_out_counts_by_the_column_of_its_length(
    opened: Opened, four: list[Player], referee: Player, now: datetime
) -> None:
    match = open_first(start_refereed(opened, four, referee, now), now)
    ended = play(match, now + timedelta(minutes=1))
    follow(ended)
    share = read_share(match)
    assert share is not None
    assert 0 < share < 1


@pytest.mark.rule("L3", "L6")
def test_a_ruling_counts_as_it_was_ruled_at_the_hour_of_the_match(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    match = open_first(girone, now)
    ended = play(match, now + timedelta(minutes=1))
    follow(ended)
    fixture = read_fixture(match)
    decision = Decision(points=(5, 6), winner=1, vp=(4, 12), mp=(0, 0))
    act = build_act(referee, ended + LATER)
    set_result(tournament_id=girone.pk, fixture_id=fixture.pk, decision=decision, act=act)
    follow(ended + LATER)
    assert read_share(match) == pytest.approx(0.25)
    step = LevelStep.objects.filter(match=match).first()
    assert step is not None
    assert step.finished_at == Match.objects.get(pk=match.pk).finished_at


@pytest.mark.rule("L2", "L3")
def test_forfeits_count_in_full_and_double_ones_not_at_all(girone: Tournament, now: datetime) -> None:
    first, second = open_ready(girone, now + timedelta(minutes=1))
    abandon(first, 0, now + timedelta(minutes=2))
    late = nobody_comes(second)
    follow(late)
    assert read_share(first) == 0.0
    assert read_share(second) is None


@pytest.mark.rule("L2", "L6")
def test_an_annulled_result_counts_for_nobody_until_it_is_restored(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    match = open_first(girone, now)
    ended = play(match, now + timedelta(minutes=1))
    follow(ended)
    share, fixture = read_share(match), read_fixture(match)
    annul_result(tournament_id=girone.pk, fixture_id=fixture.pk, act=build_act(referee, ended + LATER))
    follow(ended + LATER)
    assert not Level.objects.exists()
    restore_result(tournament_id=girone.pk, fixture_id=fixture.pk, act=build_act(referee, ended + 2 * LATER, key="b"))
    follow(ended + 2 * LATER)
    assert read_share(match) == share


@pytest.mark.rule("L2", "L6")
def test_a_match_that_is_played_anew_counts_no_more(girone: Tournament, referee: Player, now: datetime) -> None:
    match = open_first(girone, now)
    ended = play(match, now + timedelta(minutes=1))
    follow(ended)
    fixture = read_fixture(match)
    order_replay(tournament_id=girone.pk, fixture_id=fixture.pk, act=build_act(referee, ended + LATER))
    follow(ended + LATER)
    assert read_share(match) is None


@pytest.mark.rule("L2", "L3")
def test_a_table_that_was_stopped_counts_by_the_ruling(girone: Tournament, referee: Player, now: datetime) -> None:
    match = open_first(girone, now)
    fixture = read_fixture(match)
    at = now + timedelta(minutes=5)
    declare_forfeit(tournament_id=girone.pk, fixture_id=fixture.pk, lines=(0, 1), act=build_act(referee, at))
    follow(at)
    assert read_share(match) is None
    act = build_act(referee, at + LATER, key="b")
    declare_forfeit(tournament_id=girone.pk, fixture_id=fixture.pk, lines=(1,), act=act)
    follow(at + LATER)
    assert read_share(match) == 1.0


@pytest.mark.rule("L2", "L6")
def test_who_leaves_early_takes_the_annulled_results_out_of_the_levels(
    girone: Tournament, referee: Player, now: datetime
) -> None:
    match = open_first(girone, now)
    ended = play(match, now + timedelta(minutes=1))
    follow(ended)
    fixture = read_fixture(match)
    assert fixture.first_id is not None
    withdraw_entry(tournament_id=girone.pk, entry_id=fixture.first_id, by=referee, reason="se ne va", now=ended + LATER)
    follow(ended + LATER)
    assert read_fixture(match).state == Fixture.State.ANNULLED
    assert read_share(match) is None


@pytest.mark.rule("L2")
def test_an_imported_tournament_counts_for_no_level(girone: Tournament, now: datetime) -> None:
    Tournament.objects.filter(pk=girone.pk).update(imported_from="altrove")
    match = open_first(girone, now)
    follow(play(match, now + timedelta(minutes=1)))
    assert read_share(match) is None
