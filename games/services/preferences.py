"""Preferences of a player: the calls the system makes (X1), chosen at the table or in the profile, true at once.

The preference itself is the player's, and kept with their account; the match they are playing carries a copy, so that a
move reads one row.
"""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q

from games.clocks import Now
from games.locked_match import LockedMatch
from games.models import Match, Seat
from games.services.errors import NotSeated, Replaced
from games.services.playing import Ack
from games.services.settlement import deliver_when_over
from players.selectors import read_automatic_calls
from players.services import players


def choose_automatic(
    *, match_id: int, seat: int, control: str, automatic: Collection[str], client_id: str, now: Now
) -> Ack:
    """Have the system make these calls for the player at ``seat``, here and at every table.

    Raises NotSeated, Replaced. Sent again it changes nothing more.
    """
    with transaction.atomic():
        table = LockedMatch.lock(match_id, now)
        match = table.match
        player_id = Seat.objects.filter(match_id=match_id, number=seat).values_list("player_id", flat=True).first()
        if player_id is None:
            raise NotSeated(match.version)
        if match.controls[seat] != control:
            raise Replaced(match.version)
        players.choose_automatic(player_id=player_id, automatic=automatic)
        _prefer(table, seat, automatic)
    return Ack(client_id, match.version)


def follow_preference(*, player_id: int, now: Now) -> None:
    """Carry a player's choice in their profile to the table where they sit live, and to their training. Safe to call
    again."""
    training = Q(match__training=True) & ~Q(match__status=Match.Status.FINISHED)
    seats = Seat.objects.filter(Q(live=True) | training, player_id=player_id).order_by("match_id")
    for match_id, seat in list(seats.values_list("match_id", "number")):
        with transaction.atomic():
            table = LockedMatch.lock(match_id, now)
            _prefer(table, seat, read_automatic_calls([player_id])[player_id])


def _prefer(table: LockedMatch, seat: int, automatic: Collection[str]) -> None:
    table.expire()
    if table.match.status != Match.Status.FINISHED:
        table.prefer(seat, automatic)
    deliver_when_over(table)
