"""Who is in: entering and leaving while the registration is open, and the house's players where they are allowed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from games.models import Seat
from players import services as players
from players.models import Player
from tournaments import broadcast
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.selectors import UNFINISHED, refusal_to_join
from tournaments.services.errors import TournamentError
from tournaments.services.life import due_at
from tournaments.services.running import start_due
from tournaments.services.state import changed, locked, log


def join(*, tournament_id: int, player: Player, now: datetime) -> Entry:
    """Enter ``player`` alone. A sit and go that is full now is drawn at once. TournamentError says why not."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        if tournament.seats_an_entry > 1:
            raise TournamentError("needs_partner")
        entries = Entry.objects.filter(tournament=tournament).count()
        entered = EntryMember.objects.filter(tournament=tournament, player=player).exists()
        refusal = refusal_to_join(tournament, player, entered=entered, entries=entries)
        if refusal is not None:
            raise TournamentError(refusal)
        entry = enter(tournament, [player], now)
        tournament.due_at = due_at(tournament, now)
        log(tournament, "joined", now, player, name=player.name)
        changed(tournament)
    start_if_full(tournament, now)
    return entry


@transaction.atomic
def leave(*, tournament_id: int, player: Player, now: datetime) -> None:
    """Give the place up, until the draw; of a pair either may. Afterwards who stays away forfeits (E9)."""
    tournament = locked(tournament_id)
    member = EntryMember.objects.filter(tournament=tournament, player=player).select_related("entry").first()
    if member is None:
        raise TournamentError("not_entered")
    if tournament.state != Tournament.State.OPEN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    partners = [other.player for other in member.entry.members.select_related("player") if other.pk != member.pk]
    member.entry.delete()
    tournament.due_at = due_at(tournament, now)
    log(tournament, "left", now, player, name=player.name)
    changed(tournament)
    broadcast.tell(tournament, [partner.pk for partner in partners if not partner.is_house], "partner_left")


def enter_house(*, tournament_id: int, count: int, now: datetime) -> None:
    """Enter ``count`` house players, or pairs of them, as far as there is room (E8: only where they are allowed)."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        if tournament.state != Tournament.State.OPEN:
            raise TournamentError("registration_closed")
        if not tournament.house_allowed:
            raise TournamentError("house_not_allowed")
        room = tournament.max_entries - Entry.objects.filter(tournament=tournament).count()
        seats = tournament.seats_an_entry
        free = free_house(max(0, min(count, room)) * seats, now)
        for first in range(0, len(free), seats):
            enter(tournament, free[first : first + seats], now)
        tournament.due_at = due_at(tournament, now)
        log(tournament, "house_joined", now, count=len(free))
        changed(tournament)
    start_if_full(tournament, now)


def free_house(count: int, now: datetime) -> list[Player]:
    """``count`` house players with nothing else to do. One caller at a time gets them, until it commits."""
    Player.objects.select_for_update(no_key=True).filter(kind=Player.Kind.HOUSE).order_by("pk").first()
    return players.house_players(count=count, now=now, busy=busy_house())


def busy_house() -> set[int]:
    """House players who are entered somewhere or sit somewhere: they'd keep others waiting. And whoever organises."""
    house = Player.Kind.HOUSE
    entered = EntryMember.objects.filter(player__kind=house, tournament__state__in=UNFINISHED)
    seated = Seat.objects.filter(player__kind=house, live=True)
    busy = set(entered.values_list("player_id", flat=True)) | set(seated.values_list("player_id", flat=True))
    organising = Tournament.objects.filter(organiser__kind=house).order_by().values_list("organiser_id", flat=True)
    return busy | set(organising.distinct())


def enter(tournament: Tournament, members: Sequence[Player], now: datetime, **pending: Any) -> Entry:
    """The entry of these players, in a locked tournament that has room for it; ``pending``: what a pair waits for."""
    entry = Entry.objects.create(tournament=tournament, created_at=now, **pending)
    for position, player in enumerate(members):
        EntryMember.objects.create(entry=entry, tournament=tournament, player=player, position=position)
    return entry


def start_if_full(tournament: Tournament, now: datetime) -> None:
    """Draw a sit and go whose last place was taken.

    In a transaction of its own: the place is his even if the draw fails, which the sweep then makes.
    """
    if tournament.due_at is not None and tournament.due_at <= now:
        start_due(tournament_id=tournament.pk, now=now)
