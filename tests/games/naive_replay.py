"""The match record and its result written a second time from record-format.md, on top of the naive games.

Like them it shares no code with ``games`` or ``scoring``.
"""

import re

from tests.games.naive import DECK, GAMES, RANKS, SUITS

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


class Refused(Exception):
    """A record that can't be replayed, with the place of its first fault."""

    def __init__(self, deal=None, move=None):
        super().__init__(deal, move)
        self.place = (deal, move)


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
