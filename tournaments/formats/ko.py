"""Knockout (K1-K5): who loses is out. A bracket of the next power of two, the surplus places being byes.

A round's code says how far it is from the end; the third-place fixture, where there is one, has a round of its own,
before the final.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.standings import Row, Separation
from scoring.tiebreaks import lot_order
from tournaments.pairing import Context, Draw, Kind, Pairing, Plan, Result, Slot

NAMES = {2: "final", 4: "semifinal", 8: "quarterfinal"}


def bracket_order(size: int) -> tuple[int, ...]:
    """The places of a bracket of ``size`` (a power of two, at least 2), first to last (K1): 1 8 4 5 2 7 3 6."""
    order: tuple[int, ...] = (1, 2)
    while len(order) < size:
        double = 2 * len(order)
        order = tuple(place for p in order for place in (p, double + 1 - p))
    return order


def first_round(draw: Draw) -> Mapping[int, int | None]:
    """Who stands at each place of the bracket, None where nobody does and the opponent has a bye (K1, K2).

    The places 1 to S/2 go, in the order of the seeds, to the lines with a bye and to the better half of the others;
    of these the best meets the worst. If the byes go to the best seeds, every line stands at the place of its seed.
    """
    size = 1 << max(1, (draw.size - 1).bit_length())
    seeds = range(1, draw.size + 1)
    order = lot_order(draw.lot, seeds, "byes") if draw.options.get("byes_by_lot") else tuple(seeds)
    alone = set(order[: size - draw.size])
    playing = [seed for seed in seeds if seed not in alone]
    better, worse = playing[: len(playing) // 2], playing[len(playing) // 2 :]
    opponents = dict(zip(better, reversed(worse), strict=True))
    at: dict[int, int | None] = {}
    for place, seed in enumerate(sorted((*alone, *better)), start=1):
        at[place] = seed
        at[size + 1 - place] = opponents.get(seed)
    return at


@dataclass(frozen=True, slots=True)
class _Side:
    """Who comes to one side of a pairing: not known yet, a line, or nobody ever (a bye's empty place, K5)."""

    known: bool
    line: int | None = None


NOBODY = _Side(True)
UNKNOWN = _Side(False)


class Knockout:
    id = "ko"
    context: Context = "ko"
    has_vp = False
    is_bracket = True
    options: Mapping[str, bool] = {"third_place": False, "byes_by_lot": False}
    min_size = 2
    max_size = 4096

    def plan(self, draw: Draw, results: Mapping[Slot, Result]) -> Plan:
        return _Bracket(draw, results).plan()


class _Bracket:
    """One reading of the results, round by round."""

    def __init__(self, draw: Draw, results: Mapping[Slot, Result]) -> None:
        self.draw = draw
        self.results = results
        self.size = 1 << max(1, (draw.size - 1).bit_length())
        self.third_place = bool(draw.options.get("third_place")) and self.size >= 4
        self.pairings: list[Pairing] = []
        self.names: list[str] = []
        self.rank: dict[int, int] = {}
        self.played = [0] * (draw.size + 1)
        self.won = [0] * (draw.size + 1)
        self.over = True

    def plan(self) -> Plan:
        at = first_round(self.draw)
        lines = (at[place] for place in bracket_order(self.size))
        sides = [NOBODY if line is None else _Side(True, line) for line in lines]
        losers: list[_Side] = []
        while len(sides) > 1:
            if len(sides) == 2 and self.third_place:
                self._third_place(losers)
            sides, losers = self._round(sides)
        if sides[0].line is not None:
            self.rank[sides[0].line] = 1
        return Plan(tuple(self.pairings), tuple(self.names), self._standings(), self.over)

    def _round(self, sides: list[_Side]) -> tuple[list[_Side], list[_Side]]:
        """Pair the sides two by two; who goes on, and who is out, fixture by fixture."""
        alive = len(sides)
        self.names.append(NAMES.get(alive, "round"))
        on: list[_Side] = []
        out: list[_Side] = []
        # Who loses here shares the first rank below those who go on (K4): 3, 5, 9 ... and 2 in the final.
        rank = alive // 2 + 1
        for board in range(alive // 2):
            winner, losers = self._pair(Slot(len(self.names), board + 1), sides[2 * board], sides[2 * board + 1])
            on.append(winner)
            for line in losers:
                self.rank[line] = rank
            # A double forfeit leaves nobody to play for third place.
            known = winner.known
            out.append(_Side(True, losers[0]) if len(losers) == 1 else NOBODY if known else UNKNOWN)
        return on, out

    def _third_place(self, losers: list[_Side]) -> None:
        self.names.append("third_place")
        winner, beaten = self._pair(Slot(len(self.names), 1), losers[0], losers[1])
        # Both semifinal losers hold rank 3 until one of them loses this one; a double forfeit leaves both there.
        if winner.line is not None:
            for line in beaten:
                self.rank[line] = 4

    def _pair(self, slot: Slot, first: _Side, second: _Side) -> tuple[_Side, tuple[int, ...]]:
        """Add the pairing; the side that goes on and the lines that are out."""
        if first.known and second.known and (first.line is None or second.line is None):
            alone = first.line if first.line is not None else second.line
            self._add(Pairing(slot, alone, None, Kind.VOID if alone is None else Kind.BYE))
            return _Side(True, alone), ()
        ready = first.line is not None and second.line is not None
        self._add(Pairing(slot, first.line, second.line, Kind.MATCH, ready))
        result = self.results.get(slot)
        if result is None or first.line is None or second.line is None:
            self.over = False
            return UNKNOWN, ()
        for line in (first.line, second.line):
            self.played[line] += 1
        if result.winner is None:
            # K5: neither goes on, and the next opponent has a bye.
            return NOBODY, (first.line, second.line)
        lines = (first.line, second.line)
        self.won[lines[result.winner]] += 1
        return _Side(True, lines[result.winner]), (lines[1 - result.winner],)

    def _add(self, pairing: Pairing) -> None:
        if pairing.slot in self.results and not pairing.ready:
            raise ValueError(f"a result for {pairing.slot}, which is not being played")
        self.pairings.append(pairing)

    def _standings(self) -> tuple[Row, ...]:
        """Who is out, by rank; who is still in has none and stands above, in the order of the seeds."""
        order = sorted(range(1, self.draw.size + 1), key=lambda seed: (self.rank.get(seed, 0), seed))
        rows = []
        for i, seed in enumerate(order):
            rank = self.rank.get(seed)
            separation = None
            if rank is not None and i + 1 < len(order):
                below = self.rank[order[i + 1]]
                separation = Separation("equal" if below == rank else "round", None, None)
            won, played = self.won[seed], self.played[seed]
            rows.append(Row(seed, rank, played, won, 0, 0, 0, separation))
        return tuple(rows)


FORMAT = Knockout()
