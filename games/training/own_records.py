"""The part of one's own data that only training knows: the matches that are kept, with their records (B7)."""

from collections.abc import Iterator

from games.selectors import build_record
from games.training.queries import choose_training
from players.models import Player
from players.services.own_data import Row


def read_training(player: Player) -> Iterator[Row]:
    """Yield the training of this player that is kept, the newest first; what runs has no record yet."""
    for match in choose_training(player).iterator(chunk_size=100):
        yield {
            "id": match.public_id,
            "ruleset": match.ruleset,
            "opened_at": match.opened_at,
            "finished_at": match.finished_at,
            "set_aside": match.stopped_at is not None,
            "record": build_record(match),
        }
