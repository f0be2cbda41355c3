"""Mirrored deals: the same deck and dealer played twice, the two sides changing seats, so that luck counts for neither.

A player gets the Views its seat has had since the deal began, and dice; only who cheats looks at the state too.
Decks and dice come from a seed, so a run can be repeated card by card.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from random import Random
from statistics import fmean, stdev

from bench.rivals import Player
from games.engine.game import AUTOMATIC, SEATS, GameMove, Length, Points, Setup, View, controlling_seat, count_hands
from games.rules import RULESETS

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
    deals: int  # mirrored ones

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


class Played:
    """A deal being played, with what each seat has seen of it."""

    def __init__(self, setup: Setup, deck: list[int], dealer: int) -> None:
        self.rules = RULESETS[setup.ruleset]
        self.state = self.rules.deal(setup, deck, dealer)
        owners = {controlling_seat(seat, setup.players) for seat in range(count_hands(setup.players))}
        self.seen: dict[int, list[View]] = {seat: [self.rules.view(self.state, seat)] for seat in owners}

    def make(self, moves: Iterable[GameMove]) -> None:
        """Make these moves, as far as they go before the deal is over."""
        for move in moves:
            if self.rules.turn(self.state) is None:
                break
            self.state = self.rules.play(self.state, move)
            if self.rules.turn(self.state) is not None:
                for seat, views in self.seen.items():
                    views.append(self.rules.view(self.state, seat))


def play_deal(
    setup: Setup, deck: list[int], dealer: int, lines: tuple[Player, Player], dice: Random | None = None
) -> Points:
    """Return each line's points of one deal, ``lines`` being the players at the seats of each line; none of a void one.

    Before its first card everybody may call (C2, C4, C5); calls of the system are made for everybody (X1).
    """
    played, dice = Played(setup, deck, dealer), dice or Random(0)
    rules = played.rules
    if rules.terms(setup).opening_calls:
        for caller in range(setup.players):
            moves = lines[caller % 2](played.seen[caller], dice, played.state)
            played.make([move for move in moves if move.verb in OPENING])
    while (seat := rules.turn(played.state)) is not None:
        views = played.seen[controlling_seat(seat, setup.players)]
        played.make(rules.automatic(played.state, EVERYTHING) or lines[seat % 2](views, dice, played.state))
    return (0, 0) if rules.void(played.state) else rules.tally(played.state).points


def compare(setup: Setup, one: Player, other: Player, deals: int, seed: int) -> Score:
    """``one`` against ``other`` over so many mirrored deals (two or more), each played both ways round."""
    ahead: list[float] = []
    won = 0.0
    wanted = -1 if RULESETS[setup.ruleset].terms(setup).fewest_wins else 1
    for (deck, dealer), number in zip(decks(setup, seed), range(deals), strict=False):
        mirrored = play_deal(setup, deck, dealer, (one, other), Random(f"{seed} {number} 0"))
        back = play_deal(setup, deck, dealer, (other, one), Random(f"{seed} {number} 1"))
        margins = (wanted * (mirrored[0] - mirrored[1]), wanted * (back[1] - back[0]))
        ahead.append(fmean(margins))
        won += sum(1.0 if margin > 0 else 0.5 if margin == 0 else 0.0 for margin in margins)
    return Score(fmean(ahead), Z95 * stdev(ahead) / sqrt(deals), won / (2 * deals), deals)
