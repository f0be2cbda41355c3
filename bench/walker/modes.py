"""Modes of a walk: one value of each dimension, drawn so that a tournament can have them together.

What two values were drawn together is counted, and the table of these pairs says where no walk has been. It makes no
tournament: ``build_settings`` says which one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import combinations, product
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tournaments.organise.settings import Settings

Pair = tuple[str, str, str, str]  # two dimensions, each followed by its value
FEW_FIXTURES = 2  # of a walk: more are less likely
TRIES = 4_000  # draws until two values count as impossible together

# What is likelier than its siblings: real tables need no cards, and are quick. All others are drawn alike.
WEIGHTS: Mapping[tuple[str, str], int] = {
    ("venue", "hall"): 5,
    ("start", "published"): 2,
    ("deals", "own"): 4,
    ("house", "no"): 2,
    ("clock", "none"): 2,
    ("tables", "enough"): 2,
    ("kind", "person"): 3,
    ("kind", "pair"): 2,
    ("format", "danese"): 3,
    ("ties", "order"): 2,
    ("format", "ko third"): 2,
    ("games", "one"): 4,
}
DIMENSIONS: Mapping[str, tuple[str, ...]] = {
    "venue": ("hall", "site"),
    "kind": ("person", "pair", "drawn", "team", "fours"),
    "entry": ("names", "telephones", "accounts"),
    "format": (
        "ko", "ko third", "ko lots", "ko lucky", "doppio", "doppio once", "doppio lots", "girone", "girone double",
        "gironi", "gironi third", "danese", "danese short", "danese whole", "ko apart", "gironi apart", "danese apart",
    ),
    "game": (
        "tresette 1", "tresette 11", "perdere 2", "accusa 11", "classico 21", "scopa 1", "scopa 11", "asso 11",
        "scopone 11", "briscola 1", "briscola 3",
    ),
    "start": ("published", "full", "hour"),
    "deals": ("own", "equal"),
    "house": ("no", "allowed"),
    "clock": ("none", "finish", "stop"),
    "tables": ("enough", "one", "two"),
    "seeding": ("lot", "organiser"),
    "ties": ("standard", "rete", "club", "svizzero", "order"),
    "size": ("2", "3", "4", "5", "6", "7", "8", "9", "13", "17", "24", "33"),
    "late": ("no", "yes"),
    "leaving": ("no", "yes"),
    "absent": ("no", "yes"),
    "bans": ("no", "yes"),
    "byes": ("no", "yes"),
    "games": ("one", "three", "counted", "late"),
}  # fmt: skip


class Game(NamedTuple):
    """A ruleset and a length, and final points that such a match can have: the first side is ahead."""

    ruleset: str
    kind: str
    value: int
    deals: tuple[tuple[tuple[int, int], ...], ...]  # deal by deal
    level: tuple[tuple[int, int], ...] = ()  # a draw of a round robin


GAMES: Mapping[str, Game] = {
    "tresette 1": Game("tresette", "deals", 1, (((7, 4),), ((6, 5),), ((11, 0),), ((9, 2),))),
    "tresette 11": Game("tresette", "points", 11, (((6, 5), (7, 4)), ((9, 2), (5, 6)), ((11, 0),))),
    "perdere 2": Game("tresette-a-perdere", "deals", 2, (((3, 8), (4, 7)), ((5, 6), (2, 9)), ((0, 11), (5, 6)))),
    "accusa 11": Game("tressette-accusa", "points", 11, (((6, 5), (7, 4)), ((9, 2), (5, 6)))),
    "classico 21": Game("tressette-classico", "points", 21, (((7, 4), (8, 3), (6, 5)), ((9, 2), (9, 2), (8, 3)))),
    "scopa 1": Game("scopa", "deals", 1, (((3, 1),), ((4, 0),), ((2, 1),), ((6, 2),)), ((2, 2),)),
    "scopa 11": Game("scopa", "points", 11, (((4, 1), (3, 2), (5, 0)), ((5, 2), (4, 3), (3, 1)))),
    "asso 11": Game("asso-piglia-tutto", "points", 11, (((4, 1), (3, 2), (5, 0)), ((5, 2), (4, 3), (3, 1)))),
    "scopone 11": Game("scopone", "points", 11, (((4, 1), (3, 2), (5, 0)), ((5, 2), (4, 3), (3, 1)))),
    "briscola 1": Game("briscola", "deals", 1, (((1, 0),),)),
    "briscola 3": Game("briscola", "points", 3, (((1, 0), (1, 0), (1, 0)), ((1, 0), (0, 1), (1, 0), (1, 0)))),
}
FORMATS: Mapping[str, tuple[str, Mapping[str, bool | int]]] = {
    "ko": ("ko", {}),
    "ko third": ("ko", {"third_place": True}),
    "ko lots": ("ko", {"byes_by_lot": True}),
    "ko lucky": ("ko", {"lucky_losers": True}),
    "doppio": ("doppio", {}),
    "doppio once": ("doppio", {"no_decider": True}),
    "doppio lots": ("doppio", {"byes_by_lot": True}),
    "girone": ("girone", {}),
    "girone double": ("girone", {"double": True}),
    "gironi": ("gironi", {"groups": 2, "qualify": 1}),
    "gironi third": ("gironi", {"groups": 2, "qualify": 2, "third_place": True}),
    "danese": ("danese", {}),
    "danese short": ("danese", {"rounds": 2, "late": 2}),
    "danese whole": ("danese", {}),  # as many rounds as can be
    "ko apart": ("ko", {"apart": True}),
    "gironi apart": ("gironi", {"groups": 2, "qualify": 1, "apart": True}),
    "danese apart": ("danese", {"apart": True, "apart_always": True}),
}
BRACKETS = ("ko", "doppio")
GAMES_OF: Mapping[str, Mapping[str, Any]] = {  # a fixture (EV1), as settings say it
    "one": {},
    "three": {"games": 3},
    "counted": {"games": 5, "only_games_won": True},
    "late": {"late_games": 3, "late_from": "final"},
}
LEAST: Mapping[str, int] = {"gironi": 4, "doppio": 3}  # entries
MOST_OF_MANY = 9  # entries of whatever takes more fixtures than a few for each
START_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Modes:
    """A value of each dimension."""

    values: tuple[tuple[str, str], ...]

    def __getitem__(self, name: str) -> str:
        return dict(self.values)[name]

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.values)

    @property
    def format(self) -> str:
        return FORMATS[self["format"]][0]

    @property
    def game(self) -> Game:
        return GAMES[self["game"]]

    @property
    def size(self) -> int:
        return int(self["size"])

    @property
    def apart(self) -> bool:
        """Tell if those of one club are kept apart (EV9)."""
        return bool(FORMATS[self["format"]][1].get("apart"))

    @property
    def in_hall(self) -> bool:
        return self["venue"] == "hall"

    @property
    def seats(self) -> int:
        """Return how many people play for an entry at one table."""
        return 2 if self["kind"] in ("pair", "drawn", "fours") else 1

    @property
    def joined(self) -> int:
        """Return how many people enter for an entry that plays (EV2)."""
        return 2 if self["kind"] == "drawn" else 1

    def count_fixtures(self) -> int:
        """Return about how many fixtures are played."""
        size, long = self.size, self["format"]
        rounds = {"danese short": 2, "danese whole": size - 1}.get(long, 3)
        by_format = {"ko": size, "doppio": 2 * size, "danese": rounds * size // 2, "gironi": size * size // 4}
        count = by_format.get(self.format, size * (size - 1) // 2)
        return max(1, count * (1 + (long == "girone double")) * (1 + (self["kind"] == "fours")))

    @property
    def has_games(self) -> bool:
        """Tell if fixtures have several games (EV1), some or all."""
        return self["games"] != "one"

    def list_pairs(self) -> list[Pair]:
        """Return every two values of it."""
        return [(*one, *other) for one, other in combinations(self.values, 2)]


def read_modes(seed: str) -> Modes:
    """Return the modes of a seed. ValueError: it asks for what no tournament has."""
    _number, _at, asked = seed.partition("@")
    fixed = dict(one.split("=") for one in asked.split(",") if one)
    modes = draw_modes(Random(f"{seed}/modes"), fixed)
    if modes is None:
        raise ValueError(f"no tournament has {asked}")
    return modes


def draw_modes(dice: Random, fixed: Mapping[str, str] | None = None) -> Modes | None:
    """Draw modes with the ``fixed`` values, the shorter the likelier unless there are such; None where there are
    none."""
    for _ in range(TRIES):
        chosen = {name: _draw_value(dice, name) for name in DIMENSIONS} | dict(fixed or {})
        chosen |= _list_forced(chosen) | dict(fixed or {})
        modes = Modes(tuple((name, chosen[name]) for name in DIMENSIONS))
        if (fixed or dice.random() < (FEW_FIXTURES / modes.count_fixtures()) ** 2) and is_possible(modes):
            return modes
    return None


def _list_forced(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the values that others leave no choice of."""
    forced: dict[str, str] = {}
    format_, hall = FORMATS[chosen["format"]][0], chosen["venue"] == "hall"
    if format_ != "danese":
        forced |= {"late": "no", "bans": "no", "byes": "no"}
    if format_ in BRACKETS:
        forced |= {"ties": "standard", "deals": "own"}
    if hall:
        return forced | {"start": "published", "house": "no"}
    return forced | {"entry": "accounts", "clock": "none", "tables": "enough", "absent": "no", "games": "one"}


def _draw_value(dice: Random, name: str) -> str:
    values = DIMENSIONS[name]
    return dice.choices(values, [WEIGHTS.get((name, value), 1) for value in values])[0]


def is_possible(modes: Modes) -> bool:
    """Tell if a tournament can have these together."""
    return not any(_list_obstacles(modes)) and is_accepted(modes)


def _list_obstacles(modes: Modes) -> Iterable[bool]:
    hall, kind, format_ = modes.in_hall, modes["kind"], modes.format
    yield not hall and (modes["entry"] != "accounts" or modes["clock"] != "none" or modes["tables"] != "enough")
    yield hall and (modes["start"] != "published" or modes["house"] != "no")
    yield hall and modes["entry"] == "accounts" and kind not in ("person", "pair", "drawn")
    yield not hall and kind == "team"
    yield kind == "fours" and (format_ not in ("girone", "danese") or hall == (modes["deals"] == "equal"))
    yield kind == "fours" and modes["tables"] == "one"
    yield modes["deals"] == "equal" and (modes.game.kind != "deals" or format_ in BRACKETS)
    yield modes["seeding"] == "organiser" and modes["start"] == "full"
    yield format_ != "danese" and "yes" in (modes["late"], modes["bans"], modes["byes"])
    yield format_ in BRACKETS and modes["ties"] != "standard"
    yield format_ != "danese" and modes["ties"] == "svizzero"
    yield modes.size < LEAST.get(format_, 2)
    yield modes.size > MOST_OF_MANY and (format_ not in BRACKETS or kind not in ("person", "team"))
    yield modes["format"] == "danese short" and modes.size < 3
    yield modes["absent"] == "yes" and not hall
    yield modes.has_games and (not hall or modes["deals"] == "equal" or kind == "fours")
    yield modes["games"] == "late" and format_ not in (*BRACKETS, "gironi")


def is_accepted(modes: Modes) -> bool:
    """Tell if the product takes such settings: the game with so many people, in matches that end so (V4)."""
    return _fits(modes["format"], modes["game"], modes.seats)


@cache
def _fits(format_: str, game: str, seats: int) -> bool:
    from games.engine.game import Length
    from tournaments.core.errors import TournamentError
    from tournaments.formats import FORMATS as ALL
    from tournaments.organise.settings import check_match

    one = GAMES[game]
    try:
        check_match(ALL[FORMATS[format_][0]], one.ruleset, seats, Length(one.kind, one.value), {})  # type: ignore[arg-type]
    except TournamentError:
        return False
    return True


def build_settings(modes: Modes, now: datetime) -> "Settings":
    """Return the settings of a tournament of these modes."""
    from tournaments.formats.danese import limit_rounds
    from tournaments.organise.settings import Settings
    from tournaments.venues import HALL, SITE

    format_, options = FORMATS[modes["format"]]
    game, size = modes.game, modes.size
    if modes["format"] == "danese whole":
        options = {"rounds": limit_rounds(size)}
    kind, seats = modes["kind"], modes.seats
    more: dict[str, Any] = {}
    if kind in ("team", "fours"):
        more = {"team_size": 3 * seats if kind == "team" else 2 * seats, "team_tables": 1 + (kind == "fours")}
    if kind == "drawn":
        dice = Random(f"{modes}/partners")
        more = {"partners": dice.choice(("lot", "strength", "lists")), "pairs_stay": dice.random() < 0.5}
    return Settings(
        name="Torneo del camminatore",
        format=format_,
        format_options=options,
        ruleset=game.ruleset,
        length_kind=game.kind,  # type: ignore[arg-type]
        length_value=game.value,
        seats_an_entry=seats,
        venue=HALL if modes.in_hall else SITE,
        publishes_rounds=modes["start"] == "published",
        starts_at=now + START_AFTER if modes["start"] == "hour" else None,
        min_entries=modes.joined * LEAST.get(format_, 2),
        max_entries=modes.joined * (size if modes["start"] == "full" else max(16, size)),
        equal_deals=modes["deals"] == "equal",
        house_allowed=modes["house"] == "allowed",
        clock_minutes=None if modes["clock"] == "none" else 30,
        clock_end=modes["clock"] if modes["clock"] != "none" else "finish",
        hall_tables={"enough": None, "one": 1, "two": 2}[modes["tables"]],
        seeding=modes["seeding"],
        tie_break=draw_order(modes) if modes["ties"] == "order" else modes["ties"],
        pause=3,
        **more,
        **GAMES_OF[modes["games"]],
    )


def draw_order(modes: Modes) -> str:
    """Return an order of one's own (EV10) for these modes, always the same for the same."""
    dice = Random(f"{modes}/order")
    later = ["direct", "mp", "won", "sonneborn", "forfeits"]
    if modes["games"] != "counted":
        later += ["points", "difference"]
    if modes.format == "danese":
        later += ["buchholz", "buchholz_cut"]
    chosen = dice.sample(later, dice.randint(0, 5))
    return ",".join((dice.choice(("vp", "wins")), *chosen, *dice.choice(((), ("lot",)))))


# --- Pairs of modes ---------------------------------------------------------------------------------------------------


def list_all_pairs() -> list[Pair]:
    """Return every two values of two dimensions."""
    return [
        (one, first, other, second)
        for one, other in combinations(DIMENSIONS, 2)
        for first, second in product(DIMENSIONS[one], DIMENSIONS[other])
    ]


@cache
def list_possible_pairs() -> frozenset[Pair]:
    """Return the pairs of values that a tournament can have."""
    dice = Random("possible pairs")
    possible: set[Pair] = set()
    for pair in list_all_pairs():
        if pair not in possible:
            modes = draw_modes(dice, {pair[0]: pair[1], pair[2]: pair[3]})
            possible.update(() if modes is None else modes.list_pairs())
    return frozenset(possible)


def choose_rare_seed(seed: str, visited: Counter[Pair]) -> str:
    """Return the seed of a walk with the pair that was visited least: ``1-17@size=8,venue=site``."""
    least = min(visited[pair] for pair in list_possible_pairs())
    rare = Random(seed).choice(sorted(pair for pair in list_possible_pairs() if visited[pair] == least))
    return f"{seed}@{rare[0]}={rare[1]},{rare[2]}={rare[3]}"


def print_table(visited: Counter[Pair]) -> str:
    """Return the table of two dimensions a row: how often each pair of their values was visited."""
    lines = ["pairs of modes: visits of the rarest and of the commonest of each two dimensions; those never visited"]
    possible = list_possible_pairs()
    for one, other in combinations(DIMENSIONS, 2):
        own = [pair for pair in sorted(possible) if (pair[0], pair[2]) == (one, other)]
        if not own:
            continue
        counts = [visited[pair] for pair in own]
        never = [f"{pair[1]} × {pair[3]}" for pair in own if not visited[pair]]
        lines.append(
            f"{one:8} × {other:8} {len(own):4} pairs, {min(counts):4} to {max(counts):5}"
            + (f"; never: {', '.join(never[:6])}{' …' if len(never) > 6 else ''}" if never else "")
        )
    total = sum(1 for pair in possible if visited[pair])
    lines.append(
        f"{total} of {len(possible)} pairs visited, the rarest {min(visited[pair] for pair in possible)} times"
    )
    return "\n".join(lines)
