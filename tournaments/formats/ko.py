"""Knockout (K1-K5): who loses is out. A bracket of the next power of two, the surplus places being byes.

A round's code says how far it is from the end; the third-place fixture, where there is one, has a round of its own,
before the final. An entry that leaves forfeits its next fixture, a result like any other (K5): the plan knows nothing
of it. With lucky losers (EV4) everybody plays the first round, and the second is known when all of it is over. Where
clubs are protected (EV9), entries change places within their quarter at the draw; afterwards nothing knows of it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal

from scoring.standings import StandingsRow
from tournaments.formats.common.bracket_path import BracketPath, BracketShape
from tournaments.formats.common.brackets import (
    NOBODY,
    BracketPlan,
    Side,
    compute_bracket_size,
    make_row,
    order_bracket,
    seed_first_round,
    separate_ranks,
)
from tournaments.formats.common.club_boards import part_boards
from tournaments.formats.common.clubs import Board, count_shared, swap_clubs
from tournaments.formats.common.lucky_losers import fill_places, seat_everybody
from tournaments.formats.common.options import APART, BYES_BY_LOT, LUCKY_LOSERS, THIRD_PLACE
from tournaments.formats.protocol import (
    NOBODY_LEFT,
    NOTHING_DRAWN,
    Context,
    Draw,
    Drawn,
    Kind,
    OptionFault,
    OptionField,
    Plan,
    Result,
    Slot,
    Swaps,
    gettext_noop,
)  # fmt: skip

MOST_KEPT = 1024
QUARTERS = 4
APART_SEEDS = OptionField(
    gettext_noop("Quante teste di serie restano al loro posto"),
    gettext_noop(
        "Vuoto: un quarto dei posti del tabellone, 4 con 16. Gli altri, tranne chi passa "
        "il primo turno, cambiano posto a sorte nel loro quarto di tabellone: ha effetto da nove iscritti in su."
    ),
    gettext_noop("teste di serie che restano al loro posto: %(value)s"),
    blank=True,
    needs="apart",
)


class Knockout:
    id = "ko"
    order = 1
    name = gettext_noop("Eliminazione diretta (KO)")
    short = gettext_noop("KO")
    summary = gettext_noop("Chi perde è fuori.")
    leaving_text = gettext_noop("Chi doveva incontrarti passa il turno.")
    limit_text = gettext_noop("KO: fino a %(limit)d.")
    option_fields: Mapping[str, OptionField] = {
        "third_place": THIRD_PLACE,
        "byes_by_lot": BYES_BY_LOT,
        "lucky_losers": LUCKY_LOSERS,
        "apart": APART,
        "apart_seeds": APART_SEEDS,
    }
    pairs_everyone_at_draw = False
    context: Context = "ko"
    has_vp = False
    is_bracket = True
    defeats = 1
    options: Mapping[str, bool | int] = {
        "third_place": False,
        "byes_by_lot": False,
        "lucky_losers": False,
        "apart": False,
        "apart_seeds": 0,
    }
    ranges: Mapping[str, range] = {"apart_seeds": range(MOST_KEPT + 1)}
    keeps_rounds = False
    leaver_has: Literal["results", "rounds"] = "results"
    min_size = 2
    max_size = limit = 4096

    def check_options(self, options: Mapping[str, bool | int], size: int) -> OptionFault | None:
        return None

    def freeze_options(self, options: Mapping[str, bool | int], size: int) -> Mapping[str, bool | int]:
        return {**options, "apart_seeds": _count_kept(options, size)} if options.get("apart") else options

    def list_draw_examples(self) -> Mapping[str, Callable[[int], object]]:
        return {self.id: self._draw_example, "circoli": self._draw_clubs_example}

    def _draw_example(self, size: int) -> Mapping[str, object]:
        """Return the bracket's places, the seeds that have a bye, and the pairs of the first round (K1, K2)."""
        first = [pairing for pairing in self.plan(Draw(size), {}).pairings if pairing.slot.round == 1]
        return {
            "order": list(order_bracket(compute_bracket_size(size))),
            "byes": sorted(pairing.first or 0 for pairing in first if pairing.kind is Kind.BYE),
            "first_round": [[pairing.first, pairing.second] for pairing in first if pairing.kind is Kind.MATCH],
        }

    def _draw_clubs_example(self, size: int) -> Mapping[str, object]:
        """Return the clubs where each third entry is of one of three, who changes places, and how many pairs of the
        first round are of one club before and after (EV9)."""
        clubs = tuple(frozenset({seed % 3 + 1}) for seed in range(size))
        draw = Draw(size, {"apart": True}, lot=self.id, clubs=clubs)
        swaps = self.part_clubs(draw)
        boards = self.list_meetings(draw)
        after = swap_clubs(clubs, swaps)
        return {
            "clubs": [sorted(own) for own in clubs],
            "swaps": [list(pair) for pair in swaps],
            "of_one_club": [count_shared(clubs, boards), count_shared(after, boards)],
        }

    def protects_clubs(self, options: Mapping[str, bool | int]) -> bool:
        return bool(options.get("apart"))

    def part_clubs(self, draw: Draw) -> Swaps:
        boards = self._list_first_round(draw)
        quarter = len(boards) // QUARTERS
        fixed = range(1, _count_kept(draw.options, draw.size) + 1)
        swaps: list[tuple[int, int]] = []
        for start in range(0, len(boards), quarter) if quarter > 1 else ():
            own = [board for board in boards[start : start + quarter] if board is not None]
            swaps += part_boards(own, fixed, draw.clubs, f"{draw.lot}/quarter {start // quarter + 1}")
        return tuple(swaps)

    def list_meetings(self, draw: Draw) -> Sequence[Board]:
        return [board for board in self._list_first_round(draw) if board is not None]

    def _list_first_round(self, draw: Draw) -> list[Board | None]:
        """Return the pairs of the first round, None where nobody meets, in the order of the bracket."""
        first = [pairing for pairing in self.plan(draw, {}).pairings if pairing.slot.round == 1]
        return [(p.first, p.second) if p.first and p.second else None for p in first]

    def plan(
        self,
        draw: Draw,
        results: Mapping[Slot, Result],
        leavers: Mapping[int, int] = NOBODY_LEFT,
        drawn: Drawn = NOTHING_DRAWN,
    ) -> Plan:
        bracket = BracketPlan(results, third_place=bool(draw.options.get("third_place")))
        if draw.options.get("lucky_losers"):
            bracket.play(seat_everybody(draw), partial(fill_places, draw, results, bracket))
        else:
            at = seed_first_round(draw)
            entries = (at[place] for place in order_bracket(len(at)))
            bracket.play([NOBODY if entry is None else Side(True, entry) for entry in entries])
        names = tuple(bracket.names)
        return Plan(tuple(bracket.pairings), names, _rank_all(draw.size, bracket), bracket.over)

    def follows_paths(self, options: Mapping[str, bool | int]) -> bool:
        return not options.get("lucky_losers")  # of whom any result of the first round decides

    def find_path(self, options: Mapping[str, bool | int], rounds: int, changed: Iterable[Slot]) -> BracketPath:
        return BracketShape(rounds, bool(options.get("third_place"))).find_path(changed)


def _count_kept(options: Mapping[str, bool | int], size: int) -> int:
    """Return how many of the first seeds keep their places (EV9): as many as were asked for, or a quarter."""
    return int(options.get("apart_seeds", 0)) or compute_bracket_size(size) // QUARTERS


def _rank_all(size: int, bracket: BracketPlan) -> tuple[StandingsRow, ...]:
    """Rank the entries that are out; those still in have no rank and stand above, in the order of the seeds."""
    order = sorted(range(1, size + 1), key=lambda seed: (bracket.rank.get(seed, 0), seed))
    ranks = [bracket.rank.get(seed) for seed in order]
    return tuple(
        make_row(bracket, seed, separate_ranks(rank, below))
        for seed, rank, below in zip(order, ranks, (*ranks[1:], None), strict=True)
    )


FORMAT = Knockout()
