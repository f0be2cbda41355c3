"""The refusals of the room of chips."""

from players.models import Player


class ChipsRefused(Exception):
    """Refusal of an act with chips; it changed nothing. ``code`` is one of wording.CHIP_REFUSALS; ``player``: whose
    chips it is about, where that may be somebody else."""

    def __init__(self, code: str, player: Player | None = None) -> None:
        super().__init__(code)
        self.code, self.player = code, player
