"""The scores a match may end with (F2): every one that is played can be, and those that can't are known."""

from itertools import pairwise
from random import Random

import pytest

from games.engine import match, scores
from games.engine.game import Length, Points, Setup
from games.rules import RULESETS
from tests.support.thorough import tries


def setup(
    ruleset: str, kind: str, value: int, context: str = "round_robin", players: int = 2, **options: object
) -> Setup:
    return Setup(ruleset, players, Length(kind, value), context, options, 0)  # type: ignore[arg-type]


FOUR = setup("tresette", "deals", 4)
CLASSICO = setup("tressette-classico", "points", 21, players=4)
HONOURS = setup("tressette-classico", "points", 31, players=4, onori=True)


@pytest.mark.rule("F2", "T4", "G7")
@pytest.mark.parametrize(
    ("played", "points", "winner", "ways"),
    [
        (FOUR, (30, 14), 0, ("points",)),
        (FOUR, (30, 14), 1, ()),
        (FOUR, (44, 500), 1, ()),
        (FOUR, (-1, 45), 1, ()),
        (FOUR, (30, 15), 0, ()),
        (FOUR, (22, 22), None, ("draw",)),
        (FOUR, (22, 22), 0, ()),
        (FOUR, (23, 21), None, ()),
        (setup("tresette", "deals", 4, "ko"), (22, 22), 1, ("last_trick",)),
        (setup("tresette", "deals", 4, "ko"), (28, 27), 0, ()),
        (setup("tresette", "deals", 2, "ko", ko_tie="deals"), (11, 11), 0, ()),
        (setup("tresette", "deals", 2, "ko", ko_tie="deals"), (17, 16), 0, ("tie_break_1",)),
        (setup("tresette", "deals", 2, "ko", ko_tie="deals"), (23, 21), 0, ()),
        (setup("scopa", "deals", 2, "ko"), (5, 5), 0, ("tie_break_last_trick",)),
        (setup("scopa", "deals", 2, "ko"), (1, 0), 0, ()),
        (setup("scopa", "deals", 1), (0, 0), None, ()),
        (setup("scopa", "deals", 1), (22, 0), 0, ("points",)),
        (setup("scopa", "deals", 1), (23, 0), 0, ()),
        (setup("scopa", "points", 11), (11, 9), 0, ("points",)),
        (setup("scopa", "points", 11), (10, 9), 0, ()),
        (setup("tresette", "points", 21), (21, 12), 0, ("points",)),
        (setup("tresette", "points", 21), (21, 23), 1, ("points",)),
        (setup("tresette", "points", 21), (32, 1), 0, ()),
        (setup("tresette", "points", 21), (21, 10), 0, ()),
        (setup("tresette", "points", 21, vinco_subito=True), (21, 10), 0, ("called_out",)),
        (setup("tresette", "points", 21, vinco_subito=True), (21, 22), 0, ("called_out",)),
        (setup("tresette", "deals", 1, accuso=True), (11, 3), 0, ("points",)),
        (setup("tresette", "deals", 1, accuso=True), (11, 2), 0, ()),
        (setup("tresette-a-perdere", "deals", 4), (14, 30), 0, ("points",)),
        (setup("tresette-a-perdere", "deals", 4), (22, 22), None, ()),
        (setup("tresette-a-perdere", "deals", 4), (22, 22), 1, ("last_trick",)),
        (setup("tressette-accusa", "points", 11), (17, 0), 0, ("points",)),
        (setup("tressette-accusa", "points", 11), (17, 3), 0, ("points",)),
        (setup("tressette-accusa", "points", 41), (41, 4), 0, ("points",)),
        (CLASSICO, (21, 15), 0, ("called_out",)),
        (CLASSICO, (11, 18), 0, ()),
        (CLASSICO, (11, 0), 0, ("cappotto", "cappottone")),
        (CLASSICO, (12, 20), 0, ("stramazzo", "stramazzone")),
        (CLASSICO, (21, 12), 0, ("points", "called_out", "cappotto", "cappottone")),
        (CLASSICO, (21, 2), 0, ("called_out",)),
        (CLASSICO, (21, 1), 0, ("cappotto", "cappottone")),
        (CLASSICO, (22, 0), 0, ()),  # a deal of 11-0 is a cappotto and ends the match (C6)
        (CLASSICO, (21, 0), 0, ()),
        (CLASSICO, (0, 0), 0, ()),
        (HONOURS, (0, 0), 0, ("collatondrione",)),
        (HONOURS, (5, 6), 0, ("collatondrione",)),
    ],
)
def test_how_a_match_can_end_so(played: Setup, points: Points, winner: int | None, ways: tuple[str, ...]) -> None:
    assert scores.list_ways_to_end(played, points, winner) == ways


def test_what_final_scores_have_in_common() -> None:
    assert scores.compute_bounds(FOUR) == (44, (44,), None)
    # Eleven points are never shared evenly, so that the first tie-break deal decides.
    assert scores.compute_bounds(setup("tresette", "deals", 2, "ko", ko_tie="deals")).totals == (22, 33)
    assert scores.compute_bounds(CLASSICO).target == 21
    assert scores.list_endings(CLASSICO) == ("called_out", "cappotto", "cappottone", "stramazzo", "stramazzone")
    assert scores.list_endings(FOUR) == ()


SETUPS = (
    FOUR, CLASSICO, HONOURS,
    setup("tresette", "points", 21, "ko", players=4, accuso=True, vinco_subito=True),
    setup("tresette", "deals", 1, "ko", ko_tie="deals"),
    setup("tresette-a-perdere", "points", 21, "ko"),
    setup("tresette-a-perdere", "deals", 2),
    setup("tressette-accusa", "points", 21, "ko", players=4),
    setup("tressette-accusa", "points", 11),
    setup("scopa", "deals", 1, "ko"), setup("scopa", "points", 11, players=4),
    setup("asso-piglia-tutto", "points", 11, "ko"), setup("asso-piglia-tutto", "deals", 3),
)  # fmt: skip


@pytest.mark.parametrize("played", SETUPS, ids=lambda each: f"{each.ruleset}-{each.length.value}-{each.context}")
def test_every_match_played_at_random_ends_as_it_can(played: Setup) -> None:
    assert played.ruleset in RULESETS
    for seed in range(tries(4, 60)):
        dice = Random(f"{played.ruleset} {seed}")
        progress = match.start(played)
        scored: list[Points] = []
        while progress.outcome is None:
            if progress.needs_deck:
                scored.append(progress.score)
                progress = match.deal(progress, dice.sample(match.WHOLE, len(match.WHOLE)))
                continue
            moves = [move for move in match.legal(progress) if move.verb != "redeal"]
            calls = [move for move in moves if move.verb != "play"]
            progress = match.play(progress, dice.choice(calls or moves) if dice.random() < 0.7 else dice.choice(moves))
        outcome = progress.outcome
        assert outcome.decided_by in scores.list_ways_to_end(played, progress.score, outcome.winner), progress.score
        scored.append(progress.score)
        deals = [(after[0] - before[0], after[1] - before[1]) for before, after in pairwise(scored)]
        ended = outcome.decided_by in scores.list_endings(played)
        assert scores.find_deal_fault(played, deals, ended=ended) is None, deals


@pytest.mark.rule("O5", "G7")
@pytest.mark.parametrize(
    ("played", "deals", "fault"),
    [
        (FOUR, [(7, 4), (11, 0), (5, 6), (0, 11)], None),
        (FOUR, [(7, 4), (11, 0), (5, 6)], ("deals_few", 3)),
        (FOUR, [(7, 4), (11, 0), (5, 6), (0, 11), (7, 4)], ("deals_many", 5)),
        (FOUR, [(7, 4), (11, 1), (5, 6), (0, 11)], ("deal_impossible", 2)),
        (FOUR, [], ("deals_few", 0)),
        (setup("tresette", "points", 21), [(11, 0), (10, 1)], None),
        (setup("tresette", "points", 21), [(11, 0), (9, 2)], ("deals_few", 2)),
        (setup("tresette", "points", 21), [(11, 0), (10, 1), (3, 8)], ("deals_many", 3)),
        (setup("tresette", "deals", 2, "ko", ko_tie="deals"), [(7, 4), (4, 7)], ("deals_few", 2)),
        (setup("tresette", "deals", 2, "ko", ko_tie="deals"), [(7, 4), (4, 7), (6, 5)], None),
        (setup("tresette", "deals", 2, "ko"), [(7, 4), (4, 7)], None),
    ],
)
def test_what_cannot_be_in_a_list_of_deals(played: Setup, deals: list[Points], fault: tuple[str, int] | None) -> None:
    found = scores.find_deal_fault(played, deals)
    assert (found if found is None else found[:2]) == fault
