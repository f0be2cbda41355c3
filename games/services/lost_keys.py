"""End of the matches whose cards nobody can read any more, because the keys they were sealed with are lost (J5)."""

from datetime import datetime

from django.db import transaction

from games import sealed_decks
from games.models import Commitment, Deal, Match
from games.services.referee import RefereedMatch
from games.services.settlement import deliver_when_over
from games.shuffles import DRAW


def give_up_unopenable(*, now: datetime) -> list[str]:
    """End each match of which something can't be opened, without a result; return their public ids.

    Its deals are gone with the key, and the register says that its secret is lost. So it says of a tournament's lots
    (J3a), which are drawn without it then.
    """
    lost = sorted(sealed_decks.list_unopenable())
    draws = [scope for scope in lost if scope.endswith(DRAW)]
    Commitment.objects.filter(scope__in=draws).update(sealed="", reason=Commitment.Reason.LOST)
    matches = [scope for scope in lost if not scope.endswith(DRAW)]
    for public_id in matches:
        with transaction.atomic():
            table = RefereedMatch.lock(Match.objects.get(public_id=public_id).pk, now)
            Deal.objects.filter(match=table.match).delete()
            Commitment.objects.filter(match=table.match).update(sealed="", reason=Commitment.Reason.LOST)
            table.stop()
            deliver_when_over(table)
    return matches
