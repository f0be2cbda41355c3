"""Beginners at a table: people without a finished match, whose first turn is longer (games/clocks.py).

It decides who they are when a table opens, twice at most for a person or a browser. It winds no clock.
"""

from collections.abc import Iterable

from django.db.models import Q

from games.models import Match, Seat
from players.models import ConnectionMark, Player

MAX_HELPED = 2  # matches with a longer first turn, for a person or a browser


def find_beginners(people: Iterable[Player]) -> set[int]:
    """Return the ids of those among ``people`` whose first turn is longer in a match that opens now."""
    return {player.pk for player in people if is_beginner(player) and _count_helped(player) < MAX_HELPED}


def is_beginner(player: Player) -> bool:
    """Tell whether this is somebody who has never finished a match; training isn't one (B7)."""
    if player.is_house:
        return False
    over = Seat.objects.filter(match__status=Match.Status.FINISHED, match__stopped_at=None, match__training=False)
    return not over.filter(player=player).exists()


def _count_helped(player: Player) -> int:
    """Count the matches in which this person, or anybody with the same browser (U3), had a longer first turn."""
    browsers = ConnectionMark.objects.filter(player=player, kind=ConnectionMark.Kind.BROWSER).values("digest")
    marks = ConnectionMark.objects.filter(kind=ConnectionMark.Kind.BROWSER, digest__in=browsers)
    same = Q(player=player) | Q(player__in=marks.values("player"))
    return Seat.objects.filter(same, beginner=True).count()
