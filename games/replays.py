"""A deal of a record gone through again, step by step: what each seat saw, or all hands open.

It reads records of matches that are over and decides nothing: the rules play, here is only kept what each move led to.
A step's frame has the shape of the table's view (frames.py), so the same scene draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games.engine import match as engine
from games.engine import record as verbale
from games.engine.game import GameMove, Setup, View, controlling_seat
from games.engine.match import FORFEITS, Progress
from games.engine.record import Json
from games.frames import build_view_frame
from games.match_cache import DealCount, Redealt
from games.models import Match, Seat
from players.models import Player


@dataclass(frozen=True, slots=True)
class Step:
    """The deal after a move; ``move`` None: as it was dealt. ``state`` is the deal's, also once it is over."""

    move: GameMove | None
    before: Progress
    after: Progress
    state: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class DealReplay:
    """A deal of a record. ``number`` counts the deals that were played, from 1, and is that of the deal a void one was
    dealt again for; ``redealt`` says why the cards before these were void."""

    number: int
    before: Progress
    steps: tuple[Step, ...]
    redealt: Redealt | None

    @property
    def after(self) -> Progress:
        """The match when the deal was over."""
        return self.steps[-1].after

    @property
    def void(self) -> bool:
        """Return whether it wasn't scored (G5)."""
        return len(self.after.deals) > len(self.before.deals) and self.after.deals[-1].void


def replay_deal(record: object, place: int) -> DealReplay | None:
    """The deal at ``place`` of a record, from 1 and void ones counted; None if there is none.

    ``record`` is what JSON made of it. RecordError where it can't be replayed so far.
    """
    parsed = verbale.parse(record)
    if not 1 <= place <= len(parsed.deals):
        return None
    before, redealt = engine.start(parsed.setup), None
    for recorded in parsed.deals[: place - 1]:
        reached = _play_through(before, recorded)[-1].after
        redealt = _find_redeal(recorded) if reached.deals and reached.deals[-1].void else None
        before = reached
    steps = _play_through(before, parsed.deals[place - 1])
    return DealReplay(sum(not deal.void for deal in before.deals) + 1, before, tuple(steps), redealt)


def _find_redeal(recorded: verbale.RecordedDeal) -> Redealt:
    return Redealt(verbale.parse_move(str(recorded.moves[-1])).seat if recorded.moves else None)


def _play_through(before: Progress, recorded: verbale.RecordedDeal) -> list[Step]:
    deck = verbale.parse_deck(str(recorded.deck))
    score = None if before.tie_break else before.score
    state = before.ruleset.deal(before.setup, deck, before.dealer, score)
    progress = engine.deal(before, deck)
    steps = [Step(None, before, progress, state)]
    for text in recorded.moves:
        move = verbale.parse_move(str(text))
        after = engine.play(progress, move)
        if move.verb not in FORFEITS:
            state = before.ruleset.play(state, move)
        steps.append(Step(move, progress, after, state))
        progress = after
    return steps


def build_view(replayed: DealReplay, step: Step, seat: int | None) -> View:
    """Return the view of ``seat`` after a step; None: every hand open. Nothing can be played any more."""
    ruleset = replayed.before.ruleset
    view = ruleset.view(step.state, seat)
    turn = view.turn if step.after.deal is not None else None
    if seat is None:
        hands = tuple(ruleset.view(step.state, number).hands[number] for number in range(len(view.hands)))
        return replace(view, hands=hands, turn=turn, legal=())
    return replace(view, turn=turn, legal=())


def build_unknown_match(setup: Setup, names: Sequence[str]) -> tuple[Match, list[Seat]]:
    """A finished match that no database knows, as the header of a record has it; ``names`` of its seats in order."""
    match = Match(
        ruleset=setup.ruleset,
        players=setup.players,
        length_kind=setup.length.kind,
        length_value=setup.length.value,
        context=setup.context,
        options=dict(setup.options),
        first_dealer=setup.first_dealer,
        handicap=list(setup.handicap) if any(setup.handicap) else [],
        status=Match.Status.FINISHED,
    )
    seated = sorted({controlling_seat(number, setup.players) for number in range(match.hands)})
    return match, [Seat(number=number, player=Player(name=names[number])) for number in seated]


def build_frames(match: Match, seats: Sequence[Seat], replayed: DealReplay, seat: int | None) -> list[Json]:
    """The deal as view frames, a step each, of a match that is over. ``v`` is the number of the step.

    ``match`` and ``seats`` say who sits there; the score is that of each step, and the count comes with the last one.
    """
    before = replayed.before
    deal = {
        "number": replayed.number,
        "dealer": before.dealer,
        "tie_break": before.tie_break,
        "redealt": replayed.redealt and {"seat": replayed.redealt.seat},
    }
    steps = []
    for number, step in enumerate(replayed.steps):
        after = step.after
        counted = None
        if after.tally is not None and after.deal is None:
            counted = DealCount(replayed.number, before.dealer, after.tally, after.last)
        view = build_view(replayed, step, seat)
        frame = build_view_frame(match, seats, seat, view, deal, counted)
        steps.append({
            **frame,
            "v": number,
            "status": "playing",
            "seats": [{**info, "here": True} for info in frame["seats"]],
            "chat": False,
            "automatic": [],
            "score": list(after.score),
            "turn": view.turn,
            "opening": None,
            "clock": {"from": None, "ends": None, "extra": 0, "left": None, "noshow": None},
            "paused": None,
            "result": None,
        })  # fmt: skip
    return steps


def list_changes(steps: Sequence[Json]) -> list[Json]:
    """The first frame whole, of each later one only what it changes: a fifth of the bytes."""
    return [
        frame if not number else {name: value for name, value in frame.items() if steps[number - 1][name] != value}
        for number, frame in enumerate(steps)
    ]
