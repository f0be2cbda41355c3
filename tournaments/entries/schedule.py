"""When the next timed step before the draw is due (E4, E5)."""

from datetime import datetime, timedelta

from tournaments.models import Tournament

State = Tournament.State
SHORTEST_CHECKIN = timedelta(minutes=1)  # with less time left than this nobody is asked to check in


def next_due_at(tournament: Tournament, now: datetime) -> datetime | None:
    """The next timed step before the draw: the check-in opens (E4), or it starts (E5): at its time, or at once when a
    sit and go is full. None of it in a draft."""
    if tournament.state == State.DRAFT:
        return None
    if tournament.starts_at is not None:
        opens = checkin_opens_at(tournament, now) if tournament.state == State.OPEN else None
        return opens or tournament.starts_at
    complete = tournament.entries.in_place().filter(confirmed=True).count()
    return now if complete >= tournament.max_entries else None


def checkin_opens_at(tournament: Tournament, now: datetime) -> datetime | None:
    """When the window opens (E4), ``now`` if it should be open already; None: there is none, or no time left for it."""
    if tournament.starts_at is None or tournament.checkin_minutes is None:
        return None
    opens = max(now, tournament.starts_at - timedelta(minutes=tournament.checkin_minutes))
    return opens if tournament.starts_at - opens >= SHORTEST_CHECKIN else None
