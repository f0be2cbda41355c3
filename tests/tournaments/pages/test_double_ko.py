"""A double knockout on its pages (EV4): both brackets, what comes after a match, the wall, the desk and paper."""

import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support import play
from tests.support.desk import build_act
from tests.support.entries import enter_all
from tests.support.people import create_person
from tests.support.real_tables import draw_real
from tests.support.tournaments import KO, Opened
from tournaments.core.permissions import is_out
from tournaments.core.visibility import is_knocked_out
from tournaments.desk.results import Decision, set_result
from tournaments.models import Fixture, Tournament
from tournaments.pages import tournament_page
from tournaments.pages.after_match import read_after_match
from tournaments.rounds import drafts
from tournaments.running import start
from tournaments.sharing import wall
from tournaments.standings import bracket_view

pytestmark = pytest.mark.django_db
DOUBLE = {"format": "doppio", "min_entries": 3}


def decide(tournament: Tournament, fixture: Fixture, winner: int, now: datetime) -> None:
    points = (7, 4) if winner == 0 else (4, 7)
    about = {"tournament_id": tournament.pk, "fixture_id": fixture.pk, "act": build_act(tournament.organiser, now)}
    set_result(decision=Decision(points=points, winner=winner), **about)


def play_ready(tournament: Tournament, now: datetime, *, last_wins: bool = False) -> None:
    """Publish what waits, and let the better seed of every fixture win; in the final the other, if ``last_wins``."""
    for number in drafts.list_waiting_rounds(tournament):
        drafts.publish_round(tournament_id=tournament.pk, number=number, by=tournament.organiser, now=now)
    for fixture in play.ready(tournament):
        first, second = (side.seed or 0 for side in (fixture.first, fixture.second) if side is not None)
        better = int(first > second)
        turned = last_wins and fixture.round.name == "final"
        decide(tournament, fixture, 1 - better if turned else better, now)
    tournament.refresh_from_db()


def read(client: Client, tournament: Tournament, name: str = "tournament", *more: str) -> str:
    return client.get(reverse(name, args=[tournament.public_id, *more])).content.decode().replace("&#x27;", "'")


@pytest.mark.rule("EV4", "O3", "O7")
def test_five_at_real_tables_from_the_draw_to_the_last_place(client: Client, opened: Opened, now: datetime) -> None:
    tournament = draw_real(opened, 5, now, KO, **DOUBLE)
    drawn = bracket_view.read_bracket(tournament_page.read_page(tournament, None))
    assert drawn is not None
    assert [[round_.round.name for round_ in part] for part in (drawn.rounds, drawn.lower, drawn.finals)] == [
        ["upper_1", "upper_2", "upper_final"],
        ["lower_1", "lower_2", "lower_final"],
        ["final", "decider"],
    ]
    assert [round_.straight for round_ in drawn.lower] == [False, True, False]
    page = read(client, tournament)
    for words in (
        "Doppio KO", "Tabellone di recupero", "Vincenti, turno 1", "Recupero, turno 1", "Finale di recupero", "Bella",
        "chi perde: Vincenti, turno 2, n. 1", "chi vince: Finale dei vincenti", "nessuno",
        "Si gioca se la finale la vince chi viene dal recupero.",
    ):  # fmt: skip
        assert words in page, words
    play_ready(tournament, now)  # 4 beats 5, and 2 beats 3, who had byes both
    shown = tournament_page.read_page(tournament, None)
    turn = wall.find_shown_round(shown)
    assert turn is not None
    assert [turn.name, *(row.name for row in wall.list_rounds_beside(shown, turn))] == ["upper_2"]
    while tournament.state == Tournament.State.RUNNING:
        play_ready(tournament, now, last_wins=True)
    ranks = list(tournament.entries.order_by("rank", "seed").values_list("seed", "rank"))
    assert ranks == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    decider = Fixture.objects.of(tournament).get(round__name="decider")
    assert (decider.first.seed, decider.second.seed, decider.winner) == (2, 1, 1)  # type: ignore[union-attr]
    paper = read(client, tournament, "tournament-print", "tabellone")
    assert paper.count("bracket-sheet") == 2
    assert "Tabellone dei vincenti" in paper
    explained = read(client, tournament, "standings")
    assert "è arrivato più avanti nel tabellone" in explained


@pytest.mark.rule("EV4")
def test_what_is_played_above_and_below_stands_on_one_wall_and_the_desk_opens_both(
    organisers: Client, opened: Opened, now: datetime
) -> None:
    tournament = draw_real(opened, 8, now, KO, **DOUBLE)
    play_ready(tournament, now)
    for number in drafts.list_waiting_rounds(tournament):
        drafts.publish_round(tournament_id=tournament.pk, number=number, by=tournament.organiser, now=now)
    shown = tournament_page.read_page(tournament, None)
    turn = wall.find_shown_round(shown)
    assert turn is not None
    beside = wall.list_rounds_beside(shown, turn)
    assert (turn.name, [row.name for row in beside]) == ("upper_2", ["lower_1"])
    (tables,) = (sheet for sheet in wall.build_sheets(shown, turn, beside) if sheet.kind == "tables")
    assert [row.hall_table for row in tables.rows] == [1, 2, 3, 4]
    assert "Recupero, turno 1" in read(organisers, tournament, "tournament-wall")
    desk = read(organisers, tournament, "tournament-desk")
    assert len(re.findall(r'class="round"\s+open', desk)) == 2
    quick = read(organisers, tournament, "tournament-results")
    assert quick.count('class="quick-row"') == 4


@pytest.mark.rule("EV4", "N4")
def test_who_lost_once_is_still_in_and_told_whom_they_wait_for(opened: Opened, now: datetime) -> None:
    people = [create_person(name, now) for name in ("Anna", "Bruno", "Carla", "Dino", "Elio")]
    tournament = opened(KO, max_entries=5, seeding="organiser", starts_at=now + timedelta(hours=1), **DOUBLE)
    enter_all(tournament, people, now)
    start.start_due(tournament_id=tournament.pk, now=now + timedelta(hours=1))
    tournament.refresh_from_db()
    match, beside = play.open_ready(tournament, now + timedelta(hours=2))
    later = play.play(match, now + timedelta(hours=2))
    fixture = Fixture.objects.of(tournament).get(match=match)
    loser: Player = people[0]
    for person in people:
        entry = play.entry_of(tournament, person)
        if fixture.winner is not None and entry.pk == (fixture.second_id, fixture.first_id)[fixture.winner]:
            loser = person
    entry = play.entry_of(tournament, loser)
    assert not is_out(tournament, entry)
    assert not is_knocked_out(tournament, loser)
    after = read_after_match(match.pk, loser, later)
    assert after is not None
    assert after.code in ("feeds", "wait", "opens", "table")
    play.rounds_played(tournament, play.play(beside, later))
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    assert sorted(tournament.entries.values_list("rank", flat=True)) == [1, 2, 3, 4, 5]
    assert play.stored_equals_recomputed(tournament)
