"""The wall screen: what a whole room is shown, and nothing that only the desk knows (O7)."""

import re
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.real_tables import draw_present, draw_real, list_round, open_real, publish_next, type_names
from tests.support.standings import write_result
from tests.support.tournaments import KO, Opened
from tournaments.hall.slip_codes import print_slips
from tournaments.models import Tournament
from tournaments.organise import lifecycle
from tournaments.pages import tournament_page
from tournaments.rounds import drafts
from tournaments.running.results import advance
from tournaments.sharing import wall

pytestmark = pytest.mark.django_db
SHEET = re.compile(r'data-sheet="([a-z]+)-(\d+)"')


def read_sheets(tournament: Tournament) -> list[wall.WallSheet]:
    page = tournament_page.read_page(Tournament.objects.get(pk=tournament.pk), None)
    return wall.build_sheets(page, wall.find_shown_round(page))


def show(tournament: Tournament) -> str:
    answer = Client().get(reverse("tournament-wall", args=[tournament.public_id]))
    assert answer.status_code == 200
    return answer.content.decode()


def finish_round(tournament: Tournament, number: int, now: datetime) -> None:
    for fixture in list_round(tournament, number):
        write_result(fixture, (15, 5), (10, -10), now)
    advance(tournament_id=tournament.pk, now=now)


@pytest.mark.rule("O7")
def test_before_the_draw_the_room_sees_who_is_entered(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, max_entries=64)
    assert SHEET.findall(show(tournament)) == []
    type_names(tournament, [f"Nome {number:02}" for number in range(30)], now)
    (first, second) = read_sheets(tournament)
    assert (first.kind, first.pages, len(first.rows), len(second.rows)) == ("entries", 2, 24, 6)
    page = show(tournament)
    assert SHEET.findall(page) == [("entries", "1"), ("entries", "2")]
    assert page.count("<svg") == 1, "the code to follow from a telephone"


@pytest.mark.rule("O7")
def test_a_round_is_shown_by_table_and_by_name_and_then_the_standings(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 24, now, format="danese", format_options={"rounds": 3}, hall_tables=10)
    sheets = read_sheets(tournament)
    assert [(sheet.kind, len(sheet.rows)) for sheet in sheets] == [
        ("tables", 10),
        ("tables", 2),
        ("names", 20),
        ("names", 4),
    ]
    tables = [(fixture.wave, fixture.hall_table) for sheet in sheets[:2] for fixture in sheet.rows]
    assert tables == [*((1, table) for table in range(1, 11)), (2, 1), (2, 2)]
    names = [seated.name for sheet in sheets[2:4] for seated in sheet.rows]
    assert names == sorted(names, key=str.casefold)
    assert len(set(names)) == 24


@pytest.mark.rule("O7")
def test_results_come_in_and_the_next_round_only_once_it_is_published(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 8, now, format="danese", format_options={"rounds": 3})
    fixture = list_round(tournament, 1)[0]
    write_result(fixture, (15, 5), (10, -10), now)
    assert "ranks" not in dict(SHEET.findall(show(tournament))), "nobody has played"
    advance(tournament_id=tournament.pk, now=now)
    page = show(tournament)
    assert "30–20" in page
    assert "ranks" in dict(SHEET.findall(page))
    finish_round(tournament, 1, now)
    drafts.draw_round(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    page = show(tournament)
    assert 'data-round="1"' in page, "the draft is the desk's"
    assert "names" not in dict(SHEET.findall(page)), "nobody looks for a table any more"
    drafts.publish_round(number=2, tournament_id=tournament.pk, by=tournament.organiser, now=now)
    assert 'data-round="2"' in show(tournament)


@pytest.mark.rule("V3")
@pytest.mark.parametrize(("game", "column", "told"), [("scopa", "MP", "+10"), ("asso-piglia-tutto", "V–P", "1–0")])
def test_where_a_win_is_20_whatever_the_margin_the_room_reads_who_won_how_often(
    opened: Opened, now: datetime, game: str, column: str, told: str
) -> None:
    tournament = draw_real(opened, 4, now, format="danese", format_options={"rounds": 3}, ruleset=game)
    write_result(list_round(tournament, 1)[0], (20, 0), (10, -10), now)
    advance(tournament_id=tournament.pk, now=now)
    ranks = show(tournament).partition('data-sheet="ranks')[2]
    assert [text for text in ("MP", "V–P") if text in ranks] == [column]
    assert told in ranks


@pytest.mark.rule("O4", "O7")
def test_its_code_leads_to_where_codes_are_typed_while_a_round_has_slips(opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 4, now, format="danese", format_options={"rounds": 2})
    wall_path, address = (reverse(name, args=[tournament.public_id]) for name in ("tournament-wall", "tournament"))

    def find_way() -> str:
        return str(Client().get(wall_path).context["url"])

    assert find_way().endswith(address), "without slips nobody has a code"
    version = tournament.version
    print_slips(tournament_id=tournament.pk, by=tournament.organiser, now=now)
    tournament.refresh_from_db()
    assert tournament.version > version, "a screen that hangs there already is told"
    assert find_way().endswith(reverse("tournament-phone", args=[tournament.public_id]))
    assert address in Client().get(reverse("tournament-phone", args=[tournament.public_id])).content.decode()
    for number in (1, 2):
        finish_round(tournament, number, now)
        if number == 1:
            publish_next(tournament, now)
            assert find_way().endswith(address), "the slips of the new round aren't printed"
    state = Tournament.objects.get(pk=tournament.pk).state
    assert (state, find_way().endswith(address)) == ("finished", True)


@pytest.mark.rule("O7")
def test_each_sheet_has_a_name_of_its_own_in_every_group(opened: Opened, now: datetime) -> None:
    """The screen finds the sheet again by it."""
    tournament = draw_real(opened, 8, now, format="gironi", format_options={"groups": 2}, min_entries=8)
    write_result(list_round(tournament, 1)[0], (15, 5), (10, -10), now)
    write_result(list_round(tournament, 1)[-1], (15, 5), (10, -10), now)
    advance(tournament_id=tournament.pk, now=now)
    names = re.findall(r'data-sheet="([^"]+)"', show(tournament))
    assert names[-2:] == ["ranks1-1", "ranks2-1"]
    assert len(set(names)) == len(names)


@pytest.mark.rule("O7")
def test_a_ko_shows_who_rests_and_at_its_end_the_final_ranks(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, KO, max_entries=8, seeding="organiser")
    type_names(tournament, ["Ada", "Bice", "Ciro"], now)
    draw_present(tournament, now)
    (tables,) = [sheet for sheet in read_sheets(tournament) if sheet.kind == "tables"]
    assert sorted(row.state for row in tables.rows) == ["bye", "ready"]
    finish_round(tournament, 1, now)
    publish_next(tournament, now)
    finish_round(tournament, 2, now)
    assert [sheet.kind for sheet in read_sheets(tournament)] == ["tables", "ranks"]
    assert Tournament.objects.get(pk=tournament.pk).state == Tournament.State.FINISHED


@pytest.mark.rule("O7")
def test_a_draft_is_shown_to_who_runs_it(organiser: Player, now: datetime, organisers: Client) -> None:
    draft = lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)
    address = reverse("tournament-wall", args=[draft.public_id])
    assert Client().get(address).status_code == 404
    assert organisers.get(address).status_code == 200
