"""The part of a bracket that hangs on some results: their fixtures, those after them up to the final, the third place.

It is planned by the rules of ``brackets``, from the fixtures as they are stored. So a result in a bracket of thousands
takes a few fixtures a round. It knows no database and no names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.standings import TieBreakReason
from tournaments.formats.common.brackets import NOBODY, UNKNOWN, BracketPlan, Side, make_row, separate_ranks
from tournaments.formats.protocol import Kind, Pairing, Plan, Result, Slot


@dataclass(frozen=True, slots=True)
class BracketShape:
    """A bracket by the number of its rounds, the third place's among them."""

    rounds: int
    third_place: bool = False

    @property
    def third(self) -> Slot | None:
        """Fixture for third place, where one is played."""
        return Slot(self.rounds - 1, 1) if self.third_place and self.rounds > 2 else None

    @property
    def semifinals(self) -> tuple[Slot, ...]:
        """Fixtures before the final; none where the final is all."""
        number = self.rounds - (1 if self.third is None else 2)
        return (Slot(number, 1), Slot(number, 2)) if number > 0 else ()

    def list_feeders(self, slot: Slot) -> tuple[Slot, ...]:
        """Return the two fixtures whose entries come to this one; none for the first round."""
        if slot.round >= self.rounds - 1 and slot not in self.semifinals:
            return self.semifinals
        return () if slot.round == 1 else tuple(Slot(slot.round - 1, 2 * slot.board - less) for less in (1, 0))

    def list_followers(self, slot: Slot) -> tuple[Slot, ...]:
        """Return the fixtures to which the entries of this one go."""
        final = Slot(self.rounds, 1)
        if slot in self.semifinals:
            return (final,) if self.third is None else (self.third, final)
        return () if slot in (final, self.third) else (Slot(slot.round + 1, (slot.board + 1) // 2),)

    def find_path(self, changed: Iterable[Slot]) -> "BracketPath":
        """Return the path of these fixtures. The ranks of a third place depend on both semifinals (K5): they are
        planned with it."""
        path: set[Slot] = set()
        waiting = list(changed)
        while waiting:
            slot = waiting.pop()
            if slot not in path:
                path.add(slot)
                waiting += self.list_followers(slot)
        return BracketPath(self, frozenset(path.union(self.semifinals) if self.third in path else path))

    def count_boards(self, slot: Slot) -> int:
        """Return the number of fixtures of a round."""
        return 1 << (max(0, self.semifinals[0].round + 1 - slot.round) if self.semifinals else 0)


@dataclass(frozen=True, slots=True)
class BracketPath:
    """The ``slots`` that can be others after some fixtures changed; ``near`` has the fixtures before them too."""

    shape: BracketShape
    slots: frozenset[Slot]

    @property
    def near(self) -> frozenset[Slot]:
        return self.slots.union(*(self.shape.list_feeders(slot) for slot in self.slots))

    def plan(self, stored: Mapping[Slot, Pairing], results: Mapping[Slot, Result]) -> Plan:
        plan, third = BracketPlan(results), self.shape.third
        winners: dict[Slot, Side] = {}
        losers: dict[Slot, Side] = {}
        for slot in sorted(stored):
            sides = _list_sides(stored[slot])
            feeders = self.shape.list_feeders(slot) if slot in self.slots else ()
            if not self.slots.isdisjoint(feeders):
                come = losers if slot == third else winners
                sides = tuple(come[feeder] for feeder in feeders)
            if slot == third:
                plan.play_for_third(slot, sides)
                continue
            winners[slot], losers[slot] = plan.play_fixture(slot, sides, self.shape.count_boards(slot) + 1)
            entry = winners[slot].seed
            if slot.round == self.shape.rounds and entry is not None:
                plan.rank[entry] = 1
        pairings = tuple(pairing for pairing in plan.pairings if pairing.slot in self.slots)
        near = self.near
        before = [pairing for slot, pairing in stored.items() if slot in near]
        entries = {entry for pairing in (*before, *pairings) for entry in (pairing.first, pairing.second)} - {None}
        rows = tuple(make_row(plan, entry) for entry in sorted(entry for entry in entries if entry is not None))
        return Plan(pairings, (), rows, finished=False)

    def separate(self, rank: int, below: int | None) -> TieBreakReason | None:
        return separate_ranks(rank, below)


def _list_sides(pairing: Pairing) -> tuple[Side, ...]:
    """Return the two sides of a fixture as it is stored."""
    match pairing.kind:
        case Kind.VOID:
            return NOBODY, NOBODY
        case Kind.BYE:
            return Side(True, pairing.first), NOBODY
        case _:
            entries = (pairing.first, pairing.second)
            return tuple(UNKNOWN if entry is None else Side(True, entry) for entry in entries)
