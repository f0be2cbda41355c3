"""The table that waits for a person, which only the app of tables can find (W1)."""

from collections.abc import Callable
from typing import NamedTuple


class OpenTable(NamedTuple):
    """A table where somebody sits or is awaited: its address, and its title as the reader sees it."""

    url: str
    title: str


TableFinder = Callable[[int], OpenTable | None]

_finders: list[TableFinder] = []


def register_finder(find: TableFinder) -> None:
    """Register who finds the table where a player is awaited, at start."""
    if find not in _finders:
        _finders.append(find)


def find_awaited_table(player_id: int) -> OpenTable | None:
    """Return the table where this player is awaited, None where they are at it or there is none."""
    return next((table for find in _finders if (table := find(player_id)) is not None), None)
