"""A referee's say on the confronto of a fixture with equal deals (J10): the points of its deals, the percentages of its
sides, or that nobody is compared with it. Its result stays as it is.
"""

from dataclasses import dataclass

from django.db import transaction

from tournaments.core.errors import TournamentError
from tournaments.core.log_details import ComparisonDetail
from tournaments.desk.act import Act, begin_act, locate_fixture, lock_fixture_for, tell_ruling, write_act
from tournaments.desk.results import MAX_POINTS, Pair, recompute_after

MAX_DEALS = 40  # void ones included
WHOLE = 10_000  # hundredths of one per cent


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRuling:
    """Ruling on what counts instead of the deals of the match: the points of each by its number, None for one that
    isn't there (empty: those of the match); the percentages of both sides in hundredths (None: as compared)."""

    deals: tuple[Pair | None, ...] = ()
    percent: Pair | None = None
    left_out: bool = False


def rule_comparison(*, tournament_id: int, fixture_id: int, ruling: ComparisonRuling, act: Act) -> None:
    """Store what counts of a fixture in the confronto of its round, in place of what was ruled before.

    TournamentError: no_comparison, where nothing is compared; no_such_result, for points or percentages that can't be.
    """
    pairs = [pair for pair in ruling.deals if pair is not None]
    percent = ruling.percent or (0, 0)
    possible = all(0 <= number <= MAX_POINTS for pair in pairs for number in pair)
    if not possible or len(ruling.deals) > MAX_DEALS or not all(0 <= number <= WHOLE for number in percent):
        raise TournamentError("no_such_result")
    with transaction.atomic():
        tournament = begin_act(tournament_id, act)
        if tournament is None:
            return
        fixture = lock_fixture_for(tournament, fixture_id, act)
        if not tournament.equal_deals or fixture.round.name not in ("round", "group"):
            raise TournamentError("no_comparison")
        fixture.deal_points = [pair and list(pair) for pair in ruling.deals] or None
        fixture.percent_0, fixture.percent_1 = ruling.percent or (None, None)
        fixture.left_out = ruling.left_out
        fixture.save(update_fields=["deal_points", "percent_0", "percent_1", "left_out"])
        detail = ComparisonDetail(
            place=locate_fixture(fixture), deals=ruling.deals, percent=ruling.percent, left_out=ruling.left_out
        )
        write_act(tournament, "comparison", act, detail)
        recompute_after(tournament, act.now, [fixture])
        tell_ruling(tournament, fixture, act)
