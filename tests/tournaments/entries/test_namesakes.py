"""Accounts whose name was typed already are asked whether they are another of that name (O2)."""

from datetime import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from players.models import Person, Player
from tests.support.html import read_hooks
from tests.support.keys import address_of, by_key, code, make_key, send
from tests.support.people import sign_in
from tests.support.real_tables import open_real, type_names
from tests.support.tournaments import PAIRS, Opened
from tournaments.core.reads import read_entries
from tournaments.entries.pairs import enter_pair
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.rule("O2")]


def list_shown(tournament: Tournament) -> list[str]:
    return [entry.name for entry in read_entries(tournament).values()]


def test_an_account_is_asked_first_whether_it_is_who_was_typed(opened: Opened, anna: Player, now: datetime) -> None:
    tournament, client = open_real(opened), sign_in(anna)
    type_names(tournament, [anna.name.upper()], now)
    join = reverse("tournament-join", args=[tournament.public_id])
    asked = client.post(join, {"attesa": "1"})
    assert read_hooks(asked, "note") == ["namesake"]
    assert list_shown(tournament) == [anna.name.upper()]
    assert 'name="attesa" value="1"' in asked.content.decode(), "the same form again"
    assert read_hooks(client.post(join, {"attesa": "1", "altra": "1"}, follow=True), "notice") == ["entered"]
    assert list_shown(tournament) == [anna.name.upper(), anna.name]
    assert read_hooks(client.post(join, follow=True), "notice") == ["already_entered"], "not asked again"


def test_a_program_says_it_too(opened: Opened, anna: Player, now: datetime) -> None:
    tournament, key = open_real(opened), by_key(make_key(anna))
    type_names(tournament, [anna.name], now)
    address = f"{address_of(tournament)}join/"
    assert code(send(key, address, {})) == (409, "list_refused")
    assert send(key, address, {"another": True}).status_code == 200


def test_both_of_a_pair_are_asked(opened: Opened, anna: Player, bruno: Player, now: datetime) -> None:
    tournament = open_real(opened, PAIRS)
    type_names(tournament, [(anna.name, "Ugo"), ("Ines", bruno.name)], now)
    annas, brunos = sign_in(anna), sign_in(bruno)
    enter, answer = (reverse(name, args=[tournament.public_id]) for name in ("pair", "pair-answer"))
    asked = annas.post(enter, {"partner": bruno.name})
    assert read_hooks(asked, "note") == ["namesake"]
    assert 'name="partner" value="Bruno"' in asked.content.decode(), "the same form again"
    entered = annas.post(enter, {"partner": bruno.name, "altra": "1"}, follow=True)
    assert read_hooks(entered, "notice") == ["partner_asked"]
    pair = tournament.entries.get(confirmed=False)
    yes = {"entry": str(pair.pk), "si": "1"}
    assert "namesake" in read_hooks(brunos.post(answer, yes), "note")
    assert tournament.entries.filter(confirmed=False).exists()
    assert read_hooks(brunos.post(answer, {**yes, "altra": "1"}, follow=True), "notice") == ["pair_complete"]
    assert not tournament.entries.filter(confirmed=False).exists()


def test_a_partner_who_comes_by_the_link_is_asked(opened: Opened, anna: Player, bruno: Player) -> None:
    tournament, now = open_real(opened, PAIRS), timezone.now()
    type_names(tournament, [(bruno.name, "Ugo")], now)
    entry = enter_pair(tournament_id=tournament.pk, player=anna, partner=None, now=now)
    link = reverse("pair-link", args=[tournament.public_id, entry.token])
    assert read_hooks(sign_in(bruno).post(link), "note") == ["namesake"]
    assert read_hooks(sign_in(bruno).post(link, {"altra": "1"}, follow=True), "notice") == ["pair_complete"]


def test_programs_of_a_pair_say_it_too(opened: Opened, anna: Player, bruno: Player, now: datetime) -> None:
    tournament = open_real(opened, PAIRS)
    annas, brunos = by_key(make_key(anna)), by_key(make_key(bruno))
    type_names(tournament, [(anna.name, "Ugo"), ("Ines", bruno.name)], now)
    address = address_of(tournament)
    assert code(send(annas, f"{address}join/", {"partner": bruno.name})) == (409, "list_refused")
    assert send(annas, f"{address}join/", {"partner": bruno.name, "another": True}).status_code == 200
    pair = {"entry": tournament.entries.get(confirmed=False).pk}
    assert code(send(brunos, f"{address}pair/accept/", pair)) == (409, "list_refused")
    assert send(brunos, f"{address}pair/accept/", {**pair, "another": True}).status_code == 200


def test_of_a_minor_nobody_is_told(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = open_real(opened)
    (entry,) = type_names(tournament, [anna.name], now)
    Person.objects.filter(memberships__entry=entry).update(initials=True)
    join = reverse("tournament-join", args=[tournament.public_id])
    assert read_hooks(sign_in(anna).post(join, follow=True), "notice") == ["entered"]
