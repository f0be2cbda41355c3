"""Round robin (R1, R2, R5, R6): everybody meets everybody by the Berger tables, one round after the other."""

from collections.abc import Mapping
from typing import Literal

from tournaments.pairing import NOBODY_LEFT, NOTHING_DRAWN, Context, Draw, Drawn, Plan, Result, Slot
from tournaments.roundrobin import RoundRobin


class Girone:
    id = "girone"
    context: Context = "round_robin"
    has_vp = True
    is_bracket = False
    options: Mapping[str, bool | int] = {"double": False}
    ranges: Mapping[str, range] = {}
    keeps_rounds = False
    leaver_has: Literal["results", "rounds"] = "results"
    min_size = 2
    max_size = 64

    def plan(
        self,
        draw: Draw,
        results: Mapping[Slot, Result],
        leavers: Mapping[int, int] = NOBODY_LEFT,
        drawn: Drawn = NOTHING_DRAWN,
    ) -> Plan:
        girone = RoundRobin(draw, range(1, draw.size + 1), results, leavers)
        girone.play()
        names = ("round",) * len(girone.rounds)
        return Plan(tuple(girone.pairings), names, girone.standings(), girone.over)


FORMAT = Girone()
