"""Laws of every format when entries forfeit, leave or are expelled and referees annul, at any moment, in any order.

Forfeits of whoever left are written down as results, as ``running.plan_store`` does; everything else is the plan's.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.formats import draw_result, find_context, list_options
from tests.support.thorough import tries
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Draw, Format, Kind, Plan, Result, Slot


class Story:
    """A tournament in memory: results come in, entries leave, and the picture is looked at after each step."""

    def __init__(self, format_: Format, draw: Draw, dice: Random) -> None:
        self.format, self.draw, self.dice = format_, draw, dice
        self.results: dict[Slot, Result] = {}
        self.leavers: dict[int, int] = {}
        self.seated: dict[Slot, tuple[int | None, int | None]] = {}
        self.plan = format_.plan(draw, {})
        self.rulings = 2 * draw.size  # at most: after so many even a referee lets it end

    def settle(self) -> None:
        """Give those who left their forfeits, until nothing more comes to them; hold the picture to the laws."""
        while True:
            self.plan = self.format.plan(self.draw, self.results, self.leavers)
            left = [p for p in self.open() if p.first in self.leavers or p.second in self.leavers]
            if not left:
                break
            for p in left:
                absent = [side for side, entry in enumerate((p.first, p.second)) if entry in self.leavers]
                winner = None if len(absent) == 2 else 1 - absent[0]
                vp = (0, 0) if winner is None else (14, 0) if winner == 0 else (0, 14)
                ko = find_context(self.format, self.plan, p.slot) == "ko"
                self.results[p.slot] = Result(winner, winner is None, vp=(0, 0) if ko else vp)
        # Who may lose twice may do so to the same (EV4), as who is let in again.
        twice = self.format.defeats == 2 or self.draw.options.get("lucky_losers")
        hold(self.plan, most=2 if twice else 1)
        for p in self.plan.pairings:
            if p.slot in self.seated and p.kind is not Kind.ANNULLED:
                assert self.seated[p.slot] == (p.first, p.second), "whoever was called to a table still meets there"
        self.seated |= {p.slot: (p.first, p.second) for p in self.plan.pairings if p.ready}

    def open(self) -> list:
        return [p for p in self.plan.pairings if p.ready and p.slot not in self.results]

    def play(self, count: int) -> None:
        waiting = self.open()
        for p in self.dice.sample(waiting, min(count, len(waiting))):
            context = find_context(self.format, self.plan, p.slot)
            if context == "round_robin" and self.dice.random() < 0.1:
                self.results[p.slot] = Result(None, annulled=True)
            else:
                self.results[p.slot] = draw_result(context, self.dice, 0.1)

    def rule(self) -> None:
        """A referee changes a result, annuls it or has it played anew, unless somebody meets by it already (F2, F3)."""
        self.rulings -= 1
        slot = self.dice.choice(list(self.results))
        changed = dict(self.results)
        what = self.dice.choice(("result", "annul", "replay"))
        if what == "replay":
            del changed[slot]
        elif what == "annul":
            changed[slot] = replace(changed[slot], winner=None, annulled=True)
        else:
            changed[slot] = draw_result(find_context(self.format, self.plan, slot), self.dice, 0.2)
        try:
            plan = self.format.plan(self.draw, changed, self.leavers)
        except ValueError:  # a result of a table that wouldn't have been opened
            return
        paired = {p.slot: (p.first, p.second) for p in plan.pairings if p.kind is not Kind.ANNULLED}
        if all(paired[slot] == entries for slot, entries in self.seated.items() if slot in paired):
            self.results = changed

    def leave(self, entry: int) -> None:
        if entry in self.leavers:
            return
        if self.format.leaver_has == "rounds":
            self.leavers[entry] = max((p.slot.round for p in self.plan.pairings if p.first is not None), default=0)
            return
        grouped = any(p.group for p in self.plan.pairings)
        every = [p for p in self.plan.pairings if entry in (p.first, p.second) and (p.group or not grouped)]
        own = [p for p in every if p.kind is Kind.MATCH]
        through = all(p.slot in self.results for p in own)
        counted = sum(p.slot in self.results and not self.results[p.slot].annulled for p in own)
        self.leavers[entry] = len(every) if through else counted


def hold(plan: Plan, most: int) -> None:
    """Check what is true of every plan; ``most``: as often two may meet at the same seats."""
    entries = [row.seed for row in plan.standings]
    assert len(set(entries)) == len(entries)
    met: Counter[tuple[int | None, int | None, bool]] = Counter()
    seen: Counter[tuple[int, int]] = Counter()
    for p in plan.pairings:
        sides = [entry for entry in (p.first, p.second) if entry is not None]
        seen.update((p.slot.round, entry) for entry in sides)
        if len(sides) == 2:
            met[p.first, p.second, p.group is None] += 1
    assert not seen or max(seen.values()) == 1, "an entry stands twice in a round"
    assert not met or max(met.values()) <= most, "two entries meet too often at the same seats"


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
