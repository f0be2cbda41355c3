"""Round robin: the Berger tables and one round after the other (R1, R6)."""

from itertools import combinations
from pathlib import Path

import pytest

from tournaments.formats.common.berger import Table, build_berger, build_schedule
from tournaments.formats.girone import FORMAT
from tournaments.formats.protocol import Draw, Kind, Result, Slot


def published() -> dict[int, Table]:
    tables: dict[int, list[tuple[tuple[int, int], ...]]] = {}
    for line in (Path(__file__).parent / "data" / "berger.txt").read_text().splitlines():
        if line.startswith("n "):
            rounds = tables.setdefault(int(line[2:]), [])
        elif not line.startswith("#"):
            rounds.append(tuple((int(a), int(b)) for a, b in (pair.split("-") for pair in line.split())))
    return {size: tuple(rounds) for size, rounds in tables.items()}


def by_sums(size: int, number: int) -> set[tuple[int, int]]:
    """A round of the Berger table by its other definition: entries whose numbers add up to round + 1 meet.

    Of two entries the smaller is first where their sum is odd, the greater where it is even; against the highest number
    the first half of the field is first.
    """
    ring = size - 1
    pairs = set()
    for a, b in combinations(range(1, size), 2):
        if (a + b - 1 - number) % ring == 0:
            pairs.add((a, b) if (a + b) % 2 else (b, a))
    (alone,) = [a for a in range(1, size) if (2 * a - 1 - number) % ring == 0]
    pairs.add((alone, size) if alone <= size // 2 else (size, alone))
    return pairs


@pytest.mark.parametrize(("size", "table"), published().items())
def test_the_tables_are_those_of_the_handbook_r1(size: int, table: Table) -> None:
    assert build_berger(size) == table


@pytest.mark.parametrize("size", range(2, 65, 2))
def test_every_table_up_to_64_is_the_one_the_sums_give_r1(size: int) -> None:
    for number, pairs in enumerate(build_berger(size), start=1):
        assert set(pairs) == by_sums(size, number)


@pytest.mark.parametrize("size", range(2, 65))
def test_everybody_meets_everybody_once_and_an_odd_field_rests_in_turn_r1(size: int) -> None:
    plan = FORMAT.plan(Draw(size), {})
    met = [frozenset((p.first, p.second)) for p in plan.pairings if p.kind is Kind.MATCH]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(range(1, size + 1), 2)))
    rests = [p.first for p in plan.pairings if p.kind is Kind.REST]
    assert sorted(rests) == (list(range(1, size + 1)) if size % 2 else [])


def test_a_double_round_exchanges_seats_and_swaps_the_last_rounds_of_the_first_cycle_r1() -> None:
    once = build_berger(6)
    twice = build_schedule(6, double=True)
    assert twice[:5] == (*once[:3], once[4], once[3])
    assert twice[5:] == tuple(tuple((b, a) for a, b in pairs) for pairs in once)
    seats = [pair for pairs in twice for pair in pairs]
    assert len(set(seats)) == len(seats) == 30


def test_a_double_round_never_sends_an_entry_back_to_the_same_seat_three_times_in_a_row_r1() -> None:
    for size in range(4, 17, 2):
        rounds = build_schedule(size, double=True)
        for entry in range(1, size + 1):
            seats = [next(pair.index(entry) for pair in pairs if entry in pair) for pairs in rounds]
            assert all(len(set(seats[i : i + 3])) == 2 for i in range(len(seats) - 2))


def test_a_round_starts_when_every_fixture_of_the_one_before_is_over_r6() -> None:
    draw = Draw(5)
    ready = {p.slot for p in FORMAT.plan(draw, {}).pairings if p.ready}
    assert ready == {Slot(1, 2), Slot(1, 3)}
    one = {Slot(1, 2): Result(0)}
    assert {p.slot for p in FORMAT.plan(draw, one).pairings if p.ready} == ready
    both = one | {Slot(1, 3): Result(None, True)}
    assert {p.slot for p in FORMAT.plan(draw, both).pairings if p.ready} == ready | {Slot(2, 2), Slot(2, 3)}
