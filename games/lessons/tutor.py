"""The tutor: lays a step's cards out, has the rules judge what the learner plays, and lets the others answer it.

Everything is worked out anew from the learner's moves, which come with each request; nothing is kept. What the learner
is shown is a view of seat 0, as at a table. Whoever plays against them in a whole deal is the house.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from games import bots
from games.engine import match as engine
from games.engine.captures import Captures
from games.engine.cards import CARDS, make_mask
from games.engine.game import GameMove, IllegalMove, Setup
from games.engine.match import Progress
from games.engine.record import Json, parse_move, write_move
from games.engine.tricks import HAND_SIZE, THIRDS, Tricks
from games.frames import build_move, build_view_frame
from games.lessons.steps import Layout, Lesson, Question, Step, Task, WholeDeal
from games.locked_match import PLAY
from games.match_cache import DealCount
from games.models import EVERYTHING, Match, Seat
from games.rules.briscola import BriscolaState
from games.services.playing import OPENING_CALLS
from games.table_views import list_barred, list_cards_of_calls
from players.models import Player

LEARNER = 0
HOUSE, GUEST = Player.Kind.HOUSE, Player.Kind.GUEST
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)  # everybody is at the table


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply to what the learner played: the table after each card since, as view frames, and whether it was right.

    ``right`` None: nothing was asked for yet. ``over``: the step is done. ``turn``: the position a whole deal has
    reached.
    """

    frames: list[Json] = field(repr=False)
    right: bool | None
    over: bool
    turn: Progress = field(repr=False)


class _Table:
    """Table of a lesson: the moves made on it, and the frame after each."""

    def __init__(self, lesson: Lesson, step: Step) -> None:
        self.lesson = lesson
        setup = Setup(
            ruleset=lesson.ruleset,
            players=len(lesson.names),
            length=lesson.length,
            context="free",
            options=lesson.options,
            first_dealer=step.dealer if isinstance(step, WholeDeal) else len(lesson.names) - 1,
        )
        progress = engine.start(setup)
        self.dealer = progress.dealer
        if isinstance(step, WholeDeal):
            self.progress = engine.deal(progress, read_cards(step.deck))
        else:
            dealt = engine.deal(progress, engine.WHOLE)
            self.progress = dealt._replace(deal=plant(dealt.deal, step.layout))
        self.version = 0
        self.frames = [self._show()]

    def play(self, move: GameMove) -> None:
        """Make a move. IllegalMove if the rules refuse it."""
        self.progress = engine.play(self.progress, move)
        self.version += 1
        self.frames.append(self._show())

    def call(self) -> None:
        """Make the calls that the system makes for everybody at a table (X1)."""
        while calls := engine.automatic(self.progress, EVERYTHING):
            for call in calls:
                self.play(call)

    def let_house_play(self) -> None:
        """Have the others play until it is the learner's turn, or the deal is over."""
        self.call()
        while (seat := engine.turn(self.progress)) not in (None, LEARNER):
            assert seat is not None
            for move in bots.choose_quickly(self.lesson.ruleset, engine.view(self.progress, seat)):
                if move.verb not in OPENING_CALLS:
                    self.play(move)
            self.call()

    def _show(self) -> Json:
        progress = self.progress
        turn = engine.turn(progress)
        match = Match(
            ruleset=self.lesson.ruleset,
            players=len(self.lesson.names),
            length_kind=self.lesson.length.kind,
            length_value=self.lesson.length.value,
            context="free",
            options=dict(self.lesson.options),
            first_dealer=self.dealer,
            status=Match.Status.PLAYING,
            training=True,
            version=self.version,
            turn_seat=turn,
            score_0=progress.score[0],
            score_1=progress.score[1],
        )
        seats = [
            Seat(number=number, player=Player(name=str(name), kind=HOUSE if number else GUEST), arrived_at=LONG_AGO)
            for number, name in enumerate(self.lesson.names)
        ]
        if turn is None:
            counted = None if progress.tally is None else DealCount(1, self.dealer, progress.tally, progress.last)
            return build_view_frame(match, seats, LEARNER, None, None, counted)
        view = engine.view(progress, LEARNER)
        deal = {"number": 1, "dealer": self.dealer, "tie_break": 0, "redealt": None}
        calls = list_cards_of_calls(progress, view)
        return build_view_frame(match, seats, LEARNER, view, deal, None, calls, list_barred(progress, view))


def read_cards(names: str) -> list[int]:
    """Return the cards of a text such as ``"7c Fs"``."""
    return [CARDS[name] for name in names.split()]


def plant(state: Any, layout: Layout) -> Any:
    """Return the state of a deal with the cards of a position, the learner to play."""
    hands = tuple(make_mask(read_cards(hand)) for hand in layout.hands)
    stock = tuple(read_cards(layout.stock))
    taken = [read_cards(cards) for cards in layout.taken]
    piles = (make_mask(taken[0]), make_mask(taken[1]))
    table = tuple(read_cards(layout.table))
    rest = (0,) * (len(hands) - 2)
    tricks = (len(taken[0]) // len(hands), len(taken[1]) // len(hands))
    if isinstance(state, Captures):
        return state._replace(hands=hands, turn=LEARNER, table=make_mask(table), stock=stock, piles=piles, taker=1)
    begun = hands[LEARNER].bit_count() < HAND_SIZE  # nothing of a first trick may be called any more
    planted = state._replace(hands=hands, turn=LEARNER, cards=table, stock=stock, taker=LEARNER if begun else -1)
    if isinstance(state, BriscolaState):
        return planted._replace(piles=piles, tricks=tricks, turned=read_cards(layout.turned)[0])
    assert isinstance(state, Tricks)
    thirds = (sum(THIRDS[card] for card in taken[0]), sum(THIRDS[card] for card in taken[1]), *rest)
    calls = None if state.calls is None else state.calls._replace(dealt=hands)
    return planted._replace(thirds=thirds, tricks=(*tricks, *rest), calls=calls)


def begin(lesson: Lesson, step: Step) -> Reply:
    """Return a step's table before the learner does anything."""
    table = _Table(lesson, step)
    if isinstance(step, WholeDeal):
        table.let_house_play()
    return Reply(table.frames, None, False, table.progress)


def answer(lesson: Lesson, step: Task | WholeDeal, moves: Sequence[str]) -> Reply:
    """Return what comes of the learner's moves so far, the last of which is new: ``("play 7c x 4d 3s",)``.

    IllegalMove where the rules refuse one. A move that isn't the one meant changes nothing.
    """
    table = _Table(lesson, step)
    if isinstance(step, WholeDeal):
        table.let_house_play()
    shown = 0
    for text in moves:
        shown = len(table.frames)
        move = parse_move(f"{LEARNER} {text}")
        if move.verb in engine.FORFEITS:
            raise IllegalMove("unknown_move")
        table.play(move)
        if isinstance(step, WholeDeal) and move.verb == PLAY:
            table.let_house_play()
    if isinstance(step, Task):  # what was said with the card is the learner's own affair
        if step.right and moves[-1] not in step.right:
            return Reply([], False, False, table.progress)
        for reply in step.then:
            table.play(parse_move(reply))
    over = isinstance(step, Task) or table.progress.deal is None
    return Reply(table.frames[shown:], True, over, table.progress)


def suggest(lesson: Lesson, step: Step, progress: Progress) -> list[Json]:
    """Return what the tutor would play now: what the step is after, in a whole deal what the house would."""
    if isinstance(step, Question) or engine.turn(progress) != LEARNER:
        return []
    if isinstance(step, Task):
        texts = step.right[:1] or [write_move(engine.legal(progress)[0]).partition(" ")[2]]
        return [build_move(parse_move(f"{LEARNER} {text}")) for text in texts]
    chosen = bots.choose_quickly(lesson.ruleset, engine.view(progress, LEARNER))
    return [build_move(move) for move in chosen if move.verb not in OPENING_CALLS]


def read_turn(progress: Progress) -> tuple[str, int]:
    """Return a code for what the learner has to do now in a whole deal, and the suit it is about, or -1."""
    state: Any = progress.deal
    if state is None:
        return "over", -1
    plays = [move for move in engine.legal(progress) if move.verb == PLAY]
    if isinstance(state, Captures):
        return ("take" if any(move.takes for move in plays) else "put_down"), -1
    if not state.cards:
        return "lead", -1
    led = state.cards[0] // 10
    if isinstance(state, BriscolaState):
        return "answer", state.turned // 10
    return ("follow" if any(move.card // 10 == led for move in plays) else "discard"), led


def list_moves(progress: Progress) -> Iterator[str]:
    """Yield what the learner may play, without the seat."""
    for move in engine.legal(progress):
        yield write_move(move).partition(" ")[2]
