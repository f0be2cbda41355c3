"""People of a register entered at real tables (O2, I1): proposed to its organisers alone, results are theirs."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Person, Player
from tests.support.arrangements import arrange_once
from tests.support.html import read_hooks
from tests.support.keys import address_of, code, key_for, send
from tests.support.people import create_person, sign_in
from tests.support.real_tables import open_real, type_names
from tests.support.tournaments import GIRONE, PAIRS, Opened
from tournaments.clubs import actions as clubs
from tournaments.core.reads import read_entries
from tournaments.entries import approvals
from tournaments.models import ClubMember, Entry, Register, RegisterCard, Tournament
from tournaments.register import cards
from tournaments.register.cards import CardValues

pytestmark = pytest.mark.django_db


@arrange_once
def people(organiser: Player, now: datetime) -> list[RegisterCard]:
    values = [
        CardValues(name="Ugo Bianchi", number="17", contact="333 1234567"),
        CardValues(name="Ada Bianchi", minor=True),
        CardValues(name="Pia Rossi"),
    ]
    register = Register(organiser=organiser)
    return [cards.add_card(register=register, by=organiser, values=one, now=now) for one in values]


def list_shown(tournament: Tournament) -> list[str]:
    """The entries by the names that everybody is shown."""
    return [entry.name for entry in read_entries(tournament).values()]


def propose(client: Client, tournament: Tournament, **asked: str) -> list[str]:
    page = client.get(reverse("register-enter", args=[tournament.public_id]), asked)
    return [str(card) for card in page.context["proposals"]]


def enter(client: Client, tournament: Tournament, *chosen: RegisterCard | str, **more: str) -> list[str]:
    """Enter these, and return the codes of what the next page says."""
    ids = [card if isinstance(card, str) else card.public_id for card in chosen]
    address = reverse("register-enter", args=[tournament.public_id])
    return read_hooks(client.post(address, {"card": ids, **more}, follow=True), "notice")


@pytest.mark.rule("I1", "O2")
def test_three_letters_propose_and_one_button_enters(
    organiser: Player, people: list[RegisterCard], opened: Opened, now: datetime
) -> None:
    tournament, client = open_real(opened), sign_in(organiser)
    assert propose(client, tournament, nome="bi") == []
    assert propose(client, tournament, nome="bia") == ["Ada Bianchi", "Ugo Bianchi"]
    assert propose(client, tournament, nome="BIÀNCHI U") == []
    type_names(tournament, ["Ugo Bianchi"], now)
    assert enter(client, tournament, people[0]) == ["in_already"]
    assert enter(client, tournament, people[0], altro="on") == ["entered"]
    assert list_shown(tournament) == ["Ugo Bianchi", "Ugo Bianchi (2)"], "namesakes are told apart"
    assert enter(client, tournament, people[0]) == ["in_already"]
    assert enter(client, tournament, people[1]) == ["entered"]
    assert list_shown(tournament)[-1] == "A. B.", "a minor, to everybody"
    page = client.get(reverse("tournament-entries", args=[tournament.public_id])).content.decode()
    assert "Ada Bianchi" in page, "not to whoever runs it"
    assert "333 1234567" not in page
    for chosen in ((), ("nessuna",), (people[2], people[1])):
        assert enter(client, tournament, *chosen) == ["no_card"]
    entry = Entry.objects.get(members__person=people[0].person)
    approvals.remove_entry(tournament_id=tournament.pk, by=organiser, entry_id=entry.pk, now=now)
    assert Person.objects.filter(pk=people[0].person.pk).exists(), "out of the tournament, not of the register"


@pytest.mark.rule("I1", "O2")
def test_a_card_that_gets_the_name_of_another_who_plays_is_told_apart(
    organiser: Player, people: list[RegisterCard], opened: Opened, now: datetime
) -> None:
    tournament, client, (ugo, _ada, pia) = open_real(opened), sign_in(organiser), people
    type_names(tournament, ["Pia Neri", "A. B."], now)
    enter(client, tournament, ugo)
    enter(client, tournament, pia)
    about: dict[str, Any] = {"register": ugo.register, "by": organiser, "now": now}
    cards.edit_card(card_id=pia.public_id, values=CardValues(name="Pia Neri"), **about)
    assert list_shown(tournament) == ["Pia Neri", "A. B.", "Ugo Bianchi", "Pia Neri (2)"]
    cards.edit_card(card_id=ugo.public_id, values=CardValues(name="Aldo Bianchi", minor=True), **about)
    assert list_shown(tournament) == ["Pia Neri", "A. B.", "A. B. (2)", "Pia Neri (2)"]


@pytest.mark.rule("I1", "O2")
def test_whoever_was_typed_is_entered_by_their_card_once_in_pairs_too(
    organiser: Player, people: list[RegisterCard], opened: Opened, now: datetime
) -> None:
    tournament, client, (ugo, _ada, pia) = open_real(opened, PAIRS), sign_in(organiser), people
    type_names(tournament, [("Pia Rossi", "Zeno Bo")], now)
    address = reverse("register-enter", args=[tournament.public_id])
    refused = client.post(address, {"card": [pia.public_id, ugo.public_id]}, follow=True)
    assert read_hooks(refused, "notice") == ["in_already"]
    assert (refused.context["first"], refused.context["proposals"]) == (pia, [ugo]), "still chosen"
    assert 'name="altro"' in refused.content.decode()
    assert Entry.objects.count() == 1
    body = {"cards": [pia.public_id, ugo.public_id]}
    key, address = key_for(tournament), f"{address_of(tournament)}entries/from-register/"
    assert code(send(key, address, body)) == (409, "list_refused")
    assert send(key, address, body | {"another": True}).status_code == 201
    assert list_shown(tournament) == ["Pia Rossi – Zeno Bo", "Pia Rossi (2) – Ugo Bianchi"]


@pytest.mark.rule("I1", "O2")
def test_a_pair_is_chosen_one_after_the_other(organiser: Player, people: list[RegisterCard], opened: Opened) -> None:
    tournament, client = open_real(opened, PAIRS), sign_in(organiser)
    address = reverse("register-enter", args=[tournament.public_id])
    page = client.get(address, {"nome": "ugo"})
    assert read_hooks(page, "action") == ["choose"]
    page = client.get(address, {"primo": people[0].public_id, "nome": "bianchi"})
    assert read_hooks(page, "note") == ["first"]
    assert page.context["proposals"] == [people[1]]
    assert enter(client, tournament, people[0], people[0]) == ["same_card"]
    assert enter(client, tournament, people[0], people[2]) == ["entered"]
    assert list_shown(tournament) == ["Ugo Bianchi – Pia Rossi"]


@pytest.mark.rule("I1")
def test_only_who_keeps_the_register_and_runs_the_tournament_sees_proposals(
    organiser: Player, people: list[RegisterCard], opened: Opened, now: datetime
) -> None:
    club = clubs.create_club(by=organiser, name="Circolo Aurora", description="", now=now)
    member = CardValues(name="Ivo Bianchi")
    cards.add_card(register=Register(club=club), by=organiser, values=member, now=now)
    own, of_club = open_real(opened), open_real(opened, club_id=club.pk)
    other, referee = create_person("Olga", now), create_person("Renata", now)
    for player, role in ((other, "organiser"), (referee, "referee")):
        ClubMember.objects.create(club=club, player=player, role=role, confirmed=True, since=now)
    assert propose(sign_in(other), of_club, nome="bianchi") == ["Ivo Bianchi"]
    assert propose(sign_in(organiser), of_club, nome="bianchi") == ["Ivo Bianchi"]
    assert propose(sign_in(organiser), own, nome="bianchi") == ["Ada Bianchi", "Ugo Bianchi"]
    address = reverse("register-enter", args=[of_club.public_id])
    for reader in (None, referee, create_person("Sandro", now)):
        assert sign_in(reader).get(address, {"nome": "bianchi"}).status_code == 404
        assert sign_in(reader).post(address, {"card": "x"}).status_code == 404
    on_site = reverse("register-enter", args=[opened(GIRONE).public_id])
    assert sign_in(organiser).get(on_site).status_code == 404
