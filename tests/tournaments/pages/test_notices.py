"""Notices where something isn't as a reader may expect: called off, not to be watched, no place yet, no way in."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match
from games.selectors import find_awaited_table
from games.services.seating import sit_down
from players import caps
from players.models import Player
from tests.support.entries import fill_sit_and_go
from tests.support.html import read_element, read_error_codes, read_hooks
from tests.support.pages import get_tournament_page
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, PAIRS, Opened
from tournaments.core import errors
from tournaments.entries import join, pairs
from tournaments.entries.house import enter_house_players
from tournaments.models import Entry, Fixture, Tournament
from tournaments.organise import lifecycle, settings
from tournaments.pages import tournament_page
from tournaments.running.tables import open_due_fixture

pytestmark = pytest.mark.django_db
LATER = timedelta(minutes=1)


def as_(player: Player) -> Client:
    client = Client()
    client.force_login(player.user)
    return client


def opened_tables(tournament: Tournament, now: datetime) -> None:
    for fixture in Fixture.objects.filter(round__tournament=tournament, opens_at__isnull=False):
        open_due_fixture(fixture_id=fixture.pk, now=now + LATER)


@pytest.mark.parametrize("base", [KO, PAIRS], ids=["single", "pairs"])
def test_where_guests_are_not_allowed_a_visitor_reads_how_to_get_in(
    client: Client, opened: Opened, base: settings.Settings
) -> None:
    text = get_tournament_page(client, opened(base, guests_allowed=False))
    assert "ospite" not in text
    assert (read_hooks(text, "note"), read_hooks(text, "action")) == (["account_needed", "be_first"], [])
    here = text.partition("Per iscriverti serve un account.")[2].partition("</p>")[0]
    assert reverse("account_login") in here
    assert reverse("account_signup") in here
    allowed = read_hooks(get_tournament_page(client, opened(base)), "action")
    assert allowed == ([] if base is PAIRS else ["enter_as_guest"])


def test_a_link_to_a_pair_leads_a_visitor_to_an_account_where_one_is_needed(
    client: Client, opened: Opened, anna: Player, now: datetime
) -> None:
    tournament = opened(PAIRS, guests_allowed=False)
    entry = pairs.enter_pair(tournament_id=tournament.pk, player=anna, partner=None, now=now)
    text = client.get(reverse("pair-link", args=[tournament.public_id, entry.token])).content.decode()
    assert "ospite" not in text
    assert read_hooks(text, "note") == ["partner_asks", "account_needed"]


def test_a_tournament_that_was_called_off_says_so_first_also_at_the_table(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four[:2], now)
    opened_tables(tournament, now)
    table = Match.objects.get()
    anna = as_(four[0])
    address = reverse("table", args=[table.public_id])
    assert not read_element(anna.get(address), "called-off")
    assert read_hooks(get_tournament_page(anna, tournament), "note") == ["table_open", "table_left"]
    lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, reason="Neve", now=now + LATER)
    now_panel = get_tournament_page(anna, tournament).partition('class="panel now"')[2].partition("</section>")[0]
    assert read_hooks(now_panel, "note") == ["cancelled", "by_organiser", "cancelled_reason", "match_for_nothing"]
    assert "non conta più niente" in now_panel
    assert address in now_panel
    assert read_element(anna.get(address), "called-off")
    table.status = Match.Status.FINISHED
    table.save()
    assert read_hooks(get_tournament_page(anna, tournament), "note") == [
        "cancelled",
        "by_organiser",
        "cancelled_reason",
    ]


@pytest.mark.rule("G8", "W1")
def test_who_is_awaited_reads_how_long_on_every_page_and_who_has_come_reads_it_nowhere(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four[:2], now, noshow_after=120)
    anna = as_(four[0])
    before = get_tournament_page(anna, tournament)
    assert "noshow_loses" in read_hooks(before, "note")
    assert "hai 2 minuti per sederti" in before
    opened_tables(tournament, now)
    table = Match.objects.get()
    address = reverse("table", args=[table.public_id])
    page = get_tournament_page(anna, tournament)
    assert read_hooks(page, "awaited-table") == [address]
    assert "table_left" in read_hooks(page, "note")
    for text in (page, anna.get(reverse("home")).content.decode()):
        banner = text.partition('id="table-banner"')[2].partition("</nav>")[0]
        assert "data-countdown" in banner.partition("Siediti al tavolo")[0]
    assert find_awaited_table(four[0].pk) == (address, table.shown_title, True, table.noshow_at)
    sit_down(match_id=table.pk, player_id=four[0].pk, token="", now=now + LATER)
    sit_down(match_id=table.pk, player_id=four[0].pk, token="x" * 8, now=now + LATER)
    page = get_tournament_page(anna, tournament)
    assert (read_hooks(page, "awaited-table"), read_hooks(page, "countdown")) == ([], [])
    assert address in page


def test_who_waits_reads_why_they_may_not_watch_the_other_tables_n4(
    opened: Opened, four: list[Player], client: Client, now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, four, now)
    opened_tables(tournament, now)
    assert Match.objects.count() == 2
    own = read_hooks(get_tournament_page(as_(four[0]), tournament), "note")
    assert "no_watching" not in own, "they have a table of their own"
    Fixture.objects.filter(match__seats__player=four[0]).update(state=Fixture.State.DONE)
    assert "no_watching" in read_hooks(get_tournament_page(as_(four[0]), tournament), "note")
    assert "no_watching" not in read_hooks(get_tournament_page(client, tournament), "note")


@pytest.mark.parametrize("house", [0, 3])
def test_nobody_has_a_place_in_a_girone_before_a_match_is_over(
    opened: Opened, anna: Player, bruno: Player, now: datetime, house: int
) -> None:
    tournament = opened(GIRONE, house_allowed=True, max_entries=4)
    for player in (anna, bruno)[: 1 if house else 2]:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    enter_house_players(tournament_id=tournament.pk, count=4, now=now)
    tournament.refresh_from_db()
    rows = tournament_page.read_page(tournament, anna).standings.rows
    assert len(rows) == 4
    assert {(row.rank, row.place) for row in rows} == {(None, None)}
    assert "1º" not in get_tournament_page(as_(anna), tournament)
    entry = Entry.objects.get(members__person__player=anna)
    Entry.objects.filter(tournament=tournament).update(played=1, rank=1)
    Entry.objects.filter(pk=entry.pk).update(rank=4)
    (own,) = [row for row in tournament_page.read_page(tournament, anna).standings.rows if row.mine]
    assert (own.rank, own.place) == (4, None if house else 2)


def test_out_of_competition_is_explained_only_where_the_house_plays(
    opened: Opened, four: list[Player], now: datetime, client: Client
) -> None:
    tournament = fill_sit_and_go(opened, four, now, base=GIRONE)
    assert "fuori classifica" not in get_tournament_page(client, tournament)
    mixed = opened(GIRONE, house_allowed=True, max_entries=4)
    for player in four[:2]:
        join.enter_player(tournament_id=mixed.pk, player=player, now=now)
    enter_house_players(tournament_id=mixed.pk, count=4, now=now)
    assert "I giocatori della casa sono fuori classifica (f.c.):" in get_tournament_page(client, mixed)


def test_a_start_in_another_year_is_shown_with_its_year(client: Client, opened: Opened) -> None:
    today = timezone.localdate()
    soon = opened()
    this_year, next_year = (datetime(year, 7, 4, 19, tzinfo=UTC) for year in (today.year, today.year + 1))
    Tournament.objects.filter(pk=soon.pk).update(starts_at=this_year)
    assert f"· {today.year}" not in get_tournament_page(client, soon)
    Tournament.objects.filter(pk=soon.pk).update(starts_at=next_year)
    assert f"· {today.year + 1}" in get_tournament_page(client, soon)
    assert f"· {today.year + 1}" in client.get(reverse("tournaments")).content.decode()
    assert f"4 lug {today.year + 1}" in client.get(reverse("home")).content.decode()


def test_one_organiser_has_only_so_many_tournaments_that_have_not_begun(
    opened: Opened, organiser: Player, anna: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "MAX_UNDRAWN_TOURNAMENTS", tries(4, caps.MAX_UNDRAWN_TOURNAMENTS))
    for _ in range(caps.MAX_UNDRAWN_TOURNAMENTS - 1):
        last = opened()
    lifecycle.create_tournament(organiser=organiser, settings=KO, now=now)  # a draft counts too
    with pytest.raises(errors.TournamentError, match="too_many_open"):
        opened()
    lifecycle.create_tournament(organiser=anna, settings=KO, now=now)
    client = as_(organiser)
    data = {name: str(getattr(KO, name)) for name in ("name", "format", "ruleset", "length_kind", "length_value")}
    data |= {"seats_an_entry": "1", "turn_timeout": "60", "match_clock": "900", "noshow_after": "300"}
    data |= {"start": "full", "min_entries": "2", "max_entries": "4", "publish": ""}
    refused = client.post(reverse("tournament-new"), data)
    assert read_error_codes(refused) == {"__all__": ["too_many_open"]}
    text = refused.content.decode()
    assert f"Hai già {caps.MAX_UNDRAWN_TOURNAMENTS} tornei non ancora cominciati" in text
    lifecycle.cancel_tournament(tournament_id=last.pk, by=organiser, now=now)
    assert client.post(reverse("tournament-new"), data).status_code == 302


def test_play_now_says_before_that_the_table_needs_javascript(client: Client) -> None:
    hero = client.get(reverse("home")).content.decode().partition(reverse("play-now"))[2].partition("</section>")[0]
    assert "<noscript>" in hero
    assert "JavaScript" in hero
