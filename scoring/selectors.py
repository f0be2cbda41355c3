"""What a match record comes to: the result object of record-format.md, MP and VP included, and each deal's count.

It reads records and finished matches, and writes nowhere. How a match is played is the engine's; what it is worth is
``vp``'s; this only puts the two together.
"""

import json
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from games import words
from games.engine import record as verbale
from games.engine.game import HeaderError, Length, LengthKind, Points
from games.engine.match import Progress
from games.engine.record import RecordError
from games.models import Match
from scoring import vp

LONGEST_RECORD = 256 * 1024  # bytes, where anybody may send one; the longest match there can be takes a fifth


def decoded(text: bytes) -> object:
    """What JSON makes of a text; RecordError("not_json") for anything that isn't JSON or is too deep to be a record."""
    try:
        return json.loads(text.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise RecordError("not_json") from None


def syntax_fault(text: bytes) -> tuple[int, int] | None:
    """Line and column, from 1, where a text stops being JSON; None where that can't be told."""
    try:
        json.loads(text.decode("utf-8"))
    except json.JSONDecodeError as fault:
        return fault.lineno, fault.colno
    except (ValueError, RecursionError):
        return None
    return None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def answer(text: bytes) -> dict[str, Any]:
    """The result object of a record's text, or the error object that says where it can't be replayed and why."""
    try:
        return result_of_record(decoded(text))
    except RecordError as fault:
        return {
            "ok": False,
            "deal": fault.deal,
            "move": fault.move,
            "code": fault.code,
            "error": words.fault(fault.code),
        }


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
        "stakes": list(progress.stakes),
    }


@dataclass(frozen=True, slots=True)
class DealCount:
    """A deal of a finished match, and how the match stood after it."""

    number: int | None  # from 1; None for a void deal (G5)
    dealer: int
    void: bool
    points: Points
    score: Points


def deal_counts(record: object) -> list[DealCount]:
    """Every deal of a record and what it came to. RecordError where it can't be replayed."""
    parsed = verbale.parse(record)
    counts: list[DealCount] = []
    score = (0, 0)
    for progress in verbale.deal_by_deal(parsed):
        for deal in progress.deals[len(counts) :]:
            score = (score[0] + deal.points[0], score[1] + deal.points[1])
            number = None if deal.void else sum(not count.void for count in counts) + 1
            counts.append(DealCount(number, deal.dealer, deal.void, deal.points, score))
    return counts


def worth_of(played: Match) -> vp.Worth | None:
    """The MP and VP of a finished match by its row (V1-V5, R4); None in a KO and where its length has no column."""
    if played.context == "ko" or played.stopped_at is not None:
        return None
    length = Length(cast(LengthKind, played.length_kind), played.length_value)
    if played.both_forfeited:
        return vp.both_forfeit(played.ruleset, length)
    return vp.worth(played.ruleset, length, played.winner, played.margin or 0, played.offender)
