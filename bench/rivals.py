"""Players the house is measured against: each knows the rules and one simple thing. Used by the bench and by tests.

``random``: any legal play. ``greedy``: always its most valuable legal card, meaning in the Scopa games the one worth
most in the primiera (S8), denari first among equals, then the higher, taking as many cards as it can with it; in the
Tresette games the one worth most thirds (T4: the ace, then 3 2 R C F), the stronger among equals (T3), in Briscola the
one worth most points (BR4). More are harder to beat: ``grabber`` (Scopa) takes whatever capture is worth most by that
measure, ``strongest`` (Tresette) always plays the strongest legal card, and ``weakest`` (a perdere) the weakest;
``thrifty`` (Briscola) takes what it can without a trump, with one only where it is worth it, and else puts down what is
worth least. None says anything but what the system says for it.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from games.engine.cards import CARDS, list_cards
from games.engine.game import GameMove, View

# From the Views a seat has had since the deal began, dice, and the state, which only who cheats looks at.
Player = Callable[[Sequence[View], Random, Any], Sequence[GameMove]]
Choice = Callable[[list[GameMove]], GameMove]

PRIMIERA = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "F": 10, "C": 10, "R": 10}
THIRDS = {"A": 3, "3": 1, "2": 1, "R": 1, "C": 1, "F": 1}
ORDER = "4567FCRA23"
POINTS_AT_BRISCOLA = {"A": 11, "3": 10, "R": 4, "C": 3, "F": 2}
ORDER_AT_BRISCOLA = "24567FCR3A"
ENOUGH_FOR_A_TRUMP = 4  # points
NAMES = {card: name for name, card in CARDS.items()}


def player(choice: Choice) -> Player:
    """Return a player who makes this choice among the plays there are, and calls nothing."""

    def play(views: Sequence[View], dice: Random, state: Any) -> Sequence[GameMove]:
        plays = [move for move in views[-1].legal if move.verb == "play"]
        return (choice(plays),) if plays else ()

    return play


def at_random(rng: Random) -> Player:
    """Any legal play, by this dice."""
    return player(rng.choice)


def greedy_at_scopa(plays: list[GameMove]) -> GameMove:
    return max(plays, key=lambda move: (_in_primiera(move.card), move.takes.bit_count(), move.takes))


def grabber_at_scopa(plays: list[GameMove]) -> GameMove:
    return max(plays, key=lambda move: (_hauled(move), -_in_primiera(move.card)[0], move.card, move.takes))


def greedy_at_tresette(plays: list[GameMove]) -> GameMove:
    return max(plays, key=lambda move: (_thirds(move.card), _strength(move.card), move.card))


def strongest_at_tresette(plays: list[GameMove]) -> GameMove:
    return max(plays, key=lambda move: (_strength(move.card), move.card))


def weakest_at_tresette(plays: list[GameMove]) -> GameMove:
    return min(plays, key=lambda move: (_strength(move.card), move.card))


def greedy_at_briscola(plays: list[GameMove]) -> GameMove:
    return max(plays, key=lambda move: (_points(move.card), move.card))


def thrifty_at_briscola(view: View) -> tuple[GameMove, ...]:
    plays = [move for move in view.legal if move.verb == "play"]
    if not plays or view.turned is None:
        return ()
    lying, trumps = [lying.card for lying in view.table], NAMES[view.turned][1]

    def saves(move: GameMove) -> tuple[bool, int, int]:
        return NAMES[move.card][1] == trumps, _points(move.card), _strength_at_briscola(move.card)

    taking = [move for move in plays if lying and _find_taker([*lying, move.card], trumps) == len(lying)]
    partners = len(lying) > 1 and _find_taker(lying, trumps) == len(lying) - 2
    if taking and not partners:
        plain = [move for move in taking if NAMES[move.card][1] != trumps]
        if plain:
            return (max(plain, key=lambda move: _points(move.card)),)
        if sum(map(_points, lying)) >= ENOUGH_FOR_A_TRUMP:
            return (min(taking, key=saves),)
    return (min(plays, key=saves),)


SCOPA: dict[str, Choice] = {"greedy": greedy_at_scopa, "grabber": grabber_at_scopa}
TRESETTE: dict[str, Choice] = {"greedy": greedy_at_tresette, "strongest": strongest_at_tresette}
SIMPLE: dict[str, dict[str, Choice]] = {
    "scopa": SCOPA,
    "asso-piglia-tutto": SCOPA,
    "scopone": SCOPA,
    "briscola": {"greedy": greedy_at_briscola},
    "tresette": TRESETTE,
    "tresette-a-perdere": {"greedy": greedy_at_tresette, "weakest": weakest_at_tresette},
    "tressette-accusa": TRESETTE,
    "tressette-classico": TRESETTE,
}
WHO_LOOK: dict[str, dict[str, Player]] = {"briscola": {"thrifty": thrifty_at_briscola}}  # at the table, too


def rivals(ruleset: str, rng: Random) -> dict[str, Player]:
    """The rivals of one game, by name."""
    simple = {name: player(choice) for name, choice in SIMPLE[ruleset].items()}
    return {"random": at_random(rng), **simple, **WHO_LOOK.get(ruleset, {})}


def _in_primiera(card: int) -> tuple[int, bool, int]:
    name = NAMES[card]
    return PRIMIERA[name[0]], name[1] == "d", card % 10


def _hauled(move: GameMove) -> int:
    if not move.takes:
        return 0
    return sum(_in_primiera(card)[0] + 5 * _in_primiera(card)[1] for card in list_cards(move.takes | 1 << move.card))


def _thirds(card: int) -> int:
    return THIRDS.get(NAMES[card][0], 0)


def _strength(card: int) -> int:
    return ORDER.index(NAMES[card][0])


def _points(card: int) -> int:
    return POINTS_AT_BRISCOLA.get(NAMES[card][0], 0)


def _strength_at_briscola(card: int) -> int:
    return ORDER_AT_BRISCOLA.index(NAMES[card][0])


def _find_taker(cards: list[int], trumps: str) -> int:
    """Return the place of the card that takes the trick."""
    suits = [NAMES[card][1] for card in cards]
    ruling = trumps if trumps in suits else suits[0]
    return max(
        (place for place, suit in enumerate(suits) if suit == ruling),
        key=lambda place: _strength_at_briscola(cards[place]),
    )
