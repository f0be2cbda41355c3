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
from tournaments.selectors import ENTERING, UNDRAWN, UNFINISHED
from tournaments.services import waiting
from tournaments.services.due import due_at
from tournaments.services.errors import TournamentError
from tournaments.services.running import start_due
from tournaments.services.state import changed, locked, log


def join(*, tournament_id: int, player: Player, now: datetime, key: str = "", wait: bool = False) -> Entry:
    """Enter ``player`` alone. A sit and go that is full now is drawn at once. TournamentError says why not.

    ``key``: the link's token or the code (E3); ``wait``: he would also wait for a place.
    """
    with transaction.atomic():
        tournament = locked(tournament_id)
        if tournament.seats_an_entry > 1:
            raise TournamentError("needs_partner")
        entered = tournament.members.of_player(player).exists()
        status = waiting.begins_as(tournament, player, entered=entered, key=key, wait=wait, now=now)
        entry = enter(tournament, [player], now, **status)
        tournament.due_at = due_at(tournament, now)
        log(tournament, code_of(entry), now, player, name=player.name)
        changed(tournament)
    start_if_full(tournament, now)
    return entry


@transaction.atomic
def leave(*, tournament_id: int, player: Player, now: datetime) -> None:
    """Give the place up, until the draw; of a pair either may. Afterwards who stays away forfeits (E9)."""
    tournament = locked(tournament_id)
    member = tournament.members.of_player(player).select_related("entry").first()
    if member is None:
        raise TournamentError("not_entered")
    if tournament.state not in UNDRAWN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    partners = [other.player for other in member.entry.members.select_related("player") if other.pk != member.pk]
    member.entry.delete()
    log(tournament, "left", now, player, name=player.name)
    waiting.move_up(tournament, now)
    tournament.due_at = due_at(tournament, now)
    changed(tournament)
    if tournament.state != Tournament.State.DRAFT:
        broadcast.tell(tournament, [partner.pk for partner in partners if not partner.is_house], "partner_left")


def enter_house(*, tournament_id: int, count: int, now: datetime) -> None:
    """Enter ``count`` house players, or pairs of them, as far as there is room (E8: only where they are allowed)."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        if tournament.state not in ENTERING:
            raise TournamentError("registration_closed")
        if not tournament.house_allowed:
            raise TournamentError("house_not_allowed")
        seats = tournament.seats_an_entry
        free = free_house(max(0, min(count, waiting.room(tournament))) * seats, now)
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
    entered = EntryMember.objects.bots().filter(tournament__state__in=UNFINISHED)
    seated = Seat.objects.filter(player__kind=house, live=True)
    busy = set(entered.player_ids()) | set(seated.values_list("player_id", flat=True))
    organising = Tournament.objects.filter(organiser__kind=house).order_by().values_list("organiser_id", flat=True)
    return busy | set(organising.distinct())


def enter(tournament: Tournament, members: Sequence[Player], now: datetime, **status: Any) -> Entry:
    """The entry of these players, who come themselves, in a locked tournament; ``status``: what it waits for, if any.
    During the check-in whoever comes is there (E4)."""
    entry = Entry.objects.create(tournament=tournament, created_at=now, **status)
    for position, player in enumerate(members):
        EntryMember.objects.create(
            entry=entry, tournament=tournament, player=player, position=position, checked_in_at=there(tournament, now)
        )
    return entry


def there(tournament: Tournament, now: datetime) -> datetime | None:
    """When who does something now has checked in (E4)."""
    return now if tournament.state == Tournament.State.CHECKIN else None


def code_of(entry: Entry) -> str:
    """What the log calls it that this entry came."""
    return "applied" if not entry.approved else "joined" if entry.waiting_since is None else "queued"


def start_if_full(tournament: Tournament, now: datetime) -> None:
    """Draw a sit and go whose last place was taken.

    In a transaction of its own: the place is his even if the draw fails, which the sweep then makes.
    """
    if tournament.due_at is not None and tournament.due_at <= now:
        start_due(tournament_id=tournament.pk, now=now)
