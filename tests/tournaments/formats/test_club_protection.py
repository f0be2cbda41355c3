"""Protection of clubs (EV9): as few of one club meet as an exact search finds, and nothing else of a draw changes."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from random import Random

import pytest

from tests.support.formats import play_tournament
from tests.support.thorough import tries
from tournaments.formats import FORMATS
from tournaments.formats.common.club_boards import part_boards
from tournaments.formats.common.club_groups import list_meetings, part_groups
from tournaments.formats.common.clubs import count_shared, share_club, swap_clubs
from tournaments.formats.common.groups import fill_groups
from tournaments.formats.common.swiss import BYE, pair_by_standing, pair_first_round
from tournaments.formats.danese import FORMAT as DANESE
from tournaments.formats.gironi import FORMAT as GIRONI
from tournaments.formats.ko import FORMAT as KO
from tournaments.formats.protocol import ClubFormat, Clubs, Draw

pytestmark = pytest.mark.rule("EV9")

SIZES = range(2, 34)


def draw_clubs(dice: Random, size: int, *, most: int = 5) -> Clubs:
    """Clubs of a field: some large, some people of none, some pairs of two."""
    number, two = dice.randint(1, most), dice.choice((0, 0, 0.3))
    counts = (2 if dice.random() < two else int(dice.random() < 0.85) for _ in range(size))
    return tuple(frozenset(dice.sample(range(1, number + 1), min(number, count))) for count in counts)


def pair_all(left: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    if not left:
        yield []
        return
    first, *others = left
    for other in others:
        for rest in pair_all([seed for seed in others if seed != other]):
            yield [(first, other), *rest]


def find_least_on_boards(boards: Sequence[tuple[int, int]], fixed: Sequence[int], clubs: Clubs) -> int:
    """Return the least number of boards of one club, trying every place of everybody who isn't fixed."""
    present = {frozenset(board) for board in boards}
    held = [seed for board in boards for seed in board if seed in fixed]
    ways = pair_all([seed for board in boards for seed in board])
    possible = (
        pairs for pairs in ways if all(not {*pair} <= set(held) or frozenset(pair) in present for pair in pairs)
    )
    return min((count_shared(clubs, pairs) for pairs in possible), default=0)


def find_least_in_groups(groups: Sequence[Sequence[int]], clubs: Clubs) -> int:
    """Return the least number of pairs of one club, trying every order of every turn of the snake but the first."""
    turns = [[group[turn] for group in groups if turn < len(group)] for turn in range(1, max(map(len, groups)))]
    meetings = list_meetings(groups)

    def search(number: int, stand: dict[int, int]) -> int:
        if number == len(turns):
            return count_shared(clubs, [(stand.get(a, a), stand.get(b, b)) for a, b in meetings])
        ways = permutations(turns[number])
        return min(search(number + 1, {**stand, **dict(zip(turns[number], way, strict=True))}) for way in ways)

    return search(0, {})


@pytest.mark.parametrize("options", [{}, {"byes_by_lot": True}, {"lucky_losers": True}, {"apart_seeds": 3}], ids=str)
def test_in_a_knockout_of_any_size_as_few_meet_in_each_quarter_as_can_be(options: dict[str, int]) -> None:
    for size in SIZES:
        for number in range(tries(2, 20)):
            dice = Random(f"{size} {number}")
            clubs = draw_clubs(dice, size)
            draw = Draw(size, {**options, "apart": True}, lot=str(number), clubs=clubs)
            plan = KO.plan(draw, {})
            first = [p for p in plan.pairings if p.slot.round == 1]
            swaps = KO.part_clubs(draw)
            after, whole = swap_clubs(clubs, swaps), 2 * len(first)
            kept = options.get("apart_seeds") or whole // 4
            byes = {p.first for p in first if p.first and not p.second}
            assert not {seed for swap in swaps for seed in swap} & (byes | set(range(1, kept + 1)))
            for start in range(0, len(first), max(1, len(first) // 4)):
                quarter = first[start : start + max(1, len(first) // 4)]
                boards = [(p.first, p.second) for p in quarter if p.first and p.second]
                assert count_shared(after, boards) == find_least_on_boards(boards, range(1, kept + 1), clubs)
                own = {seed for board in boards for seed in board}
                assert all(len(own & {*swap}) != 1 for swap in swaps), "they stay in their quarter"


@pytest.mark.parametrize("size", range(4, 13))
def test_in_groups_as_few_of_one_club_are_together_as_can_be(size: int) -> None:
    for number in range(tries(4, 40)):
        dice = Random(f"{size} {number}")
        groups = fill_groups(size, dice.randint(2, min(4, size // 2)))
        clubs = draw_clubs(dice, size)
        swaps = part_groups(groups, clubs, str(number))
        turns = [set(range(start + 1, start + len(groups) + 1)) for start in range(0, size, len(groups))]
        assert all(any({*swap} <= turn for turn in turns[1:]) for swap in swaps), "each in its turn, the first stays"
        got = count_shared(swap_clubs(clubs, swaps), list_meetings(groups))
        assert got == find_least_in_groups(groups, clubs)


def test_in_full_groups_of_any_size_every_club_is_spread_evenly_if_nobody_has_two() -> None:
    for size in range(4, 34):
        for count in (count for count in range(2, 9) if size % count == 0 and size // count > 1):
            dice = Random(f"{size} {count}")
            clubs = tuple(frozenset({dice.randint(1, 5)}) for _ in range(size))
            groups = fill_groups(size, count)
            after = swap_clubs(clubs, part_groups(groups, clubs, "x"))
            for club in range(1, 6):
                shares = [sum(club in after[seed - 1] for seed in group) for group in groups]
                assert max(shares) - min(shares) <= 1


@pytest.mark.parametrize("size", range(4, 11))
def test_in_the_first_round_of_a_danese_as_few_meet_as_can_be(size: int) -> None:
    for number in range(tries(4, 40)):
        dice = Random(f"{size} {number}")
        clubs = draw_clubs(dice, size)
        draw = Draw(size, {"rounds": 1, "apart": True}, lot=str(number), clubs=clubs)
        plain = pair_first_round(tuple(range(1, size + 1)))
        assert plain is not None
        seeds = [BYE] * (size % 2) + list(range(1, size + 1))
        least = min(count_shared(clubs, pairs) for pairs in pair_all(seeds))
        met = DANESE.list_meetings(draw)
        assert count_shared(clubs, met) == least
        if not count_shared(clubs, plain):
            assert sorted(map(sorted, met)) == sorted(sorted(pair) for pair in plain if BYE not in pair)


def test_of_many_entries_the_boards_of_one_club_are_parted_by_swaps() -> None:
    dice = Random(9)
    for size in (66, 128, 257):
        clubs = tuple(frozenset({dice.randint(1, 6)}) for _ in range(size))
        pairs = pair_first_round(tuple(range(1, size + 1)), "lot", clubs=clubs)
        assert pairs is not None
        assert count_shared(clubs, pairs) == 0
        assert sorted(seed for pair in pairs for seed in pair if seed) == list(range(1, size + 1))
    boards = [(seed, seed + 1) for seed in range(1, 401, 2)]
    large = tuple(frozenset({1} if seed % 10 < 7 else {2 + seed % 5}) for seed in range(400))
    parted = count_shared(swap_clubs(large, part_boards(boards, range(1, 201, 2), large, "lot")), boards)
    assert parted == sum(own == {1} for own in large) - 200, "as many as one club has too many"


def test_forbidden_pairs_and_rounds_to_come_are_asked_before_clubs() -> None:
    clubs = (frozenset({1}), frozenset({2}), frozenset({1}), frozenset({2}))
    banned = frozenset(map(frozenset, [(1, 2), (1, 4)]))
    pairs = pair_first_round((1, 2, 3, 4), "lot", banned, clubs=clubs)
    assert pairs is not None
    assert {frozenset(pair) for pair in pairs} == {frozenset((1, 3)), frozenset((2, 4))}


def test_in_later_rounds_a_pair_of_one_club_costs_what_four_places_do() -> None:
    one, nobody = frozenset({1}), frozenset[int]()
    clubs = (one, one, nobody, nobody, nobody, nobody)
    order = (1, 2, 3, 4, 5, 6)
    assert pair_by_standing(order, frozenset(), "lot") == ((1, 2), (3, 4), (5, 6))
    assert pair_by_standing(order, frozenset(), "lot", clubs=clubs) == ((1, 3), (2, 4), (5, 6))
    met = frozenset(frozenset((a, b)) for a, b in combinations(order, 2) if {a, b} & {1, 2} and b in (3, 4, 5))
    assert pair_by_standing(order, met, "lot", clubs=clubs) == ((1, 2), (3, 4), (5, 6)), "6 is further than that"


@pytest.mark.parametrize("options", [{"apart": True}, {"apart_always": True}], ids=str)
def test_a_danese_that_keeps_clubs_apart_ends_without_a_rematch(options: dict[str, bool]) -> None:
    for size in (*range(2, 12), 16, 17, *tries((33,), range(18, 34))):
        dice = Random(size)
        draw = Draw(size, options, lot="x", clubs=draw_clubs(dice, size))
        plan, _results = play_tournament(DANESE, draw, dice, double_forfeits=0.1)
        met = [frozenset((p.first, p.second)) for p in plan.pairings if p.first and p.second]
        assert len(met) == len(set(met))
        assert None not in [row.rank for row in plan.standings]


@pytest.mark.parametrize("format_", [KO, GIRONI, DANESE], ids=lambda format_: format_.id)
def test_the_same_lot_gives_the_same_places_and_without_clubs_nobody_moves(format_: ClubFormat) -> None:
    for size in tries((4, 9, 16, 33), range(4, 34)):
        clubs = draw_clubs(Random(size), size)
        draw = Draw(size, {"apart": True, "groups": 2}, lot="x", clubs=clubs)
        assert format_.part_clubs(draw) == format_.part_clubs(draw)
        nobody = tuple(frozenset[int]() for _ in range(size))
        assert format_.part_clubs(Draw(size, draw.options, lot="x", clubs=nobody)) == ()


def test_two_are_of_one_club_if_they_share_any_and_nobody_is_of_one() -> None:
    clubs = (frozenset({1, 2}), frozenset({2, 3}), frozenset({3}), frozenset[int]())
    assert [share_club(clubs, *pair) for pair in ((1, 2), (2, 3), (1, 3), (4, 4), (1, BYE))] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_the_other_formats_have_no_such_option() -> None:
    assert {id_ for id_, format_ in FORMATS.items() if isinstance(format_, ClubFormat)} == {"ko", "gironi", "danese"}
    assert all("apart" not in FORMATS[id_].options for id_ in ("girone", "doppio"))
