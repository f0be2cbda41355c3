"""Standing offers that the house keeps open for visitors, and the demonstration that begins them."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.models import Match, Seat
from players.house_titles import HOUSE_TITLES
from players.models import Player
from players.services.players import create_guest
from tests.support.arrangements import arrange_once
from tests.support.html import read_hooks
from tests.support.play import open_ready
from tests.support.tournaments import GIRONE, KO, PAIRS, Opened
from tournaments import standing_offers, sweep
from tournaments.core import reads
from tournaments.core.errors import TournamentError
from tournaments.entries import join, pairs
from tournaments.entries.house import enter_house_players
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.organise.settings import Settings
from tournaments.pages import tournament_page
from tournaments.running import results
from tournaments.standings import ranking_pages

pytestmark = [pytest.mark.django_db]

State = Tournament.State


@arrange_once
def guest(db: None, now: datetime) -> Player:
    return create_guest(now=now, address="192.0.2.1")


@arrange_once
def offered(db: None, now: datetime) -> None:
    for settings in standing_offers.OFFERS:
        standing_offers.publish_offer(settings, now=now)


@pytest.mark.parametrize("standing", [True, False])
def test_the_houses_offers_give_beginners_more_time_for_their_first_card_and_no_other_tournament_does(
    offered: None, guest: Player, now: datetime, standing: bool
) -> None:
    tournament = standing_offers.enter_now(player=guest, now=now, ruleset="scopa")
    Tournament.objects.filter(pk=tournament.pk).update(standing_offer=standing)
    open_ready(tournament, now + timedelta(minutes=1))
    seat = Seat.objects.get(player=guest)
    assert (seat.beginner, seat.match.beginners) == (standing, standing << seat.number)


def test_an_offer_is_full_house_players_but_for_one_seat(offered: None) -> None:
    sizes = {("ko", "scopa"): 8, ("girone", "tresette"): 6, ("ko", "tresette"): 4, ("ko", "asso-piglia-tutto"): 4}
    sizes |= {("ko", "briscola"): 4, ("ko", "scopone"): 4}
    for tournament in Tournament.objects.filter(state=State.OPEN, standing_offer=True):
        members = EntryMember.objects.filter(tournament=tournament).select_related("person__player")
        places = sizes.pop((tournament.format, tournament.ruleset)) - 1
        assert tournament.entries.count() == places
        assert len(members) == places * tournament.seats_an_entry
        assert all(member.person.player.is_house for member in members)
    assert sizes == {}


def test_who_clicks_is_dealt_cards_within_the_pause_and_one_sweep(offered: None, guest: Player, now: datetime) -> None:
    tournament = standing_offers.enter_now(player=guest, now=now)
    assert (tournament.state, tournament.format, tournament.pause) == (State.RUNNING, "ko", 3)
    matches = open_ready(tournament, now + timedelta(seconds=3))
    assert len(matches) == 4
    mine = Seat.objects.get(player=guest).match
    assert mine.status == Match.Status.WAITING, "the opponent is there, they aren't yet"
    others = Match.objects.exclude(pk=mine.pk)
    assert {match.status for match in others} == {Match.Status.PLAYING}


def test_who_clicks_again_comes_back_to_the_tournament_they_are_in(offered: None, guest: Player, now: datetime) -> None:
    first = standing_offers.enter_now(player=guest, now=now)
    assert standing_offers.enter_now(player=guest, now=now) == first
    assert EntryMember.objects.filter(person__player=guest).count() == 1


def test_who_is_out_of_the_bracket_plays_again_elsewhere(
    offered: None, guest: Player, now: datetime, client: Client
) -> None:
    first = standing_offers.enter_now(player=guest, now=now)
    open_ready(first, now + timedelta(seconds=3))
    mine = Seat.objects.get(player=guest)
    client.force_login(guest.user)
    page = reverse("tournament", args=[first.public_id])
    assert "play_again" not in read_hooks(client.get(page), "action"), "they still play"
    line = 1 - mine.number % 2
    Match.objects.filter(pk=mine.match_id).update(status="finished", winner=line, margin=1, decided_by="points")
    results.record_result(match_id=mine.match_id, now=now)
    assert "play_again" in read_hooks(client.get(page), "action")
    after = reverse("after-match", args=[mine.match.public_id])
    assert "play_again" in read_hooks(client.get(after), "action"), "it needs no way back to the tournament"
    assert "play_again" not in read_hooks(Client().get(after), "action")
    again = standing_offers.enter_now(player=guest, now=now)
    assert again != first
    assert standing_offers.enter_now(player=guest, now=now) == again


def test_a_game_may_be_asked_for(offered: None, guest: Player, now: datetime) -> None:
    tournament = standing_offers.enter_now(player=guest, now=now, ruleset="tresette")
    assert (tournament.format, tournament.ruleset) == ("girone", "tresette")


def test_the_sweep_puts_a_filled_offer_out_again(offered: None, guest: Player, now: datetime) -> None:
    assert list(sweep.list_offer_work(now)) == []
    standing_offers.enter_now(player=guest, now=now)
    assert list(sweep.list_offer_work(now)) == [0]
    sweep.keep_offers_open(0, now)
    assert list(sweep.list_offer_work(now)) == []
    assert Tournament.objects.filter(standing_offer=True, state=State.OPEN).count() == len(standing_offers.OFFERS)


def test_where_the_house_never_offered_anything_nothing_is_put_out(guest: Player, now: datetime) -> None:
    assert list(sweep.list_offer_work(now)) == []
    standing_offers.keep_offer_open(now=now)
    assert not Tournament.objects.exists()
    with pytest.raises(TournamentError, match="no_offer"):
        standing_offers.enter_now(player=guest, now=now)


def test_looking_for_missing_offers_is_one_query_while_all_are_open(
    offered: None, now: datetime, django_assert_num_queries: object
) -> None:
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert standing_offers.list_missing_offers() == ()


def test_the_houses_tournaments_are_named_in_the_readers_language(offered: None) -> None:
    names = {
        settings.name
        for settings in (*standing_offers.OFFERS, standing_offers.SHOWCASE, standing_offers.SHORT_SHOWCASE)
    }
    assert names == set(HOUSE_TITLES)
    english = Client(headers={"accept-language": "en"})
    page = english.get(reverse("home")).content.decode()
    assert "Quick Scopa knockout" in page
    assert not [name for name in names if name in page]
    named = Tournament.objects.get(name="KO veloce di scopa")
    page = english.get(reverse("tournament", args=[named.public_id])).content.decode()
    assert "<h1>Quick Scopa knockout</h1>" in page
    assert "KO veloce di scopa" in Client().get(reverse("home")).content.decode()


def test_the_demonstration_is_made_once(db: None) -> None:
    out = StringIO()
    call_command("demo", "--if-empty", stdout=out)
    assert all(offer.name in out.getvalue() for offer in standing_offers.OFFERS)
    open_now = Tournament.objects.filter(state=State.OPEN, standing_offer=True)
    assert sorted(open_now.values_list("format", flat=True)) == ["girone", *["ko"] * 5]
    shows = Tournament.objects.filter(state=State.RUNNING)
    assert {show.name for show in shows} == {"Girone della casa", "KO lampo della casa"}
    assert all(entry.house for show in shows for entry in reads.read_entries(show).values())
    before = Tournament.objects.count()
    call_command("demo", "--if-empty", stdout=out)
    assert Tournament.objects.count() == before


def test_house_players_are_ranked_out_of_competition_where_several_people_are_in_e8(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(GIRONE, house_allowed=True)
    for player in (anna, bruno):
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    enter_house_players(tournament_id=tournament.pk, count=2, now=now)
    tournament.refresh_from_db()
    for rank, entry in enumerate(Entry.objects.filter(tournament=tournament).order_by("-pk"), start=1):
        Entry.objects.filter(pk=entry.pk).update(rank=rank, played=1)
    rows = tournament_page.read_page(tournament, anna).standings.rows
    assert [(row.rank, row.place, row.out_of_competition) for row in rows] == [
        (1, None, True),
        (2, None, True),
        (3, 1, False),
        (4, 2, False),
    ]


@pytest.mark.parametrize("base", [GIRONE, KO])
def test_no_page_paper_or_file_gives_the_house_a_rank_e8(
    opened: Opened, anna: Player, bruno: Player, client: Client, now: datetime, base: Settings
) -> None:
    """The house stands first and third, the people are first and second among themselves (E8)."""
    tournament = opened(base, house_allowed=True, max_entries=4)
    for player in (anna, bruno):
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    enter_house_players(tournament_id=tournament.pk, count=2, now=now)
    house = list(tournament.entries.exclude(members__person__player__in=(anna, bruno)))
    own = {player.pk: tournament.entries.get(members__person__player=player) for player in (anna, bruno)}
    for rank, entry in enumerate((house[0], own[anna.pk], house[1], own[bruno.pk]), start=1):
        Entry.objects.filter(pk=entry.pk).update(rank=rank, played=1)
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    names = set(Player.objects.filter(person__memberships__entry__in=house).values_list("name", flat=True))
    for address in (
        reverse("tournament", args=[tournament.public_id]),
        reverse("tournament-embed", args=[tournament.public_id]),
        reverse("standings", args=[tournament.public_id]),
        reverse("ranks", args=[tournament.public_id]),
        reverse("tournament-print", args=[tournament.public_id, "classifica"]),
    ):
        text = client.get(address).content.decode()
        assert "1º" in text, address
        assert "2º" in text, address
        assert "3º" not in text.replace("per il 3º posto", ""), address
        assert "4º" not in text, address
        own_page = address == reverse("tournament", args=[tournament.public_id])
        assert own_page or text.count("f.c.</abbr>") >= 2, address
    text = client.get(reverse("tournament", args=[tournament.public_id])).content.decode()
    assert "Al primo posto: Anna" in text
    assert "La casa gioca fuori classifica" in text
    rows = client.get(f"/api/v1/tournaments/{tournament.public_id}/").json()["standings"]
    assert [(row["rank"], row["overall"]) for row in rows] == [(None, 1), (1, 2), (None, 3), (2, 4)]
    assert {row["entry"]["name"] for row in rows if row["rank"] is None} == names


def test_the_only_person_among_the_house_is_not_told_that_they_came_first_e8(
    offered: None, guest: Player, client: Client, now: datetime
) -> None:
    tournament = standing_offers.enter_now(player=guest, now=now)
    own = EntryMember.objects.get(person__player=guest, tournament=tournament).entry
    Entry.objects.filter(tournament=tournament).update(rank=5, played=1)
    Entry.objects.exclude(pk=own.pk).filter(tournament=tournament, seed=own.seed % 8 + 1).update(rank=1)
    rows = tournament_page.read_page(tournament, guest).standings.rows
    assert [row.rank for row in rows if row.mine] == [5]
    assert {row.place for row in rows} == {None}
    client.force_login(guest.user)
    text = client.get(reverse("tournament", args=[tournament.public_id])).content.decode()
    (mine,) = re.findall(r'<tr class="mine">.*?</tr>', text, re.DOTALL)
    assert not re.search("[0-9]º", mine)
    assert text.count("f.c.</abbr>") == 7


def test_a_person_who_is_out_early_has_a_place_behind_the_people_still_in_e8(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    """A KO of eight, two of them people: the entries still in have no rank, and are no more than four."""
    tournament = opened(replace(KO, max_entries=8, house_allowed=True))
    for player in four[:2]:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    enter_house_players(tournament_id=tournament.pk, count=6, now=now)
    own = EntryMember.objects.get(person__player=four[0], tournament=tournament).entry
    Entry.objects.filter(tournament=tournament).update(played=1)
    Entry.objects.filter(pk=own.pk).update(rank=5)
    tournament.refresh_from_db()
    rows = [row for row in tournament_page.read_page(tournament, four[0]).standings.rows if row.mine]
    assert [(row.rank, row.place) for row in rows] == [(5, 2)]
    assert [row.place for row in ranking_pages.read_ranking_page(tournament, four[0]).rows if row.mine] == [2]


def test_who_asks_for_a_pair_plays_at_once_with_a_partner_of_the_house(
    offered: None, guest: Player, now: datetime
) -> None:
    tournament = standing_offers.enter_now(player=guest, now=now, seats=2)
    assert (tournament.state, tournament.seats_an_entry, tournament.ruleset) == (State.RUNNING, 2, "tresette")
    own = EntryMember.objects.get(person__player=guest, tournament=tournament).entry
    assert [member.person.player.is_house for member in own.members.all()] == [False, True]
    open_ready(tournament, now + timedelta(seconds=3))
    seats = list(Seat.objects.get(player=guest).match.seats.values_list("player__kind", flat=True))
    assert sorted(seats) == ["guest", "house", "house", "house"]
    (entry,) = [entry for entry in reads.read_entries(tournament).values() if guest.pk in entry.player_ids]
    assert not entry.house, "a pair with a person in it is in competition"


def test_who_organises_for_the_house_plays_for_nobody(
    offered: None, opened: Opened, anna: Player, organiser: Player, now: datetime
) -> None:
    club = Player.objects.get(name="Il Circolo")
    for base in (KO, PAIRS):
        tournament = opened(base, house_allowed=True, max_entries=4)
        enter_house_players(tournament_id=tournament.pk, count=3, now=now)
    pairs.enter_with_house(tournament_id=tournament.pk, player=anna, now=now)
    assert EntryMember.objects.filter(tournament__organiser=organiser).count() == 3 + 6 + 2
    assert not EntryMember.objects.filter(person__player=club).exists()
