"""Names at real tables (O2): typed without accounts, namesakes told apart, all rows or none."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Person, Player
from tests.support.entries import list_placed
from tests.support.html import Tags, read_hooks
from tests.support.pages import read_page
from tests.support.people import sign_in
from tests.support.real_tables import draw_real, open_real, type_names
from tests.support.tournaments import PAIRS, Opened, catch_code
from tournaments.core.errors import TournamentError
from tournaments.entries import approvals, typed_names
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.rounds.late_entries import enter_late_names

pytestmark = pytest.mark.django_db


def catch_problems(call: object, **arguments: object) -> list[tuple[int, str]]:
    with pytest.raises(TournamentError) as refused:
        call(**arguments)  # type: ignore[operator]
    return [(problem.row, problem.code) for problem in refused.value.values["problems"]]


@pytest.mark.rule("O2")
def test_a_name_is_entered_without_an_account_and_invites_nobody(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    type_names(tournament, ["Ada", "Bice Neri"], now)
    assert list_placed(tournament) == ["Ada", "Bice Neri"]
    assert not tournament.invitations.exists()
    assert Person.objects.filter(memberships__tournament=tournament, player=None).count() == 2


@pytest.mark.rule("O2")
def test_a_name_that_an_account_has_is_not_that_account(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = open_real(opened)
    type_names(tournament, [anna.name], now)
    assert not tournament.members.of_player(anna).exists()


@pytest.mark.rule("O2")
def test_namesakes_are_told_apart_by_their_club_or_a_number(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    for club, name in (
        ("", "Mario Rossi"),
        ("Bar Sport", "Mario Rossi"),
        *[("", "Mario Rossi")] * 2,
        ("", "mario rossi"),
    ):
        people = (TypedPerson(name, club),)
        if tournament.entries.exists():
            refused = catch_problems(typed_names.type_entries, rows=[TypedEntry(1, people)], **about)
            assert refused == [(1, "in_already")]
        typed_names.type_entries(rows=[TypedEntry(1, people, another=True)], **about)
    assert list_placed(tournament) == [
        "Mario Rossi", "Mario Rossi (Bar Sport)", "Mario Rossi (2)", "Mario Rossi (3)", "mario rossi (4)",
    ]  # fmt: skip


@pytest.mark.rule("O2")
def test_one_bad_row_enters_nobody_and_each_fault_is_told_once(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, PAIRS)
    rows = [
        TypedEntry(2, (TypedPerson("Ada"), TypedPerson("Bice"))),
        TypedEntry(3, (TypedPerson("Ciro"),)),
        TypedEntry(4, (TypedPerson("Dora"), TypedPerson("Dora"))),
        TypedEntry(5, (TypedPerson("Ad@"), TypedPerson("Smazzata staff"))),
        TypedEntry(6, (TypedPerson("ada"), TypedPerson("BICE"))),
    ]
    enter = typed_names.type_entries
    with CaptureQueriesContext(connection) as done:
        problems = catch_problems(enter, tournament_id=tournament.pk, by=tournament.organiser, rows=rows, now=now)
    assert {query["sql"].split()[0] for query in done.captured_queries} == {"SELECT"}, "nothing is locked for it (AT11)"
    assert problems == [
        (3, "partner_missing"), (4, "same_person"), (5, "name_characters"), (5, "name_reserved"), (6, "twice"),
    ]  # fmt: skip
    assert not tournament.entries.exists()
    assert not Person.objects.filter(player=None).exists()


@pytest.mark.rule("O2", "E3")
def test_more_names_than_places_are_refused(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened, max_entries=4)
    rows = [TypedEntry(n, (TypedPerson(f"Ada {n}a"),)) for n in range(1, 6)]
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "rows": rows, "now": now}
    assert catch_problems(typed_names.type_entries, **about) == [(5, "no_room")]


@pytest.mark.rule("O1")
def test_names_are_typed_only_where_tables_are_real(opened: Opened, now: datetime) -> None:
    tournament = opened()
    rows = [TypedEntry(1, (TypedPerson("Ada"),))]
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "rows": rows, "now": now}
    assert catch_code(typed_names.type_entries, **about) == "not_real"


@pytest.mark.rule("O2")
def test_a_name_is_corrected_and_goes_with_its_entry(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    first, second = type_names(tournament, ["Ada Neri", "Bice"], now)
    person = second.members.get().person
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "person_id": person.pk, "now": now}
    assert catch_problems(typed_names.rename_person, name="ada neri", suffix="", **about) == [(1, "namesake")]
    typed_names.rename_person(name="Ada Neri", suffix="Bar Sport", **about)
    assert list_placed(tournament) == ["Ada Neri", "Ada Neri (Bar Sport)"]
    approvals.remove_entry(tournament_id=tournament.pk, by=tournament.organiser, entry_id=first.pk, now=now)
    assert [p.name for p in Person.objects.filter(player=None)] == ["Ada Neri (Bar Sport)"]


@pytest.mark.rule("O2")
def test_the_page_takes_name_after_name_and_keeps_a_refused_one(opened: Opened) -> None:
    tournament = open_real(opened, PAIRS)
    client = sign_in(tournament.organiser)
    url = reverse("tournament-entries", args=[tournament.public_id])
    answer = client.post(url, {"player": "Ada", "partner": "Bice"}, follow=True)
    assert "typed" in read_hooks(answer, "notice")
    page = read_page(client.post(url, {"player": "Ciro Verdi"}))
    assert 'value="Ciro Verdi"' in page
    assert page.count("autofocus") == 1
    assert page.index("autofocus") > page.index('name="partner"') - 200
    assert list_placed(tournament) == ["Ada+Bice"]


@pytest.mark.rule("O2")
def test_the_organiser_is_led_to_the_names_first_and_to_the_draw_when_there_are_enough(
    opened: Opened, now: datetime
) -> None:
    tournament = open_real(opened, min_entries=2)
    client = sign_in(tournament.organiser)

    def read_plain_acts() -> set[str]:
        page = client.get(reverse("tournament", args=[tournament.public_id]))
        acts = [attrs for _tag, attrs in Tags(page).tags if "data-action" in attrs]
        return {attrs["data-action"] for attrs in acts if "button-plain" in attrs.get("class", "")}

    assert {"manage", "rounds"} & read_plain_acts() == {"rounds"}
    type_names(tournament, ["Ada", "Bice"], now)
    assert {"manage", "rounds"} & read_plain_acts() == {"manage"}


@pytest.mark.rule("O2", "D2")
def test_who_comes_late_is_a_name_too(opened: Opened, now: datetime) -> None:
    options = {"rounds": 3, "late": 2}
    tournament = draw_real(opened, 4, now, format="danese", format_options=options)
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    assert catch_code(enter_late_names, names=["Z"], **about) == "bad_name"
    assert catch_problems(enter_late_names, names=["Ada A"], **about) == [(1, "in_already")]
    entry = enter_late_names(names=["Ada A"], another=True, **about)
    assert entry.members.get().person.name == "Ada A (2)"


@pytest.mark.rule("O2")
def test_a_corrected_name_that_somebody_has_is_refused_on_the_page(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    entries = type_names(tournament, ["Ada Neri", "Bice Neri"], now)
    person = entries[1].members.get().person
    address = reverse("tournament-entry", args=[tournament.public_id, entries[1].pk])
    answer = sign_in(tournament.organiser).post(address, {f"name-{person.pk}": "Ada Neri", f"suffix-{person.pk}": ""})
    assert [error.code for error in answer.context["form"].non_field_errors().as_data()] == ["namesake"]
    person.refresh_from_db()
    assert person.typed_name == "Bice Neri"


@pytest.mark.rule("O2")
def test_a_name_that_has_its_club_in_it_is_no_second_one(opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    type_names(tournament, ["Wu", "Anna (Arci)", 'Gianni "Il Moro" Bo', "Bruno & Carla", "王伟", "Анна Иванова"], now)
    about: dict[str, Any] = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    anna = TypedEntry(1, (TypedPerson("Anna", "Arci"),))
    assert catch_problems(typed_names.type_entries, rows=[anna], **about) == [(1, "in_already")]
    anna = replace(anna, another=True)
    typed_names.type_entries(rows=[replace(anna, people=(TypedPerson("Anna"),)), anna], **about)
    assert list_placed(tournament)[1::5] == ["Anna (Arci)", "Anna"]
    assert list_placed(tournament)[-1] == "Anna (2)"
