"""Settlement of a table: overdue acts, and the delivery of a result.

Upstairs hears of a result in a second, idempotent transaction, right after the commit of the first; the sweep repeats
it until it succeeds.
"""

import logging
from functools import partial

from django.db import transaction

from games import clocks
from games.clocks import Now
from games.locked_match import LockedMatch
from games.models import Match
from games.signals import match_finished

logger = logging.getLogger(__name__)


def expire_overdue(*, match_id: int, now: Now, skip_locked: bool = False) -> bool:
    """Do whatever is due at this table; whether something was. Safe to call at any time by anybody.

    ``skip_locked``: leave it to whoever has the row now (PostgreSQL; SQLite waits).
    """
    with transaction.atomic():
        table = LockedMatch.lock_if_free(match_id, now) if skip_locked else LockedMatch.lock(match_id, now)
        if table is None:
            return False
        expired = table.expire()
        deliver_when_over(table)
        return expired


def deliver_result(*, match_id: int, now: Now) -> bool:
    """Tell upstairs of a finished match, in a transaction of its own; whether that is done. The sweep tries again."""
    at = clocks.read_instant(now)
    unsettled = Match.objects.filter(pk=match_id, status=Match.Status.FINISHED, settled_at=None)
    try:
        with transaction.atomic():
            if unsettled.exists():
                # Receivers lock tournament, then fixture, then match: the match's row is written last.
                match_finished.send(sender=Match, match_id=match_id, now=at)
                unsettled.update(settled_at=at)
    except Exception:
        logger.exception("the result of match %s could not be passed on", match_id)
        return False
    return True


def deliver_when_over(table: LockedMatch) -> None:
    """Deliver the result, if there is an undelivered one, once this transaction is committed."""
    if table.match.status == Match.Status.FINISHED and table.match.settled_at is None:
        transaction.on_commit(partial(deliver_result, match_id=table.match.pk, now=table.now))
