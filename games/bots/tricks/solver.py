"""Exact play of a Tresette deal with open cards and no stock: what the rest of it is worth if everybody plays best.

Alpha-beta over whole tricks, with a table of the positions met at their beginnings; of cards that are as good as each
other one is tried. Values are thirds for one line, the last trick counting three; a line that wants few points (A1) has
``fewest``. It knows no hidden cards and plays nothing by itself.
"""

from collections.abc import Callable, Sequence

from games.bots.effort import OutOfNodes
from games.bots.tricks.cards import CARD_WORTH, LAST_TRICK, SUIT_OF, SUITS, add_up_thirds
from games.bots.tricks.deal import decide_trick

_Cards = tuple[tuple[int, int], ...]  # cards with their thirds

MOST_KEPT = 60_000  # lists of equal cards, before they are forgotten
_equals: dict[tuple[int, int], _Cards] = {}


def list_unequal(held: int, others: int) -> _Cards:
    """List cards of one suit of a hand, strongest first; of those that are as good as each other only the first.

    They are so where no card of another hand lies between them and they are worth the same.
    """
    hit = _equals.get((held, others))
    if hit is not None:
        return hit
    cards, before, rest = [], -1, held | others
    while rest:
        top = 1 << rest.bit_length() - 1
        rest ^= top
        if top & held:
            worth = CARD_WORTH[top]
            if worth != before:
                cards.append((top, worth))
            before = worth
        else:
            before = -1
    if len(_equals) >= MOST_KEPT:
        _equals.clear()
    _equals[held, others] = tuple(cards)
    return _equals[held, others]


def list_followers(hand: int, suit: int, all_cards: int) -> _Cards:
    """List the unequal cards a hand may play: of the suit led, or any where it has none (T2); 0 leads."""
    held = hand & suit
    if held:
        return list_unequal(held, (all_cards ^ hand) & suit)
    cards: _Cards = ()
    for any_suit in SUITS:
        held = hand & any_suit
        if held:
            cards += list_unequal(held, (all_cards ^ hand) & any_suit)
    return cards


class TrickSolver:
    """Solver of deals of one size that shares what it has learnt among positions of the same cards.

    ``nodes``: so many beginnings of tricks may still be looked at; OutOfNodes when they are used up.
    """

    def __init__(self, players: int, *, fewest: bool = False, nodes: int = 1 << 60) -> None:
        self.players, self.fewest, self.nodes = players, fewest, nodes
        self._bounds: dict[tuple[int, ...], tuple[int, int]] = {}
        self._search: Callable[..., int] = self._search_four if players == 4 else self._search_two

    def solve(self, hands: Sequence[int], leader: int, trick: Sequence[int] = ()) -> int:
        """Return the thirds line 0 gets of all cards in these hands and of this trick."""
        all_cards = 0
        for card in (*hands, *trick):
            all_cards |= card
        left = add_up_thirds(all_cards) + LAST_TRICK
        if not trick:
            return self._solve_trick(hands, leader, left, 0, left)
        return self._finish(list(hands), leader, list(trick), all_cards, left, 0, left)

    def evaluate_plays(self, hands: Sequence[int], leader: int, trick: Sequence[int]) -> dict[int, int]:
        """Return for each card that may be played next the thirds line 0 gets from here on."""
        players = self.players
        seat = (leader + len(trick)) % players
        all_cards = 0
        for card in (*hands, *trick):
            all_cards |= card
        left = add_up_thirds(all_cards) + LAST_TRICK
        hand = hands[seat]
        values: dict[int, int] = {}
        suit = SUIT_OF[trick[0]] if trick else 0
        for card, _worth in list_followers(hand, suit, all_cards):
            after = list(hands)
            after[seat] ^= card
            values[card] = self._finish(after, leader, [*trick, card], all_cards, left, 0, left)
        legal = hand & suit or hand
        for card in [1 << place for place in range(legal.bit_length()) if legal >> place & 1]:
            if card not in values:  # it is as good as the next higher one that was tried
                values[card] = values[min(tried for tried in values if tried > card and tried & SUIT_OF[card])]
        return values

    def _finish(
        self, hands: list[int], leader: int, trick: list[int], all_cards: int, left: int, low: int, high: int
    ) -> int:
        """Return the value for line 0 of a trick under way, between ``low`` and ``high``."""
        players = self.players
        if len(trick) == players:
            place, worth = decide_trick(trick)
            taker = (leader + place) % players
            taken = 0 if taker % 2 else worth
            if not hands[taker]:
                return taken + (0 if taker % 2 else LAST_TRICK)
            return taken + self._solve_trick(hands, taker, left - worth, low - taken, high - taken)
        seat = (leader + len(trick)) % players
        most = (seat % 2 == 0) != self.fewest
        best = low if most else high
        for card, _worth in list_followers(hands[seat], SUIT_OF[trick[0]], all_cards):
            hands[seat] ^= card
            trick.append(card)
            value = self._finish(hands, leader, trick, all_cards, left, low, high)
            trick.pop()
            hands[seat] ^= card
            if most and value > best:
                best = low = value
            elif not most and value < best:
                best = high = value
            if low >= high:
                break
        return best

    def _solve_trick(self, hands: Sequence[int], leader: int, left: int, low: int, high: int) -> int:
        """Return the value for line 0 at the beginning of a trick, by ever narrower questions."""
        turned = (*hands[leader:], *hands[:leader])
        flip = (leader % 2 == 1) != self.fewest  # the search asks what the leader's line gets, and it wants most
        if flip:
            low, high = left - high, left - low
        low, high = max(low, 0), min(high, left)
        while low < high:
            asked = (low + high + 1) // 2
            if self._search(*turned, asked - 1, asked, left) >= asked:
                low = asked
            else:
                high = asked - 1
        return left - low if flip else low

    def _search_four(self, a: int, b: int, c: int, d: int, low: int, high: int, left: int) -> int:
        """Return what the line of ``a``, who leads, gets of ``left`` thirds, as far as it lies within these bounds.

        Hands are in playing order from the leader; a and c play together. Where few thirds win a line gets what the
        other takes.
        """
        if left <= low:
            return left
        if high <= 0:
            return 0
        key = (a, b, c, d)
        bounds = self._bounds.get(key)
        if bounds is not None:
            least, most = bounds
            if least >= high or least == most:
                return least
            if most <= low:
                return most
            low, high = max(low, least), min(high, most)
        self.nodes -= 1
        if self.nodes < 0:
            raise OutOfNodes
        fewest, search, equals = self.fewest, self._search_four, _equals
        if not a & (a - 1):
            suit, best, wins = SUIT_OF[a], a, 1
            for other, ours in ((b, 0), (c, 1), (d, 0)):
                if other & suit and other > best:
                    best, wins = other, ours
            return left if wins != fewest else 0
        floor = low
        everything = a | b | c | d
        for card, worth in _order_leads(a, everything):
            suit = SUIT_OF[card]
            after_a = a ^ card
            cards_b = _follow(b, suit, everything, card, equals)
            cards_c = _follow(c, suit, everything, 0, equals)
            cards_d = _follow(d, suit, everything, 0, equals)
            value_b = high
            for card_b, worth_b in cards_b:
                after_b = b ^ card_b
                pot_b = worth + worth_b
                best_b = card_b if card_b & suit and card_b > card else card
                value_c = floor
                for card_c, worth_c in cards_c:
                    after_c = c ^ card_c
                    pot_c = pot_b + worth_c
                    best_c = card_c if card_c & suit and card_c > best_b else best_b
                    value_d = value_b
                    for card_d, worth_d in cards_d:
                        pot = pot_c + worth_d
                        rest = left - pot
                        after_d = d ^ card_d
                        ours = 0 if fewest else pot  # of a trick that the line of a takes
                        if card_d & suit and card_d > best_c:
                            theirs = rest + pot - ours
                            value = theirs - search(
                                after_d, after_a, after_b, after_c, theirs - value_d, theirs - value_c, rest
                            )
                        elif best_c == card:
                            value = ours + search(
                                after_a, after_b, after_c, after_d, value_c - ours, value_d - ours, rest
                            )
                        elif best_c == card_c:
                            value = ours + search(
                                after_c, after_d, after_a, after_b, value_c - ours, value_d - ours, rest
                            )
                        else:
                            theirs = rest + pot - ours
                            value = theirs - search(
                                after_b, after_c, after_d, after_a, theirs - value_d, theirs - value_c, rest
                            )
                        if value < value_d:
                            value_d = value
                            if value_d <= value_c:
                                break
                    if value_d > value_c:
                        value_c = value_d
                        if value_c >= value_b:
                            break
                if value_c < value_b:
                    value_b = value_c
                    if value_b <= floor:
                        break
            if value_b > floor:
                floor = value_b
                if floor >= high:
                    break
        self._keep(key, bounds, floor, low, high, left)
        return floor

    def _search_two(self, a: int, b: int, low: int, high: int, left: int) -> int:
        """Return what ``a``, who leads, gets of ``left`` thirds against ``b``; as with four."""
        if left <= low:
            return left
        if high <= 0:
            return 0
        key = (a, b)
        bounds = self._bounds.get(key)
        if bounds is not None:
            least, most = bounds
            if least >= high or least == most:
                return least
            if most <= low:
                return most
            low, high = max(low, least), min(high, most)
        self.nodes -= 1
        if self.nodes < 0:
            raise OutOfNodes
        fewest, search, equals = self.fewest, self._search_two, _equals
        if not a & (a - 1):
            wins = not (b & SUIT_OF[a] and b > a)
            return left if wins != fewest else 0
        floor = low
        everything = a | b
        for card, worth in _order_leads(a, everything):
            suit = SUIT_OF[card]
            after_a = a ^ card
            best = high
            for answer, worth_b in _follow(b, suit, everything, card, equals):
                pot = worth + worth_b
                rest = left - pot
                ours = 0 if fewest else pot
                if answer & suit and answer > card:
                    theirs = rest + pot - ours
                    value = theirs - search(b ^ answer, after_a, theirs - best, theirs - floor, rest)
                else:
                    value = ours + search(after_a, b ^ answer, floor - ours, best - ours, rest)
                if value < best:
                    best = value
                    if best <= floor:
                        break
            if best > floor:
                floor = best
                if floor >= high:
                    break
        self._keep(key, bounds, floor, low, high, left)
        return floor

    def _keep(
        self, key: tuple[int, ...], bounds: tuple[int, int] | None, value: int, low: int, high: int, left: int
    ) -> None:
        """Keep what a search between these bounds has shown of a position."""
        least, most = bounds if bounds is not None else (0, left)
        if value >= high:
            self._bounds[key] = (value, most)
        elif value <= low:
            self._bounds[key] = (least, value)
        else:
            self._bounds[key] = (value, value)


def _order_leads(hand: int, everything: int) -> list[tuple[int, int]]:
    """List the unequal cards of a leader, those that nothing beats first, then from the lowest of each suit on."""
    sure: list[tuple[int, int]] = []
    rest: list[tuple[int, int]] = []
    for suit in SUITS:
        held = hand & suit
        if held:
            others = (everything ^ hand) & suit
            cards = _equals.get((held, others)) or list_unequal(held, others)
            if held > others:
                sure.append(cards[0])
                rest += cards[:0:-1]
            else:
                rest += cards[::-1]
    return sure + rest


def _follow(hand: int, suit: int, everything: int, beaten: int, equals: dict[tuple[int, int], _Cards]) -> _Cards:
    """List the unequal cards of a follower: strongest first where one beats the card ``beaten``, else weakest first."""
    held = hand & suit
    if held:
        others = (everything ^ hand) & suit
        cards = equals.get((held, others)) or list_unequal(held, others)
        return cards if beaten < held else cards[::-1]
    cards = ()
    for any_suit in SUITS:
        held = hand & any_suit
        if held:
            others = (everything ^ hand) & any_suit
            cards += (equals.get((held, others)) or list_unequal(held, others))[::-1]
    return cards
