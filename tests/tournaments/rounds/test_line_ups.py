"""Line-ups of teams (O12): named until the round is published, else the last one, else the first people; what stays."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.people import sign_in
from tests.support.real_tables import list_round, publish_next
from tests.support.teams import TEAMS, draw_teams, find_team, list_ids, list_players, play_round
from tests.support.tournaments import KO, PAIRS, Opened, catch_code
from tournaments.core.name_search import search_entries
from tournaments.core.reads import read_entries
from tournaments.desk.act import Act
from tournaments.desk.results import Decision, order_replay, set_result
from tournaments.desk.substitution import replace_typed_person
from tournaments.models import Fixture, LineUp, LogEntry, Tournament
from tournaments.running.line_ups import change_line_up, name_line_up
from tournaments.running.withdraw import withdraw_entry

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O12")]


@arrange_once
def teams(opened: Opened, now: datetime) -> Tournament:
    return draw_teams(opened, now)


@arrange_once
def pairs(opened: Opened, now: datetime) -> Tournament:
    """Teams whose people play two together."""
    return draw_teams(opened, now, PAIRS)


def test_without_a_word_the_first_people_play(pairs: Tournament) -> None:
    assert list_players(pairs, 1) == {
        "Leoni": ("Ada", "Bice"), "Volpi": ("Dora", "Elio"), "Orsi": ("Gino", "Ines"), "Lupi": ("Mara", "Nora"),
    }  # fmt: skip


def test_a_line_up_is_named_until_the_round_is_published_and_then_stays_the_last_one(
    pairs: Tournament, now: datetime
) -> None:
    leoni = find_team(pairs, "Leoni")
    about: dict[str, Any] = {"tournament_id": pairs.pk, "by": pairs.organiser, "now": now}
    name_line_up(entry_id=leoni.pk, person_ids=list_ids(leoni, "Ciro", "Ada"), **about)
    assert list_players(pairs, 1)["Leoni"] == ("Ada", "Bice"), "what is published stays as it is"
    for number in (1, 2):
        play_round(pairs, number, now)
        publish_next(pairs, now)
        assert list_players(pairs, number + 1)["Leoni"] == ("Ciro", "Ada")
    assert list_players(pairs, 1)["Leoni"] == ("Ada", "Bice")


def test_a_line_up_that_waits_is_nobodys_but_the_organisers(teams: Tournament, anna: Player, now: datetime) -> None:
    leoni = find_team(teams, "Leoni")
    about: dict[str, Any] = {"tournament_id": teams.pk, "by": teams.organiser, "now": now}
    name_line_up(entry_id=leoni.pk, person_ids=list_ids(leoni, "Ciro"), **about)
    address = reverse("tournament-line-ups", args=[teams.public_id])
    assert sign_in(anna).get(address).status_code == 404
    assert list_players(teams, 2)["Leoni"] == ()
    assert read_entries(teams)[leoni.pk].people == TEAMS["Leoni"]


def test_only_the_teams_own_people_play_and_as_many_as_the_game_asks(
    pairs: Tournament, opened: Opened, now: datetime
) -> None:
    leoni, volpi = find_team(pairs, "Leoni"), find_team(pairs, "Volpi")
    about: dict[str, Any] = {"tournament_id": pairs.pk, "by": pairs.organiser, "now": now}
    assert catch_code(name_line_up, entry_id=leoni.pk, person_ids=list_ids(leoni, "Ada"), **about) == "line_up_size"
    twice = list_ids(leoni, "Ada", "Ada")
    assert catch_code(name_line_up, entry_id=leoni.pk, person_ids=twice, **about) == "line_up_size"
    strange = [*list_ids(leoni, "Ada"), *list_ids(volpi, "Dora")]
    assert catch_code(name_line_up, entry_id=leoni.pk, person_ids=strange, **about) == "line_up_stranger"
    other = draw_teams(opened, now, PAIRS)
    ours = list_ids(leoni, "Ada", "Bice")
    assert catch_code(name_line_up, entry_id=find_team(other, "Leoni").pk, person_ids=ours, **about) == "no_such_entry"


def test_a_published_line_up_changes_until_there_is_a_result(teams: Tournament, now: datetime) -> None:
    fixture = list_round(teams, 1)[0]
    assert fixture.first is not None
    team = fixture.first
    ids = list(team.members.values_list("person", flat=True))
    about: dict[str, Any] = {"tournament_id": teams.pk, "by": teams.organiser, "now": now}
    about |= {"fixture_id": fixture.pk, "side": 0, "person_ids": ids[2:]}
    change_line_up(**about)
    assert list_players(teams, 1)[team.team_name] == TEAMS[team.team_name][2:]
    logged = LogEntry.objects.get(tournament=teams, code="line_up_changed")
    assert logged.detail == {"entries": [team.pk], "round": 1}
    play_round(teams, 1, now)
    assert catch_code(change_line_up, **about) == "line_up_played"
    publish_next(teams, now)
    assert list_players(teams, 2)[team.team_name] == TEAMS[team.team_name][2:], "it is the last one"


def test_the_page_takes_a_line_up_and_keeps_what_was_typed_with_a_fault(pairs: Tournament) -> None:
    client, address = sign_in(pairs.organiser), reverse("tournament-line-ups", args=[pairs.public_id])
    leoni = find_team(pairs, "Leoni")
    ids = list_ids(leoni, "Bice", "Ciro")
    page = client.post(address, {"card": f"t{leoni.pk}", "people": ids[:1]})
    assert page.status_code == 200
    (card,) = [card for card in page.context["next"] if card.form.errors]
    assert (card.entry.name, card.form["people"].value()) == ("Leoni", [str(ids[0])])
    assert client.post(address, {"card": f"t{leoni.pk}", "people": ids}).status_code == 302
    fixture = Fixture.objects.of(pairs).ready().filter(first=leoni).first() or Fixture.objects.get(second=leoni)
    side = int(fixture.second_id == leoni.pk)
    assert client.post(address, {"card": f"f{fixture.pk}-{side}", "people": ids}).status_code == 302
    page = client.get(address)
    assert {card.people for card in page.context["next"] if card.named} == {"Bice, Ciro"}
    assert [card.people for card in page.context["playing"] if card.entry.name == "Leoni"] == ["Bice, Ciro"]
    nobody = client.post(address, {"card": "t0", "people": ids})
    assert nobody.status_code == 200


def test_who_replaces_somebody_plays_what_waits_and_what_was_played_keeps_its_names(
    teams: Tournament, now: datetime
) -> None:
    play_round(teams, 1, now)
    publish_next(teams, now)
    leoni = find_team(teams, "Leoni")
    (ada,) = list_ids(leoni, "Ada")
    act = Act(teams.organiser, "Malata", now)
    replace_typed_person(tournament_id=teams.pk, entry_id=leoni.pk, person_id=ada, name="Zoe", act=act)
    assert list_players(teams, 1)["Leoni"] == ("Ada",)
    assert list_players(teams, 2)["Leoni"] == ("Zoe",)
    assert read_entries(teams)[leoni.pk].people == ("Zoe", "Bice", "Ciro")


def test_a_replayed_fixture_keeps_its_line_ups(teams: Tournament, now: datetime) -> None:
    play_round(teams, 1, now)
    before = list_players(teams, 1)
    fixture = list_round(teams, 1)[0]
    order_replay(tournament_id=teams.pk, fixture_id=fixture.pk, act=Act(teams.organiser, "Errore", now))
    assert list_players(teams, 1) == before
    assert LineUp.objects.filter(fixture=fixture).count() == 2


def test_in_a_bracket_the_line_up_is_the_one_when_both_are_known(opened: Opened, now: datetime) -> None:
    tournament = draw_teams(opened, now, KO)
    assert list_players(tournament, 2) == {}
    play_round(tournament, 1, now)
    winner = list_round(tournament, 2)[0].first
    assert winner is not None
    ids = list(winner.members.values_list("person", flat=True))
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    name_line_up(entry_id=winner.pk, person_ids=ids[1:2], **about)
    publish_next(tournament, now)
    assert list_players(tournament, 2)[winner.team_name] == TEAMS[winner.team_name][1:2]


def test_who_left_has_no_line_up_and_the_team_is_found_by_its_name_and_its_people(
    teams: Tournament, now: datetime
) -> None:
    leoni = find_team(teams, "Leoni")
    found = {name: list(search_entries(teams, name)[0]) for name in ("leoni", "Bice", "Zoe")}
    assert found == {"leoni": [leoni], "Bice": [leoni], "Zoe": []}
    withdraw_entry(tournament_id=teams.pk, entry_id=leoni.pk, by=teams.organiser, reason="Partita", now=now)
    about: dict[str, Any] = {"tournament_id": teams.pk, "by": teams.organiser, "now": now}
    ids = list_ids(leoni, "Ada")
    assert catch_code(name_line_up, entry_id=leoni.pk, person_ids=ids, **about) == "no_such_entry"


@pytest.mark.parametrize("route", ["tournament", "tournament-wall", "standings"])
def test_everybody_reads_the_team_and_who_plays(teams: Tournament, now: datetime, route: str) -> None:
    decision, act = Decision(points=(7, 4), winner=0), Act(teams.organiser, "", now)
    fixture = list_round(teams, 1)[0]
    set_result(tournament_id=teams.pk, fixture_id=fixture.pk, decision=decision, act=act)
    page = Client().get(reverse(route, args=[teams.public_id])).content.decode()
    assert all(name in page for name in TEAMS)
    assert "Ada" in page


def test_paper_names_who_plays(teams: Tournament) -> None:
    pages = {
        what: Client().get(reverse("tournament-print", args=[teams.public_id, what])).content.decode()
        for what in ("turno", "posti", "iscritti")
    }
    assert "Ada" in pages["turno"]
    assert "Bice" not in pages["turno"]
    assert "Ada · Leoni" in pages["posti"]
    assert "Bice" not in pages["posti"]
    assert "Ada, Bice, Ciro" in pages["iscritti"]
    slips = reverse("tournament-slips", args=[teams.public_id])
    paper = sign_in(teams.organiser).post(slips, {"which": "new"}).content.decode()
    assert "Leoni" in paper
    assert "Ada" in paper


def test_programs_read_teams_and_line_ups(teams: Tournament) -> None:
    answer = Client().get(f"/api/v1/tournaments/{teams.public_id}/").json()
    assert {entry["name"]: entry["people"] for entry in answer["entries"]} == {
        name: list(people) for name, people in TEAMS.items()
    }
    first = [fixture["first"] for fixture in answer["rounds"][0]["fixtures"]]
    assert {entry["name"]: entry["people"] for entry in first}.items() <= {
        name: list(people[:1]) for name, people in TEAMS.items()
    }.items()
    file = Client().get(reverse("export-json", args=[teams.public_id, "incontri"])).json()
    row = file["fixtures"][0]
    assert row["first_people"] == TEAMS[row["first"]][0]
    assert answer["tournament"]["team_size"] == 4


def test_the_log_names_the_team_and_nobody_who_is_to_play(teams: Tournament, now: datetime) -> None:
    leoni = find_team(teams, "Leoni")
    about: dict[str, Any] = {"tournament_id": teams.pk, "by": teams.organiser, "now": now}
    name_line_up(entry_id=leoni.pk, person_ids=list_ids(leoni, "Ciro"), **about)
    logged = LogEntry.objects.get(tournament=teams, code="line_up_named")
    assert logged.detail == {"entries": [leoni.pk]}


def test_search_engines_keep_no_page_of_a_team_of_whom_somebody_has_no_account(teams: Tournament, anna: Player) -> None:
    leoni = find_team(teams, "Leoni")
    member = leoni.members.order_by("position")[0]
    member.person = anna.person
    member.save()
    page = Client().get(reverse("standings-of", args=[teams.public_id, leoni.seed]))
    assert b'content="noindex"' in page.content
