"""Projections (R3): the VP that make a place certain, against every possible end, tried one by one."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.game import Length
from scoring.projections import Claim, Ending, RoundState, compute_claims, list_endings
from scoring.standings import Game, compute_standings
from tests.support.thorough import tries

SHORT = list_endings("tresette", Length("points", 11))


def worst_places(now: RoundState, entry: int, *, ties_lose: bool) -> dict[int, int]:
    """Return the entry's worst place over every combination of ends, by the VP it takes."""
    assert now.games is not None
    worst: dict[int, int] = {}
    for ends in product(now.endings, repeat=len(now.running)):
        more = [Game(a, b, e.winner, e.double_forfeit, e.mp, e.vp) for (a, b), e in zip(now.running, ends, strict=True)]
        rows = compute_standings(now.totals, (*now.games, *more), now.tie_break, now.lot)
        own = next(row for row in rows if row.seed == entry)
        if ties_lose:
            place = 1 + sum(row.vp >= own.vp for row in rows if row.seed not in {entry, *now.outside})
        else:
            place = sum((row.rank or 0) <= (own.rank or 0) for row in rows if row.seed not in now.outside)
        taken = own.vp - now.totals[entry]
        worst[taken] = max(place, worst.get(taken, 0))
    return worst


def find_least_vp(worst: dict[int, int], place: int) -> int | None:
    good = [taken for taken in worst if all(worst[more] <= place for more in worst if more >= taken)]
    return None if not good else 0 if min(good) == min(worst) else min(good)


def standing(games: list[Game], running: list[tuple[int, int]], entries: int, ends: tuple[Ending, ...]) -> RoundState:
    totals = {row.seed: row.vp for row in compute_standings(range(1, entries + 1), games)}
    return RoundState(totals, running, ends, tuple(games))


FEW = (
    Ending(None, False, (0, 0), (10, 10)),
    Ending(0, False, (3, -3), (13, 7)),
    Ending(1, False, (-3, 3), (7, 13)),
    Ending(0, False, (9, -9), (18, 2)),
    Ending(1, False, (-9, 9), (2, 18)),
    Ending(0, False, (5, -19), (14, 0)),
    Ending(1, False, (-19, 5), (0, 14)),
    Ending(None, True, (-19, -19), (0, 0)),
)
PLAYED = st.lists(st.sampled_from(FEW), min_size=4, max_size=4)
OUTSIDE = st.sampled_from([frozenset[int](), frozenset({2}), frozenset({3, 4})])  # the house's, out of competition


@pytest.mark.rule("R2", "R3")
@settings(max_examples=tries(12, 50), deadline=None)
@given(played=PLAYED, tie_break=st.sampled_from(["standard", "rete", "club"]), outside=OUTSIDE)
def test_with_one_fixture_left_the_claim_is_the_least_that_is_certain(
    played: list[Ending], tie_break: str, outside: frozenset[int]
) -> None:
    pairs = [(1, 2), (3, 4), (1, 3), (2, 4)]
    games = [Game(a, b, e.winner, e.double_forfeit, e.mp, e.vp) for (a, b), e in zip(pairs, played, strict=True)]
    base = standing(games, [(1, 4)], 4, FEW)
    now = RoundState(base.totals, base.running, FEW, tuple(games), tie_break, "un-lotto", outside)
    claims = compute_claims(now, (1, 2))
    assert not claims.keys() & outside
    for entry in {1, 4} - outside:
        worst = worst_places(now, entry, ties_lose=False)
        claimed = {claim.place: claim.least for claim in claims.get(entry, ())}
        places = range(1, min(3, 4 - len(outside)))
        sure = {place: needed for place in places if (needed := find_least_vp(worst, place)) is not None}
        if 1 in sure and sure[1] == sure.get(2):
            sure.pop(2)
        assert claimed == sure


@pytest.mark.rule("R3")
@settings(max_examples=tries(12, 50), deadline=None)
@given(played=PLAYED, outside=OUTSIDE)
def test_with_others_playing_a_claim_holds_whatever_happens(played: list[Ending], outside: frozenset[int]) -> None:
    pairs = [(1, 2), (3, 4), (1, 3), (2, 4)]
    games = [Game(a, b, e.winner, e.double_forfeit, e.mp, e.vp) for (a, b), e in zip(pairs, played, strict=True)]
    now = replace(standing(games, [(1, 4), (2, 3)], 5, FEW), outside=outside)
    claims = compute_claims(now, (1, 2, 3))
    for entry in now.totals.keys() - outside:
        counted, true = (worst_places(now, entry, ties_lose=lose) for lose in (True, False))
        claimed = {claim.place: claim.least for claim in claims.get(entry, ())}
        for place, needed in claimed.items():
            assert all(where <= place for taken, where in true.items() if taken >= needed)
            assert needed == find_least_vp(counted, place)
        for place in range(1, min(4, 5 - len(outside))):
            needed = find_least_vp(counted, place)
            better = [claimed[other] for other in claimed if other < place]
            assert place in claimed or needed is None or min(better) <= needed


def test_a_leader_needs_no_more_than_what_keeps_the_second_behind() -> None:
    """30-24 before the last fixture, against each other: 13-7 leaves the second at 31 and the first at 43; 8-12 not."""
    games = [
        Game(1, 3, 0, False, (9, -9), (15, 5)),
        Game(2, 4, 0, False, (3, -3), (12, 8)),
        Game(1, 4, 0, False, (9, -9), (15, 5)),
        Game(2, 3, 0, False, (3, -3), (12, 8)),
    ]
    now = standing(games, [(1, 2)], 4, SHORT)
    claims = compute_claims(now, (1,))
    assert claims[1] == (Claim(1, 8, 12),)  # 38 against 36; with 7-13 they'd be level at 37, and 2 won their match
    assert claims[2] == (Claim(1, 13, 7),)


def test_who_rests_is_told_only_what_is_certain() -> None:
    now = RoundState({1: 60, 2: 40, 3: 39, 4: 10, 5: 5}, [(2, 4), (3, 5)], SHORT)
    claims = compute_claims(now, (1, 2, 3))
    assert claims[1] == (Claim(2, 0, None),)  # 40 + 20 is level, and that counts against it


def test_a_place_for_everybody_is_not_claimed() -> None:
    assert compute_claims(RoundState({1: 0, 2: 0}, [(1, 2)], SHORT), (2,)) == {}


@pytest.mark.rule("V5", "R4")
def test_the_endings_hold_every_row_forfeits_and_the_double_forfeit() -> None:
    assert {ending.vp for ending in SHORT if ending.mp[0] + ending.mp[1] == 0} >= {(10 + r, 10 - r) for r in range(11)}
    assert {ending.vp for ending in SHORT if ending.vp[1] == 0 and ending.vp[0]} == {(14 + r, 0) for r in range(7)}
    assert [ending.vp for ending in SHORT if ending.double_forfeit] == [(0, 0)]
    assert {ending.vp for ending in list_endings("asso-piglia-tutto", Length("points", 3))} == {
        (20, 0),
        (0, 20),
        (10, 10),
        (0, 0),
    }
    assert list_endings("burraco", Length("points", 1)) == ()


def test_sixty_four_entries_take_no_time_to_speak_of() -> None:
    totals = {entry: entry % 40 for entry in range(1, 65)}
    running = [(entry, entry + 32) for entry in range(1, 33)]
    assert compute_claims(RoundState(totals, running, SHORT), (1, 2, 3)) is not None
