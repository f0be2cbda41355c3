"""Visibility of tournaments, and the tables that a reader may not watch (N4, E8, R3)."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import selectors as tables
from games.models import Match
from games.selectors import Watching
from players.models import Player
from tests.support.entries import enter_all
from tests.support.people import create_person, give_address
from tests.support.play import OPENING, nobody_comes, open_ready, play, rounds_played
from tests.support.tables import opened as open_free_table
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments import standing_offers
from tournaments.core import visibility
from tournaments.models import EntryMember, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings
from tournaments.pages import home, tournament_page

pytestmark = [pytest.mark.django_db]


def started(tournament: Tournament, players: list[Player], now: datetime) -> Tournament:
    enter_all(tournament, players, now)
    return tournament


def watches(match: Match, player: Player | None, now: datetime) -> Watching:
    return tables.find_watching(Match.objects.get(pk=match.pk), player, now)


@pytest.mark.parametrize("base", [KO, GIRONE])
def test_nobody_who_may_still_meet_those_who_play_watches_them_n4(
    opened: Opened, four: list[Player], now: datetime, base: Settings
) -> None:
    tournament = started(opened(base), four, now)
    match, other = open_ready(tournament, now + OPENING)[:2]
    assert {watches(match, player, now) for player in four} == {Watching.REFUSED}
    play(match, now + OPENING)
    assert {watches(match, player, now) for player in four} == {Watching.LIVE}, "it is over"
    mine = [seat.player for seat in match.seats.select_related("player")]
    out = {player.name: watches(other, player, now) for player in mine}
    assert sorted(out.values()) == ([Watching.REFUSED, Watching.LATE] if base is KO else [Watching.REFUSED] * 2)


def test_at_once_watch_only_established_members_and_who_runs_it_w3(
    opened: Opened, four: list[Player], organiser: Player, now: datetime
) -> None:
    (match, _) = open_ready(started(opened(), four, now), now + OPENING)
    zeno = create_person("Zeno", now)
    zeno.created_at = now - timedelta(days=8)
    zeno.save(update_fields=["created_at"])
    assert watches(match, zeno, now) is Watching.LATE, "no confirmed address"
    give_address(zeno)
    assert watches(match, zeno, now) is Watching.LIVE
    assert watches(match, zeno, now - timedelta(days=2)) is Watching.LATE, "six days old"
    Player.objects.filter(pk=zeno.pk).update(kind=Player.Kind.GUEST)
    assert watches(match, Player.objects.get(pk=zeno.pk), now) is Watching.LATE, "a guest"
    assert watches(match, None, now) is Watching.LATE, "a visitor"
    assert watches(match, organiser, now) is Watching.LIVE, "F4: the desk tells them what was played anyway"


def test_showcase_tables_of_the_house_are_watched_at_once_w3(db: None, now: datetime) -> None:
    tournament = standing_offers.start_showcase(now=now)
    match = open_ready(tournament, now + OPENING)[0]
    assert watches(match, None, now) is Watching.LIVE
    entry = tournament.entries.order_by("pk")[0]
    EntryMember.objects.filter(entry=entry).update(person=create_person("Zeno", now).person)
    assert watches(match, None, now) is Watching.LATE, "somebody plays in it: no showcase"


def test_free_tables_are_not_the_tournaments_business_n4_w3(
    anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    match = open_free_table([anna, bruno], now, context="free")
    assert [watches(match, reader, now) for reader in (carla, None)] == [Watching.LIVE] * 2


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
