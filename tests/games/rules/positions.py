"""Positions written in the names of cards, and decks made to measure, for the tests of single rules."""

from collections.abc import Sequence
from itertools import islice

from games.engine.captures import Captures
from games.engine.cards import CARDS, DECK_SIZE, NAMES, list_cards, make_mask
from games.engine.game import IllegalMove, Length, Setup
from games.engine.record import parse_move, write_move
from games.engine.tricks import Tricks


def cards(names: str) -> list[int]:
    """The cards of ``"7d 3s"``; ``"*d"`` stands for a whole suit."""
    numbers: list[int] = []
    for name in names.split():
        numbers += [CARDS[rank + name[1]] for rank in "A234567FCR"] if name[0] == "*" else [CARDS[name]]
    return numbers


def mask(names: str) -> int:
    return make_mask(cards(names))


def names(mask: int) -> set[str]:
    return {NAMES[card] for card in list_cards(mask)}


def stacked(top: str, at: dict[int, str] | None = None) -> list[int]:
    """A deck with these cards on top, and others at given places; the rest in the deck's order."""
    deck: list[int | None] = [None] * DECK_SIZE
    deck[: len(cards(top))] = cards(top)
    for place, run in (at or {}).items():
        deck[place : place + len(cards(run))] = cards(run)
    rest = iter([card for card in range(DECK_SIZE) if card not in deck])
    return [next(rest) if card is None else card for card in deck]


def dealing(hands: Sequence[str], *, dealer: int = 0, stock: str = "") -> list[int]:
    """The deck that deals these ten cards to each seat, one at a time (G4); what is missing is filled up in order."""
    named = cards(" ".join([*hands, stock]))
    rest = iter([card for card in range(DECK_SIZE) if card not in named])
    filled = [cards(hand) + list(islice(rest, 10 - len(cards(hand)))) for hand in hands]
    deck = [0] * (10 * len(hands))
    for seat, hand in enumerate(filled):
        deck[(seat - dealer - 1) % len(hands) :: len(hands)] = hand
    return deck + cards(stock) + list(rest)


def setup(ruleset: str, players: int = 2, dealer: int = 0, **other: object) -> Setup:
    values: dict[str, object] = {"length": Length("deals", 1), "context": "free", "options": {}, **other}
    return Setup(ruleset, players, first_dealer=dealer, **values)  # type: ignore[arg-type]


def on_table(hands: Sequence[str], table: str, *, stock: str = "", piles: tuple[str, str] = ("", ""), turn: int = 0):
    """A Scopa position."""
    held = tuple(mask(hand) for hand in hands)
    return Captures(
        held, turn, mask(table), tuple(cards(stock)), (mask(piles[0]), mask(piles[1])), (0, 0), -1, None, False
    )


def in_trick(hands: Sequence[str], trick: str = "", *, stock: str = "", turn: int = 0, thirds: Sequence[int] = ()):
    """A Tresette position."""
    nothing = (0,) * len(hands)
    held = tuple(mask(hand) for hand in hands)
    return Tricks(
        held, turn, tuple(cards(trick)), tuple(cards(stock)), tuple(thirds) or nothing, nothing, (), -1, -1, ()
    )


def play(ruleset, state, *texts: str):
    """The state after these moves, given in the record's words."""
    for text in texts:
        state = ruleset.play(state, parse_move(text))
    return state


def refusal(ruleset, state, text: str) -> str | None:
    """The code with which a move is refused, None if it is played."""
    try:
        ruleset.play(state, parse_move(text))
    except IllegalMove as refused:
        return refused.code
    return None


def listed(ruleset, state) -> set[str]:
    """The legal moves, in the record's words without the seat."""
    return {write_move(move).partition(" play ")[2] for move in ruleset.legal(state)}
