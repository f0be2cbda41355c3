"""The decisions of one player in a record, deal by deal: what they saw until then, and what they played.

A decision is a card that was played where another could have been. Each is a question to the process that looks back at
it (``games.bots.study``); its dice come from its place alone. It weighs nothing.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from games import replays
from games.bots.memory import remember
from games.bots.study import StudyQuestion, list_plays
from games.engine import match as engine
from games.engine import record as verbale
from games.engine.game import Points, View, controlling_seat


@dataclass(frozen=True, slots=True)
class PastDecision:
    """A decision at ``place`` of the record's deals, from 1, and ``step`` of the replayed deal: that of the move.
    ``score``: the match's before the deal."""

    place: int
    step: int
    score: Points
    question: StudyQuestion


def list_decisions(record: object, seat: int) -> Iterator[PastDecision]:
    """Yield the decisions of the player at ``seat``, the morto's included (M3), in order."""
    parsed = verbale.parse(record)
    for place in range(1, len(parsed.deals) + 1):
        replayed = replays.replay_deal(record, place)
        if replayed is not None and not replayed.void:
            yield from _list_of_deal(replayed, place, parsed.setup.ruleset, seat, parsed.setup.players)


def count_decisions(record: object, seat: int) -> int:
    """Return how many decisions there are."""
    return sum(1 for _decision in list_decisions(record, seat))


def _list_of_deal(
    replayed: replays.DealReplay, place: int, ruleset: str, seat: int, players: int
) -> Iterator[PastDecision]:
    seen: list[View] = []
    for number, step in enumerate(replayed.steps):
        move = step.move
        if move is not None and move.verb == "play" and controlling_seat(move.seat, players) == seat:
            view = seen[-1]
            if len(list_plays(view, move.seat)) > 1:
                state = replayed.steps[number - 1].state
                seed = zlib.crc32(f"{place} {number}".encode())
                question = StudyQuestion(ruleset, view, remember(seen), move, seed, state)
                yield PastDecision(place, number, replayed.before.score, question)
        if step.after.deal is not None:
            seen.append(engine.view(step.after, seat))
