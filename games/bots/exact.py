"""Worth of every play near the end of a deal, over all ways in which the hidden cards may lie: no sample, no dice.

It sees what the seat sees (HP1): a View and what is remembered. Each way counts as much as any other, and in each the
rest of the deal is played best by everybody, with open cards. Worths are the points of the own line less those of the
other at the end of the deal; in Briscola those of the cards. It decides no play, and reads no clock.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from games.bots.briscola import deal as briscola
from games.bots.briscola.player import BriscolaSituation
from games.bots.briscola.solver import BriscolaSolver
from games.bots.captures.deal import CaptureDeal
from games.bots.captures.player import GAMES
from games.bots.captures.situation import CaptureSituation
from games.bots.captures.solver import CaptureSolver
from games.bots.effort import OutOfNodes
from games.bots.memory import Memory
from games.bots.tricks import cards as tricks
from games.bots.tricks.deal import TrickDeal
from games.bots.tricks.player import PAYOFFS, make_game
from games.bots.tricks.search import TrickGame
from games.bots.tricks.situation import TrickSituation
from games.bots.tricks.solver import TrickSolver
from games.bots.worlds import Impossible
from games.engine.game import GameMove, View

Worths = Mapping[GameMove, float]  # points of line 0 less those of line 1


class PlayWorth(NamedTuple):
    """Worth of a play: its mean over all ways, in how many no other play is worth more, and in how many the own line
    is ahead at the end. ``line``: the plays that follow it, best by all, where there is but one way."""

    move: GameMove
    points: float
    best_in: int
    ahead_in: int
    line: tuple[GameMove, ...] = ()


class ExactStudy(NamedTuple):
    """Worths of all plays of a decision, the best first, over so many ways in which the hidden cards may lie."""

    ways: int
    plays: tuple[PlayWorth, ...]

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<ExactStudy: {len(self.plays)} plays, {self.ways} ways>"

    @property
    def margin(self) -> float:
        """Return by how many points the best play is ahead of the next."""
        return self.plays[0].points - self.plays[1].points


class _OpenPlay(Protocol):
    """Open cards of one family of games: the deals that fit what a seat knows, and their exact play."""

    ways: int

    def list_deals(self) -> Iterator[Any]: ...

    def evaluate(self, deal: Any) -> Worths: ...

    def play(self, deal: Any, move: GameMove) -> None: ...


def weigh_all_ways(
    ruleset_id: str, view: View, memory: Memory, plays: Sequence[GameMove], *, most_ways: int, nodes: int
) -> ExactStudy | None:
    """Return the worths of these plays; None where there are more ways than ``most_ways``, more positions to look at
    than ``nodes``, or cards of which nobody can tell."""
    try:
        open_play = _open(ruleset_id, view, memory, plays, nodes)
        if not 1 <= open_play.ways <= most_ways:
            return None
        return _weigh(open_play, plays)
    except (Impossible, OutOfNodes):
        return None


def _weigh(open_play: _OpenPlay, plays: Sequence[GameMove]) -> ExactStudy:
    sign = -1 if plays[0].seat % 2 else 1
    totals, best_in, ahead_in = dict.fromkeys(plays, 0.0), dict.fromkeys(plays, 0), dict.fromkeys(plays, 0)
    lines: dict[GameMove, tuple[GameMove, ...]] = dict.fromkeys(plays, ())
    ways = 0
    for deal in open_play.list_deals():
        ways += 1
        worths = {move: sign * worth for move, worth in open_play.evaluate(deal).items()}
        most = max(worths.values())
        for move, worth in worths.items():
            totals[move] += worth
            best_in[move] += worth == most
            ahead_in[move] += worth > 0
        if open_play.ways == 1:
            lines = {move: _follow(open_play, deal, move) for move in plays}
    ranked = sorted(plays, key=lambda move: (-totals[move], move))
    return ExactStudy(
        ways,
        tuple(PlayWorth(move, totals[move] / ways, best_in[move], ahead_in[move], lines[move]) for move in ranked),
    )


def _follow(open_play: _OpenPlay, deal: Any, move: GameMove) -> tuple[GameMove, ...]:
    """Return what follows a play if everybody plays best, to the end of the deal."""
    after, line = deal.copy(), list[GameMove]()
    open_play.play(after, move)
    while not after.is_over:
        worths = open_play.evaluate(after)
        sign = -1 if after.turn % 2 else 1
        best = max(worths, key=lambda candidate: (sign * worths[candidate], -candidate.card))
        line.append(best)
        open_play.play(after, best)
    return tuple(line)


def _open(ruleset_id: str, view: View, memory: Memory, plays: Sequence[GameMove], nodes: int) -> _OpenPlay:
    if ruleset_id in GAMES:
        return _OpenCaptures(CaptureSituation(view, memory, plays, GAMES[ruleset_id]), nodes)
    if ruleset_id in PAYOFFS:
        return _OpenTricks(TrickSituation(view, memory, plays), make_game(ruleset_id, memory), nodes)
    return _OpenBriscola(BriscolaSituation(view, memory, plays[0].seat), nodes)


class _OpenCaptures:
    def __init__(self, situation: CaptureSituation, nodes: int) -> None:
        self.ways, self.list_deals = situation.count_ways(), situation.list_deals
        self._solver = CaptureSolver(situation.glances, nodes)

    def evaluate(self, deal: CaptureDeal) -> Worths:
        values = self._solver.evaluate_plays(deal)
        return {GameMove(deal.turn, "play", card, takes): value for (card, takes), value in values.items()}

    def play(self, deal: CaptureDeal, move: GameMove) -> None:
        deal.play(move.card, move.takes)


class _OpenTricks:
    def __init__(self, situation: TrickSituation, game: TrickGame, nodes: int) -> None:
        self.ways = situation.count_ways() if situation.knows_value else 0
        self.list_deals = situation.list_deals
        self._payoffs = game.payoffs
        self._solver = TrickSolver(situation.players, fewest=game.fewest, nodes=nodes)

    def evaluate(self, deal: TrickDeal) -> Worths:
        values = self._solver.evaluate_plays(deal.hands, deal.leader, deal.trick)
        return {
            GameMove(deal.turn, "play", tricks.PLAIN[card.bit_length() - 1]): self._payoffs[deal.value + value]
            for card, value in values.items()
        }

    def play(self, deal: TrickDeal, move: GameMove) -> None:
        deal.play(1 << tricks.ORDERED[move.card])


class _OpenBriscola:
    def __init__(self, situation: BriscolaSituation, nodes: int) -> None:
        self.ways = situation.count_ways() if situation.knows_value else 0
        self.list_deals = situation.list_deals
        self._solver = BriscolaSolver(nodes)

    def evaluate(self, deal: briscola.BriscolaDeal) -> Worths:
        values = self._solver.evaluate_plays(deal)
        return {
            GameMove(deal.turn, "play", briscola.PLAIN[card]): 2 * value - briscola.ALL_POINTS
            for card, value in values.items()
        }

    def play(self, deal: briscola.BriscolaDeal, move: GameMove) -> None:
        deal.play(briscola.ORDERED[move.card])
