"""Parts of the export about company: whom one follows and blocks, what moderators decided, the days of one's marks."""

from collections.abc import Iterator

from players.models import ConnectionMark, Follow, ModerationAct, Player, PlayerBlock
from players.services.own_data import Row, register_part


def read_follows(player: Player) -> Iterator[Row]:
    """Yield whom the player follows."""
    for row in Follow.objects.filter(player=player).select_related("followed").order_by("pk").iterator():
        yield {"player": row.followed.public_id, "name": row.followed.name, "since": row.at}


def read_blocks(player: Player) -> Iterator[Row]:
    """Yield whom the player blocks; never who blocks them."""
    for row in PlayerBlock.objects.filter(player=player).select_related("blocked").order_by("pk").iterator():
        yield {"player": row.blocked.public_id, "name": row.blocked.name, "since": row.at}


def read_acts(player: Player) -> Iterator[Row]:
    """Yield what moderators decided about the player, with the appeal; not who of them it was."""
    for row in ModerationAct.objects.filter(player=player).order_by("pk").iterator():
        yield {
            "kind": row.kind,
            "reason": row.reason,
            "match": row.about_match,
            "at": row.at,
            "until": row.until,
            "appeal": row.appeal,
            "appealed_at": row.appealed_at,
            "answer": row.answer,
            "answered_at": row.answered_at,
            "lifted_at": row.lifted_at,
            "lift_reason": row.lift_reason,
        }


def read_marks(player: Player) -> Iterator[Row]:
    """Yield the days on which a mark of an address or a browser was kept: the marks themselves say nothing."""
    rows = ConnectionMark.objects.filter(player=player).order_by("day", "pk")
    for kind, day in rows.values_list("kind", "day").iterator():
        yield {"kind": kind, "day": day}


def register_parts() -> None:
    """Add these parts, at start."""
    register_part("follows", read_follows)
    register_part("blocks", read_blocks)
    register_part("moderation", read_acts)
    register_part("marks", read_marks)
