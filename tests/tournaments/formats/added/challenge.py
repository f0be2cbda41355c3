"""A challenge: two entries, the best of three matches. Whoever has won two has won it, and the third isn't played.

The proof of docs/adding-a-format.md: the file as it would stand in ``tournaments/formats/``.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from scoring.standings import StandingsRow, TieBreakReason
from tournaments.formats.protocol import (
    NOBODY_LEFT,
    NOTHING_DRAWN,
    Context,
    Draw,
    Drawn,
    Kind,
    OptionFault,
    OptionField,
    Pairing,
    Plan,
    Result,
    Slot,
    gettext_noop,
)  # fmt: skip

MATCHES = 3
ENOUGH = 2


class Challenge:
    id = "challenge"
    order = 9
    name = gettext_noop("Sfida al meglio delle tre")
    short = gettext_noop("Sfida")
    summary = gettext_noop("Vince chi vince due partite.")
    leaving_text = gettext_noop("Le partite che restano le vince chi ti sfida.")
    limit_text = gettext_noop("Sfida: in %(limit)d.")
    option_fields: Mapping[str, OptionField] = {}
    pairs_everyone_at_draw = True
    context: Context = "ko"
    has_vp = False
    is_bracket = True
    defeats = None
    options: Mapping[str, bool | int] = {}
    ranges: Mapping[str, range] = {}
    keeps_rounds = False
    leaver_has: Literal["results", "rounds"] = "results"
    min_size = max_size = limit = 2

    def check_options(self, options: Mapping[str, bool | int], size: int) -> OptionFault | None:
        return None

    def freeze_options(self, options: Mapping[str, bool | int], size: int) -> Mapping[str, bool | int]:
        return options

    def list_draw_examples(self) -> Mapping[str, Callable[[int], object]]:
        return {}

    def plan(
        self,
        draw: Draw,
        results: Mapping[Slot, Result],
        leavers: Mapping[int, int] = NOBODY_LEFT,
        drawn: Drawn = NOTHING_DRAWN,
    ) -> Plan:
        pairings: list[Pairing] = []
        won, played, over, ready = [0, 0], 0, False, True
        for number in range(1, MATCHES + 1):
            slot = Slot(number, 1)
            first, second = (1, 2) if number % 2 else (2, 1)  # they change seats from match to match
            if over:
                pairings.append(Pairing(slot, None, None, Kind.VOID))
            else:
                pairings.append(Pairing(slot, first, second, Kind.MATCH, ready))
            result = results.get(slot)
            if result is None:
                ready = False
                continue
            if not pairings[-1].ready:
                raise ValueError(f"a result for {slot}, which is not being played")
            played += 1
            if result.winner is not None:
                won[(first, second)[result.winner] - 1] += 1
            over = max(won) == ENOUGH
        over = over or played == MATCHES
        return Plan(tuple(pairings), ("round",) * MATCHES, _rows(won, played, over=over), over)


def _rows(won: list[int], played: int, *, over: bool) -> tuple[StandingsRow, ...]:
    best, other = (2, 1) if won[1] > won[0] else (1, 2)
    level = won[0] == won[1]  # after a double forfeit
    separation = TieBreakReason("equal", None, None) if level else TieBreakReason("won", won[best - 1], won[other - 1])
    ranks = (1, 1 if level else 2) if over else (None, None)
    return (
        StandingsRow(best, ranks[0], played, won[best - 1], 0, 0, 0, separation if over else None),
        StandingsRow(other, ranks[1], played, won[other - 1], 0, 0, 0, None),
    )


FORMAT = Challenge()
