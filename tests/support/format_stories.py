"""Tournaments in memory: results come in, entries leave, and the plan is held to what is true of every format."""

from collections import Counter
from dataclasses import replace
from random import Random

from bench.walker.facts import Facts, Meeting, Standing
from tests.support.formats import draw_result, find_context
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


def look_at(story: Story) -> Facts:
    """Return a story as the twin is told of it."""
    plan, results = story.plan, story.results
    return Facts(
        format=story.format.id,
        options=story.draw.options,
        ties="standard",
        equal=False,
        finished=plan.finished,
        rounds=len(plan.names),
        bye=(0, 0),
        entries={row.seed: Standing(row.rank, row.rank, row.played, row.won, 0, 0) for row in plan.standings},
        meetings=tuple(
            Meeting(
                round=p.slot.round,
                board=p.slot.board,
                first=p.first,
                second=p.second,
                state="done" if p.slot in results else "waiting" if p.kind is Kind.MATCH else p.kind.value,
                over=p.slot in results,
                winner=results[p.slot].winner if p.slot in results else None,
                double=p.slot in results and results[p.slot].winner is None,
                margin=results[p.slot].margin if p.slot in results else None,
            )
            for p in plan.pairings
        ),
    )
