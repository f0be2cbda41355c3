"""The direct encounter asked again in each smaller group (R2), against a twin that goes down the list tier by tier."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.standings import Asking, Game, TieBreakReason, compute_standings
from scoring.tiebreaks import PRESETS
from tests.support.thorough import tries

pytestmark = pytest.mark.rule("R2", "R3")

ANNA, BRUNO, CARLA, DINO, ELSA = 1, 2, 3, 4, 5
LISTS = {"standard": ("vp", "direct", "mp", "won"), "club": ("vp", "direct", "mp", "lot"), "rete": ("vp", "mp")}


@dataclass
class Twin:
    """The ranks of a field, told from the list of criteria alone: who is level stands in one tier."""

    games: Sequence[Game]
    byes: Mapping[int, tuple[int, int]]
    lot: Sequence[int] = ()  # as they are drawn
    asked: dict[int, list[tuple[str, int | None, int]]] = field(default_factory=dict)

    def measure(self, entry: int, code: str, group: Sequence[int]) -> int | None:
        if code == "lot":
            return len(self.lot) - self.lot.index(entry)
        own = [game for game in self.games if entry in (game.first, game.second)]
        if code == "won":
            return sum(game.winner == (game.second == entry) for game in own if game.winner is not None)
        if code == "direct":
            others = [other for other in group if other != entry]
            own = [game for game in own if game.first in others or game.second in others]
            return sum(game.vp[game.second == entry] for game in own)
        bye = self.byes.get(entry, (0, 0))[code == "vp"]
        return bye + sum((game.vp if code == "vp" else game.mp)[game.second == entry] for game in own)

    def have_met(self, group: Sequence[int]) -> bool:
        pairs = [{game.first, game.second} for game in self.games]
        return all({one, other} in pairs for one in group for other in group if one < other)

    def divide(self, tier: Sequence[int], code: str) -> list[list[int]]:
        if len(tier) == 1:
            return [list(tier)]
        applies = code != "direct" or self.have_met(tier)
        values = {entry: self.measure(entry, code, tier) if applies else None for entry in tier}
        for entry in tier:
            self.asked[entry].append((code, values[entry], len(tier)))
        if not applies:
            return [list(tier)]
        best_first = sorted({value for value in values.values() if value is not None}, reverse=True)
        return [[entry for entry in tier if values[entry] == value] for value in best_first]

    def list_tiers(self, entries: Iterable[int], criteria: Sequence[str]) -> list[list[int]]:
        tiers = [sorted(entries)]
        self.asked = {entry: [] for entry in tiers[0]}
        for number, code in enumerate(criteria):
            smaller = []
            for tier in tiers:
                parts = self.divide(tier, code)
                if len(parts) > 1 and "direct" in criteria[:number]:
                    parts = [piece for part in parts for piece in self.divide(part, "direct")]
                smaller += parts
            tiers = smaller
        return tiers

    def find_reason(self, entry: int, following: int) -> TieBreakReason:
        before = []
        for (code, own, among), (_code, other, _among) in zip(self.asked[entry], self.asked[following], strict=False):
            if own != other:
                return TieBreakReason(code, own, other, among if before else None, tuple(before))
            before.append(Asking(code, own, among))
        return TieBreakReason("equal", None, None, None, tuple(before))


@dataclass(frozen=True)
class Field:
    """Entries with the games that count, and what each got without playing."""

    size: int
    games: tuple[Game, ...]
    byes: Mapping[int, tuple[int, int]] = field(default_factory=dict)


# Few ends, so that many are level: wins by one row and by two, one with other MP, a draw, and nobody came (R4).
ENDS = (
    Game(0, 0, 0, False, (1, -1), (11, 9)),
    Game(0, 0, 1, False, (-1, 1), (9, 11)),
    Game(0, 0, 0, False, (3, -3), (12, 8)),
    Game(0, 0, 1, False, (-3, 3), (8, 12)),
    Game(0, 0, 0, False, (2, -2), (11, 9)),
    Game(0, 0, None, False, (0, 0), (10, 10)),
    Game(0, 0, None, True, (-3, -3), (0, 0)),
)


def play(end: Game, first: int, second: int) -> Game:
    return Game(first, second, end.winner, end.double_forfeit, end.mp, end.vp)


@st.composite
def gironi(draw: st.DrawFn) -> Field:
    """Draw a round robin, single or double, of which some results were annulled or aren't there yet."""
    size = draw(st.integers(3, 8))
    pairs = [(a, b) for a in range(1, size + 1) for b in range(a + 1, size + 1)] * draw(st.integers(1, 2))
    ends = st.one_of(st.sampled_from(ENDS), st.sampled_from((*ENDS[:3], None)))
    drawn = [(pair, draw(ends)) for pair in pairs]
    return Field(size, tuple(play(end, *pair) for pair, end in drawn if end is not None))


@st.composite
def danesi(draw: st.DrawFn) -> Field:
    """Draw some rounds without a rematch, with a bye for whoever is left over, and one who came late (D1, D2)."""
    size = draw(st.integers(3, 8))
    games: list[Game] = []
    byes = {size: (0, 10)} if draw(st.booleans()) else {}
    for _round in range(draw(st.integers(1, 4))):
        waiting = list(draw(st.permutations(range(1, size + 1))))
        while waiting:
            one = waiting.pop()
            met = {other for game in games if one in (game.first, game.second) for other in (game.first, game.second)}
            other = next((entry for entry in waiting if entry not in met), None)
            if other is None:
                mp, vp = byes.get(one, (0, 0))
                byes[one] = (mp + 1, vp + 11)
                continue
            waiting.remove(other)
            games.append(play(draw(st.sampled_from(ENDS)), one, other))
    return Field(size, tuple(games), byes)


# Anna, Bruno and Carla have 20 VP, and Carla met neither. Anna beat Bruno on board 1 of the last round.
TWO_FIRST = Field(
    5,
    (
        Game(ANNA, DINO, 1, False, (-2, 2), (6, 14)),
        Game(BRUNO, ELSA, 0, False, (2, -2), (14, 6)),
        Game(CARLA, DINO, 1, False, (-4, 4), (8, 12)),
        Game(CARLA, ELSA, 0, False, (1, -1), (12, 8)),
        Game(ANNA, BRUNO, 0, False, (2, -2), (14, 6)),
    ),
)
# The same, but for Carla's MP: they are level, and the matches won split the three.
LEVEL_ON_MP = Field(
    5,
    (
        *TWO_FIRST.games[:2],
        Game(CARLA, DINO, None, False, (0, 0), (10, 10)),
        Game(CARLA, ELSA, None, False, (0, 0), (10, 10)),
        TWO_FIRST.games[4],
    ),
)


@pytest.mark.parametrize("preset", ["standard", "club"])
def test_who_beat_the_other_is_ahead_once_the_mp_have_left_the_two_alone(preset: str) -> None:
    rows = compute_standings(range(1, 6), TWO_FIRST.games, preset, "un-lotto")
    assert [(row.seed, row.rank) for row in rows[1:4]] == [(ANNA, 2), (BRUNO, 3), (CARLA, 4)]
    before = (Asking("vp", 20, 5), Asking("direct", None, 3), Asking("mp", 0, 3))
    assert rows[1].separation == TieBreakReason("direct", 14, 6, 2, before)
    assert rows[1].separation.repeats
    assert rows[2].separation == TieBreakReason("mp", 0, -3, 3, before[:2])


def test_who_beat_the_other_is_ahead_once_the_matches_won_have_left_the_two_alone() -> None:
    rows = compute_standings(range(1, 6), LEVEL_ON_MP.games)
    assert [(row.seed, row.rank) for row in rows[1:4]] == [(ANNA, 2), (BRUNO, 3), (CARLA, 4)]
    before = (Asking("vp", 20, 5), Asking("direct", None, 3), Asking("mp", 0, 3), Asking("won", 1, 3))
    assert rows[1].separation == TieBreakReason("direct", 14, 6, 2, before)


def test_where_the_direct_encounter_is_not_on_the_list_nobody_asks_it() -> None:
    rows = compute_standings(range(1, 6), TWO_FIRST.games, "rete")
    assert [(row.seed, row.rank) for row in rows[1:4]] == [(ANNA, 2), (BRUNO, 2), (CARLA, 4)]


def test_what_the_direct_encounter_itself_has_split_goes_on_to_the_next_criterion() -> None:
    """Anna 16, Bruno and Carla 22 among the three: the MP put Carla ahead, although Bruno beat her."""
    games = (
        Game(ANNA, BRUNO, 0, False, (1, -1), (12, 8)),
        Game(BRUNO, CARLA, 0, False, (2, -2), (14, 6)),
        Game(CARLA, ANNA, 0, False, (9, -9), (16, 4)),
        Game(ANNA, DINO, 0, False, (1, -1), (16, 4)),
        Game(BRUNO, DINO, None, False, (0, 0), (10, 10)),
        Game(CARLA, DINO, None, False, (0, 0), (10, 10)),
    )
    rows = compute_standings(range(1, 5), games)
    assert [row.seed for row in rows] == [CARLA, BRUNO, ANNA, DINO]
    assert rows[0].separation == TieBreakReason("mp", 7, 1, 2, (Asking("vp", 32, 4), Asking("direct", 22, 3)))


@settings(max_examples=tries(150, 5000), deadline=None)
@given(field=st.one_of(gironi(), danesi()), preset=st.sampled_from(sorted(LISTS)))
@example(field=TWO_FIRST, preset="standard")
@example(field=LEVEL_ON_MP, preset="standard")
def test_ranks_and_reasons_are_those_of_a_twin_that_goes_tier_by_tier(field: Field, preset: str) -> None:
    assert LISTS[preset] == PRESETS[preset]
    entries = range(1, field.size + 1)
    drawn = [row.seed for row in compute_standings(entries, (), "club", "un-lotto")]
    twin = Twin(field.games, field.byes, drawn)
    tiers = twin.list_tiers(entries, LISTS[preset])
    rows = compute_standings(entries, field.games, preset, "un-lotto", field.byes)
    places = {entry: 1 + sum(map(len, tiers[:at])) for at, tier in enumerate(tiers) for entry in tier}
    assert [(row.seed, row.rank) for row in rows] == [(entry, places[entry]) for tier in tiers for entry in tier]
    for row, following in pairwise(rows):
        assert row.separation == twin.find_reason(row.seed, following.seed)


@settings(max_examples=tries(20, 500), deadline=None)
@given(field=danesi())
def test_a_reason_comes_back_from_what_is_stored_as_it_was(field: Field) -> None:
    for row in compute_standings(range(1, field.size + 1), field.games, byes=field.byes)[:-1]:
        assert row.separation is not None
        stored = row.separation.to_json()
        assert json.loads(json.dumps(stored)) == stored, "as a database gives it back"
        assert TieBreakReason.from_json(stored) == row.separation
