"""The four games of tricks written a second time from rules.md, with all that is said in them; see ``naive``."""

from itertools import combinations

SUITS = "dcbs"
THIRDS = {"A": 3, "3": 1, "2": 1, "R": 1, "C": 1, "F": 1, "7": 0, "6": 0, "5": 0, "4": 0}
HIGH_TO_LOW = ["3", "2", "A", "R", "C", "F", "7", "6", "5", "4"]
ORDER = ["3x3", "3x2", "3xA", "4x3", "4x2", "4xA", *(f"napoletana:{suit}" for suit in SUITS)]
DECLARED = ["ho", "busso", "per-te", "per-te+ho", "per-te+busso"]


def thirds(cards):
    return sum(THIRDS[card[0]] for card in cards)


def suit_of(cards, suit):
    return [card for card in cards if card[1] == suit]


def cards_of(combination, hand):
    """The cards of a hand that make up a combination."""
    if combination.startswith("napoletana"):
        return [card for card in hand if card[1] == combination[-1] and card[0] in "A23"]
    return [card for card in hand if card[0] == combination[2]]


def combinations_in(hand):
    """Return the combinations a hand holds (T5), in the order in which they are listed; four of a rank hide three of
    it."""
    codes = []
    for name in ORDER:
        wanted = 4 if name[0] == "4" else 3
        if len(cards_of(name, hand)) == wanted:
            codes.append(name)
    return codes


def worth(names):
    return sum(4 if name[0] == "4" else 3 for name in names)


class Tricks:
    """State of a deal that the four games share. ``ended`` is the call that broke the deal off, as (seat, verb)."""

    credits_at_once = True  # T5, C4; not M5
    names_cards = False  # C4: an accuso tells the cards

    def __init__(self, players, dealer, deck, options=None, score=None, target=None):
        self.players = players
        self.seats = 4 if players == 3 else players
        self.options = options or {}
        self.needs = None  # what each line needs to be called out (T9)
        if target is not None and score is not None and self.has_calling_out():
            self.needs = [target - points for points in score]
        self.stock = list(deck)
        self.turn = (dealer + 1) % self.seats
        self.hands = [[] for _ in range(self.seats)]
        self.hand_out()
        self.dealt = [list(hand) for hand in self.hands]
        self.trick = []  # (seat, card)
        self.tricks = []  # (taker's seat, cards)
        self.heard = []  # (tricks before it, seat, verb, argument, cards named, cards held, cards on the table)
        self.called = {seat: [] for seat in range(self.seats)}
        self.ended = None
        self.seen = set()
        self.drawn = set()

    def hand_out(self):
        for _ in range(10):
            for step in range(self.seats):
                self.hands[(self.turn + step) % self.seats].append(self.stock.pop(0))

    def has_calling_out(self):
        return False

    @property
    def over(self):
        return self.ended is not None or not any(self.hands)

    @property
    def void(self):
        return self.ended is not None and self.ended[1] == "redeal"

    @property
    def taken(self):
        """The cards each line has taken."""
        return [[card for seat, cards in self.tricks if seat % 2 == line for card in cards] for line in (0, 1)]

    # Plays

    def following(self):
        hand = self.hands[self.turn]
        return (suit_of(hand, self.trick[0][1][1]) if self.trick else []) or hand

    def moves(self):
        return [] if self.over else [(card, frozenset()) for card in self.following()]

    def play(self, card, takes):
        seat = self.turn
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.seen.add(card)
        self.turn = (seat + 1) % self.seats
        if len(self.trick) == self.seats:
            self.take()

    def take(self):
        led = self.trick[0][1][1]
        winner = min((HIGH_TO_LOW.index(card[0]), seat) for seat, card in self.trick if card[1] == led)[1]
        self.tricks.append((winner, [card for _, card in self.trick]))
        self.trick = []
        self.turn = winner
        if self.stock:
            for step in range(self.seats):
                card = self.stock.pop(0)
                self.seen.add(card)
                self.drawn.add(card)
                self.hands[(winner + step) % self.seats].append(card)

    # Calls

    def calls(self):
        """Every call that may be made now, in the record's words."""
        return []

    def call(self, seat, verb, arg):
        if verb in ("out", "redeal", "collatondrione"):
            self.ended = (seat, verb)
            return
        cards, held = [], 0
        if verb == "accuso":
            names = arg.split("+")
            self.called[seat] += names
            if self.names_cards:
                cards = [card for name in names for card in cards_of(name, self.dealt[seat])]
        if verb == "declare" and arg.endswith("ho"):
            suit = suit_of(self.hands[seat], arg[0])
            cards, held = [card for card in suit if card[0] in "32A"], len(suit)
        self.heard.append((len(self.tricks), seat, verb, arg, cards, held, len(self.trick)))

    def uncalled(self, seat):
        return [name for name in combinations_in(self.dealt[seat]) if name not in self.called[seat]]

    def accusi(self, seat):
        """Every way to call some of what a seat hasn't called yet."""
        left = self.uncalled(seat)
        groups = [group for size in range(1, len(left) + 1) for group in combinations(left, size)]
        return [f"{seat} accuso {'+'.join(group)}" for group in groups]

    def said_now(self, verb):
        """The argument of what was said for the card about to be led, None if nothing."""
        if self.trick:
            return None
        args = [arg for number, _, name, arg, *_ in self.heard if name == verb and number == len(self.tricks)]
        return args[-1] if args else None

    def may_call_out(self):
        if self.over or self.needs is None or self.trick or not self.tricks:
            return []
        line = self.turn % 2
        return [f"{self.turn} out"] if self.made()[line] >= self.needs[line] else []

    # Points

    def credited(self):
        points = [0, 0]
        for seat, names in self.called.items():
            points[seat % 2] += worth(names)
        return points

    def whole(self):
        return [thirds(cards) // 3 for cards in self.taken]

    def made(self):
        """Return what each line has so far, calls included."""
        credited = self.credited() if self.credits_at_once else [0, 0]
        points = [ours + more for ours, more in zip(self.whole(), credited, strict=True)]
        if not any(self.hands):
            points[self.last_taker()] += 1
        return points

    def points(self):
        return self.made()

    def ending(self):
        """(line, how, stakes) where this deal ends the match whatever the score."""
        if self.ended is not None:
            return (self.ended[0] % 2, "called_out", 1)
        taker = self.last_taker()
        if self.needs is not None and self.points()[taker] >= self.needs[taker]:  # T9, at the last trick
            return (taker, "called_out", 1)
        return None

    def extra_stakes(self):
        return [0, 0]

    def forfeited(self, offender):
        points = self.made()
        points[1 - offender] += min(6, 11 - sum(self.whole()))
        return points

    def last_taker(self):
        return self.tricks[-1][0] % 2 if self.tricks else None

    # What may be known

    def shown_in_hand(self, owner, viewer):
        """The cards of ``owner``'s hand that ``viewer`` (None: a spectator) knows to be there."""
        hand = set(self.hands[owner])
        if owner == viewer or (self.players == 3 and (owner, viewer) == (2, 0)):  # M3
            return hand
        if self.options.get("carte_scoperte") and viewer is not None and owner % 2 == viewer % 2:  # G11
            return hand
        if not self.options.get("carte_viste"):
            return set()
        if self.players == 2 and not self.stock:  # T12
            return hand
        named = [cards for _, seat, verb, _, cards, *_ in self.heard if verb == "declare" and seat == owner]
        called = [arg.split("+") for _, seat, verb, arg, *_ in self.heard if verb == "accuso" and seat == owner]
        whole = [code for codes in called for code in codes if not code.startswith("3x")]  # of three one is missing
        return hand & self.drawn.union(*named, *(cards_of(code, hand) for code in whole))

    def seen_before(self):
        """Return the cards of earlier tricks (T12)."""
        return {card for _, cards in self.tricks for card in cards} if self.options.get("carte_viste") else set()

    def to_read(self):
        """The calls that may still be read."""
        now = len(self.tricks)
        lasting = self.options.get("carte_viste")
        return [
            (seat, verb, arg, set(cards), held, number, place)
            for number, seat, verb, arg, cards, held, place in self.heard
            if lasting or verb in ("accuso", "buongioco") or now - number <= 1
        ]

    def known(self, viewer):
        """Every card this viewer may know."""
        named = {card for _, _, _, _, cards, *_ in self.heard for card in cards}
        return self.seen.union(named, *(self.shown_in_hand(owner, viewer) for owner in range(self.seats)))


class Declared(Tricks):
    """Deal with the declarations of T10, for the two rulesets of rulebook 000."""

    def moves(self):
        declared = self.said_now("declare")
        return [move for move in super().moves() if declared is None or move[0][1] == declared[0]]

    def calls(self):
        if self.over or self.trick or not self.options.get("dichiarazioni") or self.said_now("declare"):
            return []
        suits = [suit for suit in SUITS if suit_of(self.hands[self.turn], suit)]
        return [f"{self.turn} declare {suit} {what}" for suit in suits for what in DECLARED]


class Tresette(Declared):
    def has_calling_out(self):
        return bool(self.options.get("vinco_subito"))

    def calls(self):
        first = self.options.get("accuso") and not self.tricks and not self.over
        return (self.accusi(self.turn) if first else []) + super().calls() + self.may_call_out()

    def cappotto(self):
        """Return the line that took all eleven points (T6), None if neither or if it isn't played."""
        if not self.options.get("cappotto") or self.ended is not None:
            return None
        points = self.whole()
        points[self.last_taker()] += 1
        return points.index(11) if 11 in points else None

    def points(self):
        points = self.made()
        if self.cappotto() is not None:
            points[1 - self.cappotto()] = 0
        return points

    def extra_stakes(self):
        stakes = [0, 0]
        if self.cappotto() is not None:
            stakes[self.cappotto()] = 1
        return stakes


class APerdere(Declared):
    def forfeited(self, offender):
        return super().forfeited(1 - offender)  # A3


class Accusa(Tricks):
    credits_at_once = False

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        for seat, hand in enumerate(self.hands):
            if "4d" in hand:  # M2
                self.turn = seat

    def hand_out(self):
        for _ in range(2):
            for step in range(self.seats):
                hand = self.hands[(self.turn + step) % self.seats]
                for _ in range(5):
                    hand.append(self.stock.pop(0))

    def must_call(self):
        """Return whether the seat to move has to call before it plays (M4)."""
        obligatory = self.options.get("accusa", "obbligatoria") == "obbligatoria"
        return obligatory and not self.tricks and not self.over and bool(self.uncalled(self.turn))

    def moves(self):
        return [] if self.must_call() else super().moves()

    def calls(self):
        return [] if self.over or self.tricks else self.accusi(self.turn)

    def points(self):
        points, accusa = self.made(), self.credited()
        if 0 in points:
            winner = 1 - points.index(0)
            points[winner] = 17 + accusa[winner]  # M5, M6
            return points
        return [ours + more for ours, more in zip(points, accusa, strict=True)]


class Classico(Tricks):
    names_cards = True

    def has_calling_out(self):
        return True

    def signals(self):
        kind = self.options.get("segnali", "none")
        if self.over or kind == "none" or self.trick or not self.tricks or self.said_now("signal"):
            return []
        hand = self.hands[self.turn]
        last_of_suit = any(len(suit_of(hand, suit)) == 1 for suit in SUITS)
        allowed_signals = ["busso"] + (["volo"] if last_of_suit else []) + (["striscio"] if kind == "tre" else [])
        return [f"{self.turn} signal {name}" for name in allowed_signals]

    def moves(self):
        legal = super().moves()
        if self.said_now("signal") == "volo":
            legal = [move for move in legal if len(suit_of(self.hands[self.turn], move[0][1])) == 1]
        return legal

    def taken_by(self, seat):
        return [card for taker, cards in self.tricks if taker == seat for card in cards]

    def good_games(self):
        return [seat for _, seat, verb, *_ in self.heard if verb == "buongioco"]

    def opening(self):
        """List the calls before the first card (C2, C5)."""
        if self.over or self.tricks or self.trick:
            return []
        calls = [f"{seat} redeal" for seat in range(4) if thirds(self.dealt[seat]) < 3]
        if self.options.get("onori"):
            for seat in range(4):
                calls += [f"{seat} collatondrione" for suit in SUITS if len(suit_of(self.dealt[seat], suit)) == 10]
        return calls

    def honours(self):
        """List the honours to call (C4)."""
        if self.over or not self.options.get("onori"):
            return []
        calls = []
        for seat in range(4):
            if len(self.hands[seat]) == 10 and seat not in self.good_games() and combinations_in(self.dealt[seat]):
                calls.append(f"{seat} buongioco")
        if len(self.tricks) == 1 and not self.trick:
            for seat in self.good_games():
                calls += self.accusi(seat)
        return calls

    def calls(self):
        return self.opening() + self.honours() + self.signals() + self.may_call_out()

    def special(self):
        """Return (line, how, stakes) of a special victory (C6), None after an ordinary deal."""
        takers = [seat for seat, _ in self.tricks]
        for line in (0, 1):
            if all(seat % 2 == line for seat in takers):
                return (line, "cappottone", 6) if len(set(takers)) == 1 else (line, "cappotto", 2)
        for line in (0, 1):
            if self.whole()[line] == 10:
                alone = any(thirds(self.taken_by(seat)) // 3 == 10 for seat in (line, line + 2))
                return (line, "stramazzone", 8) if alone else (line, "stramazzo", 3)
        return None

    def points(self):
        if self.ended is not None:
            return [0, 0] if self.ended[1] == "collatondrione" else self.made()
        points = self.made()
        special = self.special()
        if special is not None and special[1].startswith("stramazz"):
            points[self.last_taker()] -= 1
        return points

    def ending(self):
        if self.ended is not None and self.ended[1] == "collatondrione":
            return (self.ended[0] % 2, "collatondrione", 16)
        return (self.special() if self.ended is None else None) or super().ending()
