"""Tie-breaks of entries that are level on VP (R2): one function a criterion, one row a preset.

A criterion gives a value to each entry of a group that is still level, higher being better, or None when it doesn't
apply to that group. It looks at finished games, and at a lot that was drawn before; nothing here ranks or draws.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class Game:
    """A fixture that counts, between two entries. ``winner`` 0 or 1, None in a draw or when both forfeited (R4)."""

    first: int
    second: int
    winner: int | None
    double_forfeit: bool
    mp: tuple[int, int]
    vp: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Totals:
    """An entry's sums over its games."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    mp: int = 0
    vp: int = 0


@dataclass(frozen=True, slots=True)
class Results:
    """The input of a criterion: each entry's sums, the games that count, and the lot drawn before the first of them."""

    totals: Mapping[int, Totals]
    games: Sequence[Game]
    lot: str = ""
    games_of: dict[int, list[Game]] = field(init=False)  # each entry's, where it is named first

    def __post_init__(self) -> None:
        games_of: dict[int, list[Game]] = {}
        for game in self.games:
            games_of.setdefault(game.first, []).append(game)
        object.__setattr__(self, "games_of", games_of)


Criterion = Callable[[Sequence[int], Results], Mapping[int, int] | None]


def sum_direct_vp(group: Sequence[int], results: Results) -> Mapping[int, int] | None:
    """Sum the VP of the games among the level entries, only if all of them met."""
    level = set(group)
    among = [game for entry in group for game in results.games_of.get(entry, ()) if game.second in level]
    pairs = len(group) * (len(group) - 1) // 2
    if len(among) < pairs or len({frozenset((game.first, game.second)) for game in among}) < pairs:
        return None
    values = dict.fromkeys(group, 0)
    for game in among:
        values[game.first] += game.vp[0]
        values[game.second] += game.vp[1]
    return values


def sum_mp(group: Sequence[int], results: Results) -> Mapping[int, int] | None:
    """Sum the MP: a loser's are negative (V1), so this is MP won minus MP lost."""
    return {entry: results.totals[entry].mp for entry in group}


def count_won(group: Sequence[int], results: Results) -> Mapping[int, int] | None:
    """Return the number of matches won."""
    return {entry: results.totals[entry].won for entry in group}


def rank_by_lot(group: Sequence[int], results: Results) -> Mapping[int, int] | None:
    """Return the places of the entries in the lot (R2), the highest number drawn first. None if no lot was drawn."""
    if not results.lot:
        return None
    drawn = draw_lot_order(results.lot, tuple(results.totals), "standings")
    return {entry: len(drawn) - drawn.index(entry) for entry in group}


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


DIRECT = "direct"  # is asked again of each part into which a later criterion has split a group (R2)

CRITERIA: Mapping[str, Criterion] = {
    DIRECT: sum_direct_vp,
    "mp": sum_mp,
    "won": count_won,
    "lot": rank_by_lot,
}

PERCENTAGE = "percentuale"  # a preset that puts the mean percentage of the rounds before VP (J10)

# R2. What is still level after the last criterion shares the rank.
PRESETS: Mapping[str, tuple[str, ...]] = {
    "standard": (DIRECT, "mp", "won"),
    "rete": ("mp",),
    "club": (DIRECT, "mp", "lot"),
    PERCENTAGE: (),
}
