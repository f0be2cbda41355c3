"""Squadre di quattro (O12): two tables of a fixture, each with its points, whose differences count together."""

from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.game import Length
from scoring import vp
from tests.support.arrangements import arrange_once
from tests.support.people import sign_in
from tests.support.real_tables import publish_next
from tests.support.teams import draw_teams, find_team, list_ids
from tests.support.tournaments import GIRONE, PAIRS, Opened, catch_code
from tournaments.core.reads import read_fixture_row
from tournaments.core.result import ResultTerms, combine_tables
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, annul_result, declare_forfeit, set_result
from tournaments.desk.undo import find_last_entry, undo_entry
from tournaments.fees.queries import read_shares
from tournaments.models import Fixture, LineUp, LogEntry, ScoreSlip, Tournament
from tournaments.pages.tournament_page import read_page
from tournaments.running.line_ups import change_line_up, name_line_up
from tournaments.running.recompute import find_differences
from tournaments.running.withdraw import withdraw_entry
from tournaments.standings.explained import explain_standings, read_standings_tables
from tournaments.venues import HALL

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O12")]
FOURS = {
    "Leoni": ("Ada", "Bice", "Ciro", "Dora", "Elio"),
    "Volpi": ("Fede", "Gino", "Ines", "Lino"),
    "Orsi": ("Mara", "Nora", "Otto", "Pia"),
    "Lupi": ("Rita", "Sara", "Tina", "Ugo"),
}
Score = tuple[int, int]


def draw_fours(opened: Opened, now: datetime, **changed: Any) -> Tournament:
    return draw_teams(opened, now, PAIRS, teams=FOURS, **{"team_size": 5, "team_tables": 2, **changed})


@arrange_once
def fours(opened: Opened, now: datetime) -> Tournament:
    return draw_fours(opened, now)


@arrange_once
def long_fours(opened: Opened, now: datetime) -> Tournament:
    """Fours whose tables play two deals."""
    return draw_fours(opened, now, length_value=2)


def list_tables(tournament: Tournament, number: int = 1) -> list[tuple[Fixture, Fixture]]:
    """The two tables of each fixture of a round."""
    rows = Fixture.objects.of(tournament).filter(round__number=number, second__isnull=False)
    pairs = [tuple(group) for _board, group in groupby(rows.order_by("board", "part"), key=lambda row: row.board)]
    assert all(len(pair) == 2 for pair in pairs)
    return pairs  # type: ignore[return-value]


def enter(tournament: Tournament, table: Fixture, points: Score, now: datetime, reason: str = "") -> None:
    winner = None if points[0] == points[1] else int(points[0] < points[1])
    act = Act(tournament.organiser, reason, now)
    decision = Decision(points=points, winner=winner)
    set_result(tournament_id=tournament.pk, fixture_id=table.pk, decision=decision, act=act)


def read_worth(table: Fixture) -> tuple[Any, ...]:
    table.refresh_from_db()
    return table.mp_0, table.mp_1, table.vp_0, table.vp_1


def read_entry(tournament: Tournament, name: str) -> tuple[int, int, int, int]:
    entry = find_team(tournament, name)
    return entry.played, entry.won, entry.mp, entry.vp


def test_a_fixture_has_two_tables_with_two_numbers_and_two_line_ups(opened: Opened, now: datetime) -> None:
    tournament = draw_fours(opened, now, hall_tables=3)
    (one, other), (third, fourth) = list_tables(tournament)
    assert [(table.wave, table.table) for table in (one, other, third, fourth)] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    rows = [read_fixture_row(table, None) for table in (one, other)]
    assert [row.first.people for row in rows if row.first] == [("Ada", "Bice"), ("Ciro", "Dora")]
    assert [row.second.people for row in rows if row.second] == [("Rita", "Sara"), ("Tina", "Ugo")]


@pytest.mark.parametrize(
    ("tables", "margin"),
    [
        (((7, 4), (3, 8)), -1),  # 3 - 5 = -2
        (((7, 4), (6, 5)), 2),  # 3 + 1 = 4
        (((7, 4), (5, 6)), 1),  # 3 - 1 = 2
        (((8, 3), (5, 6)), 2),  # 5 - 1 = 4
        (((11, 0), (5, 6)), 5),  # 11 - 1 = 10
        (((7, 4), (4, 7)), 0),
        (((11, 0), (11, 0)), 11),
    ],
)
def test_half_the_sum_of_the_differences_gives_the_vp(
    fours: Tournament, now: datetime, tables: tuple[Score, Score], margin: int
) -> None:
    pair = list_tables(fours)[0]
    enter(fours, pair[0], tables[0], now)
    assert read_worth(pair[0]) == (None, None, None, None), "one table alone is worth nothing yet"
    assert read_entry(fours, "Leoni") == (0, 0, 0, 0)
    enter(fours, pair[1], tables[1], now)
    winner = None if margin == 0 else int(margin < 0)
    worth = vp.compute_points("tresette", Length("deals", 1), winner, abs(margin))
    assert worth is not None
    assert read_worth(pair[0]) == read_worth(pair[1]) == (margin, -margin, *worth.vp)
    assert read_entry(fours, "Leoni") == (1, int(margin > 0), margin, worth.vp[0])
    assert find_differences(fours) == []


@pytest.mark.parametrize(("total", "margin"), [(1, 1), (3, 2), (-1, -1), (-3, -2), (4, 2), (0, 0)])
def test_a_half_is_rounded_away_from_zero(long_fours: Tournament, now: datetime, total: int, margin: int) -> None:
    """Odd sums: a level table beside another one, of two deals, whose totals may be even."""
    pair = list_tables(long_fours)[0]
    terms = ResultTerms.of(long_fours, "round_robin")
    for table, (ours, theirs) in zip(pair, ((11, 11), (11 + max(total, 0), 11 + max(-total, 0))), strict=True):
        table.points_0, table.points_1 = ours, theirs
        table.winner = None if ours == theirs else int(ours < theirs)
        table.result_at = now
    whole = combine_tables(terms.setup, pair)
    assert whole is not None
    assert whole.mp == (margin, -margin)


def test_a_forfeited_table_counts_by_v5_and_the_other_as_it_was_played(fours: Tournament, now: datetime) -> None:
    one, other = list_tables(fours)[0]
    act = Act(fours.organiser, "", now)
    enter(fours, one, (4, 7), now)
    declare_forfeit(tournament_id=fours.pk, fixture_id=other.pk, lines=(1,), act=act)
    offended = vp.compute_points("tresette", Length("deals", 1), 0, 6, 1)  # 6-0, as before the first card (R4)
    assert offended is not None
    half = -(-(offended.mp[0] - 3) // 2)
    worth = vp.compute_points("tresette", Length("deals", 1), 0, half)
    assert worth is not None
    assert read_worth(one) == (half, -half, *worth.vp)
    assert find_team(fours, "Lupi").forfeits == 0, "one table of two is no forfeit of the fixture (R5)"


def test_who_forfeits_both_tables_forfeits_the_fixture(fours: Tournament, now: datetime) -> None:
    act = Act(fours.organiser, "", now)
    first, second = list_tables(fours)
    for table in first:
        declare_forfeit(tournament_id=fours.pk, fixture_id=table.pk, lines=(1,), act=act)
    for table in second:
        declare_forfeit(tournament_id=fours.pk, fixture_id=table.pk, lines=(0, 1), act=act)
    assert read_worth(first[0])[3] == 0
    assert read_worth(first[0])[2] >= 14
    lost = vp.compute_double_forfeit("tresette", Length("deals", 1))
    assert lost is not None
    assert read_worth(second[0]) == (*lost.mp, 0, 0)
    assert {entry.team_name: entry.forfeits for entry in fours.entries.all()} == {
        "Leoni": 0, "Lupi": 1, "Volpi": 1, "Orsi": 1,
    }  # fmt: skip


def test_an_annulled_table_counts_nothing_and_both_count_for_nobody(fours: Tournament, now: datetime) -> None:
    one, other = list_tables(fours)[0]
    enter(fours, one, (9, 2), now)
    enter(fours, other, (2, 9), now)
    act = Act(fours.organiser, "Carte scoperte", now)
    annul_result(tournament_id=fours.pk, fixture_id=other.pk, act=act)
    assert read_worth(one)[:2] == (4, -4), "half of seven"
    annul_result(tournament_id=fours.pk, fixture_id=one.pk, act=act)
    assert read_worth(one) == (None, None, None, None)
    assert read_entry(fours, "Leoni") == (0, 0, 0, 0)
    assert find_differences(fours) == []


def test_a_correction_and_an_undo_move_the_sum_again(fours: Tournament, now: datetime) -> None:
    one, other = list_tables(fours)[0]
    enter(fours, one, (7, 4), now)
    enter(fours, other, (7, 4), now)
    assert read_worth(one)[:2] == (3, -3)
    enter(fours, other, (4, 7), now, reason="Scambiati")
    assert read_worth(one)[:2] == (0, 0)
    last = find_last_entry(fours, fours.organiser)
    assert last is not None
    undo_entry(tournament_id=fours.pk, entry_id=last.pk, act=Act(fours.organiser, "Era giusto", now))
    assert read_worth(one)[:2] == (3, -3)
    last = find_last_entry(fours, fours.organiser)
    assert last is not None
    undo_entry(tournament_id=fours.pk, entry_id=last.pk, act=Act(fours.organiser, "", now))
    assert read_worth(one) == (None, None, None, None)
    assert read_entry(fours, "Leoni") == (0, 0, 0, 0)


def test_standings_reasons_and_cross_table_take_two_tables_as_one_fixture(fours: Tournament, now: datetime) -> None:
    for number in (1, 2, 3):
        for pair in list_tables(fours, number):
            enter(fours, pair[0], (9, 2), now)
            enter(fours, pair[1], (5, 6), now)
        if number < 3:
            publish_next(fours, now)
    fours.refresh_from_db()
    assert fours.state == "finished"
    page = read_page(fours, None)
    for row in explain_standings(page, read_standings_tables(page)[0]):
        counted = [played for played in row.played if played.counts]
        assert (len(counted), row.row.played) == (3, 3)
        assert sum(played.vp[0] for played in counted if played.vp) == row.row.vp
        assert sum(played.mp[0] for played in counted if played.mp) == row.row.mp
        assert sum(played.outcome == "won" for played in counted) == row.row.won
        assert all(len(played.tables) == 2 for played in counted)
    assert [sum(cells[0].vp or 0 for cells in row.cells if cells) for row in page.standings.cross] == [
        row.vp for row in page.standings.cross
    ]
    for route in ("standings", "tournament", "tournament-wall"):
        assert Client().get(reverse(route, args=[fours.public_id])).status_code == 200
    assert len(read_shares(fours, {entry.entry_id: entry for entry in page.entries.rows})) == 0


def test_quick_entry_has_a_row_a_table_and_shows_the_sum_at_once(fours: Tournament) -> None:
    client, address = sign_in(fours.organiser), reverse("tournament-results", args=[fours.public_id])
    pair = list_tables(fours)[0]
    for table in pair:
        rows = {row.fixture.id: row for row in client.get(address).context["page"].rows}
        form = rows[table.pk].form
        data = {"fixture": table.pk, "stamp": form["stamp"].value(), "points_0": "7", "points_1": "4", "how": ""}
        client.post(address, data)
    rows = {row.fixture.id: row.fixture for row in client.get(address).context["page"].rows}
    assert [rows[table.pk].vp for table in pair] == [(13, 7), (13, 7)]
    assert len(rows) == 4


def test_slips_are_a_code_for_each_line_at_its_table(fours: Tournament) -> None:
    slips = reverse("tournament-slips", args=[fours.public_id])
    paper = sign_in(fours.organiser).post(slips, {"which": "new"})
    assert ScoreSlip.objects.filter(fixture__round__tournament=fours).count() == 4
    assert len(paper.context["slips"]) == 8
    assert len({slip.code for slip in paper.context["slips"]}) == 8


def test_who_sits_where_leads_each_line_to_its_own_table(fours: Tournament) -> None:
    places = Client().get(reverse("tournament-print", args=[fours.public_id, "posti"])).context["places"]
    at = {name.partition(" · ")[0]: row.hall_table for name, row in places}
    seated = {
        row.person.typed_name: row.fixture.table
        for row in LineUp.objects.filter(fixture__round__number=1).select_related("person", "fixture")
    }
    assert at == seated
    assert len(set(at.values())) == 4


def test_a_danese_is_drawn_once_both_tables_are_over(opened: Opened, now: datetime) -> None:
    tournament = draw_fours(opened, now, format="danese", format_options={"rounds": 3})
    for number in (1, 2, 3):
        pairs = list_tables(tournament, number)
        assert len(pairs) == 2
        for one, other in pairs:
            enter(tournament, one, (9, 2), now)
            tournament.refresh_from_db()
            assert tournament.state == "running"
            enter(tournament, other, (9, 2), now)
        if number < 3:
            publish_next(tournament, now)
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert find_differences(tournament) == []


def test_an_odd_danese_gives_its_bye_on_one_row(opened: Opened, now: datetime) -> None:
    three = dict(list(FOURS.items())[:3])
    tournament = draw_teams(
        opened, now, PAIRS, teams=three, team_size=5, team_tables=2, format="danese", format_options={"rounds": 2}
    )
    alone = Fixture.objects.of(tournament).filter(round__number=1, state=Fixture.State.BYE)
    assert alone.count() == 1
    assert len(list_tables(tournament)) == 1
    assert sorted(tournament.entries.values_list("vp", flat=True)) == [0, 0, 14]


def test_who_leaves_with_one_table_played_forfeits_the_other(fours: Tournament, now: datetime) -> None:
    for pair in list_tables(fours):
        for table in pair:
            enter(fours, table, (7, 4), now)
    publish_next(fours, now)
    later = now + timedelta(minutes=5)
    leoni = find_team(fours, "Leoni")
    pair = next(pair for pair in list_tables(fours, 2) if leoni.pk in (pair[0].first_id, pair[0].second_id))
    enter(fours, pair[0], (6, 5), later)
    about: dict[str, Any] = {"tournament_id": fours.pk, "by": fours.organiser, "now": later}
    withdraw_entry(entry_id=leoni.pk, reason="Partiti", **about)
    leoni.refresh_from_db()
    assert leoni.withdrawn_after == 1, "one table of two is no result yet"
    assert {table.state for pair in list_tables(fours, 1) for table in pair} == {"annulled", "done"}
    assert find_differences(fours) == []


def test_line_ups_are_four_people_at_two_tables(fours: Tournament, now: datetime) -> None:
    leoni = find_team(fours, "Leoni")
    about: dict[str, Any] = {"tournament_id": fours.pk, "by": fours.organiser, "now": now}
    four = list_ids(leoni, "Elio", "Ada", "Ciro", "Dora")
    assert catch_code(name_line_up, entry_id=leoni.pk, person_ids=four[:2], **about) == "line_up_size"
    one, other = list_tables(fours)[0]
    change_line_up(fixture_id=one.pk, side=0, person_ids=four, **about)
    assert [row.person.typed_name for row in LineUp.objects.filter(fixture__in=(one, other), side=0)] == [
        "Elio", "Ada", "Ciro", "Dora",
    ]  # fmt: skip
    client, address = sign_in(fours.organiser), reverse("tournament-line-ups", args=[fours.public_id])
    tables = [list_ids(leoni, "Bice", "Elio"), list_ids(leoni, "Dora", "Ada")]
    client.post(address, {"card": f"f{one.pk}-0", "people": tables[0], "people_2": tables[1]})
    client.post(address, {"card": f"t{leoni.pk}", "people": tables[0], "people_2": tables[1]})
    assert [row.person.typed_name for row in LineUp.objects.filter(fixture__in=(one, other), side=0)] == [
        "Bice", "Elio", "Dora", "Ada",
    ]  # fmt: skip
    cards = client.get(address).context
    assert next(card.people for card in cards["playing"]) == "Bice, Elio, Dora, Ada"
    assert len(cards["playing"]) == 4
    enter(fours, other, (7, 4), now)
    assert catch_code(change_line_up, fixture_id=one.pk, side=0, person_ids=four, **about) == "line_up_played"
    assert len(client.get(address).context["playing"]) == 2


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"format": "ko"}, "two_tables_ko"),
        ({"format": "gironi", "max_entries": 16, "min_entries": 4}, "two_tables_ko"),
        ({"team_size": 3}, "two_tables_people"),
        ({"team_size": 0}, "team_tables_range"),
        ({"team_tables": 3}, "team_tables_range"),
        ({"hall_tables": 1}, "two_tables_hall"),
    ],
)
def test_what_cannot_be_played_at_two_tables_is_refused(opened: Opened, changed: dict[str, Any], code: str) -> None:
    settings = {"venue": HALL, "team_size": 5, "team_tables": 2, **changed}
    assert catch_code(opened, base=PAIRS, **settings) == code


def test_a_team_has_four_people_and_one_player_a_table_takes_two(opened: Opened, now: datetime) -> None:
    assert catch_code(draw_teams, opened=opened, now=now, base=PAIRS, team_size=5, team_tables=2) == "list_refused"
    alone = draw_teams(opened, now, GIRONE, team_size=4, team_tables=2)
    rows = [read_fixture_row(table, None) for pair in list_tables(alone) for table in pair]
    assert [row.first.people for row in rows if row.first][:2] == [("Ada",), ("Bice",)]


def test_programs_name_each_table(fours: Tournament, now: datetime) -> None:
    own = f"/api/v1/tournaments/{fours.public_id}/"
    one, other = list_tables(fours)[0]
    enter(fours, one, (7, 4), now)
    enter(fours, other, (9, 2), now)
    client = Client()
    answers = [client.get(f"{own}fixtures/{place}/").json() for place in ("1-1", "1-1-2")]
    assert [(row["part"], row["points"], row["vp"]) for row in answers] == [(1, [7, 4], [15, 5]), (2, [9, 2], [15, 5])]
    rows = client.get(reverse("export-json", args=[fours.public_id, "incontri"])).json()["fixtures"]
    assert [(row["board"], row["part"]) for row in rows if row["round"] == 1] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    ranks = client.get(reverse("export-json", args=[fours.public_id, "classifica"])).json()["standings"]
    assert (ranks[0]["name"], ranks[0]["played"]) == ("Leoni", 1)


def test_each_entry_of_a_table_is_in_the_log_with_who_played_there(fours: Tournament, now: datetime) -> None:
    one, _other = list_tables(fours)[0]
    enter(fours, one, (7, 4), now)
    logged = LogEntry.objects.get(tournament=fours, code="ruling_entered")
    leoni = find_team(fours, "Leoni")
    assert logged.detail["place"]["persons"][0] == list_ids(leoni, "Ada", "Bice")
    page = sign_in(fours.organiser).get(reverse("desk-fixture", args=[fours.public_id, one.pk]))
    assert "Ada, Bice" in page.content.decode()
