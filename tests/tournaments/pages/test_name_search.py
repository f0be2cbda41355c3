"""The search of a name in a big tournament finds who was replaced, too, and says who left (F2, R5, W2)."""

import re
from datetime import datetime
from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Player
from tests.support.desk import build_act, replace_by
from tests.support.html import drop_layout
from tests.support.people import create_person
from tests.support.standings import create_field
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core.name_search import search_entries
from tournaments.desk import part_queries, views
from tournaments.models import Entry, Tournament
from tournaments.organise.settings import Settings
from tournaments.pages import tournament_part
from tournaments.running import withdraw
from tournaments.standings import ranking_pages

pytestmark = pytest.mark.django_db
# What a page shows of each entry it finds: its fixture of the round, or its row of the standings.
FOUND = {
    "tournament": re.compile(r'<article class="fixture.*?</article>'),
    "ranks": re.compile(r"(?<=<tbody>)<tr.*?</tr>(?=</tbody>)"),
}

EVERYWHERE = pytest.mark.parametrize(
    ("address", "base"), tries([("tournament", KO), ("ranks", GIRONE)], list(product(FOUND, (KO, GIRONE))))
)


@pytest.fixture(autouse=True)
def bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the bounds, so that a small tournament counts as big."""
    monkeypatch.setattr(tournament_part, "MOST_ENTRIES", 8)
    monkeypatch.setattr(tournament_part, "MAX_FIXTURES_DRAWN_WHOLE", 20)
    monkeypatch.setattr(tournament_part, "MAX_BRACKET_FIXTURES", 4)
    monkeypatch.setattr(views, "MOST_ENTRIES", 8)
    monkeypatch.setattr(part_queries, "AT_ONCE", 3)


def read(client: Client, tournament: Tournament, address: str, name: str) -> str:
    answer = client.get(reverse(address, args=[tournament.public_id]), {"nome": name})
    assert answer.status_code == 200
    return drop_layout(answer.content.decode())


def replace(tournament: Tournament, entry: Entry, name: str, by: Player, now: datetime) -> Player:
    """Put the player of that name, who may be new, in the place of the entry's own. Return who went."""
    if not Player.objects.filter(name=name).exists():
        create_person(name, now)
    out = entry.members.select_related("person__player").get().require_player()
    replace_by(tournament, entry.pk, out, Player.objects.get(name=name), build_act(by, now))
    return out


@EVERYWHERE
def test_who_was_replaced_is_found_with_who_came_in_their_place_f2(
    client: Client, opened: Opened, organiser: Player, now: datetime, base: Settings, address: str
) -> None:
    tournament = create_field(opened, base, 16, now)
    entry = Entry.objects.filter(tournament=tournament).order_by("pk")[12]
    old = replace(tournament, entry, "Nives", organiser, now)
    shown = read(client, tournament, address, old.name.upper())
    assert f"{old.name}: sostituito da Nives" in shown
    assert shown.count("data-replaced=") == 1
    (row,) = FOUND[address].findall(shown)
    assert "Nives" in row
    by_newcomer = read(client, tournament, address, "nives")
    assert len(FOUND[address].findall(by_newcomer)) == 1
    assert "data-replaced=" not in by_newcomer
    client.cookies["django_language"] = "en"
    assert f"{old.name}: replaced by Nives" in read(client, tournament, address, old.name)


def test_the_referee_finds_who_was_replaced_f2(
    client: Client, opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = create_field(opened, KO, 16, now)
    entry = Entry.objects.filter(tournament=tournament).order_by("pk")[12]
    old = replace(tournament, entry, "Nives", organiser, now)
    assert organiser.user is not None
    client.force_login(organiser.user)
    shown = read(client, tournament, "tournament-desk", old.name)
    assert f"{old.name}: sostituito da Nives" in shown
    assert f'<option value="{entry.pk}"' in shown
    assert re.search(r"Nives\s+contro|contro\s+Nives", shown), "the entry's fixture"


@pytest.mark.parametrize(("expelled", "mark"), tries([(True, "escluso")], [(False, "ritirato"), (True, "escluso")]))
@EVERYWHERE
def test_an_entry_that_left_is_found_with_its_mark_r5(
    client: Client,
    opened: Opened,
    organiser: Player,
    now: datetime,
    base: Settings,
    address: str,
    expelled: bool,
    mark: str,
) -> None:
    tournament = create_field(opened, base, 16, now)
    entry = Entry.objects.filter(tournament=tournament).order_by("pk")[12]
    name = entry.members.select_related("person__player").get().require_player().name
    assert f">{mark}<" not in read(client, tournament, address, name)
    withdraw.withdraw_entry(
        tournament_id=tournament.pk, entry_id=entry.pk, by=organiser, reason="Via", now=now, expelled=expelled
    )
    (row,) = FOUND[address].findall(read(client, tournament, address, name))
    assert f">{mark}<" in row
    assert organiser.user is not None
    client.force_login(organiser.user)
    assert f">{mark}<" in read(client, tournament, "tournament-desk", name)


def test_every_step_from_who_was_looked_for_to_who_plays_now_is_named_f2(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    tournament = create_field(opened, KO, 4, now)
    entry = Entry.objects.filter(tournament=tournament).order_by("pk")[1]
    old = replace(tournament, entry, "Nives", organiser, now)
    replace(tournament, entry, "Olga", organiser, now)
    entries, replaced = search_entries(tournament, old.name)
    assert [found.pk for found in entries] == [entry.pk]
    assert [(one.old, one.new) for one in replaced] == [(old.name, "Nives"), ("Nives", "Olga")]
    replace(tournament, entry, old.name, organiser, now)
    entries, replaced = search_entries(tournament, old.name)
    assert [found.pk for found in entries] == [entry.pk]
    assert replaced == (), "they are back in their place"
    assert [(one.old, one.new) for one in search_entries(tournament, "nives")[1]] == [
        ("Nives", "Olga"),
        ("Olga", old.name),
    ]


def test_a_name_without_letters_and_digits_is_nobodys(opened: Opened, now: datetime) -> None:
    tournament = create_field(opened, KO, 4, now)
    assert search_entries(tournament, " . ")[0].count() == 0
    assert search_entries(tournament, "")[0].count() == 4


def test_the_search_takes_as_many_queries_however_many_were_replaced(
    opened: Opened, organiser: Player, now: datetime
) -> None:
    counts = []
    for size, gone in ((4, 1), (16, 9)):
        tournament = create_field(opened, KO, size, now)
        names = [f"Nives {size} {'abcdefghi'[number]}" for number in range(gone)]
        chosen = Entry.objects.filter(tournament=tournament).order_by("pk")[:gone]
        old = [replace(tournament, entry, name, organiser, now) for entry, name in zip(chosen, names, strict=True)]
        for name in (old[0].name, "Ospite", "nessuno"):
            with CaptureQueriesContext(connection) as queries:
                list(search_entries(tournament, name)[0])
                ranking_pages.read_ranking_page(tournament, None, name=name)
            counts.append((name == "nessuno", name == "Ospite", len(queries)))
        Tournament.objects.filter(pk=tournament.pk).update(state="cancelled")
    assert counts[:3] == counts[3:]
