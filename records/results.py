"""The result object of a match record (record-format.md), MP and VP included, and the count of every deal.

It reads records and writes nowhere. The engine decides how a match is played, ``scoring`` the MP and VP; this module
only joins the two.
"""

import json
from dataclasses import dataclass
from typing import NoReturn

from games import wording
from games.engine import record as verbale
from games.engine.game import HeaderError, Points
from games.engine.match import Progress
from games.engine.record import Json, RecordError
from scoring import vp

MAX_RECORD_BYTES = 256 * 1024  # where anybody may send one; the longest match there can be takes a fifth


@dataclass(frozen=True, slots=True)
class DealSummary:
    """A deal of a match, and the score after it."""

    number: int | None  # from 1; None for a void deal (G5)
    dealer: int
    void: bool
    points: Points
    score: Points


def decode(text: bytes) -> object:
    """Parse JSON. RecordError("not_json") for anything that isn't JSON or is too deep to be a record."""
    try:
        return json.loads(text.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise RecordError("not_json") from None


def locate_syntax_fault(text: bytes) -> tuple[int, int] | None:
    """Return line and column, from 1, where a text stops being JSON; None where that can't be told."""
    try:
        json.loads(text.decode("utf-8"))
    except json.JSONDecodeError as fault:
        return fault.lineno, fault.colno
    except (ValueError, RecursionError):
        return None
    return None


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def replay_text(text: bytes) -> Json:
    """Return the result object of a record's text, or the error object: where it can't be replayed, and why."""
    try:
        return replay_record(decode(text))
    except RecordError as fault:
        return {
            "ok": False,
            "deal": fault.deal,
            "move": fault.move,
            "code": fault.code,
            "error": wording.describe_fault(fault.code),
        }


def replay_record(record: object) -> Json:
    """Return the result object of a decoded record. RecordError where it can't be replayed.

    A round robin's length must have VP (V4), which the engine doesn't know.
    """
    parsed = verbale.parse(record)
    try:
        vp.check_length(parsed.setup)
    except HeaderError as fault:
        raise RecordError(fault.code) from None
    return build_result(verbale.replay(parsed).progress)


def build_result(progress: Progress) -> Json:
    """Return the result object of a match, complete or not. MP and VP by V1-V5, none in a KO."""
    outcome, setup = progress.outcome, progress.setup
    points = None
    if outcome is not None and setup.context != "ko":
        points = vp.compute_points(setup.ruleset, setup.length, outcome.winner, outcome.margin, outcome.offender)
    return {
        "ok": True,
        "complete": outcome is not None,
        "deals": [{"dealer": deal.dealer, "void": deal.void, "points": list(deal.points)} for deal in progress.deals],
        "score": list(progress.score),
        "winner": outcome.winner if outcome else None,
        "decided_by": outcome.decided_by if outcome else None,
        "margin": outcome.margin if outcome else None,
        "mp": list(points.mp) if points else None,
        "vp": list(points.vp) if points else None,
        "stakes": list(progress.stakes),
    }


def list_deal_summaries(record: object) -> list[DealSummary]:
    """Return every deal of a decoded record with its count. RecordError where it can't be replayed."""
    parsed = verbale.parse(record)
    counts: list[DealSummary] = []
    score = parsed.setup.handicap
    for progress in verbale.replay_deals(parsed):
        for deal in progress.deals[len(counts) :]:
            score = (score[0] + deal.points[0], score[1] + deal.points[1])
            number = None if deal.void else sum(not count.void for count in counts) + 1
            counts.append(DealSummary(number, deal.dealer, deal.void, deal.points, score))
    return counts
