"""The table that waits for a person, which only the app of tables can find (W1)."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple


class OpenTable(NamedTuple):
    """A table where somebody sits or is awaited: its address, and its title as the reader sees it.

    ``until``: when who is awaited loses their seat (G8); None where they have come, or no hour is set.
    """

    url: str
    title: str
    awaited: bool = False
    until: datetime | None = None

    def build_frame(self) -> dict[str, str | None]:
        """Return what pages are told of it."""
        until = None if self.until is None else self.until.isoformat()
        return {"url": self.url, "title": self.title, "until": until}


TableFinder = Callable[[int], OpenTable | None]

_finders: list[TableFinder] = []


def register_finder(find: TableFinder) -> None:
    """Register who finds the table where a player is awaited, at start."""
    if find not in _finders:
        _finders.append(find)


def find_awaited_table(player_id: int) -> OpenTable | None:
    """Return the table where this player is awaited, None where they are at it or there is none."""
    return next((table for find in _finders if (table := find(player_id)) is not None), None)
