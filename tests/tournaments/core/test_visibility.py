"""Visibility of tournaments, and the tables that a reader may not watch (N4, E8, R3)."""

from datetime import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import selectors as tables
from players.models import Player
from tests.support.people import create_person
from tests.support.play import OPENING, nobody_comes, open_ready, play, rounds_played
from tests.support.tables import opened as open_free_table
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core import visibility
from tournaments.entries import join
from tournaments.models import Tournament
from tournaments.organise import lifecycle
from tournaments.pages import home, tournament_page

pytestmark = [pytest.mark.django_db]


def started(tournament: Tournament, players: list[Player], now: datetime) -> Tournament:
    for player in players:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    tournament.refresh_from_db()
    return tournament


def test_nobody_entered_watches_the_tables_of_their_own_tournament_in_play_n4(
    opened: Opened, four: list[Player], organiser: Player, now: datetime
) -> None:
    tournament = started(opened(), four, now)
    match, other = open_ready(tournament, now + OPENING)
    for player in four:
        assert not tables.may_watch(match, player)
    assert tables.may_watch(match, organiser), "the organiser doesn't play"
    assert tables.may_watch(match, None), "W2: tables are public"
    play(match, now + OPENING)
    match.refresh_from_db()
    other.refresh_from_db()
    for player in four:
        assert tables.may_watch(match, player), "it is over"
        assert not tables.may_watch(other, player), "also for who is out already"


def test_free_tables_are_not_the_tournaments_business_n4(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    assert tables.may_watch(open_free_table([anna, bruno], now, context="free"), carla)


def test_drafts_are_seen_by_their_organiser_alone(organiser: Player, anna: Player, now: datetime) -> None:
    draft = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    assert visibility.find_visible(draft.public_id, organiser) == draft
    assert visibility.find_visible(draft.public_id, anna) is None
    assert visibility.find_visible(draft.public_id, None) is None


def test_the_front_page_lists_open_running_and_finished_with_their_counts(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    waiting = started(opened(), four[:3], now)
    playing = started(opened(max_entries=4), four, now)
    assert len(open_ready(playing, now + OPENING)) == 2
    lists = home.read_home()
    assert [(t.pk, t.entries_count) for t in lists.open] == [(waiting.pk, 3)]
    assert [(t.pk, t.entries_count, t.live_count) for t in lists.running] == [(playing.pk, 4, 2)]
    assert lists.finished == ()


def test_the_page_of_a_ko_shows_who_plays_whom_where(opened: Opened, four: list[Player], now: datetime) -> None:
    anna = four[0]
    tournament = started(opened(), four, now)
    page = tournament_page.read_page(tournament, anna)
    assert page.header.is_bracket
    assert [round_.name for round_ in page.schedule.rounds] == ["semifinal", "final"]
    assert page.viewer.next_fixture is not None
    assert page.viewer.next_fixture.mine
    assert (page.viewer.my_table, page.schedule.live, page.standings.cross) == (None, (), ())
    open_ready(tournament, now + OPENING)
    page = tournament_page.read_page(tournament, anna)
    assert [fixture.table for fixture in page.schedule.live if fixture.mine] == [page.viewer.my_table]
    assert len(page.schedule.live) == 2
    assert page.viewer.join_refusal == "registration_closed"


def test_the_cross_table_shows_each_fixture_from_both_sides(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = started(opened(GIRONE), four, now)
    rounds_played(tournament, now)
    page = tournament_page.read_page(tournament, None)
    assert [len(row.cells) for row in page.standings.cross] == [4] * 4
    for i, row in enumerate(page.standings.cross):
        assert row.cells[i] == ()
        for j, cells in enumerate(row.cells):
            if i != j:
                ((cell,), (back,)) = cells, page.standings.cross[j].cells[i]
                assert cell.points is not None
                assert back.points == cell.points[::-1]
                assert cell.table == back.table
        standing = page.standings.rows[i]
        assert sum(cell.vp or 0 for cells in row.cells for cell in cells) == standing.vp
    for row, following in zip(page.standings.rows, page.standings.rows[1:], strict=False):
        assert row.separation is not None
        if row.separation.code == "vp":
            assert (row.separation.own, row.separation.next) == (row.vp, following.vp)
    assert [row.place for row in page.standings.rows] == [row.rank for row in page.standings.rows]


def test_a_page_takes_the_same_number_of_queries_for_any_field(opened: Opened, now: datetime) -> None:
    counts = []
    for size in (2, 8):
        players = [create_person(f"P{size}-{n}", now) for n in range(size)]
        tournament = started(opened(max_entries=size), players, now)
        with CaptureQueriesContext(connection) as queries:
            tournament_page.read_page(tournament, players[0])
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6  # the line-ups of that time are one (F2)


def test_a_double_forfeit_shows_as_such(opened: Opened, anna: Player, bruno: Player, now: datetime) -> None:
    tournament = started(opened(max_entries=2), [anna, bruno], now)
    (match,) = open_ready(tournament, now + OPENING)
    nobody_comes(match)
    tournament.refresh_from_db()
    (final,) = tournament_page.read_page(tournament, None).schedule.rounds
    assert final.fixtures[0].double_forfeit
    assert final.fixtures[0].winner is None
