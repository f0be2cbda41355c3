"""Decks at random and decks made to measure, as the names of cards, top first; ``games`` has no part in making them."""

from tests.games.naive import DECK, SUITS

CAPTURES = {"scopa": 3, "asso-piglia-tutto": 3, "scopone": 9}  # cards each before those on the table
STRONGEST = [rank + suit for rank in "32ARC" for suit in SUITS]


def any_deck(rng):
    return rng.sample(DECK, 40)


def void_deck(rng, players, kings=None, each=3):
    """A deck whose four table cards, dealt after so many each, hold so many kings: three or four (S2)."""
    kings = rng.sample(["Rd", "Rc", "Rb", "Rs"], kings or rng.choice([3, 4]))
    rest = [card for card in any_deck(rng) if card not in kings]
    table = kings + [rest.pop() for _ in range(4 - len(kings))]
    rng.shuffle(table)
    return rest[: each * players] + table + rest[each * players :]


def dealt_so(rng, ruleset, seats, dealer, hands):
    """A deck for a game of tricks that gives these seats these cards, ten or fewer, and all else at random."""
    rest = [card for card in any_deck(rng) if not any(card in hand for hand in hands.values())]
    full = {seat: [*hand, *(rest.pop() for _ in range(10 - len(hand)))] for seat, hand in hands.items()}
    for hand in full.values():
        rng.shuffle(hand)
    deck = []
    for place in range(10 * seats):
        turn = place // 5 if ruleset == "tressette-accusa" else place  # G4
        hand = full.get((dealer + 1 + turn) % seats)
        deck.append((hand or rest).pop())
    return deck + rest


def combinations(rng, seats):
    """A hand with something to call (T5)."""
    suit = rng.choice(SUITS)
    cards = [rank + suit for rank in "A23"] if rng.random() < 0.5 else []
    rank = rng.choice("A23")
    cards += [rank + suit for suit in rng.sample(SUITS, rng.choice([3, 3, 4]))]
    return {rng.randrange(seats): list(dict.fromkeys(cards))}


def a_suit(rng, seats):
    """A whole suit in one hand (C5), or nearly: its owner may take all the tricks alone."""
    suit = rng.choice(SUITS)
    return {rng.randrange(seats): [rank + suit for rank in "32ARCF7654"][: rng.choice([8, 9, 10, 10])]}


def poor(rng, seats):
    """A hand worth less than a point (C2)."""
    return {rng.randrange(seats): rng.sample([rank + suit for rank in "4567" for suit in SUITS], rng.choice([9, 10]))}


def strong(rng, seats):
    """The strongest cards to one line."""
    cards = rng.sample(STRONGEST, rng.choice([len(STRONGEST), 14, 10]))
    line = rng.randrange(2)
    owners = [seat for seat in range(seats) if seat % 2 == line]
    return {seat: cards[place :: len(owners)][:10] for place, seat in enumerate(owners)}


def some_deck(rng, ruleset, seats, dealer):
    """A deck at random, half of the time one in which something happens."""
    if ruleset in CAPTURES and rng.random() < 0.08:
        return void_deck(rng, seats, rng.choice([2, 3, 4]), CAPTURES[ruleset])
    if "tres" not in ruleset or rng.random() < 0.5:
        return any_deck(rng)
    hands = rng.choice([combinations, combinations, a_suit, poor, strong])(rng, seats)
    return dealt_so(rng, ruleset, seats, dealer, hands)
