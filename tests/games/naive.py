"""The two games written a second time from rules.md, plainly and slowly; ``naive_replay`` has the match record.

It shares no code with ``games`` or ``scoring``: cards are names, hands are lists, everything is copied, captures are
found by trying every set. What the product does is compared with it. Rule numbers are given where a line needs one.
"""

import copy
from itertools import combinations

SUITS = "dcbs"
RANKS = "A234567FCR"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
VALUE = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "F": 8, "C": 9, "R": 10}
THIRDS = {"A": 3, "3": 1, "2": 1, "R": 1, "C": 1, "F": 1, "7": 0, "6": 0, "5": 0, "4": 0}
PRIMIERA = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "F": 10, "C": 10, "R": 10}
HIGH_TO_LOW = ["3", "2", "A", "R", "C", "F", "7", "6", "5", "4"]


def value(card):
    return VALUE[card[0]]


class Scopa:
    def __init__(self, players, dealer, deck):
        self.players = players
        self.stock = list(deck)
        self.turn = (dealer + 1) % players
        self.hands = [[] for _ in range(players)]
        self.hand_out(self.turn)
        self.table = [self.stock.pop(0) for _ in range(4)]
        self.void = len([card for card in self.table if card[0] == "R"]) >= 3
        self.taken = [[], []]
        self.scope = [0, 0]
        self.taker = None
        self.played = 0
        self.seen = set(self.table)

    def hand_out(self, first):
        for _ in range(3):
            for step in range(self.players):
                self.hands[(first + step) % self.players].append(self.stock.pop(0))

    @property
    def over(self):
        return self.void or self.played == 36

    def sets(self, card):
        same = [other for other in self.table if value(other) == value(card)]
        if same:
            return [(other,) for other in same]
        found = []
        for size in range(2, len(self.table) + 1):
            for group in combinations(self.table, size):
                if sum(value(other) for other in group) == value(card):
                    found.append(group)
        return found

    def moves(self):
        """Each legal play as (card, frozenset of cards taken)."""
        if self.over:
            return []
        found = []
        for card in self.hands[self.turn]:
            for group in self.sets(card) or [()]:
                found.append((card, frozenset(group)))
        return found

    def play(self, card, takes):
        seat = self.turn
        line = seat % 2
        self.hands[seat].remove(card)
        self.played += 1
        self.seen.add(card)
        if takes:
            self.table = [other for other in self.table if other not in takes]
            self.taken[line] += [card, *takes]
            self.taker = line
            if not self.table and self.played != 36:
                self.scope[line] += 1
        else:
            self.table.append(card)
        self.turn = (seat + 1) % self.players
        if self.played == 36:
            self.taken[self.taker] += self.table
            self.table = []
        elif not any(self.hands):
            self.hand_out(self.turn)

    def sure_points(self):
        """Per line: scope, then which of settebello, denari and cards it has."""
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

    def open_in_hand(self, owner):
        """The cards of a hand that everybody sees there."""
        return set()

    def known(self, seat):
        """Every card this seat may know: its hand, and whatever has been face up."""
        return self.seen | (set(self.hands[seat]) if seat is not None else set())


class Tresette:
    void = False

    def __init__(self, players, dealer, deck):
        self.players = players
        self.stock = list(deck)
        self.turn = (dealer + 1) % players
        self.hands = [[] for _ in range(players)]
        for _ in range(10):
            for step in range(players):
                self.hands[(self.turn + step) % players].append(self.stock.pop(0))
        self.trick = []  # (seat, card)
        self.taken = [[], []]
        self.taker = None
        self.seen = set()

    @property
    def over(self):
        return not any(self.hands)

    def moves(self):
        if self.over:
            return []
        hand = self.hands[self.turn]
        if self.trick:
            led = self.trick[0][1][1]
            following = [card for card in hand if card[1] == led]
            hand = following or hand
        return [(card, frozenset()) for card in hand]

    def play(self, card, takes):
        seat = self.turn
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.seen.add(card)
        self.turn = (seat + 1) % self.players
        if len(self.trick) == self.players:
            led = self.trick[0][1][1]
            of_suit = [(HIGH_TO_LOW.index(name[0]), who) for who, name in self.trick if name[1] == led]
            winner = min(of_suit)[1]
            self.taken[winner % 2] += [name for _, name in self.trick]
            self.trick = []
            self.taker = winner % 2
            self.turn = winner
            if self.stock:
                for step in range(self.players):
                    drawn = self.stock.pop(0)
                    self.seen.add(drawn)
                    self.hands[(winner + step) % self.players].append(drawn)

    def whole(self):
        return [sum(THIRDS[card[0]] for card in self.taken[line]) // 3 for line in (0, 1)]

    def points(self):
        points = self.whole()
        points[self.taker] += 1
        return points

    def forfeited(self, offender):
        points = self.whole()
        points[1 - offender] += min(6, 11 - sum(points))
        return points

    def last_taker(self):
        return self.taker

    def open_in_hand(self, owner):
        """The cards of a hand that everybody sees there."""
        return set()

    def known(self, seat):
        return self.seen | (set(self.hands[seat]) if seat is not None else set())


GAMES = {"scopa": Scopa, "tresette": Tresette}


def split_by_move(ruleset, players, dealer, deck, prefix, depth):
    """The number of ways to go on for ``depth`` plays, by the first of them, as written in a record."""
    game = GAMES[ruleset](players, dealer, deck)
    for card, takes in prefix:
        game.play(card, takes)
    return {as_text(game.turn, card, takes): _ways(game, (card, takes), depth) for card, takes in game.moves()}


def _ways(game, move, depth):
    if depth == 1:
        return 1
    after = copy.deepcopy(game)
    after.play(*move)
    return sum(_ways(after, each, depth - 1) for each in after.moves())


def as_text(seat, card, takes):
    text = f"{seat} play {card}"
    if takes:
        text += " x " + " ".join(sorted(takes, key=DECK.index))
    return text
