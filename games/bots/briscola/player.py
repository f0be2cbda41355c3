"""The thinking player of Briscola: each card tried in many deals that fit what the seat knows.

They are played on to the end as people play (``playouts``), or, when few cards are left, as well as can be
(``solver``). A choice depends on the Views and the dice alone.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial

from games.bots.briscola.deal import ALL_POINTS, BEATING, LOAD, ORDERED, PLAIN, POINTS, SUIT_SIZE, BriscolaDeal
from games.bots.briscola.playouts import play_out
from games.bots.briscola.solver import BriscolaSolver
from games.bots.dice import Dice
from games.bots.effort import Effort, OutOfNodes
from games.bots.memory import Memory, Play
from games.bots.worlds import Hidden, Impossible, Room
from games.engine.cards import BIT, FULL, list_cards, make_mask
from games.engine.game import GameMove, View
from games.rules.briscola import HALF

# What a deal is worth by the points of line 0: its point (BR4), and a little for how clearly it is won.
PAYOFFS: tuple[float, ...] = tuple(
    (value > HALF) - (value < HALF) + (value - HALF) / HALF / 2 for value in range(ALL_POINTS + 1)
)
EVEN: tuple[float, ...] = tuple((value - HALF) / HALF for value in range(ALL_POINTS + 1))
STOCK, GONE = -1, -2  # owners of hidden cards that are no seats


class BriscolaSituation:
    """A seat's turn to play: all it knows, and the deals that fit it."""

    def __init__(self, view: View, memory: Memory, seat: int) -> None:
        if view.turned is None:
            raise Impossible
        self.seat, self.players = seat, len(view.hands)
        self.trumps = view.turned // SUIT_SIZE
        self.trick = [ORDERED[lying.card] for lying in view.table]
        self.leader = (seat - len(self.trick)) % self.players
        self.stock = view.stock
        self.left = view.hands[seat].count + view.stock // self.players  # tricks that this seat still plays to
        self.value, self.knows_value = _add_up_tricks(memory.plays, view, self.trumps)
        self._last = [ORDERED[view.turned]] if view.stock else []
        self._known = [make_mask(hand.cards) for hand in view.hands]
        unseen = FULL & ~(memory.seen | BIT[view.turned] | make_mask(lying.card for lying in view.table))
        places, self._owners = [], []
        for owner, hand in enumerate(view.hands):
            unseen &= ~self._known[owner]
            places.append(Room(hand.count - self._known[owner].bit_count(), FULL))
            self._owners.append(owner)
        places.append(Room(view.stock - len(self._last), FULL))
        self._owners.append(STOCK)
        places.append(Room(unseen.bit_count() - sum(place.room for place in places), FULL))
        self._owners.append(GONE)
        self._hidden = Hidden(unseen, places)

    @property
    def is_open(self) -> bool:
        """Return whether every card in hand has but one place to be."""
        return not self.stock and self._hidden.is_open

    def deal(self, dice: Dice) -> BriscolaDeal:
        """Return a deal that fits what is known."""
        hands, drawn = self._lay_out(self._hidden.deal(dice))
        random = dice.random
        stock = sorted(drawn, key=lambda _card: random())
        return BriscolaDeal(self.trumps, hands, self.leader, self.trick, [*self._last, *stock], self.value)

    def count_ways(self) -> int:
        """Return in how many ways the hidden cards may lie, in the stock one after the other."""
        return self._hidden.ways * factorial(max(self.stock - len(self._last), 0))

    def list_deals(self) -> Iterator[BriscolaDeal]:
        """Yield every deal that fits what is known, each once."""
        for dealt in self._hidden.list_deals():
            hands, drawn = self._lay_out(dealt)
            for stock in permutations(drawn):
                yield BriscolaDeal(self.trumps, hands, self.leader, self.trick, [*self._last, *stock], self.value)

    def _lay_out(self, dealt: Sequence[int]) -> tuple[list[list[int]], list[int]]:
        """Return the hands, and the cards of the stock but for the last one, in any order."""
        hands = list(self._known)
        stock: list[int] = []
        for owner, cards in zip(self._owners, dealt, strict=True):
            if owner >= 0:
                hands[owner] |= cards
            elif owner == STOCK:
                stock = [ORDERED[card] for card in list_cards(cards)]
        return [[ORDERED[card] for card in list_cards(hand)] for hand in hands], stock


def choose(
    ruleset_id: str, view: View, memory: Memory, plays: Sequence[GameMove], effort: Effort, dice: Dice
) -> tuple[GameMove, ...]:
    """Return the play of this seat."""
    seat = plays[0].seat
    legal = sorted(ORDERED[move.card] for move in plays)
    chosen = choose_card(BriscolaSituation(view, memory, seat), legal, effort, dice)
    return (GameMove(seat, "play", PLAIN[chosen]),)


def weigh(
    ruleset_id: str, view: View, memory: Memory, plays: Sequence[GameMove], effort: Effort, dice: Dice
) -> dict[GameMove, list[float]]:
    """Return what the deal came to for the line of this seat after each of these plays, world by world."""
    seat = plays[0].seat
    legal = sorted(ORDERED[move.card] for move in plays)
    worths = weigh_cards(BriscolaSituation(view, memory, seat), legal, effort, dice)
    return {move: worths[ORDERED[move.card]] for move in plays if ORDERED[move.card] in worths}


def choose_card(situation: BriscolaSituation, legal: Sequence[int], effort: Effort, dice: Dice) -> int:
    """Return the card expected to bring its line most, of those that may be led here; of equals the weakest."""
    legal = _hold_loads_back(situation, legal)
    worths = weigh_cards(situation, legal, effort, dice)
    return max(legal, key=lambda card: (sum(worths[card]), -card) if card in worths else (float("-inf"), -card))


def _hold_loads_back(situation: BriscolaSituation, legal: Sequence[int]) -> Sequence[int]:
    """Return the cards without aces and threes, where one leads early and has a card that nobody minds losing.

    In thought such a lead comes to as much, for it takes a trump out; at a table of people it is a beginner's.
    """
    plain = [card for card in legal if card // SUIT_SIZE != situation.trumps]
    loads = {card for card in plain if POINTS[card] >= LOAD}
    early = not situation.trick and situation.stock > 2 * situation.players
    return [card for card in legal if card not in loads] if early and len(loads) < len(plain) else legal


def weigh_cards(
    situation: BriscolaSituation, legal: Sequence[int], effort: Effort, dice: Dice
) -> dict[int, list[float]]:
    """Return what the deal came to for its line after each legal card, world by world.

    The worst card is left out now and then (``effort.first``).
    """
    payoffs = PAYOFFS if situation.knows_value else EVEN
    sign = -1 if situation.seat % 2 else 1
    if situation.left <= effort.exact_cards:
        worths = _weigh_exactly(situation, payoffs, effort, dice)
        if worths is not None:
            return {card: [sign * worth for worth in worths[card]] for card in legal}
    tried: dict[int, list[float]] = {card: [] for card in legal}
    for number in range(1, effort.worlds + 1):
        deal = situation.deal(dice)
        for card, worth in tried.items():
            after = deal.copy()
            after.play(card)
            worth.append(sign * payoffs[play_out(after, dice)])
        if effort.first and number % effort.first == 0 and len(tried) > 2:
            ranked = sorted(tried, key=lambda card: (-sum(tried[card]), card))
            tried = {card: tried[card] for card in ranked[:-1]}
    return tried


def _weigh_exactly(
    situation: BriscolaSituation, payoffs: Sequence[float], effort: Effort, dice: Dice
) -> dict[int, list[float]] | None:
    """Return the worth of each card over deals played best by all; None if not one could be looked at whole."""
    worths: dict[int, list[float]] = {}
    nodes = effort.nodes
    for number in range(1 if situation.is_open else effort.exact_worlds):
        solver = BriscolaSolver(nodes)
        try:
            values = solver.evaluate_plays(situation.deal(dice))
        except OutOfNodes:
            return worths if number else None
        nodes = solver.nodes
        for card, value in values.items():
            worths.setdefault(card, []).append(payoffs[value])
    return worths or None


def _add_up_tricks(plays: Sequence[Play], view: View, trumps: int) -> tuple[int, bool]:
    """Return the points that line 0 has taken in the tricks remembered, and whether those are all there were."""
    value = tricks = 0
    players, beating = len(view.hands), BEATING[trumps]
    trick: list[Play] = []
    for play in plays:
        trick = [*trick, play] if play.lying else [play]
        if len(trick) == players:
            place = 0
            for at in range(1, players):
                if beating[ORDERED[trick[place].card]] >> ORDERED[trick[at].card] & 1:
                    place = at
            tricks += 1
            if trick[place].seat % 2 == 0:
                value += sum(POINTS[ORDERED[played.card]] for played in trick)
    return value, tricks == sum(pile.tricks for pile in view.piles)
