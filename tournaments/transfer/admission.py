"""Admission of files: one at a time on the whole site, and so many by one person (AT11).

To read and check a big one takes seconds of a process. An attempt counts before it is made, in a transaction of its
own, so that one that is refused or breaks off counts as well.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from secrets import token_hex

from django.db import IntegrityError, transaction

from games.models import Lease
from players import caps
from players.models import Player
from players.services.counted_acts import TooMany, count_act
from tournaments.core.errors import TournamentError

LEASE, LEASE_TIME = "file", timedelta(minutes=1)  # after a process that died the next one goes on


@contextmanager
def admit_file(by: Player, now: datetime) -> Iterator[None]:
    """Let one file in while the block lasts. TournamentError: file_busy, brought_often."""
    holder = token_hex(8)
    if not _take_lease(holder, now):
        raise TournamentError("file_busy")
    try:
        count_act({f"files:{by.pk}": caps.FILES_A_PERSON}, now=now)
        yield
    except TooMany as refused:
        raise TournamentError("brought_often", wait=refused.wait) from None
    finally:
        Lease.objects.filter(name=LEASE, holder=holder).delete()


def _take_lease(holder: str, now: datetime) -> bool:
    if Lease.objects.filter(name=LEASE, until__lte=now).update(holder=holder, until=now + LEASE_TIME):
        return True
    if Lease.objects.filter(name=LEASE).exists():
        return False
    try:
        with transaction.atomic():
            Lease.objects.create(name=LEASE, holder=holder, until=now + LEASE_TIME)
    except IntegrityError:
        return False
    return True
