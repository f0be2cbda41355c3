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
from players.caps import DELIVERY_LOCK_SECONDS
from players.db_limits import is_lock_refused, limit_lock_wait

logger = logging.getLogger(__name__)


def expire_overdue(*, match_id: int, now: Now, deliver: bool = True) -> bool | None:
    """Do whatever is due at this table; whether something was. Safe to call at any time by anybody.

    None: somebody has the table now, and it is left to them (PostgreSQL; SQLite waits), for nobody waits to look at it.
    ``deliver`` False: a result is left to the sweep, for its receivers lock a tournament.
    """
    with transaction.atomic():
        table = LockedMatch.lock_if_free(match_id, now)
        if table is None:
            return None
        expired = table.expire()
        if deliver:
            deliver_when_over(table)
        return expired


def deliver_result(*, match_id: int, now: Now) -> bool:
    """Tell upstairs of a finished match, in a transaction of its own; whether that is done. The sweep tries again."""
    try:
        with transaction.atomic():
            # Who played the last card is waiting for their answer.
            limit_lock_wait(DELIVERY_LOCK_SECONDS)
            pass_result_on(match_id=match_id, now=now)
    except Exception as error:
        if is_lock_refused(error):
            logger.info("the result of match %s is left to the sweep: its tournament is locked", match_id)
        else:
            logger.exception("the result of match %s could not be passed on", match_id)
        return False
    return True


def pass_result_on(*, match_id: int, now: Now) -> None:
    """Tell upstairs of a finished match, unless that is done. Raises whatever its receivers raise, and then nothing has
    happened."""
    at = clocks.read_instant(now)
    unsettled = Match.objects.filter(pk=match_id, status=Match.Status.FINISHED, settled_at=None)
    with transaction.atomic():
        training = unsettled.values_list("training", flat=True).first()
        if training is not None:
            # Receivers lock tournament, then fixture, then match: the match's row is written last.
            if not training:  # it counts nowhere (B7)
                match_finished.send(sender=Match, match_id=match_id, now=at)
            unsettled.update(settled_at=at)


def deliver_when_over(table: LockedMatch) -> None:
    """Deliver the result, if there is an undelivered one, once this transaction is committed."""
    if table.match.status == Match.Status.FINISHED and table.match.settled_at is None:
        transaction.on_commit(partial(deliver_result, match_id=table.match.pk, now=table.now))
