"""Sums of an analysis (HP6): a word for each decision, accuracy, the course of the match and its turning points.

Plain arithmetic on what is stored. Points are those of the own line beyond the other's, more always better, also where
few points win. Nothing here says anything in words.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from typing import Literal

from games.engine.game import Setup
from games.engine.match import find_terms
from games.engine.record import Json
from records.results import DealSummary

Word = Literal["best", "good", "inexact", "error"]
WORDS: tuple[Word, ...] = ("best", "good", "inexact", "error")
BOUNDS = (0.1, 0.4, 1.0)  # the most a decision may lose to be called so, in points times the game's scale
SCALES = {"briscola": 0.4, "tresette-a-perdere": 1.5}  # of other games: 1
MOST_TURNS, LEAST_TURN = 5, 0.8  # turning points: how many, and from which change on, times the scale
OPEN_SAME = 0.05  # a card is as good as another with open cards


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """Decision with its word. ``loss``: what it surely cost, chance taken off; ``worth`` and ``best``: of the card that
    was played and of the best."""

    result: Json
    word: Word
    loss: float
    worth: float
    best: float

    @property
    def deal(self) -> int:
        return int(self.result["deal"])

    @property
    def step(self) -> int:
        return int(self.result["step"])


@dataclass(frozen=True, slots=True)
class CoursePoint:
    """Lead to be expected at one moment of a match: after a decision, or (``step`` None) at a deal's end."""

    deal: int
    step: int | None
    lead: float


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Change of the lead to be expected: by the own card, or by what the others played and which cards came."""

    deal: int
    step: int
    own: bool
    change: float


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """Deal with open cards: what could be reached from the first decision, what came of it, and how many of the
    decisions were the best with open cards too."""

    deal: int
    possible: float
    reached: int
    same: int
    decisions: int


@dataclass(frozen=True, slots=True)
class AnalysisSummary:
    """Whole of an analysis. ``accuracy``: in hundredths; None without a decision."""

    decisions: tuple[JudgedDecision, ...]
    words: Mapping[str, int]
    accuracy: int | None
    course: tuple[CoursePoint, ...]
    turns: tuple[TurningPoint, ...]
    open_deals: tuple[OpenDeal, ...]


def summarise(results: Sequence[Json], setup: Setup, seat: int, deals: Sequence[DealSummary]) -> AnalysisSummary:
    """Return the sums of the stored results of whoever sits at ``seat``; ``deals``: those of the record, in order."""
    scale = SCALES.get(setup.ruleset, 1.0)
    sign = -1 if find_terms(setup).fewest_wins else 1
    decisions = tuple(judge(result, scale) for result in results if result["moves"])
    counted = Counter(decision.word for decision in decisions)
    shares = [exp(-decision.loss / scale) for decision in decisions]
    return AnalysisSummary(
        decisions,
        {word: counted[word] for word in WORDS},
        round(100 * sum(shares) / len(shares)) if shares else None,
        _follow_course(decisions, deals, seat, sign),
        _find_turns(decisions, scale),
        _open_deals(decisions, deals, seat, sign),
    )


def judge(result: Json, scale: float) -> JudgedDecision:
    """Return a decision with its word: what may be chance is held against nobody."""
    loss = 0.0 if result["agreed"] else max(0.0, result["loss"] - result["doubt"])
    word = next((word for word, most in zip(WORDS, BOUNDS, strict=False) if loss <= most * scale), WORDS[-1])
    worths = dict(result["moves"])
    return JudgedDecision(result, word, loss, worths[result["played"]], result["moves"][0][1])


def _own_points(deal: DealSummary, seat: int, sign: int) -> int:
    return sign * (deal.points[seat % 2] - deal.points[1 - seat % 2])


def _follow_course(
    decisions: Sequence[JudgedDecision], deals: Sequence[DealSummary], seat: int, sign: int
) -> tuple[CoursePoint, ...]:
    course: list[CoursePoint] = []
    for place, deal in enumerate(deals, 1):
        if deal.void:
            continue
        course += [
            CoursePoint(place, own.step, sign * own.result["lead"] + own.worth)
            for own in decisions
            if own.deal == place
        ]
        course.append(CoursePoint(place, None, sign * (deal.score[seat % 2] - deal.score[1 - seat % 2])))
    return tuple(course)


def _find_turns(decisions: Sequence[JudgedDecision], scale: float) -> tuple[TurningPoint, ...]:
    turns = [TurningPoint(own.deal, own.step, True, own.worth - own.best) for own in decisions if own.word != "best"]
    turns += [
        TurningPoint(after.deal, after.step, False, after.best - before.worth)
        for before, after in pairwise(decisions)
        if before.deal == after.deal
    ]
    great = [turn for turn in turns if abs(turn.change) >= LEAST_TURN * scale]
    greatest = sorted(great, key=lambda turn: -abs(turn.change))[:MOST_TURNS]
    return tuple(sorted(greatest, key=lambda turn: (turn.deal, turn.step)))


def _open_deals(
    decisions: Sequence[JudgedDecision], deals: Sequence[DealSummary], seat: int, sign: int
) -> tuple[OpenDeal, ...]:
    rows = []
    for place, deal in enumerate(deals, 1):
        own = [decision.result for decision in decisions if decision.deal == place]
        if own:
            same = sum(result["open"][result["played"]] >= max(result["open"].values()) - OPEN_SAME for result in own)
            rows.append(OpenDeal(place, max(own[0]["open"].values()), _own_points(deal, seat, sign), same, len(own)))
    return tuple(rows)
