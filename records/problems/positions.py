"""Position of a problem in words and cards: what the seat to play has seen of the deal, and nothing else (N2).

It is built up from the seat's Views and what is remembered of them, never from the record itself; nobody is named but
by their place at the table, the reader being South. Answers are put into words apart, by ``answers``.
"""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import replays
from games import wording as game_wording
from games.bots.memory import Play
from games.engine.cards import FULL, NAMES, RANKS, list_cards, make_mask
from games.engine.game import GameMove, Last, TableCard, controlling_seat
from games.engine.record import RecordError, write_move
from games.engine.tricks import THIRDS
from games.rules.briscola import WORTH
from games.selectors import build_record
from records import wording
from records.deal_narrative import PlayerNames, describe_capture, describe_trick
from records.models import CardProblem
from records.problems.search import BRISCOLA, SeatSight, read_play, read_sight

THIRD_SIGNS = ("", "⅓", "⅔")


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """Play that may be chosen: as a record has it, its card, and what it takes in words."""

    text: str
    card: str
    name: str
    takes: str


@dataclass(frozen=True, slots=True)
class OtherHand:
    """Hand of somebody else: whose, how many cards, and those that were seen."""

    name: str
    role: str
    count: int
    known: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TakenCards:
    """Cards that a line has taken, as far as they were seen."""

    line: str
    cards: str
    count: int
    scope: int
    points: str


@dataclass(frozen=True, slots=True)
class ProblemPosition:
    """Position as its page shows it."""

    setup: str
    score: str
    dealer: str
    names: PlayerNames
    choices: tuple[ChoiceRow, ...]
    idle: str  # own cards that can't be played now
    others: tuple[OtherHand, ...]
    own: tuple[tuple[str, str], ...]  # each card with its name
    table: tuple[tuple[str, str, str], ...]  # with its name, and who played it, where it was somebody
    turned: str
    stock: int
    taken: tuple[TakenCards, ...]
    unseen: str
    unseen_count: int
    calls: tuple[str, ...]
    history: tuple[str, ...]


def read_position(problem: CardProblem) -> ProblemPosition | None:
    """Return the position of a problem; None where its record no longer has it."""
    record = build_record(problem.match)
    try:
        replayed = None if record is None else replays.replay_deal(record, problem.deal)
    except RecordError:
        return None
    if replayed is None or problem.step >= len(replayed.steps):
        return None
    sight = read_sight(replayed, problem.step, problem.seat)
    view, memory = sight
    names = name_places(len(view.hands), problem.seat)
    before = replayed.before
    line = problem.seat % 2
    own = view.hands[problem.seat].cards
    plays = [read_play(play["move"], problem.seat) for play in problem.plays]
    playable = {play.card for play in plays}
    unseen = FULL & ~(memory.seen | make_mask(own) | make_mask(lying.card for lying in view.table))
    cards_seen = {seat: _find_known(sight, seat) for seat in range(len(view.hands)) if seat != problem.seat}
    for cards in cards_seen.values():
        unseen &= ~cards
    if view.turned is not None:
        unseen &= ~(1 << view.turned)
    return ProblemPosition(
        setup=wording.describe_setup(before.setup),
        score=wording.write_score((before.score[line], before.score[1 - line])),
        dealer=names.seats[before.dealer],
        names=names,
        choices=tuple(describe_choice(play) for play in sorted(plays)),
        own=tuple((NAMES[card], game_wording.name_card(card)) for card in own),
        idle=" ".join(NAMES[card] for card in own if card not in playable),
        others=tuple(
            OtherHand(
                names.seats[seat],
                _name_role(seat, problem.seat, len(view.hands)),
                view.hands[seat].count,
                " ".join(NAMES[card] for card in list_cards(cards)),
            )
            for seat, cards in sorted(cards_seen.items(), key=lambda one: (one[0] - problem.seat) % len(view.hands))
        ),
        table=tuple(
            (
                NAMES[lying.card],
                game_wording.name_card(lying.card),
                "" if lying.seat is None else names.seats[lying.seat],
            )
            for lying in view.table
        ),
        turned="" if view.turned is None else NAMES[view.turned],
        stock=view.stock,
        taken=tuple(_describe_taken(problem.ruleset, sight, names, (line + other) % 2) for other in (0, 1)),
        unseen=wording.write_hand([*list_cards(unseen)]),
        unseen_count=unseen.bit_count(),
        calls=tuple(
            wording.describe_call(call, names.seats[controlling_seat(call.seat, before.setup.players)])
            for call in memory.calls
        ),
        history=tuple(_narrate_plays(sight, names)),
    )


def name_places(hands: int, seat: int) -> PlayerNames:
    """Return the names of places with this seat as South: they are numbered anticlockwise (G2), so East comes next."""
    south, east, north, west = (
        pgettext("posto", "Sud"), pgettext("posto", "Est"), pgettext("posto", "Nord"), pgettext("posto", "Ovest"),
    )  # fmt: skip
    around = (south, north) if hands == 2 else (south, east, north, west)
    seats = tuple(around[(number - seat) % hands] for number in range(hands))
    lines = (wording.join_list(seats[0::2]), wording.join_list(seats[1::2]))
    return PlayerNames(seats, lines)


def describe_choice(play: GameMove) -> ChoiceRow:
    """Return a play as it may be chosen."""
    return ChoiceRow(
        text=write_move(play).partition(" ")[2],
        card=NAMES[play.card],
        name=game_wording.name_card(play.card),
        takes=wording.name_cards(list_cards(play.takes)),
    )


def _name_role(seat: int, own: int, hands: int) -> str:
    return _("il tuo compagno") if hands > 2 and (seat - own) % 2 == 0 else _("avversario")


def _find_known(sight: SeatSight, seat: int) -> int:
    """Return the cards in somebody's hand that are in sight, or were seen being drawn."""
    drawn = make_mask(card for owner, card in sight.memory.drawn if owner == seat)
    played = make_mask(play.card for play in sight.memory.plays)
    return make_mask(sight.view.hands[seat].cards) | drawn & ~played


def _list_tricks(sight: SeatSight) -> list[list[Play]]:
    """Return the plays trick by trick, the open one last; in a game of captures each play by itself."""
    if not _plays_tricks(sight):
        return [[play] for play in sight.memory.plays]
    grouped: list[list[Play]] = []
    for play in sight.memory.plays:
        if not play.lying:
            grouped.append([])
        if grouped:
            grouped[-1].append(play)
    return grouped


def _plays_tricks(sight: SeatSight) -> bool:
    return any(pile.tricks for pile in sight.view.piles)


def _find_takers(sight: SeatSight) -> list[tuple[list[Play], int]]:
    """Return the whole tricks with the seat that took each: it led the next."""
    grouped = [trick for trick in _list_tricks(sight) if len(trick) == len(sight.view.hands)]
    leaders = [trick[0].seat for trick in _list_tricks(sight)[1:]]
    if len(leaders) < len(grouped) and sight.view.turn is not None:
        leaders.append(sight.view.turn)
    return list(zip(grouped, leaders, strict=False))


def _narrate_plays(sight: SeatSight, names: PlayerNames) -> list[str]:
    if _plays_tricks(sight):
        return [
            describe_trick(
                Last(tuple(TableCard(play.card, play.seat) for play in trick), (), taker, False, ()), names, number
            ).text
            for number, (trick, taker) in enumerate(_find_takers(sight), start=1)
        ]
    return [
        describe_capture(
            Last((TableCard(play.card, play.seat),), tuple(list_cards(play.takes)), play.seat, False, ()), names
        ).text
        for play in sight.memory.plays
    ]


def _describe_taken(ruleset: str, sight: SeatSight, names: PlayerNames, line: int) -> TakenCards:
    cards = 0
    if _plays_tricks(sight):
        for trick, taker in _find_takers(sight):
            cards |= make_mask(play.card for play in trick) if taker % 2 == line else 0
    else:
        for play in sight.memory.plays:
            cards |= play.takes | 1 << play.card if play.takes and play.seat % 2 == line else 0
    pile = sight.view.piles[line]
    points = ""
    if ruleset == BRISCOLA:
        points = str(sum(WORTH.get(RANKS[card % 10], 0) for card in list_cards(cards)))
    elif _plays_tricks(sight):
        whole, thirds = divmod(sum(THIRDS[card] for card in list_cards(cards)), 3)
        points = f"{whole or '' if thirds else whole}{THIRD_SIGNS[thirds]}"
    return TakenCards(names.lines[line], wording.write_hand([*list_cards(cards)]), pile.cards, pile.scope, points)
