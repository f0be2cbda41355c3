"""The scores a match may end with: what a referee's points are held against (F2).

It combines what a ruleset's deals can give (``Ruleset.scores``) with what ends a match (G6, G7, T8, A2). It plays no
card and knows no ruleset by name. Sets of scores are kept as the bits of one integer, so that twenty deals take a few
milliseconds.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.engine import match
from games.engine.game import DealScores, EndingScores, Points, ScoreChoices, Setup

POINTS, DRAW, LAST_TRICK, LAST_TIE_BREAK = "points", "draw", "last_trick", "tie_break_last_trick"
CUT_SHORT = "cut_short"  # at a real table, when the time of the round was over (O6)


class ScoreBounds(NamedTuple):
    """Bounds of a score: the most a line can have, the possible sums, and what one line must have reached, if
    anything."""

    most: int
    totals: tuple[int, ...]
    target: int | None


class DealFault(NamedTuple):
    """Fault of a list of deals: ``deal_impossible``, ``deals_many`` or ``deals_few``; ``deal``: its number, and
    the ``totals`` that a deal can have."""

    code: str
    deal: int
    totals: tuple[int, ...] = ()


class _Scores:
    """Sets of scores below ``width``: the bit ``ours * width + theirs`` stands for a score."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.all = (1 << width * width) - 1
        self.level = sum(1 << place * (width + 1) for place in range(width))

    def bit(self, score: Points) -> int:
        return 1 << score[0] * self.width + score[1] if max(score) < self.width else 0

    def below(self, target: int) -> int:
        """The scores in which nobody has the target."""
        row = (1 << target) - 1
        return sum(row << place * self.width for place in range(target))

    def add(self, scores: int, choices: Iterable[ScoreChoices]) -> int:
        """The scores after a deal that gives the sum of one of each of the choices."""
        for choice in choices:
            moved = 0
            for ours, theirs in choice:
                moved |= scores << ours * self.width + theirs
            scores = moved & self.all
        return scores

    def iterate(self, scores: int) -> Iterable[Points]:
        while scores:
            low = scores & -scores
            yield divmod(low.bit_length() - 1, self.width)
            scores ^= low


class _Finals(NamedTuple):
    """The sets of final scores of a match: at its regular end, after each tie-break deal, before an ending."""

    scores: _Scores
    regular: int
    tie_breaks: tuple[int, ...]
    under_way: int  # before a deal of the regular length
    extra: int  # before a tie-break deal
    deal: DealScores

    @property
    def any(self) -> int:
        scores = self.regular
        for after in self.tie_breaks:
            scores |= after
        return scores


def list_ways_to_end(setup: Setup, points: Points, winner: int | None) -> tuple[str, ...]:
    """List the ways a match set up so can end with these points and this winner, forfeits aside; none if it can't.

    The codes are those of ``Outcome.decided_by``, the regular ones first.
    """
    if min(points) < 0:
        return ()
    finals, terms = _compute_finals(setup), match.find_terms(setup)
    bit = finals.scores.bit(points)
    level = points[0] == points[1]
    ways = []
    if not level and winner == match.find_leader(terms, points):
        ways += [POINTS] if finals.regular & bit else []
        ways += [f"tie_break_{number}" for number, after in enumerate(finals.tie_breaks, start=1) if after & bit]
    elif level and terms.level == "draw" and winner is None:
        ways += [DRAW] if finals.regular & bit else []
    elif level and terms.level == "last_trick" and winner is not None:
        ways += [LAST_TRICK] if finals.regular & bit else []
    elif level and terms.level == "tie_breaks" and winner is not None:
        ways += [LAST_TIE_BREAK] if finals.tie_breaks[-1] & bit else []
    if winner is not None:
        ahead = points if winner == 0 else (points[1], points[0])
        ways += [ending.code for ending in finals.deal.endings if _can_end_with(finals, setup, ending, ahead)]
    return tuple(ways)


def needs_tie_breaks(setup: Setup, points: Points) -> bool:
    """Tell if a match that ran out of time at these points is still to be decided by tie-break deals (O6)."""
    return setup.context == "ko" and points[0] == points[1] and not match.find_terms(setup).fewest_wins


def may_be_cut_short(setup: Setup, points: Points, winner: int | None) -> bool:
    """Tell if a match that ran out of time after any number of whole deals stands so (O6): who is ahead wins, and what
    is level is a draw. In a KO tie-break deals follow (G7), where fewest points win the last trick decides (A2)."""
    finals, terms = _compute_finals(setup), match.find_terms(setup)
    scores = finals.scores
    ended = finals.under_way
    level = points[0] == points[1]
    if setup.context != "ko":
        return bool(ended & scores.bit(points)) and winner == match.find_leader(terms, points)
    if terms.fewest_wins:
        named = winner is not None if level else winner == match.find_leader(terms, points)
        return bool(ended & scores.bit(points)) and named
    last = ended
    for _ in range(match.MOST_TIE_BREAKS):
        last = scores.add(last & scores.level, finals.deal.whole)
        ended |= last
    if level:
        return winner is not None and bool(last & scores.bit(points))
    return bool(ended & scores.bit(points)) and winner == match.find_leader(terms, points)


def compute_bounds(setup: Setup) -> ScoreBounds:
    """Return the bounds of the final scores of a match set up so, to explain why others are refused."""
    finals = _compute_finals(setup)
    scores = list(finals.scores.iterate(finals.any))
    target = setup.length.value if setup.length.kind == "points" else None
    return ScoreBounds(max(max(score) for score in scores), tuple(sorted({sum(score) for score in scores})), target)


def find_deal_fault(
    setup: Setup, deals: Sequence[Points], *, ended: bool = False, cut_short: bool = False
) -> DealFault | None:
    """Return what can't be in these deals of a match set up so, played one after the other; None if they can be.

    ``ended``: the last one ended the match by a victory of its own (``list_endings``), whatever the score;
    ``cut_short``: the time did (O6).
    """
    finals = _compute_finals(setup)
    scores = finals.scores
    whole = scores.add(scores.bit((0, 0)), finals.deal.whole)
    last = whole
    for ending in finals.deal.endings if ended else ():
        won = list(scores.iterate(scores.add(scores.bit((0, 0)), ending.choices)))  # by line 0
        for ours, theirs in won:
            last |= scores.bit((ours, theirs)) | scores.bit((theirs, ours))
    for number, deal in enumerate(deals, start=1):
        if not (last if number == len(deals) else whole) & scores.bit(deal):
            sums = sorted({sum(score) for score in scores.iterate(whole)})
            return DealFault("deal_impossible", number, tuple(sums))
        if number < len(deals) and _is_over(setup, deals[:number]):
            return DealFault("deals_many", number + 1)
    return None if ended or cut_short or _is_over(setup, deals) else DealFault("deals_few", len(deals))


def _is_over(setup: Setup, deals: Sequence[Points]) -> bool:
    """Tell if a match is over after these deals, none of which ended it before (G6, G7)."""
    terms = match.find_terms(setup)
    kind, value = setup.length
    score = (sum(deal[0] for deal in deals), sum(deal[1] for deal in deals))
    regular = value if kind == "deals" else None
    if kind == "points":
        regular = next((count for count in range(1, len(deals) + 1) if _reaches(deals[:count], value)), None)
    if regular is None or len(deals) < regular:
        return False
    level = score[0] == score[1]
    return not level or terms.level != "tie_breaks" or len(deals) - regular >= match.MOST_TIE_BREAKS


def _reaches(deals: Sequence[Points], target: int) -> bool:
    return any(sum(deal[line] for deal in deals) >= target for line in (0, 1))


def list_endings(setup: Setup) -> tuple[str, ...]:
    """Return the victories that end a match set up so whatever the score (T9, C5, C6), by code."""
    return tuple(ending.code for ending in match.find_ruleset(setup).scores(setup).endings)


def _can_end_with(finals: _Finals, setup: Setup, ending: EndingScores, points: Points) -> bool:
    """Return whether this ending can bring its winner, line 0, these points."""
    scores = finals.scores
    if ending.at_target:  # T9: where it is called, and in no tie-break deal
        reached = setup.length.kind == "points" and points[0] >= setup.length.value
        return reached and bool(scores.add(finals.under_way, ending.choices) & scores.bit(points))
    return bool(scores.add(finals.under_way | finals.extra, ending.choices) & scores.bit(points))


def _compute_finals(setup: Setup) -> _Finals:
    kind, value = setup.length
    deal = match.find_ruleset(setup).scores(setup)
    most = max(_find_most(choices) for choices in (deal.whole, *(ending.choices for ending in deal.endings)))
    extra_deals = match.MOST_TIE_BREAKS + 1
    scores = _Scores((value * most if kind == "deals" else value) + most * extra_deals + 1)
    under_way = regular = scores.bit((0, 0))
    if kind == "deals":
        for _ in range(value):
            under_way |= regular
            regular = scores.add(regular, deal.whole)
    else:
        running = scores.below(value)
        grown = 0
        while grown != under_way:
            grown = under_way
            under_way |= scores.add(under_way, deal.whole) & running
        regular = scores.add(under_way, deal.whole) & ~running
    tie_breaks, extra = [], 0
    if match.find_terms(setup).level == "tie_breaks":
        before = regular
        for _ in range(match.MOST_TIE_BREAKS):
            extra |= before & scores.level
            before = scores.add(before & scores.level, deal.whole)
            tie_breaks.append(before)
    return _Finals(scores, regular, tuple(tie_breaks), under_way, extra, deal)


def _find_most(choices: Iterable[ScoreChoices]) -> int:
    """The most a line gets of a deal."""
    return sum(max(max(score) for score in choice) for choice in choices)
