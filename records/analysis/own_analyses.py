"""The part of the export of one's own data that only analyses are (HP6)."""

from collections.abc import Iterator

from players.models import Player
from players.services.own_data import Row
from records.models import Analysis


def read_analyses(player: Player) -> Iterator[Row]:
    """Yield the analyses that a player asked for, with what is known of each decision."""
    rows = Analysis.objects.filter(player=player).select_related("match").order_by("pk")
    for row in rows.iterator(chunk_size=50):
        yield {
            "id": row.public_id,
            "match": None if row.match is None else row.match.public_id,
            "record": row.record,
            "seat": row.seat,
            "asked_at": row.asked_at,
            "finished_at": row.finished_at,
            "state": row.state,
            "decisions": row.results,
        }
