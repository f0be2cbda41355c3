"""Laws of every format when entries forfeit, leave or are expelled and referees annul, at any moment, in any order.

Forfeits of whoever left are written down as results, as ``running.plan_store`` does; everything else is the plan's.
"""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.format_stories import Story
from tests.support.formats import list_options
from tests.support.thorough import tries
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Draw, Format, Kind

FORMAT_OPTIONS = [
    pytest.param(format_, options, id="-".join((format_.id, *(f"{name} {value}" for name, value in options.items()))))
    for format_ in FORMATS.values()
    for options in list_options(format_)
]


@pytest.mark.rule("R5", "K5", "F2")
@pytest.mark.parametrize(("format_", "options"), FORMAT_OPTIONS)
@settings(max_examples=tries(5, 25), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(
    size=tries(
        st.one_of(st.integers(2, 9), st.integers(2, 9), st.integers(10, 24)),
        st.one_of(st.integers(2, 9), st.integers(10, 32), st.integers(33, 64)),
    ),
    seed=st.integers(0, 2**16),
    going=st.floats(0, 0.4),
    ruling=st.sampled_from((0.0, 0.5)),
)
def test_it_ends_whoever_leaves_and_the_results_alone_say_how(
    format_: Format, options: dict[str, bool | int], size: int, seed: int, going: float, ruling: float
) -> None:
    dice = Random(seed)
    if options.get("rounds"):  # as many as there can be: each is a matching
        size = min(size, tries(10, 24))
    draw = Draw(max(size, format_.min_size), options, lot=str(seed), bye=(4, 14))
    story = Story(format_, draw, dice)
    while not story.plan.finished:
        assert story.open(), "not finished, and nothing can be played"
        story.play(1 if draw.size <= 8 else len(story.open()))
        if dice.random() < going:
            staying = [entry for entry in range(1, draw.size + 1) if entry not in story.leavers]
            story.leave(dice.choice(staying or [1]))
        story.settle()
        if story.results and story.rulings and dice.random() < ruling:
            story.rule()
            story.settle()
    assert story.plan.finished
    ranks = [row.rank for row in story.plan.standings]
    assert sorted(row.seed for row in story.plan.standings) == list(range(1, draw.size + 1))
    assert None not in ranks
    assert ranks == sorted(rank for rank in ranks if rank is not None)
    assert all(p.slot in story.results for p in story.plan.pairings if p.kind is Kind.MATCH)
    again = list(story.results.items())
    dice.shuffle(again)
    assert format_.plan(draw, dict(again), dict(reversed(story.leavers.items()))) == story.plan
