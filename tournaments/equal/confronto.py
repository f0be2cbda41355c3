"""Confronto of the rounds of a tournament with equal deals (J10): each table against the others of its round, and the
mean of each entry. Recomputed from deals and results whenever it is asked for; it stores nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from games.engine import match as engine
from games.models import Deal
from scoring import comparison
from scoring.comparison import ComparedDeal, Points
from tournaments.core.result import FixtureResult, ResultTerms
from tournaments.formats import FORMATS
from tournaments.models import Fixture, RoundBye, Tournament

State = Fixture.State
Shares = tuple[Fraction | None, Fraction | None]  # by side, 1 for 100 %; None: no percentage
WHOLE = 10_000  # hundredths of one per cent
BYES = {
    RoundBye.Kind.ASKED: comparison.MISSED,
    RoundBye.Kind.MISSED: comparison.MISSED,
    RoundBye.Kind.ABSENT: Fraction(0),
}


@dataclass(frozen=True, slots=True)
class TableComparison:
    """A fixture in its round's confronto. ``why``: what its shares come from, a code: deals, even (none was compared),
    forfeit, ruled, annulled, bye, missed, rest or open."""

    fixture: Fixture
    deals: tuple[ComparedDeal, ...]
    shares: Shares
    why: str


def compare_rounds(
    tournament: Tournament, fixtures: Mapping[int, Sequence[Fixture]], annulled: Collection[int]
) -> dict[int, tuple[TableComparison, ...]]:
    """Compare the tables of rounds, by their numbers, with all their fixtures; two queries for any number of them.

    ``annulled``: the ids of the fixtures of whoever left before half (R5).
    """
    deals = read_deals([fixture for round_ in fixtures.values() for fixture in round_])
    byes = {
        (row.entry_id, row.number): RoundBye.Kind(row.kind)
        for row in RoundBye.objects.filter(entry__tournament=tournament, number__in=fixtures)
    }
    terms = engine.find_terms(ResultTerms.of(tournament, FORMATS[tournament.format].context).setup)
    compared: dict[int, tuple[TableComparison, ...]] = {}
    for number, round_ in fixtures.items():
        points = {fixture.pk: deals.get(fixture.pk, {}) for fixture in round_ if not fixture.left_out}
        tables = comparison.compare_tables(points, fewest_wins=terms.fewest_wins)
        compared[number] = tuple(
            TableComparison(fixture, tables.get(fixture.pk, ()), (None, None), "annulled")
            if fixture.annulled or fixture.pk in annulled
            else _judge_table(fixture, tables.get(fixture.pk, ()), byes.get((fixture.first_id or 0, number)))
            for fixture in round_
        )
    return compared


def compute_means(rounds: Iterable[Sequence[TableComparison]]) -> dict[int, Fraction]:
    """Return the mean percentage of each entry that has one, by its id."""
    shares: dict[int, list[Fraction]] = {}
    for tables in rounds:
        for table in tables:
            for entry, share in zip((table.fixture.first_id, table.fixture.second_id), table.shares, strict=True):
                if entry is not None and share is not None:
                    shares.setdefault(entry, []).append(share)
    return {entry: sum(own, Fraction(0)) / len(own) for entry, own in shares.items()}


def read_deals(fixtures: Collection[Fixture]) -> dict[int, dict[int, Points]]:
    """Return the points of the deals that tables finished, by fixture and the deal's number: a referee's, where there
    are some. Void deals aren't in it, nor one that a forfeit cut short."""
    matches = {
        fixture.match_id: fixture.pk for fixture in fixtures if fixture.match_id is not None and not fixture.own_cards
    }
    rows = Deal.objects.with_results().filter(match__in=matches, finished=True).order_by("match", "number")
    names = ("match_id", "number", "void", "points_0", "points_1", "match__offender")
    deals: dict[int, dict[int, Points]] = {}
    for match_id, played in groupby(rows.values_list(*names), key=lambda row: row[0]):
        kept = list(played)
        if kept[-1][5] is not None:
            kept.pop()
        deals[matches[match_id]] = {number: (first, second) for _m, number, void, first, second, _o in kept if not void}
    for fixture in fixtures:
        if fixture.deal_points is not None:
            typed = enumerate(fixture.deal_points)
            deals[fixture.pk] = {number: (pair[0], pair[1]) for number, pair in typed if pair is not None}
    return deals


def _judge_table(fixture: Fixture, deals: tuple[ComparedDeal, ...], bye: RoundBye.Kind | None) -> TableComparison:
    if fixture.first_id is not None and fixture.second_id is None:
        return _judge_alone(fixture, bye)
    if fixture.result_at is None:
        return TableComparison(fixture, deals, (None, None), "open")
    if fixture.percent_0 is not None and fixture.percent_1 is not None:
        ruled = (Fraction(fixture.percent_0, WHOLE), Fraction(fixture.percent_1, WHOLE))
        return TableComparison(fixture, deals, ruled, "ruled")
    first, second = (comparison.compute_share(deals, side) for side in (0, 1))
    forfeits = FixtureResult.from_fixture(fixture).forfeits
    if forfeits:
        first, second = (
            comparison.settle_forfeit(share, by_them=side in forfeits) for side, share in enumerate((first, second))
        )
        return TableComparison(fixture, deals, (first, second), "forfeit")
    why = "deals" if any(deal.possible for deal in deals) else "even"
    return TableComparison(fixture, deals, (first, second), why)


def _judge_alone(fixture: Fixture, bye: RoundBye.Kind | None) -> TableComparison:
    """Return what a round without an opponent is worth: a rest in a girone nothing at all."""
    if fixture.state == State.REST or fixture.vp_0 is None:
        return TableComparison(fixture, (), (None, None), "rest")
    if bye is not None:
        return TableComparison(fixture, (), (BYES[bye], None), "missed")
    return TableComparison(fixture, (), (comparison.BYE, None), "bye")
