"""Brackets: the order of their places and byes (K1, K2), and how one is played out (K3-K5), for every format with one.

It knows the places of a bracket only: who stands at them is given to it, as far as it is known. It ranks by rounds
alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.standings import StandingsRow, TieBreakReason
from scoring.tiebreaks import draw_lot_order
from tournaments.formats.protocol import Draw, Kind, Pairing, Result, Slot

NAMES = {2: "final", 4: "semifinal", 8: "quarterfinal"}


@dataclass(frozen=True, slots=True)
class Side:
    """The side of a pairing: not known yet, an entry, or nobody ever (a bye's empty place, K5)."""

    known: bool
    seed: int | None = None


NOBODY = Side(True)
UNKNOWN = Side(False)


def compute_bracket_size(entries: int) -> int:
    """Return the number of places of the bracket for so many entries: the next power of two, at least 2 (K2)."""
    return 1 << max(1, (entries - 1).bit_length())


def order_bracket(size: int) -> tuple[int, ...]:
    """Return the places of a bracket of ``size`` (a power of two, at least 2), first to last (K1): 1 8 4 5 2 7 3 6."""
    order: tuple[int, ...] = (1, 2)
    while len(order) < size:
        double = 2 * len(order)
        order = tuple(place for p in order for place in (p, double + 1 - p))
    return order


def seed_first_round(draw: Draw) -> Mapping[int, int | None]:
    """Return the seed at each place of the bracket, None where the opponent has a bye (K1, K2).

    The places 1 to S/2 go, in the order of the seeds, to the entries with a bye and to the better half of the others;
    of these the best meets the worst. If the byes go to the best seeds, every entry stands at the place of its seed.
    """
    size = compute_bracket_size(draw.size)
    seeds = range(1, draw.size + 1)
    order = draw_lot_order(draw.lot, seeds, "byes") if draw.options.get("byes_by_lot") else tuple(seeds)
    alone = set(order[: size - draw.size])
    playing = [seed for seed in seeds if seed not in alone]
    better, worse = playing[: len(playing) // 2], playing[len(playing) // 2 :]
    opponents = dict(zip(better, reversed(worse), strict=True))
    at: dict[int, int | None] = {}
    for place, seed in enumerate(sorted((*alone, *better)), start=1):
        at[place] = seed
        at[size + 1 - place] = opponents.get(seed)
    return at


@dataclass
class BracketPlan:
    """The bracket as the results make it, round by round. ``before`` rounds of another kind come first.

    After ``play`` it has ``pairings`` and the rounds' ``names``, by entry ``rank`` (of whoever is out, and of the
    winner), ``played`` and ``won``, and whether it is ``over``.
    """

    results: Mapping[Slot, Result]
    third_place: bool = False
    before: int = 0
    pairings: list[Pairing] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    rank: dict[int, int] = field(default_factory=dict)
    played: dict[int, int] = field(default_factory=dict)
    won: dict[int, int] = field(default_factory=dict)
    over: bool = True

    def play(self, sides: Sequence[Side], fill: Callable[[list[Side], list[Side]], list[Side]] | None = None) -> None:
        """Play the sides out, in the order of the bracket (``order_bracket``); as many as a power of two.

        ``fill`` makes the sides of the second round of those who go on from the first one's boards and who are out.
        """
        third_place = self.third_place and len(sides) >= 4
        losers: list[Side] = []
        while len(sides) > 1:
            if len(sides) == 2 and third_place:
                self.names.append("third_place")
                self.play_for_third(self._make_slot(1), losers)
            sides, losers = self._play_round(sides)
            if fill is not None:
                sides, fill = fill(sides, losers), None
        if sides[0].seed is not None:
            self.rank[sides[0].seed] = 1

    def _play_round(self, sides: Sequence[Side]) -> tuple[list[Side], list[Side]]:
        """Pair the sides two by two. Return those that go on and those that are out, fixture by fixture."""
        alive = len(sides)
        self.names.append(NAMES.get(alive, "round"))
        on: list[Side] = []
        out: list[Side] = []
        # Who loses here shares the first rank below those who go on (K4): 3, 5, 9 ... and 2 in the final.
        rank = alive // 2 + 1
        for board in range(alive // 2):
            winner, loser = self.play_fixture(self._make_slot(board + 1), sides[2 * board : 2 * board + 2], rank)
            on.append(winner)
            out.append(loser)
        return on, out

    def play_fixture(self, slot: Slot, sides: Sequence[Side], rank: int) -> tuple[Side, Side]:
        """Pair two sides; who loses has the ``rank``. Return the side that goes on and the one that is out."""
        winner, losers = self.pair(slot, sides[0], sides[1])
        for entry in losers:
            self.rank[entry] = rank
        # A double forfeit leaves nobody to play for third place.
        return winner, Side(True, losers[0]) if len(losers) == 1 else NOBODY if winner.known else UNKNOWN

    def play_for_third(self, slot: Slot, sides: Sequence[Side]) -> None:
        """Pair the sides that are out of the semifinals, which are played before."""
        winner, beaten = self.pair(slot, sides[0], sides[1])
        # Both semifinal losers hold rank 3 until one of them loses this one; a double forfeit leaves both there. Who
        # has a bye here is third alone: those of the other semifinal, if it was a double forfeit, are behind (K5).
        if winner.seed is not None:
            behind = beaten or [entry for entry, rank in self.rank.items() if rank == 3 and entry != winner.seed]
            for entry in behind:
                self.rank[entry] = 4

    def _make_slot(self, board: int) -> Slot:
        return Slot(self.before + len(self.names), board)

    def pair(self, slot: Slot, first: Side, second: Side) -> tuple[Side, tuple[int, ...]]:
        """Add the pairing. Return the side that goes on and the entries that are out."""
        if first.known and second.known and (first.seed is None or second.seed is None):
            alone = first.seed if first.seed is not None else second.seed
            self._add(Pairing(slot, alone, None, Kind.VOID if alone is None else Kind.BYE))
            return Side(True, alone), ()
        ready = first.seed is not None and second.seed is not None
        self._add(Pairing(slot, first.seed, second.seed, Kind.MATCH, ready))
        result = self.results.get(slot)
        if result is None or first.seed is None or second.seed is None:
            self.over = False
            return UNKNOWN, ()
        entries = (first.seed, second.seed)
        if not result.annulled:
            for entry in entries:
                self.played[entry] = self.played.get(entry, 0) + 1
        if result.winner is None or result.annulled:
            # K5: neither goes on, and the next opponent has a bye. So it is where a referee annuls it (F2).
            return NOBODY, entries
        winner = entries[result.winner]
        self.won[winner] = self.won.get(winner, 0) + 1
        return Side(True, winner), (entries[1 - result.winner],)

    def _add(self, pairing: Pairing) -> None:
        if pairing.slot in self.results and not pairing.ready:
            raise ValueError(f"a result for {pairing.slot}, which is not being played")
        self.pairings.append(pairing)


def make_row(bracket: BracketPlan, entry: int, separation: TieBreakReason | None = None) -> StandingsRow:
    """Return an entry's row of the standings, where results count in neither VP nor MP."""
    return StandingsRow(
        entry, bracket.rank.get(entry), bracket.played.get(entry, 0), bracket.won.get(entry, 0), 0, 0, 0, separation
    )


def separate_ranks(rank: int | None, below: int | None) -> TieBreakReason | None:
    """Return why an entry stands before the next one that has a rank (R3); None for the last, and without a rank."""
    if rank is None or below is None:
        return None
    return TieBreakReason("equal" if below == rank else "round", None, None)
