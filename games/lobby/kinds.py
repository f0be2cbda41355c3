"""The kinds of match that people seek (B2): a game with a named set of options, alone or in pairs, and a speed.

Two who seek the same kind would play the very same match. Plain Python: it reads no table and knows no person.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from games.engine.game import Length
from games.options import USUAL_LENGTHS

Form = Literal["alone", "pairs"]  # as in games.levels
SEATS: Mapping[str, int] = {"alone": 2, "pairs": 4}


@dataclass(frozen=True, slots=True)
class Speed:
    """Time of a match, in seconds: for a turn, and each player's for the whole match (G8)."""

    turn_timeout: int
    match_clock: int


SPEEDS: Mapping[str, Speed] = {"lampo": Speed(15, 180), "normale": Speed(30, 600), "calmo": Speed(60, 1800)}


EITHER: tuple[Form, ...] = ("alone", "pairs")
PAIRS: tuple[Form, ...] = ("pairs",)


@dataclass(frozen=True, slots=True)
class OptionSet:
    """Options that go by one name, and the forms they are played in."""

    options: Mapping[str, Any] = field(default_factory=dict)
    forms: tuple[Form, ...] = EITHER


GAME_COOKIE = "gioco"  # keeps the game that was chosen last
USUAL = "solita"
_CAPTURES = {USUAL: OptionSet(), "viste": OptionSet({"carte_viste": True})}

# By game, the usual set first; each is played at the game's usual length.
OPTION_SETS: Mapping[str, Mapping[str, OptionSet]] = {
    "scopa": _CAPTURES,
    "asso-piglia-tutto": _CAPTURES,
    "scopone": {USUAL: OptionSet({}, PAIRS), "quattro": OptionSet({"quattro_a_terra": True}, PAIRS)},
    "briscola": {USUAL: OptionSet(), "mostra": OptionSet({"mostra_compagno": True}, PAIRS)},
    "tresette": {
        USUAL: OptionSet({"vinco_subito": True}),
        "accusi": OptionSet({"vinco_subito": True, "accuso": True, "cappotto": True}),
    },
    "tresette-a-perdere": {USUAL: OptionSet()},
    "tressette-accusa": {USUAL: OptionSet(), "facoltativa": OptionSet({"accusa": "facoltativa"})},
    "tressette-classico": {USUAL: OptionSet({"segnali": "tre"}, PAIRS), "muta": OptionSet({}, PAIRS)},
}


@dataclass(frozen=True, slots=True, order=True)
class SeekKind:
    """Kind of match that is sought, each part by its code."""

    ruleset: str = "scopa"
    option_set: str = USUAL
    form: str = "alone"
    speed: str = "normale"

    @property
    def is_known(self) -> bool:
        """Tell if there is such a kind."""
        chosen = OPTION_SETS.get(self.ruleset, {}).get(self.option_set)
        return chosen is not None and self.form in chosen.forms and self.speed in SPEEDS

    @property
    def seats(self) -> int:
        """Return how many people sit at its table."""
        return SEATS[self.form]

    @property
    def terms(self) -> OptionSet:
        """Return its options."""
        return OPTION_SETS[self.ruleset][self.option_set]

    @property
    def length(self) -> Length:
        """Return the length of its match."""
        return USUAL_LENGTHS[self.ruleset]


DEFAULT_KIND = SeekKind()


def begin_kind(ruleset: str) -> SeekKind:
    """Return the kind of a game that most people play."""
    option_set, terms = next(iter(OPTION_SETS[ruleset].items()))
    return SeekKind(ruleset, option_set, terms.forms[0])


def recognise_kind(
    *, ruleset: str, players: int, length: Length, options: Mapping[str, Any], turn_timeout: int | None
) -> SeekKind:
    """Return the kind nearest to a match that was played: what *Gioca subito* seeks again (B2a)."""
    sets = OPTION_SETS.get(ruleset)
    if sets is None:
        return DEFAULT_KIND
    form: Form = "pairs" if players == SEATS["pairs"] else "alone"
    same = (name for name, preset in sets.items() if dict(preset.options) == dict(options))
    option_set = next(same, USUAL) if length == USUAL_LENGTHS[ruleset] else USUAL
    if form not in sets[option_set].forms:
        option_set, form = USUAL, sets[USUAL].forms[0]
    seconds = SPEEDS["normale"].turn_timeout if turn_timeout is None else turn_timeout
    speed = min(SPEEDS, key=lambda name: abs(SPEEDS[name].turn_timeout - seconds))
    return SeekKind(ruleset, option_set, form, speed)
