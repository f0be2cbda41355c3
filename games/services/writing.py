"""Lock of a match for words that somebody writes at its table, with the first answer to what was sent before."""

from datetime import datetime

from games import clocks
from games.clocks import Now
from games.models import ChatLine, Match, Report
from games.services.playing import Ack


def lock_for_writing(
    kept: type[ChatLine] | type[Report], *, match_id: int, client_id: str, now: Now
) -> tuple[Match, datetime, Ack | None]:
    """Lock the match. Return it, the instant, and the first answer where this client id is ``kept`` already."""
    match = Match.objects.select_for_update(of=("self",)).get(pk=match_id)
    at = clocks.read_instant(now)
    again = kept._default_manager.filter(match=match, client_id=client_id).exists()
    return match, at, Ack(client_id, match.version) if again else None
