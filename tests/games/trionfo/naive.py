"""Trionfo written a second time, plainly: cards are names, hands are lists. It shares no code with the ruleset."""

HIGH_TO_LOW = "RCFA765432"


class Trionfo:
    void = False
    players = seats = 2

    def __init__(self, players, dealer, deck, options=None, score=None, target=None):
        assert players == 2
        self.turn = 1 - dealer
        deck = list(deck)
        self.hands = [[], []]
        for _ in range(5):
            for seat in (self.turn, 1 - self.turn):
                self.hands[seat].append(deck.pop(0))
        self.stock = deck
        self.turned = deck[0]
        self.led = None
        self.taken = [[], []]
        self.taker = None
        self.seen = {self.turned}

    @property
    def over(self):
        return self.hands == [[], []]

    def moves(self):
        if self.over:
            return []
        hand = self.hands[self.turn]
        following = [card for card in hand if self.led and card[1] == self.led[1]]
        return [(card, frozenset()) for card in following or hand]

    def play(self, card, takes):
        self.hands[self.turn].remove(card)
        self.seen.add(card)
        self.turn = 1 - self.turn
        if self.led is None:
            self.led = card
            return
        if self.led[1] == card[1]:
            answer_takes = HIGH_TO_LOW.index(card[0]) < HIGH_TO_LOW.index(self.led[0])
        else:
            answer_takes = card[1] == self.turned[1]
        if answer_takes:
            self.turn = 1 - self.turn
        self.taker = self.turn
        self.taken[self.taker] += [self.led, card]
        self.led = None

    def points(self):
        tricks = [len(pile) // 2 for pile in self.taken]
        return [2 if count == 5 else 1 if count > 2 else 0 for count in tricks]

    def forfeited(self, offender):
        return [0, 2] if offender == 0 else [2, 0]

    def last_taker(self):
        return self.taker

    def shown_in_hand(self, owner, viewer):
        return set(self.hands[owner]) if owner == viewer else set()

    def seen_before(self):
        return set()

    def known(self, viewer):
        return self.seen.union(*(self.shown_in_hand(owner, viewer) for owner in (0, 1)))
