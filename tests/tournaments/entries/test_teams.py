"""Teams at real tables (O12): typed, pasted and imported with their people, changed, taken over, and what can't be."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest
from django.urls import reverse

from players.models import Person
from tests.support.entry_kinds import make_kind
from tests.support.people import sign_in
from tests.support.real_tables import draw_present, open_real, type_teams
from tests.support.tournaments import PAIRS, Opened, catch_code
from tournaments.core.errors import TournamentError
from tournaments.core.reads import read_entries
from tournaments.entries import typed_names
from tournaments.entries.take_over import take_over_entries
from tournaments.entries.team_changes import add_to_team, rename_team
from tournaments.lists.people_list import PeopleList, read_file, read_text
from tournaments.lists.spreadsheet import Unreadable
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import LogEntry, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import read_settings
from tournaments.rounds.late_entries import enter_late_names

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O12")]
TEAMS = {"Leoni": ("Ada", "Bice", "Ciro"), "Volpi": ("Dora", "Elio"), "Orsi": ("Fede", "Gino", "Ines")}


def list_teams(people: PeopleList) -> dict[str, list[str]]:
    return {entry.team: [person.name for person in entry.people] for entry in people.entries}


def catch_problems(tournament: Tournament, teams: Sequence[tuple[str, Sequence[str]]], now: datetime) -> list[Any]:
    rows = [
        TypedEntry(number, tuple(map(TypedPerson, people)), team=team) for number, (team, people) in enumerate(teams, 1)
    ]
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "rows": rows, "now": now}
    with pytest.raises(TournamentError) as refused:
        typed_names.type_entries(**about)
    return [(problem.row, problem.code) for problem in refused.value.values["problems"]]


def test_a_team_is_an_entry_with_its_name_and_its_people_beside(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, team_size=4)
    type_teams(tournament, TEAMS, now)
    rows = list(read_entries(tournament).values())
    assert {row.name: row.people for row in rows} == {name: tuple(people) for name, people in TEAMS.items()}


def test_namesakes_in_teams_are_told_apart(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, team_size=4)
    type_teams(tournament, {"Leoni": ("Ada", "Bice"), "Volpi": ("Ada", "Elio")}, now)
    assert [row.people for row in read_entries(tournament).values()] == [("Ada", "Bice"), ("Ada (2)", "Elio")]


def test_what_no_team_can_be_is_refused_each_fault_once(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, team_size=3)
    type_teams(tournament, {"Lupi": ("Lino", "Mara")}, now)
    assert catch_problems(
        tournament,
        [
            ("", ("Ada", "Bice")),
            ("Leoni", ("Ada",)),
            ("Volpi", ("Ada", "Bice", "Ciro", "Dora")),
            ("Orsi", ("Ada", "ADA")),
            ("lupi", ("Ada", "Bice")),
            ("Gatti", ("Ada", "Bice")),
            ("gatti", ("Ad@", "Bice")),
            ("Staff", ("Ada", "Bice")),
        ],
        now,
    ) == [
        (1, "team_missing"), (2, "team_small"), (3, "team_big"), (4, "same_in_team"), (5, "team_in_already"),
        (7, "name_characters"), (7, "twice"), (8, "name_reserved"),
    ]  # fmt: skip
    assert tournament.entries.count() == 1


def test_a_team_is_typed_in_two_fields_and_a_fault_stays_typed(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, PAIRS, team_size=3)
    client, address = sign_in(tournament.organiser), reverse("tournament-entries", args=[tournament.public_id])
    page = client.post(address, {"team": "Leoni", "people": "Ada"})
    assert page.status_code == 200
    assert page.context["form"].errors["people"]
    assert 'value="Leoni"' in page.content.decode()
    client.post(address, {"team": "Leoni", "people": "Ada, Bice Neri, Ciro"})
    (row,) = read_entries(tournament).values()
    assert (row.name, row.people) == ("Leoni", ("Ada", "Bice Neri", "Ciro"))


@pytest.mark.parametrize(
    "text",
    [
        "Leoni: Ada, Bice, Ciro\nVolpi: Dora - Elio",
        "1. Leoni; Ada; Bice; Ciro\n2. Volpi; Dora; Elio",
        "Squadra;Nome;Nome 2;Nome 3\nLeoni;Ada;Bice;Ciro\nVolpi;Dora;Elio;",
        "Nome\tSquadra\nAda\tLeoni\nDora\tVolpi\nBice\tleoni\nCiro\tLeoni\nElio\tVolpi",
    ],
)
def test_lists_of_teams_are_read_in_each_of_their_forms(text: str) -> None:
    people = read_text(text, kind=make_kind(pairs=True, teams=True), by_lot=True)
    assert list_teams(people) == {"Leoni": ["Ada", "Bice", "Ciro"], "Volpi": ["Dora", "Elio"]}
    assert not people.problems


def test_a_row_without_a_team_and_a_file_without_the_column_are_told() -> None:
    people = read_file(b"Squadra;Nome\nLeoni;Ada\n;Bice\nLeoni;Ciro\n", kind=make_kind(teams=True), by_lot=True)
    assert list_teams(people) == {"Leoni": ["Ada", "Ciro"]}
    assert [(problem.row, problem.code) for problem in people.problems] == [(3, "team_missing")]
    with pytest.raises(Unreadable) as refused:
        read_file(b"Nome;Nome 2\nAda;Bice\n", kind=make_kind(teams=True), by_lot=True)
    assert refused.value.code == "no_team_column"


def test_columns_of_teams_say_nothing_where_none_play() -> None:
    people = read_file(b"Squadra;Nome;Nome 3\nLeoni;Ada;Bice\n", kind=make_kind(), by_lot=True)
    assert list_teams(people) == {"": ["Ada"]}


def test_a_checked_list_of_teams_is_entered_by_the_second_click(opened: Opened) -> None:
    tournament = open_real(opened, team_size=3)
    client, address = sign_in(tournament.organiser), reverse("tournament-import", args=[tournament.public_id])
    page = client.post(address, {"text": "Leoni: Ada, Bice\nVolpi: Dora, Elio, Ugo"})
    client.post(address, {"rows": page.context["ready"]})
    assert [row.people for row in read_entries(tournament).values()] == [("Ada", "Bice"), ("Dora", "Elio", "Ugo")]


def test_a_team_is_renamed_and_grows_up_to_its_size(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, team_size=3)
    leoni, _volpi, _orsi = type_teams(tournament, TEAMS, now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    rename_team(entry_id=leoni.pk, name="Leoni Rossi", **about)
    assert catch_code(rename_team, entry_id=leoni.pk, name="VOLPI", **about) == "list_refused"
    assert catch_code(add_to_team, entry_id=leoni.pk, names=["Nora"], **about) == "team_full"
    draw_present(tournament, now)
    volpi = tournament.entries.get(team_name="Volpi")
    client = sign_in(tournament.organiser)
    address = reverse("tournament-entry", args=[tournament.public_id, volpi.pk])
    form = client.get(address).context["form"]
    typed = {name: form[name].value() or "" for name in form.fields}
    client.post(address, {**typed, "more": "Nora"})
    rows = read_entries(tournament)
    assert (rows[leoni.pk].name, rows[volpi.pk].people) == ("Leoni Rossi", ("Dora", "Elio", "Nora"))
    assert LogEntry.objects.filter(tournament=tournament, code="team_grown").exists()


def test_teams_are_taken_over_with_their_people_but_for_those_that_are_in(opened: Opened, now: datetime) -> None:
    source = open_real(opened, team_size=3)
    type_teams(source, TEAMS, now)
    draw_present(source, now)
    tournament = open_real(opened, team_size=3)
    type_teams(tournament, {"volpi": ("Rita", "Ugo")}, now)
    about: dict[str, Any] = {"by": tournament.organiser, "source_id": source.pk, "now": now}
    assert take_over_entries(tournament_id=tournament.pk, **about) == 2
    assert set(tournament.entries.values_list("team_name", flat=True)) == {"Leoni", "Orsi", "volpi"}
    alone = open_real(opened)
    assert catch_code(take_over_entries, tournament_id=alone.pk, **about) == "no_source"


def test_a_late_team_is_entered_whole_or_not_at_all(opened: Opened, now: datetime) -> None:
    danese: Mapping[str, Any] = {"format": "danese", "format_options": {"rounds": 3}}
    tournament = open_real(opened, team_size=3, **danese)
    type_teams(tournament, {**TEAMS, "Lupi": ("Lino", "Mara")}, now)
    draw_present(tournament, now)
    client, address = sign_in(tournament.organiser), reverse("tournament-rounds", args=[tournament.public_id])
    page = client.post(address, {"act": "late", "team": "leoni", "people": "Nora, Otto"})
    assert [message.extra_tags for message in page.context["messages"]] == ["team_in_already"]
    client.post(address, {"act": "late", "team": "Gatti", "people": "Nora, Otto"})
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    assert catch_code(enter_late_names, team="Cani", names=["Zoe"], **about) == "list_refused"
    assert read_entries(tournament)[tournament.entries.latest("pk").pk].people == ("Nora", "Otto")
    assert not Person.objects.filter(typed_name="Zoe").exists()


def test_teams_are_of_two_to_six_at_real_tables_and_fixed_once_somebody_is_in(opened: Opened, now: datetime) -> None:
    assert catch_code(open_real, opened=opened, team_size=7) == "team_size_range"
    assert not opened(team_size=4).entry_kind.has_name, "on the site there are none"
    tournament = open_real(opened, team_size=4)
    type_teams(tournament, TEAMS, now)
    settings = read_settings(tournament)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    changed = type(settings)(**{**{name: getattr(settings, name) for name in settings.__slots__}, "team_size": 0})
    assert catch_code(lifecycle.edit_tournament, settings=changed, **about) == "entered_already"


def test_the_register_enters_no_team_and_the_page_says_nothing_of_it(opened: Opened) -> None:
    tournament = open_real(opened, team_size=4)
    client = sign_in(tournament.organiser)
    assert client.get(reverse("register-enter", args=[tournament.public_id])).status_code == 404
    page = client.get(reverse("tournament-entries", args=[tournament.public_id])).content.decode()
    assert reverse("register-enter", args=[tournament.public_id]) not in page


def test_a_sample_list_has_as_many_people_as_a_team_needs_where_one_of_them_plays(opened: Opened) -> None:
    tournament = open_real(opened, team_size=3)
    sample = sign_in(tournament.organiser).get(reverse("tournament-sample", args=[tournament.public_id]))
    assert "Leoni;Anna;Bruno;1" in sample.content.decode()
