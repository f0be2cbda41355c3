"""Reminders ahead of time: that a tournament is about to start, and that a player's next table is ready to open.

Each is sent once, by the transaction that also marks it as sent. What happens at a table's opening, or because of
somebody's act, is announced elsewhere.
"""

from datetime import datetime, timedelta
from itertools import groupby

from django.db import transaction

from tournaments.core import notify
from tournaments.core.locking import lock_tournament
from tournaments.models import EntryMember, Fixture, Tournament

State = Tournament.State
REMIND_BEFORE = timedelta(minutes=15)
MIN_NOTICE = timedelta(minutes=1)  # a table that opens sooner than this has no hour in the mail


def compute_remind_at(tournament: Tournament, now: datetime) -> datetime | None:
    """Return the time to remind entrants of the start: a quarter of an hour before.

    None if that is past, where the check-in, which announces the start too, opens no earlier (E4), and at real tables,
    where nothing happens by the clock (O1).
    """
    if tournament.starts_at is None or not tournament.venue.runs_by_clock:
        return None
    window = tournament.checkin_minutes
    at = tournament.starts_at - REMIND_BEFORE
    return None if at <= now or (window is not None and timedelta(minutes=window) <= REMIND_BEFORE) else at


def remind_due(*, tournament_id: int, now: datetime) -> bool:
    """Remind everybody who has a place of the start, once for each hour it was to start at.

    False where there was nothing to do.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        entering = tournament.state in (State.OPEN, State.CHECKIN)
        if not entering or tournament.remind_at is None or tournament.remind_at > now:
            return False
        tournament.remind_at = None
        tournament.save(update_fields=["remind_at"])
        if tournament.starts_at is None or tournament.starts_at <= now:  # nobody looked in time
            return False
        entered = tournament.members.filter(entry__in=tournament.entries.in_place())
        people = entered.people().player_ids()
        notify.tell_people(tournament, people, "starts_soon")
        if tournament.invitations.holding().exists():  # who hasn't answered at the draw doesn't play (E3)
            notify.tell_people(tournament, [tournament.organiser_id], "invitations_open", page="tournament-entries")
        notify.mail_people(tournament, people, "starts_soon", now, about=tournament.starts_at, at=tournament.starts_at)
        return True


def tell_rounds(tournament: Tournament, now: datetime) -> None:
    """Notify the players whose next table is ready, each once a round, after a locked tournament advanced."""
    ready = Fixture.objects.of(tournament).ready().filter(announced=False).order_by("round_id", "opens_at")
    fixtures = list(ready.select_related("round"))
    if not fixtures:
        return
    ready.order_by().update(announced=True)
    sides = {side for fixture in fixtures for side in (fixture.first_id, fixture.second_id) if side is not None}
    rows = EntryMember.objects.filter(entry__in=sides).people().values_list("entry_id", "person__player_id")
    players: dict[int | None, list[int]] = {}
    for entry_id, player_id in rows:
        if player_id is not None:
            players.setdefault(entry_id, []).append(player_id)
    informed: set[int] = set()
    for (round_, opens_at), group in groupby(fixtures, key=lambda fixture: (fixture.round, fixture.opens_at)):
        entry_ids = [side for fixture in group for side in (fixture.first_id, fixture.second_id)]
        people = [
            player_id for entry_id in entry_ids for player_id in players.get(entry_id, ()) if player_id not in informed
        ]
        informed.update(people)  # of several rounds at once, the first
        notify.tell_people(tournament, people, "round_drawn")
        at = opens_at if opens_at is not None and opens_at - now >= MIN_NOTICE else None
        called = (round_.name, round_.number)
        notify.mail_people(tournament, people, "round_drawn", now, about=round_.pk, at=at, round=called)
