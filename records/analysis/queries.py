"""Reads of analyses (HP6): one's own alone, and only while one may study. They never write."""

from datetime import datetime

from games import study
from games.models import Match
from players.models import Player
from records.models import Analysis


def find_of_match(match: Match, player: Player | None) -> Analysis | None:
    """Return the player's own analysis of a match, whatever its state."""
    if player is None:
        return None
    return Analysis.objects.filter(match=match, player=player).order_by("-pk").first()


def find_own(public_id: str, player: Player | None) -> Analysis | None:
    """Return the player's own analysis of that public id."""
    if player is None:
        return None
    return Analysis.objects.select_related("match").filter(public_id=public_id, player=player).first()


def find_of_record(digest: str, seat: int | None, player: Player | None) -> Analysis | None:
    """Return the player's own analysis of a record that was sent: of that seat, or else the latest."""
    if player is None:
        return None
    own = Analysis.objects.filter(digest=digest, player=player).order_by("-pk")
    of_seat = None if seat is None else own.filter(seat=seat).first()
    return of_seat or own.first()


def is_readable(analysis: Analysis | None, now: datetime) -> bool:
    """Return whether it is done, and its player may study now."""
    if analysis is None or analysis.state != Analysis.State.DONE:
        return False
    return study.find_refusal(analysis.player, now) is None


def count_before(analysis: Analysis) -> int:
    """Return how many analyses are to be done before this one."""
    to_do = Analysis.objects.filter(state__in=(Analysis.State.WAITING, Analysis.State.RUNNING))
    return to_do.filter(asked_at__lt=analysis.asked_at).count()
