"""The two games and the match record written a second time from rules.md and record-format.md, plainly and slowly.

It shares no code with ``games`` or ``scoring``: cards are names, hands are lists, everything is copied, captures are
found by trying every set. What the product does is compared with it. Rule numbers are given where a line needs one.
"""

import copy
import re
from itertools import combinations

SUITS = "dcbs"
RANKS = "A234567FCR"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
VALUE = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "F": 8, "C": 9, "R": 10}
THIRDS = {"A": 3, "3": 1, "2": 1, "R": 1, "C": 1, "F": 1, "7": 0, "6": 0, "5": 0, "4": 0}
PRIMIERA = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "F": 10, "C": 10, "R": 10}
HIGH_TO_LOW = ["3", "2", "A", "R", "C", "F", "7", "6", "5", "4"]


class Refused(Exception):
    """A record that can't be replayed, with the place of its first fault."""

    def __init__(self, deal=None, move=None):
        super().__init__(deal, move)
        self.place = (deal, move)


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

    def known(self, seat):
        return self.seen | (set(self.hands[seat]) if seat is not None else set())


GAMES = {"scopa": Scopa, "tresette": Tresette}
OPTIONS = {
    "scopa": {"carte_viste", "carte_scoperte"},
    "tresette": {"vinco_subito", "accuso", "cappotto", "dichiarazioni", "carte_viste", "carte_scoperte"},
}
VP = {
    "tresette": {
        (6, 1): [0, 1, 2, 3, 4, 5, 7, 9, 11],
        (11, 2): [0, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19],
        (17, 3): [0, 2, 4, 6, 8, 10, 12, 15, 18, 21, 24],
        (21, 4): [0, 2, 4, 7, 10, 13, 16, 19, 22, 24, 27],
        (26, 5): [0, 3, 5, 8, 11, 14, 17, 20, 23, 26, 30],
        (31, 6): [0, 3, 6, 9, 12, 16, 19, 23, 26, 29, 33],
        (36, 7): [0, 3, 6, 9, 13, 17, 21, 24, 28, 32, 36],
        (41, 8): [0, 3, 6, 10, 14, 18, 22, 26, 30, 34, 38],
    },
    "scopa": {
        (7, 1, 2): [0, 1, 2, 3, 4, 5, 6, 7, 8],
        (11, 3): [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14],
        (21, 4, 5): [0, 1, 2, 4, 6, 8, 10, 12, 14, 17, 20],
    },
}


def bounds(ruleset, kind, amount):
    for (points, *deals), column in VP[ruleset].items():
        if (kind == "points" and amount == points) or (kind == "deals" and amount in deals):
            return column
    return None


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


def _whole(number):
    return isinstance(number, int) and not isinstance(number, bool)


def check_header(record):
    """(ruleset, players, kind, amount, context, options, first dealer, deals), or Refused without a place."""
    wanted = {"verbale", "ruleset", "players", "length", "context", "first_dealer", "deals"}
    if not isinstance(record, dict) or wanted - set(record):
        raise Refused
    if set(record) - wanted - {"options", "about", "result"}:
        raise Refused
    if not _whole(record["verbale"]) or record["verbale"] != 1:
        raise Refused
    ruleset, players = record["ruleset"], record["players"]
    if not isinstance(ruleset, str) or ruleset not in GAMES or not _whole(players) or players not in (2, 4):
        raise Refused
    length = record["length"]
    if not isinstance(length, dict) or len(length) != 1:
        raise Refused
    ((kind, amount),) = length.items()
    most = {"deals": 20, "points": 101}.get(kind)
    if most is None or not _whole(amount) or amount < 1 or amount > most:
        raise Refused
    context = record["context"]
    if context not in ("free", "ko", "round_robin"):
        raise Refused
    if context == "round_robin" and bounds(ruleset, kind, amount) is None:
        raise Refused
    options = record.get("options", {})
    if not isinstance(options, dict) or not isinstance(record.get("about", {}), dict):
        raise Refused
    for name, setting in options.items():
        if name == "ko_tie" and ruleset == "tresette":
            if setting not in ("rulebook", "deals"):
                raise Refused
        elif name not in OPTIONS[ruleset] or setting is not False:
            raise Refused
    dealer = record["first_dealer"]
    if not _whole(dealer) or dealer < 0 or dealer >= players:
        raise Refused
    if not isinstance(record["deals"], list):
        raise Refused
    for deal in record["deals"]:
        if not isinstance(deal, dict) or set(deal) != {"deck", "moves"} or not isinstance(deal["moves"], list):
            raise Refused
    return ruleset, players, kind, amount, context, options, dealer, record["deals"]


def replay(record):
    """The result object of a record; a refused one has only ``ok``, ``deal`` and ``move``."""
    try:
        return _replay(record)
    except Refused as refused:
        deal, move = refused.place
        return {"ok": False, "deal": deal, "move": move}


def _replay(record):
    ruleset, players, kind, amount, context, options, dealer, deals = check_header(record)
    score, finished, scored_deals, tie_break = [0, 0], [], 0, 0
    end = None  # (winner, decided_by, offender)
    any_move = False
    running = False
    for number, entry in enumerate(deals):
        if end or running:
            raise Refused(number)
        if not isinstance(entry["deck"], str):
            raise Refused(number)
        deck = entry["deck"].split()
        if sorted(deck) != sorted(DECK):
            raise Refused(number)
        game = GAMES[ruleset](players, dealer, deck)
        running = True
        if game.void:
            finished.append({"dealer": dealer, "void": True, "points": [0, 0]})
            running = False
        for place, text in enumerate(entry["moves"]):
            if not running or not isinstance(text, str):
                raise Refused(number, place)
            seat, verb, card, takes = read_move(text, number, place)
            if seat >= players:
                raise Refused(number, place)
            if verb == "play":
                if seat != game.turn or (card, takes) not in game.moves():
                    raise Refused(number, place)
                game.play(card, takes)
                any_move = True
                if not game.over:
                    continue
                points, taker = game.points(), game.last_taker()
            else:
                if verb in ("timeout", "clock") and seat != game.turn:
                    raise Refused(number, place)
                if verb == "noshow" and any_move:
                    raise Refused(number, place)
                points = game.forfeited(seat % 2)
                end = (1 - seat % 2, verb, seat % 2)
            running = False
            finished.append({"dealer": dealer, "void": False, "points": points})
            score = [score[0] + points[0], score[1] + points[1]]
            scored_deals += 1
            dealer = (dealer + 1) % players
            if end:
                continue
            reached = scored_deals >= amount if kind == "deals" else max(score) >= amount
            if not tie_break and not reached:
                continue
            if score[0] != score[1]:
                end = (0 if score[0] > score[1] else 1, f"tie_break_{tie_break}" if tie_break else "points", None)
            elif context != "ko":
                end = (None, "draw", None)
            elif ruleset == "tresette" and kind == "deals" and options.get("ko_tie") != "deals":
                end = (taker, "last_trick", None)
            elif tie_break == 3:
                end = (1 - taker, "tie_break_last_trick", None)
            else:
                tie_break += 1
    return _result(ruleset, kind, amount, context, finished, score, end)


CARD = f"[{RANKS}][{SUITS}]"
PLAY = re.compile(rf"([0-3]) play ({CARD})(?: x ({CARD}(?: {CARD})*))?")
FORFEIT = re.compile(r"([0-3]) (noshow|timeout|clock|abandon)")


def read_move(text, number, place):
    match = FORFEIT.fullmatch(text)
    if match:
        return int(match[1]), match[2], None, None
    match = PLAY.fullmatch(text)
    if not match:
        raise Refused(number, place)
    takes = match[3].split(" ") if match[3] else []
    if len(set(takes)) != len(takes):
        raise Refused(number, place)
    return int(match[1]), "play", match[2], frozenset(takes)


def _result(ruleset, kind, amount, context, finished, score, end):
    result = {
        "ok": True, "complete": end is not None, "deals": finished, "score": score, "winner": None,
        "decided_by": None, "margin": None, "mp": None, "vp": None, "stakes": [0, 0],
    }  # fmt: skip
    if end is None:
        return result
    winner, decided_by, offender = end
    margin = 0 if winner is None else max(0, score[winner] - score[1 - winner])
    result.update(winner=winner, decided_by=decided_by, margin=margin)
    if winner is not None:
        result["stakes"][winner] = 1
    column = bounds(ruleset, kind, amount)
    if context == "ko" or column is None:
        return result
    row = len([bound for bound in column if bound <= margin]) - 1
    if winner is None:
        result.update(mp=[0, 0], vp=[10, 10])
        return result
    loser = 1 - winner
    vp, mp = [0, 0], [0, 0]
    vp[winner], vp[loser], mp[winner], mp[loser] = 10 + row, 10 - row, margin, -margin
    if offender is not None:
        vp[winner], vp[loser] = max(14, 10 + row), 0
        mp[winner], mp[loser] = column[vp[winner] - 10], -column[-1]
    result.update(mp=mp, vp=vp)
    return result
