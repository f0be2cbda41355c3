"""A decision looked back at (HP6): what each card could be expected to bring, from what the seat knew then.

The players' own thinking, on the same Views; the dice come from the place of the decision alone, so that nothing that
was hidden shows in a figure. Apart from that, and only where the whole deal is handed in, what was possible with open
cards.
"""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, NamedTuple

from games.bots import WEIGHERS
from games.bots.dice import Dice
from games.bots.memory import Memory
from games.bots.open_cards import weigh_openly
from games.bots.quick.tricks import choose_for_partner
from games.bots.reasons import Reason, find_reason
from games.bots.strengths import find_study_effort
from games.bots.tricks.player import AIMS
from games.bots.worlds import Impossible
from games.engine.game import GameMove, View


class StudyQuestion(NamedTuple):
    """A decision that was made. ``state``: the deal as it really lay, for the part with open cards alone."""

    ruleset: str
    view: View
    memory: Memory
    played: GameMove
    seed: int
    state: Any

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<StudyQuestion: {self.ruleset}>"


class WeighedMove(NamedTuple):
    """A legal move: the points its line may expect beyond the other's, how many less than with the best, and by how
    much that may be chance (a standard error)."""

    move: GameMove
    worth: float
    loss: float
    doubt: float


class WeighedDecision(NamedTuple):
    """The legal moves, the best first; why the one that was played is worse; and their worth with open cards."""

    moves: tuple[WeighedMove, ...]
    played: WeighedMove
    exact: bool
    reason: Reason | None
    agreed: bool  # the played card is what a partner had asked for
    openly: Mapping[GameMove, float]


class StudyAnswer(NamedTuple):
    """A decision weighed, None where it can't be, and the seconds of processor it took. ``fault``: what went wrong."""

    decision: WeighedDecision | None
    seconds: float
    fault: str = ""

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<StudyAnswer: after {self.seconds:.3f} s>"


def list_plays(view: View, seat: int) -> list[GameMove]:
    """List the plays of a seat in its View."""
    return [move for move in view.legal if move.verb == "play" and move.seat == seat]


def weigh_decision(question: StudyQuestion) -> WeighedDecision | None:
    """Return the decision weighed; None where it can't be: the game has no thinking player, or the Views don't fit."""
    view, memory, played = question.view, question.memory, question.played
    plays = list_plays(view, played.seat)
    weigh = WEIGHERS.get(question.ruleset)
    if weigh is None or len(plays) < 2 or played not in plays:
        return None
    effort = find_study_effort(question.ruleset, len(view.hands))
    try:
        worths = weigh(question.ruleset, view, memory, plays, effort, Dice(question.seed))
    except Impossible:
        return None
    moves = rank_moves(worths)
    own = next(weighed for weighed in moves if weighed.move == played)
    agreed = question.ruleset in AIMS and choose_for_partner(view, plays) == played
    reason = None if own == moves[0] else find_reason(question.ruleset, view, memory, played, moves[0].move)
    openly = weigh_openly(question.ruleset, question.state, memory, plays, Dice(question.seed))
    return WeighedDecision(moves, own, len(worths[played]) == 1, reason, agreed, openly)


def rank_moves(worths: Mapping[GameMove, Sequence[float]]) -> tuple[WeighedMove, ...]:
    """Return the moves with their means over the same worlds, the best first; of equals the lowest card."""
    means = {move: sum(worth) / len(worth) for move, worth in worths.items()}
    best = max(means, key=lambda move: (means[move], -move.card))
    weighed = [
        WeighedMove(move, means[move], means[best] - means[move], _estimate_doubt(worths[best], worths[move]))
        for move in means
    ]
    return tuple(sorted(weighed, key=lambda one: (one.loss, one.move.card, one.move.takes)))


def _estimate_doubt(best: Sequence[float], other: Sequence[float]) -> float:
    """Return the standard error of the mean difference of two moves tried in the same worlds."""
    differences = [one - two for one, two in zip(best, other, strict=True)]
    count = len(differences)
    if count < 2:
        return 0.0
    mean = sum(differences) / count
    return sqrt(sum((one - mean) ** 2 for one in differences) / (count - 1) / count)
