"""Steps of lessons, as data. Cards and moves are written as in the record; the learner sits at seat 0.

It knows no rule: ``tutor`` lays the cards out and judges.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.engine.game import Length

TWO_DEALS = Length("deals", 2)  # so that a deal doesn't end the match
Words = Any  # lazy text, in the reader's language


@dataclass(frozen=True, slots=True)
class Layout:
    """Cards as they lie in the middle of a deal, the learner to play: ``"7c Fs Ad"``.

    ``table``: the cards that lie open; in a game of tricks those of the running trick, in the order they were played.
    ``taken``: what each line has taken. Nobody holds the cards that are named nowhere.
    """

    hands: tuple[str, ...]
    table: str = ""
    stock: str = ""
    turned: str = ""
    taken: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Task:
    """A step that asks for one move. ``right``: the moves meant, without the seat; () for any that the rules allow.

    ``then``: what the others play after it. ``well`` and ``wrong`` explain.
    """

    title: Words
    text: Words
    layout: Layout
    well: Words
    right: tuple[str, ...] = ()
    wrong: Words = ""
    then: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A step that asks for one of several answers, each with what is said to it; the cards lie there to look at."""

    title: Words
    text: Words
    layout: Layout
    answers: tuple[tuple[Words, Words], ...]
    right: int


@dataclass(frozen=True, slots=True)
class WholeDeal:
    """A whole deal of a known deck, played with the house's players; each turn is explained."""

    title: Words
    text: Words
    deck: str
    dealer: int
    well: Words


DEAL_TITLE = _("Una smazzata intera")
DEAL_TEXT = _("Adesso gioca tu, fino all'ultima carta. A ogni turno leggi qui che cosa puoi fare.")

Step = Task | Question | WholeDeal


@dataclass(frozen=True, slots=True)
class Lesson:
    """Lesson of one game. ``names``: who sits at the table, the learner's place empty."""

    ruleset: str
    card: str  # drawn beside it in the list
    steps: Sequence[Step]
    names: tuple[Words, ...]
    length: Length = TWO_DEALS
    options: Mapping[str, Any] = field(default_factory=dict)
