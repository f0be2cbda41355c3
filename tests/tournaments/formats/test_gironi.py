"""Groups, then KO (Q1, Q2): who is in which group, who meets whom afterwards, who is ranked where."""

from hashlib import sha256
from itertools import combinations
from random import Random

import pytest

from tests.support.formats import play_tournament
from tournaments.formats.common.brackets import compute_bracket_size, order_bracket
from tournaments.formats.common.groups import cross_groups, fill_groups
from tournaments.formats.gironi import FORMAT, split_groups
from tournaments.formats.protocol import Draw, Kind, Plan, Result, Slot

OPTIONS = {"groups": 4, "qualify": 2, "third_place": False, "double": False}


@pytest.mark.rule("Q1")
def test_groups_are_filled_in_snake_order() -> None:
    assert fill_groups(16, 4) == ((1, 8, 9, 16), (2, 7, 10, 15), (3, 6, 11, 14), (4, 5, 12, 13))
    assert fill_groups(10, 4) == ((1, 8, 9), (2, 7, 10), (3, 6), (4, 5))


@pytest.mark.rule("Q1")
@pytest.mark.parametrize("size", range(4, 65))
def test_every_entry_is_in_one_group_of_at_least_two_and_sizes_differ_by_one(size: int) -> None:
    for wanted in (2, 3, 4, 8, 16):
        groups = split_groups(Draw(size, {"groups": wanted}))
        assert len(groups) == min(wanted, size // 2)
        assert sorted(entry for group in groups for entry in group) == list(range(1, size + 1))
        assert max(map(len, groups)) - min(map(len, groups)) <= 1


@pytest.mark.rule("Q2")
@pytest.mark.parametrize("groups", range(2, 17))
def test_winners_meet_others_runners_up_and_the_own_group_as_late_as_can_be(groups: int) -> None:
    for qualify in range(1, 5):
        places = cross_groups((qualify,) * groups)
        assert sorted(places.values()) == [(g, r) for g in range(1, groups + 1) for r in range(1, qualify + 1)]
        size = compute_bracket_size(groups * qualify)
        at = {places[place]: position for position, place in enumerate(order_bracket(size)) if place in places}
        for group in range(1, groups + 1):
            own = [at[group, rank] for rank in range(1, qualify + 1)]
            for parts in (2, 4, 8, 16, 32, 64):
                share = -(-qualify // parts)
                if parts <= size:
                    held = [sum(position * parts // size == part for position in own) for part in range(parts)]
                    assert max(held) <= share, "two of a group could meet sooner than they must"
        if qualify == 2:
            first = {at[group, rank] // 2: [] for group, rank in at}
            for entry, position in at.items():
                first[position // 2].append(entry)
            for pair in first.values():
                assert len(pair) == 1 or {rank for _group, rank in pair} != {1}, "two winners"


def played(plan: Plan, results: dict[Slot, Result]) -> dict[Slot, Result]:
    """Everything that is ready is won by the better seed, 14-6."""
    for p in plan.pairings:
        if p.ready and p.slot not in results and p.first is not None and p.second is not None:
            won = int(p.first > p.second)
            vp = (14, 6) if won == 0 else (6, 14)
            results[p.slot] = Result(won, vp=vp) if p.group else Result(won)
    return results


def test_the_favourites_win_and_everybody_has_their_place() -> None:
    draw, results = Draw(16, OPTIONS | {"third_place": True}), {}
    plan = FORMAT.plan(draw, results)
    while not plan.finished:
        plan = FORMAT.plan(draw, played(plan, results))
    assert [row.seed for row in plan.standings][:4] == [1, 2, 3, 4]
    assert [row.rank for row in plan.standings][:9] == [1, 2, 3, 4, 5, 5, 5, 5, 9]
    assert plan.contexts == ("round_robin",) * 3 + ("ko",) * 4
    assert plan.names == ("group",) * 3 + ("quarterfinal", "semifinal", "third_place", "final")
    thirds = [row.seed for row in plan.standings[8:12]]
    assert sorted(thirds) == [9, 10, 11, 12]
    assert plan.standings[7].separation is not None
    assert plan.standings[7].separation.code == "qualified"


def test_an_entry_enters_the_bracket_as_soon_as_its_own_group_is_over_k4() -> None:
    draw = Draw(8, {"groups": 2, "qualify": 2})
    results: dict[Slot, Result] = {}
    for _round in range(3):
        first = [p for p in FORMAT.plan(draw, results).pairings if p.group == 1 and p.ready]
        results |= {p.slot: Result(0, vp=(14, 6)) for p in first}
    known = [(p.first, p.second) for p in FORMAT.plan(draw, results).pairings if p.slot.round == 4]
    assert [sum(side is not None for side in pair) for pair in known] == [1, 1]
    assert not FORMAT.plan(draw, results).finished


@pytest.mark.rule("R5")
def test_who_leaves_their_group_early_leaves_a_bye_where_too_few_are_left() -> None:
    draw, leavers = Draw(4, {"groups": 2, "qualify": 2}), {4: 0}
    results: dict[Slot, Result] = {}
    plan = FORMAT.plan(draw, results, leavers)
    assert sorted(p.kind for p in plan.pairings if p.group) == [Kind.ANNULLED, Kind.MATCH]
    while not plan.finished:
        plan = FORMAT.plan(draw, played(plan, results), leavers)
    assert Kind.BYE in {p.kind for p in plan.pairings}
    last = plan.standings[-1]
    assert (last.seed, last.rank, last.played) == (4, 4, 0)


def drawn_level(draw: Draw) -> Plan:
    """Every fixture of the groups ends level."""
    results: dict[Slot, Result] = {}
    for _round in range(5):
        ready = [p for p in FORMAT.plan(draw, results).pairings if p.ready and p.group]
        results |= {p.slot: Result(None, vp=(10, 10)) for p in ready}
    return FORMAT.plan(draw, results)


@pytest.mark.rule("Q3")
def test_level_at_the_cut_the_lot_decides_and_is_the_reason() -> None:
    """The lot decides, never the seed, and also between first and second (Q3)."""
    through = set()
    for n in range(12):
        lot = f"{n:032x}"
        plan = drawn_level(Draw(8, {"groups": 2, "qualify": 2}, lot=lot))
        for group, rows in zip(split_groups(Draw(8, {"groups": 2})), plan.groups, strict=True):
            order = sorted(group, key=lambda entry: sha256(f"{lot}/standings/{entry}".encode()).hexdigest())
            assert [row.seed for row in rows] == order, "whoever knows the lot can recompute it"
            assert [row.rank for row in rows] == [1, 2, 3, 4]
            assert [row.separation and row.separation.code for row in rows] == ["lot", "lot", "lot", None]
            through.add(tuple(order[:2]))
        sides = {side for p in plan.pairings if p.slot.round == 4 for side in (p.first, p.second)}
        assert sides == {row.seed for rows in plan.groups for row in rows[:2]}
    assert len(through) > 4, "another lot, others go on"


@pytest.mark.rule("Q3")
def test_below_the_cut_level_entries_share_their_place_in_the_group_and_at_the_end() -> None:
    """An entry that beats everybody goes on alone; the others are level, and none of them is put first by its seed."""
    draw = Draw(8, {"groups": 2, "qualify": 1}, lot="lot")
    results: dict[Slot, Result] = {}
    plan = FORMAT.plan(draw, results)
    while not plan.finished:
        for p in plan.pairings:
            if p.ready and p.slot not in results and p.group:
                best = {1, 2} & {p.first, p.second}
                side = None if not best else 0 if p.first in best else 1
                results[p.slot] = Result(side, vp=((10, 10), (20, 0), (0, 20))[0 if side is None else side + 1])
            elif p.ready and p.slot not in results:
                results[p.slot] = Result(0)
        plan = FORMAT.plan(draw, results)
    assert [[row.rank for row in rows] for rows in plan.groups] == [[1, 2, 2, 2]] * 2
    assert [row.rank for row in plan.standings] == [1, 2, 3, 3, 3, 3, 3, 3]


def test_no_two_of_a_group_meet_in_the_first_round_of_the_bracket_q2() -> None:
    for size in (8, 9, 12, 16, 23, 32):
        plan, _results = play_tournament(FORMAT, Draw(size, OPTIONS), Random(size), 0)
        group = {entry: number for number, entries in enumerate(split_groups(Draw(size, OPTIONS))) for entry in entries}
        start = plan.contexts.index("ko") + 1
        pairs = [(p.first, p.second) for p in plan.pairings if p.slot.round == start and p.kind is Kind.MATCH]
        assert all(group[a] != group[b] for a, b in pairs if a is not None and b is not None)
        met = [frozenset((p.first, p.second)) for p in plan.pairings if p.group and p.kind is Kind.MATCH]
        assert sorted(map(sorted, met)) == sorted(
            list(pair) for entries in split_groups(Draw(size, OPTIONS)) for pair in combinations(entries, 2)
        )
