"""Knowledge of a seat about a Tresette deal, and the deals that fit it: from a View and what is remembered alone.

Who couldn't follow has no card of that suit, unless they were seen drawing it; who called a combination was dealt it
(T5, M4, C4); who declared *Ho* had so many cards of the suit and no other of its honours (T10); who said *volo* has no
other (C3). Cards nobody remembers lie in a pile of their own. It decides no play.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import NamedTuple

from games.bots.dice import Dice
from games.bots.memory import Memory, Play
from games.bots.tricks.cards import ORDERED, list_bits, order_cards
from games.bots.tricks.deal import TrickDeal, decide_trick
from games.bots.worlds import Hidden, Impossible, Room
from games.engine.calls import COMBINATIONS, RANK_MASKS, parse_combinations
from games.engine.cards import BIT, FULL, SUIT_MASKS, SUITS, list_cards, make_mask
from games.engine.game import GameMove, HeardCall, View
from games.engine.tricks import SUIT

HONOURS = RANK_MASKS["3"] | RANK_MASKS["2"] | RANK_MASKS["A"]
MOST_VARIANTS = 8  # ways of making up the threes of a rank that were called
STOCK, GONE = -1, -2  # owners of hidden cards that are no seats


class TrickSituation:
    """A seat's turn to play a card: what it may play, and all it knows. Cards are in the order of strength."""

    def __init__(self, view: View, memory: Memory, plays: Sequence[GameMove]) -> None:
        self.seat = plays[0].seat
        self.players = len(view.hands)
        self.legal = sorted(1 << ORDERED[move.card] for move in plays)
        self.trick = [1 << ORDERED[lying.card] for lying in view.table]
        self.leader = (self.seat - len(self.trick)) % self.players
        self.held = view.hands[self.seat].count
        self.stock = view.stock
        self.value, self.knows_value = _add_up_tricks(memory.plays, view)
        self._variants = _list_variants(view, memory)

    @property
    def is_open(self) -> bool:
        """Return whether every hidden card has but one place to be."""
        return len(self._variants) == 1 and self._variants[0].hidden.is_open and self.stock <= 1

    def deal(self, dice: Dice) -> TrickDeal:
        """Return a deal that fits what is known."""
        variants = self._variants
        variant = variants[int(dice.random() * len(variants))] if len(variants) > 1 else variants[0]
        hands, drawn = self._lay_out(variant, variant.hidden.deal(dice))
        random = dice.random
        stock = sorted(list_bits(drawn), key=lambda _card: random())
        return TrickDeal(hands, self.leader, self.trick, stock, self.value)

    def count_ways(self) -> int:
        """Return in how many ways the hidden cards may lie; 0 where cards are to be drawn, or it can't be told, for of
        a call there are several readings that overlap."""
        return 0 if self.stock or len(self._variants) > 1 else self._variants[0].hidden.ways

    def list_deals(self) -> Iterator[TrickDeal]:
        """Yield every deal that fits what is known, each once."""
        variant = self._variants[0]
        for dealt in variant.hidden.list_deals():
            yield TrickDeal(self._lay_out(variant, dealt)[0], self.leader, self.trick, (), self.value)

    def _lay_out(self, variant: "_Variant", dealt: Sequence[int]) -> tuple[list[int], int]:
        """Return the hands, and the cards of the stock."""
        hands, stock = list(variant.known), 0
        for owner, cards in zip(variant.owners, dealt, strict=True):
            if owner >= 0:
                hands[owner] |= order_cards(cards)
            elif owner == STOCK:
                stock = order_cards(cards)
        return hands, stock


class _Variant(NamedTuple):
    """Hands as far as they are known, and the hidden cards with the owner of each place."""

    known: tuple[int, ...]  # in the order of strength
    hidden: Hidden
    owners: tuple[int, ...]


@dataclass(slots=True)
class _Knowledge:
    """Knowledge of each seat's hand: masks of cards held and of those it can't hold unseen, and how many of a suit
    are still held where that was told."""

    held: list[int]
    lacking: list[int]
    counts: dict[tuple[int, int], int] = field(default_factory=dict)


def _add_up_tricks(plays: Sequence[Play], view: View) -> tuple[int, bool]:
    """Return the thirds that line 0 has taken in the tricks remembered, and whether those are all there were."""
    value = tricks = 0
    trick: list[Play] = []
    for play in plays:
        if not play.lying:
            trick = []
        trick.append(play)
        if len(trick) == len(view.hands):
            place, worth = decide_trick([1 << ORDERED[played.card] for played in trick])
            tricks += 1
            if trick[place].seat % 2 == 0:
                value += worth
    return value, tricks == sum(pile.tricks for pile in view.piles)


def _gather(view: View, memory: Memory) -> _Knowledge:
    played = _find_played(memory)
    knowledge = _Knowledge(_find_shown(view, memory), [0] * len(view.hands))
    for play in memory.plays:
        if play.lying and SUIT[play.card] != SUIT[play.lying[0]]:
            knowledge.lacking[play.seat] |= SUIT_MASKS[SUIT[play.lying[0]]]
    whole = len(memory.plays) == sum(pile.tricks for pile in view.piles) * len(view.hands) + len(view.table)
    for call in memory.calls:
        knowledge.held[call.seat] |= make_mask(call.cards) & ~played
        if call.verb == "accuso":
            for code in parse_combinations(call.arg):
                if not code.startswith("3x"):
                    knowledge.held[call.seat] |= COMBINATIONS[code] & ~played
        elif whole:  # else nobody can tell which trick it was said in
            _understand_word(knowledge, memory, call)
    return knowledge


def _understand_word(knowledge: _Knowledge, memory: Memory, call: HeardCall) -> None:
    """Add what a declaration or a signal says of a hand, when every card since the first is remembered (T10, C3)."""
    since = memory.plays[call.trick * len(knowledge.held) + call.place :]
    if call.verb == "declare" and call.held:
        suit = SUITS.index(call.arg[0])
        knowledge.lacking[call.seat] |= SUIT_MASKS[suit] & HONOURS & ~make_mask(call.cards)
        played = sum(play.seat == call.seat and SUIT[play.card] == suit for play in since)
        knowledge.counts[call.seat, suit] = call.held - played
    elif call.arg == "volo" and since:
        knowledge.lacking[call.seat] |= SUIT_MASKS[SUIT[since[0].card]]


def _find_shown(view: View, memory: Memory) -> list[int]:
    """Return the cards of each hand that are in sight, or were seen being drawn (T1)."""
    shown = [make_mask(hand.cards) for hand in view.hands]
    played = _find_played(memory)
    for seat, card in memory.drawn:
        shown[seat] |= BIT[card] & ~played
    return shown


def _find_played(memory: Memory) -> int:
    return make_mask(play.card for play in memory.plays)


def _list_variants(view: View, memory: Memory) -> list[_Variant]:
    """List the ways in which the hidden cards may lie. Impossible if they fit nowhere."""
    knowledge = _gather(view, memory)
    variants = [
        variant
        for held in islice(_list_hands_with_threes(memory, knowledge.held), MOST_VARIANTS)
        if (variant := _build_variant(view, memory, _Knowledge(held, knowledge.lacking, knowledge.counts))) is not None
    ]
    if variants:
        return variants
    # Somebody has said what isn't so: only what was seen is sure.
    plain = _build_variant(view, memory, _Knowledge(_find_shown(view, memory), [0] * len(view.hands)))
    if plain is None:
        raise Impossible
    return [plain]


def _list_hands_with_threes(memory: Memory, held: Sequence[int]) -> Iterator[list[int]]:
    """List what the seats hold, for each card that may be missing from the threes of a rank that were called."""
    played = _find_played(memory)
    choices: list[list[tuple[int, int]]] = []  # seat and cards
    for call in memory.calls:
        codes = parse_combinations(call.arg) if call.verb == "accuso" and not call.cards else ()
        for cards in [COMBINATIONS[code] for code in codes if code.startswith("3x")]:
            own = make_mask(play.card for play in memory.plays if play.seat == call.seat)
            elsewhere = played & ~own
            for seat, hand in enumerate(held):
                elsewhere |= hand if seat != call.seat else 0
            candidates = cards & elsewhere or cards & ~own & ~held[call.seat]
            choices.append([(call.seat, cards & ~played & ~BIT[missing]) for missing in list_cards(candidates)])
    for way in product(*choices):
        hands = list(held)
        for seat, cards in way:
            hands[seat] |= cards
        yield hands


def _build_variant(view: View, memory: Memory, knowledge: _Knowledge) -> _Variant | None:
    """Return the hidden cards with their places; None where they don't fit."""
    unseen = FULL & ~memory.seen
    places: list[Room] = []
    owners: list[int] = []
    for seat, hand in enumerate(view.hands):
        unseen &= ~knowledge.held[seat]
        room = hand.count - knowledge.held[seat].bit_count()
        allowed = FULL & ~knowledge.lacking[seat]
        for suit, mask in enumerate(SUIT_MASKS):
            if (seat, suit) in knowledge.counts:
                of_suit = knowledge.counts[seat, suit] - (knowledge.held[seat] & mask).bit_count()
                places.append(Room(of_suit, allowed & mask))
                owners.append(seat)
                allowed &= ~mask
                room -= of_suit
        places.append(Room(room, allowed))
        owners.append(seat)
    places.append(Room(view.stock, FULL))
    owners.append(STOCK)
    places.append(Room(unseen.bit_count() - sum(place.room for place in places), FULL))
    owners.append(GONE)
    used = [at for at, place in enumerate(places) if place.room]
    try:
        hidden = Hidden(unseen, [places[at] for at in used])
    except Impossible:
        return None
    return _Variant(tuple(map(order_cards, knowledge.held)), hidden, tuple([owners[at] for at in used]))
