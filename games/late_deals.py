"""Finished deals of running matches, as whoever watches late sees them (W3): the last, as far as the running one has
got.

All that the running deal tells a late spectator is how many of its cards have been played. It reads and never writes.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from games.engine import match as engine
from games.engine.match import DealPoints, Progress
from games.engine.record import parse_move
from games.match_cache import ProcessCache, Redealt, build_setup
from games.models import Deal, Match, Move
from games.sealing import read_deck

MAX_DEALS = 500

_deals: ProcessCache["LateDeal"] = ProcessCache(MAX_DEALS)


class LateMoment(NamedTuple):
    """The deal after one of its moves; ``version`` is the match's of then."""

    version: int
    remaining: int
    progress: Progress


@dataclass(frozen=True, slots=True)
class LateDeal:
    """A finished deal, move by move but for the last. ``number`` counts from 0, void ones included."""

    number: int
    redealt: Redealt | None
    moments: tuple[LateMoment, ...] = field(repr=False)

    def find_moment(self, remaining: int) -> LateMoment:
        """Return the last moment at which at least ``remaining`` cards were still to be played."""
        later = (moment for moment in reversed(self.moments) if moment.remaining >= remaining)
        return next(later, self.moments[0])


def count_remaining(progress: Progress) -> int:
    """Return how many cards of the running deal are still to be played: in hands and in the stock."""
    view = engine.view(progress, None)
    return sum(hand.count for hand in view.hands) + view.stock


def read_late_deal(match: Match, before: int) -> LateDeal | None:
    """Return the last deal before the one numbered ``before`` that was played to its end; None if there is none."""
    key = (match.public_id, before)
    hit = _deals.get(key)
    if hit is not None or before == 0:
        return hit
    rows = list(Deal.objects.with_results().filter(match_id=match.pk, finished=True, number__lt=before))
    while rows and rows[-1].void:
        rows.pop()
    if not rows:
        return None
    shown = rows.pop()
    earlier = [DealPoints(row.dealer, row.void, (row.points_0, row.points_1)) for row in rows]
    progress = engine.deal(engine.start(build_setup(match), earlier), read_deck(shown.deck))
    moves = list(shown.moves.with_results().order_by("ply").values_list("version", "text"))
    moments = [LateMoment(moves[0][0] - 1, count_remaining(progress), progress)]
    for version, text in moves:
        progress = engine.play(progress, parse_move(text))
        if progress.deal is None:
            break
        moments.append(LateMoment(version, count_remaining(progress), progress))
    late = LateDeal(shown.number, _find_redeal(rows[-1] if rows else None), tuple(moments))
    _deals.put(key, late)
    return late


def find_first_version(match: Match) -> int:
    """Return the version of a running match before its first move."""
    first = Move.objects.filter(match_id=match.pk).order_by("version").values_list("version", flat=True).first()
    return match.version if first is None else first - 1


def _find_redeal(before: Deal | None) -> Redealt | None:
    if before is None or not before.void:
        return None
    last = before.moves.with_results().order_by("-ply").values_list("text", flat=True).first()
    return Redealt(None if last is None else parse_move(last).seat)


def clear_cache() -> None:
    """Clear the cache of this process."""
    _deals.clear()
