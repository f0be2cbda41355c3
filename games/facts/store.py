"""Writing of the facts of a match: whenever it is over, and again for all matches by ``recompute_facts``."""

import logging
from collections.abc import Iterator
from datetime import datetime

from django.db import transaction

from games import match_cache
from games.engine.game import IllegalMove
from games.facts.count import MatchCount, PlayedDeal, PlayedMove, count_match
from games.models import Deal, Match, Move, Seat, SeatFacts
from games.sealing import read_deck

logger = logging.getLogger(__name__)

COUNTED = ("scope", "settebello", "primiera", "accusi", "cappotti", "last_tricks", "plays", "thinking_ms")
COMPARED = (
    "player_id", "side", "ruleset", "players", "finished_at", "outcome", "points_for", "points_against",
    "cards_for", "cards_against", "deals",
    *COUNTED,
)  # fmt: skip
Outcome = SeatFacts.Outcome


@transaction.atomic
def store_facts(*, match_id: int) -> None:
    """Write the facts of a finished match, whatever stood there; none where it has no result or was training."""
    match = Match.objects.get(pk=match_id)
    facts = make_facts(match)
    SeatFacts.objects.filter(match=match).delete()
    SeatFacts.objects.bulk_create(facts, ignore_conflicts=True)  # another worker delivers the same result


def make_facts(match: Match) -> list[SeatFacts]:
    """Return the facts of a match that its record gives, not stored; none while they are withheld (J12)."""
    if match.status != Match.Status.FINISHED or match.stopped_at is not None or match.training or not match.is_shown:
        return []
    assert match.finished_at is not None
    count = _count(match)
    made = []
    for seat in Seat.objects.filter(match=match).order_by("number"):
        side, own = seat.number % 2, count.seats.get(seat.number)
        given = match.handicap or (0, 0)  # to begin with: nobody made them (L7)
        points = (match.score_0 - given[0], match.score_1 - given[1])
        cards = count.card_points or (None, None)
        made.append(
            SeatFacts(
                seat=seat,
                match=match,
                player_id=seat.player_id,
                side=side,
                ruleset=match.ruleset,
                players=match.players,
                finished_at=match.finished_at,
                outcome=_find_outcome(match, side),
                points_for=points[side],
                points_against=points[1 - side],
                cards_for=cards[side],
                cards_against=cards[1 - side],
                deals=count.deals,
                **({} if own is None else {name: getattr(own, name) for name in COUNTED}),
            )
        )
    return made


def _find_outcome(match: Match, side: int) -> str:
    if match.both_forfeited:
        return Outcome.LOST
    return Outcome.DRAWN if match.winner is None else Outcome.WON if match.winner == side else Outcome.LOST


def _count(match: Match) -> MatchCount:
    """Count the record. One that can't be replayed is logged, and only its result counts: it must hold up nothing."""
    try:
        return count_match(match_cache.build_setup(match), list(_read_deals(match)))
    except (IllegalMove, ValueError):
        logger.exception("the record of match %s can't be counted", match.pk)
        return MatchCount()


def _read_deals(match: Match) -> Iterator[PlayedDeal]:
    moves: dict[int, list[tuple[str, datetime]]] = {}
    rows = Move.objects.with_results().filter(match=match).order_by("version")
    for deal_id, text, played_at in rows.values_list("deal_id", "text", "played_at"):
        moves.setdefault(deal_id, []).append((text, played_at))
    for deal in Deal.objects.with_results().filter(match=match).order_by("number"):
        before: datetime | None = None
        played = []
        for text, at in moves.get(deal.pk, ()):
            played.append(PlayedMove(text, None if before is None else int((at - before).total_seconds() * 1000)))
            before = at
        yield PlayedDeal(read_deck(deal.deck), played)


def find_fact_differences() -> Iterator[str]:
    """Yield the public ids of the finished matches whose facts aren't what their records give. One whose end nobody
    has taken in yet isn't compared: it is late, not wrong."""
    for match in _list_finished():
        stored = {facts.seat_id: facts for facts in SeatFacts.objects.filter(match=match)}
        given = {facts.seat_id: facts for facts in make_facts(match)}
        if stored.keys() != given.keys() or any(
            getattr(stored[pk], name) != getattr(given[pk], name) for pk in given for name in COMPARED
        ):
            yield match.public_id


def recompute_facts() -> list[str]:
    """Write anew the facts that differ, and return the public ids of their matches."""
    differing = list(find_fact_differences())
    for match_id in Match.objects.filter(public_id__in=differing).values_list("pk", flat=True):
        store_facts(match_id=match_id)
    return differing


def _list_finished() -> Iterator[Match]:
    over = Match.objects.filter(status=Match.Status.FINISHED, settled_at__isnull=False)
    return over.order_by("pk").iterator(chunk_size=200)
