"""Briscola written a second time from rules.md (BR1-BR5), plainly and slowly; see ``naive``."""

HIGH_TO_LOW = "A3RCF76542"  # BR2
WORTH = {"A": 11, "3": 10, "R": 4, "C": 3, "F": 2}  # BR4


class Briscola:
    void = False

    def __init__(self, players, dealer, deck, options=None, score=None, target=None):
        self.players = self.seats = players
        self.options = options or {}
        self.turn = (dealer + 1) % players
        self.hands = [[] for _ in range(players)]
        deck = list(deck)
        for _ in range(3):
            for step in range(players):
                self.hands[(self.turn + step) % players].append(deck.pop(0))
        self.turned = deck.pop(0)
        self.stock = [*deck, self.turned]  # drawn from the front; the turned card is the last one (BR1)
        self.trick = []  # (seat, card)
        self.taken = [[], []]
        self.taker = None
        self.shown = {self.turned}  # everything that has lain face up

    @property
    def over(self):
        return not any(self.hands)

    def moves(self):
        """List each legal play: any card of the hand (BR2)."""
        return [] if self.over else [(card, frozenset()) for card in self.hands[self.turn]]

    def winner(self):
        """Return the seat that takes the full trick (BR2)."""
        trumps = [(HIGH_TO_LOW.index(card[0]), seat) for seat, card in self.trick if card[1] == self.turned[1]]
        led = self.trick[0][1][1]
        of_suit = [(HIGH_TO_LOW.index(card[0]), seat) for seat, card in self.trick if card[1] == led]
        return min(trumps or of_suit)[1]

    def play(self, card, takes):
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.shown.add(card)
        self.turn = (self.turn + 1) % self.players
        if len(self.trick) < self.players:
            return
        self.turn = self.taker = self.winner()
        self.taken[self.taker % 2] += [lying for _, lying in self.trick]
        self.trick = []
        if self.stock:
            for step in range(self.players):  # BR3
                self.hands[(self.taker + step) % self.players].append(self.stock.pop(0))

    def worth(self):
        """Return the value of the cards each line has taken."""
        return [sum(WORTH.get(card[0], 0) for card in pile) for pile in self.taken]

    def points(self):
        """A point for more than sixty (BR4)."""
        return [1 if worth > 60 else 0 for worth in self.worth()]

    def forfeited(self, offender):
        """The whole deal is the other line's, whatever was taken (BR4)."""
        return [0, 1] if offender == 0 else [1, 0]

    def last_taker(self):
        return self.taker % 2

    def shown_in_hand(self, owner, viewer):
        """Return the cards of ``owner``'s hand that ``viewer`` knows: their own; the turned card, wherever it is; their
        partner's at the end (BR5)."""
        hand = set(self.hands[owner])
        if viewer == owner:
            return hand
        partner = viewer is not None and self.players == 4 and viewer % 2 == owner % 2
        if partner and self.options.get("mostra_compagno") and not self.stock:
            return hand
        return hand & {self.turned}

    def seen_before(self):
        return set()

    def known(self, viewer):
        return self.shown.union(*(self.shown_in_hand(owner, viewer) for owner in range(self.players)))
