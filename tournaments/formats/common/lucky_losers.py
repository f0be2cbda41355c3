"""Lucky losers of a bracket (EV4): everybody plays the first round, and the places of the second that nobody can win
are filled by those who lost the first by least, then by lot, once each. Who forfeited isn't among them.

A place that is filled so belongs to a board of the first round that nobody plays: the bracket has its shape, and the
losers come to it as that board's winner would.
"""

from collections.abc import Mapping, Sequence

from scoring.tiebreaks import draw_lot_order
from tournaments.formats.common.brackets import (
    NOBODY,
    UNKNOWN,
    BracketPlan,
    Side,
    compute_bracket_size,
    order_bracket,
)
from tournaments.formats.protocol import Draw, Result, Slot


def seat_everybody(draw: Draw) -> list[Side]:
    """Return the sides of the first round, in the order of the bracket: of an odd number one has a bye, and what is
    left of the bracket are boards of nobody."""
    seeds = range(1, draw.size + 1)
    order = draw_lot_order(draw.lot, seeds, "byes") if draw.options.get("byes_by_lot") else tuple(seeds)
    alone = order[: draw.size % 2]
    playing = [seed for seed in seeds if seed not in alone]
    better, worse = playing[: len(playing) // 2], playing[len(playing) // 2 :]
    opponents = dict(zip(better, reversed(worse), strict=True))
    firsts = sorted((*alone, *better))
    sides: list[Side] = []
    boards = compute_bracket_size(draw.size) // 2
    for place in order_bracket(max(2, boards))[:boards]:
        first = firsts[place - 1] if place <= len(firsts) else None
        second = None if first is None else opponents.get(first)
        sides += [NOBODY if seed is None else Side(True, seed) for seed in (first, second)]
    return sides


def fill_places(
    draw: Draw, results: Mapping[Slot, Result], bracket: BracketPlan, on: list[Side], out: Sequence[Side]
) -> list[Side]:
    """Return the sides of the second round: whoever goes ``on`` from each board, and the lucky ones of those who are
    ``out`` at the boards of nobody. Their ranks in the ``bracket`` are taken back, all of them while the round isn't
    over."""
    free = _list_free(len(on), bracket)
    decided = [board for board in range(len(on)) if Slot(1, board + 1) in results]
    margins = {board: margin for board in decided if (margin := results[Slot(1, board + 1)].margin) is not None}
    losers = [board for board in margins if out[board].seed is not None]
    if any(not side.known for side in on):
        chosen, lucky = losers, [UNKNOWN] * len(free)
    else:
        lots = draw_lot_order(draw.lot, [out[board].seed or 0 for board in losers], "lucky")
        at = {seed: number for number, seed in enumerate(lots)}
        losers.sort(key=lambda board: (margins[board], at[out[board].seed or 0]))
        chosen = _part_from_winners(losers[: len(free)], free)
        lucky = [out[board] for board in chosen] + [NOBODY] * (len(free) - len(chosen))
    for board in chosen if free else ():
        bracket.rank.pop(out[board].seed or 0, None)
    filled = list(on)
    for board, side in zip(free, lucky, strict=True):
        filled[board] = side
    return filled


def _list_free(boards: int, bracket: BracketPlan) -> list[int]:
    """Return the boards of nobody, that with the weakest winner beside it first."""
    taken = {pairing.slot.board - 1 for pairing in bracket.pairings if pairing.slot.round == 1 and pairing.first}
    places = order_bracket(max(2, boards))
    return sorted((board for board in range(boards) if board not in taken), key=lambda board: places[board])


def _part_from_winners(chosen: list[int], free: Sequence[int]) -> list[int]:
    """Return the lucky losers' boards in an order in which nobody meets at once who beat them, if there are two."""
    for at, board in enumerate(chosen):
        if free[at] ^ 1 == board and len(chosen) > 1:
            other = at - 1 if at else at + 1
            chosen[at], chosen[other] = chosen[other], chosen[at]
    return chosen
