"""The thinking player of the Tresette games: which card, and what is said with it.

What each game is about stands in its ``TrickGame``; what is called and said is the quick player's (``quick.tricks``),
who also keeps the promise of a *busso*. A choice depends on the Views and the dice alone.
"""

from collections.abc import Callable, Sequence

from games.bots.dice import Dice
from games.bots.effort import Effort
from games.bots.memory import Memory
from games.bots.quick import tresette, tresette_a_perdere, tressette_accusa, tressette_classico
from games.bots.quick.tricks import Aim, choose_calls, choose_for_partner, choose_words
from games.bots.tricks.cards import ALL_THIRDS, PLAIN
from games.bots.tricks.search import Payoffs, TrickGame, choose_card, weigh_cards
from games.bots.tricks.situation import TrickSituation
from games.engine.calls import add_up_combinations, parse_combinations
from games.engine.game import GameMove, View

AIMS: dict[str, Aim] = {
    "tresette": tresette.AIM,
    "tresette-a-perdere": tresette_a_perdere.AIM,
    "tressette-accusa": tressette_accusa.AIM,
    "tressette-classico": tressette_classico.AIM,
}
CAPPOTTO = 17  # M6
MATCH = 10  # what a victory that ends the match is held worth beyond its points, in points (C6)
SWEPT = 33  # thirds that only a line has which took all points and the last trick


def choose(
    ruleset_id: str, view: View, memory: Memory, plays: Sequence[GameMove], effort: Effort, dice: Dice
) -> tuple[GameMove, ...]:
    """Return the calls of this seat, then the card it plays of these, with what goes out with it."""
    aim = AIMS[ruleset_id]
    play = choose_for_partner(view, plays)
    if play is None:
        card = choose_card(TrickSituation(view, memory, plays), make_game(ruleset_id, memory), effort, dice)
        chosen = PLAIN[card.bit_length() - 1]
        play = next(move for move in plays if move.card == chosen)
    return (*choose_calls(view), *choose_words(view, play, aim), play)


def weigh(
    ruleset_id: str, view: View, memory: Memory, plays: Sequence[GameMove], effort: Effort, dice: Dice
) -> dict[GameMove, list[float]]:
    """Return what the deal came to for the line of this seat after each of these plays, world by world."""
    worths = weigh_cards(TrickSituation(view, memory, plays), make_game(ruleset_id, memory), effort, dice)
    cards = {PLAIN[card.bit_length() - 1]: worth for card, worth in worths.items()}
    return {move: cards[move.card] for move in plays if move.card in cards}


def make_game(ruleset_id: str, memory: Memory) -> TrickGame:
    """Return what a deal of this game is worth after the calls that were heard."""
    return TrickGame(PAYOFFS[ruleset_id](memory), ruleset_id == "tresette-a-perdere")


def _lead(value: int) -> int:
    """Return the points of line 0 beyond those of line 1 (T4): of its thirds, the last trick counting three."""
    return value // 3 - (ALL_THIRDS - value) // 3


def _pay_plainly(memory: Memory) -> Payoffs:
    return PLAIN_PAYOFFS


def _pay_for_few(memory: Memory) -> Payoffs:
    return [-points for points in PLAIN_PAYOFFS]


def _pay_with_accusa(memory: Memory) -> Payoffs:
    """A line without a point loses its accusa (M5) and gives 17 (M6)."""
    called = [0, 0]
    for call in memory.calls:
        if call.verb == "accuso":
            called[call.seat % 2] += add_up_combinations(parse_combinations(call.arg))
    payoffs: list[float] = [points + called[0] - called[1] for points in PLAIN_PAYOFFS]
    for value in range(3):
        payoffs[value] = -CAPPOTTO - called[1]
        payoffs[ALL_THIRDS - value] = CAPPOTTO + called[0]
    return payoffs


def _pay_with_victories(memory: Memory) -> Payoffs:
    """All points win the match (C6)."""
    payoffs: list[float] = list(PLAIN_PAYOFFS)
    for value in range(SWEPT, ALL_THIRDS + 1):
        payoffs[value] += MATCH
        payoffs[ALL_THIRDS - value] -= MATCH
    return payoffs


PLAIN_PAYOFFS: tuple[int, ...] = tuple(_lead(value) for value in range(ALL_THIRDS + 1))
PAYOFFS: dict[str, Callable[[Memory], Payoffs]] = {
    "tresette": _pay_plainly,
    "tresette-a-perdere": _pay_for_few,
    "tressette-accusa": _pay_with_accusa,
    "tressette-classico": _pay_with_victories,
}
