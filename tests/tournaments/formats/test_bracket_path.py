"""A bracket planned along the path of what changed is the bracket planned whole, whatever changed (F3, K3-K5)."""

from dataclasses import replace
from random import Random

import pytest

from tests.support.formats import draw_result
from tests.support.thorough import tries
from tournaments.formats.ko import FORMAT
from tournaments.formats.protocol import Draw, Pairing, Plan, Result, Slot

OPTIONS = [{}, {"third_place": True}, {"byes_by_lot": True}, {"third_place": True, "byes_by_lot": True}]


def keep_needed(before: Plan, near: frozenset[Slot]) -> dict[Slot, Pairing]:
    """Return what the path is planned from: the fixtures near it, and the others of their entries."""
    by_slot = {pairing.slot: pairing for pairing in before.pairings}
    entries = {entry for slot in near for entry in (by_slot[slot].first, by_slot[slot].second)} - {None}
    return {slot: p for slot, p in by_slot.items() if slot in near or {p.first, p.second} & entries}


def check_path(draw: Draw, before: Plan, results: dict[Slot, Result], changed: list[Slot]) -> Plan:
    """The plan after these results, which the path's must say too; what isn't on the path is as it was."""
    after = FORMAT.plan(draw, results)
    path = FORMAT.find_path(draw.options, len(after.names), changed)
    stored = keep_needed(before, path.near)
    near = path.plan(stored, {slot: result for slot, result in results.items() if slot in stored})
    whole = {pairing.slot: pairing for pairing in after.pairings}
    assert {pairing.slot: pairing for pairing in near.pairings} == {slot: whole[slot] for slot in path.slots}
    for pairing in before.pairings:
        assert pairing.slot in path.slots or pairing == whole[pairing.slot]
    rows = {row.seed: row for row in after.standings}
    planned = {row.seed for row in near.standings}
    for row in near.standings:
        assert row == replace(rows[row.seed], separation=None)
    for old in before.standings:
        assert old.seed in planned or replace(old, separation=None) == replace(rows[old.seed], separation=None)
    for row, below in zip(after.standings, after.standings[1:], strict=False):
        assert row.rank is None or path.separate(row.rank, below.rank) == row.separation
    return after


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "+".join(options) or "plain")
@pytest.mark.parametrize("size", [*range(2, 18), 33])
def test_every_result_gives_along_its_path_what_it_gives_in_the_whole_bracket(
    size: int, options: dict[str, bool]
) -> None:
    for seed in range(tries(2, 20)):
        dice = Random(f"{size} {options} {seed}")
        draw = Draw(size, options, lot=str(seed))
        results: dict[Slot, Result] = {}
        plan = FORMAT.plan(draw, results)
        while not plan.finished:
            ready = [pairing.slot for pairing in plan.pairings if pairing.ready and pairing.slot not in results]
            changed = dice.sample(ready, dice.randint(1, min(2, len(ready))))
            results |= {slot: draw_result("ko", dice, 0.2) for slot in changed}
            plan = check_path(draw, plan, results, changed)
            slot = dice.choice(list(results))
            other = {key: value for key, value in results.items() if key != slot}
            if dice.random() < 0.5:
                other[slot] = draw_result("ko", dice, 0.2)
            try:
                FORMAT.plan(draw, other)
            except ValueError:  # a result hangs on it: it stays as it is (F3)
                continue
            results, plan = other, check_path(draw, plan, other, [slot])


def test_with_lucky_losers_a_result_of_the_first_round_touches_all_of_the_second_ev4() -> None:
    assert FORMAT.follows_paths({"third_place": True})
    assert not FORMAT.follows_paths({"lucky_losers": True})


@pytest.mark.parametrize("size", [64, 1024, 4096])
def test_a_path_has_a_few_fixtures_a_round_in_any_field_k4(size: int) -> None:
    for options in OPTIONS:
        rounds = size.bit_length() - 1 + bool(options.get("third_place"))
        for slot in (Slot(1, 1), Slot(1, size // 2), Slot(2, 3), Slot(rounds, 1)):
            assert len(FORMAT.find_path(options, rounds, [slot]).near) <= 2 * rounds + 1
