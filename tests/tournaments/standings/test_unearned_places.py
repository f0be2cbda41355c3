"""A place that nobody earned stays empty, wherever ranks are shown (K5)."""

from datetime import datetime

import pytest
from django.test import Client

from tests.support.html import read_text
from tests.support.real_tables import draw_real, list_round
from tests.support.tournaments import KO, Opened
from tournaments.core.reads import read_entries, read_standings
from tournaments.desk.act import Act
from tournaments.desk.results import declare_forfeit
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.rule("K5")]


def forfeit_round(tournament: Tournament, number: int, now: datetime) -> None:
    """Have both sides of every fixture of a round forfeit."""
    for fixture in list_round(tournament, number):
        act = Act(tournament.organiser, "", now)
        declare_forfeit(tournament_id=tournament.pk, fixture_id=fixture.pk, lines=(0, 1), act=act)
    tournament.refresh_from_db()


@pytest.mark.parametrize(("size", "rank"), [(2, 2), (4, 3), (8, 5)])
def test_where_a_whole_round_was_forfeited_nobody_is_first(opened: Opened, now: datetime, size: int, rank: int) -> None:
    tournament = draw_real(opened, size, now, KO)
    forfeit_round(tournament, 1, now)
    assert tournament.state == Tournament.State.FINISHED
    rows = read_standings(tournament, read_entries(tournament))
    assert {(row.rank, row.place) for row in rows} == {(rank, rank)}
    told = Client().get(f"/api/v1/tournaments/{tournament.public_id}/standings/").json()["results"]
    assert {(row["rank"], row["overall"]) for row in told} == {(rank, rank)}
    page = read_text(Client().get(f"/tornei/{tournament.public_id}/"))
    assert "Primi ex aequo" not in page


def test_after_one_double_forfeit_of_two_the_second_place_is_nobodys(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, KO)
    first, second = list_round(tournament, 1)
    for fixture, lines in ((first, (0, 1)), (second, (0,))):
        act = Act(tournament.organiser, "", now)
        declare_forfeit(tournament_id=tournament.pk, fixture_id=fixture.pk, lines=lines, act=act)
    rows = read_standings(tournament, read_entries(tournament))
    assert [(row.rank, row.place) for row in rows] == [(1, 1), (3, 3), (3, 3), (3, 3)]
