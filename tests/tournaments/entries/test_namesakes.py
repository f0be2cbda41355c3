"""Accounts whose name was typed already are asked whether they are another of that name (O2)."""

from datetime import datetime

import pytest
from django.urls import reverse

from players.models import Person, Player
from tests.support.html import read_hooks
from tests.support.keys import address_of, by_key, code, make_key, send
from tests.support.people import sign_in
from tests.support.real_tables import open_real, type_names
from tests.support.tournaments import Opened
from tournaments.core.reads import read_entries
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


def test_of_a_minor_nobody_is_told(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = open_real(opened)
    (entry,) = type_names(tournament, [anna.name], now)
    Person.objects.filter(memberships__entry=entry).update(initials=True)
    join = reverse("tournament-join", args=[tournament.public_id])
    assert read_hooks(sign_in(anna).post(join, follow=True), "notice") == ["entered"]
