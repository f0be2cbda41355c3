"""Results that were typed and wait, and telephones that call (O4), as the desk shows them.

How they are typed is a higher room's, which registers what it knows at the start.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from players.models import Player
from tournaments.core.rows import FixtureRow
from tournaments.models import Fixture, Tournament


@dataclass(frozen=True, slots=True)
class TypedResults:
    """Answers to what the desk asks about typed results: whether a tournament has a page for them, the rows of the
    fixtures whose telephones call the referee, and what both sides of a fixture typed."""

    has_page: Callable[[Tournament], bool]
    list_calling: Callable[[Tournament, Player], Sequence[Any]]
    list_typed: Callable[[Fixture, FixtureRow], Sequence[Any]]


_registered: list[TypedResults] = []


def register_typed_results(typed: TypedResults) -> None:
    """Take who knows; the last one holds."""
    _registered[:] = [typed]


def ask_typed_results() -> TypedResults:
    """Return who knows."""
    return _registered[-1]
