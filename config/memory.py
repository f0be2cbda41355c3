"""The collector of a process that lasts: what is loaded stays, and what it makes is mostly freed without it."""

import gc

ALLOCATIONS = 5_000  # objects made and not freed until the collector looks at them
ROUNDS = 3  # of a generation before the next older one is looked at, too: rings of closed sockets don't pile up


def spare_collector() -> None:
    """Have the collector look seldom, and never at what is loaded by now. Call it once, before the work begins."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(ALLOCATIONS, ROUNDS, ROUNDS)
