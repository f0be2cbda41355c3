"""The games of captures written a second time from rules.md, plainly and slowly; see ``naive``."""

from itertools import combinations

SUITS = "dcbs"
VALUE = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "F": 8, "C": 9, "R": 10}
PRIMIERA = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "F": 10, "C": 10, "R": 10}


def value(card):
    return VALUE[card[0]]


class Scopa:
    def __init__(self, players, dealer, deck, options=None, score=None, target=None):
        self.players = self.seats = players
        self.options = options or {}
        self.stock = list(deck)
        self.turn = (dealer + 1) % players
        self.hands = [[] for _ in range(players)]
        self.hand_out(self.turn)
        self.table = [self.stock.pop(0) for _ in range(self.on_the_table())]
        self.plays = 40 - len(self.table)
        self.void = len([card for card in self.table if card[0] == "R"]) >= 3
        self.taken = [[], []]
        self.scope = [0, 0]
        self.taker = None
        self.played = 0
        self.seen = set(self.table)
        self.of_earlier_hands = []

    def on_the_table(self):
        return 4

    def cards_each(self):
        return 3

    def hand_out(self, first):
        for _ in range(self.cards_each()):
            for step in range(self.players):
                self.hands[(first + step) % self.players].append(self.stock.pop(0))

    @property
    def over(self):
        return self.void or self.played == self.plays

    def sets(self, card):
        same = [other for other in self.table if value(other) == value(card)]
        if same:
            return [(other,) for other in same]
        choices = []
        for size in range(2, len(self.table) + 1):
            for group in combinations(self.table, size):
                if sum(value(other) for other in group) == value(card):
                    choices.append(group)
        return choices

    def moves(self):
        """List each legal play as (card, frozenset of cards taken)."""
        if self.over:
            return []
        sets = []
        for card in self.hands[self.turn]:
            for group in self.sets(card) or [()]:
                sets.append((card, frozenset(group)))
        return sets

    def is_scopa(self, card):
        """Return whether a capture that clears the table is one (S5); the very last play is looked at elsewhere."""
        return True

    def play(self, card, takes):
        seat = self.turn
        line = seat % 2
        sweeps = self.is_scopa(card)
        self.hands[seat].remove(card)
        self.played += 1
        self.seen.add(card)
        if takes:
            self.table = [other for other in self.table if other not in takes]
            self.taken[line] += [card, *takes]
            self.taker = line
            if not self.table and self.played != self.plays and sweeps:
                self.scope[line] += 1
        else:
            self.table.append(card)
        self.turn = (seat + 1) % self.players
        if self.played == self.plays:
            self.taken[self.taker] += self.table
            self.table = []
        elif not any(self.hands):
            self.hand_out(self.turn)
            self.of_earlier_hands = self.taken[0] + self.taken[1]

    def sure_points(self):
        """Return by line: scope, then which of settebello, denari and cards it has."""
        sure = []
        for line in (0, 1):
            pile = self.taken[line]
            settebello = "7d" in pile
            denari = len([card for card in pile if card[1] == "d"]) >= 6
            cards = len(pile) >= 21
            sure.append((self.scope[line], [settebello, denari, cards]))
        return sure

    def primiera(self, line):
        total = 0
        for suit in SUITS:
            worths = [PRIMIERA[card[0]] for card in self.taken[line] if card[1] == suit]
            if not worths:
                return None
            total += max(worths)
        return total

    def points(self):
        points = [scope + sum(got) for scope, got in self.sure_points()]
        ours, theirs = self.primiera(0), self.primiera(1)
        if ours is not None and (theirs is None or ours > theirs):
            points[0] += 1
        elif theirs is not None and (ours is None or theirs > ours):
            points[1] += 1
        return points

    def forfeited(self, offender):
        sure = self.sure_points()
        points = [scope + sum(got) for scope, got in sure]
        points[1 - offender] += 2  # the primiera, and one as for a scopa
        for prize in range(3):
            if not sure[0][1][prize] and not sure[1][1][prize]:
                points[1 - offender] += 1
        return points

    def last_taker(self):
        return self.taker

    def shown_in_hand(self, owner, viewer):
        """Return the cards of ``owner``'s hand that ``viewer`` (None: a spectator) knows to be there."""
        hand = set(self.hands[owner])
        partners = self.players == 4 and viewer is not None and owner % 2 == viewer % 2
        if owner == viewer or (partners and self.options.get("carte_scoperte")):  # G11
            return hand
        if self.players == 2 and self.options.get("carte_viste") and not self.stock:  # S10
            return hand
        return set()

    def seen_before(self):
        """Return what *carte viste* shows of what was taken (S10)."""
        return set(self.of_earlier_hands) if self.options.get("carte_viste") else set()

    def known(self, viewer):
        """Return every card this viewer may know: all that has been face up, and the cards known of the hands."""
        return self.seen.union(*(self.shown_in_hand(owner, viewer) for owner in range(self.players)))


class AssoPigliaTutto(Scopa):
    def aces(self):
        return [card for card in self.table if card[0] == "A"]

    def sets(self, card):
        if card[0] != "A":
            return super().sets(card)
        if self.aces():
            return [(ace,) for ace in self.aces()]  # P1, P2
        return [tuple(self.table)] if self.table else []  # P3, P4

    def is_scopa(self, card):
        return card[0] != "A" or len(self.aces()) == 1  # P1, P3


class Scopone(Scopa):
    """Four players; all the cards are dealt at once, ten each, or nine each and four on the table (SC1)."""

    def on_the_table(self):
        return 4 if self.options.get("quattro_a_terra") else 0

    def cards_each(self):
        return 9 if self.options.get("quattro_a_terra") else 10

    def seen_before(self):
        """Return what *carte viste* shows: all that was taken in this deal, for there is one hand only."""
        return set(self.taken[0] + self.taken[1]) if self.options.get("carte_viste") else set()
