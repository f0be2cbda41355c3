"""Many at once (H7): the last free seat, the standing offers, one result told by several. Each with real threads.

SQLite has one writer, so only on PostgreSQL can the guard be taken away to see the test fail without it.
"""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection, transaction

from games.models import Match
from players import caps
from players.models import Player
from players.services.close_account import close_account
from players.services.players import create_guest
from tests.support.locks import somebody_waits
from tests.support.people import create_person
from tests.support.play import OPENING, nobody_comes, open_ready
from tests.support.threads import run_for_codes
from tests.support.tournaments import PAIRS, Opened
from tests.support.waiting import PATIENCE, until
from tournaments import standing_offers
from tournaments.entries import import_list
from tournaments.entries import join as entries_join
from tournaments.entries.import_list import add_names, import_entries
from tournaments.entries.invitations import accept_invitation, take_invitation_back
from tournaments.entries.join import create_entry, enter_player
from tournaments.entries.pairs import confirm_pair, enter_pair
from tournaments.lists.spreadsheet import Row
from tournaments.models import Entry, EntryMember, LogEntry, PlayInvitation, Tournament
from tournaments.running import results, tables
from tournaments.running.start import start_due

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

CROWD = 20


def crowd(now: datetime) -> list[Player]:
    return [create_person(f"Giocatore {n}", now) for n in range(CROWD)]


def join(tournament: Tournament, player: Player, now: datetime) -> Callable[[], Any]:
    return lambda: enter_player(tournament_id=tournament.pk, player=player, now=now)


def test_of_twenty_who_want_the_last_seats_four_get_them(opened: Opened, now: datetime) -> None:
    tournament = opened(max_entries=4)
    got = run_for_codes(*[join(tournament, player, now) for player in crowd(now)])
    assert Counter(type(entry) is Entry for entry in got) == {True: 4, False: CROWD - 4}
    assert {entry for entry in got if type(entry) is str} <= {"full", "registration_closed"}
    assert Entry.objects.filter(tournament=tournament).count() == 4
    assert LogEntry.objects.filter(tournament=tournament, code="drawn").count() == 1
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.RUNNING


def test_without_the_lock_more_get_in_than_there_is_room_for(
    opened: Opened, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control of the test above: the count is read before anybody else has committed."""
    if connection.vendor == "sqlite":
        assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE", "the guard there is"
        return
    tournament = opened(max_entries=2, starts_at=now.replace(year=now.year + 1))
    enter_player(tournament_id=tournament.pk, player=create_person("Primo", now), now=now)
    together = 6  # each holds a connection of the pool
    gate = Barrier(together, timeout=PATIENCE)

    def unlocked(tournament_id: int) -> Tournament:
        return Tournament.objects.get(pk=tournament_id)

    enter = create_entry

    def all_have_counted(*arguments: Any) -> Entry:
        gate.wait()
        return enter(*arguments)

    monkeypatch.setattr(entries_join, "lock_tournament", unlocked)
    monkeypatch.setattr(entries_join, "create_entry", all_have_counted)
    run_for_codes(*[join(tournament, player, now) for player in crowd(now)[:together]])
    assert Entry.objects.filter(tournament=tournament).count() > tournament.max_entries


def test_who_clicks_twice_is_entered_once(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = opened(max_entries=8)
    got = run_for_codes(*[join(tournament, anna, now)] * 8)
    assert Counter(got)["already_entered"] == 7
    assert EntryMember.objects.filter(tournament=tournament, person__player=anna).count() == 1


def test_of_several_visitors_at_once_each_gets_a_standing_offer_of_their_own(now: datetime) -> None:
    for settings in standing_offers.OFFERS:
        standing_offers.publish_offer(settings, now=now)
    guests = [create_guest(now=now, address=f"192.0.2.{n}") for n in range(5)]
    codes = run_for_codes(*[lambda guest=guest: standing_offers.enter_now(player=guest, now=now) for guest in guests])
    assert all(type(tournament) is Tournament for tournament in codes), codes
    assert len({tournament.pk for tournament in codes}) == len(guests)
    for tournament in codes:
        assert tournament.state == Tournament.State.RUNNING
        assert Entry.objects.filter(tournament=tournament).count() == tournament.max_entries
    house = EntryMember.objects.filter(
        person__player__kind=Player.Kind.HOUSE, tournament__state__in=("open", "running")
    )
    assert max(Counter(house.values_list("person__player_id", flat=True)).values()) == 1, (
        "the house sits in one place at a time"
    )


def test_several_sweepers_put_one_offer_out(now: datetime) -> None:
    for settings in standing_offers.OFFERS:
        standing_offers.publish_offer(settings, now=now)
    guest = create_guest(now=now, address="192.0.2.1")
    standing_offers.enter_now(player=guest, now=now)
    run_for_codes(*[lambda: standing_offers.keep_offer_open(now=now)] * 6)
    open_now = Tournament.objects.filter(standing_offer=True, state=Tournament.State.OPEN)
    assert sorted(open_now.values_list("format", "ruleset")) == sorted(
        (offer.format, offer.ruleset) for offer in standing_offers.OFFERS
    )


def test_a_result_told_by_many_at_once_counts_once(
    opened: Opened, anna: Player, bruno: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = opened(max_entries=2)
    for player in (anna, bruno):
        entries_join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    (match,) = open_ready(tournament, now + OPENING)
    with monkeypatch.context() as nobody_listens:
        nobody_listens.setattr("tournaments.receivers.record_result", lambda **arguments: False)
        nobody_comes(match)
    assert Match.objects.get(pk=match.pk).status == Match.Status.FINISHED
    got = run_for_codes(*[lambda: results.record_result(match_id=match.pk, now=now)] * 8)
    assert Counter(got) == {True: 1, False: 7}
    assert LogEntry.objects.filter(tournament=tournament, code="result").count() == 1
    assert LogEntry.objects.filter(tournament=tournament, code="finished").count() == 1


def test_a_table_opened_by_many_at_once_opens_once(opened: Opened, anna: Player, bruno: Player, now: datetime) -> None:
    tournament = opened(max_entries=2)
    for player in (anna, bruno):
        entries_join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    fixture = tournament.rounds.get().fixtures.get()
    at = now + OPENING
    got = run_for_codes(*[lambda: tables.open_due_fixture(fixture_id=fixture.pk, now=at)] * 8)
    assert len([match for match in got if match is not None]) == 1
    assert Match.objects.count() == 1


def test_a_link_taken_by_many_at_once_makes_one_pair_e1(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = opened(PAIRS)
    entry = enter_pair(tournament_id=tournament.pk, player=anna, partner=None, now=now)

    def take(player: Player) -> Callable[[], Any]:
        return lambda: confirm_pair(tournament_id=tournament.pk, player=player, token=entry.token, now=now)

    got = run_for_codes(*[take(player) for player in crowd(now)[:8]])
    assert Counter(type(answer) is Entry for answer in got) == {True: 1, False: 7}
    assert {answer for answer in got if type(answer) is str} == {"invitation_gone"}
    assert EntryMember.objects.filter(tournament=tournament).count() == 2


def test_two_who_ask_each_other_at_once_are_one_pair_e1(
    opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(PAIRS)

    def ask(player: Player, partner: Player) -> Callable[[], Any]:
        return lambda: enter_pair(tournament_id=tournament.pk, player=player, partner=partner.name, now=now)

    run_for_codes(*[ask(anna, bruno), ask(bruno, anna)])
    (entry,) = Entry.objects.filter(tournament=tournament)
    assert entry.confirmed
    assert {member.person.player for member in entry.members.all()} == {anna, bruno}


def test_who_says_yes_to_two_pairs_at_once_is_in_one_e1(
    opened: Opened, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    tournament = opened(PAIRS)
    pairs = [enter_pair(tournament_id=tournament.pk, player=guest, partner="Carla", now=now) for guest in (anna, bruno)]

    def agree(entry: Entry) -> Callable[[], Any]:
        return lambda: confirm_pair(tournament_id=tournament.pk, player=carla, entry_id=entry.pk, now=now)

    got = run_for_codes(*[agree(pair) for pair in pairs] * 3)
    assert Counter(type(answer) is Entry for answer in got)[True] == 1
    assert EntryMember.objects.filter(tournament=tournament, person__player=carla).count() == 1
    assert Entry.objects.filter(tournament=tournament, confirmed=True).count() == 1


def test_an_account_closes_in_the_very_moment_of_a_draw(opened: Opened, now: datetime) -> None:
    """The closing account found the tournament open, and waits for its lock while it is drawn."""
    rosa, gino = create_person("Rosa", now), create_person("Gino", now)
    start = now + timedelta(minutes=1)
    tournament = opened(starts_at=start, max_entries=4)
    for player in (rosa, gino):
        entries_join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    held = Event()

    def draw() -> None:
        with transaction.atomic():
            assert start_due(tournament_id=tournament.pk, now=start)
            held.set()
            until(somebody_waits)

    def close() -> None:
        held.wait(PATIENCE)
        close_account(player_id=rosa.pk, now=start)

    assert run_for_codes(*[draw, close]) == [None, None]
    tournament.refresh_from_db()
    rosa.refresh_from_db()
    assert (tournament.state, rosa.name[:8]) == ("running", "Ex socio")
    assert EntryMember.objects.filter(tournament=tournament, person__player=rosa).exists(), (
        "what she doesn't come to is lost"
    )


def test_a_pair_that_accepts_at_the_same_instant_is_one_entry_e3(
    opened: Opened, organiser: Player, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(PAIRS, starts_at=now + timedelta(hours=1))
    add_names(tournament_id=tournament.pk, by=organiser, row=Row(1, "Anna", "Bruno"), now=now)
    invitation = tournament.invitations.get()

    def accept(player: Player) -> Callable[[], Any]:
        about = {"tournament_id": tournament.pk, "invitation_id": invitation.pk, "now": now}
        return lambda: accept_invitation(player=player, **about)

    def take_back() -> Any:
        about = {"tournament_id": tournament.pk, "invitation_id": invitation.pk, "now": now}
        return take_invitation_back(by=organiser, **about)

    run_for_codes(accept(anna), accept(bruno), accept(anna), take_back)
    invitation.refresh_from_db()
    members = EntryMember.objects.filter(tournament=tournament).count()
    assert (invitation.outcome, members) in (("accepted", 2), ("taken_back", 0))


CAP = 2


def invite_from_two(opened: Opened, organiser: Player, now: datetime) -> int:
    """Invite as many as one person may, in each of two tournaments at once; the invitations there are."""
    rows = [Row(number, create_person(f"Invitato {number}", now).name) for number in range(1, CAP + 1)]
    two = [opened(max_entries=8, starts_at=now + timedelta(hours=1)) for _ in range(2)]

    def invite(tournament: Tournament) -> Callable[[], Any]:
        return lambda: import_entries(tournament_id=tournament.pk, by=organiser, rows=rows, now=now)

    run_for_codes(*map(invite, two))
    return PlayInvitation.objects.open().count()


def test_invitations_from_two_tournaments_at_once_are_counted_together_at6(
    opened: Opened, organiser: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "OPEN_INVITATIONS_AN_ORGANISER", CAP)
    assert invite_from_two(opened, organiser, now) == CAP


def test_without_the_inviters_lock_there_are_more_than_allowed_at6(
    opened: Opened, organiser: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control of the test above: each has counted before the other has committed."""
    if connection.vendor == "sqlite":
        assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE", "the guard there is"
        return
    monkeypatch.setattr(caps, "OPEN_INVITATIONS_AN_ORGANISER", CAP)
    gate = Barrier(2, timeout=PATIENCE)
    create = import_list.create_invitations

    def both_have_counted(*arguments: Any) -> list[int]:
        gate.wait()
        return create(*arguments)

    monkeypatch.setattr(import_list, "lock_inviter", lambda _by: None)
    monkeypatch.setattr(import_list, "create_invitations", both_have_counted)
    assert invite_from_two(opened, organiser, now) == 2 * CAP
