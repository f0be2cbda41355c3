"""Random match records, legal and spoiled, made with the naive games only: ``games`` has no part in making them."""

import copy
import json
import random

from tests.games import naive, naive_decks, naive_replay

LENGTHS = [("deals", n) for n in (1, 1, 1, 2, 3, 4, 5)] + [("points", n) for n in (1, 5, 6, 7, 11, 11, 21, 21, 31, 51)]
FORFEITS = ("timeout", "clock", "abandon", "noshow")
WEAKEST_FIRST = "4567FCRA23"
CALLS = [
    "out", "redeal", "buongioco", "collatondrione", "accuso 3x3", "accuso 3xA", "accuso 4x2", "accuso napoletana:d",
    "accuso 3xA+3x2", "accuso 3x2+3x2", "accuso", "declare d ho", "declare c busso", "declare s per-te+ho",
    "declare b per-te", "declare x ho", "declare d", "signal busso", "signal volo", "signal striscio", "signal",
]  # fmt: skip


def random_header(rng):
    """A header that may be played: mostly the contexts, lengths and options in which something rare can happen."""
    ruleset = rng.choice(sorted(naive_replay.OPTIONS))
    while True:
        players = rng.choice(naive_replay.players_of(ruleset))
        kind, amount = rng.choice(LENGTHS)
        context = rng.choice(["free", "ko", "ko", "round_robin"])
        known = naive_replay.OPTIONS[ruleset]
        options = {name: rng.choice(values) for name, values in known.items() if rng.random() < 0.7}
        if naive_replay.may_be_played_so(ruleset, players, kind, amount, context, options):
            break
    header = {
        "verbale": 1, "ruleset": ruleset, "players": players, "length": {kind: amount}, "context": context,
        "first_dealer": rng.randrange(4 if players == 3 else players), "options": options, "deals": [],
    }  # fmt: skip
    if not options and rng.random() < 0.5:
        del header["options"]
    return header


class Habits:
    """Temper of the players of one record: how much they say, and which line is let win."""

    def __init__(self, rng):
        self.rng = rng
        self.says = rng.choice([0, 0.3, 0.7, 0.95])
        self.calls_out = (rng.choice([0, 0.3, 1]), rng.choice([0, 0.3, 1]))
        self.helped = rng.choice([None, 0, 1])  # this line plays high, the other low
        self.noise = rng.choice([0, 0.2])

    def move(self, game):
        """Return one of the moves listed."""
        plays = [text for text in naive.listed(game) if " play " in text]
        calls = [text for text in naive.listed(game) if " play " not in text and self.would_say(text)]
        if calls and (not plays or self.rng.random() < self.says):
            return self.rng.choice(calls)
        if not plays:
            return self.rng.choice(naive.listed(game))
        if self.helped is None or self.rng.random() < self.noise:
            return self.shuffled(self.rng.choice(plays))
        high = game.turn % 2 == self.helped
        ranked = sorted(plays, key=lambda text: WEAKEST_FIRST.index(text[7]))
        return self.shuffled(ranked[-1 if high else 0])

    def would_say(self, text):
        if text.endswith("out"):
            return self.rng.random() < self.calls_out[int(text[0]) % 2]
        return not text.endswith(("redeal", "collatondrione")) or self.rng.random() < 0.5

    def shuffled(self, text):
        """The cards taken, or the combinations called, in any order."""
        head, _, takes = text.partition(" x ")
        return head + (" x " + " ".join(self.rng.sample(takes.split(), len(takes.split()))) if takes else "")


def random_record(rng, forfeit_every=150):
    """A legal record, played at random to its end, to a forfeit, or (one in eight) left unfinished."""
    record = random_header(rng)
    match, habits = naive_replay.Replay(*naive_replay.check_header(record)), Habits(rng)
    stop_after = rng.randrange(200) if rng.random() < 0.125 else None
    made = 0
    while match.end is None:
        seats = 4 if match.players == 3 else match.players
        deck, moves = naive_decks.some_deck(rng, match.ruleset, seats, match.dealer), []
        record["deals"].append({"deck": " ".join(deck), "moves": moves})
        match.deal(deck)
        while match.game is not None:
            if stop_after is not None and made >= stop_after:
                return record
            if rng.randrange(forfeit_every) == 0 or (made == 0 and rng.random() < 0.05):
                verb = rng.choice(FORFEITS if made == 0 else FORFEITS[:3])
                seat = match.game.turn if verb in ("timeout", "clock") else rng.randrange(seats)
                text = f"{seat} {verb}"
            else:
                text = habits.move(match.game)
            moves.append(text)
            assert match.move(naive_replay.read_move(text)), text
            made += 1
    return record


def _some_move(rng, record):
    """Return where a random move stands: its deal and its place; None without any."""
    places = [(d, m) for d, deal in enumerate(record["deals"]) for m in range(len(deal["moves"]))]
    return rng.choice(places) if places else None


def _some_text(rng):
    card = rng.choice(naive.DECK)
    takes = " ".join(rng.sample(naive.DECK, rng.randrange(1, 4)))
    seat = rng.randrange(5)
    return rng.choice(
        [
            f"{seat} play {card}", f"{seat} play {card}", f"{seat} play {card} x {takes}",
            f"{seat} {rng.choice(FORFEITS)}", *(f"{seat} {rng.choice(CALLS)}" for _ in range(6)),
            "", "play", "0", f"{seat} play", f"{seat} play {card} x", f"{seat} out x", f"{seat} accuso 3x3 3x2",
            f"{seat} play {card.swapcase()}", f"-{seat} play {card}", f"{seat} timeout 3", f" {seat} play {card}",
            f"{seat}  play {card}", f"{seat} play {card} ", f"{seat} PLAY {card}", f"{seat} play {card} y {takes}",
            f"{seat} play {card} x {card} {card}", f"0{seat} play {card}", f"{seat}\tplay\t{card}",
        ]
    )  # fmt: skip


def _replace_move(rng, record, d, m):
    record["deals"][d]["moves"][m] = _some_text(rng)


def _insert_move(rng, record, d, m):
    record["deals"][d]["moves"].insert(m + rng.randrange(2), _some_text(rng))


def _forfeit_here(rng, record, d, m):
    record["deals"][d]["moves"].insert(m, f"{rng.randrange(record['players'])} {rng.choice(FORFEITS)}")


def _call_here(rng, record, d, m):
    seat = rng.choice([str(record["deals"][d]["moves"][m])[:1], rng.randrange(4)])
    record["deals"][d]["moves"].insert(m, f"{seat} {rng.choice(CALLS)}")


def _drop_move(rng, record, d, m):
    del record["deals"][d]["moves"][m]


def _double_move(rng, record, d, m):
    moves = record["deals"][d]["moves"]
    moves.insert(m, moves[m])


def _swap_moves(rng, record, d, m):
    moves = record["deals"][d]["moves"]
    other = rng.randrange(len(moves))
    moves[m], moves[other] = moves[other], moves[m]


def _other_seat(rng, record, d, m):
    moves = record["deals"][d]["moves"]
    moves[m] = f"{rng.randrange(4)}{str(moves[m])[1:]}"


def _other_card(rng, record, d, m):
    words = str(record["deals"][d]["moves"][m]).split(" ")
    words[-1] = rng.choice(naive.DECK)
    record["deals"][d]["moves"][m] = " ".join(words)


def _card_from_later(rng, record, d, m):
    """Play now a card the same seat plays later: in hand, but perhaps not allowed."""
    moves = [str(move) for move in record["deals"][d]["moves"]]
    later = [move for move in moves[m + 1 :] if move[:7] == moves[m][:7]]
    if later:
        record["deals"][d]["moves"][m] = rng.choice(later).partition(" x ")[0] + rng.choice(["", moves[m][9:]])


def _other_takes(rng, record, d, m):
    """Take other cards, among those that were face up before."""
    moves = [str(move) for move in record["deals"][d]["moves"]]
    table = str(record["deals"][d]["deck"]).split()[3 * record["players"] :][:4]
    open_cards = table + [move[7:9] for move in moves[:m]]
    if not open_cards:
        return
    takes = sorted(set(rng.choices(open_cards, k=rng.randrange(1, 4))))
    record["deals"][d]["moves"][m] = moves[m].partition(" x ")[0] + " x " + " ".join(takes)


def _no_takes(rng, record, d, m):
    moves = record["deals"][d]["moves"]
    moves[m] = str(moves[m]).partition(" x ")[0]


def _odd_move(rng, record, d, m):
    record["deals"][d]["moves"][m] = rng.choice([None, 1, True, [], {}, ["0 abandon"], "7d", "\ud800", "٠ play 7d"])


def _cut_deal(rng, record, d, m):
    del record["deals"][d]["moves"][m:]


def _after_the_end(rng, record, d, m):
    record["deals"][d]["moves"].append(_some_text(rng))


def _swap_cards(rng, record, d, m):
    deck = str(record["deals"][d]["deck"]).split()
    if len(deck) != 40:
        return
    a, b = rng.sample(range(40), 2)
    deck[a], deck[b] = deck[b], deck[a]
    record["deals"][d]["deck"] = " ".join(deck)


def _spoil_deck(rng, record, d, m):
    deck = str(record["deals"][d]["deck"]).split()
    if len(deck) != 40:
        return
    place = rng.randrange(40)
    kind = rng.randrange(6)
    if kind == 0:
        deck[place] = deck[place - 1]
    elif kind == 1:
        del deck[place]
    elif kind == 2:
        deck.insert(place, rng.choice(naive.DECK))
    elif kind == 3:
        deck[place] = rng.choice(["8d", "7x", "d7", "10d", "AD", "", "7d7c"])
    record["deals"][d]["deck"] = " ".join(deck) if kind < 4 else [None, 40][kind - 4]


def _add_deal(rng, record, d, m):
    record["deals"].append({"deck": " ".join(naive_decks.any_deck(rng)), "moves": rng.choice([[], ["0 abandon"]])})


def _insert_deal(rng, record, d, m):
    scopa = record["ruleset"] == "scopa" and rng.random() < 0.7
    deck = naive_decks.void_deck(rng, record["players"]) if scopa else naive_decks.any_deck(rng)
    record["deals"].insert(d, {"deck": " ".join(deck), "moves": rng.choice([[], [], ["0 abandon"], ["1 noshow"]])})


def _drop_deal(rng, record, d, m):
    del record["deals"][d]


MOVE_SPOILS = [
    _replace_move, _insert_move, _call_here, _call_here, _call_here, _forfeit_here, _drop_move, _double_move,
    _swap_moves, _other_seat, _other_card, _card_from_later, _card_from_later, _card_from_later, _other_takes,
    _other_takes, _no_takes, _odd_move, _cut_deal, _after_the_end, _swap_cards, _spoil_deck, _add_deal, _insert_deal,
    _drop_deal,
]  # fmt: skip

ODD = [None, True, False, 0, 1, -1, 2, 3, 4, 5, 1.0, 2.0, "", "1", "2", "ko", "scopa", [], {}, [1], {"deals": 1}]
HEADER_VALUES = {
    "length": [
        {"deals": 0}, {"deals": 20}, {"deals": 21}, {"deals": -1}, {"deals": True}, {"deals": 1.0}, {"deals": "1"},
        {"points": 0}, {"points": 101}, {"points": 102}, {"points": 12}, {"deals": 1, "points": 11}, {"hands": 3},
    ],
    "options": [
        {"accuso": False}, {"accuso": True}, {"accuso": 0}, {"accuso": None}, {"carte_viste": True},
        {"ko_tie": "deals"},
        {"ko_tie": "rulebook"}, {"ko_tie": "coin"}, {"ko_tie": True}, {"ko_tie": False}, {"onori": False}, {"": False},
        {"dichiarazioni": False, "carte_scoperte": False}, {"vinco_subito": False}, {"ko_tie": []},
        {"vinco_subito": True}, {"cappotto": True}, {"dichiarazioni": True}, {"carte_scoperte": True}, {"onori": True},
        {"accusa": "facoltativa"}, {"accusa": "obbligatoria"}, {"accusa": True}, {"segnali": "due"}, {"segnali": "x"},
    ],
    "context": ["free", "ko", "round_robin", "KO", "girone"],
    "ruleset": ["scopa", "tresette", "Scopa", "burraco", *naive_replay.OPTIONS],
    "about": [{}, {"players": ["Anna", "Bruno"]}, "Anna", []],
    "result": [{}, None, "x", {"winner": 1}],
    "notes": ["x", None],
}  # fmt: skip


def spoil_header(rng, record):
    """Change, add or remove one field of the header; what comes out may still be legal."""
    names = [*record, "options", "about", "result", "notes", "length", "options"]
    name = rng.choice(names)
    kind = rng.randrange(8)
    if kind == 0:
        record.pop(name, None)
    elif kind == 1 and record["deals"]:
        deal = rng.choice(record["deals"])
        rng.choice([lambda: deal.pop("moves"), lambda: deal.pop("deck"), lambda: deal.update(x=1),
                    lambda: deal.update(moves=None), lambda: deal.update(moves="0 abandon")])()  # fmt: skip
    elif kind == 2 and record["deals"]:
        record["deals"][rng.randrange(len(record["deals"]))] = rng.choice([None, [], "x", {}])
    else:
        record[name] = copy.deepcopy(rng.choice(HEADER_VALUES.get(name, ODD) if rng.random() < 0.7 else ODD))


def spoiled(rng, record):
    """A copy of a record with one to three things changed in it. Some of these are legal again."""
    record = json.loads(json.dumps(record))
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        place = _some_move(rng, record)
        if place is None or rng.random() < 0.12:
            spoil_header(rng, record)
            return record
        rng.choice(MOVE_SPOILS)(rng, record, *place)
    return record


def seeded(seed):
    """The random numbers of one test, from its seed alone."""
    return random.Random(seed)
