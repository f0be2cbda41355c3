"""Briscola written a second time, plainly: cards are names, hands are lists. It shares no code with the ruleset."""

HIGH_TO_LOW = "A3RCF76542"
POINTS = {"A": 11, "3": 10, "R": 4, "C": 3, "F": 2}


class Briscola:
    void = False

    players = seats = 2

    def __init__(self, players, dealer, deck, options=None, score=None, target=None):
        assert players == 2
        self.turn = 1 - dealer
        self.hands = [[], []]
        deck = list(deck)
        for _ in range(3):
            for seat in (self.turn, 1 - self.turn):
                self.hands[seat].append(deck.pop(0))
        self.turned = deck.pop(0)
        self.stock = [*deck, self.turned]
        self.trick = []  # (seat, card)
        self.taken = [[], []]
        self.taker = None
        self.seen = {self.turned}

    @property
    def over(self):
        return self.hands == [[], []]

    def moves(self):
        return [] if self.over else [(card, frozenset()) for card in self.hands[self.turn]]

    def play(self, card, takes):
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.seen.add(card)
        self.turn = 1 - self.turn
        if len(self.trick) == 2:
            suits = [name[1] for _, name in self.trick]
            ruling = self.turned[1] if self.turned[1] in suits else suits[0]
            of_suit = [(HIGH_TO_LOW.index(name[0]), who) for who, name in self.trick if name[1] == ruling]
            self.taker = self.turn = min(of_suit)[1]
            self.taken[self.taker] += [name for _, name in self.trick]
            self.trick = []
            for seat in (self.taker, 1 - self.taker):
                if self.stock:
                    self.hands[seat].append(self.stock.pop(0))

    def points(self):
        return [sum(POINTS.get(card[0], 0) for card in pile) for pile in self.taken]

    def forfeited(self, offender):
        points = self.points()
        points[1 - offender] += min(61, 120 - sum(points))
        return points

    def last_taker(self):
        return self.taker

    def shown_in_hand(self, owner, viewer):
        """The own hand; of the other's the turned card, once it was drawn."""
        hand = set(self.hands[owner])
        return hand if owner == viewer else {self.turned} & hand

    def seen_before(self):
        return set()

    def known(self, viewer):
        return self.seen.union(*(self.shown_in_hand(owner, viewer) for owner in (0, 1)))
