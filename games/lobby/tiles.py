"""The tile of a game, as the lobby and the front page have it."""

from dataclasses import dataclass

from games.lobby.kinds import SeekKind


@dataclass(frozen=True, slots=True)
class GameTile:
    """Tile of a game: what a tap seeks, how many others wait for it, and whether the reader does."""

    kind: SeekKind
    waiting: int
    own: bool = False
