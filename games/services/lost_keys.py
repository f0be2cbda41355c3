"""End of the matches whose cards nobody can read any more, because the keys they were sealed with are lost (J5)."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games import sealed_decks
from games.models import Commitment, Deal, Match
from games.services.referee import RefereedMatch
from games.services.settlement import deliver_when_over


def give_up_unopenable(*, now: datetime) -> list[str]:
    """End each match of which something can't be opened, without a result; return the scopes that are lost.

    Its deals are gone with the key, and the register says that its secret is lost. Of a round that shares its decks
    (J9) those tables end that are open; what opens later has cards of its own. A tournament's lots (J3a) are drawn
    without it then.
    """
    lost = sealed_decks.list_unopenable()
    unopenable = Commitment.objects.filter(scope__in=lost)
    tables = Match.objects.filter(Q(public_id__in=lost) | Q(commitment__in=unopenable)).order_by("pk")
    for match_id in list(tables.values_list("pk", flat=True)):
        with transaction.atomic():
            table = RefereedMatch.lock(match_id, now)
            Deal.objects.filter(match=table.match).delete()
            Commitment.objects.filter(matches=table.match).update(sealed="", reason=Commitment.Reason.LOST)
            if table.match.status != Match.Status.FINISHED:
                table.stop()
                deliver_when_over(table)
    unopenable.update(sealed="", reason=Commitment.Reason.LOST)
    return sorted(lost)
