"""`briscola`: three cards in hand, a trump turned up, nobody has to follow suit. BR1-BR5.

It decides what may be played, who takes, what a deal is worth and what each seat may see. It never touches the match's
score, its end or its clocks.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from games.engine.cards import BIT, DECK_SIZE, RANKS, list_cards, make_mask
from games.engine.game import (
    PLAYS,
    SWITCH,
    AutomaticCalls,
    DealScores,
    GameMove,
    HandView,
    HeaderError,
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
    add_up_rows,
    show_hand,
)

HAND_SIZE = 3
HALF = 60  # BR4: who has more than half of the 120 points of the cards wins the deal
# BR2: low to high.
STRENGTH: tuple[int, ...] = tuple("24567FCR3A".index(RANKS[card % 10]) for card in range(DECK_SIZE))
WORTH: Mapping[str, int] = MappingProxyType({"A": 11, "3": 10, "R": 4, "C": 3, "F": 2})  # BR4
OF_RANK: Mapping[str, int] = MappingProxyType(
    {rank: make_mask(range(RANKS.index(rank), DECK_SIZE, len(RANKS))) for rank in WORTH}
)
SCORES = DealScores((frozenset({(1, 0), (0, 1), (0, 0)}),))  # BR4
NOTHING = (0, 0)

_new = tuple.__new__  # makes a NamedTuple in half the time of its own constructor


class BriscolaState(NamedTuple):
    """The cards of a deal. Hands and piles are masks."""

    hands: tuple[int, ...]
    turn: int  # the seat to play; -1 when no card is left
    cards: tuple[int, ...]  # the running trick in playing order
    stock: tuple[int, ...]  # not yet drawn, the next one first, the turned card last
    turned: int
    piles: tuple[int, int]  # what each line has taken
    tricks: Points
    last: tuple[int, ...]  # the trick before, in playing order
    led: int  # the seat that led it
    taker: int  # the seat that took it; -1 before the first
    drawer: int  # the seat that drew the turned card after it; -1 if nobody did
    shows_partner: bool  # the option: partners' last hands are open to each other (BR5)

    def __repr__(self) -> str:
        """Return a summary for logs, without a card (N2)."""
        return f"<Briscola: seat {self.turn} to play, {len(self.stock)} in the stock>"


class Briscola:
    """Briscola."""

    id = "briscola"
    players: tuple[int, ...] = (2, 4)
    options: Mapping[str, Option] = MappingProxyType({"mostra_compagno": SWITCH})

    def check(self, setup: Setup) -> None:
        """Refuse to show partners' hands where there are no partners (BR5)."""
        if setup.players == 2 and setup.options.get("mostra_compagno"):
            raise HeaderError("option_not_for_two")

    def terms(self, setup: Setup) -> MatchTerms:
        """Return the terms of any match: ties by G7, points of deals (BR4)."""
        return MatchTerms(level="tie_breaks" if setup.context == "ko" else "draw", card_points=True)

    def scores(self, setup: Setup) -> DealScores:
        """Return the scores that a deal may give: a point to one line, or none (BR4)."""
        return SCORES

    def deal(self, setup: Setup, deck: Sequence[int], dealer: int, score: Points | None = None) -> BriscolaState:
        """Deal three cards each (G4), then the card turned up, which becomes the last of the stock (BR1)."""
        players = setup.players
        leader = (dealer + 1) % players
        hands = [0] * players
        for place, card in enumerate(deck[: HAND_SIZE * players]):
            hands[(leader + place) % players] |= BIT[card]
        turned, *stock = deck[HAND_SIZE * players :]
        shows_partner = bool(setup.options.get("mostra_compagno"))
        return BriscolaState(
            tuple(hands), leader, (), (*stock, turned), turned, (0, 0), (0, 0), (), -1, -1, -1, shows_partner
        )

    def void(self, state: BriscolaState) -> bool:
        """Return False: no deal is void."""
        return False

    def turn(self, state: BriscolaState) -> int | None:
        """Return the seat to move."""
        return state.turn if state.turn >= 0 else None

    def legal(self, state: BriscolaState) -> tuple[GameMove, ...]:
        """List the plays: any card of the hand (BR2)."""
        seat = state.turn
        return tuple([PLAYS[seat][card] for card in list_cards(state.hands[seat])]) if seat >= 0 else ()

    def automatic(
        self, state: BriscolaState, wanted: AutomaticCalls, play: GameMove | None = None
    ) -> tuple[GameMove, ...]:
        """Return no calls: the game has none."""
        return ()

    def play(self, state: BriscolaState, move: GameMove) -> BriscolaState:
        """Return the state after a card; the last one of a trick decides who takes it (BR2), and cards are drawn
        (BR3)."""
        seat, verb, card, takes, arg = move
        hands, turn, cards, stock, turned, piles, tricks, last, led, taker, drawer, shows_partner = state
        if verb != "play" or takes or arg:
            raise IllegalMove("unknown_move")
        if seat != turn:
            raise IllegalMove("not_your_turn" if turn >= 0 else "deal_over")
        if not 0 <= card < DECK_SIZE or not hands[seat] & BIT[card]:
            raise IllegalMove("card_not_in_hand")
        players = len(hands)
        held = list(hands)
        held[seat] ^= BIT[card]
        cards = (*cards, card)
        following = (seat + 1) % players
        if len(cards) < players:
            return _new(
                BriscolaState,
                (tuple(held), following, cards, stock, turned, piles, tricks, last, led, taker, drawer, shows_partner),
            )
        led = following
        taker = (led + find_winner(cards, turned)) % players
        drawn = stock[:players]
        for place, drawn_card in enumerate(drawn):
            held[(taker + place) % players] |= BIT[drawn_card]
        return BriscolaState(
            hands=tuple(held),
            turn=taker if held[taker] else -1,
            cards=(),
            stock=stock[players:],
            turned=turned,
            piles=add_points(piles, taker % 2, make_mask(cards)),  # masks without a card in common
            tricks=add_points(tricks, taker % 2, 1),
            last=cards,
            led=led,
            taker=taker,
            drawer=(taker + players - 1) % players if turned in drawn else -1,
            shows_partner=shows_partner,
        )

    def tally(self, state: BriscolaState) -> Tally:
        """Count the cards taken, rank by rank; more than half is worth the deal's one point (BR4)."""
        parts = (
            TallyRow("aces", _count_worth(state, "A"), NOTHING, part=True),
            TallyRow("threes", _count_worth(state, "3"), NOTHING, part=True),
            TallyRow("kings", _count_worth(state, "R"), NOTHING, part=True),
            TallyRow("knights", _count_worth(state, "C"), NOTHING, part=True),
            TallyRow("jacks", _count_worth(state, "F"), NOTHING, part=True),
        )
        ours, theirs = (sum([row.values[line] for row in parts]) for line in (0, 1))
        rows = (*parts, TallyRow("card_points", (ours, theirs), (int(ours > HALF), int(theirs > HALF))))
        return Tally(add_up_rows(rows), rows, state.taker % 2)

    def tally_forfeit(self, state: BriscolaState, line: int) -> Tally:
        """Give the deal to the other line, whatever was taken (BR4)."""
        one = add_points(NOTHING, 1 - line, 1)
        return Tally(one, (TallyRow("deal_forfeited", one, one),), None, whole=False)

    def last(self, state: BriscolaState) -> Last | None:
        """Return the trick before, and who drew the turned card after it; the other draws are hidden (BR3)."""
        if state.taker < 0:
            return None
        drawn = (TableCard(state.turned, state.drawer),) if state.drawer >= 0 else ()
        return Last(_lay_out(state.last, state.led, len(state.hands)), (), state.taker, False, drawn)

    def view(self, state: BriscolaState, seat: int | None) -> View:
        """Return what a seat may see: its own hand, the tricks on the table and before, the turned card wherever it
        is, and at the end its partner's hand (BR5)."""
        ours, theirs = state.tricks
        players = len(state.hands)
        return View(
            seat=seat,
            turn=self.turn(state),
            hands=tuple([_show_hand(state, owner, seat) for owner in range(players)]),
            table=_lay_out(state.cards, (state.turn - len(state.cards)) % players, players),
            stock=len(state.stock),
            piles=(PileView(ours * players, ours, 0), PileView(theirs * players, theirs, 0)),
            last=self.last(state),
            legal=self.legal(state) if state.turn == seat else (),
            turned=state.turned,
        )


def find_winner(cards: Sequence[int], turned: int) -> int:
    """Return the place in the trick of the card that takes it: the highest trump, or of the suit led (BR2)."""
    place = 0
    for index, card in enumerate(cards):
        if beats(card, cards[place], turned):
            place = index
    return place


def beats(card: int, best: int, turned: int) -> bool:
    """Return whether a card takes the trick from the best one before it (BR2)."""
    if card // 10 == best // 10:
        return STRENGTH[card] > STRENGTH[best]
    return card // 10 == turned // 10


def _show_hand(state: BriscolaState, owner: int, seat: int | None) -> HandView:
    hand = state.hands[owner]
    return show_hand(hand.bit_count(), hand if _sees(state, seat, owner) else hand & BIT[state.turned])


def _sees(state: BriscolaState, seat: int | None, owner: int) -> bool:
    """Return whether a seat (None: a spectator) sees a whole hand: its own; its partner's, once the stock is used up
    (BR5)."""
    if seat is None or seat == owner:
        return seat == owner
    return state.shows_partner and not state.stock and seat % 2 == owner % 2


def _lay_out(cards: Iterable[int], leader: int, players: int) -> tuple[TableCard, ...]:
    return tuple([TableCard(card, (leader + place) % players) for place, card in enumerate(cards)])


def _count_worth(state: BriscolaState, rank: str) -> Points:
    ours, theirs = [(pile & OF_RANK[rank]).bit_count() * WORTH[rank] for pile in state.piles]
    return ours, theirs
