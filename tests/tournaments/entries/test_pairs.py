"""Pairs: entered by one, confirmed by the other (E1), seated face to face (R1, G2), one entry in all (G8)."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games.models import Match, Seat
from games.services import seating
from players import caps
from players.models import Player
from players.services.blocks import block_player
from players.services.house import create_house_player
from players.services.players import create_guest
from tests.support import play as running
from tests.support.arrangements import arrange_once
from tests.support.people import create_person
from tests.support.tables import opened as free_table
from tests.support.tournaments import PAIRS, Opened, catch_code
from tournaments import sweep
from tournaments.core import reads, rows
from tournaments.entries import join, pair_holds, seeding
from tournaments.entries import queries as entries_queries
from tournaments.entries.house import enter_house_players
from tournaments.entries.pairs import (
    confirm_pair,
    decline_pair,
    enter_pair,
    enter_with_house,
    invite_partner,
)
from tournaments.models import Entry, EntryMember, Fixture, LogEntry, Tournament
from tournaments.organise import lifecycle, settings
from tournaments.pages import tournament_page
from tournaments.running.start import start_due

pytestmark = [pytest.mark.django_db]

State = Tournament.State


def ask(tournament: Tournament, player: Player, partner: str | None, now: datetime) -> Entry:
    return enter_pair(tournament_id=tournament.pk, player=player, partner=partner, now=now)


def paired(tournament: Tournament, players: list[Player], now: datetime) -> Tournament:
    """Enter the players two by two, each pair by name and confirmed."""
    for one, other in zip(players[::2], players[1::2], strict=True):
        entry = ask(tournament, one, other.name, now)
        confirm_pair(tournament_id=tournament.pk, player=other, entry_id=entry.pk, now=now)
    tournament.refresh_from_db()
    return tournament


@arrange_once
def eight(four: list[Player], now: datetime) -> list[Player]:
    return [*four, *(create_person(name, now) for name in ("Elena", "Fabio", "Gina", "Ugo"))]


# --- Entering ------------------------------------------------------------------------------------------------------


@arrange_once
def pairs(opened: Opened) -> Tournament:
    """A tournament of pairs that is open to entries."""
    return opened(PAIRS)


def test_a_pair_is_entered_by_one_and_confirmed_by_the_other_e1(
    pairs: Tournament, anna: Player, bruno: Player, now: datetime
) -> None:
    entry = ask(pairs, anna, " bRUNO ", now)
    assert [(invitation.by, invitation.entry_id) for invitation in entries_queries.list_invitations(bruno)] == [
        ("Anna", entry.pk)
    ]
    (row,) = reads.read_entries(pairs).values()
    assert (row.name, row.pending) == ("Anna", True), "whom she asks is nobody else's business"
    confirm_pair(tournament_id=pairs.pk, player=bruno, entry_id=entry.pk, now=now)
    (row,) = reads.read_entries(pairs).values()
    assert (row.name, row.pending, row.player_ids) == ("Anna – Bruno", False, (anna.pk, bruno.pk))
    assert entries_queries.list_invitations(bruno) == ()
    assert catch_code(ask, tournament=pairs, player=bruno, partner=None, now=now) == "already_entered"


def test_a_link_is_good_for_whoever_takes_it_first_e1(
    pairs: Tournament, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    entry = ask(pairs, anna, None, now)
    assert len(entry.token) == 32
    about: dict[str, Any] = {"tournament_id": pairs.pk, "token": entry.token, "now": now}
    assert catch_code(confirm_pair, player=anna, **about) == "partner_is_you"
    assert catch_code(confirm_pair, player=bruno, **{**about, "token": ""}) == "invitation_gone"
    confirm_pair(player=bruno, **about)
    assert catch_code(confirm_pair, player=carla, **about) == "invitation_gone"


@pytest.mark.rule("B6")
@pytest.mark.parametrize("asks", [True, False])
def test_nobody_completes_the_pair_of_who_blocks_them_neither_by_link_nor_by_name(
    pairs: Tournament, anna: Player, bruno: Player, now: datetime, asks: bool
) -> None:
    entry = ask(pairs, anna, "Bruno" if asks else None, now)
    about = {"entry_id": entry.pk} if asks else {"token": entry.token}
    block_player(player=anna, blocked=bruno, now=now)
    refused = catch_code(confirm_pair, tournament_id=pairs.pk, player=bruno, now=now, **about)
    assert refused == "invitation_gone", "which says nothing of a block"


def test_who_was_asked_by_name_alone_may_say_yes(
    pairs: Tournament, anna: Player, carla: Player, bruno: Player, now: datetime
) -> None:
    entry = ask(pairs, anna, "Bruno", now)
    assert entry.token == ""
    refused = {"tournament_id": pairs.pk, "player": carla, "entry_id": entry.pk, "now": now}
    assert catch_code(confirm_pair, **refused) == "invitation_gone"
    assert catch_code(decline_pair, **refused) == "invitation_gone"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Nessuno", "partner_unknown"),
        ("", "partner_unknown"),
        ("\u202e", "partner_unknown"),
        ("Anna", "partner_is_you"),
        ("Zia Assunta", "partner_is_house"),
        ("Dino", "partner_entered"),
    ],
)
def test_who_cannot_be_a_partner_is_refused_by_name(
    opened: Opened, four: list[Player], now: datetime, name: str, code: str
) -> None:
    create_house_player(now=now, name="Zia Assunta")
    tournament = opened(PAIRS)
    paired(tournament, four[2:], now)
    assert catch_code(ask, tournament=tournament, player=four[0], partner=name, now=now) == code
    assert Entry.objects.count() == 1


def test_guests_are_partners_only_where_guests_are_allowed_e3(opened: Opened, anna: Player, now: datetime) -> None:
    guest = create_guest(now=now, address="192.0.2.1")
    closed = opened(PAIRS, guests_allowed=False)
    assert catch_code(ask, tournament=closed, player=anna, partner=guest.name, now=now) == "partner_is_guest"
    link = ask(closed, anna, None, now)
    by_link = {"tournament_id": closed.pk, "player": guest, "token": link.token, "now": now}
    assert catch_code(confirm_pair, **by_link) == "guests_not_allowed"
    free = opened(PAIRS)
    entry = ask(free, anna, guest.name, now)
    assert confirm_pair(tournament_id=free.pk, player=guest, entry_id=entry.pk, now=now).confirmed


def test_single_players_and_pairs_are_kept_apart(opened: Opened, anna: Player, now: datetime) -> None:
    pairs, singles = opened(PAIRS), opened()
    assert catch_code(join.enter_player, tournament_id=pairs.pk, player=anna, now=now) == "needs_partner"
    assert catch_code(ask, tournament=singles, player=anna, partner=None, now=now) == "not_pairs"


def test_asking_back_who_asks_is_saying_yes(pairs: Tournament, anna: Player, bruno: Player, now: datetime) -> None:
    entry = ask(pairs, anna, "Bruno", now)
    assert ask(pairs, bruno, "Anna", now) == entry
    assert Entry.objects.get().confirmed


def test_who_says_yes_gives_up_the_pair_they_were_waiting_for(
    pairs: Tournament, anna: Player, bruno: Player, now: datetime
) -> None:
    ask(pairs, bruno, None, now)
    entry = ask(pairs, anna, "Bruno", now)
    confirm_pair(tournament_id=pairs.pk, player=bruno, entry_id=entry.pk, now=now)
    assert list(Entry.objects.values_list("pk", flat=True)) == [entry.pk]


def test_who_is_asked_may_say_no_and_another_is_asked(
    pairs: Tournament, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    entry = ask(pairs, anna, "Bruno", now)
    decline_pair(tournament_id=pairs.pk, player=bruno, entry_id=entry.pk, now=now)
    assert entries_queries.read_waiting(pairs, anna) == rows.Waiting(None, "", entry.expires_at)
    invite_partner(tournament_id=pairs.pk, player=anna, partner="Carla", now=now)
    late = {"tournament_id": pairs.pk, "player": bruno, "entry_id": entry.pk, "now": now}
    assert catch_code(confirm_pair, **late) == "invitation_gone"
    confirm_pair(tournament_id=pairs.pk, player=carla, entry_id=entry.pk, now=now)
    assert catch_code(invite_partner, tournament_id=pairs.pk, player=anna, partner=None, now=now) == "pair_complete"
    assert catch_code(invite_partner, tournament_id=pairs.pk, player=bruno, partner=None, now=now) == "not_entered"


def test_a_new_link_makes_the_old_one_worthless(pairs: Tournament, anna: Player, bruno: Player, now: datetime) -> None:
    old = ask(pairs, anna, None, now).token
    invite_partner(tournament_id=pairs.pk, player=anna, partner=None, now=now)
    taken = {"tournament_id": pairs.pk, "player": bruno, "token": old, "now": now}
    assert catch_code(confirm_pair, **taken) == "invitation_gone"
    assert entries_queries.find_asker_by_link(pairs, old) is None


def test_nobody_is_pestered_with_invitations(pairs: Tournament, anna: Player, bruno: Player, now: datetime) -> None:
    ask(pairs, anna, "Bruno", now)
    again = {"tournament_id": pairs.pk, "player": anna, "partner": "Bruno"}
    for _ in range(caps.PARTNERS_ASKED_AN_HOUR - 1):
        invite_partner(now=now, **again)
    assert catch_code(invite_partner, now=now, **again) == "too_many_invitations"
    invite_partner(now=now + timedelta(hours=1), **again)


def test_either_of_a_pair_takes_it_out_until_the_draw(
    pairs: Tournament, anna: Player, bruno: Player, now: datetime
) -> None:
    paired(pairs, [anna, bruno], now)
    join.leave_tournament(tournament_id=pairs.pk, player=bruno, now=now)
    assert not EntryMember.objects.exists()


def test_the_house_enters_in_pairs_and_as_a_partner_e8(opened: Opened, anna: Player, now: datetime) -> None:
    tournament = opened(PAIRS, house_allowed=True)
    ask(tournament, anna, None, now)
    enter_with_house(tournament_id=tournament.pk, player=anna, now=now)
    assert catch_code(enter_with_house, tournament_id=tournament.pk, player=anna, now=now) == "already_entered"
    enter_house_players(tournament_id=tournament.pk, count=8, now=now)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    entries = list(reads.read_entries(tournament).values())
    assert [len(entry.player_ids) for entry in entries] == [2] * 4
    assert sorted(entry.house for entry in entries) == [False, True, True, True]
    assert len({player for entry in entries for player in entry.player_ids}) == 8
    closed = opened(PAIRS)
    assert catch_code(enter_with_house, tournament_id=closed.pk, player=anna, now=now) == "house_not_allowed"


# --- Waiting -------------------------------------------------------------------------------------------------------


def test_a_pair_that_waits_holds_a_place_but_fills_nothing(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = opened(PAIRS, max_entries=2)
    paired(tournament, four[:2], now)
    entry = ask(tournament, four[2], "Dino", now)
    tournament.refresh_from_db()
    assert tournament.state == State.OPEN
    late = create_person("Elena", now)
    assert catch_code(ask, tournament=tournament, player=late, partner=None, now=now) == "full"
    confirm_pair(tournament_id=tournament.pk, player=four[3], entry_id=entry.pk, now=now)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING


def test_in_a_sit_and_go_the_place_is_given_up_in_time(
    pairs: Tournament, anna: Player, bruno: Player, now: datetime
) -> None:
    entry = ask(pairs, anna, "Bruno", now)
    over = now + pair_holds.SIT_AND_GO_HOLD
    assert list(sweep.list_overdue_pairs(over - timedelta(seconds=1))) == []
    late = {"tournament_id": pairs.pk, "player": bruno, "entry_id": entry.pk, "now": over}
    assert catch_code(confirm_pair, **late) == "invitation_gone", "even before the sweep comes by"
    assert list(sweep.list_overdue_pairs(over)) == [pairs.pk]
    sweep.expire_holds(pairs.pk, over)
    assert not Entry.objects.exists()
    assert LogEntry.objects.filter(code="pair_expired").count() == 1
    assert list(sweep.list_overdue_pairs(over)) == []


def test_with_an_hour_the_place_is_held_until_the_draw_which_leaves_the_unconfirmed_out(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    start = now + timedelta(days=7)
    tournament = opened(PAIRS, starts_at=start)
    paired(tournament, four, now)
    waiting = ask(tournament, create_person("Elena", now), None, now)
    assert waiting.expires_at is None
    start_due(tournament_id=tournament.pk, now=start)
    tournament.refresh_from_db()
    assert tournament.state == State.RUNNING
    assert Entry.objects.filter(tournament=tournament).count() == 2
    assert LogEntry.objects.filter(code="pair_unconfirmed").count() == 1


def test_pairs_that_nobody_confirmed_do_not_make_up_the_minimum_e5(
    opened: Opened, anna: Player, bruno: Player, carla: Player, now: datetime
) -> None:
    start = now + timedelta(hours=1)
    tournament = opened(PAIRS, starts_at=start)
    paired(tournament, [anna, bruno], now)
    ask(tournament, carla, None, now)
    start_due(tournament_id=tournament.pk, now=start)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.cancelled_because) == (State.CANCELLED, "too_few_entries")


def test_giving_it_an_hour_changes_how_long_places_are_held(
    pairs: Tournament, organiser: Player, anna: Player, now: datetime
) -> None:
    entry = ask(pairs, anna, None, now)
    assert entry.expires_at == now + pair_holds.SIT_AND_GO_HOLD
    hour = {
        **{name: getattr(PAIRS, name) for name in settings.Settings.__slots__},
        "starts_at": now + timedelta(days=1),
    }
    lifecycle.edit_tournament(tournament_id=pairs.pk, by=organiser, settings=settings.Settings(**hour), now=now)
    entry.refresh_from_db()
    assert entry.expires_at is None
    alone = settings.Settings(**{**hour, "seats_an_entry": 1})
    changed = {"tournament_id": pairs.pk, "by": organiser, "settings": alone, "now": now}
    assert catch_code(lifecycle.edit_tournament, **changed) == "entered_already"


# --- At the table --------------------------------------------------------------------------------------------------


def seats_of(match: Match) -> list[int]:
    return list(Seat.objects.filter(match=match).order_by("number").values_list("player_id", flat=True))


@pytest.mark.rule("G2")
def test_partners_face_each_other_and_the_first_line_sits_at_0_and_2_r1_g2(
    opened: Opened, eight: list[Player], now: datetime
) -> None:
    tournament = paired(opened(PAIRS), eight, now)
    for match in running.open_ready(tournament, now + running.OPENING):
        fixture = Fixture.objects.select_related("first", "second").get(match=match)
        assert fixture.first is not None
        assert fixture.second is not None
        seats = seats_of(match)
        assert seats[0::2] == list(fixture.first.members.values_list("person__player_id", flat=True))
        assert seats[1::2] == list(fixture.second.members.values_list("person__player_id", flat=True))


@arrange_once
def match(opened: Opened, four: list[Player], now: datetime) -> Match:
    """A table of two pairs that waits for its players."""
    tournament = paired(opened(PAIRS, max_entries=2), four, now)
    (match,) = running.open_ready(tournament, now + running.OPENING)
    return match


@pytest.mark.rule("G8", "V5")
@pytest.mark.parametrize("seat", range(4))
def test_one_members_forfeit_is_the_lines_g8_v5(match: Match, now: datetime, seat: int) -> None:
    running.abandon(match, seat, now + running.OPENING)
    fixture = Fixture.objects.select_related("round__tournament").get(match=match)
    assert (fixture.forfeit_by, fixture.winner) == (seat % 2, 1 - seat % 2)
    vp = (fixture.vp_0, fixture.vp_1)
    assert vp[seat % 2] == 0
    assert (vp[1 - seat % 2] or 0) >= 14
    assert running.stored_equals_recomputed(fixture.round.tournament)


@pytest.mark.parametrize("absent", [{0}, {3}, {1, 3}, {0, 1}])
def test_whoever_of_a_line_does_not_come_the_line_forfeits_e9(match: Match, absent: set[int]) -> None:
    for number, player_id in enumerate(seats_of(match)):
        if number not in absent:
            seating.sit_down(match_id=match.pk, player_id=player_id, token="", now=match.opened_at)
    running.nobody_comes(match)
    fixture = Fixture.objects.get(match=match)
    lines = {number % 2 for number in absent}
    assert fixture.double_forfeit == (len(lines) == 2)
    assert fixture.forfeit_by == (None if len(lines) == 2 else lines.pop())
    assert fixture.decided_by == "noshow"


def test_a_whole_girone_of_pairs_is_played_and_counted(opened: Opened, eight: list[Player], now: datetime) -> None:
    tournament = paired(opened(PAIRS), eight, now)
    running.rounds_played(tournament, now)
    assert running.stored_equals_recomputed(tournament)
    page = tournament_page.read_page(tournament, eight[0])
    assert page.header.tournament.entry_kind.names_partner
    assert [row.played for row in page.standings.rows] == [3] * 4
    assert sum(row.mp for row in page.standings.rows) == 0
    for match in Match.objects.all():
        assert match.players == 4
        assert match.score_0 + match.score_1 == 11  # T4


def test_a_pair_waits_while_one_of_the_two_still_sits_elsewhere_e8(
    opened: Opened, four: list[Player], now: datetime
) -> None:
    elsewhere = free_table([four[1], create_person("Elena", now)], now, context="free")
    tournament = paired(opened(PAIRS, max_entries=2), four, now)
    assert running.open_ready(tournament, now + running.OPENING) == []
    Seat.objects.filter(match=elsewhere).update(live=False)
    assert len(running.open_ready(tournament, now + 2 * running.OPENING)) == 1


# --- Seeds and lots ------------------------------------------------------------------------------------------------


def test_the_organisers_order_makes_the_seeds_k1(
    opened: Opened, organiser: Player, four: list[Player], now: datetime
) -> None:
    start = now + timedelta(hours=1)
    tournament = opened(seeding="organiser", starts_at=start, max_entries=8)
    entries = [join.enter_player(tournament_id=tournament.pk, player=player, now=now) for player in four]
    places = {entries[3].pk: 1, entries[1].pk: 2, entries[0].pk: None, 10**9: 3}
    seeding.place_entries(tournament_id=tournament.pk, by=organiser, places=places, now=now)
    placing = {"tournament_id": tournament.pk, "places": places, "now": now}
    assert catch_code(seeding.place_entries, by=four[0], **placing) == "not_organiser"
    start_due(tournament_id=tournament.pk, now=start)
    seeded = Entry.objects.filter(tournament=tournament).order_by("seed")
    assert list(seeded) == [entries[3], entries[1], entries[0], entries[2]]
    assert catch_code(seeding.place_entries, by=organiser, **placing) == "drawn"
    by_lot = opened()
    refused = {**placing, "tournament_id": by_lot.pk, "by": organiser}
    assert catch_code(seeding.place_entries, **refused) == "not_seeded_by_organiser"


def test_a_double_girone_is_played_with_seats_exchanged_r1(opened: Opened, four: list[Player], now: datetime) -> None:
    tournament = paired(opened(PAIRS, max_entries=2, format_options={"double": True}), four, now)
    running.rounds_played(tournament, now)
    first, back = Fixture.objects.filter(round__tournament=tournament).order_by("round__number")
    assert (first.first_id, first.second_id) == (back.second_id, back.first_id)
    assert tournament_page.read_page(tournament, None).standings.rows[0].played == 2
