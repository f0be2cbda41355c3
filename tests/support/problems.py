"""Problems for the tests: one planted in a finished match, with worths made up, and a match that has a real one."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games import bots, replays, selectors
from games.engine import match as engine
from games.engine.game import GameMove
from games.engine.record import write_move
from games.models import Match
from records.models import CardProblem
from records.problems.search import read_sight
from scoring.ratings import NEW
from tests.support.tables import again, play

DECK = (
    "Ad Fb 3c 2b Rb 6c Cs 5s 2d Ab Fd 6d Ac 4c 5c Fs 3b Rs 4b Fc Cd 6s 4d 4s Rd 5d 7s 7d Cb Cc 2c As Rc 6b 2s 3s 7c 3d "
    "7b 5b"
)
STEP, SEAT, BEST = 33, 0, "play 5b"  # of its one problem
FinishedMatch = Callable[..., Match]


def play_by_thumb(match: Match, now: datetime) -> Match:
    """Play a match to its end by rules of thumb."""
    while (current := again(match)).status == Match.Status.PLAYING:
        progress = selectors.load_progress(current)
        for move in bots.choose_quickly(match.ruleset, engine.view(progress, engine.turn(progress))):
            now += timedelta(seconds=1)
            play(match, now, write_move(move).partition(" ")[2])
    return again(match)


def plant_problem(match: Match, **changed: Any) -> CardProblem:
    """Store a problem at the last choice of a finished match's first deal that isn't void (S2).

    Its first legal play is best, by a point.
    """
    place, step, played, plays = find_last_choice(match)
    rows = [
        {
            "move": write_move(move).partition(" ")[2],
            "points": 1.0 - number,
            "best_in": 4 if number == 0 else 1,
            "ahead_in": 3 if number == 0 else 0,
            "line": [],
        }
        for number, move in enumerate(plays)
    ]
    about = {
        "ruleset": match.ruleset,
        "match": match,
        "deal": place,
        "step": step,
        "seat": played.seat,
        "ways": 5,
        "plays": rows,
        "played": write_move(played).partition(" ")[2],
        "mined_at": timezone.now(),
        "mu": NEW.mu,
        "sigma": NEW.sigma,
    }
    return CardProblem.objects.create(**{**about, **changed})


def find_last_choice(match: Match) -> tuple[int, int, GameMove, list[GameMove]]:
    """Return the deal, the step, what was played there and what could have been."""
    record = selectors.build_record(match)
    place = 1
    while replayed := replays.replay_deal(record, place):
        for step in range(len(replayed.steps) - 2, -1, -1):
            played = replayed.steps[step + 1].move
            if played is None or played.verb != "play":
                continue
            plays = [move for move in read_sight(replayed, step, played.seat).view.legal if move.verb == "play"]
            if len(plays) > 1:
                return place, step, played, plays
        place += 1
    raise AssertionError("a match without a choice")
