"""Options and lengths of a match: which options fit where, which lengths there are, and what a refusal is about.

All of it is asked of the rulesets themselves (``Ruleset.options``, ``match.check``): a new game or option shows up here
by itself. It decides nothing of its own but where an option that may stand anywhere matters. A caller that knows more
than a table does (V4's lengths, say) hands in ``also``, which refuses as ``match.check`` does.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, get_args

from games.engine import match as engine
from games.engine.game import Context, HeaderError, Length, LengthKind, Points, Setup
from games.rules import RULESETS

Also = Callable[[Setup], None]

MOST_KEPT = 4096  # answers of the rulesets, of each kind of question
ANY_LENGTH = Length("deals", 1)
NO_OPTIONS: Mapping[str, Any] = {}
ABOUT_PLAYERS = frozenset({"players_not_allowed", "three_only_free"})  # M8

# How long a game is usually played (BR4, SC2).
USUAL_LENGTHS: Mapping[str, Length] = {
    "scopa": Length("points", 11),
    "asso-piglia-tutto": Length("points", 11),
    "scopone": Length("points", 21),
    "briscola": Length("points", 3),
    "tresette": Length("points", 21),
    "tresette-a-perdere": Length("points", 21),
    "tressette-accusa": Length("points", 31),
    "tressette-classico": Length("points", 21),
}
CAPTURING_RULESETS = frozenset({"scopa", "asso-piglia-tutto", "scopone"})  # a card takes others from the table

# Options that no match refuses, and that mean something only here: T8.
MATTERS: Mapping[str, tuple[Context, LengthKind]] = {"ko_tie": ("ko", "deals")}

# The calls that are left to the system or made by hand (X1), by game: each with the option it comes with and that
# option's value; None: it is always part of the game. Where the system calls for everybody there is no choice (M4, C4).
AUTOMATIC_CALLS: Mapping[str, Mapping[str, tuple[str, bool | str] | None]] = {
    "tresette": {"out": ("vinco_subito", True), "accuso": ("accuso", True), "declare": ("dichiarazioni", True)},
    "tresette-a-perdere": {"declare": ("dichiarazioni", True)},
    "tressette-accusa": {"accuso": ("accusa", "facoltativa")},
    "tressette-classico": {"out": None},
}


class SetupFault(NamedTuple):
    """Reason why a match can't be set up so. ``about``: an option's name, "ruleset", "players", "length", or "" for
    none of them; ``code`` is HeaderError's; ``allowed``: for "length" the lengths that there are."""

    about: str
    code: str
    allowed: tuple[Length, ...] = ()


class _Bare(NamedTuple):
    """Setup without length and options, by which answers of the rulesets are kept: a page's form asks hundreds of
    times, and each answer is the same for good."""

    ruleset: str
    players: int
    context: Context
    handicap: Points
    game: object  # the ruleset itself: one that is offered under the same name later is another

    @classmethod
    def of(cls, setup: Setup) -> "_Bare":
        return cls(setup.ruleset, setup.players, setup.context, setup.handicap, RULESETS.get(setup.ruleset))

    def build(self, length: Length = ANY_LENGTH, options: Mapping[str, Any] = NO_OPTIONS) -> Setup:
        return Setup(self.ruleset, self.players, length, self.context, options, 0, self.handicap)


def refuse_nothing(setup: Setup) -> None:
    """Accept every setup: the default of ``also``."""


def build_setup(
    ruleset: str,
    players: int,
    length: Length,
    context: Context,
    options: Mapping[str, Any],
    handicap: Points = (0, 0),
) -> Setup:
    """Return a match before the draw of its first dealer."""
    return Setup(ruleset, players, length, context, dict(options), 0, handicap)


def list_choices(ruleset: str) -> dict[str, tuple[bool | str, ...]]:
    """List the options there is a choice about, each with its values, the default first."""
    options = RULESETS[ruleset].options
    return {
        name: (option.default, *(value for value in option.values if value != option.default))
        for name, option in options.items()
    }


def is_on(ruleset: str, name: str, value: object) -> bool:
    """Return whether this value is another than the one when left out."""
    option = RULESETS[ruleset].options.get(name)
    return option is None or value != option.default


def list_automatic_calls(ruleset: str, chosen: Mapping[str, Any]) -> tuple[str, ...]:
    """List the calls that each player may have the system make in such a match (X1), in their order; most games have
    none."""
    calls = AUTOMATIC_CALLS.get(ruleset, {})
    return tuple(verb for verb, option in calls.items() if option is None or chosen.get(option[0]) == option[1])


def iterate_lengths(kind: str | None = None) -> Iterator[Length]:
    """Yield every length any game may have, points first (V4)."""
    for known_kind in reversed(get_args(LengthKind)):
        if kind in (None, known_kind):
            yield from (Length(known_kind, value) for value in range(1, engine.LONGEST[known_kind] + 1))


def list_lengths(setup: Setup, also: Also = refuse_nothing) -> tuple[Length, ...]:
    """List the lengths such a match may have; its own is not looked at."""
    if all(type(value) in (bool, str) for value in setup.options.values()):
        return _list_known_lengths(_Bare.of(setup), tuple(setup.options.items()), also)
    return _list_lengths_of(setup, also)  # whatever else was sent as a value can't be looked up


@lru_cache(MOST_KEPT)
def _list_known_lengths(bare: "_Bare", options: tuple[tuple[str, bool | str], ...], also: Also) -> tuple[Length, ...]:
    return _list_lengths_of(bare.build(options=dict(options)), also)


def _list_lengths_of(setup: Setup, also: Also) -> tuple[Length, ...]:
    return tuple(length for length in iterate_lengths() if find_refusal(replace(setup, length=length), also) is None)


def find_refusal(setup: Setup, also: Also = refuse_nothing) -> str | None:
    """Return the code by which such a match is refused, None where it may be played."""
    try:
        engine.check(setup)
        also(setup)
    except HeaderError as error:
        return error.code
    return None


def fits(setup: Setup, name: str, also: Also = refuse_nothing, *, any_kind: bool = False) -> bool:
    """Return whether the option can be chosen in such a match, at some length of its kind (or of any)."""
    if name in MATTERS:
        context, kind = MATTERS[name]
        return setup.context == context and (any_kind or setup.length.kind == kind)
    return _fits_at_a_length(_Bare.of(setup), None if any_kind else setup.length.kind, name, also)


@lru_cache(MOST_KEPT)
def _fits_at_a_length(bare: "_Bare", kind: LengthKind | None, name: str, also: Also) -> bool:
    ruleset = bare.ruleset
    values = [value for value in list_choices(ruleset).get(name, ()) if is_on(ruleset, name, value)]
    return any(
        find_refusal(bare.build(length, {name: value}), also) is None
        for value in values
        for length in iterate_lengths(kind)
    )


def find_fault(setup: Setup, also: Also = refuse_nothing) -> SetupFault | None:
    """Return the reason why such a match is refused, and the field it is about; None where it isn't."""
    code = find_refusal(setup, also)
    if code is None:
        return None
    ruleset = RULESETS.get(setup.ruleset)
    if ruleset is None:
        return SetupFault("ruleset", code)
    if code in ABOUT_PLAYERS:
        return SetupFault("players", code)
    for name, value in setup.options.items():
        alone = _find_own_refusal(setup, name, value, also)
        if alone is not None:
            return SetupFault(name, alone)
    allowed = list_lengths(setup, also)
    return SetupFault("length", code, allowed) if setup.length not in allowed else SetupFault("", code)


def _find_own_refusal(setup: Setup, name: str, value: object, also: Also) -> str | None:
    """Return the code by which this option is refused at every length of this kind; None where it can be chosen."""
    if not is_on(setup.ruleset, name, value):
        return None
    if name not in RULESETS[setup.ruleset].options:
        return "unknown_option"
    kind = tuple(iterate_lengths(setup.length.kind))
    bare = replace(setup, options={})
    without = [length for length in kind if find_refusal(replace(bare, length=length), also) is None]
    codes = {length: find_refusal(replace(bare, length=length, options={name: value}), also) for length in kind}
    if None in codes.values() or not without:
        return None
    return codes[without[0]]
