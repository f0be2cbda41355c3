"""Results of fixtures as levels know them (L2, L3), and those that levels don't follow yet.

The result in force is the fixture's: a referee's ruling counts as it was ruled. It rates nobody.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from games.engine import match as engine
from games.models import Match
from scoring import counted_matches, level_book, ratings
from scoring.models import LevelStep
from tournaments.core.result import FixtureResult, ResultTerms, find_context
from tournaments.models import Fixture, Tournament
from tournaments.querysets import FixtureQuerySet

UNEQUAL = 5e-7  # two shares that differ by more


def read_ruled_shares(match_ids: Collection[int]) -> dict[int, float | None]:
    """Return the share of the first side of each match that a fixture holds, by the match; None where it doesn't
    count."""
    return _compute_shares(Fixture.objects.filter(match__in=match_ids))


def note_changed_results(tournament: Tournament, now: datetime, changed: Collection[Fixture] | None = None) -> None:
    """Have levels follow the results of a tournament that they don't agree with; ``changed``: of these fixtures
    alone."""
    rows = Fixture.objects.filter(round__tournament=tournament, match__status=Match.Status.FINISHED)
    if changed is not None:
        rows = rows.filter(pk__in=[fixture.pk for fixture in changed])
    if not rows.exists():  # at real tables, every time: the rows with all they need are dear to ask for
        return
    shares = _compute_shares(rows)
    steps = LevelStep.objects.filter(match__in=shares, line=0)
    rated = dict(steps.values_list("match_id", "share"))
    forget_matches([match_id for match_id, share in shares.items() if _differs(share, rated.get(match_id))], now)


def forget_matches(match_ids: Iterable[int | None], now: datetime) -> None:
    """Have levels follow what is left of these matches: no fixture holds them any more, or another result does."""
    stored_ids = [match_id for match_id in match_ids if match_id is not None]
    level_book.note_changes(match_ids=counted_matches.find_countable(stored_ids), now=now)


def _compute_shares(rows: FixtureQuerySet) -> dict[int, float | None]:
    """Return the first side's share of each of these fixtures, by its match."""
    fixtures = rows.with_results().select_related("round__tournament", "match", "first")
    return {fixture.match.pk: _compute_share(fixture, fixture.match) for fixture in fixtures if fixture.match}


def _compute_share(fixture: Fixture, match: Match) -> float | None:
    tournament = fixture.round.tournament
    if tournament.imported_from or fixture.moved or fixture.state == Fixture.State.ANNULLED:
        return None
    if fixture.result_at is None:
        return counted_matches.compute_own_share(match.with_results())
    result = FixtureResult.from_fixture(fixture)
    if result.double_forfeit or result.points is None:
        return None
    if result.forfeit_by is not None:
        return float(result.forfeit_by)
    if result.vp is not None and not tournament.entry_kind.has_parts:
        return result.vp[0] / sum(result.vp) if sum(result.vp) else None
    setup = ResultTerms.of(tournament, find_context(tournament, fixture)).setup
    margin = engine.compute_margin(engine.find_terms(setup), result.points, result.winner)
    return ratings.compute_share(setup.ruleset, setup.length, result.winner, margin, result.decided_by)


def _differs(share: float | None, rated: float | None) -> bool:
    if share is None or rated is None:
        return share is not rated
    return abs(share - rated) > UNEQUAL
