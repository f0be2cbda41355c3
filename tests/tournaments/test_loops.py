"""One person harms nobody (AT6): loops of joining and leaving make no more rows than the caps say, and end what they
leave behind.

Each loop does its harm where a cap is taken away: the negative control of the test above it.
"""

from collections import Counter
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.lobby import actions as lobby
from games.models import FreeTable, Match, Seat
from games.selectors import count_house_only_tables
from players import caps
from players.models import Player
from players.services.halls import mark_hall
from players.services.players import create_guest
from tests.support.arrangements import arrange_once
from tests.support.html import read_hooks
from tests.support.lobby import open_free_table
from tests.support.play import OPENING, entry_of, nobody_comes, open_ready, ready
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, KO, Opened, catch_code
from tournaments import standing_offers
from tournaments.core.errors import TournamentError
from tournaments.core.refusals import describe_refusal
from tournaments.entries import house, join
from tournaments.models import Entry, Fixture, LogEntry, Tournament
from tournaments.organise import lifecycle
from tournaments.running import absences, results
from tournaments.running.withdraw import withdraw_entry

pytestmark = pytest.mark.django_db

State = Tournament.State
NO_CAP: caps.Caps = (caps.Cap(10_000, caps.DAY),)
CAP = tries((caps.Cap(2, caps.HOUR),), caps.WITHDRAWALS_A_PERSON)
CLICKS = CAP[0].most + 2


@arrange_once
def guest(db: None, now: datetime) -> Player:
    return create_guest(now=now, address="192.0.2.1")


@arrange_once
def offered(db: None, now: datetime) -> None:
    for settings in standing_offers.OFFERS:
        standing_offers.publish_offer(settings, now=now)


def click_and_leave(client: Client) -> list[str]:
    """Enter a standing offer and withdraw at once, as a script would; the codes of what the pages said."""
    page = client.post(reverse("play-offer"), follow=True)
    tournament = page.context.get("tournament")
    if tournament is None:
        return read_hooks(page, "notice")
    address = reverse("tournament-withdraw", args=[tournament.public_id])
    return read_hooks(client.post(address, follow=True), "notice")


def enter_and_leave(tournament: Tournament, player: Player, now: datetime) -> None:
    join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    join.leave_tournament(tournament_id=tournament.pk, player=player, now=now)


def play_now(player: Player, now: datetime, address: str = "192.0.2.1") -> Tournament:
    return standing_offers.enter_now(player=player, now=now, address=address)


def leave(tournament: Tournament, player: Player, now: datetime) -> None:
    entry = entry_of(tournament, player)
    withdraw_entry(tournament_id=tournament.pk, entry_id=entry.pk, by=player, reason="", now=now)
    tournament.refresh_from_db()


def test_standing_offers_in_a_loop_of_one_cookie_stop_and_leave_nothing_running_at6(
    offered: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = CAP[0].most
    monkeypatch.setattr(caps, "WITHDRAWALS_A_PERSON", CAP)
    codes = Counter(code for _ in range(CLICKS) for code in click_and_leave(client))
    assert codes == {"withdrawn": limit, "withdrew_often": CLICKS - limit}
    begun = Tournament.objects.filter(standing_offer=True).exclude(state=State.OPEN)
    assert begun.count() == limit
    assert {tournament.cancelled_because for tournament in begun} == {"nobody_left"}
    assert count_house_only_tables() == 0
    assert Player.objects.filter(kind=Player.Kind.GUEST).count() == 1


def test_without_the_cap_on_withdrawals_the_loop_goes_on_and_the_house_does_not_grow_at6(
    offered: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control; and what a tournament leaves that everybody left is used again."""
    monkeypatch.setattr(caps, "WITHDRAWALS_A_PERSON", NO_CAP)
    click_and_leave(client)
    click_and_leave(client)
    of_house = Player.objects.filter(kind=Player.Kind.HOUSE)
    before = of_house.count()
    codes = Counter(code for _ in range(CLICKS - 2) for code in click_and_leave(client))
    assert codes == {"withdrawn": CLICKS - 2}
    assert of_house.count() == before


def test_who_cleans_their_cookies_is_known_by_their_address_at6(
    offered: None, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(caps, "PLAY_NOW_AN_ADDRESS", (caps.Cap(2, caps.HOUR),))
    codes = [code for _ in range(3) for code in click_and_leave(Client(REMOTE_ADDR="192.0.2.7"))]
    assert codes == ["withdrawn"] * 2 + ["played_often"]
    assert click_and_leave(Client(REMOTE_ADDR="192.0.2.8")) == ["withdrawn"], "nobody else is kept out"


def test_an_account_is_not_counted_by_its_address_at6(
    offered: None, monkeypatch: pytest.MonkeyPatch, anna: Player, bruno: Player, now: datetime
) -> None:
    monkeypatch.setattr(caps, "PLAY_NOW_AN_ADDRESS", (caps.Cap(1, caps.HOUR),))
    for player in (anna, bruno):
        assert play_now(player, now).state == State.RUNNING


def test_in_a_hall_as_many_play_at_once_as_there_are_telephones_at6(
    offered: None, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(caps, "PLAY_NOW_AN_ADDRESS", (caps.Cap(1, caps.HOUR),))
    mark_hall(key="torneo", address="192.0.2.1", until=now + caps.HOUR)
    for _ in range(3):
        assert play_now(create_guest(now=now, address="192.0.2.1"), now).state == State.RUNNING


def test_one_person_plays_now_so_often_and_is_told_how_long_to_wait_at6(
    offered: None, anna: Player, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(caps, "PLAY_NOW_A_PERSON", (caps.Cap(2, caps.HOUR),))
    for minutes in (0, 10):
        at = now + timedelta(minutes=minutes)
        leave(play_now(anna, at), anna, at)
    at = now + timedelta(minutes=15)
    with pytest.raises(TournamentError, match="played_often") as refused:
        play_now(anna, at)
    assert refused.value.values["wait"] == timedelta(minutes=45)
    assert "45" in describe_refusal(refused.value.code, refused.value.values)
    assert play_now(anna, now + caps.HOUR).state == State.RUNNING


def test_entering_and_leaving_any_tournament_in_a_loop_stops_at6(
    opened: Opened, anna: Player, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    first, second = opened(), opened()
    monkeypatch.setattr(caps, "ENTRIES_A_PERSON", (caps.Cap(4, caps.HOUR),))
    for number in range(4):
        enter_and_leave((first, second)[number % 2], anna, now)
    rows = LogEntry.objects.count()
    for tournament in (first, second):
        entering = {"tournament_id": tournament.pk, "player": anna, "now": now}
        assert catch_code(join.enter_player, **entering) == "entered_often"
    assert LogEntry.objects.count() == rows
    join.enter_player(tournament_id=first.pk, player=anna, now=now + caps.HOUR)


def test_making_and_cancelling_tournaments_in_a_loop_stops_at6(
    organiser: Player, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(caps, "TOURNAMENTS_A_PERSON", (caps.Cap(3, caps.HOUR),))
    making = {"organiser": organiser, "settings": KO, "now": now}
    for _ in range(3):
        tournament = lifecycle.create_tournament(**making)
        lifecycle.cancel_tournament(tournament_id=tournament.pk, by=organiser, now=now)
    assert catch_code(lifecycle.create_tournament, **making) == "made_often"
    assert Tournament.objects.count() == 3
    assert lifecycle.create_tournament(**{**making, "now": now + caps.HOUR}).pk


def test_free_tables_in_a_loop_stop_at6(anna: Player, now: datetime) -> None:
    limit = caps.FREE_TABLES_A_PERSON[0].most
    for _ in range(limit):
        lobby.leave(table_id=open_free_table(anna, now).pk, player=anna, now=now)
    with pytest.raises(lobby.LobbyRefused) as refused:
        open_free_table(anna, now)
    assert (refused.value.code, refused.value.wait) == ("too_many_tables", caps.HOUR)
    assert FreeTable.objects.count() == limit


# --- A tournament nobody is left in ---------------------------------------------------------------------------------


def test_a_tournament_nobody_is_left_in_ends_with_the_tables_of_the_house_at6(
    offered: None, guest: Player, now: datetime
) -> None:
    tournament = play_now(guest, now)
    matches = open_ready(tournament, now + OPENING)
    assert count_house_only_tables() == 3
    leave(tournament, guest, now + OPENING)
    assert (tournament.state, tournament.cancelled_because) == (State.CANCELLED, "nobody_left")
    assert count_house_only_tables() == 0
    assert {match.status for match in Match.objects.filter(pk__in=[match.pk for match in matches])} == {"finished"}
    assert not Seat.objects.filter(live=True).exists()
    assert not Fixture.objects.of(tournament).filter(opens_at__isnull=False).exists()
    for match in matches:  # told again, nothing moves
        assert not results.record_result(match_id=match.pk, now=now + OPENING)


def test_while_one_person_stays_it_goes_on_at6(opened: Opened, anna: Player, bruno: Player, now: datetime) -> None:
    tournament = opened(GIRONE, house_allowed=True)
    for player in (anna, bruno):
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    house.enter_house_players(tournament_id=tournament.pk, count=2, now=now)
    leave(tournament, anna, now)
    assert tournament.state == State.RUNNING
    leave(tournament, bruno, now)
    assert (tournament.state, tournament.cancelled_because) == (State.CANCELLED, "nobody_left")


def test_people_alone_who_all_leave_end_by_the_rules_at6(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened(KO)
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    for player in four:
        tournament.refresh_from_db()
        if tournament.state == State.RUNNING:
            leave(tournament, player, now)
    assert tournament.state == State.FINISHED, "nothing of the house is left to be played"


def test_who_is_expelled_for_absence_has_left_too_at6(
    opened: Opened, anna: Player, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(absences, "MAX_FORFEITS", 1)
    tournament = opened(GIRONE, house_allowed=True, max_entries=6)
    join.enter_player(tournament_id=tournament.pk, player=anna, now=now)
    house.enter_house_players(tournament_id=tournament.pk, now=now)
    own = Entry.objects.filter(pk=entry_of(tournament, anna).pk)
    fixture = Fixture.objects.of(tournament).of_entry(own.get()).ready().get()
    Fixture.objects.of(tournament).ready().exclude(pk=fixture.pk).update(opens_at=now + timedelta(days=1))
    (match,) = open_ready(tournament, now + OPENING)
    nobody_comes(match)
    tournament.refresh_from_db()
    assert own.get().expelled
    assert (tournament.state, tournament.cancelled_because) == (State.CANCELLED, "nobody_left")


# --- Tables of the house --------------------------------------------------------------------------------------------


def test_tables_of_the_house_alone_wait_while_there_are_enough_and_no_person_does_at6(
    offered: None, guest: Player, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(caps, "MAX_HOUSE_ONLY_TABLES", 2)
    tournament = play_now(guest, now)
    at = now + OPENING
    open_ready(tournament, at)
    assert count_house_only_tables() == 2
    assert Seat.objects.filter(player=guest, live=True).exists()
    (waits,) = ready(tournament)
    assert waits.opens_at == at + caps.HOUSE_ONLY_RETRY
    assert open_ready(tournament, at) == []


def test_while_the_house_plays_at_all_its_tables_nobody_has_it_begin_more_at6(
    offered: None, guest: Player, anna: Player, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    tournament = play_now(guest, now)
    open_ready(tournament, now + OPENING)
    monkeypatch.setattr(caps, "MAX_HOUSE_ONLY_TABLES", count_house_only_tables())
    assert catch_code(play_now, player=anna, now=now) == "tables_busy"
    assert play_now(guest, now) == tournament, "who is in goes back to their own"
    leave(tournament, guest, now + OPENING)
    assert play_now(anna, now).state == State.RUNNING
