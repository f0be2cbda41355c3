"""What a match record comes to: the result object of record-format.md, MP and VP included, and each deal's count.

It reads records and finished matches, and writes nowhere. How a match is played is the engine's; what it is worth is
``vp``'s; this only puts the two together.
"""

from dataclasses import dataclass
from typing import Any, cast

from games.engine import record as verbale
from games.engine.game import HeaderError, Length, LengthKind, Points, TallyRow
from games.engine.match import Progress
from games.engine.record import RecordError
from games.models import Match
from scoring import vp


def result_of_record(record: object) -> dict[str, Any]:
    """The result of a record, given as what JSON made of it. RecordError where it can't be replayed.

    A round robin's length must have VP (V4), which the engine doesn't know.
    """
    parsed = verbale.parse(record)
    try:
        vp.check_length(parsed.setup)
    except HeaderError as fault:
        raise RecordError(fault.code) from None
    return result(verbale.replay(parsed).progress)


def result(progress: Progress) -> dict[str, Any]:
    """The result object of a match, complete or not; MP and VP by V1-V5, none in a KO."""
    outcome, setup = progress.outcome, progress.setup
    worth = None
    if outcome is not None and setup.context != "ko":
        worth = vp.worth(setup.ruleset, setup.length, outcome.winner, outcome.margin, outcome.offender)
    return {
        "ok": True,
        "complete": outcome is not None,
        "deals": [{"dealer": deal.dealer, "void": deal.void, "points": list(deal.points)} for deal in progress.deals],
        "score": list(progress.score),
        "winner": outcome.winner if outcome else None,
        "decided_by": outcome.decided_by if outcome else None,
        "margin": outcome.margin if outcome else None,
        "mp": list(worth.mp) if worth else None,
        "vp": list(worth.vp) if worth else None,
        "stakes": list(outcome.stakes) if outcome else [0, 0],
    }


@dataclass(frozen=True, slots=True)
class DealCount:
    """A deal of a finished match as it was counted, and how the match stood after it."""

    number: int | None  # from 1; None for a void deal (G5)
    dealer: int
    void: bool
    points: Points
    score: Points
    rows: tuple[TallyRow, ...]  # () where the deal was void or broken off


def deal_counts(record: object) -> list[DealCount]:
    """Every deal of a record with its count, point by point. RecordError where it can't be replayed."""
    parsed = verbale.parse(record)
    counts: list[DealCount] = []
    score = (0, 0)
    for progress in verbale.deal_by_deal(parsed):
        for deal in progress.deals[len(counts) :]:
            score = (score[0] + deal.points[0], score[1] + deal.points[1])
            number = None if deal.void else sum(not count.void for count in counts) + 1
            rows = progress.tally.rows if progress.tally and not deal.void else ()
            counts.append(DealCount(number, deal.dealer, deal.void, deal.points, score, rows))
    return counts


def worth_of(played: Match) -> vp.Worth | None:
    """The MP and VP of a finished match by its row (V1-V5, R4); None in a KO and where its length has no column."""
    if played.context == "ko":
        return None
    length = Length(cast(LengthKind, played.length_kind), played.length_value)
    if played.both_forfeited:
        return vp.both_forfeit(played.ruleset, length)
    return vp.worth(played.ruleset, length, played.winner, played.margin or 0, played.offender)
