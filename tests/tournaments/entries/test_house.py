"""House players in tournaments: as many as there is room for, within their caps, in bulk (AT6, E8)."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from players.caps import MAX_HOUSE_ENTRIES
from players.models import Player
from players.services.house import prepare_house_players
from tests.support.html import read_element, read_hooks
from tests.support.people import create_person
from tests.support.threads import run_for_codes
from tests.support.tournaments import GIRONE, KO, PAIRS, Opened, catch_code
from tournaments import standing_offers
from tournaments.entries import house
from tournaments.entries.house import enter_house_players
from tournaments.entries.join import enter_player
from tournaments.entries.pairs import enter_with_house
from tournaments.models import EntryMember, LogEntry, Tournament

pytestmark = [pytest.mark.django_db]


def click(client: Client, tournament: Tournament) -> list[str]:
    """Fill a tournament with the house; the codes of what the page says."""
    response = client.post(reverse("tournament-house", args=[tournament.public_id]), follow=True)
    return read_hooks(response, "notice")


@pytest.mark.parametrize("places", [MAX_HOUSE_ENTRIES + 1, 4096])
def test_one_click_fills_no_more_than_the_cap_at6(opened: Opened, organisers: Client, places: int) -> None:
    """A click in a KO of 4,096 made as many house players one by one, in one transaction, for two minutes."""
    tournament = opened(KO, max_entries=places, house_allowed=True)
    assert click(organisers, tournament) == ["house_entered_some"]
    assert Player.objects.filter(kind=Player.Kind.HOUSE).count() == MAX_HOUSE_ENTRIES
    assert tournament.entries.count() == MAX_HOUSE_ENTRIES
    page = organisers.get(reverse("tournament", args=[tournament.public_id]))
    assert "fill" not in read_hooks(page, "action"), "there is no more to be had"
    assert click(organisers, tournament) == ["house_many"]
    assert tournament.entries.count() == MAX_HOUSE_ENTRIES


def test_as_many_as_the_cap_are_entered_by_one_click_at6(opened: Opened, organisers: Client, now: datetime) -> None:
    tournament = opened(KO, max_entries=MAX_HOUSE_ENTRIES, house_allowed=True, starts_at=now + timedelta(days=300))
    assert click(organisers, tournament) == ["house_entered"]
    assert tournament.entries.of_people().count() == 0
    assert tournament.entries.count() == MAX_HOUSE_ENTRIES
    assert LogEntry.objects.get(code="house_joined").detail == {"count": MAX_HOUSE_ENTRIES}


def test_the_cap_counts_those_who_are_in_already_and_no_people_at6(
    opened: Opened, organiser: Player, four: list[Player], now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "MAX_HOUSE_ENTRIES", 3)
    tournament = opened(KO, max_entries=8, house_allowed=True)
    for player in four:
        enter_player(tournament_id=tournament.pk, player=player, now=now)
    enter_house_players(tournament_id=tournament.pk, count=2, by=organiser, now=now)
    assert catch_code(enter_house_players, tournament_id=tournament.pk, count=2, by=organiser, now=now) == "house_many"
    assert enter_house_players(tournament_id=tournament.pk, by=organiser, now=now) == 1
    assert tournament.entries.count() == 7
    assert catch_code(enter_house_players, tournament_id=tournament.pk, by=organiser, now=now) == "house_many"


@pytest.mark.parametrize("pairs", [False, True])
def test_ten_times_as_many_are_entered_in_no_more_statements_at6(opened: Opened, now: datetime, pairs: bool) -> None:
    """However many: those that SQLite splits by the number of their values aside."""
    base = PAIRS if pairs else GIRONE
    counted = []
    for places in (6, 60):
        tournament = opened(base, max_entries=places, house_allowed=True, starts_at=now + timedelta(days=1))
        prepare_house_players(count=60 * base.seats_an_entry, now=now)
        with CaptureQueriesContext(connection) as queries:
            enter_house_players(tournament_id=tournament.pk, now=now)
        assert EntryMember.objects.filter(tournament=tournament).count() == places * base.seats_an_entry
        Tournament.objects.filter(pk=tournament.pk).update(state="finished")
        counted.append(len(queries))
    assert counted[1] - counted[0] <= (0 if connection.vendor == "postgresql" else 4)


@pytest.mark.parametrize(
    ("cap", "code"),
    [("MAX_HOUSE_PLAYERS_OF_ORGANISER", "house_of_organiser"), ("MAX_HOUSE_PLAYERS_OF_ORGANISERS", "house_busy")],
)
def test_an_organiser_and_all_of_them_have_a_share_and_the_house_the_rest_at6(
    opened: Opened, organiser: Player, now: datetime, monkeypatch: pytest.MonkeyPatch, cap: str, code: str
) -> None:
    monkeypatch.setattr(house, cap, 5)
    first, second = (opened(KO, house_allowed=True, starts_at=now + timedelta(days=1)) for _ in range(2))
    enter_house_players(tournament_id=first.pk, by=organiser, now=now)
    assert catch_code(enter_house_players, tournament_id=second.pk, by=organiser, now=now) == code
    enter_house_players(tournament_id=second.pk, count=1, by=organiser, now=now)
    Tournament.objects.filter(pk=first.pk).update(state="finished")
    enter_house_players(tournament_id=second.pk, by=organiser, now=now)
    standing_offers.publish_offer(standing_offers.OFFERS[0], now=now)
    assert Tournament.objects.get(standing_offer=True).entries.count() == 7


def test_while_all_of_the_house_play_whoever_asks_is_told_so_at6(
    opened: Opened, organisers: Client, anna: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    for settings in standing_offers.OFFERS:
        standing_offers.publish_offer(settings, now=now)
    alive = Player.objects.filter(kind=Player.Kind.HOUSE).count()
    monkeypatch.setattr("players.services.house.MAX_HOUSE_PLAYERS", alive)
    tournament = opened(KO, max_entries=2, house_allowed=True)
    assert click(organisers, tournament) == ["house_busy"]
    pairs = opened(PAIRS, house_allowed=True)
    assert catch_code(enter_with_house, tournament_id=pairs.pk, player=anna, now=now) == "house_busy"
    assert not EntryMember.objects.filter(tournament__in=(tournament, pairs)).exists()
    entered = standing_offers.enter_now(player=anna, now=now, ruleset="scopa")
    assert entered.state == Tournament.State.RUNNING, "an offer is open all the same"
    late = create_person("Elio", now)
    assert catch_code(standing_offers.enter_now, player=late, now=now, ruleset="scopa") == "house_busy"
    assert Player.objects.filter(kind=Player.Kind.HOUSE).count() == alive


def test_the_form_and_the_page_say_how_many_places_the_house_fills_at6(opened: Opened, organisers: Client) -> None:
    help_text = read_element(organisers.get(reverse("tournament-new")), "id_house_allowed_helptext")
    assert help_text is not None
    few, many = (opened(KO, max_entries=places, house_allowed=True) for places in (64, 65))
    pages = [organisers.get(reverse("tournament", args=[tournament.public_id])) for tournament in (few, many)]
    assert ["fill" in read_hooks(page, "note") for page in pages] == [False, True]
    assert all("fill" in read_hooks(page, "action") for page in pages)


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_of_many_who_fill_at_once_each_gets_others_at6(opened: Opened, now: datetime) -> None:
    tournaments = [opened(KO, house_allowed=True, starts_at=now + timedelta(days=1)) for _ in range(6)]
    run_for_codes(
        *[lambda pk=tournament.pk: enter_house_players(tournament_id=pk, now=now) for tournament in tournaments]  # type: ignore[misc]
    )
    entered = list(EntryMember.objects.values_list("person", flat=True))
    assert len(entered) == len(set(entered)) == 24


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_the_players_are_made_before_the_tournament_is_locked_at7(opened: Opened, now: datetime) -> None:
    tournament = opened(KO, house_allowed=True)
    with CaptureQueriesContext(connection) as queries:
        enter_house_players(tournament_id=tournament.pk, count=2, now=now)
    statements = [query["sql"] for query in queries]
    made = [number for number, sql in enumerate(statements) if sql.startswith('INSERT INTO "players_')]
    entered = [number for number, sql in enumerate(statements) if sql.startswith('INSERT INTO "tournaments_')]
    ends = [number for number, sql in enumerate(statements) if sql == "COMMIT"]
    assert made
    assert any(max(made) < end < min(entered) for end in ends)
