"""The view frame: what one seat (or a spectator) is told of a table, as JSON values. docs/protocol.md describes it.

It holds codes and numbers, no words: the same for readers of every language.
It is built up from the engine's View of that seat, which is all it ever sees of a running deal, and from what is public
of the match. It reads no database and knows no rule.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType

import orjson
from django.urls import reverse

from games.clocks import compute_extra
from games.engine.cards import NAMES, list_cards
from games.engine.deciding import DecidingDeal
from games.engine.game import (
    AUTOMATIC,
    GameMove,
    HandView,
    HeardCall,
    Last,
    PileView,
    Points,
    TableCard,
    View,
    controlling_seat,
)
from games.engine.record import Json, write_move
from games.match_cache import DealCount
from games.models import Match, Seat

PointsPolicy = Callable[
    [Match], tuple[Points, Points] | None
]  # MP and VP of a finished match by line; None: worth nothing

_policies: list[PointsPolicy] = []


def register_points(worth: PointsPolicy) -> None:
    """Register who knows what results are worth, at start: tables know no VP (V1-V5)."""
    if worth not in _policies:
        _policies.append(worth)


def to_milliseconds(at: datetime | None) -> int | None:
    """Since the epoch."""
    return None if at is None else round(at.timestamp() * 1000)


def build_view_frame(
    match: Match,
    seats: Sequence[Seat],
    seat: int | None,
    view: View | None,
    deal: Json | None,
    counted: DealCount | None,
    goes_with: Mapping[GameMove, Sequence[int]] = MappingProxyType({}),
    barred: Sequence[tuple[int, str]] = (),
    deciding: DecidingDeal | None = None,
    card_points: Points | None = None,
) -> Json:
    """The frame but for ``now``, which whoever sends it adds. ``view`` None: nothing is being played.

    ``goes_with``: for the calls that go out together with a card, the cards they may be said with.
    ``barred``: cards of the hand to play from that can't just be put down, and why.
    ``deciding``, ``card_points``: of a finished match, the deal that decided it, and what both lines took, where the
    score doesn't tell it.
    """
    return {
        **build_version_part(match, view, deciding, card_points),
        **build_deal_part(match, seats, deal, counted),
        **build_seat_part(match, seat, view, goes_with, barred),
    }


def build_deal_part(
    match: Match, seats: Sequence[Seat], deal: Json | None, counted: DealCount | None, shuffle: Json | None = None
) -> Json:
    """Return what is the same for everybody and for all of a deal: the match, who sits there, the deal before, and
    where the cards come from (J1, J2)."""
    return {
        "ruleset": match.ruleset,
        "players": match.players,
        "lines": [list(range(line, match.hands, 2)) for line in (0, 1)],
        "seats": [_build_seat(match, number, seats) for number in range(match.hands)],
        "length": {match.length_kind: match.length_value},
        "context": match.context,
        "absence": match.absence,
        "training": match.training,
        "deal": deal,
        "previous": _build_count(counted),
        "shuffle": shuffle,
    }


def build_version_part(
    match: Match, view: View | None, deciding: DecidingDeal | None = None, card_points: Points | None = None
) -> Json:
    """Return what is the same for everybody at one version; of ``view`` only what any seat's has too."""
    return {
        "t": "view",
        "v": match.version,
        "status": match.status,
        "chat": match.chat_open,
        "score": [match.score_0, match.score_1],
        "turn": match.turn_seat,
        "away": _list_away(match),
        "beginners": [seat for seat in range(match.hands) if match.beginners >> seat & 1],
        "opening": None if match.opening_until is None else {"until": to_milliseconds(match.opening_until)},
        "clock": _build_clock(match),
        "paused": to_milliseconds(match.paused_at),
        "table": [] if view is None else _build_table(view.table),
        "stock": 0 if view is None else view.stock,
        "turned": None if view is None or view.turned is None else NAMES[view.turned],
        "piles": [_build_pile(pile) for pile in (view.piles if view else (PileView(0, 0, 0),) * 2)],
        "last": None if view is None else _build_last(view.last),
        "said": [] if view is None else [_build_call(call) for call in view.calls],
        "credited": [0, 0] if view is None else list(view.credited),
        "seen": [] if view is None else _name_cards(view.seen),
        "result": _build_result(match, deciding, card_points),
    }


def build_past_part(view: View) -> Json:
    """Return what a frame said of an earlier moment of the deal, to everybody: what was played and called by then."""
    return {
        "table": _build_table(view.table),
        "turned": None if view.turned is None else NAMES[view.turned],
        "piles": [_build_pile(pile) for pile in view.piles],
        "last": _build_last(view.last),
        "said": [_build_call(call) for call in view.calls],
    }


def _list_away(match: Match) -> list[int]:
    """List the hands that the house plays for people who are absent from a running match."""
    if not match.taken_over or match.status != Match.Status.PLAYING:
        return []
    return [hand for hand in range(match.hands) if match.taken_over >> hand & 1]


def build_seat_part(
    match: Match,
    seat: int | None,
    view: View | None,
    goes_with: Mapping[GameMove, Sequence[int]] = MappingProxyType({}),
    barred: Sequence[tuple[int, str]] = (),
) -> Json:
    """Return what is a seat's own: the hands as it knows them, and what it may do."""
    automatic = frozenset() if seat is None else match.automatic(seat)
    return {
        "seat": seat,
        "late": False,
        "automatic": [verb for verb in AUTOMATIC if verb in automatic],
        "hands": [{"count": 0, "cards": []}] * match.hands
        if view is None
        else [_build_hand(hand) for hand in view.hands],
        "legal": [] if view is None else [build_move(move, goes_with) for move in view.legal],
        "barred": [[NAMES[card], code] for card, code in barred],
    }


def _build_seat(match: Match, number: int, seats: Sequence[Seat]) -> Json:
    """Return the player at a seat. The morto is nobody's seat, and is played from another (M3)."""
    player = controlling_seat(number, match.players)
    taken = next(seat for seat in seats if seat.number == player)
    here = taken.arrived_at is not None
    if player != number:
        return {"name": None, "house": False, "here": here, "of": player}
    return {"name": taken.player.name, "house": taken.player.is_house, "here": here}


def _build_clock(match: Match) -> Json:
    starts, extra = None, timedelta()
    if match.turn_from is not None and match.deadline_at is not None:
        starts = match.turn_from + timedelta(milliseconds=match.extension_ms)
        if match.turn_seat is not None:
            extra = compute_extra(match.beginners, controlling_seat(match.turn_seat, match.players))
    return {
        "from": to_milliseconds(starts),
        "ends": to_milliseconds(match.deadline_at),
        "extra": extra // timedelta(milliseconds=1),
        "left": [match.clocks_ms[controlling_seat(seat, match.players)] for seat in range(len(match.clocks_ms))]
        or None,
        "noshow": to_milliseconds(match.noshow_at) if match.status == Match.Status.WAITING else None,
    }


def _build_hand(hand: HandView) -> Json:
    return {"count": hand.count, "cards": _name_cards(hand.cards)}


def _build_pile(pile: PileView) -> Json:
    return {"cards": pile.cards, "tricks": pile.tricks, "scope": pile.scope}


def _build_table(cards: Iterable[TableCard]) -> list[Json]:
    return [{"card": NAMES[card.card], "seat": card.seat} for card in cards]


def _build_last(last: Last | None) -> Json | None:
    if last is None:
        return None
    return {
        "cards": _build_table(last.cards),
        "takes": _name_cards(last.takes),
        "taker": last.taker,
        "scopa": last.scopa,
        "drawn": _build_table(last.drawn),
    }


def build_move(move: GameMove, goes_with: Mapping[GameMove, Sequence[int]] = MappingProxyType({})) -> Json:
    """A legal move: ``move`` is what the client sends back, the record's words without the seat."""
    encoded: Json = {"move": write_move(move).partition(" ")[2], "seat": move.seat, "verb": move.verb}
    if move.card >= 0:
        encoded["card"] = NAMES[move.card]
        encoded["takes"] = _name_cards(list_cards(move.takes))
    else:
        encoded["arg"] = move.arg
    if move in goes_with:
        encoded["goes_with"] = _name_cards(goes_with[move])
    return encoded


def _build_call(call: HeardCall) -> Json:
    return {
        "seat": call.seat, "verb": call.verb, "arg": call.arg, "cards": _name_cards(call.cards), "held": call.held,
        "trick": call.trick, "place": call.place,
    }  # fmt: skip


def _build_count(counted: DealCount | None) -> Json | None:
    if counted is None:
        return None
    return {
        "number": counted.number,
        "dealer": counted.dealer,
        "points": list(counted.tally.points),
        "rows": [
            {
                "code": row.code,
                "values": list(row.values),
                "points": list(row.points),
                "cards": [_name_cards(cards) for cards in row.cards],
            }
            for row in counted.tally.rows
        ],
        "last": _build_last(counted.last),
        "said": [_build_call(call) for call in counted.tally.calls],
    }


def _build_result(match: Match, deciding: DecidingDeal | None, card_points: Points | None) -> Json | None:
    if match.status != Match.Status.FINISHED:
        return None
    values = None if match.stopped_at else (policy(match) for policy in _policies)
    worth = next((value for value in values or () if value is not None), None)
    return {
        "winner": match.winner,
        "decided_by": match.decided_by or "stopped" if match.stopped_at else match.decided_by,
        "score": [match.score_0, match.score_1],
        "cards": card_points and list(card_points),
        "margin": match.margin or 0,
        "stakes": [match.stakes_0, match.stakes_1],
        "both_forfeited": match.both_forfeited,
        "mp": None if worth is None else list(worth[0]),
        "vp": None if worth is None else list(worth[1]),
        "url": reverse("match-result", args=[match.public_id]),
        "deciding": deciding
        and {
            "number": deciding.number,
            "gain": deciding.gain,
            "url": reverse("match-replay", args=[match.public_id, deciding.place]),
        },
    }


def _name_cards(cards: Iterable[int]) -> list[str]:
    return [NAMES[card] for card in cards]


def add_now(body: bytes, now: datetime) -> bytes:
    """An encoded frame with the server's hour in it, so that one encoding serves every socket of a seat."""
    return b'{"now":%d,%b' % (now.timestamp() * 1000, body[1:])


def encode_part(part: Json) -> bytes:
    """Encode a part of a frame, without the braces around it."""
    return orjson.dumps(part)[1:-1]


def join_parts(*parts: bytes) -> bytes:
    """Return the frame made of these parts."""
    return b"{%b}" % b",".join(parts)
