"""Round robin (R1, R2, R6): everybody meets everybody by the Berger tables, one round after the other."""

from collections.abc import Mapping
from functools import lru_cache

from scoring.standings import Game, standings
from tournaments.pairing import Context, Draw, Kind, Pairing, Plan, Result, Slot

Table = tuple[tuple[tuple[int, int], ...], ...]


def berger(size: int) -> Table:
    """The Berger table for an even ``size``: rounds of pairs, the first-named at seat 0 (R1; FIDE C.05, annex 1).

    In each round one line s meets the highest number n, which sits first in every second round; the others meet so
    that their numbers add up to 2s modulo n - 1. From round to round s moves on by n / 2.
    """
    ring = size - 1
    rounds = []
    for number in range(ring):
        base = number * (size // 2)

        def line(steps: int, base: int = base) -> int:
            return (base + steps) % ring + 1

        head = (line(0), size) if number % 2 == 0 else (size, line(0))
        rounds.append((head, *((line(k), line(-k)) for k in range(1, size // 2))))
    return tuple(rounds)


@lru_cache(maxsize=64)
def schedule(size: int, *, double: bool) -> Table:
    """All rounds for ``size`` lines. An odd size plays the table of the next even one, whose highest number is a rest.

    Double round: the same with seats exchanged, the last two rounds of the first cycle swapped (R1).
    """
    first = berger(size + size % 2)
    if not double:
        return first
    back = tuple(tuple((b, a) for a, b in pairs) for pairs in first)
    cycle = first if len(first) < 2 else (*first[:-2], first[-1], first[-2])
    return cycle + back


class Girone:
    id = "girone"
    context: Context = "round_robin"
    has_vp = True
    is_bracket = False
    options: Mapping[str, bool] = {"double": False}
    min_size = 2
    max_size = 64

    def plan(self, draw: Draw, results: Mapping[Slot, Result]) -> Plan:
        rounds = schedule(draw.size, double=bool(draw.options.get("double")))
        pairings: list[Pairing] = []
        games: list[Game] = []
        over = True
        for number, pairs in enumerate(rounds, start=1):
            reached = over  # R6: a round starts when all fixtures of those before are over
            for board, (first, second) in enumerate(pairs, start=1):
                slot = Slot(number, board)
                result = results.get(slot)
                if max(first, second) > draw.size:
                    pairings.append(Pairing(slot, min(first, second), None, Kind.REST))
                    if result is not None:
                        raise ValueError(f"a result for {slot}, which is a rest")
                    continue
                if result is None:
                    over = False
                elif not reached:
                    raise ValueError(f"a result for {slot}, whose round has not come")
                else:
                    games.append(Game(first, second, result.winner, result.double_forfeit, result.mp, result.vp))
                pairings.append(Pairing(slot, first, second, Kind.MATCH, reached))
        rows = standings(range(1, draw.size + 1), games, draw.tie_break, draw.lot)
        return Plan(tuple(pairings), ("round",) * len(rounds), rows, over)


FORMAT = Girone()
