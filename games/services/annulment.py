"""Annulment of a free match, by the staff: its result stays to be read, and counts for nobody any more.

A tournament's matches are annulled by its referee, upstairs. Lock order: free table → match, then what receivers lock.
"""

from django.db import transaction

from games import clocks
from games.clocks import Now
from games.models import FreeTable, Match
from games.services.errors import NotStarted
from games.signals import match_annulled


def annul_match(*, match_id: int, now: Now) -> None:
    """Annul a finished free match; done again it changes nothing. NotStarted where it isn't over, or isn't free."""
    with transaction.atomic():
        at = clocks.read_instant(now)
        FreeTable.objects.select_for_update(of=("self",)).filter(match_id=match_id).first()
        match = Match.objects.select_for_update().get(pk=match_id)
        if match.status != Match.Status.FINISHED or match.context != "free" or match.stopped_at is not None:
            raise NotStarted(match.version)
        if match.annulled_at is None:
            match.annulled_at = at
            match.save(update_fields=["annulled_at"])
            match_annulled.send(sender=Match, match_id=match_id, now=at)
