"""Round robin (R1, R2, R5, R6): everybody meets everybody by the Berger tables, one round after the other."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

from tournaments.formats.common.options import DOUBLE
from tournaments.formats.common.round_robin import RoundRobin
from tournaments.formats.protocol import (
    NOBODY_LEFT,
    NOTHING_DRAWN,
    Context,
    Draw,
    Drawn,
    OptionFault,
    OptionField,
    Plan,
    Result,
    Slot,
    gettext_noop,
)  # fmt: skip


class Girone:
    id = "girone"
    order = 3
    name = gettext_noop("Girone all'italiana")
    short = gettext_noop("Girone")
    summary = gettext_noop("Ognuno incontra tutti gli altri.")
    leaving_text = gettext_noop(
        "Se non hai ancora giocato metà dei tuoi incontri, i tuoi risultati si annullano per tutti; altrimenti "
        "restano, e gli altri incontri li perdi."
    )
    limit_text = gettext_noop("Girone: fino a %(limit)d.")
    option_fields: Mapping[str, OptionField] = {"double": DOUBLE}
    pairs_everyone_at_draw = True
    context: Context = "round_robin"
    has_vp = True
    is_bracket = False
    defeats = None
    options: Mapping[str, bool | int] = {"double": False}
    ranges: Mapping[str, range] = {}
    keeps_rounds = False
    leaver_has: Literal["results", "rounds"] = "results"
    min_size = 2
    max_size = limit = 64

    def check_options(self, options: Mapping[str, bool | int], size: int) -> OptionFault | None:
        return None

    def freeze_options(self, options: Mapping[str, bool | int], size: int) -> Mapping[str, bool | int]:
        return options

    def list_draw_examples(self) -> Mapping[str, Callable[[int], object]]:
        return {self.id: self._draw_example, f"{self.id}-doppio": partial(self._draw_example, double=True)}

    def _draw_example(self, size: int, *, double: bool = False) -> list[list[list[int | None]]]:
        """Return each round's pairs by the Berger tables, the first-named at seat 0; a rest is [n, null] (R1)."""
        plan = self.plan(Draw(size, {"double": double}), {})
        rounds: list[list[list[int | None]]] = [[] for _ in plan.names]
        for pairing in plan.pairings:
            rounds[pairing.slot.round - 1].append([pairing.first, pairing.second])
        return rounds

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
        return Plan(tuple(girone.pairings), names, girone.rank_entries(), girone.over)


FORMAT = Girone()
