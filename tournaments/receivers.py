"""What the tables tell: a match is over. The result goes into the tournament, once, however often it is told."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from games.signals import match_finished
from tournaments.services import record_result


@receiver(match_finished, dispatch_uid="tournaments.record_result")
def take_result_in(sender: Any, match_id: int, now: datetime, **kwargs: Any) -> None:
    record_result(match_id=match_id, now=now)
