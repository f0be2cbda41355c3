"""The games written a second time from rules.md, plainly and slowly; ``naive_replay`` has the match record.

It shares no code with ``games`` or ``scoring``: cards are names, hands are lists, everything is copied, captures are
found by trying every set, moves are the record's words. What the product does is compared with it. Rule numbers are
given where a line needs one.
"""

import copy

from tests.games.naive_briscola import Briscola
from tests.games.naive_captures import AssoPigliaTutto, Scopa, Scopone
from tests.games.naive_tricks import Accusa, APerdere, Classico, Tresette

SUITS = "dcbs"
RANKS = "A234567FCR"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
GAMES = {
    "scopa": Scopa,
    "asso-piglia-tutto": AssoPigliaTutto,
    "tresette": Tresette,
    "tresette-a-perdere": APerdere,
    "tressette-accusa": Accusa,
    "tressette-classico": Classico,
    "briscola": Briscola,
    "scopone": Scopone,
}


def as_text(seat, card, takes):
    text = f"{seat} play {card}"
    if takes:
        text += " x " + " ".join(sorted(takes, key=DECK.index))
    return text


def listed(game):
    """Every move that may be made now, in the record's words; a ruleset's cards in the deck's order."""
    return [as_text(game.turn, *move) for move in game.moves()] + (game.calls() if hasattr(game, "calls") else [])


def do(game, text):
    """Make one of the moves listed."""
    seat, verb, *rest = text.split(" ")
    if verb == "play":
        game.play(rest[0], frozenset(rest[2:]))
    else:
        game.call(int(seat), verb, " ".join(rest))


def split_by_move(game, depth):
    """The number of ways to go on for ``depth`` moves, by the first of them, as written in a record."""
    return {text: _ways(game, text, depth) for text in listed(game)}


def _ways(game, text, depth):
    if depth == 1:
        return 1
    after = copy.deepcopy(game)
    do(after, text)
    return sum(_ways(after, move, depth - 1) for move in listed(after))
