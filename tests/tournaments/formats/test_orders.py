"""Standings in any order (EV10) of whole tournaments, against a twin that counts a table of rounds anew."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.standings import StandingsRow
from scoring.tiebreaks import CRITERIA, HEADS, LOT, PRESETS, VP, write_order
from tests.support.naive_orders import NaiveTable
from tests.support.thorough import tries
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Draw, Drawn, Kind, Plan, Result, Slot

pytestmark = pytest.mark.rule("R2", "R3", "EV10")

DANESE = next(format_ for format_ in FORMATS.values() if format_.keeps_rounds)
OTHERS = [format_ for format_ in FORMATS.values() if format_.has_vp and not format_.keeps_rounds]
OF_ROUNDS = ("buchholz", "buchholz_cut")


@st.composite
def orders(draw: st.DrawFn, *, of_rounds: bool) -> tuple[str, ...]:
    """Draw an order: one of the presets, or criteria as they come."""
    head = draw(st.sampled_from(HEADS))
    later = [code for code in CRITERIA if code not in HEADS and code != LOT and (of_rounds or code not in OF_ROUNDS)]
    chosen = draw(st.lists(st.sampled_from([*later, *([VP] if head != VP else [])]), max_size=6, unique=True))
    own = (head, *chosen, *([LOT] if draw(st.booleans()) else []))
    presets = [order for order in PRESETS.values() if of_rounds or not set(OF_ROUNDS) & set(order)]
    return draw(st.sampled_from([own, own, *presets]))


def draw_result(dice: Random) -> Result:
    """Draw one of few ends, so that many are level: wins, draws, forfeits before and after the first card, annulled."""
    points = (dice.randrange(5), dice.randrange(5))
    what, side = dice.randrange(12), dice.randrange(2)
    mp, vp = ((1, -1), (12, 8)) if side == 0 else ((-1, 1), (8, 12))
    if what == 0:
        return Result(None, annulled=True)
    if what == 1:
        return Result(None, True, (-3, -3), (0, 0), points=(0, 0), begun=dice.random() < 0.3)
    if what in (2, 3):
        vp = (14, 0) if side == 0 else (0, 14)
        return Result(side, False, mp, vp, points=points, forfeit_by=1 - side, begun=what == 3)
    if what in (4, 5):
        return Result(None, False, (0, 0), (10, 10), points=(points[0], points[0]))
    if what == 6:  # by a referee's word, VP as written
        return Result(side, False, mp, dice.choice([(7, 3), (3, 7), (9, 9), (0, 0)]), points=points)
    return Result(side, False, mp, vp, points=points)


def play_danese(dice: Random, order: str) -> tuple[Draw, dict[Slot, Result], Plan, list[int]]:
    """Play some rounds: some asked for byes, came late, were absent or left; of the last round not all is over."""
    size = dice.randrange(2, 12)
    rounds = dice.randrange(1, max(2, min(size, 6)))
    byes: dict[int, dict[int, tuple[int, int]]] = {}
    for entry in range(1, size + 1):
        if dice.random() < 0.25:
            number = dice.randrange(1, rounds + 1)
            byes.setdefault(number, {})[entry] = dice.choice([(0, 10), (0, 10), (0, 0)])
    shares = {entry: Fraction(dice.randrange(9), 8) for entry in range(1, size + 1)}
    counted = dice.choice([None, None, rounds - 1])
    draw = Draw(
        size, {"rounds": rounds}, order, "un-lotto", (5, 14), byes=byes, shares=shares, published=0, counted=counted
    )
    results: dict[Slot, Result] = {}
    drawn: dict[Slot, tuple[int, int | None]] = {}
    leavers: dict[int, int] = {}
    plan = DANESE.plan(draw, results, leavers, drawn)
    for number in range(1, rounds + 1):
        draw = draw_on(draw, number)
        plan = DANESE.plan(draw, results, leavers, drawn)
        drawn |= list_drawn(plan, number)
        ready = [p.slot for p in plan.pairings if p.ready and p.slot not in results]
        left_open = dice.randrange(3) if number == rounds else 0
        results |= {slot: draw_result(dice) for slot in dice.sample(ready, max(0, len(ready) - left_open))}
        if dice.random() < 0.3:
            leavers.setdefault(dice.randrange(1, size + 1), number + 1)
    return draw, results, DANESE.plan(draw, results, leavers, drawn), list(range(1, size + 1))


def draw_on(draw: Draw, number: int) -> Draw:
    values = {name: getattr(draw, name) for name in Draw.__slots__}
    return Draw(**{**values, "published": number})


def list_drawn(plan: Plan, number: int) -> Drawn:
    own = (p for p in plan.pairings if p.slot.round == number and p.first is not None)
    return {p.slot: (p.first, p.second) for p in own if p.kind is not Kind.VOID}


def agree(rows: tuple[StandingsRow, ...], twin: NaiveTable, order: tuple[str, ...]) -> None:
    """Hold ranks, and what tells each from the next, against the twin's."""
    tiers = twin.list_tiers(order)
    places = {entry: 1 + sum(map(len, tiers[:at])) for at, tier in enumerate(tiers) for entry in tier}
    assert [(row.seed, row.rank) for row in rows] == [(entry, places[entry]) for tier in tiers for entry in tier]
    for row, following in pairwise(rows):
        reason = row.separation
        assert reason is not None
        assert (reason.code, reason.own, reason.next) == twin.find_reason(row.seed, following.seed)
        assert [tuple(one) for one in reason.before] == twin.asked[row.seed][: len(reason.before)]


@settings(max_examples=tries(40, 5000), deadline=None)
@given(order=orders(of_rounds=True), seed=st.integers(0, 10**9))
def test_a_danese_is_ranked_as_a_twin_counts_its_rounds(order: tuple[str, ...], seed: int) -> None:
    draw, results, plan, entries = play_danese(Random(seed), write_order(order))
    if draw.counted is not None:  # the rounds that everybody knows (J10)
        shown = tuple(p for p in plan.pairings if p.slot.round <= draw.counted)
        values = {name: getattr(plan, name) for name in Plan.__slots__}
        known = Plan(**{**values, "pairings": shown})
    else:
        known = plan
    agree(plan.standings, NaiveTable.read(known, results, draw, entries), order)


def play_others(dice: Random, order: str) -> tuple[Draw, dict[Slot, Result], Mapping[int, int], Plan]:
    """Play some of a girone or of groups, single or double, in any order of fixtures; some leave before half."""
    format_ = dice.choice(OTHERS)
    size = dice.randrange(format_.min_size, 9)
    options = {**format_.options, "double": dice.random() < 0.3} | (
        {"groups": 2} if "groups" in format_.options else {}
    )
    shares = {entry: Fraction(dice.randrange(4), 3) for entry in range(1, size + 1)}
    draw = Draw(size, options, order, "un-lotto", timed=True, shares=shares)
    plan = format_.plan(draw, {})
    leavers = {dice.randrange(1, size + 1): dice.randrange(3)} if dice.random() < 0.3 else {}
    in_tables = [p.slot for p in plan.pairings if p.kind is Kind.MATCH and p.first is not None and p.second is not None]
    some = dice.sample(in_tables, dice.randrange(len(in_tables) + 1))
    results = {slot: draw_result(dice) for slot in some}
    return draw, results, leavers, format_.plan(draw, results, leavers)


@settings(max_examples=tries(40, 5000), deadline=None)
@given(order=orders(of_rounds=False), seed=st.integers(0, 10**9))
def test_a_girone_and_each_group_are_ranked_as_a_twin_counts_them(order: tuple[str, ...], seed: int) -> None:
    draw, results, leavers, plan = play_others(Random(seed), write_order(order))
    for rows in plan.groups or (plan.standings,):
        early = leavers.keys() & {
            side for p in plan.pairings if p.kind is Kind.ANNULLED for side in (p.first, p.second)
        }
        staying = [row for row in rows if row.seed not in early]
        over = all(p.slot in results or p.kind is not Kind.MATCH for p in plan.pairings if p.group is not None)
        if plan.groups and over:
            continue  # the lot separates whoever is level at the cut (Q3)
        entries = sorted(row.seed for row in staying)
        twin = NaiveTable.read(plan, results, draw, entries)
        if early and staying:
            tiers = twin.list_tiers(order)
            assert [row.seed for row in staying] == [entry for tier in tiers for entry in tier]
        else:
            agree(tuple(staying), twin, order)
