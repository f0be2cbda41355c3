"""Laws that every format obeys, the tests' own too, whatever the field's size and the order and kind of the results."""

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random

import pytest

from tests.thorough import tries
from tests.tournaments.formats.added.challenge import FORMAT as CHALLENGE
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Context, Draw, Format, Kind, Plan, Result, Slot

SIZES = (*range(2, 10), 12, 13, 16, 17, *tries((33,), (10, 11, 31, 32, 33, 64)))
SMALL = (2, 4, 5, 6, 9, 12, 13, 16, 24)  # with the formats' options, which only add rounds
OTHERS = {"groups": 2, "qualify": 3, "rounds": 63}  # besides their defaults, of the options that are numbers


def tried(format_: Format) -> Iterable[Mapping[str, bool | int]]:
    """The defaults, and each option changed alone; in a bracket, where they touch each other, all together too."""
    changed = {name: OTHERS[name] if name in format_.ranges else True for name in format_.options}
    yield format_.options
    for name, value in changed.items():
        yield {**format_.options, name: value}
    if format_.is_bracket and len(changed) > 1:
        yield changed


FORMAT_OPTIONS = [
    pytest.param(format_, options, id="-".join((format_.id, *(f"{name} {value}" for name, value in options.items()))))
    for format_ in (*FORMATS.values(), CHALLENGE)
    for options in tried(format_)
]


def sizes(format_: Format, wanted: Iterable[int]) -> list[int]:
    """Those of the wanted sizes that the format takes; at least one."""
    found = [size for size in wanted if format_.min_size <= size <= format_.max_size]
    assert found
    return found


def play_out(format_: Format, draw: Draw, dice: Random, double_forfeits: float) -> tuple[Plan, dict[Slot, Result]]:
    """Play every ready pairing in an order of the dice's, checking the picture at every step.

    Small fields one result at a time, larger ones a handful at a time, the largest whatever is ready.
    """
    results: dict[Slot, Result] = {}
    plan = format_.plan(draw, results)
    known: dict[Slot, tuple[int | None, int | None]] = {}
    while not plan.finished:
        waiting = [p for p in plan.pairings if p.ready and p.slot not in results]
        assert waiting, "not finished, and nothing can be played"
        busy = Counter(line for p in waiting for line in (p.first, p.second))
        assert max(busy.values()) == 1, "a line would sit at two tables"
        known |= {p.slot: (p.first, p.second) for p in waiting}
        handful = 1 if draw.size <= 6 else len(waiting) if draw.size > 20 else dice.randint(1, len(waiting))
        for pairing in dice.sample(waiting, handful):
            results[pairing.slot] = result(context_of(format_, plan, pairing.slot), dice, double_forfeits)
        plan = format_.plan(draw, results)
        assert all(known[p.slot] == (p.first, p.second) for p in plan.pairings if p.slot in known)
    return plan, results


def context_of(format_: Format, plan: Plan, slot: Slot) -> Context:
    return plan.contexts[slot.round - 1] if plan.contexts else format_.context


def result(context: Context, dice: Random, double_forfeits: float) -> Result:
    if dice.random() < double_forfeits:
        return Result(None, True, (-9, -9), (0, 0))
    if context == "ko":
        return Result(dice.randrange(2))
    margin = dice.randrange(-12, 13)
    winner = None if margin == 0 else int(margin < 0)
    return Result(winner, False, (margin, -margin), (10 + margin // 2, 10 - margin // 2))


@pytest.mark.parametrize(("format_", "options"), FORMAT_OPTIONS)
def test_a_tournament_of_any_size_ends_with_a_rank_for_everybody(
    format_: Format, options: Mapping[str, bool | int]
) -> None:
    for size in sizes(format_, SIZES if options == format_.options else SMALL):
        dice = Random(size)
        plan, results = play_out(format_, Draw(size, options), dice, double_forfeits=size % 3 * 0.15)
        assert [p.slot for p in plan.pairings] == sorted({p.slot for p in plan.pairings})
        assert sorted(row.line for row in plan.standings) == list(range(1, size + 1))
        ranks = [row.rank for row in plan.standings]
        assert None not in ranks
        assert ranks == sorted(ranks)
        assert all(p.slot in results for p in plan.pairings if p.kind is Kind.MATCH)
        assert len(plan.names) == max(p.slot.round for p in plan.pairings)
        if size % 3 == 0:
            # Without double forfeits nobody is passed over: a rank is one more than the lines that are better.
            assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]


@pytest.mark.parametrize(("format_", "options"), FORMAT_OPTIONS)
def test_the_order_in_which_results_come_in_changes_nothing(format_: Format, options: Mapping[str, bool | int]) -> None:
    for size in sizes(format_, (2, 5, 8, 13)):
        draw = Draw(size, options)
        plan, results = play_out(format_, draw, Random(size), double_forfeits=0.2)
        shuffled = list(results.items())
        Random(size + 1).shuffle(shuffled)
        assert format_.plan(draw, dict(shuffled)) == plan


@pytest.mark.parametrize(("format_", "options"), FORMAT_OPTIONS)
def test_a_line_plays_at_most_once_a_round(format_: Format, options: Mapping[str, bool | int]) -> None:
    for size in sizes(format_, (2, 3, 7, 16)):
        plan, _results = play_out(format_, Draw(size, options), Random(size), double_forfeits=0.1)
        seen = Counter((p.slot.round, line) for p in plan.pairings for line in (p.first, p.second) if line is not None)
        assert max(seen.values()) == 1


@pytest.mark.parametrize(("format_", "options"), FORMAT_OPTIONS)
def test_a_result_where_nothing_is_being_played_is_refused(format_: Format, options: Mapping[str, bool | int]) -> None:
    draw = Draw(max(sizes(format_, range(2, 8))), options)
    not_ready = next(p.slot for p in format_.plan(draw, {}).pairings if not p.ready)
    with pytest.raises(ValueError, match="result"):
        format_.plan(draw, {not_ready: Result(0)})
