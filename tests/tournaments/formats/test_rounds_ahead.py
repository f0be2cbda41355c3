"""Danese (D1): a round is paired so that all rounds to come can be, whoever is out, absent or rests.

Beside it stands a plain search that tries everything. It shares no line with the formats.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random

import pytest

from tests.support.thorough import tries
from tournaments.formats.common.rounds_ahead import find_dead_end, has_spare_opponents
from tournaments.formats.common.swiss import pair_by_standing
from tournaments.formats.danese import FORMAT, limit_rounds
from tournaments.formats.protocol import Draw, Kind, Plan, Result, Slot

pytestmark = pytest.mark.rule("D1")

Made = frozenset[tuple[int, int]]  # pairs, the smaller number first; 0 is the bye
ASKED, ABSENT = (0, 10), (0, 0)


def every_pairing(left: tuple[int, ...], made: Made) -> Iterator[Made]:
    if not left:
        yield frozenset()
        return
    for other in left[1:]:
        if (left[0], other) not in made:
            for rest in every_pairing(tuple(one for one in left[1:] if one != other), made):
                yield rest | {(left[0], other)}


@cache
def count_possible(fields: tuple[tuple[int, ...], ...], made: Made) -> int:
    """The greatest number of these rounds that can be paired one after the other."""
    if not fields or len(fields[0]) < 2:
        return 0
    places = fields[0] if len(fields[0]) % 2 == 0 else (0, *fields[0])
    longest = 0
    for pairs in every_pairing(places, made):
        longest = max(longest, 1 + count_possible(fields[1:], made | pairs))
        if longest == len(fields):
            break
    return longest


class Story:
    """A danese in memory, drawn round by round as the product does it; between rounds people come, go and rest."""

    def __init__(self, seed: int, size: int) -> None:
        self.dice, self.size = Random(seed), size
        self.rounds = self.dice.randint(1, limit_rounds(size))
        self.byes: dict[int, dict[int, tuple[int, int]]] = {}
        self.leavers: dict[int, int] = {}
        self.drawn: dict[Slot, tuple[int, int | None]] = {}
        self.results: dict[Slot, Result] = {}
        self.made: Made = frozenset()
        self.lot = str(seed)

    def plan(self, published: int) -> Plan:
        options = {"rounds": self.rounds}
        draw = Draw(self.size, options, lot=self.lot, bye=(4, 14), byes=self.byes, published=published)
        return FORMAT.plan(draw, self.results, self.leavers, self.drawn)

    def list_fields(self, number: int) -> tuple[tuple[int, ...], ...]:
        staying = [entry for entry in range(1, self.size + 1) if entry not in self.leavers]
        turns = range(number, self.rounds + 1)
        return tuple(tuple(entry for entry in staying if entry not in self.byes.get(turn, {})) for turn in turns)

    def stir(self, number: int) -> None:
        """Let somebody leave, ask for a bye, be absent or come late, before this round is drawn."""
        staying = [entry for entry in range(1, self.size + 1) if entry not in self.leavers]
        what = self.dice.choice(("leave", "leave", "bye", "absent", "late", "nothing"))
        if what == "leave" and len(staying) > 2 and number > 1:
            self.leavers[self.dice.choice(staying)] = number - 1
        elif what == "late" and 1 < number <= 3 and self.size < 8:
            self.size += 1
            for missed in range(1, number):
                self.byes.setdefault(missed, {})[self.size] = ASKED
                board = 1 + sum(slot.round == missed for slot in self.drawn)
                self.drawn[Slot(missed, board)] = (self.size, None)
        elif what in ("bye", "absent"):
            turn = self.dice.randint(number, self.rounds)
            playing = [entry for entry in staying if entry not in self.byes.get(turn, {})]
            if len(playing) > 2:
                self.byes.setdefault(turn, {})[self.dice.choice(playing)] = ASKED if what == "bye" else ABSENT

    def play(self, number: int) -> bool:
        """Draw a round and play it. Return whether it could be paired."""
        fields = self.list_fields(number)
        possible = count_possible(fields, self.made)
        plan = self.plan(number)
        pairings = [p for p in plan.pairings if p.slot.round == number and p.first is not None]
        if possible == 0:
            assert not pairings
            assert plan.stuck == number
            return False
        pairs = frozenset(tuple(sorted((p.first or 0, p.second or 0))) for p in pairings)
        resting = {(0, entry) for entry in self.byes.get(number, {})}
        new = frozenset((a, b) for a, b in pairs if (a, b) not in resting)
        assert not new & self.made, "a rematch, or a second bye"
        assert {entry for pair in new for entry in pair} - {0} == set(fields[0])
        self.made |= new
        assert count_possible(fields[1:], self.made) == possible - 1, "fewer rounds are left than there could be"
        assert plan.stuck == (None if possible == len(fields) else number + possible)
        for p in pairings:
            self.drawn[p.slot] = (p.first or 0, p.second)
            if p.kind is Kind.MATCH:
                margin = self.dice.randrange(-10, 11)
                winner = None if margin == 0 else int(margin < 0)
                self.results[p.slot] = Result(winner, vp=(10 + margin, 10 - margin))
        return True


@pytest.mark.rule("D2", "D3")
@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("seed", range(tries(12, 300)))
def test_as_many_rounds_are_paired_as_there_could_be_whoever_is_out_absent_or_rests(size: int, seed: int) -> None:
    story = Story(1000 * size + seed, size)
    for number in range(1, story.rounds + 1):
        for _ in range(story.dice.choice((0, 1, 1, 2))):
            story.stir(number)
        if not story.play(number):
            break


def test_who_leaves_after_two_rounds_of_seven_takes_no_round_from_the_others() -> None:
    """D-Z, A-E, B-G, F rests; B-D, F-A, E-Z, G rests; A leaves: three rounds are possible, and are played."""
    a, b, d, e, f, g, z = range(1, 8)
    boards = [((d, z), (a, e), (b, g), (f, None)), ((b, d), (f, a), (e, z), (g, None))]
    drawn = {Slot(r, n): pair for r, pairs in enumerate(boards, 1) for n, pair in enumerate(pairs, 1)}
    results = {slot: Result(0, vp=(15, 5)) for slot, (_one, other) in drawn.items() if other is not None}
    for seed in range(tries(10, 200)):
        dice, known, played = Random(seed), dict(drawn), dict(results)
        for number in (3, 4, 5, 6):
            draw = Draw(7, {"rounds": 5}, lot=str(seed), bye=(4, 14), published=number)
            plan = FORMAT.plan(draw, played, {a: 2}, known)
            assert plan.stuck is None
            for p in plan.pairings:
                if p.first is not None and p.slot not in known:
                    known[p.slot] = (p.first, p.second)
                    if p.second is not None:
                        margin = dice.randrange(-10, 11)
                        played[p.slot] = Result(None if margin == 0 else int(margin < 0), vp=(10 + margin, 10 - margin))
        assert plan.finished
        assert Kind.VOID not in {p.kind for p in plan.pairings if p.slot.board <= 3}


@pytest.mark.parametrize("seed", range(tries(20, 300)))
def test_of_the_pairings_that_leave_most_rounds_the_cheapest_is_made(seed: int) -> None:
    dice = Random(seed)
    size = dice.randint(4, 8)
    order = tuple(dice.sample(range(1, size + 1), size))
    made: Made = frozenset()
    for _ in range(dice.randint(1, limit_rounds(size) - 2)):
        places = tuple(dice.sample(range(1, size + 1), size)) if size % 2 == 0 else (0, *order)
        pairs = next(every_pairing(tuple(sorted(places)), made), frozenset())
        made |= pairs
    turns = dice.randint(1, limit_rounds(size) - 1)
    fields = tuple(tuple(sorted(dice.sample(order, dice.randint(2, size)))) for _ in range(turns))
    place = {entry: number for number, entry in enumerate((*order, 0))}
    ways = list(every_pairing(tuple(sorted(order if size % 2 == 0 else (*order, 0))), made))
    rated = [(-count_possible(fields, made | way), sum((place[x] - place[y]) ** 2 for x, y in way)) for way in ways]
    met = frozenset(map(frozenset, made))
    chosen = pair_by_standing(order, met, "lot", tuple(map(frozenset, fields)))
    if chosen is None:
        assert not ways
    else:
        way = frozenset((min(pair), max(pair)) for pair in chosen)
        assert (-count_possible(fields, made | way), sum((place[x] - place[y]) ** 2 for x, y in way)) == min(rated)


@pytest.mark.parametrize("seed", range(tries(15, 100)))
def test_with_more_than_eight_no_round_that_can_be_paired_is_called_a_dead_end(seed: int) -> None:
    """A larger field is played on by hand, somebody leaving on the way: what is said to be over, is."""
    dice = Random(seed)
    size = dice.randint(9, 12)
    staying = list(range(1, size + 1))
    draw = Draw(size, {"rounds": limit_rounds(size)}, lot=str(seed), bye=(4, 14))
    results: dict[Slot, Result] = {}
    leavers: dict[int, int] = {}
    drawn: dict[Slot, tuple[int, int | None]] = {}
    for number in range(1, draw.options["rounds"] + 1):
        plan = FORMAT.plan(draw, results, leavers, drawn)
        pairings = [p for p in plan.pairings if p.slot.round == number and p.first is not None]
        pairs = [frozenset((p.first, p.second or 0)) for p in pairings]
        before = {frozenset((one, other or 0)) for one, other in drawn.values()}
        assert not before & set(pairs)
        if not pairings:
            assert plan.stuck == number
            field = tuple(sorted([*staying, 0] if len(staying) % 2 else staying))
            made = frozenset(tuple(sorted(pair)) for pair in before)
            assert next(every_pairing(field, made), None) is None  # type: ignore[arg-type]
            break
        assert plan.stuck is None or plan.stuck > number
        for p in pairings:
            drawn[p.slot] = (p.first or 0, p.second)
            if p.second is not None:
                results[p.slot] = Result(p.slot.board % 2, vp=(20, 0) if p.slot.board % 2 == 0 else (0, 20))
        if dice.random() < 0.2 and len(staying) > 4:
            leavers[staying.pop(dice.randrange(len(staying)))] = number


@pytest.mark.parametrize("size", range(3, 9))
def test_whoever_has_half_of_the_places_left_as_opponents_is_paired_whatever_comes_before(size: int) -> None:
    everybody = tuple(range(1, size + 1))
    fields = tuple(frozenset(everybody) for _ in range(limit_rounds(size)))
    for turns in range(1, len(fields) + 1):
        if has_spare_opponents(fields[:turns], frozenset()):
            assert count_possible((everybody,) * turns, frozenset()) == turns
            worst = all(
                count_possible((everybody,) * (turns - 1), way) == turns - 1
                for way in every_pairing(everybody if size % 2 == 0 else (0, *everybody), frozenset())
            )
            assert worst


def test_a_round_that_fewer_than_two_play_is_a_dead_end() -> None:
    fields = tuple(map(frozenset, ((1, 2, 3, 4), (3,), (1, 2, 3, 4))))
    assert find_dead_end(fields, frozenset()) == 1
    many = tuple(map(frozenset, (range(1, 21), (), range(1, 21))))
    assert find_dead_end(many, frozenset()) == 1


def test_in_a_large_field_who_has_nobody_left_is_a_dead_end_by_the_round_in_which_that_is_so() -> None:
    """Entry 1 has met all but two of twelve, the others each other hardly ever."""
    met = frozenset(frozenset((1, other)) for other in range(2, 11))
    everybody = frozenset(range(1, 13))
    assert find_dead_end((everybody,) * 2, met) is None
    assert find_dead_end((everybody,) * 3, met) == 2
    apart = frozenset(map(frozenset, combinations(range(1, 8), 2)))
    assert find_dead_end((everybody,), apart) == 0, "seven who have all met, and five others"
