"""Naive twin of the standings in any order (EV10): a table of what happened to everybody in every round, gone down
tier by tier, each value counted anew from that table. It shares nothing with the product but the plan it looks at.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256

from tournaments.formats.protocol import Draw, Kind, Pairing, Plan, Result, Slot

Said = int | Fraction | None  # a value as a reason says it


@dataclass(frozen=True)
class Cell:
    """A round from one entry's side: ``other`` None where it met nobody. ``begun``: a match that was, or will be."""

    other: int | None = None
    begun: bool = False
    counts: bool = False
    won: int = 0
    halves: int = 0
    of_halves: int = 0
    mp: int = 0
    vp: int = 0
    of_vp: int = 0
    made: int = 0
    let_in: int = 0
    forfeited: int = 0


def write_cell(pairing: Pairing, side: int, result: Result | None, draw: Draw) -> Cell:
    """Return what a pairing of the plan is to one of its sides."""
    own, other = (pairing.first, pairing.second) if side == 0 else (pairing.second, pairing.first)
    if pairing.kind is Kind.BYE:
        mp, vp = pairing.worth or (0, 0)
        asked = draw.byes.get(pairing.slot.round, {}).get(own or 0)
        return Cell(mp=mp, vp=vp, halves=2 if asked is None else 1 if asked == (0, 10) else 0)
    if result is None:
        return Cell(other, begun=True)
    if result.annulled:
        return Cell()
    drawn = result.winner is None and not result.double_forfeit
    return Cell(
        other,
        begun=result.begun,
        counts=True,
        won=int(result.winner == side),
        halves=2 if result.winner == side else int(drawn),
        of_halves=0 if result.double_forfeit else 2,
        mp=result.mp[side],
        vp=result.vp[side],
        of_vp=result.vp[0] + result.vp[1],
        made=result.points[side],
        let_in=result.points[1 - side],
        forfeited=int(result.double_forfeit or result.forfeit_by == side),
    )


@dataclass
class NaiveTable:
    """The table of a danese, a girone or a group, and its tiers by an order."""

    entries: Sequence[int]
    cells: Mapping[int, list[Cell]]
    lot: str = ""
    shares: Mapping[int, Fraction] = field(default_factory=dict)
    by_wins: bool = False
    asked: dict[int, list[tuple[str, Said, int]]] = field(default_factory=dict)

    @classmethod
    def read(cls, plan: Plan, results: Mapping[Slot, Result], draw: Draw, entries: Sequence[int]) -> "NaiveTable":
        rounds = sorted({p.slot.round for p in plan.pairings if p.first is not None and p.kind is not Kind.VOID})
        at = {number: {entry: Cell() for entry in entries} for number in rounds}
        for pairing in plan.pairings:
            if pairing.kind not in (Kind.MATCH, Kind.BYE) or pairing.first not in entries:
                continue
            for side, entry in enumerate((pairing.first, pairing.second)):
                if entry is not None:
                    cell = write_cell(pairing, side, results.get(pairing.slot), draw)
                    at[pairing.slot.round][entry] = cell
        return cls(entries, {entry: [at[n][entry] for n in rounds] for entry in entries}, draw.lot, draw.shares)

    def get_score(self, entry: int) -> Fraction:
        """Return what the standings are of: VP, or wins."""
        return Fraction(sum(c.halves for c in self.cells[entry]), 2) if self.by_wins else self.add(entry, "vp")

    def add(self, entry: int, what: str) -> Fraction:
        return Fraction(sum(getattr(cell, what) for cell in self.cells[entry]))

    def list_opponents(self, entry: int) -> list[Fraction]:
        """Return what each round adds to the Buchholz."""
        draw = Fraction(1, 2) if self.by_wins else Fraction(10)
        added = []
        for cell in self.cells[entry]:
            if not cell.begun:
                added.append(self.get_score(entry))
                continue
            theirs = Fraction(0)
            for own in self.cells[cell.other or 0]:
                theirs += draw if not own.begun else Fraction(own.halves, 2) if self.by_wins else own.vp
            added.append(theirs)
        return added

    def measure(self, entry: int, code: str, tier: Sequence[int]) -> Fraction:
        """Return the value of an entry: more is better."""
        if code == "percentage":
            return self.shares.get(entry, Fraction(0))
        if code == "wins":
            return self.get_score(entry)
        if code in ("vp", "mp", "won"):
            return self.add(entry, code)
        if code == "points":
            return self.add(entry, "made")
        if code == "difference":
            return self.add(entry, "made") - self.add(entry, "let_in")
        if code == "forfeits":
            return -self.add(entry, "forfeited")
        if code == "buchholz":
            return sum(self.list_opponents(entry), Fraction(0))
        if code == "buchholz_cut":
            return sum(sorted(self.list_opponents(entry))[1:], Fraction(0))
        if code == "lot":
            drawn = sorted(self.entries, key=lambda one: sha256(f"{self.lot}/standings/{one}".encode()).hexdigest())
            return Fraction(len(drawn) - drawn.index(entry))
        value = Fraction(0)
        for cell in self.cells[entry]:
            own, whole = (cell.halves, cell.of_halves) if self.by_wins else (cell.vp, cell.of_vp)
            if code == "direct" and cell.counts and cell.other in tier:
                value += Fraction(own, 2) if self.by_wins else own
            if code == "sonneborn" and cell.counts and cell.begun and whole:
                value += self.get_score(cell.other or 0) * Fraction(own, whole)
        return value

    def have_met(self, tier: Sequence[int]) -> bool:
        met = {frozenset((one, cell.other)) for one in tier for cell in self.cells[one] if cell.counts}
        return all(frozenset((one, other)) in met for one in tier for other in tier if one < other)

    def divide(self, tier: Sequence[int], code: str) -> list[list[int]]:
        if len(tier) == 1:
            return [list(tier)]
        if code == "direct" and not self.have_met(tier):
            for entry in tier:
                self.asked[entry].append((code, None, len(tier)))
            return [list(tier)]
        values = {entry: self.measure(entry, code, tier) for entry in tier}
        for entry in tier:
            self.asked[entry].append((code, say(code, values[entry]), len(tier)))
        return [[e for e in tier if values[e] == value] for value in sorted(set(values.values()), reverse=True)]

    def list_tiers(self, criteria: Sequence[str], *, again: bool = True) -> list[list[int]]:
        """Return the entries by an order, best tier first."""
        self.by_wins = criteria[0] == "wins"
        self.asked = {entry: [] for entry in self.entries}
        tiers = [sorted(self.entries)]
        for number, code in enumerate(criteria):
            smaller = []
            for tier in tiers:
                parts = self.divide(tier, code)
                if again and len(parts) > 1 and "direct" in criteria[:number]:
                    parts = [piece for part in parts for piece in self.divide(part, "direct")]
                smaller += parts
            tiers = smaller
        return tiers

    def find_reason(self, one: int, other: int) -> tuple[str, Said, Said]:
        """Return the first question that told two entries apart, and what it said of both."""
        for own, their in zip(self.asked[one], self.asked[other], strict=False):
            if own[1] != their[1]:
                return own[0], own[1], their[1]
        return "equal", None, None


def say(code: str, value: Fraction) -> Said:
    """Return a value as people read it."""
    if code == "percentage":
        return int(value * 10000 + Fraction(1, 2))
    if code in ("forfeits", "points"):
        value = abs(value)
    return value.numerator if value.denominator == 1 else value
