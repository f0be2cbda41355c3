"""Quick players, by game: each weighs the View before it by rules of thumb, in a fraction of a millisecond.

They play where no better player has the time (HP0), and say for all of them what there is to say. A choice depends on
the View alone. One file per game; Tresette's and Scopa's relatives are weighed by ``tricks`` and ``captures``, and what
is reckoned of unseen cards is ``belief``.
"""

from collections.abc import Callable

from games.bots.quick import (
    asso_piglia_tutto,
    briscola,
    scopa,
    scopone,
    tresette,
    tresette_a_perdere,
    tressette_accusa,
    tressette_classico,
)
from games.engine.game import GameMove, View

STRATEGIES: dict[str, Callable[[View], tuple[GameMove, ...]]] = {
    "scopa": scopa.choose,
    "asso-piglia-tutto": asso_piglia_tutto.choose,
    "scopone": scopone.choose,
    "briscola": briscola.choose,
    "tresette": tresette.choose,
    "tresette-a-perdere": tresette_a_perdere.choose,
    "tressette-accusa": tressette_accusa.choose,
    "tressette-classico": tressette_classico.choose,
}


def choose(ruleset_id: str, view: View) -> tuple[GameMove, ...]:
    """Return the moves of the house player to whom ``view`` was given, in order; empty where there are none.

    Calls come first, and on its turn the card they go with or precede; a call that ends the deal leaves that card
    unplayed. Where cards wait for calls (M4), or it isn't its turn, calls alone. A game without a strategy gets a
    modest one.
    """
    return STRATEGIES.get(ruleset_id, choose_modestly)(view) if view.legal else ()


def choose_modestly(view: View) -> tuple[GameMove, ...]:
    """Return the plainest play: the smallest capture, the lowest card. It makes no calls."""
    plays = [move for move in view.legal if move.verb == "play"]
    return tuple(sorted(plays, key=lambda move: (move.takes.bit_count(), move.card % 10, move.card))[:1])
