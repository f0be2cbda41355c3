"""The referee's page of a big tournament: a page of tables and fixtures, and acts on entries found by name (F4, W2)."""

import re
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.desk import send_act
from tests.support.html import read_hooks
from tests.support.play import OPENING, ready
from tests.support.standings import create_field
from tests.support.tournaments import KO, Opened
from tournaments.desk import part_queries, views
from tournaments.models import Entry, EntryMember, Fixture, Tournament
from tournaments.running.tables import open_due_fixture

pytestmark = pytest.mark.django_db
TABLES = re.compile(r'<li id="tavolo-(\d+)"')
OPTIONS = re.compile(r'<option value="(\d+)"[^>]*>[^<]')


@arrange_once
def bracket(opened: Opened, now: datetime) -> Tournament:
    return create_field(opened, KO, 16, now)


@pytest.fixture
def field(monkeypatch: pytest.MonkeyPatch, bracket: Tournament, client: Client, organiser: Player) -> Tournament:
    """Sixteen entries, which are many here; the organiser reads."""
    monkeypatch.setattr(views, "MOST_ENTRIES", 8)
    monkeypatch.setattr(part_queries, "AT_ONCE", 3)
    assert organiser.user is not None
    client.force_login(organiser.user)
    return bracket


def read(client: Client, tournament: Tournament, **query: object) -> str:
    answer = client.get(reverse("tournament-desk", args=[tournament.public_id]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def name_of(entry: int | None) -> str:
    person = EntryMember.objects.select_related("person__player").get(entry=entry).person
    assert person.player is not None
    return person.player.name


def test_tables_and_fixtures_are_shown_a_page_at_a_time_w2(client: Client, field: Tournament, now: datetime) -> None:
    for fixture in ready(field)[:5]:
        open_due_fixture(fixture_id=fixture.pk, now=now + OPENING)
    first, second = read(client, field), read(client, field, tavoli=2)
    assert "5 tavoli in corso" in first
    assert (len(TABLES.findall(first)), len(TABLES.findall(second))) == (3, 2)
    assert not set(TABLES.findall(first)) & set(TABLES.findall(second))
    assert 'href="?tavoli=2"' in first
    assert 'href="?pagina=3"' in first
    assert read(client, field, turno=9, pagina=99, tavoli="x").count('<h2 id="fixtures-title">') == 1


def test_a_suspended_table_stands_before_those_in_play_f4(client: Client, field: Tournament, now: datetime) -> None:
    matches = [open_due_fixture(fixture_id=fixture.pk, now=now + OPENING) for fixture in ready(field)[:5]]
    for match in matches:
        assert match is not None
        match.status, match.deadline_at = "playing", None
        match.paused_at = now if match == matches[-1] else None
        match.save()
    first, *_others = TABLES.findall(read(client, field))
    assert Fixture.objects.get(pk=first).match == matches[-1]
    assert TABLES.findall(read(client, field, solo="")) == [first]


def test_a_table_is_found_by_name_and_by_number_f4(client: Client, field: Tournament, now: datetime) -> None:
    fixtures = ready(field)
    for fixture in fixtures[:5]:
        open_due_fixture(fixture_id=fixture.pk, now=now + OPENING)
    wanted = fixtures[4]
    by_name = read(client, field, nome=name_of(wanted.first_id).upper())
    assert TABLES.findall(by_name) == [str(wanted.pk)]
    assert str(wanted.pk) in TABLES.findall(read(client, field, nome=str(wanted.board)))
    assert TABLES.findall(read(client, field, nome="<b>nessuno")) == []


def test_acts_choose_among_the_entries_found_by_name_f2(client: Client, field: Tournament) -> None:
    entry = Entry.objects.filter(tournament=field).order_by("pk")[4]
    before = read(client, field)
    assert 'id="atto-ritira"' not in before
    assert read_hooks(before, "note") == ["search_first"]
    found = read(client, field, nome=name_of(entry.pk))
    assert "search_first" not in read_hooks(found, "note")
    assert 'id="atto-ritira"' in found
    assert str(entry.pk) in OPTIONS.findall(found.partition('id="atto-ritira"')[2])
    url = reverse("tournament-desk", args=[field.public_id])
    data = {"what": "ritira", "entry": entry.pk, "reason": "Non viene"}
    assert send_act(client, url, {**data, "reason": ""}).status_code == 200, "nothing is lost without the search"
    assert send_act(client, url, data).status_code == 302
    entry.refresh_from_db()
    assert entry.withdrawn_at is not None
    again = read(client, field, nome=name_of(entry.pk))
    assert 'id="atto-riprendi-iscritto"' in again
