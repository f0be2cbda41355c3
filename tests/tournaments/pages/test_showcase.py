"""The table in the window of the front page: never more than its own page shows that reader (W3, N4)."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games import table_views
from games.engine.game import Length
from games.models import FreeTable, Match
from games.selectors import find_viewpoint
from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.entries import enter_all
from tests.support.html import read_hooks
from tests.support.lobby import begin_at
from tests.support.people import create_person, give_address, sign_in
from tests.support.play import OPENING, open_ready, sit_down
from tests.support.play import play as play_match
from tests.support.tables import again
from tests.support.tables import play as play_card
from tests.support.tournaments import KO, Opened
from tournaments import standing_offers
from tournaments.core.shared_reads import forget_shared_reads
from tournaments.entries import house, join
from tournaments.models import Tournament
from tournaments.pages.showcase import Showcase, read_showcase

pytestmark = pytest.mark.django_db


def look(player: Player | None, now: datetime) -> Showcase | None:
    forget_shared_reads()
    return read_showcase(player, now)


def play_cards(match: Match, count: int, now: datetime) -> None:
    for _ in range(count):
        play_card(match, max(now, again(match).turn_from or now))


def deals_played(match: Match) -> int:
    return match.deals.filter(finished=True).count()


@arrange_once
def established(now: datetime) -> Player:
    ottavia = create_person("Ottavia", now)
    give_address(ottavia)
    return Player.objects.get(pk=ottavia.pk)


@arrange_once
def two_deals(opened: Opened, four: list[Player], now: datetime) -> tuple[Tournament, Match, Player, Player]:
    """A KO of which one table is over and one in its second deal; and who won and who lost at the first."""
    tournament = enter_all(opened(KO, length_value=2), four, now)
    over, running = open_ready(tournament, now + OPENING)
    play_match(over, now + OPENING)
    over.refresh_from_db()
    sit_down(running, now + OPENING)
    while not deals_played(running):
        play_cards(running, 1, now + OPENING)
    play_cards(running, 5, now + OPENING)
    assert over.winner is not None
    pair = [seat.player for seat in over.seats.order_by("number")]
    return tournament, again(running), pair[over.winner], pair[1 - over.winner]


@pytest.mark.rule("W3")
def test_each_reader_is_shown_what_the_tables_own_page_shows_them(
    two_deals: tuple[Tournament, Match, Player, Player], established: Player, now: datetime
) -> None:
    _, running, winner, loser = two_deals
    for reader, late in ((None, True), (loser, True), (established, False)):
        show = look(reader, now)
        assert show is not None
        assert (show.public_id, show.late, show.deal) == (running.public_id, late, 1 if late else 2)
        view = table_views.build_table_view(running, find_viewpoint(running, reader, now).viewer, now)
        on_table = [card["card"] for card in view["table"]]
        assert list(show.cards) == (on_table or [card["card"] for card in view["last"]["cards"]])
        assert [side.points for side in show.sides] == view["score"]
    assert look(winner, now) is None, "they may still meet who plays there"
    for seat in running.seats.all():
        assert look(seat.player, now) is None, "their own table"


@pytest.mark.rule("W3")
def test_of_a_first_deal_who_sees_it_late_is_shown_no_card_whatever_is_played(
    opened: Opened, four: list[Player], established: Player, now: datetime
) -> None:
    (running, _) = open_ready(enter_all(opened(KO), four, now), now + OPENING)
    sit_down(running, now + OPENING)
    before = look(None, now)
    assert before is not None
    assert (before.hidden, before.cards, before.stock, before.deal) == (True, (), 0, None)
    play_cards(running, 7, now + OPENING)
    assert look(None, now) == before, "nothing of it depends on the running deal"
    live = look(established, now)
    assert live is not None
    assert not live.hidden


@pytest.mark.rule("B7")
def test_private_tables_stand_in_no_window(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    match = begin_at([anna, bruno], now, ruleset="scopa", length=Length("deals", 1), public=False)
    assert match.status == Match.Status.PLAYING
    assert look(None, now) is None, "only its link leads there"
    FreeTable.objects.filter(match=match).update(public=True)
    assert look(None, now) is not None
    Match.objects.filter(pk=match.pk).update(training=True)
    assert look(None, now) is None
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)
    tournament = opened(KO, house_allowed=True, length_value=2)
    Player.objects.filter(pk=organiser.pk).update(created_at=tournament.created_at)
    join.enter_player(tournament_id=tournament.pk, player=organiser, now=now)
    house.enter_house_players(tournament_id=tournament.pk, now=now)
    for running in open_ready(tournament, now + OPENING):
        sit_down(running, now + OPENING)
    assert look(None, now) is None, "a new account's, with the house alone"
    Player.objects.filter(pk=organiser.pk).update(created_at=now - timedelta(days=99))
    assert look(None, now) is not None


def test_people_stand_before_the_house_and_what_can_be_seen_before_what_cannot(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    tables = open_ready(standing_offers.start_showcase(now=now), now + OPENING)
    for table in tables:
        sit_down(table, now + OPENING)
    of_house = {table.public_id for table in tables}
    alone = look(None, now)
    assert alone is not None
    assert (alone.public_id in of_house, alone.only_house, alone.late) == (True, True, False)
    running, _ = open_ready(enter_all(opened(KO), four, now), now + OPENING)
    sit_down(running, now + OPENING)
    seen = look(None, now)
    assert seen is not None
    assert seen.public_id in of_house, "of the people's nothing can be seen yet"
    free = begin_at([create_person("Elsa", now), create_person("Furio", now)], now, ruleset="scopa")
    people = look(None, now)
    assert people is not None
    assert people.public_id == free.public_id


def test_its_address_answers_with_nothing_where_nothing_is_new(anna: Player, bruno: Player, now: datetime) -> None:
    client, url = Client(), reverse("showcase")
    empty = client.get(url)
    assert "no_showcase" in read_hooks(empty, "note")
    match = begin_at([anna, bruno], now, ruleset="scopa", length=Length("deals", 1))
    forget_shared_reads()
    page = client.get(reverse("home"))
    assert read_hooks(page, "showcase") == [match.public_id]
    opponents, table = read_hooks(page, "seen")
    seen = table + opponents
    assert client.get(url, {"visto": seen}).status_code == 204
    play_cards(match, 1, now)
    forget_shared_reads()
    fresh = client.get(url, {"visto": seen})
    assert (fresh.status_code, read_hooks(fresh, "showcase")) == (200, [match.public_id])
    assert "no-store" in fresh["Cache-Control"]
    assert read_hooks(sign_in(anna).get(url), "showcase") == [], "their own table isn't one to watch"
