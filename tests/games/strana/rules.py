"""La Strana, a game nobody plays: made up so that a page which knew any rule of a real one would trip over it.

Two players, four cards each and six on the table; the other cards are out, but for one turned up, which means nothing.

- A card may be put down, or take all table cards of the next suit (d c b s d), or any one card of its own suit.
- Who takes plays again. A king waits while a fante lies on the table. The deal is over when both hands are empty.
- Once a deal each may *borbotta*, whoever's turn it is: two points. Who is to move may *conta* one, two or both of
  "uno" and "due", once: a point for each. A card of coppe may go out with *fischia* "piano" or "forte": a point.
- A point for each card taken.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from games.engine.cards import BIT, DECK_SIZE, RANKS, SUIT_MASKS, list_cards, make_mask
from games.engine.game import (
    AutomaticCalls,
    DealScores,
    GameMove,
    HeardCall,
    IllegalMove,
    Last,
    MatchTerms,
    Option,
    PileView,
    Points,
    Setup,
    TableCard,
    Tally,
    TallyRow,
    View,
    add_points,
    show_hands,
)

HAND_SIZE, TABLE_SIZE = 4, 6
COPPE = 1
FANTI = make_mask(card for card in range(DECK_SIZE) if RANKS[card % 10] == "F")
RE = RANKS.index("R")
WORTH = {"borbotta": 2, "conta uno": 1, "conta due": 1, "conta uno+due": 2, "fischia piano": 1, "fischia forte": 1}


class Strana(NamedTuple):
    """The cards of a deal. Hands, table and piles are masks."""

    hands: tuple[int, ...]
    turn: int
    table: int
    turned: int
    piles: tuple[int, int] = (0, 0)
    said: tuple[HeardCall, ...] = ()
    credited: Points = (0, 0)
    last: Last | None = None

    def __repr__(self) -> str:
        """Return what may stand in a log: no card (N2)."""
        return f"<Strana: seat {self.turn} to play>"


class StranaRules:
    """La Strana."""

    id = "strana"
    players: tuple[int, ...] = (2,)
    options: Mapping[str, Option] = MappingProxyType({})

    def check(self, setup: Setup) -> None:
        """Refuse nothing beyond ``match.check``."""

    def terms(self, setup: Setup) -> MatchTerms:
        return MatchTerms()

    def scores(self, setup: Setup) -> DealScores:
        return DealScores((frozenset((ours, theirs) for ours in range(41) for theirs in range(41)),))

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> Strana:
        hands = (make_mask(deck[:HAND_SIZE]), make_mask(deck[HAND_SIZE : 2 * HAND_SIZE]))
        table = deck[2 * HAND_SIZE : 2 * HAND_SIZE + TABLE_SIZE]
        return Strana(hands, 1 - dealer, make_mask(table), deck[2 * HAND_SIZE + TABLE_SIZE])

    def void(self, state: Strana) -> bool:
        return False

    def turn(self, state: Strana) -> int | None:
        return state.turn if state.turn >= 0 else None

    def legal(self, state: Strana) -> tuple[GameMove, ...]:
        if state.turn < 0:
            return ()
        whistled = self._said(state, state.turn, "fischia", now=True)
        moves = [
            GameMove(state.turn, "play", card, takes)
            for card in list_cards(state.hands[state.turn])
            if not (card % 10 == RE and state.table & FANTI) and (not whistled or card // 10 == COPPE)
            for takes in _takings(state.table, card)
        ]
        moves += [GameMove(seat, "borbotta") for seat in (0, 1) if not self._said(state, seat, "borbotta")]
        for verb, now in (("conta", False), ("fischia", True)):
            if not self._said(state, state.turn, verb, now=now) and (verb == "conta" or _has_coppe(state)):
                moves += [
                    GameMove(state.turn, *text.split()[:1], arg=text.split()[1]) for text in WORTH if verb in text
                ]
        return tuple(moves)

    def automatic(self, state: Strana, wanted: AutomaticCalls, play: GameMove | None = None) -> tuple[GameMove, ...]:
        return ()

    def play(self, state: Strana, move: GameMove) -> Strana:
        if move not in self.legal(state):
            raise IllegalMove("zoppo")
        if move.verb != "play":
            call = HeardCall(move.seat, move.verb, move.arg, place=_played(state))
            worth = WORTH[f"{move.verb} {move.arg}".strip()]
            return state._replace(said=(*state.said, call), credited=add_points(state.credited, move.seat, worth))
        hands, piles = list(state.hands), list(state.piles)
        hands[move.seat] ^= BIT[move.card]
        if move.takes:
            piles[move.seat] |= move.takes | BIT[move.card]
        again = bool(move.takes) and hands[move.seat]
        following = move.seat if again else 1 - move.seat
        if not hands[following]:
            following = 1 - following if hands[1 - following] else -1
        return state._replace(
            hands=tuple(hands),
            turn=following,
            table=state.table & ~move.takes if move.takes else state.table | BIT[move.card],
            piles=(piles[0], piles[1]),
            last=Last((TableCard(move.card, move.seat),), tuple(list_cards(move.takes)),
                      move.seat if move.takes else None, False, ()),
        )  # fmt: skip

    def tally(self, state: Strana) -> Tally:
        taken = (state.piles[0].bit_count(), state.piles[1].bit_count())
        rows = (TallyRow("prese_storte", taken, taken), TallyRow("parole", state.credited, state.credited))
        return Tally((taken[0] + state.credited[0], taken[1] + state.credited[1]), rows, None, calls=state.said)

    def tally_forfeit(self, state: Strana, line: int) -> Points:
        return add_points((0, 0), 1 - line, 1)

    def last(self, state: Strana) -> Last | None:
        return state.last

    def view(self, state: Strana, seat: int | None) -> View:
        return View(
            seat=seat,
            turn=self.turn(state),
            hands=show_hands(seat, state.hands),
            table=tuple([TableCard(card, None) for card in list_cards(state.table)]),
            stock=0,
            piles=(PileView(state.piles[0].bit_count(), 0, 0), PileView(state.piles[1].bit_count(), 0, 0)),
            last=state.last,
            legal=tuple([move for move in self.legal(state) if move.seat == seat]),
            turned=state.turned,
            calls=state.said,
            credited=state.credited,
        )

    @staticmethod
    def _said(state: Strana, seat: int, verb: str, *, now: bool = False) -> bool:
        """Return whether a seat has said this; ``now``: since the last card."""
        return any(
            call.seat == seat and call.verb == verb and (not now or call.place == _played(state)) for call in state.said
        )


def _played(state: Strana) -> int:
    return 2 * HAND_SIZE - sum(hand.bit_count() for hand in state.hands)


def _has_coppe(state: Strana) -> bool:
    return any(
        card // 10 == COPPE and not (card % 10 == RE and state.table & FANTI)
        for card in list_cards(state.hands[state.turn])
    )


def _takings(table: int, card: int) -> list[int]:
    """Return what a card may take, nothing included."""
    following = table & SUIT_MASKS[(card // 10 + 1) % 4]
    return [0, *[BIT[own] for own in list_cards(table & SUIT_MASKS[card // 10])], *([following] if following else [])]
