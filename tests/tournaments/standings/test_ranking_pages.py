"""The standings a page at a time: the same ranks and places as all of them at once, for any reader, and by name."""

from datetime import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bench.stage import people
from players.models import Player
from tests.support.people import create_person
from tests.support.play import OPENING, abandon, open_ready
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.entries import join
from tournaments.entries.house import enter_house_players
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.organise.settings import Settings
from tournaments.pages import tournament_page
from tournaments.running import results
from tournaments.standings import ranking_pages

pytestmark = pytest.mark.django_db


def begun(opened: Opened, base: Settings, people: int, house: int, now: datetime) -> Tournament:
    """A tournament with one round over."""
    tournament = opened(base, max_entries=people + house, house_allowed=house > 0)
    for number in range(people):
        join.enter_player(tournament_id=tournament.pk, player=create_person(f"Linea {number}", now), now=now)
    if house:
        enter_house_players(tournament_id=tournament.pk, count=house, now=now)
    tournament.refresh_from_db()
    for match in open_ready(tournament, now + OPENING):
        abandon(match, 0, now + OPENING)
        results.record_result(match_id=match.pk, now=now + OPENING)
    tournament.refresh_from_db()
    return tournament


@pytest.mark.rule("E8", "R2")
@pytest.mark.parametrize(("base", "house"), [(GIRONE, 0), (KO, 3), *tries([], [(KO, 0), (GIRONE, 3)])])
def test_the_pages_together_are_the_standings(
    opened: Opened, base: Settings, house: int, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = begun(opened, base, 5, house, now)
    monkeypatch.setattr(ranking_pages, "PAGE_ENTRIES", 3)
    for reader in (None, *Player.objects.filter(name__startswith="Linea")):
        pages = [ranking_pages.read_ranking_page(tournament, reader, number=number) for number in (1, 2, 3)]
        rows = [row for page in pages[: pages[0].pages] for row in page.rows]
        assert tuple(rows) == tournament_page.read_page(tournament, reader).standings.rows
        own = [page.number for page in pages if any(row.mine for row in page.rows)]
        assert pages[0].own == (own[0] if own else None)


def test_who_is_looked_for_is_found_by_a_part_of_their_name_and_keeps_their_rank(opened: Opened, now: datetime) -> None:
    tournament = begun(opened, GIRONE, 4, 0, now)
    ranks = (
        ranking_pages.read_ranking_page(tournament, None, name="LINÉA 2").rows
        or ranking_pages.read_ranking_page(tournament, None, name="linea 2").rows
    )
    assert [row.entry.name for row in ranks] == ["Linea 2"]
    assert ranks[0].rank == Entry.objects.get(members__person__player__name="Linea 2").rank
    assert ranking_pages.read_ranking_page(tournament, None, name="nessuno").total == 0


def test_the_page_needs_no_account_and_bears_any_address(opened: Opened, client: Client, now: datetime) -> None:
    tournament = begun(opened, GIRONE, 4, 0, now)
    url = reverse("ranks", args=[tournament.public_id])
    for query in ("", "?pagina=7", "?pagina=-1", "?pagina=²", "?pagina=9999999999", "?nome=%00", "?nome=" + "x" * 500):
        assert client.get(url + query).status_code == 200, query
    page = client.get(url, {"nome": "<script>"}).content.decode()
    assert "<script>»" not in page
    assert "&lt;script&gt;" in page
    undrawn = opened()
    assert client.get(reverse("ranks", args=[undrawn.public_id])).status_code == 404


def test_a_page_takes_the_same_queries_however_many_entries_there_are(
    opened: Opened, client: Client, now: datetime
) -> None:
    tournament = begun(opened, GIRONE, 3, 2, now)
    url = reverse("ranks", args=[tournament.public_id])
    counts = []
    for more in (0, 250):
        entries = Entry.objects.bulk_create(
            [Entry(tournament=tournament, created_at=now, seed=100 + n, rank=9) for n in range(more)]
        )
        EntryMember.objects.bulk_create(
            [
                EntryMember(entry=e, tournament=tournament, person=p.person)
                for e, p in zip(entries, people(more), strict=True)
            ]
        )
        with CaptureQueriesContext(connection) as queries:
            assert client.get(url).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12
