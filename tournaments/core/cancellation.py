"""Cancelling a tournament, by its organiser or by the system (E5)."""

from datetime import datetime

from players.models import Player
from tournaments.core import draw_secret, notify
from tournaments.core.circuit_marks import mark_circuits
from tournaments.core.locking import list_people, store_version, write_log
from tournaments.core.log_details import CancellationDetail
from tournaments.models import Fixture, PlayInvitation, Tournament

State = Tournament.State


def call_off_tournament(
    tournament: Tournament, because: str, now: datetime, by: Player | None = None, reason: str = ""
) -> None:
    """Cancel a locked tournament, say why and tell everybody (E5); ``reason``: the organiser's own words (E2)."""
    people = [] if tournament.state == State.DRAFT else list_people(tournament)  # of a draft nobody knows
    tournament.state = State.CANCELLED
    tournament.cancelled_because = because
    tournament.cancelled_reason = reason
    tournament.due_at = tournament.remind_at = None
    tournament.finished_at = now
    Fixture.objects.of(tournament).filter(opens_at__isnull=False).update(opens_at=None)
    tournament.invitations.open().update(ended_at=now, outcome=PlayInvitation.Outcome.LAPSED)
    people += [pk for pk in tournament.late_requests.values_list("player_id", flat=True) if pk is not None]
    tournament.late_requests.all().delete()
    draw_secret.reveal_draw(tournament, draw_secret.Reason.CANCELLED, now)
    mark_circuits(tournament, now)
    write_log(tournament, "cancelled", now, by, CancellationDetail(because=because, reason=reason))
    store_version(tournament)
    notify.tell_people(tournament, people, f"cancelled_{because}")
    notify.mail_people(tournament, people, "cancelled", now, reason=reason)
