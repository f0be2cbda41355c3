"""Matches for analyses: played by hand, or made by the house's rules of thumb with mistakes, by a seed."""

from datetime import datetime
from itertools import islice
from random import Random
from typing import Any

from games import bots
from games.bots.study import weigh_decision
from games.engine import match as engine
from games.engine import record as verbale
from games.engine.game import Length, Setup, controlling_seat
from games.models import Match
from players.models import Player
from records.analysis import run
from records.analysis.actions import digest_record
from records.analysis.decisions import list_decisions
from records.models import Analysis
from tests.support.play import sit_down
from tests.support.tables import again, opened, play_out

LENGTHS = {"tressette-accusa": 31, "tressette-classico": 21}  # which aren't played by so many deals


def make_record(
    ruleset: str, players: int, *, seed: int, deals: int = 1, mistakes: float = 0.2, deck: list[int] | None = None
) -> dict[str, Any]:
    """Return the record of a match in which now and then a card was played by chance."""
    dice = Random(seed)
    length = Length("points", LENGTHS[ruleset]) if ruleset in LENGTHS else Length("deals", deals)
    progress = engine.start(Setup(ruleset, players, length, "free", {}, 0))
    dealt: list[tuple[list[int], list[str]]] = []
    while progress.needs_deck and len(dealt) < 3 * deals:  # void ones among them
        cards = dice.sample(range(40), 40) if deck is None else deck
        moves: list[str] = []
        dealt.append((cards, moves))
        progress = engine.deal(progress, cards)
        while progress.deal is not None:
            seat = engine.turn(progress)
            assert seat is not None
            view = engine.view(progress, controlling_seat(seat, players))
            plays = [move for move in view.legal if move.verb == "play"]
            chosen = [dice.choice(plays)] if plays and dice.random() < mistakes else bots.choose_quickly(ruleset, view)
            for move in chosen:
                if progress.deal is not None:
                    progress = engine.play(progress, move)
                    moves.append(verbale.write_move(move))
    names = ["Anna", "Bruno", "Carla", "Dino"][:players]
    return verbale.dump(progress.setup, dealt, {"names": names, "title": "Prova"}, None)


def store_analysis(player: Player, now: datetime, decisions: int = 3) -> Analysis:
    """Return the finished analysis of a record, of which a few decisions were weighed."""
    record = make_record("tresette", 4, seed=2)
    results = [
        run.write_result(decision, weigh_decision(decision.question))
        for decision in islice(list_decisions(record, 0), decisions)
    ]
    return Analysis.objects.create(
        player=player, record=record, digest=digest_record(record), seat=0, asked_at=now, finished_at=now,
        state=Analysis.State.DONE, results=results, total=decisions,
    )  # fmt: skip


def make_finished(players: list[Player], now: datetime, **changed: Any) -> Match:
    """Return a free match that has been played to its end."""
    match = opened(players, now, **{"context": "free", "turn_timeout": None, "match_clock": None, **changed})
    sit_down(match, now)
    play_out(match, now)
    return again(match)
