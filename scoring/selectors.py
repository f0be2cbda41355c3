"""What a match record comes to: the result object of record-format.md, MP and VP included.

It reads a record and nothing else, and writes nowhere. How a match is played is the engine's; what it is worth is
``vp``'s; this only puts the two together.
"""

from typing import Any

from games.engine import record as verbale
from games.engine.game import HeaderError
from games.engine.match import Progress
from games.engine.record import RecordError
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
