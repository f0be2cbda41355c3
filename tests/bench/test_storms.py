"""Short storms on both layouts, and what shows that the checker would see what they might break (H1, H3, H5, H8, AT1).

A smaller one, without kills, is part of every run (test_tiny_storm.py); long ones, and faults planted into the product
itself, are bench/storm/soak.py's.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from bench.storm.layouts import Layout, run_deployed, run_started
from bench.storm.run import Plan, run_storm
from bench.storm.spoils import list_unseen

Start = Callable[[dict[str, str]], AbstractContextManager[Layout]]
SHORT = {
    "deployed": (run_deployed, Plan(tables=20, moves=120, kills=10, kill_every=1.2, seconds=200, hostile_frames=300)),
    "started": (run_started, Plan(tables=10, moves=40, kills=3, kill_every=2.0, seconds=200)),
}


@pytest.mark.soak
@pytest.mark.parametrize("layout", SHORT)
def test_a_storm_loses_nothing_and_doubles_nothing_h1(layout: str) -> None:
    start, plan = SHORT[layout]
    with start({}) as running:
        evidence, report = run_storm(running, plan)
    assert report.faults == []
    assert report.figures["processes killed"] == plan.kills
    assert report.figures["moves acknowledged"] >= plan.moves
    assert report.figures["turns that ran out"]
    assert list_unseen(evidence) == []
