"""Hours of the next timed step before the draw (E4, E5). It only computes, and stores nothing."""

from datetime import datetime, timedelta

from tournaments.models import Tournament

State = Tournament.State
MIN_CHECKIN = timedelta(minutes=1)  # with less time left than this there is no check-in


def compute_next_due_at(tournament: Tournament, now: datetime) -> datetime | None:
    """Return the hour of the next timed step before the draw: the check-in (E4) or the start (E5), at its hour or at
    once when a sit and go is full. None for a draft, while a sit and go has free places, and where the organiser draws
    (D4)."""
    if tournament.state == State.DRAFT:
        return None
    if tournament.starts_at is not None:
        opens = compute_checkin_opening(tournament, now) if tournament.state == State.OPEN else None
        return opens or compute_start(tournament)
    if tournament.publishes_rounds:
        return None
    complete = tournament.entries.in_place().filter(confirmed=True).count()
    return now if complete >= tournament.max_entries else None


def compute_start(tournament: Tournament) -> datetime | None:
    """Return the hour at which it starts by itself; None where the organiser draws and publishes the rounds (D4)."""
    return None if tournament.publishes_rounds else tournament.starts_at


def compute_checkin_opening(tournament: Tournament, now: datetime) -> datetime | None:
    """Return when the check-in opens (E4), ``now`` if it should be open already; None without one, or without time for
    it."""
    if tournament.starts_at is None or tournament.checkin_minutes is None:
        return None
    opens = max(now, tournament.starts_at - timedelta(minutes=tournament.checkin_minutes))
    return opens if tournament.starts_at - opens >= MIN_CHECKIN else None
