"""Mirrored deals: the same deck and dealer played twice, the two sides changing seats, so that luck counts for neither.

Players get Views and nothing else; decks come from a seed, so a run can be repeated card by card.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev

from games.engine.game import AUTOMATIC, SEATS, Length, Points, Setup, controlling_seat, count_hands
from games.rules import RULESETS
from tests.bench.rivals import Player

Z95 = 1.96
EVERY_GAMES_LENGTH = Length("points", 21)  # every game may be played to them
OPENING = frozenset({"redeal", "collatondrione", "buongioco"})
EVERYTHING = (frozenset(AUTOMATIC),) * SEATS


@dataclass(frozen=True, slots=True)
class Score:
    """Lead of one side over the other in mirrored deals, in points a deal."""

    mean: float
    half_width: float  # of the 95 % interval
    won: float  # share of the single deals won, a level one counting half

    @property
    def low(self) -> float:
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        return self.mean + self.half_width


def decks(setup: Setup, seed: int) -> Iterator[tuple[list[int], int]]:
    """Shuffled decks that give no void deal (S2), each with its dealer, for ever."""
    rng = Random(seed)
    rules = RULESETS[setup.ruleset]
    while True:
        deck = list(range(40))
        rng.shuffle(deck)
        dealer = rng.randrange(count_hands(setup.players))
        if not rules.void(rules.deal(setup, deck, dealer)):
            yield deck, dealer


def single_deal(ruleset: str, players: int, **options: bool | str) -> Setup:
    return Setup(ruleset, players, EVERY_GAMES_LENGTH, "free", options, 0)


def play_deal(setup: Setup, deck: list[int], dealer: int, lines: tuple[Player, Player]) -> Points:
    """Return each line's points of one deal, ``lines`` being the players at the seats of each line; none of a void one.

    Before its first card everybody may call (C2, C4, C5); calls of the system are made for everybody (X1).
    """
    rules = RULESETS[setup.ruleset]
    state = rules.deal(setup, deck, dealer)
    if rules.terms(setup).opening_calls:
        for caller in range(setup.players):
            for move in lines[caller % 2](rules.view(state, caller)):
                if move.verb in OPENING and rules.turn(state) is not None:
                    state = rules.play(state, move)
    while (seat := rules.turn(state)) is not None:
        moves = rules.automatic(state, EVERYTHING) or lines[seat % 2](
            rules.view(state, controlling_seat(seat, setup.players))
        )
        for move in moves:
            state = rules.play(state, move)
            if rules.turn(state) is None:
                break
    return (0, 0) if rules.void(state) else rules.tally(state).points


def compare(setup: Setup, one: Player, other: Player, deals: int, seed: int) -> Score:
    """``one`` against ``other`` over so many mirrored deals (two or more), each played both ways round."""
    ahead: list[float] = []
    won = 0.0
    wanted = -1 if RULESETS[setup.ruleset].terms(setup).fewest_wins else 1
    for (deck, dealer), _ in zip(decks(setup, seed), range(deals), strict=False):
        mirrored = play_deal(setup, deck, dealer, (one, other))
        back = play_deal(setup, deck, dealer, (other, one))
        margins = (wanted * (mirrored[0] - mirrored[1]), wanted * (back[1] - back[0]))
        ahead.append(fmean(margins))
        won += sum(1.0 if margin > 0 else 0.5 if margin == 0 else 0.0 for margin in margins)
    return Score(fmean(ahead), Z95 * stdev(ahead) / sqrt(deals), won / (2 * deals))
