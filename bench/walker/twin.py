"""Naive twin of formats and standings, written from the rules of tournaments alone: plain values in, sentences out.

It looks at what a tournament has come to, and says what no rule allows. It is slow and short on purpose: who meets whom
by trying everything, standings by adding up.
"""

from collections.abc import Callable, Iterator, Mapping

from bench.walker.facts import Facts
from bench.walker.twin_clubs import check_clubs
from bench.walker.twin_danese import check_danese, check_way_on
from bench.walker.twin_double_ko import check_double_ko
from bench.walker.twin_ko import check_ko
from bench.walker.twin_tables import check_girone, check_gironi

CHECKS: Mapping[str, Callable[[Facts], Iterator[str]]] = {
    "ko": check_ko,
    "doppio": check_double_ko,
    "girone": check_girone,
    "gironi": check_gironi,
    "danese": check_danese,
}


def find_faults(facts: Facts) -> list[str]:
    """Return what no rule allows."""
    faults = list(_check_everywhere(facts))
    faults += CHECKS[facts.format](facts)
    faults += check_clubs(facts)
    return faults


def find_new_faults(before: Facts | None, after: Facts) -> list[str]:
    """Return what an act made of a tournament, and no rule allows."""
    if after.format == "danese":
        return list(check_way_on(before, after))
    return []


def _check_everywhere(facts: Facts) -> Iterator[str]:
    for number in range(1, facts.rounds + 1):
        sides = [side for one in facts.list_round(number) for side in (one.first, one.second) if side is not None]
        if facts.list_round(number) and facts.list_round(number)[0].group is None and len(set(sides)) < len(sides):
            yield f"somebody sits at two boards of round {number}"
    alone = sum(not entry.house for entry in facts.entries.values()) < 2
    for seed, entry in facts.entries.items():
        if entry.place is None or entry.rank is None or alone:
            continue
        above = [one for one in facts.entries.values() if one.rank is not None and one.rank < entry.rank]
        if facts.finished and entry.place != entry.rank - sum(one.house for one in above):
            yield f"E8, K5: seed {seed} has rank {entry.rank} and is shown as {entry.place}"
    if facts.finished and any(one.state in ("waiting", "ready", "playing") for one in facts.meetings):
        yield "it is over, and something is left to play"
    if not facts.finished and all(one.state not in ("waiting", "ready", "playing") for one in facts.meetings):
        yield "nothing is left to play, and it isn't over"
