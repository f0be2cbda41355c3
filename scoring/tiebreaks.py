"""Tie-breaks (R2, EV10): one function a criterion, one row a preset, and orders that are chosen freely.

A criterion gives a value to each entry of a group that is still level, higher being better, or None when it doesn't
apply to that group. It looks at finished games, at the rounds of a danese as plain values, and at a lot that was drawn
before; nothing here ranks or draws.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

Number = int | Fraction
NOTHING: Mapping[int, int] = MappingProxyType({})
UNPLAYED_VP, UNPLAYED_HALVES = 10, 1  # of each round an opponent hasn't played, in their Buchholz


class Game(NamedTuple):
    """A fixture that counts, between two entries. ``winner`` 0 or 1, None in a draw or when both forfeited (R4).

    ``points`` are signed so that more are better: negative where fewer win (A1), (0, 0) where none were written.
    ``begun``: False of a forfeit before the first card.
    """

    first: int
    second: int
    winner: int | None
    double_forfeit: bool
    mp: tuple[int, int]
    vp: tuple[int, int]
    points: tuple[int, int] = (0, 0)
    forfeit_by: int | None = None
    begun: bool = True

    @property
    def halves(self) -> tuple[int, int]:
        """Its worth to both sides where matches won come first: a win 2, a draw 1."""
        if self.winner is None:
            return (0, 0) if self.double_forfeit else (1, 1)
        return (0, 2) if self.winner else (2, 0)


@dataclass(frozen=True, slots=True)
class Totals:
    """An entry's sums over its games."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    mp: int = 0
    vp: int = 0


class Rounds(NamedTuple):
    """The rounds of a danese beside its games: how many were drawn so far, the pairs whose match isn't over,
    and the halves of a win that each entry has by byes (D1's two, D3's one)."""

    drawn: int = 0
    open: tuple[tuple[int, int], ...] = ()
    halves: Mapping[int, int] = NOTHING


NO_ROUNDS = Rounds()


@dataclass(frozen=True)
class Results:
    """The input of a criterion: each entry's sums, the games that count, the lot drawn before the first of them, the
    rounds of a danese, and the mean percentages (J10). ``by_wins``: matches won come first, and what is summed of
    games and opponents is wins instead of VP."""

    totals: Mapping[int, Totals]
    games: Sequence[Game]
    lot: str = ""
    rounds: Rounds = NO_ROUNDS
    shares: Mapping[int, Fraction] = field(default_factory=dict)
    by_wins: bool = False
    games_of: dict[int, list[Game]] = field(init=False)  # each entry's, where it is named first

    def __post_init__(self) -> None:
        games_of: dict[int, list[Game]] = {}
        for game in self.games:
            games_of.setdefault(game.first, []).append(game)
        object.__setattr__(self, "games_of", games_of)

    def weigh(self, game: Game) -> tuple[int, int]:
        """Return what a game is worth to its sides: VP, or halves of a win."""
        return game.halves if self.by_wins else game.vp

    def write(self, value: Number) -> Number:
        """Return a sum of ``weigh`` as it is said: VP, or wins."""
        return Fraction(value, 2) if self.by_wins else value

    @cached_property
    def worth(self) -> Mapping[int, int]:
        """Each entry's sum of ``weigh``, with its byes."""
        if not self.by_wins:
            return {entry: sums.vp for entry, sums in self.totals.items()}
        byes = self.rounds.halves
        return {entry: 2 * sums.won + sums.drawn + byes.get(entry, 0) for entry, sums in self.totals.items()}

    @cached_property
    def sides(self) -> Mapping[int, Sequence[tuple[Game, int]]]:
        """Each entry's games, with the side it was on."""
        sides: dict[int, list[tuple[Game, int]]] = {entry: [] for entry in self.totals}
        for game in self.games:
            sides[game.first].append((game, 0))
            sides[game.second].append((game, 1))
        return sides

    @cached_property
    def opponents(self) -> Mapping[int, Sequence[int]]:
        """Each entry's opponents in matches that began, or wait for their result."""
        met: dict[int, list[int]] = {entry: [] for entry in self.totals}
        pairs = [(game.first, game.second) for game in self.games if game.begun]
        for first, second in (*pairs, *self.rounds.open):
            met[first].append(second)
            met[second].append(first)
        return met

    @cached_property
    def addends(self) -> Mapping[int, Sequence[int]]:
        """Addends of the Buchholz of each entry, one for each round drawn (EV10).

        An opponent counts with what the matches they began are worth, and a draw for each of their unplayed rounds; an
        unplayed round of one's own with one's own sum.
        """
        unplayed = UNPLAYED_HALVES if self.by_wins else UNPLAYED_VP
        missed = {entry: max(0, self.rounds.drawn - len(met)) for entry, met in self.opponents.items()}
        adjusted = {
            entry: sum(self.weigh(game)[side] for game, side in own if game.begun) + unplayed * missed[entry]
            for entry, own in self.sides.items()
        }
        return {
            entry: (*(adjusted[other] for other in met), *(self.worth[entry],) * missed[entry])
            for entry, met in self.opponents.items()
        }

    @cached_property
    def lot_places(self) -> Mapping[int, int]:
        """The places of the entries in the lot, the highest number drawn first."""
        drawn = draw_lot_order(self.lot, tuple(self.totals), "standings")
        return {entry: len(drawn) - place for place, entry in enumerate(drawn)}


Criterion = Callable[[Sequence[int], Results], Mapping[int, Number] | None]


def sum_vp(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Sum the VP, with those of byes (D1)."""
    return {entry: results.totals[entry].vp for entry in group}


def sum_wins(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Sum the wins: a match won 1, a draw ½, D1's bye 1, D3's ½."""
    return {entry: results.write(results.worth[entry]) for entry in group}


def average_shares(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Return the mean percentages of the rounds with equal deals, 1 for 100 % (J10)."""
    return {entry: results.shares.get(entry, Fraction(0)) for entry in group}


def sum_direct(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Sum the VP (or wins) of the games among the level entries, only if all of them met."""
    level = set(group)
    among = [game for entry in group for game in results.games_of.get(entry, ()) if game.second in level]
    pairs = len(group) * (len(group) - 1) // 2
    if len(among) < pairs or len({frozenset((game.first, game.second)) for game in among}) < pairs:
        return None
    values = dict.fromkeys(group, 0)
    for game in among:
        worth = results.weigh(game)
        values[game.first] += worth[0]
        values[game.second] += worth[1]
    return {entry: results.write(value) for entry, value in values.items()} if results.by_wins else values


def sum_mp(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Sum the MP: a loser's are negative (V1), so this is MP won minus MP lost."""
    return {entry: results.totals[entry].mp for entry in group}


def count_won(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Return the number of matches won."""
    return {entry: results.totals[entry].won for entry in group}


def sum_points(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Sum the points made."""
    return {entry: sum(game.points[side] for game, side in results.sides[entry]) for entry in group}


def sum_difference(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Sum the points made minus those let in; the other way round where fewer win."""
    return {
        entry: sum(game.points[side] - game.points[1 - side] for game, side in results.sides[entry]) for entry in group
    }


def sum_buchholz(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Sum what the opponents have, round by round (*Buchholz*)."""
    return {entry: results.write(sum(results.addends[entry])) for entry in group}


def sum_buchholz_cut(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Sum the Buchholz without its lowest addend."""
    addends = results.addends
    return {entry: results.write(sum(addends[entry]) - min(addends[entry], default=0)) for entry in group}


def sum_sonneborn(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Sum each opponent's VP (or wins), times the own share of that match's (*Sonneborn-Berger*)."""
    values: dict[int, Number] = {}
    for entry in group:
        value = Fraction(0)
        for game, side in results.sides[entry]:
            worth = results.weigh(game)
            whole = worth[0] + worth[1]
            if game.begun and whole:
                other = game.first if side else game.second
                value += Fraction(results.worth[other] * worth[side], whole)
        values[entry] = results.write(value)
    return values


def count_forfeits(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Return minus the number of forfeits: the fewest come first."""
    return {
        entry: -sum(game.double_forfeit or game.forfeit_by == side for game, side in results.sides[entry])
        for entry in group
    }


def rank_by_lot(group: Sequence[int], results: Results) -> Mapping[int, Number] | None:
    """Return the places of the entries in the lot (R2), the highest number drawn first. None if no lot was drawn."""
    return {entry: results.lot_places[entry] for entry in group} if results.lot else None


def draw_lot_order(lot: str, entries: Sequence[int], purpose: str) -> tuple[int, ...]:
    """Return the entries in the order in which ``lot``, a long random text, draws them for ``purpose``.

    The entry whose SHA-256 of "lot/purpose/seed" (UTF-8, the seed in decimals) is the smallest comes first: anybody
    who knows the lot can recompute it.
    """
    return tuple(sorted(entries, key=lambda entry: digest_lot(lot, purpose, entry)[1]))


def digest_lot(lot: str, purpose: str, entry: int) -> tuple[str, str]:
    """Return the text by which an entry is drawn, and its digest in hex."""
    text = f"{lot}/{purpose}/{entry}"
    return text, sha256(text.encode()).hexdigest()


VP, WINS, SHARE = "vp", "wins", "percentage"
DIRECT = "direct"  # is asked again of each part into which a later criterion has split a group (R2)
LOT = "lot"

CRITERIA: Mapping[str, Criterion] = {
    VP: sum_vp,
    WINS: sum_wins,
    SHARE: average_shares,
    DIRECT: sum_direct,
    "mp": sum_mp,
    "won": count_won,
    "points": sum_points,
    "difference": sum_difference,
    "buchholz_cut": sum_buchholz_cut,
    "buchholz": sum_buchholz,
    "sonneborn": sum_sonneborn,
    "forfeits": count_forfeits,
    LOT: rank_by_lot,
}
HEADS = (VP, WINS, SHARE)  # one of them comes first
OF_ROUNDS = frozenset({"buchholz", "buchholz_cut"})  # mean something where rounds are drawn one by one (a danese)
OF_POINTS = frozenset({"points", "difference"})  # mean something where the points of matches are written (EV1)
UNSIGNED = frozenset({"points", "forfeits"})  # said without the sign that puts the fewest first

PERCENTAGE = "percentuale"  # a preset that puts the mean percentage of the rounds before VP (J10)

# R2. What is still level after the last criterion shares the rank.
PRESETS: Mapping[str, tuple[str, ...]] = {
    "standard": (VP, DIRECT, "mp", "won"),
    "svizzero": (VP, DIRECT, "buchholz_cut", "buchholz", "mp", "won"),
    "rete": (VP, "mp"),
    "club": (VP, DIRECT, "mp", LOT),
    PERCENTAGE: (SHARE, VP),
}
# Readings of before, of what was drawn then and ranked so: they ask the direct encounter once.
EARLIER: Mapping[str, tuple[str, ...]] = {"standard-1": PRESETS["standard"], "club-1": PRESETS["club"]}


def find_earlier(code: str) -> str:
    """Return the code of the reading of before of an order that has one, else its own."""
    return next((earlier for earlier in EARLIER if PRESETS.get(code) == EARLIER[earlier]), code)


class Order(NamedTuple):
    """The criteria by which entries are ranked, the first one first. ``asks_again``: the direct encounter is."""

    criteria: tuple[str, ...]
    asks_again: bool = True


@lru_cache(maxsize=256)
def read_order(code: str) -> Order:
    """Return the order that is stored: a preset's code, or the criteria with commas between. ValueError for others."""
    if code in EARLIER:
        return Order(EARLIER[code], asks_again=False)
    criteria = PRESETS.get(code) or tuple(code.split(","))
    if not is_order(criteria):
        raise ValueError(code)
    return Order(criteria)


def is_order(criteria: Sequence[str]) -> bool:
    """Tell if these criteria make an order: one of ``HEADS`` first, later VP alone of them, each once, the lot last."""
    if not criteria or criteria[0] not in HEADS or not CRITERIA.keys() >= set(criteria):
        return False
    heads = [code for code in criteria[1:] if code in HEADS and code != VP]
    return not heads and len(set(criteria)) == len(criteria) and LOT not in criteria[:-1]


def write_order(criteria: Sequence[str]) -> str:
    """Return criteria as they are stored: by the code of the preset they are, if they are one."""
    chosen = tuple(criteria)
    return next((code for code, preset in PRESETS.items() if preset == chosen), ",".join(chosen))
