"""Registers (I1): who keeps them, what stands in them, and that none of it is shown to anybody else."""

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players import caps
from players.models import Person, Player
from players.services.close_account import close_account
from players.services.players import create_guest
from tests.support.arrangements import arrange_once
from tests.support.html import read_element, read_error_codes, read_hooks, read_ways
from tests.support.people import create_person, sign_in
from tests.support.tournaments import Opened
from tournaments.clubs import actions as clubs
from tournaments.models import Club, ClubMember, Entry, EntryMember, Register, RegisterCard
from tournaments.register import cards, wording
from tournaments.register.cards import CardValues
from tournaments.register.errors import REGISTER_CODES, RegisterError
from tournaments.register.queries import OWN

pytestmark = pytest.mark.django_db

UGO = CardValues(
    name="Ugo Bianchi", number="T-17", birth_year=1961, contact="333 1234567", level="B", notes="porta il vino"
)
SECRETS = ("T-17", "1961", "333 1234567", "porta il vino")


@arrange_once
def club(organiser: Player, now: datetime) -> Club:
    return clubs.create_club(by=organiser, name="Circolo Aurora", description="", now=now)


def read(client: Client, name: str, *args: str, **query: str) -> str:
    answer = client.get(reverse(name, args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


def refused(call: Any, **arguments: Any) -> str:
    with pytest.raises(RegisterError) as error:
        call(**arguments)
    assert wording.describe_refusal(error.value.code, error.value.values)
    return error.value.code


def enter_card(card: RegisterCard, opened: Opened, now: datetime, **changed: Any) -> Entry:
    """Enter a card's person in a tournament of their own."""
    tournament = opened(**changed)
    entry = Entry.objects.create(tournament=tournament, created_at=now)
    EntryMember.objects.create(entry=entry, tournament=tournament, person=card.person)
    return entry


def test_every_code_has_words() -> None:
    assert all(
        wording.describe_refusal(code, {"limit": 5, "low": 1900, "high": 2026, "name": "Ugo"})
        for code in REGISTER_CODES
    )


@pytest.mark.rule("I1")
@pytest.mark.parametrize("owner", ["club", "organiser"])
def test_a_person_is_added_found_changed_and_exported(owner: str, organiser: Player, club: Club, now: datetime) -> None:
    key = club.public_id if owner == "club" else OWN
    client = sign_in(organiser)
    assert read_hooks(read(client, "register", key), "note") == ["empty_register"]
    typed = {"name": " Ugo  Bianchi", "number": "T-17", "birth_year": "1961", "contact": "333 1234567", "level": "B"}
    answer = client.post(reverse("register-card-new", args=[key]), typed, follow=True)
    assert read_hooks(answer, "notice") == ["card_added"]
    card = RegisterCard.objects.get()
    assert (card.register.club, card.register.organiser) == ((club, None) if owner == "club" else (None, organiser))
    for search in ("bianchi", "UGO", "t-17", "o bi"):
        assert reverse("register-card", args=[key, card.public_id]) in read_ways(
            read(client, "register", key, nome=search)
        )
    assert read_hooks(read(client, "register", key, nome="rossi"), "note") == ["nobody_called_so"]
    own = reverse("register-card", args=[key, card.public_id])
    assert "333 1234567" in read(client, "register-card", key, card.public_id)
    assert read_hooks(client.post(own, {**typed, "name": "Ugo Bianco"}, follow=True), "notice") == ["card_saved"]
    assert Person.objects.get(card=card).name == "Ugo Bianco"
    for kind in ("csv", "xlsx"):
        answer = client.get(reverse(f"register-{kind}", args=[key]))
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    table = client.get(reverse("register-csv", args=[key])).content.decode()
    assert f"{card.public_id},Ugo Bianco,T-17,B,1961,,333 1234567," in table
    assert read_hooks(read(client, "register-log", key), "log") == [*["exported"] * 3, "edited", "added"]


@pytest.mark.rule("I1")
def test_only_who_organises_for_a_club_sees_its_register(organiser: Player, club: Club, now: datetime) -> None:
    card = cards.add_card(register=Register(club=club), by=organiser, values=UGO, now=now)
    readers: dict[str, Player] = {"stranger": create_person("Sandro", now)}
    for role in ClubMember.Role.values:
        readers[role] = create_person(f"Membro {role}", now)
        ClubMember.objects.create(club=club, player=readers[role], role=role, confirmed=True, since=now)
    asking = create_person("Chiede", now)
    ClubMember.objects.create(club=club, player=asking, role="admin", confirmed=False, since=now)
    readers |= {"asking": asking, "guest": create_guest(now=now, address="192.0.2.1")}
    addresses = [
        *(reverse(name, args=[club.public_id]) for name in ("register", "register-card-new", "register-log")),
        reverse("register-card", args=[club.public_id, card.public_id]),
        *(reverse(name, args=[club.public_id]) for name in ("register-csv", "register-xlsx")),
    ]
    for name, reader in readers.items():
        keeps = name in ("organiser", "admin")
        client = sign_in(reader)
        assert {client.get(address).status_code for address in addresses} == {200 if keeps else 404}, name
        assert bool(read_element(read(client, "club", club.public_id), "register-title")) is keeps
        if not keeps:
            refusal = refused(cards.add_card, register=card.register, by=reader, values=UGO, now=now)
            assert refusal in ("not_keeper", "account_needed")
    for address in addresses:
        assert reverse("account_login") in Client().get(address).headers["Location"]
        assert sign_in(organiser).get(address).headers["X-Robots-Tag"] == "noindex"
    assert sign_in(organiser).get(reverse("register", args=["nessuno"])).status_code == 404
    own = cards.add_card(register=Register(organiser=organiser), by=organiser, values=UGO, now=now)
    other = reverse("register-card", args=[OWN, own.public_id])
    assert sign_in(readers["admin"]).get(other).status_code == 404, "mio is each reader's own"


@pytest.mark.rule("I1")
def test_faults_are_said_beside_their_field_and_lose_nothing(organiser: Player, club: Club, now: datetime) -> None:
    cards.add_card(register=Register(club=club), by=organiser, values=UGO, now=now)
    client, address = sign_in(organiser), reverse("register-card-new", args=[club.public_id])
    for typed, fault in (
        ({"name": ""}, {"name": ["required"]}),
        ({"name": "U"}, {"name": ["name_short"]}),
        ({"name": "Ugo <b>"}, {"name": ["name_characters"]}),
        ({"name": "Arbitro Capo"}, {"name": ["name_reserved"]}),
        ({"name": "Ugo Verdi", "birth_year": "61"}, {"birth_year": ["year_wrong"]}),
        ({"name": "Ugo Verdi", "birth_year": "boh"}, {"birth_year": ["invalid"]}),
        ({"name": "Ugo Verdi", "birth_year": str(timezone.now().year + 1)}, {"birth_year": ["year_wrong"]}),
        ({"name": "Ugo Verdi", "number": "T-17"}, {"number": ["number_taken"]}),
        ({"name": "ugo bianchi"}, {"name": ["name_taken"]}),
    ):
        answer = client.post(address, {"contact": "resta qui", **typed})
        assert read_error_codes(answer) == fault
        assert "resta qui" in answer.content.decode()
        assert Person.objects.filter(player=None).count() == 1
    assert client.post(address, {"name": "Ugo Bianchi", "another": "on"}).status_code == 302
    assert RegisterCard.objects.filter(name_key="ugobianchi").count() == 2


@pytest.mark.rule("I1")
def test_a_register_has_a_limit(organiser: Player, club: Club, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_REGISTER_CARDS", 1)
    register = Register(club=club)
    cards.add_card(register=register, by=organiser, values=UGO, now=now)
    another = CardValues(name="Ada Neri")
    assert refused(cards.add_card, register=register, by=organiser, values=another, now=now) == "too_many_cards"


@pytest.mark.rule("I1")
@pytest.mark.parametrize(
    ("year", "minor", "shown"),
    [
        (None, False, "Ugo Bianchi"),
        (13, False, "U. B."),
        (14, False, "U. B."),
        (15, False, "Ugo Bianchi"),
        (None, True, "U. B."),
        (40, True, "U. B."),
    ],
)
def test_the_public_sees_a_minors_initials(
    organiser: Player, club: Club, now: datetime, opened: Opened, year: int | None, minor: bool, shown: str
) -> None:
    values = CardValues(name="Ugo Bianchi", birth_year=None if year is None else now.year - year, minor=minor)
    card = cards.add_card(register=Register(club=club), by=organiser, values=values, now=now)
    tournament = enter_card(card, opened, now).tournament
    page = read(Client(), "tournament", tournament.public_id)
    assert (shown in page, "Bianchi" in page) == (True, shown == "Ugo Bianchi")
    for name, what in (("tournament-print", "iscritti"), ("export-csv", "iscritti"), ("export-json", "iscritti")):
        text = Client().get(reverse(name, args=[tournament.public_id, what])).content.decode()
        assert (shown in text, "Bianchi" in text) == (True, shown == "Ugo Bianchi")
    count = EntryMember.objects.filter(tournament=tournament).named_like("Bianchi").count()
    assert count == (shown == "Ugo Bianchi"), "nobody learns by a search whose initials they are"


@pytest.mark.rule("I1")
def test_nothing_of_a_card_but_the_name_is_public(organiser: Player, club: Club, now: datetime, opened: Opened) -> None:
    card = cards.add_card(register=Register(club=club), by=organiser, values=UGO, now=now)
    tournament = enter_card(card, opened, now, club_id=club.pk).tournament
    pages = [
        read(Client(), "tournament", tournament.public_id),
        read(Client(), "club", club.public_id),
        read(Client(), "tournament-print", tournament.public_id, "iscritti"),
        Client().get(reverse("export-json", args=[tournament.public_id, "iscritti"])).content.decode(),
        Client().get(f"/api/v1/tournaments/{tournament.public_id}/").content.decode(),
    ]
    assert "Ugo Bianchi" in pages[0]
    assert not [secret for secret in SECRETS for page in pages if secret in page]


@pytest.mark.rule("I1")
def test_a_register_goes_with_its_club_or_its_organisers_account(
    organiser: Player, club: Club, now: datetime, opened: Opened
) -> None:
    anna = create_person("Amelia", now)
    ada = CardValues(name="Ada Neri")
    cards.add_card(register=Register(organiser=anna), by=anna, values=ada, now=now)
    close_account(player_id=anna.pk, now=now)
    assert not Person.objects.filter(typed_name="Ada Neri").exists()
    played = cards.add_card(register=Register(club=club), by=organiser, values=UGO, now=now)
    cards.add_card(register=Register(club=club), by=organiser, values=ada, now=now)
    enter_card(played, opened, now)
    clubs.dissolve_club(club_id=club.pk, by=organiser, now=now)
    assert not RegisterCard.objects.exists()
    assert [person.name for person in Person.objects.filter(player=None)] == ["Ugo Bianchi"], "results keep theirs"
