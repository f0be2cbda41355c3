"""The match record and its result written a second time from record-format.md, on top of the naive games.

Like them it shares no code with ``games`` or ``scoring``.
"""

import re

from tests.games import naive_shuffling
from tests.games.naive import DECK, GAMES, RANKS, SUITS, as_text, do, listed
from tests.games.naive_tricks import ORDER

EITHER = (False, True)
FACE_UP = {"carte_viste": EITHER, "carte_scoperte": EITHER}
# The values of each option, the default first.
OPTIONS = {
    "scopa": FACE_UP,
    "asso-piglia-tutto": FACE_UP,
    "tresette": {
        "vinco_subito": EITHER, "accuso": EITHER, "cappotto": EITHER, "dichiarazioni": EITHER, **FACE_UP,
        "ko_tie": ("rulebook", "deals"),
    },
    "tresette-a-perdere": {"dichiarazioni": EITHER, **FACE_UP},
    "tressette-accusa": {"accusa": ("obbligatoria", "facoltativa")},
    "tressette-classico": {"onori": EITHER, "segnali": ("none", "due", "tre")},
    "briscola": {"mostra_compagno": EITHER},
    "scopone": {"quattro_a_terra": EITHER, **FACE_UP},
}  # fmt: skip
PLAYERS = {"tressette-accusa": (2, 3, 4), "tressette-classico": (4,), "scopone": (4,)}  # the others: two or four
TRESETTE = {
    (6, 1): [0, 1, 2, 3, 4, 5, 7, 9, 11],
    (11, 2): [0, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19],
    (17, 3): [0, 2, 4, 6, 8, 10, 12, 15, 18, 21, 24],
    (21, 4): [0, 2, 4, 7, 10, 13, 16, 19, 22, 24, 27],
    (26, 5): [0, 3, 5, 8, 11, 14, 17, 20, 23, 26, 30],
    (31, 6): [0, 3, 6, 9, 12, 16, 19, 23, 26, 29, 33],
    (36, 7): [0, 3, 6, 9, 13, 17, 21, 24, 28, 32, 36],
    (41, 8): [0, 3, 6, 10, 14, 18, 22, 26, 30, 34, 38],
}
SCOPA = {
    (7, 1, 2): [0, 1, 2, 3, 4, 5, 6, 7, 8],
    (11, 3): [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14],
    (21, 4, 5): [0, 1, 2, 4, 6, 8, 10, 12, 14, 17, 20],
}
WIN_OR_LOSS = "20-0"  # V3 of the games without a table
VP = {"scopa": SCOPA}  # the others: rulebook 000's
A_PERDERE = "tresette-a-perdere"
FORFEITS = ("noshow", "timeout", "clock", "abandon")


def players_of(ruleset):
    return PLAYERS.get(ruleset, (2, 4))


def bounds(ruleset, kind, amount):
    """Return the bounds of a length's column (V3), None without one."""
    if ruleset in ("asso-piglia-tutto", "briscola", "scopone"):
        return WIN_OR_LOSS
    for (points, *deals), column in VP.get(ruleset, TRESETTE).items():
        if (kind == "points" and amount == points) or (kind == "deals" and amount in deals):
            return column
    return None


class Refused(Exception):
    """A record that can't be replayed, with the place of its first fault."""

    def __init__(self, deal=None, move=None):
        super().__init__(deal, move)
        self.place = (deal, move)


def _whole(number):
    return isinstance(number, int) and not isinstance(number, bool)


def _among(setting, values):
    """Return whether it is one of the values, of the same type (``1`` is not ``true``)."""
    return any(type(setting) is type(allowed) and setting == allowed for allowed in values)


def may_be_played_so(ruleset, players, kind, amount, context, options):
    """Return whether length, context and number of players allow it (M1, M8, C1, V4, T6, T9, T10, G11)."""
    if players == 3 and context != "free":
        return False
    if context == "round_robin" and bounds(ruleset, kind, amount) is None:
        return False
    if ruleset == "tressette-accusa" and (kind != "points" or amount not in (11, 21, 31, 41)):
        return False
    if ruleset == "tressette-classico":
        allowed = (31, 51) if options.get("onori") else (21,)
        if kind != "points" or amount not in allowed:
            return False
    if ruleset == "scopone" and kind == "points" and amount not in (11, 21):  # SC2
        return False
    if options.get("vinco_subito") and kind != "points":
        return False
    if options.get("cappotto") and context != "free":
        return False
    of_pairs = ("dichiarazioni", "carte_scoperte", "mostra_compagno")
    return players != 2 or not any(options.get(name) for name in of_pairs)


def check_header(record):
    """(ruleset, players, kind, amount, context, options, first dealer, deals), or Refused without a place."""
    wanted = {"verbale", "ruleset", "players", "length", "context", "first_dealer", "deals"}
    if not isinstance(record, dict) or wanted - set(record):
        raise Refused
    if set(record) - wanted - {"options", "shuffle", "about", "result"}:
        raise Refused
    if not _whole(record["verbale"]) or record["verbale"] != 1:
        raise Refused
    ruleset, players = record["ruleset"], record["players"]
    if not isinstance(ruleset, str) or ruleset not in GAMES or not _whole(players):
        raise Refused
    if players not in players_of(ruleset):
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
    options = record.get("options", {})
    if not isinstance(options, dict) or not isinstance(record.get("about", {}), dict):
        raise Refused
    for name, setting in options.items():
        if name not in OPTIONS[ruleset] or not _among(setting, OPTIONS[ruleset][name]):
            raise Refused
    if not may_be_played_so(ruleset, players, kind, amount, context, options):
        raise Refused
    dealer = record["first_dealer"]
    if not _whole(dealer) or dealer < 0 or dealer >= (4 if players == 3 else players):
        raise Refused
    if not isinstance(record["deals"], list):
        raise Refused
    for deal in record["deals"]:
        if not isinstance(deal, dict) or set(deal) != {"deck", "moves"} or not isinstance(deal["moves"], list):
            raise Refused
    check_origin(record)
    return ruleset, players, kind, amount, context, options, dealer, record["deals"]


def check_origin(record):
    """Refuse a header whose ``shuffle`` isn't one, or gives another dealer (J6)."""
    if "shuffle" not in record:
        return
    shuffle = record["shuffle"]
    names = ["commitment", "dealer", "nonces", "scheme", "scope", "secret"]
    if not isinstance(shuffle, dict) or sorted(shuffle) != names or not isinstance(shuffle["nonces"], list):
        raise Refused
    texts = [shuffle[name] for name in names if name != "nonces"] + shuffle["nonces"]
    if not all(isinstance(text, str) for text in texts) or shuffle["scheme"] != "smazzata-1":
        raise Refused
    if shuffle["dealer"] not in ("drawn", "given") or not re.fullmatch("[A-Za-z0-9/-]{1,64}", shuffle["scope"]):
        raise Refused
    digits = [shuffle["commitment"], shuffle["secret"], *(nonce * 2 for nonce in shuffle["nonces"] if nonce)]
    if not all(re.fullmatch("[0-9a-f]{64}", text) for text in digits):
        raise Refused
    secret = bytes.fromhex(shuffle["secret"])
    if naive_shuffling.commit(shuffle["scope"], secret) != shuffle["commitment"]:
        raise Refused
    hands = 4 if record["players"] == 3 else record["players"]
    drawn = naive_shuffling.dealer(secret, shuffle["scope"], shuffle["nonces"], hands)
    if shuffle["dealer"] == "drawn" and drawn != record["first_dealer"]:
        raise Refused


def replay(record):
    """The result object of a record; a refused one has only ``ok``, ``deal`` and ``move``."""
    try:
        return Replay(*check_header(record), record.get("shuffle")).result()
    except Refused as refused:
        deal, move = refused.place
        return {"ok": False, "deal": deal, "move": move}


class Replay:
    """A record played to where it leads. ``end`` is (winner, decided_by, stakes, offending line)."""

    def __init__(self, ruleset, players, kind, amount, context, options, dealer, deals, shuffle=None):
        self.shuffle = shuffle
        self.ruleset, self.players, self.kind, self.amount = ruleset, players, kind, amount
        self.context, self.options, self.dealer = context, options, dealer
        self.score, self.extra, self.finished = [0, 0], [0, 0], []
        self.scored_deals = self.tie_break = 0
        self.any_move = False
        self.end = None
        self.game = None  # while a deal is running
        for number, entry in enumerate(deals):
            self.play_deal(number, entry)

    def play_deal(self, number, entry):
        if self.end or self.game or not isinstance(entry["deck"], str):
            raise Refused(number)
        deck = entry["deck"].split()
        if sorted(deck) != sorted(DECK):
            raise Refused(number)
        if self.shuffle is not None:
            secret = bytes.fromhex(self.shuffle["secret"])
            if deck != naive_shuffling.shuffled(secret, self.shuffle["scope"], self.shuffle["nonces"], number):
                raise Refused(number)
        self.deal(deck)
        for place, text in enumerate(entry["moves"]):
            move = read_move(text) if isinstance(text, str) else None
            if self.game is None or move is None or int(move[0]) >= self.game.seats or not self.move(move):
                raise Refused(number, place)

    def deal(self, deck):
        score = None if self.tie_break else self.score
        target = self.amount if self.kind == "points" else None
        self.game = GAMES[self.ruleset](self.players, self.dealer, deck, self.options, score, target)
        if self.game.void:
            self.void()

    def move(self, text):
        """Make a move of the running deal; whether it was allowed."""
        game, seat, verb = self.game, int(text[0]), text.split(" ")[1]
        if verb in FORFEITS:
            if (verb in ("timeout", "clock") and seat != game.turn) or (verb == "noshow" and self.any_move):
                return False
            self.add(game.forfeited(seat % 2))
            self.end = (1 - seat % 2, verb, 1, seat % 2)
            return True
        if text not in listed(game):
            return False
        do(game, text)
        self.any_move = True
        if game.void:
            self.void()
        elif game.over:
            self.count(game)
        return True

    def void(self):
        self.finished.append({"dealer": self.dealer, "void": True, "points": [0, 0]})
        self.game = None

    def add(self, points):
        self.finished.append({"dealer": self.dealer, "void": False, "points": points})
        self.score = [self.score[0] + points[0], self.score[1] + points[1]]
        self.scored_deals += 1
        self.dealer = (self.dealer + 1) % self.game.seats
        self.game = None

    def count(self, game):
        """A deal that is over."""
        self.add(game.points())
        if hasattr(game, "extra_stakes"):
            self.extra = [ours + more for ours, more in zip(self.extra, game.extra_stakes(), strict=True)]
        ending = game.ending() if hasattr(game, "ending") else None
        if ending:
            self.end = (*ending, None)
            return
        reached = self.scored_deals >= self.amount if self.kind == "deals" else max(self.score) >= self.amount
        if self.tie_break or reached:
            self.judge(game.last_taker())

    def judge(self, taker):
        """The regular end has come, or a tie-break deal is over (G6, G7, T8, A1, A2)."""
        by_last_trick = self.ruleset == "tresette" and self.kind == "deals" and self.options.get("ko_tie") != "deals"
        if self.score[0] != self.score[1]:
            ahead = 0 if self.score[0] > self.score[1] else 1
            winner = 1 - ahead if self.ruleset == A_PERDERE else ahead
            self.end = (winner, f"tie_break_{self.tie_break}" if self.tie_break else "points", 1, None)
        elif self.ruleset == A_PERDERE or (self.context == "ko" and by_last_trick):
            self.end = (taker, "last_trick", 1, None)
        elif self.context != "ko":
            self.end = (None, "draw", 0, None)
        elif self.tie_break == 3:
            self.end = (1 - taker, "tie_break_last_trick", 1, None)
        else:
            self.tie_break += 1

    def result(self):
        result = {
            "ok": True, "complete": self.end is not None, "deals": self.finished, "score": self.score, "winner": None,
            "decided_by": None, "margin": None, "mp": None, "vp": None, "stakes": list(self.extra),
        }  # fmt: skip
        if self.end is None:
            return result
        winner, decided_by, stakes, offender = self.end
        margin = 0
        if winner is not None:
            ahead = self.score[winner] - self.score[1 - winner]
            margin = max(0, -ahead if self.ruleset == A_PERDERE else ahead)
            result["stakes"][winner] += stakes
        result.update(winner=winner, decided_by=decided_by, margin=margin)
        column = bounds(self.ruleset, self.kind, self.amount)
        if self.context != "ko" and column is not None:
            mp, vp = worth(column, winner, margin, offender)
            result.update(mp=mp, vp=vp)
        return result


def worth(column, winner, margin, offender):
    """MP and VP of each line (V1-V5)."""
    if winner is None:
        return [0, 0], [10, 10]
    if column == WIN_OR_LOSS:
        for_winner, for_loser = (margin, 20), (-margin, 0)
    else:
        row = len([bound for bound in column if bound <= margin]) - 1
        for_winner, for_loser = (margin, 10 + row), (-margin, 10 - row)
        if offender is not None:
            row = max(4, row)
            for_winner, for_loser = (column[row], 10 + row), (-column[-1], 0)
    both = [for_winner, for_loser] if winner == 0 else [for_loser, for_winner]
    return [mp for mp, _ in both], [vp for _, vp in both]


CARD = f"[{RANKS}][{SUITS}]"
PLAY = re.compile(rf"([0-3]) play ({CARD})(?: x ({CARD}(?: {CARD})*))?")
BARE = re.compile(r"[0-3] (?:noshow|timeout|clock|abandon|out|redeal|buongioco|collatondrione)")
ACCUSO = re.compile(r"([0-3] accuso) (\S+)")
OTHER = re.compile(r"[0-3] (?:declare [dcbs]|signal) [a-z+-]+")


def read_move(text):
    """The move as ``naive.listed`` writes it, None if it can't be read."""
    if BARE.fullmatch(text) or OTHER.fullmatch(text):
        return text
    if match := ACCUSO.fullmatch(text):
        names = match[2].split("+")
        if len(set(names)) != len(names) or not set(names) <= set(ORDER):
            return None
        return f"{match[1]} {'+'.join(name for name in ORDER if name in names)}"
    match = PLAY.fullmatch(text)
    if not match:
        return None
    takes = match[3].split(" ") if match[3] else []
    return as_text(match[1], match[2], takes) if len(set(takes)) == len(takes) else None
