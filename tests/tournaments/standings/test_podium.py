"""The podium of a tournament that is over: who stands on which step (E8, K5)."""

import pytest

from tournaments.core.rows import EntryRow, RankedEntry
from tournaments.standings.podium import build_podium


def rank(number: int, rank: int | None, place: int | None, *, house: bool = False) -> RankedEntry:
    entry = EntryRow(number, f"Iscritto {number}", None, house, guest=False, player_ids=(number,))
    return RankedEntry(entry, rank, place, house, 3, 1, 1, 1, 0, 0, separation=None, mine=False)


def stand(*rows: RankedEntry) -> dict[int, list[int]]:
    return {step.place: [entry.entry_id for entry in step.entries] for step in build_podium(rows).steps}


@pytest.mark.rule("K4")
def test_those_who_share_a_place_share_its_step_and_nobody_stands_below_the_third() -> None:
    assert stand(rank(1, 1, 1), rank(2, 2, 2), rank(3, 3, 3), rank(4, 3, 3), rank(5, 5, 5)) == {
        1: [1], 2: [2], 3: [3, 4],
    }  # fmt: skip


@pytest.mark.rule("K5")
def test_after_a_final_that_nobody_won_the_first_step_is_empty() -> None:
    assert stand(rank(1, 2, 2), rank(2, 2, 2), rank(3, 3, 3)) == {2: [1, 2], 3: [3]}


@pytest.mark.rule("E8")
def test_among_people_and_the_house_the_steps_are_the_peoples() -> None:
    rows = [rank(1, 1, None, house=True), rank(2, 2, 1), rank(3, 3, None, house=True), rank(4, 4, 2)]
    assert stand(*rows) == {1: [2], 2: [4]}
    assert [entry.entry_id for entry in build_podium(rows).house] == [1, 3]


@pytest.mark.rule("E8")
@pytest.mark.parametrize(("rank_of_one", "steps"), [(1, {1: [9]}), (2, {}), (4, {})])
def test_somebody_alone_among_the_house_stands_there_only_before_everybody(
    rank_of_one: int, steps: dict[int, list[int]]
) -> None:
    others = [number for number in (1, 2, 3, 4) if number != rank_of_one]
    rows = [rank(number, number, None, house=True) for number in others]
    assert stand(*rows, rank(9, rank_of_one, None)) == steps
    beside = build_podium([*rows, rank(9, rank_of_one, None)]).house
    assert [entry.entry_id for entry in beside] == [number for number in others if number <= 3]


@pytest.mark.rule("E8")
def test_the_house_stands_on_its_own_podium() -> None:
    rows = [rank(number, number, None, house=True) for number in (1, 2, 3, 4)]
    assert stand(*rows) == {1: [1], 2: [2], 3: [3]}
