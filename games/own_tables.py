"""Parts of the export about tables: matches with their records, what was said and what was reported."""

from collections.abc import Iterator

from django.db.models import F, Q

from games.models import ChatLine, Match, Report, Seat
from games.selectors import build_record
from games.withheld import require_shown
from players.models import Player
from players.services.own_data import Row, register_part


def read_matches(player: Player) -> Iterator[Row]:
    """Yield the finished matches of a player, with their records; a running one is nobody's to read, nor one that is
    withheld (J12), and training (B7) is a part of its own."""
    finished = Seat.objects.filter(player=player, match__status=Match.Status.FINISHED, match__training=False)
    finished = finished.filter(require_shown("match__"))
    for seat in finished.select_related("match").order_by("match__finished_at", "match_id").iterator(chunk_size=100):
        match = seat.match
        yield {
            "match": match.public_id,
            "seat": seat.number,
            "finished_at": match.finished_at,
            "record": build_record(match),
        }


def read_chat(player: Player) -> Iterator[Row]:
    """Yield the lines that the player wrote at tables, as seated or as spectator."""
    seated = Q(seat=F("match__seats__number"), match__seats__player=player)
    lines = ChatLine.objects.filter(seated | Q(author=player)).distinct().order_by("pk").select_related("match")
    for line in lines.iterator():
        yield {"match": line.match.public_id, "text": line.text, "phrase": line.phrase, "at": line.at}


def read_reports(player: Player) -> Iterator[Row]:
    """Yield the calls and reports that the player made."""
    rows = Report.objects.filter(reporter=player).order_by("pk").select_related("match", "about")
    for row in rows.iterator():
        yield {
            "match": row.match.public_id,
            "about": None if row.about is None else row.about.name,
            "reason": row.reason,
            "text": row.text,
            "quote": row.quote,
            "at": row.at,
        }


def register_parts() -> None:
    """Add these parts, at start."""
    register_part("matches", read_matches)
    register_part("chat", read_chat)
    register_part("reports", read_reports)
