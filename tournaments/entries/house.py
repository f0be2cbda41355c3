"""House players entered where they are allowed (E8): by the organiser, within their caps, or by the house itself.

They are made ready before the tournament is locked, and written in as many statements however many they are (AT6).
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from players.caps import MAX_HOUSE_ENTRIES, MAX_HOUSE_PLAYERS_OF_ORGANISER, MAX_HOUSE_PLAYERS_OF_ORGANISERS
from players.models import Player
from players.services.house import HouseBusy, prepare_house_players, take_house_players
from tournaments.core.errors import TournamentError
from tournaments.core.locking import lock_tournament, store_version, write_log
from tournaments.core.log_details import CountDetail
from tournaments.core.permissions import require_organiser
from tournaments.core.states import ENTERING, UNFINISHED
from tournaments.entries import waiting_list
from tournaments.entries.join import checkin_stamp, start_if_full
from tournaments.entries.schedule import compute_next_due_at
from tournaments.models import Entry, EntryMember, Tournament


def enter_house_players(
    *, tournament_id: int, now: datetime, count: int | None = None, by: Player | None = None
) -> int:
    """Enter ``count`` house players, or pairs of them, as far as there is room; None: on the free places, as far as the
    cap of one tournament goes. Return how many places are still free.

    ``by``: the organiser who asks for it, None for the house itself. TournamentError where house players aren't allowed
    (E8), and for so many that a cap is passed: house_many, house_of_organiser, house_busy.
    """
    wanted = _count_wanted(Tournament.objects.get(pk=tournament_id), count, by)
    try:
        prepare_house_players(count=wanted, now=now)
        with transaction.atomic():
            tournament = lock_tournament(tournament_id)
            wanted = _count_wanted(tournament, count, by)
            _enter(tournament, take_house_players(count=wanted, now=now), now)
            tournament.due_at = compute_next_due_at(tournament, now)
            write_log(tournament, "house_joined", now, detail=CountDetail(count=wanted))
            store_version(tournament)
            free = waiting_list.count_free_places(tournament)
    except HouseBusy as busy:
        raise TournamentError(busy.code) from None
    start_if_full(tournament, now)
    return free


def _count_wanted(tournament: Tournament, count: int | None, by: Player | None) -> int:
    """Return the number of house players that are to be entered now. TournamentError where they may not be."""
    if by is not None:
        require_organiser(tournament, by)
    if tournament.state not in ENTERING:
        raise TournamentError("registration_closed")
    if not tournament.house_allowed:
        raise TournamentError("house_not_allowed")
    free = max(0, waiting_list.count_free_places(tournament))
    in_place = tournament.entries.in_place()
    room = max(0, MAX_HOUSE_ENTRIES - in_place.count() + in_place.of_people().count())
    entries = min(free, room or free) if count is None else min(count, free)
    if entries > room:
        raise TournamentError("house_many", limit=MAX_HOUSE_ENTRIES)
    require_share(tournament, entries * tournament.entry_kind.line_up_size)
    return entries * tournament.entry_kind.line_up_size


def require_share(tournament: Tournament, count: int) -> None:
    """Raise TournamentError where ``count`` more house players are too many for the organiser, or for all of them. The
    house has what they leave."""
    if not count or tournament.organiser.is_house:
        return
    entered = EntryMember.objects.bots().filter(tournament__state__in=UNFINISHED)
    own = entered.filter(tournament__organiser=tournament.organiser_id).count()
    if own + count > MAX_HOUSE_PLAYERS_OF_ORGANISER:
        raise TournamentError("house_of_organiser", limit=MAX_HOUSE_PLAYERS_OF_ORGANISER)
    of_house = Player.Kind.HOUSE
    if entered.exclude(tournament__organiser__kind=of_house).count() + count > MAX_HOUSE_PLAYERS_OF_ORGANISERS:
        raise TournamentError("house_busy")


def _enter(tournament: Tournament, players: list[Player], now: datetime) -> None:
    """Store entries of these players in a locked tournament; in pairs or teams, one after the other."""
    seats = tournament.entry_kind.line_up_size
    created = Entry.objects.bulk_create(
        Entry(tournament=tournament, created_at=now, team_name=name_team(tournament, first))
        for first in players[::seats]
    )
    stamp = checkin_stamp(tournament, now)
    EntryMember.objects.bulk_create(
        EntryMember(
            entry=created[number // seats],
            tournament=tournament,
            person=player.person,
            position=number % seats,
            checked_in_at=stamp,
        )
        for number, player in enumerate(players)
    )


def name_team(tournament: Tournament, first: Player) -> str:
    """Return the name of a team of the house, after its first player; of other entries none (J11)."""
    return f"{first.name} & C." if tournament.entry_kind.has_name else ""


def find_entered_house_players() -> Iterable[int]:
    """Return the ids of the house players who are entered in a tournament that isn't over."""
    return EntryMember.objects.bots().filter(tournament__state__in=UNFINISHED).order_by().player_ids()


def find_organising_house_players() -> Iterable[int]:
    """Return the ids of the house players who organise: they would keep others waiting."""
    organising = Tournament.objects.filter(organiser__kind=Player.Kind.HOUSE).order_by()
    return organising.values_list("organiser_id", flat=True).distinct()
