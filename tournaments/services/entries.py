"""Who is in: entering and leaving while the registration is open, and the house's players where they are allowed."""

from datetime import datetime

from django.db import transaction

from games.models import Seat
from players import services as players
from players.models import Player
from tournaments.models import Entry, EntryMember, Tournament
from tournaments.selectors import UNFINISHED, refusal_to_join
from tournaments.services.errors import TournamentError
from tournaments.services.life import due_at
from tournaments.services.running import start_due
from tournaments.services.state import changed, locked, log


def join(*, tournament_id: int, player: Player, now: datetime) -> Entry:
    """Enter ``player``. A sit and go that is full now is drawn at once. TournamentError says why not."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        entries = Entry.objects.filter(tournament=tournament).count()
        entered = EntryMember.objects.filter(tournament=tournament, player=player).exists()
        refusal = refusal_to_join(tournament, player, entered=entered, entries=entries)
        if refusal is not None:
            raise TournamentError(refusal)
        entry = _enter(tournament, player, now)
        tournament.due_at = due_at(tournament, entries + 1, now)
        log(tournament, "joined", now, player, name=player.name)
        changed(tournament)
    # In a transaction of its own: the place is his even if the draw fails, which the sweep then makes.
    if tournament.due_at is not None and tournament.due_at <= now:
        start_due(tournament_id=tournament_id, now=now)
    return entry


@transaction.atomic
def leave(*, tournament_id: int, player: Player, now: datetime) -> None:
    """Give the place up, until the draw. Afterwards who stays away forfeits by not showing up (E9)."""
    tournament = locked(tournament_id)
    member = EntryMember.objects.filter(tournament=tournament, player=player).select_related("entry").first()
    if member is None:
        raise TournamentError("not_entered")
    if tournament.state != Tournament.State.OPEN:
        raise TournamentError("drawn" if tournament.drawn_at else "registration_closed")
    member.entry.delete()
    tournament.due_at = due_at(tournament, Entry.objects.filter(tournament=tournament).count(), now)
    log(tournament, "left", now, player, name=player.name)
    changed(tournament)


def enter_house(*, tournament_id: int, count: int, now: datetime) -> None:
    """Enter ``count`` house players who are free, as far as there is room (E8: only where they are allowed)."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        if tournament.state != Tournament.State.OPEN:
            raise TournamentError("registration_closed")
        if not tournament.house_allowed:
            raise TournamentError("house_not_allowed")
        entries = Entry.objects.filter(tournament=tournament).count()
        # One at a time hands the house out, so that nobody of it is entered in two places.
        Player.objects.select_for_update(no_key=True).filter(kind=Player.Kind.HOUSE).order_by("pk").first()
        free = players.house_players(
            count=min(count, tournament.max_entries - entries), now=now, busy=_busy_house(tournament)
        )
        for player in free:
            _enter(tournament, player, now)
        tournament.due_at = due_at(tournament, entries + len(free), now)
        log(tournament, "house_joined", now, count=len(free))
        changed(tournament)
    if tournament.due_at is not None and tournament.due_at <= now:
        start_due(tournament_id=tournament_id, now=now)


def _busy_house(tournament: Tournament) -> set[int]:
    """House players who are entered somewhere, sit somewhere, or organise: they'd keep others waiting."""
    house = Player.Kind.HOUSE
    entered = EntryMember.objects.filter(player__kind=house, tournament__state__in=UNFINISHED)
    seated = Seat.objects.filter(player__kind=house, live=True)
    busy = set(entered.values_list("player_id", flat=True)) | set(seated.values_list("player_id", flat=True))
    return busy | {tournament.organiser_id}


def _enter(tournament: Tournament, player: Player, now: datetime) -> Entry:
    entry = Entry.objects.create(tournament=tournament, created_at=now)
    EntryMember.objects.create(entry=entry, tournament=tournament, player=player)
    return entry
