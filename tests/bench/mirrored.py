"""Mirrored deals: the same deck and dealer played twice, the two sides changing seats, so that luck counts for neither.

Players get Views and nothing else; decks come from a seed, so a run can be repeated card by card.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev

from games.engine.game import Length, Points, Setup
from games.rules import RULESETS
from tests.bench.rivals import Player

Z95 = 1.96


@dataclass(frozen=True, slots=True)
class Score:
    """How far one side was ahead of the other over mirrored deals, in points a deal."""

    mean: float
    half_width: float  # of the 95 % interval
    won: float  # share of the single deals won, a level one counting half

    @property
    def low(self) -> float:
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        return self.mean + self.half_width


def decks(ruleset: str, players: int, seed: int) -> Iterator[tuple[list[int], int]]:
    """Shuffled decks that give no void deal (S2), each with its dealer, for ever."""
    rng = Random(seed)
    rules = RULESETS[ruleset]
    while True:
        deck = list(range(40))
        rng.shuffle(deck)
        dealer = rng.randrange(players)
        if not rules.void(rules.deal(single_deal(ruleset, players), deck, dealer)):
            yield deck, dealer


def single_deal(ruleset: str, players: int) -> Setup:
    return Setup(ruleset, players, Length("deals", 1), "free", {}, 0)


def play_deal(ruleset: str, players: int, deck: list[int], dealer: int, lines: tuple[Player, Player]) -> Points:
    """Each line's points of one deal, ``lines`` being who plays at the seats of each line."""
    rules = RULESETS[ruleset]
    state = rules.deal(single_deal(ruleset, players), deck, dealer)
    while (seat := rules.turn(state)) is not None:
        state = rules.play(state, lines[seat % 2](rules.view(state, seat)))
    return rules.tally(state).points


def compare(ruleset: str, players: int, one: Player, other: Player, deals: int, seed: int) -> Score:
    """``one`` against ``other`` over so many mirrored deals (two or more), each played both ways round."""
    ahead: list[float] = []
    won = 0.0
    for (deck, dealer), _ in zip(decks(ruleset, players, seed), range(deals), strict=False):
        there = play_deal(ruleset, players, deck, dealer, (one, other))
        back = play_deal(ruleset, players, deck, dealer, (other, one))
        margins = (there[0] - there[1], back[1] - back[0])
        ahead.append(fmean(margins))
        won += sum(1.0 if margin > 0 else 0.5 if margin == 0 else 0.0 for margin in margins)
    return Score(fmean(ahead), Z95 * stdev(ahead) / sqrt(deals), won / (2 * deals))
