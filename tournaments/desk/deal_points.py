"""Points of the deals of a result as it was typed, for the confronto of tables with the same decks (J10). It decides no
result.
"""

from typing import Protocol

from tournaments.core.errors import TournamentError
from tournaments.core.result import FORFEIT, find_context
from tournaments.models import Fixture, Tournament

Pair = tuple[int, int]


class TypedPoints(Protocol):
    """Points of a match as they were typed, and of each of its deals, where those were."""

    @property
    def points(self) -> Pair: ...

    @property
    def deals(self) -> tuple[Pair, ...]: ...

    @property
    def decided_by(self) -> str: ...


def require_deals(tournament: Tournament, fixture: Fixture, typed: TypedPoints) -> None:
    """Raise TournamentError (deals_needed) for a result of a real table with prepared decks that doesn't say the points
    of each deal: without them nothing could be compared."""
    prepared = tournament.venue.types_results and tournament.equal_deals and find_context(tournament, fixture) != "ko"
    if prepared and typed.decided_by != FORFEIT and not _list_deals(tournament, typed):
        raise TournamentError("deals_needed")


def keep_deals(tournament: Tournament, fixture: Fixture, typed: TypedPoints) -> None:
    """Keep the points of each deal of a fixture that was played with the round's decks. At a real table those of before
    go with a result that isn't their sum."""
    if not tournament.equal_deals or fixture.own_cards or fixture.moved:
        return
    deals = _list_deals(tournament, typed)
    if deals:
        fixture.deal_points = [list(pair) for pair in deals]
    elif tournament.venue.types_results and fixture.deal_points is not None:
        pairs = [pair for pair in fixture.deal_points if pair is not None]
        if tuple(sum(pair[side] for pair in pairs) for side in (0, 1)) != typed.points:
            fixture.deal_points = None


def _list_deals(tournament: Tournament, typed: TypedPoints) -> tuple[Pair, ...]:
    """Return the points of each deal; at a real table those of the match, where it is a single one."""
    single = tournament.venue.types_results and tournament.length_kind == "deals" and tournament.length_value == 1
    return typed.deals or ((typed.points,) if single else ())
