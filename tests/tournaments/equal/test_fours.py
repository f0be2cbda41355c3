"""Squadre di quattro with equal deals (J11): two tables with the same decks and exchanged seats, and what they make."""

from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

import pytest

from games.models import Match, Seat
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.equal import EQUAL, play_otherwise, read_decks
from tests.support.fours import FOURS, TWOS, TWOS_DANESE, begin_teams, create_people, enter_team, list_boards
from tests.support.play import OPENING, abandon, nobody_comes, open_ready, play
from tests.support.tournaments import KO, Opened, catch_code
from tournaments.core.errors import TournamentError
from tournaments.core.reads import read_fixture_row
from tournaments.desk import reinstatement, results
from tournaments.desk.act import Act
from tournaments.desk.comparison import ComparisonRuling, rule_comparison
from tournaments.desk.results import Decision
from tournaments.entries import team_entry
from tournaments.entries.house import enter_house_players
from tournaments.equal.team_results import TeamResult, combine_boards
from tournaments.lists.spreadsheet import Row
from tournaments.models import Entry, Fixture, LineUp, PlayInvitation, Round, Tournament
from tournaments.running.recompute import find_differences
from tournaments.running.withdraw import withdraw_entry
from tournaments.venues import HALL

pytestmark = [pytest.mark.django_db, pytest.mark.rule("J11")]
Worth = tuple[int | None, int | None, int | None, int | None]


def read_worth(table: Fixture) -> Worth:
    table.refresh_from_db()
    return table.mp_0, table.mp_1, table.vp_0, table.vp_1


def turn(worth: Worth) -> Worth:
    return worth[1], worth[0], worth[3], worth[2]


def combine(tables: tuple[Fixture, Fixture]) -> TeamResult:
    rows = [Fixture.objects.select_related("round").get(pk=table.pk) for table in tables]
    tournament = rows[0].round.tournament
    return combine_boards(tournament, {0: (rows[0], rows[1])})[0]


class Board(NamedTuple):
    """The two tables of a tournament of two teams that were played, each in its own way, until ``at``."""

    tournament: Tournament
    first: Fixture
    second: Fixture
    at: datetime


@arrange_once
def tournament(opened: Opened, now: datetime) -> Tournament:
    """A tournament of two teams of two."""
    return begin_teams(opened, 2, now)


@arrange_once
def board(tournament: Tournament, now: datetime) -> Board:
    at = now + OPENING
    first, second = open_ready(tournament, at)
    at = max(play(first, at), play_otherwise(second, at))
    return Board(tournament, *list_boards(tournament)[0], at)


def list_seated(match: Match) -> list[str]:
    return list(Seat.objects.filter(match=match).order_by("number").values_list("player__name", flat=True))


def count_ahead(match: Match, other: Match) -> int:
    """Return what the first team is ahead by, by the rule's own words."""
    own, theirs = (
        {deal.number: deal.points_0 - deal.points_1 for deal in table.deals.filter(finished=True, void=False)}
        for table in (match, other)
    )
    return sum(own[number] - theirs[number] for number in own.keys() & theirs.keys())


def test_a_team_is_side_0_at_one_table_and_side_1_at_the_other_with_the_same_decks(
    opened: Opened, now: datetime
) -> None:
    tournament = begin_teams(opened, 2, now, base=FOURS)
    open_ready(tournament, now + OPENING)
    first, second = list_boards(tournament)[0]
    assert (first.part, second.part) == (1, 2)
    assert (first.first_id, first.second_id) == (second.second_id, second.first_id)
    assert first.match is not None
    assert second.match is not None
    seats = [list_seated(first.match), list_seated(second.match)]
    own, other = (
        list(entry.members.order_by("position").values_list("person__player__name", flat=True))
        for entry in (first.first, first.second)
        if entry is not None
    )
    assert seats == [[own[0], other[0], own[1], other[1]], [other[2], own[2], other[3], own[3]]]
    assert read_decks(first.match) == read_decks(second.match)
    assert first.match.commitment_id == second.match.commitment_id


def test_the_sum_of_the_swings_gives_both_tables_their_vp_and_the_team_its_standing(board: Board) -> None:
    tournament, first, second, _at = board
    assert first.match is not None
    assert second.match is not None
    combined, ahead = combine((first, second)), count_ahead(first.match, second.match)
    assert (combined.why, combined.ahead) == ("deals", ahead)
    assert sum(swing.ahead for swing in combined.swings) == ahead
    assert read_worth(first)[:2] == (ahead, -ahead)
    assert read_worth(second) == turn(read_worth(first))
    entry = Entry.objects.get(pk=first.first_id)
    assert (entry.mp, entry.vp, entry.played) == (ahead, first.vp_0, 1)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    assert find_differences(tournament) == []


def test_nothing_counts_and_nobody_is_told_anything_until_both_tables_are_over(
    tournament: Tournament, now: datetime
) -> None:
    at = now + OPENING
    first, second = open_ready(tournament, at)
    play(first, at)
    one, other = list_boards(tournament)[0]
    assert read_worth(one) == (None, None, None, None)
    row = read_fixture_row(one, None)
    assert (row.is_shown, row.points, row.vp) == (False, None, None)
    assert set(Entry.objects.filter(tournament=tournament).values_list("played", "vp", "mp")) == {(0, 0, 0)}
    assert not Round.objects.get(tournament=tournament).finished
    play_otherwise(second, at)
    assert not Round.objects.get(tournament=tournament).withheld
    assert read_fixture_row(Fixture.objects.select_related("round").get(pk=other.pk), None).vp is not None


@pytest.mark.rule("V5", "R5")
def test_a_forfeit_at_one_table_is_the_teams(tournament: Tournament, now: datetime) -> None:
    at = now + OPENING
    first, second = open_ready(tournament, at)
    abandon(second, 1, at)  # of the team that is side 0 at the first table
    play(first, at)
    tables = list_boards(tournament)[0]
    assert combine(tables).result.forfeits == (0,)
    mp_0, mp_1, vp_0, vp_1 = read_worth(tables[0])
    assert (mp_0, vp_0) == (-8, 0), "the MP of a line with 0 VP"
    assert (vp_1 or 0) >= 14
    assert (mp_1 or 0) > 0
    assert {entry.forfeits for entry in Entry.objects.filter(pk=tables[0].first_id)} == {1}
    assert {entry.forfeits for entry in Entry.objects.filter(pk=tables[0].second_id)} == {0}
    assert find_differences(Tournament.objects.get(pk=tournament.pk)) == []


@pytest.mark.rule("R4")
def test_where_both_teams_forfeit_a_table_neither_has_any_vp(tournament: Tournament, now: datetime) -> None:
    at = now + OPENING
    first, second = open_ready(tournament, at)
    abandon(first, 0, at)
    abandon(second, 0, at)  # the other team's
    tables = list_boards(tournament)[0]
    assert combine(tables).result.forfeits == (0, 1)
    assert read_worth(tables[0]) == (-8, -8, 0, 0)


def test_nobody_at_one_table_is_a_forfeit_of_both(tournament: Tournament, now: datetime) -> None:
    first, second = open_ready(tournament, now + OPENING)
    play(first, now + OPENING)
    nobody_comes(second)
    assert read_worth(list_boards(tournament)[0][0])[2:] == (0, 0)


def enter(tournament: Tournament, table: Fixture, points: tuple[int, int], now: datetime, **more: Any) -> None:
    winner = None if points[0] == points[1] else int(points[0] < points[1])
    decision = Decision(points=points, winner=winner, **more)
    act = Act(tournament.organiser, "Contati male", now)
    results.set_result(tournament_id=tournament.pk, fixture_id=table.pk, decision=decision, act=act)


@pytest.mark.rule("F2")
def test_a_referees_points_without_deals_let_whole_differences_count(board: Board) -> None:
    tournament, first, second, at = board
    second.refresh_from_db()
    back = (second.points_1 or 0) - (second.points_0 or 0)
    enter(tournament, first, (9, 4), at)
    combined = combine((first, second))
    assert (combined.why, combined.ahead) == ("whole", 5 + back)
    assert read_worth(first)[:2] == (5 + back, -5 - back)


@pytest.mark.rule("F2")
def test_a_referees_points_deal_by_deal_swing_as_the_others(board: Board) -> None:
    tournament, first, second, at = board
    act = Act(tournament.organiser, "Contata male", at)
    for table, deals in ((first, ((3, 1), (0, 2))), (second, ((4, 0), (2, 2)))):
        ruling = ComparisonRuling(deals=deals)
        rule_comparison(tournament_id=tournament.pk, fixture_id=table.pk, ruling=ruling, act=act)
    combined = combine((first, second))
    assert [swing.ahead for swing in combined.swings] == [-2, -2]  # +2 -4, -2 +0
    assert read_worth(first)[:2] == (-4, 4)
    assert find_differences(Tournament.objects.get(pk=tournament.pk)) == []


@pytest.mark.rule("F2")
def test_an_annulled_table_leaves_it_level_and_both_count_for_nobody(board: Board) -> None:
    tournament, first, second, at = board
    act = Act(tournament.organiser, "Carte viste", at)
    results.annul_result(tournament_id=tournament.pk, fixture_id=second.pk, act=act)
    assert read_worth(first) == (0, 0, 10, 10)
    results.annul_result(tournament_id=tournament.pk, fixture_id=first.pk, act=act)
    assert read_worth(first) == (None, None, None, None)
    assert set(Entry.objects.filter(tournament=tournament).values_list("played", "vp")) == {(0, 0)}
    results.restore_result(tournament_id=tournament.pk, fixture_id=first.pk, act=act)
    results.restore_result(tournament_id=tournament.pk, fixture_id=second.pk, act=act)
    assert combine((first, second)).why == "deals"


@pytest.mark.rule("F2", "J9")
def test_a_table_that_is_played_anew_has_other_cards_and_counts_whole(board: Board) -> None:
    tournament, first, second, at = board
    act = Act(tournament.organiser, "Un guasto", at)
    results.order_replay(tournament_id=tournament.pk, fixture_id=first.pk, act=act)
    assert read_worth(second) == (None, None, None, None)
    (again,) = open_ready(tournament, at + OPENING)
    play(again, at + OPENING)
    combined = combine((first, second))
    assert (combined.why, combined.swings) == ("whole", ())
    assert find_differences(Tournament.objects.get(pk=tournament.pk)) == []


@pytest.mark.rule("R5")
def test_who_leaves_forfeits_both_tables_of_what_is_on_and_of_what_comes(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = begin_teams(opened, 3, now, base=replace(TWOS, format_options={"double": True}))
    at = now + OPENING
    open_ready(tournament, at)
    first, second = list_boards(tournament)[0]
    assert first.first is not None
    withdraw_entry(tournament_id=tournament.pk, entry_id=first.first.pk, by=organiser, reason="Sono partiti", now=at)
    tables = Fixture.objects.filter(pk__in=(first.pk, second.pk))
    assert {table.state for table in tables} <= {Fixture.State.DONE, Fixture.State.ANNULLED}
    assert not Match.objects.filter(fixture__in=tables).exclude(status=Match.Status.FINISHED).exists()
    assert find_differences(Tournament.objects.get(pk=tournament.pk)) == []


@pytest.mark.rule("F2", "F3", "J9")
@pytest.mark.parametrize("played", [0, 1])
def test_a_team_that_is_reinstated_plays_anew_what_it_gave_up_with_cards_of_their_own(
    opened: Opened, organiser: Player, now: datetime, played: int
) -> None:
    """A result stands where one of the two tables is over already."""
    tournament = begin_teams(opened, 3, now, base=replace(FOURS, format_options={"double": True}))
    at = now + OPENING
    matches = open_ready(tournament, at)
    for match in matches[:played]:
        at = max(at, play(match, at))
    tables = list_boards(tournament)[0]
    people = [list_seated(match) for match in matches]
    worth = read_worth(tables[0])
    team = tables[0].first
    assert team is not None
    about = {"tournament_id": tournament.pk, "entry_id": team.pk}
    withdraw_entry(**about, by=organiser, reason="Sono partiti", now=at)
    assert not Fixture.objects.of_entry(team).open().exists()
    act = Act(organiser, "Sono tornati", at)
    assert reinstatement.reinstate_entry(**about, act=act)
    for table in tables:
        table.refresh_from_db()
    states = [Fixture.State.DONE] * played + [Fixture.State.READY] * (2 - played)
    assert [table.state for table in tables] == states
    assert read_worth(tables[0]) == worth, "both count once both are over"
    again = open_ready(tournament, at + OPENING)
    assert [list_seated(match) for match in again] == people[played:]
    assert matches[0].commitment_id not in {match.commitment_id for match in again}
    for place, match in enumerate(again):
        at = max(at, play_otherwise(match, at + OPENING) if place else play(match, at + OPENING))
    combined = combine(tables)
    assert (combined.why, combined.result.forfeits) == ("whole", ())
    assert read_worth(tables[1]) == turn(read_worth(tables[0]))
    team.refresh_from_db()
    assert (team.withdrawn_at, team.forfeits, team.played) == (None, 0, 1)
    assert find_differences(Tournament.objects.get(pk=tournament.pk)) == []


@pytest.mark.both_databases
def test_a_danese_of_teams_is_played_to_its_podium(opened: Opened, now: datetime) -> None:
    tournament = begin_teams(opened, 5, now, base=replace(TWOS_DANESE, tie_break="percentuale"))
    for number in (1, 2):
        at = now + OPENING
        matches = open_ready(tournament, at)
        assert len(matches) == 4, "two boards, two tables each; one team has a bye"
        for place, match in enumerate(matches):
            now = max(now, play(match, at) if place % 2 else play_otherwise(match, at))
        assert all(table.vp_0 is not None for board in list_boards(tournament, number) for table in board)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    assert find_differences(tournament) == []
    rows = list(tournament.entries.order_by("rank"))
    assert [row.played for row in rows if row.percentage == ""] == []
    for row in rows:
        own = [(table.mp_0, table.vp_0) for board in list_boards(tournament, 1) + list_boards(tournament, 2)
               for table in board if table.first_id == row.pk]  # fmt: skip
        byes = Fixture.objects.of(tournament).filter(first=row, second=None, state=Fixture.State.BYE)
        own += [(fixture.mp_0, fixture.vp_0) for fixture in byes]
        assert (row.mp, row.vp) == (sum(mp or 0 for mp, _vp in own), sum(vp or 0 for _mp, vp in own))


def test_line_ups_say_who_played_which_table(tournament: Tournament) -> None:
    first, second = list_boards(tournament)[0]
    rows = LineUp.objects.filter(fixture__in=(first, second)).order_by("fixture__part", "side")
    assert [row.person.memberships.get().position for row in rows] == [0, 0, 1, 1]


# --- Entering ---------------------------------------------------------------------------------------------------------


def test_a_team_is_in_once_everybody_has_accepted(opened: Opened, now: datetime) -> None:
    tournament = opened(TWOS, max_entries=4)
    ada, bice = create_people(2, now)
    row = Row(1, ada.name, bice.name, team="Leoni")
    team_entry.ask_team(tournament_id=tournament.pk, player=ada, row=row, now=now)
    assert not tournament.entries.exists()
    assert tournament.invitations.holding().count() == 1
    again = {"tournament_id": tournament.pk, "player": ada, "row": row, "now": now}
    assert catch_code(team_entry.ask_team, **again) == "team_asked"
    PlayInvitation.objects.all().delete()
    enter_team(tournament, "Leoni", [ada, bice], now)
    entry = tournament.entries.get()
    assert (entry.team_name, entry.members.count(), entry.confirmed) == ("Leoni", 2, True)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("Leoni", "Nessuno"), "unknown_name"),
        (("", "Bice A"), "team_missing"),
        (("Leoni", ""), "team_small"),
        (("Leoni", "Ada A"), "twice"),
        (("VOLPI", "Bice A"), "team_in_already"),
    ],
)
def test_what_no_team_can_be_is_refused(opened: Opened, now: datetime, row: tuple[str, str], problem: str) -> None:
    tournament = opened(TWOS, max_entries=4)
    people = create_people(4, now)
    enter_team(tournament, "Volpi", people[2:], now)
    typed = Row(1, people[0].name, row[1], team=row[0])
    with pytest.raises(TournamentError) as refused:
        team_entry.ask_team(tournament_id=tournament.pk, player=people[0], row=typed, now=now)
    assert refused.value.code == "list_refused"
    assert [one.code for one in refused.value.values["problems"]] == [problem]


@pytest.mark.rule("E8")
def test_the_house_plays_in_teams_and_beside_a_player(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = opened(FOURS, max_entries=2, house_allowed=True)
    team_entry.enter_with_house(tournament_id=tournament.pk, player=anna, team="Leoni", now=now)
    enter_house_players(tournament_id=tournament.pk, count=1, now=now)
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING
    house = tournament.entries.exclude(team_name="Leoni").get()
    assert house.members.count() == 4
    assert house.team_name.endswith("& C.")


@pytest.mark.parametrize(
    ("base", "changed", "code"),
    [
        (TWOS, {"equal_deals": False}, "teams_on_site"),
        (TWOS, {"team_size": 4}, "team_size_on_site"),
        (FOURS, {"team_size": 5}, "team_size_on_site"),
        (TWOS, {"team_tables": 3}, "team_tables_range"),
        (TWOS, {"team_size": 0}, "team_tables_range"),
        (replace(TWOS, format="gironi"), {"max_entries": 16, "min_entries": 4}, "two_tables_ko"),
        (replace(KO, team_size=2, team_tables=2), {"equal_deals": True}, "two_tables_ko"),
        (TWOS, {"venue": HALL}, "equal_deals_two_tables"),
    ],
)
def test_what_squadre_di_quattro_cannot_be_played_with_is_refused(
    opened: Opened, base: Any, changed: dict[str, Any], code: str
) -> None:
    assert catch_code(opened, base=base, **changed) == code


def test_one_table_alone_has_no_teams_on_the_site(opened: Opened) -> None:
    assert not opened(EQUAL, team_size=4).entry_kind.has_name
