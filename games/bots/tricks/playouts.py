"""Tresette deals with open cards played to their end in a moment, as people mostly play.

Each function takes a ``TrickDeal`` and dice, leaves the deal alone and returns its final value: the thirds of line 0,
the last trick counting three. With ``trail`` it notes every card, in order, for the tests. Whoever plays as people do
cashes what nothing beats, takes points when last, throws what is worth least, and gives a partner's trick what is worth
most; where points hurt (A1) they duck and throw what is worth most to the others.
"""

from collections.abc import Callable

from games.bots.dice import Dice
from games.bots.tricks.cards import LAST_TRICK, SUIT_BITS, SUIT_SIZE, WORTH, list_bits
from games.bots.tricks.deal import TrickDeal

CASHING = 0.75  # how often a leader who has a card that nothing beats leads one
TRUSTING = 0.4  # how often points are given to a partner's card that can still be beaten
PLAIN_TOP = 0.5  # how often the best card of a suit goes on a trick without a point

_ACE, _TWO = 1 << 7, 1 << 8  # places in a suit's order: 4 5 6 7 F C R A 2 3


def _choose_by(key: Callable[[int], int]) -> tuple[int, ...]:
    """Return for each mask of a suit the card of it with the highest key; 0 for none."""
    keys = {1 << place: key(place) for place in range(SUIT_SIZE)}
    return (0, *(max(list_bits(mask), key=keys.__getitem__) for mask in range(1, SUIT_BITS + 1)))


def _rank_gift(place: int) -> int:
    """Rank what is given to a trick of one's own line: the ace, figures from the lowest, a small card, the 3 and 2."""
    if place < 4:
        return 10 - place
    return {4: 22, 5: 21, 6: 20, 7: 30, 8: 5, 9: 4}[place]


def _rank_scrap(place: int) -> int:
    """Rank what is thrown away: the lowest without a point first, the ace last."""
    if place < 4:
        return -place
    return {4: -14, 5: -15, 6: -16, 7: -40, 8: -38, 9: -39}[place]


def _rank_burden(place: int) -> int:
    """Rank what is thrown to others where points hurt: the ace, the 3 and 2, figures."""
    if place < 4:
        return place
    return {4: 24, 5: 25, 6: 26, 7: 50, 8: 48, 9: 49}[place]


GIFT, SCRAP, BURDEN = _choose_by(_rank_gift), _choose_by(_rank_scrap), _choose_by(_rank_burden)
GIFT_RANK: dict[int, int] = {1 << place: _rank_gift(place) for place in range(SUIT_SIZE)}
SCRAP_RANK: dict[int, int] = {1 << place: _rank_scrap(place) for place in range(SUIT_SIZE)}
BURDEN_RANK: dict[int, int] = {1 << place: _rank_burden(place) for place in range(SUIT_SIZE)}


class _Suits:
    """A deal with its cards by suit: of each hand (four entries a seat), and of all hands together."""

    __slots__ = ("all", "held")

    def __init__(self, deal: TrickDeal) -> None:
        self.held = [hand >> SUIT_SIZE * suit & SUIT_BITS for hand in deal.hands for suit in range(4)]
        self.all = [0, 0, 0, 0]
        for place, cards in enumerate(self.held):
            self.all[place % 4] |= cards


def play_to_win(deal: TrickDeal, dice: Dice, trail: list[int] | None = None) -> int:
    """Play on as people do who want points."""
    random = dice.random
    suits = _Suits(deal)
    held, everything = suits.held, suits.all
    players, leader, value, stock = len(deal.hands), deal.leader, deal.value, list(deal.stock)
    left = deal.hands[leader].bit_count() + (1 if deal.trick else 0)  # tricks, while no card is drawn
    lying = [(card.bit_length() - 1) // SUIT_SIZE for card in deal.trick]
    played = [(suit, card >> SUIT_SIZE * suit) for suit, card in zip(lying, deal.trick, strict=True)]
    while left:
        best = worth = led = count = 0
        taker = leader
        seat = leader
        for suit, card in played:
            worth += WORTH[card]
            if not count:
                led, best = suit, card
            elif suit == led and card > best:
                best, taker = card, seat
            count += 1
            seat = seat + 1 if seat + 1 < players else 0
        played = []
        while count < players:
            base = 4 * seat
            if not count:
                suit, card = _lead_to_win(held, base, everything, random)
                led, best, taker = suit, card, seat
            else:
                suit, cards = led, held[base + led]
                mates = (taker ^ seat) & 1 == 0
                last = count == players - 1
                if cards:
                    if last:
                        if mates:
                            card = GIFT[cards]
                        elif cards > best:
                            above = cards & ~(2 * best - 1)
                            if above & _ACE:
                                card = _ACE
                            else:
                                card = above & -above
                                if card >= _TWO and not worth and cards & best - 1:
                                    card = SCRAP[cards & best - 1]
                        else:
                            card = SCRAP[cards]
                    else:
                        out = everything[led]
                        sure = out < best
                        if mates and sure:
                            card = GIFT[cards]
                        elif cards > best and cards > out ^ cards and (worth or random() < PLAIN_TOP):
                            card = 1 << cards.bit_length() - 1
                        elif count == 2 and cards > best and not mates:
                            above = cards & ~(2 * best - 1)
                            card = above & -above
                        else:
                            card = SCRAP[cards]
                    if card > best:
                        best, taker = card, seat
                elif mates and (last or everything[led] < best or random() < TRUSTING):
                    suit, card = _choose_from_any(held, base, GIFT, GIFT_RANK)
                else:
                    suit, card = _choose_from_any(held, base, SCRAP, SCRAP_RANK)
            held[base + suit] ^= card
            everything[suit] ^= card
            worth += WORTH[card]
            if trail is not None:
                trail.append(card << SUIT_SIZE * suit)
            count += 1
            seat = seat + 1 if seat + 1 < players else 0
        leader = taker
        left -= 1
        if stock:
            left += 1
            _draw(held, everything, stock, leader, players)
        if leader & 1 == 0:
            value += worth if left else worth + LAST_TRICK
    return value


def play_to_lose(deal: TrickDeal, dice: Dice, trail: list[int] | None = None) -> int:
    """Play on as people do where points hurt (A1)."""
    random = dice.random
    suits = _Suits(deal)
    held, everything = suits.held, suits.all
    players, leader, value, stock = len(deal.hands), deal.leader, deal.value, list(deal.stock)
    pairs = players == 4
    left = deal.hands[leader].bit_count() + (1 if deal.trick else 0)
    lying = [(card.bit_length() - 1) // SUIT_SIZE for card in deal.trick]
    played = [(suit, card >> SUIT_SIZE * suit) for suit, card in zip(lying, deal.trick, strict=True)]
    while left:
        best = worth = led = count = 0
        taker = seat = leader
        for suit, card in played:
            worth += WORTH[card]
            if not count:
                led, best = suit, card
            elif suit == led and card > best:
                best, taker = card, seat
            count += 1
            seat = seat + 1 if seat + 1 < players else 0
        played = []
        while count < players:
            base = 4 * seat
            if not count:
                suit, card = _lead_to_lose(held, base, random)
                led, best, taker = suit, card, seat
            else:
                suit, cards = led, held[base + led]
                mates = pairs and (taker ^ seat) & 1 == 0
                last = count == players - 1
                if cards:
                    below = cards & best - 1
                    if mates:
                        if last:
                            card = 1 << cards.bit_length() - 1 if cards > best else SCRAP[cards]
                        else:
                            card = SCRAP[below] if below else 1 << cards.bit_length() - 1
                    elif below:
                        card = BURDEN[below]
                    elif last or random() < PLAIN_TOP:
                        card = 1 << cards.bit_length() - 1
                    else:
                        card = cards & -cards
                    if card > best:
                        best, taker = card, seat
                elif mates and last:
                    suit, card = _choose_from_any(held, base, SCRAP, SCRAP_RANK)
                else:
                    suit, card = _choose_from_any(held, base, BURDEN, BURDEN_RANK)
            held[base + suit] ^= card
            everything[suit] ^= card
            worth += WORTH[card]
            if trail is not None:
                trail.append(card << SUIT_SIZE * suit)
            count += 1
            seat = seat + 1 if seat + 1 < players else 0
        leader = taker
        left -= 1
        if stock:
            left += 1
            _draw(held, everything, stock, leader, players)
        if leader & 1 == 0:
            value += worth if left else worth + LAST_TRICK
    return value


def _lead_to_win(held: list[int], base: int, everything: list[int], random: Callable[[], float]) -> tuple[int, int]:
    """Return suit and card: mostly one that nothing beats, else one of little worth."""
    sure, rest = [], []
    for suit in range(4):
        cards = held[base + suit]
        if cards:
            rest.append(suit)
            if cards > everything[suit] ^ cards:
                sure.append(suit)
    if sure and random() < CASHING:
        suit = sure[int(random() * len(sure))]
        return suit, 1 << held[base + suit].bit_length() - 1
    suit = rest[int(random() * len(rest))]
    return suit, SCRAP[held[base + suit]]


def _lead_to_lose(held: list[int], base: int, random: Callable[[], float]) -> tuple[int, int]:
    """Return suit and card: the lowest of any suit."""
    suits = [suit for suit in range(4) if held[base + suit]]
    suit = suits[int(random() * len(suits))]
    cards = held[base + suit]
    return suit, cards & -cards


def _choose_from_any(held: list[int], base: int, choice: tuple[int, ...], ranks: dict[int, int]) -> tuple[int, int]:
    """Return suit and card of the highest rank in a hand."""
    chosen_suit, chosen, highest = -1, 0, -100
    for suit in range(4):
        cards = held[base + suit]
        if cards:
            card = choice[cards]
            if ranks[card] > highest:
                chosen_suit, chosen, highest = suit, card, ranks[card]
    return chosen_suit, chosen


def _draw(held: list[int], everything: list[int], stock: list[int], taker: int, players: int) -> None:
    """Have everybody draw a card, the taker first (T1)."""
    for step in range(players):
        place = stock.pop().bit_length() - 1
        suit = place // SUIT_SIZE
        card = 1 << place % SUIT_SIZE
        held[4 * ((taker + step) % players) + suit] |= card
        everything[suit] |= card
