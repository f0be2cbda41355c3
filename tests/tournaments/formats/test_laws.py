"""Laws that every format obeys, the tests' own too, whatever the field's size and the order and kind of the results."""

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random

import pytest

from tests.support.formats import list_options, play_tournament
from tests.support.thorough import tries
from tests.tournaments.formats.added.challenge import FORMAT as CHALLENGE
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Draw, Format, Kind, Result

SIZES = (*range(2, 10), 12, 13, 16, 17, *tries((33,), (10, 11, 31, 32, 33, 64)))
SMALL = (2, 4, 5, 6, 9, 12, 13, 16, 24)  # with the formats' options, which only add rounds


FORMAT_OPTIONS = [
    pytest.param(format_, options, id="-".join((format_.id, *(f"{name} {value}" for name, value in options.items()))))
    for format_ in (*FORMATS.values(), CHALLENGE)
    for options in list_options(format_)
]


def sizes(format_: Format, wanted: Iterable[int]) -> list[int]:
    """Return those of the wanted sizes that the format takes; at least one."""
    fitting = [size for size in wanted if format_.min_size <= size <= format_.max_size]
    assert fitting
    return fitting


@pytest.mark.parametrize(("format_", "options"), FORMAT_OPTIONS)
def test_a_tournament_of_any_size_ends_with_a_rank_for_everybody(
    format_: Format, options: Mapping[str, bool | int]
) -> None:
    for size in sizes(format_, SIZES if options == format_.options else SMALL):
        dice = Random(size)
        plan, results = play_tournament(format_, Draw(size, options), dice, double_forfeits=size % 3 * 0.15)
        assert [p.slot for p in plan.pairings] == sorted({p.slot for p in plan.pairings})
        assert sorted(row.seed for row in plan.standings) == list(range(1, size + 1))
        ranks = [row.rank for row in plan.standings]
        assert None not in ranks
        assert ranks == sorted(ranks)
        assert all(p.slot in results for p in plan.pairings if p.kind is Kind.MATCH)
        assert len(plan.names) == max(p.slot.round for p in plan.pairings)
        if size % 3 == 0:
            # Without double forfeits nobody is passed over: a rank is one more than the entries that are better.
            assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]


@pytest.mark.parametrize(("format_", "options"), FORMAT_OPTIONS)
def test_the_order_in_which_results_come_in_changes_nothing(format_: Format, options: Mapping[str, bool | int]) -> None:
    for size in sizes(format_, (2, 5, 8, 13)):
        draw = Draw(size, options)
        plan, results = play_tournament(format_, draw, Random(size), double_forfeits=0.2)
        shuffled = list(results.items())
        Random(size + 1).shuffle(shuffled)
        assert format_.plan(draw, dict(shuffled)) == plan


@pytest.mark.parametrize(("format_", "options"), FORMAT_OPTIONS)
def test_an_entry_plays_at_most_once_a_round(format_: Format, options: Mapping[str, bool | int]) -> None:
    for size in sizes(format_, (2, 3, 7, 16)):
        plan, _results = play_tournament(format_, Draw(size, options), Random(size), double_forfeits=0.1)
        seen = Counter(
            (p.slot.round, entry) for p in plan.pairings for entry in (p.first, p.second) if entry is not None
        )
        assert max(seen.values()) == 1


@pytest.mark.parametrize(("format_", "options"), FORMAT_OPTIONS)
def test_a_result_where_nothing_is_being_played_is_refused(format_: Format, options: Mapping[str, bool | int]) -> None:
    draw = Draw(max(sizes(format_, range(2, 8))), options)
    not_ready = next(p.slot for p in format_.plan(draw, {}).pairings if not p.ready)
    with pytest.raises(ValueError, match="result"):
        format_.plan(draw, {not_ready: Result(0)})
