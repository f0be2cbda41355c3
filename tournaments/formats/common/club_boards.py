"""Protection of clubs on the boards of a round (EV9): as few of them as can be are of one club.

Whatever could be one way as well as another is the lot's.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import combinations

from scoring.tiebreaks import draw_lot_order
from tournaments.formats.common.clubs import Board, count_shared, reach_places, share_club
from tournaments.formats.common.matching import MAX_EXACT, find_cheapest_pairing
from tournaments.formats.protocol import Clubs, Swaps


def part_boards(
    boards: Sequence[Board], fixed: Collection[int], clubs: Clubs, lot: str, *, exact: int = MAX_EXACT
) -> Swaps:
    """Return the swaps after which as few of these boards as can be are of one club.

    Who is ``fixed`` keeps their place. Up to ``exact`` entries it is the very least, and as many boards as can be stay
    as they are. Of more it is the least where nobody has two clubs, and near it otherwise.
    """
    if not count_shared(clubs, boards):
        return ()
    if 2 * len(boards) > exact:
        return _part_by_swaps(boards, fixed, clubs, lot)
    entries = sorted(entry for board in boards for entry in board)
    present = {frozenset(board) for board in boards}
    costs = {
        (one, other): share_club(clubs, one, other) * (len(boards) + 1) + (frozenset((one, other)) not in present)
        for one, other in combinations(entries, 2)
        if not {one, other} <= set(fixed) or frozenset((one, other)) in present
    }
    pairs = find_cheapest_pairing(entries, costs, lot)
    if pairs is None:  # there is the present pairing
        raise ValueError(boards)
    wanted = sorted(sorted(pair) for pair in pairs - present)
    return reach_places(_seat_pairs([board for board in boards if frozenset(board) not in pairs], wanted, fixed))


def _seat_pairs(boards: Sequence[Board], wanted: Sequence[Sequence[int]], fixed: Collection[int]) -> Mapping[int, int]:
    """Return who comes to the place of each seed of these boards: as many pairs, each to a board where one of them
    sits, if there is such a board."""
    free = set(boards)
    seat: dict[int, int] = {}

    def take(board: Board, pair: Sequence[int], sitting: int) -> None:
        other = pair[1] if pair[0] == sitting else pair[0]
        seat[sitting] = sitting
        seat[board[1] if board[0] == sitting else board[0]] = other
        free.discard(board)

    at = {entry: board for board in boards for entry in board}
    left = []
    for pair in wanted:
        held = next((entry for entry in pair if entry in fixed), None)
        if held is None:
            left.append(pair)
        else:
            take(at[held], pair, held)
    homeless = []
    for pair in left:
        near = next((entry for entry in pair if at[entry] in free), None)
        if near is None:
            homeless.append(pair)
        else:
            take(at[near], pair, near)
    for board, pair in zip(sorted(free), homeless, strict=True):
        seat |= dict(zip(board, pair, strict=True))
    return seat


def _part_by_swaps(boards: Sequence[Board], fixed: Collection[int], clubs: Clubs, lot: str) -> Swaps:
    """Return swaps of two, each of which leaves fewer boards of one club, until there is none."""
    now = {entry: entry for board in boards for entry in board}
    facing = {one: other for board in boards for one, other in (board, board[::-1])}
    order = [entry for entry in draw_lot_order(lot, sorted(now), "clubs") if entry not in fixed]
    swaps: list[tuple[int, int]] = []

    def gain(one: int, other: int) -> int:
        """Return how many boards of one club there are fewer, if these two places are swapped."""
        if facing[one] == other:
            return 0
        against, beside = now[facing[one]], now[facing[other]]
        before = share_club(clubs, now[one], against) + share_club(clubs, now[other], beside)
        return before - share_club(clubs, now[other], against) - share_club(clubs, now[one], beside)

    hopeless: set[tuple[frozenset[int], frozenset[int]]] = set()  # who and against whom, since the last swap
    count = -1
    while count < len(swaps):
        count = len(swaps)
        for place in order:
            alike = clubs[now[place] - 1], clubs[now[facing[place]] - 1]
            if alike in hopeless or alike[0].isdisjoint(alike[1]):
                continue
            best = max(order, key=partial(gain, place))
            if gain(place, best) > 0:
                swaps.append((place, best))
                now[place], now[best] = now[best], now[place]
                hopeless.clear()
            else:
                hopeless.add(alike)
    return tuple(swaps)
