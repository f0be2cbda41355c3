"""The end of a tournament in which nobody but the house is left: it is called off, and its tables are stopped."""

import contextlib
from datetime import datetime

from games.models import Match, Seat
from games.services import errors, referee
from players.models import Player
from tournaments.core.cancellation import call_off_tournament
from tournaments.core.locking import lock_tournament
from tournaments.models import Fixture, Tournament


def end_if_abandoned(*, tournament_id: int, now: datetime) -> bool:
    """Call the tournament off if every entry of people has left it and only the house would play on (AT6).

    Inside the transaction in which somebody left. Return whether it was called off.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.state != Tournament.State.RUNNING or not _is_abandoned(tournament):
        return False
    call_off_tournament(tournament, "nobody_left", now)
    for match in _list_house_tables(tournament):
        with contextlib.suppress(errors.Finished):  # its last card was quicker
            referee.stop(match_id=match.pk, now=now)
    return True


def _is_abandoned(tournament: Tournament) -> bool:
    drawn = tournament.entries.drawn()
    staying = drawn.filter(withdrawn_at=None)
    return drawn.of_people().exists() and not staying.of_people().exists() and staying.exists()


def _list_house_tables(tournament: Tournament) -> list[Match]:
    """Return its tables in play at which no person sits."""
    playing = Fixture.objects.of(tournament).playing().values("match")
    people = Seat.objects.exclude(player__kind=Player.Kind.HOUSE).values("match")
    matches = Match.objects.filter(pk__in=playing).exclude(status=Match.Status.FINISHED).exclude(pk__in=people)
    return list(matches.order_by("pk"))
