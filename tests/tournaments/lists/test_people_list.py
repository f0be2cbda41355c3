"""Lists of people at real tables (O2): columns recognised, every fault once with row and column, all rows or none."""

from datetime import datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from players.models import Person, Player
from tests.support.counting import measure
from tests.support.entries import list_placed
from tests.support.entry_kinds import make_kind
from tests.support.html import read_attribute, read_hooks
from tests.support.people import create_person, sign_in
from tests.support.real_tables import draw_real, open_real, type_names
from tests.support.tournaments import GIRONE, PAIRS, Opened, catch_code
from tournaments.entries.take_over import take_over_entries
from tournaments.lists import people_list
from tournaments.lists.people_list import PeopleList, read_text
from tournaments.lists.spreadsheet import Unreadable
from tournaments.models import Register, RegisterCard, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O2")]


def read(text: str, *, pairs: bool = False, by_lot: bool = True) -> PeopleList:
    return people_list.read_file(text.encode(), kind=make_kind(pairs=pairs), by_lot=by_lot)


def list_names(people: PeopleList) -> list[str]:
    return [" + ".join(person.name for person in entry.people) for entry in people.entries]


def list_faults(people: PeopleList) -> list[tuple[int, str, str]]:
    return [(problem.row, problem.about, problem.code) for problem in people.problems]


def test_columns_are_recognised_in_any_order_and_others_left_alone() -> None:
    people = read("Tessera;COGNOME;Nome;Telefono;Circolo;Livello\n7;Neri;Ada;333;Bar Sport;5\n8;Bo;Ugo;;;\n")
    assert list_names(people) == ["Ada Neri", "Ugo Bo"]
    first = people.entries[0].people[0]
    assert (first.club, first.card, first.row) == ("Bar Sport", "7", 2)


def test_a_pair_is_one_row_of_two_or_two_rows_of_one_number() -> None:
    wide = read("Cognome,Nome,Cognome 2,Nome 2\nNeri,Ada,Bo,Ugo\n", pairs=True)
    assert list_names(wide) == ["Ada Neri + Ugo Bo"]
    assert list_names(read("giocatore;compagno\nAda;Ugo\n", pairs=True)) == ["Ada + Ugo"]
    tall = read("Coppia;Nome\n1;Ada\n2;Pia\n1;Ugo\n2;Rita\n3;Lia\n;Zoe\n", pairs=True)
    assert list_names(tall) == ["Ada + Ugo", "Pia + Rita"]
    assert list_faults(tall) == [(7, "pair", "pair_missing"), (6, "pair", "pair_size")]


def test_levels_place_entries_where_the_organiser_seeds() -> None:
    people = read("Nome;Livello\nAda;3\nUgo;\nPia;9\nRita;alto\n", by_lot=False)
    assert [entry.placed for entry in people.entries] == [2, None, 1, None]
    assert list_faults(people) == [(5, "level", "level_no_number")]
    assert list_faults(read("Nome;Testa\nAda;1\n")) == [(2, "seed", "seeds_by_lot")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1. Ada Neri\n2) Ugo Bo\n\n", ["Ada Neri", "Ugo Bo"]),
        ("Nome\tCircolo\nAda\tBar\n", ["Ada"]),
    ],
)
def test_names_are_pasted_a_row_each_or_as_a_table(text: str, names: list[str]) -> None:
    assert list_names(read_text(text, kind=make_kind(), by_lot=True)) == names


def test_pasted_pairs_are_two_names_a_row() -> None:
    text = "Ada Neri, Ugo Bo\nPia Rossi-Verdi - Rita\nLia / Zoe"
    assert list_names(read_text(text, kind=make_kind(pairs=True), by_lot=True)) == [
        "Ada Neri + Ugo Bo", "Pia Rossi-Verdi + Rita", "Lia + Zoe",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code"), [("a;b\n1;2\n", "no_name_column"), ("Nome;Giocatore\nA;B\n", "column_twice")]
)
def test_a_file_whose_columns_say_nothing_is_refused(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(text)
    assert refused.value.code == code


def upload(client: Client, tournament: Tournament, text: str):  # type: ignore[no-untyped-def]
    file = SimpleUploadedFile("soci.csv", text.encode())
    return client.post(reverse("tournament-import", args=[tournament.public_id]), {"file": file, "text": ""})


def test_one_bad_row_imports_nothing_and_says_row_column_and_how_to_mend_it(opened: Opened) -> None:
    tournament = open_real(opened, PAIRS)
    client = sign_in(tournament.organiser)
    answer = upload(client, tournament, "Nome;Nome 2;Tessera\nAda;Ugo;1\nPia;;2\nLia;Z;1\n")
    assert read_hooks(answer, "problem") == ["partner_missing", "name_short", "card_twice"]
    page = answer.content.decode()
    assert "Nome 2" in page
    assert not tournament.entries.exists()
    assert answer.context["ready"] == ""


def test_a_good_file_is_shown_and_then_entered_with_namesakes_by_club(opened: Opened) -> None:
    tournament = open_real(opened)
    client = sign_in(tournament.organiser)
    answer = upload(client, tournament, "Nome;Cognome;Circolo\nMario;Rossi;\nMario;Rossi;Bar Sport\n")
    assert not tournament.entries.exists()
    url = reverse("tournament-import", args=[tournament.public_id])
    answer = client.post(url, {"rows": answer.context["ready"]}, follow=True)
    assert "imported" in read_hooks(answer, "notice")
    assert list_placed(tournament) == ["Mario Rossi", "Mario Rossi (Bar Sport)"]
    again = upload(client, tournament, "Nome;Cognome\nMario;Rossi\n")
    assert read_hooks(again, "problem") == ["in_already"]


@pytest.mark.parametrize("rows", ["[", "[[1]]", '[["1",null,[]]]', "{}", '[[1,null,[["a","b","c","d"]]]]'])
def test_rows_that_nobody_was_shown_are_refused(opened: Opened, rows: str) -> None:
    tournament = open_real(opened)
    url = reverse("tournament-import", args=[tournament.public_id])
    answer = sign_in(tournament.organiser).post(url, {"rows": rows}, follow=True)
    assert read_hooks(answer, "notice") == ["not_a_sheet"] or not tournament.entries.exists()


def test_pasted_text_stays_in_the_form_when_it_is_refused(opened: Opened) -> None:
    tournament = open_real(opened, PAIRS)
    url = reverse("tournament-import", args=[tournament.public_id])
    answer = sign_in(tournament.organiser).post(url, {"text": "Ada Neri"})
    assert read_hooks(answer, "problem") == ["partner_missing"]
    assert "Ada Neri</textarea>" in answer.content.decode()


def test_entries_are_taken_over_from_an_earlier_tournament(hall: Tournament, opened: Opened, now: datetime) -> None:
    tournament = open_real(opened)
    type_names(tournament, ["Ada A"], now)
    about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
    assert take_over_entries(source_id=hall.pk, **about) == 3
    assert list_placed(tournament) == ["Ada A", "Bice A", "Ciro A", "Dora A"]
    assert Person.objects.filter(player=None).count() == 8
    assert take_over_entries(source_id=hall.pk, **about) == 0


def test_many_entries_are_taken_over_in_as_many_queries_as_few(opened: Opened, now: datetime) -> None:
    def count_queries(size: int) -> int:
        source = draw_real(opened, size, now)
        tournament = open_real(opened)
        about = {"tournament_id": tournament.pk, "by": tournament.organiser, "now": now}
        queries, _rows = measure(lambda: take_over_entries(source_id=source.pk, **about))
        assert tournament.entries.count() == size
        return queries

    assert count_queries(4) == count_queries(16)


def test_a_person_with_a_card_stays_that_person_and_a_minor_stays_hidden(
    hall: Tournament, opened: Opened, now: datetime
) -> None:
    person = Person.objects.get(typed_name="Ada A")
    person.initials = True
    person.save()
    register = Register.objects.create(organiser=hall.organiser)
    RegisterCard.objects.create(register=register, person=person, created_at=now)
    other = Person.objects.get(typed_name="Bice A")
    other.initials = True
    other.save()
    tournament = open_real(opened)
    take_over_entries(tournament_id=tournament.pk, source_id=hall.pk, by=tournament.organiser, now=now)
    assert tournament.members.filter(person=person).exists()
    copied = Person.objects.get(typed_name="Bice A", memberships__tournament=tournament)
    assert (copied.pk != other.pk, copied.initials) == (True, True)


def test_another_organisers_entries_are_not_taken_over(hall: Tournament, opened: Opened, now: datetime) -> None:
    stranger: Player = create_person("Zeno", now)
    tournament = open_real(opened)
    Tournament.objects.filter(pk=tournament.pk).update(organiser=stranger)
    about = {"tournament_id": tournament.pk, "by": stranger, "now": now}
    assert catch_code(take_over_entries, source_id=hall.pk, **about) == "no_source"
    url = reverse("tournament-import", args=[tournament.public_id])
    assert hall.public_id not in read_attribute(sign_in(stranger).get(url), "value")
    assert GIRONE.seats_an_entry == 1
