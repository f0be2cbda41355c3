"""Search of a deal for decisions in which one play is clearly best: exact, over all ways the hidden cards may lie.

It sees a deal of a record seat by seat, as its player saw it (HP1), and decides what is worth asking. It writes
nothing.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games import bots
from games.bots.dice import Dice
from games.bots.exact import ExactStudy, weigh_all_ways
from games.bots.memory import Memory, remember
from games.bots.strengths import BEGINNER
from games.engine.game import THREE, GameMove, View
from games.engine.match import Progress
from games.engine.record import parse_move
from games.replays import DealReplay

MOST_WAYS = 1_800  # in which the hidden cards may lie: three hands of three cards are 1,680
NODES = 60_000  # positions looked at for a decision
MARGIN = 0.6  # points by which the best play must be ahead of the next
BRISCOLA, BRISCOLA_MARGIN = "briscola", 8  # the same in points of cards, of 120: eight turn one capture of four
MOST_IN_HAND = {2: 9, 4: 4}  # cards, by the number of hands
MOST_STOCK = 4  # cards to come, in Briscola alone
BEGINNERS, QUICK_WEIGHT, LEAST_MISSED = 8, 4, 3  # of 12 points: who misses it
MOST_MISSED = BEGINNERS + QUICK_WEIGHT
NEAR_TARGET = 3  # in the last third of the way to its points a match is decided by the score, not by the deal
CALLS_BESIDE = frozenset({"play", "declare", "signal"})  # what else may be called changes what the card is worth


class FoundProblem(NamedTuple):
    """Decision worth asking: after which step of the deal, whose, the worths, how many miss it, what was played."""

    step: int
    seat: int
    study: ExactStudy
    missed: int  # of MOST_MISSED
    played: GameMove


class SeatSight(NamedTuple):
    """Sight of a seat after a step of a deal: its View, and all it remembers."""

    view: View
    memory: Memory


def read_sight(replayed: DealReplay, step: int, seat: int) -> SeatSight:
    """Return what a seat has seen of a deal after so many moves: nothing of what comes later."""
    ruleset = replayed.before.ruleset
    views = [ruleset.view(reached.state, seat) for reached in replayed.steps[: step + 1]]
    return SeatSight(views[-1], remember(views))


def may_be_searched(replayed: DealReplay) -> bool:
    """Tell if a deal's own points are what is played for in it: no tie-break, and nobody near the target."""
    before = replayed.before
    length = before.setup.length
    if before.setup.players == THREE or before.tie_break or replayed.void:
        return False
    return length.kind == "deals" or max(before.score) < length.value - length.value // NEAR_TARGET


def find_problems(replayed: DealReplay) -> Iterator[FoundProblem]:
    """Yield the decisions of a deal in which one play is clearly best and not everybody finds it."""
    if not may_be_searched(replayed):
        return
    setup = replayed.before.setup
    for step, (reached, following) in enumerate(zip(replayed.steps, replayed.steps[1:], strict=False)):
        played = following.move
        if played is None or played.verb != "play" or reached.after.deal is None:
            continue
        if not _may_be_asked(setup.ruleset, reached.after, played.seat):
            continue
        sight = read_sight(replayed, step, played.seat)
        plays = [move for move in sight.view.legal if move.verb == "play"]
        study = weigh_all_ways(setup.ruleset, *sight, plays, most_ways=MOST_WAYS, nodes=NODES)
        if study is None or not is_clear(setup.ruleset, study):
            continue
        missed = _count_missed(setup.ruleset, sight, study.plays[0].move)
        if missed >= LEAST_MISSED:
            yield FoundProblem(step, played.seat, study, missed, played)


def is_clear(ruleset: str, study: ExactStudy) -> bool:
    """Tell if the best play is clearly ahead of all others; in Briscola also in winning the deal, which is one point
    whatever the cards add up to (BR4)."""
    if ruleset != BRISCOLA:
        return study.margin >= MARGIN
    best, *others = study.plays
    most = max(play.ahead_in for play in others)
    if best.ahead_in > most:
        return study.margin > 0
    return best.ahead_in == most and 0 < most < study.ways and study.margin >= BRISCOLA_MARGIN


def _may_be_asked(ruleset: str, progress: Progress, seat: int) -> bool:
    """Tell if there is a choice, few enough cards for an exact answer, and no call that would change it."""
    view = progress.ruleset.view(progress.deal, seat)
    if view.turn != seat or view.hands[seat].count > MOST_IN_HAND[len(view.hands)]:
        return False
    if view.stock > (MOST_STOCK if ruleset == BRISCOLA else 0):
        return False
    return sum(move.verb == "play" for move in view.legal) > 1 and {move.verb for move in view.legal} <= CALLS_BESIDE


def _count_missed(ruleset: str, sight: SeatSight, best: GameMove) -> int:
    """Return by how many of the house's players a play is missed: rules of thumb, and beginners with other dice."""
    quick = _find_play(bots.choose_quickly(ruleset, sight.view))
    missed = QUICK_WEIGHT if quick != best else 0
    for seed in range(BEGINNERS):
        chosen = bots.decide(ruleset, *sight, BEGINNER, Dice(seed))
        missed += _find_play(chosen) != best
    return missed


def _find_play(moves: Sequence[GameMove]) -> GameMove | None:
    return next((move for move in moves if move.verb == "play"), None)


def read_play(text: str, seat: int) -> GameMove:
    """Return a stored play of a seat."""
    return parse_move(f"{seat} {text}")
