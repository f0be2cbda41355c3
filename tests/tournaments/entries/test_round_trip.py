"""Round trips (W2, O2): what is exported can be imported. Entries of accounts and of typed names, alone, in pairs, in
teams, mixed, by files of every language and by the API, each of their people apart."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.utils import translation

from players.models import Person, Player
from tests.support.entries import enter_all
from tests.support.keys import address_of, by_key, key_for, make_key, send
from tests.support.real_tables import draw_present, open_real, type_names, type_teams
from tests.support.tournaments import GIRONE, PAIRS, Opened
from tournaments.core.reads import read_entries
from tournaments.entries.import_list import import_entries
from tournaments.entries.typed_names import store_entries, type_entries
from tournaments.lists.people_list import read_file
from tournaments.lists.spreadsheet import read_rows
from tournaments.lists.typed_entries import TypedEntry, TypedPerson
from tournaments.models import Entry, PlayInvitation, Tournament
from tournaments.register.cards import CardValues, add_card
from tournaments.register.queries import OWN, find_register
from tournaments.sharing.exports import export_sheet
from tournaments.sharing.file_formats import write_csv, write_workbook

pytestmark = [pytest.mark.django_db, pytest.mark.rule("W2", "O2")]

Make = Callable[[Opened, list[Player], datetime], tuple[Tournament, Tournament]]
Apart = list[tuple[str, list[tuple[str, str]]]]  # of each entry: its team, and its people with their clubs


def read_apart(tournament: Tournament) -> Apart:
    rows = read_entries(tournament).values()
    return sorted((row.team, [(name, club) for name, club, _page in row.persons]) for row in rows)


def make_typed(opened: Opened, four: list[Player], now: datetime) -> tuple[Tournament, Tournament]:
    one, other = (open_real(opened) for _ in range(2))
    clubs = [("Ada Bo", "Arci"), ("Ada Bo", "Bar Sport"), ("Ciro Di", ""), ("Ada Bo", "")]
    rows = [TypedEntry(number, (TypedPerson(*typed),)) for number, typed in enumerate(clubs, start=1)]
    type_entries(tournament_id=one.pk, by=one.organiser, rows=rows, now=now)
    draw_present(one, now)  # its seeds are the draw's
    return one, other


def make_pairs(opened: Opened, four: list[Player], now: datetime) -> tuple[Tournament, Tournament]:
    one, other = (open_real(opened, PAIRS, format="girone") for _ in range(2))
    pair = (TypedPerson("Elio Fo", "Arci"), TypedPerson("Elio Fo", "Bar Sport"))
    type_names(one, [("Ada Bo", "Ciro Di"), ("Maria De Luca", "Ugo D'Este")], now)
    type_entries(tournament_id=one.pk, by=one.organiser, rows=[TypedEntry(1, pair)], now=now)
    return one, other


def make_teams(opened: Opened, four: list[Player], now: datetime) -> tuple[Tournament, Tournament]:
    one, other = (open_real(opened, GIRONE, team_size=4) for _ in range(2))
    people = {"Leoni": ["Ada Bo", "Ciro Di", "Ivo Lo"], "Orsi": ["Elio Fo", "Gino Hu", "Ugo Po", "Ada Bo"]}
    type_teams(one, people, now)
    return one, other


def make_mixed(opened: Opened, four: list[Player], now: datetime) -> tuple[Tournament, Tournament]:
    """An account and a typed name play together at a real table."""
    one, other = (open_real(opened, PAIRS, format="girone") for _ in range(2))
    for player in four[:2]:
        entry = Entry(tournament=one, created_at=now)
        store_entries([entry], [[player.person, Person(typed_name=f"{player.name} Rossi")]])
    return one, other


def make_seeded(opened: Opened, four: list[Player], now: datetime) -> tuple[Tournament, Tournament]:
    """The organiser's own order comes along."""
    one, other = (open_real(opened, GIRONE, seeding="organiser") for _ in range(2))
    type_names(one, ["Ada Bo", "Ciro Di", "Elio Fo"], now)
    draw_present(one, now)
    return one, other


def make_accounts(opened: Opened, four: list[Player], now: datetime) -> tuple[Tournament, Tournament]:
    return enter_all(opened(max_entries=8), four, now), opened(max_entries=8)


def make_account_pairs(opened: Opened, four: list[Player], now: datetime) -> tuple[Tournament, Tournament]:
    one, other = (opened(PAIRS, max_entries=8) for _ in range(2))
    for pair in (four[:2], four[2:]):
        store_entries([Entry(tournament=one, created_at=now)], [[player.person for player in pair]])
    return one, other


TYPED: list[Make] = [make_typed, make_pairs, make_teams, make_mixed, make_seeded]
ACCOUNTS: list[Make] = [make_accounts, make_account_pairs]


def write_file(tournament: Tournament, kind: str, language: str) -> bytes:
    with translation.override(language):
        sheet = export_sheet(tournament, "iscritti")
        return write_csv(sheet) if kind == "csv" else write_workbook(sheet, "Iscritti")


@pytest.mark.parametrize(("kind", "language"), [("csv", "it"), ("csv", "en"), ("xlsx", "it")])
@pytest.mark.parametrize("make", TYPED)
def test_a_file_of_typed_names_enters_the_same_people_elsewhere(
    make: Make, kind: str, language: str, opened: Opened, four: list[Player], now: datetime
) -> None:
    one, other = make(opened, four, now)
    read = read_file(
        write_file(one, kind, language),
        kind=other.entry_kind,
        by_lot=other.seeding == Tournament.Seeding.LOT,
    )
    assert read.problems == ()
    type_entries(tournament_id=other.pk, by=other.organiser, rows=read.entries, now=now)
    assert read_apart(other) == read_apart(one)
    if make is make_seeded:
        seeds = {row.name: row.seed for row in read_entries(one).values()}
        assert {row.name: row.placed for row in read_entries(other).values()} == seeds


@pytest.mark.parametrize(("kind", "language"), [("csv", "it"), ("csv", "en"), ("xlsx", "it")])
@pytest.mark.parametrize("make", ACCOUNTS)
def test_a_file_of_accounts_invites_the_same_people_elsewhere(
    make: Make, kind: str, language: str, opened: Opened, four: list[Player], now: datetime
) -> None:
    one, other = make(opened, four, now)
    rows = read_rows(write_file(one, kind, language))
    done = import_entries(tournament_id=other.pk, by=other.organiser, rows=rows, now=now)
    assert done.invitations == one.entries.count()
    assert invited(other) == sorted([name for name, _club in people] for _team, people in read_apart(one))


def invited(tournament: Tournament) -> list[list[str]]:
    asked = PlayInvitation.objects.filter(tournament=tournament).prefetch_related("invitees__player")
    return sorted([one.player.name for one in invitation.invitees.all()] for invitation in asked)


def carry_over(one: Tournament, other: Tournament) -> Any:
    """Enter by the API what it answers about the entries of another tournament."""
    rows = key_for(one).get(f"{address_of(one)}entries/").json()["results"]
    body = {"entries": [{"team": row["team"], "persons": row["persons"]} for row in rows]}
    return send(key_for(other), f"{address_of(other)}entries/", body)


@pytest.mark.rule("AP8")
@pytest.mark.parametrize("make", TYPED)
def test_what_the_api_answers_of_typed_names_enters_the_same_people_elsewhere(
    make: Make, opened: Opened, four: list[Player], now: datetime
) -> None:
    one, other = make(opened, four, now)
    answer = carry_over(one, other)
    assert (answer.status_code, answer.json()["entries"]) == (201, one.entries.count()), answer.content
    assert read_apart(other) == read_apart(one)


@pytest.mark.rule("AP8")
@pytest.mark.parametrize("make", ACCOUNTS)
def test_what_the_api_answers_of_accounts_invites_the_same_people_whatever_they_are_called_now(
    make: Make, opened: Opened, four: list[Player], now: datetime
) -> None:
    one, other = make(opened, four, now)
    before = read_apart(one)
    answer = carry_over(one, other)
    assert (answer.status_code, answer.json()["invitations"]) == (201, one.entries.count()), answer.content
    assert invited(other) == sorted([name for name, _club in people] for _team, people in before)


@pytest.mark.rule("AP8")
def test_both_names_of_a_pair_stand_apart_in_every_table_and_every_answer(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    one, _other = make_pairs(opened, four, now)
    draw_present(one, now)
    wanted = {"Ada Bo – Ciro Di": "Ada Bo, Ciro Di", "Elio Fo – Elio Fo (Bar Sport)": "Elio Fo, Elio Fo (Bar Sport)"}
    entries = {row["name"]: row["people"] for row in export_sheet(one, "iscritti").records()}
    played = export_sheet(one, "incontri").records()
    sides = {row[side]: row[f"{side}_people"] for row in played for side in ("first", "second")}
    for name, people in wanted.items():
        assert entries[name] == sides[name] == people
    answers = key_for(one).get(f"{address_of(one)}entries/").json()["results"]
    assert {row["name"]: ", ".join(row["people"]) for row in answers}.items() >= wanted.items()


@pytest.mark.rule("AP8", "I1")
def test_people_of_cards_are_the_same_people_elsewhere_and_their_cards_are_told_to_their_keeper_alone(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    one, other = (open_real(opened, PAIRS, format="girone") for _ in range(2))
    register = find_register(OWN, one.organiser)
    assert register is not None
    about: Any = {"register": register, "by": one.organiser, "now": now}
    cards = [add_card(values=CardValues(name=name), **about) for name in ("Ugo Bianchi", "Zita Rossi")]
    ids = [card.public_id for card in cards]
    entered = send(key_for(one), f"{address_of(one)}entries/from-register/", {"cards": ids})
    assert entered.status_code == 201, entered.content
    assert carry_over(one, other).status_code == 201
    assert [row.person_ids for row in read_entries(other).values()] == [tuple(card.person_id for card in cards)]
    told = key_for(one).get(f"{address_of(one)}entries/").json()["results"][0]["persons"]
    assert [person["card"] for person in told] == ids
    for client in (by_key(make_key(one.organiser)), by_key(make_key(four[0]))):
        rows = client.get(f"{address_of(one)}entries/").json()["results"]
        assert [person["card"] for row in rows for person in row["persons"]] == [None, None]


@pytest.mark.rule("AP3")
def test_people_are_named_once_and_all_by_cards_or_none(opened: Opened) -> None:
    tournament = open_real(opened, PAIRS, format="girone")
    address, client = f"{address_of(tournament)}entries/", key_for(tournament)
    ada, ciro = {"name": "Ada Bo"}, {"name": "Ciro Di"}
    for entry, fault in (
        ({"player": "Ada Bo", "persons": [ada, ciro]}, ("entries.0.persons", "repeated")),
        ({"persons": [{**ada, "card": "abc"}, ciro]}, ("entries.0.persons", "card_missing")),
        ({}, ("entries.0.player", "required")),
        ({"persons": [{**ada, "colour": "red"}, ciro]}, ("entries.0.persons.0.colour", "unknown")),
    ):
        refused = send(client, address, {"entries": [entry]})
        assert refused.status_code == 400, refused.content
        (told,) = refused.json()["errors"]
        assert (told["field"], told["code"]) == fault
