"""A big tournament is shown a part at a time: a round, a page of it, an entry by name, and one's own fixture on top."""

import re
from dataclasses import replace
from datetime import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.models import Player
from tests.support.html import drop_layout
from tests.support.standings import QUIET, create_field
from tests.support.tournaments import GIRONE, KO, Opened
from tournaments.core.rows import PageRequest
from tournaments.models import EntryMember, Fixture, Tournament
from tournaments.pages import tournament_part
from tournaments.standings import ranking_pages

pytestmark = pytest.mark.django_db
DRAWN = re.compile(r'<article class="fixture')


@pytest.fixture
def bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the bounds, so that a small tournament counts as big."""
    for name, value in (
        ("MOST_ENTRIES", 8),
        ("MAX_FIXTURES_DRAWN_WHOLE", 20),
        ("FIXTURES_PER_PAGE", 4),
        ("ENTRIES_PER_PAGE", 6),
        ("MAX_BRACKET_FIXTURES", 4),
    ):
        monkeypatch.setattr(tournament_part, name, value)
    monkeypatch.setattr(ranking_pages, "PAGE_ENTRIES", 6)


def read(client: Client, tournament: Tournament, name: str = "tournament", **query: object) -> str:
    answer = client.get(reverse(name, args=[tournament.public_id]), query)
    assert answer.status_code == 200
    return drop_layout(answer.content.decode())


@pytest.mark.rule("W2")
def test_a_big_bracket_is_shown_round_by_round(client: Client, bounds: None, opened: Opened, now: datetime) -> None:
    tournament = create_field(opened, KO, 32, now)
    first = read(client, tournament)
    assert len(DRAWN.findall(first)) == 4
    assert first.count('href="?turno=') >= 5
    assert 'href="?turno=1&amp;pagina=2"' in first
    last = read(client, tournament, turno=1, pagina=99)
    assert "n. 16" in last
    assert "n. 1<" not in last
    later = read(client, tournament, turno=3)  # four fixtures: from here on the bracket
    assert len(DRAWN.findall(later)) == 4 + 2 + 1
    assert 'class="bracket"' in later
    assert read(client, tournament, turno="x", pagina="-1").count('aria-current="step"') == 1


@pytest.mark.rule("W2", "EV4")
def test_of_a_big_double_knockout_a_late_round_is_shown_with_all_that_follows_in_both_brackets(
    client: Client, bounds: None, opened: Opened, now: datetime
) -> None:
    tournament = create_field(opened, replace(KO, format="doppio", min_entries=3), 16, now)
    first = read(client, tournament)
    assert len(DRAWN.findall(first)) == 4
    later = read(client, tournament, turno=2)  # four fixtures above, four below, and so on
    assert len(DRAWN.findall(later)) == 4 + 4 + 4 + 2 + 2 + 2 + 1 + 1 + 1 + 1
    assert later.count('class="bracket"') == 2
    assert "chi perde: Vincenti, turno 2, n. 4" in later


@pytest.mark.rule("W2")
def test_an_entry_of_a_big_tournament_is_found_by_name(
    client: Client, bounds: None, opened: Opened, now: datetime
) -> None:
    for base in (KO, GIRONE):
        tournament = create_field(opened, base, 16, now)
        player = EntryMember.objects.filter(tournament=tournament).select_related("person__player")[7].person.player
        page = read(client, tournament, nome=player.name.upper())
        assert len(DRAWN.findall(page)) == 1
        assert player.name in page
        assert len(DRAWN.findall(read(client, tournament, nome="<b>nessuno"))) == 0
        Tournament.objects.filter(pk=tournament.pk).update(state="cancelled")


@pytest.mark.rule("W2")
def test_ones_own_fixture_stands_on_top(client: Client, bounds: None, opened: Opened, now: datetime) -> None:
    for base in (KO, GIRONE):
        tournament = create_field(opened, base, 16, now)
        last = Fixture.objects.filter(round__tournament=tournament, round__number=1).order_by("-board")[0]
        player = EntryMember.objects.get(entry=last.first_id).person.player
        client.force_login(player.user)
        page = read(client, tournament)
        assert page.count("fixture-mine") == 1
        assert page.index("fixture-mine") < page.index('id="part-title"')
        Tournament.objects.filter(pk=tournament.pk).update(state="cancelled")


@pytest.mark.rule("W2")
def test_a_big_girone_is_shown_round_by_round(client: Client, bounds: None, opened: Opened, now: datetime) -> None:
    tournament = create_field(opened, GIRONE, 20, now)
    page = read(client, tournament)
    assert len(DRAWN.findall(page)) == 4
    assert '<select id="turno" name="turno">' in page  # 19 rounds are too many for links
    assert 'class="cross"' not in page
    assert reverse("tournament-print", args=[tournament.public_id, "incrociata"]) in page
    groups = create_field(
        opened, replace(GIRONE, format="gironi", min_entries=4, format_options={"groups": 2, "qualify": 2}), 16, now
    )
    assert len(DRAWN.findall(read(client, groups))) == 4
    assert 'class="bracket"' in read(client, groups, turno=8)


@pytest.mark.rule("W2")
def test_a_long_list_of_entries_has_pages_and_a_search(
    client: Client, bounds: None, opened: Opened, now: datetime
) -> None:
    tournament = create_field(opened, KO, 16, now, draw=False)
    names = list(EntryMember.objects.filter(tournament=tournament).values_list("person__player__name", flat=True))
    page = read(client, tournament)
    assert [name in page for name in names] == [True] * 6 + [False] * 10
    assert "16/17" in page
    assert names[15] in read(client, tournament, pagina=3)
    assert names[12] in read(client, tournament, nome=names[12])
    assert "Ancora nessuno" not in read(client, tournament, nome="nessuno")


@pytest.mark.rule("W2")
def test_the_frame_shows_a_part_and_keeps_its_theme(
    client: Client, bounds: None, opened: Opened, now: datetime
) -> None:
    tournament = create_field(opened, KO, 16, now)
    frame = read(client, tournament, "tournament-embed", tema="scuro", lingua="en")
    assert len(DRAWN.findall(frame)) == 4
    assert 'href="?tema=scuro&amp;lingua=en&amp;turno=2" target="_self"' in frame
    assert '<input type="hidden" name="tema" value="scuro">' in frame


def test_the_part_of_a_bracket_takes_as_many_queries_whatever_its_size(
    client: Client, bounds: None, opened: Opened, organiser: Player, now: datetime
) -> None:
    counts = []
    for size in (16, 64):
        tournament = create_field(opened, KO, size, now)
        player = EntryMember.objects.filter(tournament=tournament).select_related("person__player").first()
        assert player is not None
        query_counts = []
        for wanted in (PageRequest(), PageRequest(name="Ospite"), PageRequest(turn=1, number=2)):
            for reader in (None, organiser, player.person.player):
                with CaptureQueriesContext(connection) as captured:
                    tournament_part.read_part(tournament, reader, wanted)
                query_counts.append(sum(not query["sql"].startswith(QUIET) for query in captured.captured_queries))
        counts.append(query_counts)
    assert counts[0] == counts[1]
    assert max(counts[0]) < 20
