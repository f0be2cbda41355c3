"""Results of squadre di quattro with equal deals (J11): the two tables of a fixture, seats exchanged, as one. It reads
deals and results, and stores nothing.

The first team is side 0 at the first table and side 1 at the second.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from games.engine import match as engine
from scoring.comparison import Points
from scoring.team_match import Swing, compute_swings, score_match
from tournaments.core.result import FORFEIT, NO_RESULT, FixtureResult, ResultTerms
from tournaments.equal.confronto import read_deals
from tournaments.formats import FORMATS
from tournaments.models import Fixture, Tournament

Key = TypeVar("Key", bound=Hashable)
Tables = tuple[Fixture, Fixture]


@dataclass(frozen=True, slots=True)
class TeamResult:
    """Result of two tables that are over. ``ahead``: the first team's sum; ``why``: what it comes from, a code: deals
    (the ``swings``), whole (the differences of the tables, where one has no deals of the round) or annulled (one table
    counts for nobody: level, unless somebody forfeits)."""

    result: FixtureResult
    swings: tuple[Swing, ...]
    ahead: int
    why: str


def combine_boards(tournament: Tournament, boards: Mapping[Key, Tables]) -> dict[Key, TeamResult]:
    """Return the results of those of these fixtures whose two tables are over, by one query for any number of them."""
    over = {key: tables for key, tables in boards.items() if all(table.result_at is not None for table in tables)}
    deals = read_deals([table for tables in over.values() for table in tables])
    terms = ResultTerms.of(tournament, FORMATS[tournament.format].context)
    return {key: _combine(terms, tables, deals) for key, tables in over.items()}


def _combine(terms: ResultTerms, tables: Tables, deals: Mapping[int, Mapping[int, Points]]) -> TeamResult:
    setup = terms.setup
    if all(table.annulled for table in tables):
        return TeamResult(NO_RESULT, (), 0, "annulled")
    fewest_wins = engine.find_terms(setup).fewest_wins
    own = FixtureResult.from_fixture(tables[0]), FixtureResult.from_fixture(tables[1]).exchange_sides()
    forfeits = tuple(side for side in (0, 1) if any(side in result.forfeits for result in own))
    swings: tuple[Swing, ...] = ()
    if any(table.annulled for table in tables):
        ahead, why = 0, "annulled"
    elif all(_is_played_by_deals(table, deals.get(table.pk, {})) for table in tables):
        swings = compute_swings(*(deals.get(table.pk, {}) for table in tables), fewest_wins=fewest_wins)
        ahead, why = sum(swing.ahead for swing in swings), "deals"
    else:
        played = (result.points or (0, 0) for result in own if not result.forfeits)
        ahead, why = sum(pair[0] - pair[1] for pair in played) * (-1 if fewest_wins else 1), "whole"
    score = score_match(setup.ruleset, setup.length, ahead, forfeits)
    if score is None:  # refused when the tournament was created (V4)
        raise ValueError(f"a length without VP: {setup.ruleset} {setup.length}")
    points = [result.points or (0, 0) for result in own]
    summed = (sum(pair[0] for pair in points), sum(pair[1] for pair in points))
    decided_by = FORFEIT if forfeits else "points"
    unplayed = all(result.unplayed or table.annulled for result, table in zip(own, tables, strict=True))
    result = FixtureResult(score.winner, forfeits, summed, score.worth.mp, score.worth.vp, decided_by, unplayed)
    return TeamResult(result, swings, ahead, why)


def _is_played_by_deals(table: Fixture, deals: Mapping[int, Points]) -> bool:
    """Tell if a table's result is that of its deals: not where it was played with other cards, nor where a referee
    wrote points that they don't add up to. What a forfeit cut short is."""
    result = FixtureResult.from_fixture(table)
    if result.forfeits:
        return True
    summed = tuple(sum(pair[side] for pair in deals.values()) for side in (0, 1))
    return bool(deals) and (summed == result.points or not (table.ruled or table.moved))
