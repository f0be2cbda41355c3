"""A match as text: the record (*verbale*), version 1, read, replayed and written.

It decides what a record may contain and where the fault lies in one that can't be replayed. It never touches MP, VP or
the lengths a round robin allows (scoring does), and reads no file. A fault is a RecordError with its position.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from games.engine import calls, match, shuffling
from games.engine.cards import CARDS, DECK_SIZE, NAMES, SUITS, list_cards, make_mask
from games.engine.game import GameMove, HeaderError, IllegalMove, Length, Points, Setup, count_hands
from games.engine.match import Progress

VERSION = 1
Json = dict[str, Any]  # an object of record-format.md
BARE_VERBS = frozenset({"buongioco", "collatondrione", "redeal", "out", "noshow", "timeout", "clock", "abandon"})
DECLARATIONS = frozenset({f"{suit} {what}" for suit in SUITS for what in calls.DECLARED})  # T10
SEATS = {str(seat): seat for seat in range(4)}
REQUIRED = frozenset({"verbale", "ruleset", "players", "length", "context", "first_dealer", "deals"})
ALLOWED = REQUIRED | {"options", "handicap", "shuffle", "about", "result"}
SHUFFLE_FIELDS = frozenset({"scheme", "scope", "commitment", "nonces", "secret", "dealer"})  # J6
DEAL_FIELDS = frozenset({"deck", "moves"})


class RecordError(Exception):
    """A record that can't be replayed. ``deal`` and ``move`` count from 0, None as record-format.md says.

    ``code`` is one of the closed lists in games/wording.py.
    """

    def __init__(self, code: str, deal: int | None = None, move: int | None = None) -> None:
        super().__init__(code, deal, move)
        self.code = code
        self.deal = deal
        self.move = move


class RecordedDeal(NamedTuple):
    """A deal as it stands in the record; what its deck and moves say is read when it is replayed."""

    deck: object
    moves: Sequence[object]


class Shuffle(NamedTuple):
    """Origin of a record's decks (J6)."""

    scope: str
    commitment: str  # hex
    nonces: tuple[str, ...]
    secret: bytes
    drawn: bool  # whether the first dealer comes from it, too

    @property
    def dealer(self) -> str:
        """Return the record's word for how the first dealer came about."""
        return "drawn" if self.drawn else "given"

    def write(self) -> Json:
        """Return the record's field of it."""
        return {
            "scheme": shuffling.SCHEME,
            "scope": self.scope,
            "commitment": self.commitment,
            "nonces": list(self.nonces),
            "secret": self.secret.hex(),
            "dealer": self.dealer,
        }

    def check_header(self, setup: Setup) -> None:
        """Raise RecordError if the commitment isn't the secret's, or the dealer not the one it draws."""
        if shuffling.compute_commitment(self.scope, self.secret) != self.commitment:
            raise RecordError("shuffle_mismatch")
        hands = count_hands(setup.players)
        if self.drawn and shuffling.draw_dealer(self.secret, self.scope, self.nonces, hands) != setup.first_dealer:
            raise RecordError("shuffle_mismatch")

    def check_deck(self, number: int, deck: Sequence[int]) -> None:
        """Raise RecordError if this isn't the deck of that deal, from 0."""
        if shuffling.shuffle_deck(self.secret, self.scope, self.nonces, number) != list(deck):
            raise RecordError("shuffle_mismatch", number)


class Record(NamedTuple):
    """A record whose header is sound."""

    setup: Setup
    deals: tuple[RecordedDeal, ...]
    shuffle: Shuffle | None = None


class Replay(NamedTuple):
    """Result of replaying a record."""

    setup: Setup
    progress: Progress


def parse_move(text: str) -> GameMove:
    """Return the move of a text such as ``0 play 7c x 4d 3s``; IllegalMove("unreadable_move") if there is none.

    One space between words, none around them; the cards captured and the combinations called in any order.
    """
    words = text.split(" ")
    if len(words) < 2 or words[0] not in SEATS:
        raise IllegalMove("unreadable_move")
    seat, verb, rest = SEATS[words[0]], words[1], words[2:]
    if verb == "play" and rest and all(word in CARDS for word in (rest[0], *rest[2:])):
        takes = make_mask(CARDS[word] for word in rest[2:])
        if len(rest) == 1 or (rest[1] == "x" and takes and takes.bit_count() == len(rest) - 2):
            return GameMove(seat, verb, CARDS[rest[0]], takes)
    elif verb in BARE_VERBS and not rest:
        return GameMove(seat, verb)
    elif verb == "accuso" and len(rest) == 1:
        return GameMove(seat, verb, arg=_parse_combinations(rest[0]))
    elif (verb == "declare" and " ".join(rest) in DECLARATIONS) or (
        verb == "signal" and " ".join(rest) in calls.SIGNALS
    ):
        return GameMove(seat, verb, arg=" ".join(rest))
    raise IllegalMove("unreadable_move")


def _parse_combinations(text: str) -> str:
    try:
        return "+".join(calls.parse_combinations(text))
    except ValueError:
        raise IllegalMove("unreadable_move") from None


def write_move(move: GameMove) -> str:
    """Write the move in the record's words; captured cards in the order of the deck's numbering."""
    words = [str(move.seat), move.verb]
    if move.card >= 0:
        words.append(NAMES[move.card])
    if move.takes:
        words += ["x", *(NAMES[card] for card in list_cards(move.takes))]
    if move.arg:
        words.append(move.arg)
    return " ".join(words)


def parse_deck(text: str) -> tuple[int, ...]:
    """Return the cards of names separated by spaces, any number of them, top first; ValueError with a code
    otherwise."""
    return _require_whole_deck(text.split())


def write_deck(deck: Iterable[int]) -> str:
    """Write the names of the cards, separated by spaces."""
    return " ".join(NAMES[card] for card in deck)


def parse_stored_deck(text: str) -> tuple[int, ...]:
    """Return the cards of forty names without spaces, as the database keeps them; ValueError with a code otherwise."""
    return _require_whole_deck([text[place : place + 2] for place in range(0, len(text), 2)])


def write_stored_deck(deck: Iterable[int]) -> str:
    """Write the names of the cards without spaces: eighty characters."""
    return "".join(NAMES[card] for card in deck)


def _require_whole_deck(names: Sequence[str]) -> tuple[int, ...]:
    if any(name not in CARDS for name in names):
        raise ValueError("unreadable_deck")
    deck = tuple(CARDS[name] for name in names)
    if len(deck) != DECK_SIZE or len(set(deck)) != DECK_SIZE:
        raise ValueError("not_a_whole_deck")
    return deck


def parse(record: object) -> Record:
    """Return the record with a sound header. ``record`` is what JSON gave; RecordError without position if it is at
    fault.

    Fields are judged for the whole record, those of its deals included; the content of decks and moves is not.
    """
    fields = _require_fields(record, ALLOWED, REQUIRED)
    if _require_integer(fields["verbale"]) != VERSION:
        raise RecordError("unknown_version")
    if not isinstance(fields.get("about", {}), dict):
        raise RecordError("wrong_type")
    options = fields.get("options", {})
    if not isinstance(options, dict):
        raise RecordError("wrong_type")
    setup = Setup(
        ruleset=_require_string(fields["ruleset"]),
        players=_require_integer(fields["players"]),
        length=_parse_length(fields["length"]),
        context=_require_string(fields["context"]),  # type: ignore[arg-type]
        options=options,
        first_dealer=_require_integer(fields["first_dealer"]),
        handicap=_parse_handicap(fields.get("handicap", [0, 0])),
    )
    try:
        match.check(setup)
    except HeaderError as fault:
        raise RecordError(fault.code) from None
    if not isinstance(fields["deals"], list):
        raise RecordError("wrong_type")
    deals = tuple(_parse_deal(entry) for entry in fields["deals"])
    shuffle = _parse_shuffle(fields["shuffle"]) if "shuffle" in fields else None
    if shuffle is not None:
        shuffle.check_header(setup)
    return Record(setup, deals, shuffle)


def _parse_deal(entry: object) -> RecordedDeal:
    fields = _require_fields(entry, DEAL_FIELDS, DEAL_FIELDS)
    if not isinstance(fields["moves"], list):
        raise RecordError("wrong_type")
    return RecordedDeal(fields["deck"], fields["moves"])


def _parse_length(value: object) -> Length:
    if not isinstance(value, dict):
        raise RecordError("wrong_type")
    if len(value) != 1:
        raise RecordError("length_not_allowed")
    (kind, amount), *_ = value.items()
    if kind not in match.LONGEST:
        raise RecordError("unknown_field")
    return Length(kind, _require_integer(amount))


def _parse_shuffle(value: object) -> Shuffle:
    fields = _require_fields(value, SHUFFLE_FIELDS, SHUFFLE_FIELDS)
    texts = {name: _require_string(fields[name]) for name in SHUFFLE_FIELDS - {"nonces"}}
    nonces = fields["nonces"]
    if not isinstance(nonces, list):
        raise RecordError("wrong_type")
    if not (
        texts["scheme"] == shuffling.SCHEME
        and shuffling.SCOPE.fullmatch(texts["scope"])
        and all(shuffling.DIGEST.fullmatch(texts[name]) for name in ("commitment", "secret"))
        and texts["dealer"] in ("drawn", "given")
        and all(shuffling.NONCE.fullmatch(_require_string(nonce)) for nonce in nonces)
    ):
        raise RecordError("unreadable_shuffle")
    return Shuffle(
        texts["scope"], texts["commitment"], tuple(nonces), bytes.fromhex(texts["secret"]), texts["dealer"] == "drawn"
    )


def _parse_handicap(value: object) -> Points:
    if not isinstance(value, list) or len(value) != 2:
        raise RecordError("wrong_type")
    return (_require_integer(value[0]), _require_integer(value[1]))


def _require_fields(value: object, allowed: frozenset[str], required: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise RecordError("wrong_type")
    if not value.keys() <= allowed:
        raise RecordError("unknown_field")
    if not value.keys() >= required:
        raise RecordError("missing_field")
    return value


def _require_integer(value: object) -> int:
    if type(value) is not int:  # a bool is none
        raise RecordError("wrong_type")
    return value


def _require_string(value: object) -> str:
    if not isinstance(value, str):
        raise RecordError("wrong_type")
    return value


def replay(record: Record) -> Replay:
    """Play a record through. RecordError at the first deck, move or deal that can't stand."""
    progress = match.start(record.setup)
    for after in replay_deals(record):
        progress = after
    return Replay(record.setup, progress)


def read_deck(record: Record, number: int) -> tuple[int, ...]:
    """Return the deck of a record's deal, from 0, the top card first. RecordError if it can't be read, or isn't the one
    its secret gives (J6)."""
    text = record.deals[number].deck
    if not isinstance(text, str):
        raise RecordError("unreadable_deck", number)
    try:
        deck = parse_deck(text)
    except ValueError as fault:
        raise RecordError(str(fault), number) from None
    if record.shuffle is not None:
        record.shuffle.check_deck(number, deck)
    return deck


def replay_deals(record: Record) -> Iterator[Progress]:
    """Yield the match after each deal of the record, void ones included. RecordError as ``replay``."""
    progress = match.start(record.setup)
    for number, recorded in enumerate(record.deals):
        if not progress.needs_deck:
            raise RecordError("deal_after_end" if progress.outcome else "deal_unfinished", number)
        progress = match.deal(progress, read_deck(record, number))
        for place, text in enumerate(recorded.moves):
            if not isinstance(text, str):
                raise RecordError("unreadable_move", number, place)
            try:
                progress = match.play(progress, parse_move(text))
            except IllegalMove as fault:
                raise RecordError(fault.code, number, place) from None
        yield progress


def dump(
    setup: Setup,
    deals: Iterable[tuple[Sequence[int], Iterable[str]]],
    about: Mapping[str, Any] | None = None,
    shuffle: Shuffle | None = None,
) -> Json:
    """Write the record of a match: its setup, for each deal the deck (top first) and the moves in the record's words,
    and where its decks come from, if that is known."""
    record: Json = {
        "verbale": VERSION,
        "ruleset": setup.ruleset,
        "players": setup.players,
        "length": {setup.length.kind: setup.length.value},
        "context": setup.context,
        "options": dict(setup.options),
        "first_dealer": setup.first_dealer,
        "deals": [{"deck": write_deck(deck), "moves": list(moves)} for deck, moves in deals],
    }
    if any(setup.handicap):
        record["handicap"] = list(setup.handicap)
    if shuffle is not None:
        record["shuffle"] = shuffle.write()
    return record if about is None else {**record, "about": dict(about)}
