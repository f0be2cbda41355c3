"""The Berger tables (R1): the pairs of each round of a round robin, and who sits first. Nothing else."""

from functools import lru_cache

Table = tuple[tuple[tuple[int, int], ...], ...]


def build_berger(size: int) -> Table:
    """Return the Berger table for an even ``size``: rounds of pairs, the first-named at seat 0 (R1; FIDE C.05).

    In each round one entry s meets the highest number n, which sits first in every second round; the others meet so
    that their numbers add up to 2s modulo n - 1. From round to round s moves on by n / 2.
    """
    ring = size - 1
    rounds = []
    for number in range(ring):
        base = number * (size // 2)

        def compute_number(steps: int, base: int = base) -> int:
            return (base + steps) % ring + 1

        head = (compute_number(0), size) if number % 2 == 0 else (size, compute_number(0))
        rounds.append((head, *((compute_number(k), compute_number(-k)) for k in range(1, size // 2))))
    return tuple(rounds)


@lru_cache(maxsize=64)
def build_schedule(size: int, *, double: bool) -> Table:
    """Return all rounds for ``size`` entries.

    An odd size plays the table of the next even one, whose highest number is a rest.

    Double round: the same with seats exchanged, the last two rounds of the first cycle swapped (R1).
    """
    first = build_berger(size + size % 2)
    if not double:
        return first
    back = tuple(tuple((b, a) for a, b in pairs) for pairs in first)
    cycle = first if len(first) < 2 else (*first[:-2], first[-1], first[-2])
    return cycle + back
