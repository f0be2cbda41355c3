"""Refusals of a referee's points (F2): whatever a refusal proposes instead is accepted."""

from itertools import product
from random import Random

import pytest

from games.engine import scores
from games.engine.game import Length, Setup
from games.rules import RULESETS
from tests.support.thorough import tries
from tournaments.core.errors import TournamentError
from tournaments.core.result import FORFEIT
from tournaments.desk.results import Decision, find_way_to_end


def setup(ruleset: str, kind: str, value: int, context: str, players: int = 2, **options: object) -> Setup:
    return Setup(ruleset, players, Length(kind, value), context, options, 0)  # type: ignore[arg-type]


PLAYED: tuple[tuple[str, str, int, int, dict[str, object]], ...] = (
    ("tresette", "points", 21, 2, {"vinco_subito": True}),
    ("tresette", "points", 21, 4, {"vinco_subito": True, "accuso": True}),
    ("tresette", "deals", 1, 2, {}),
    ("tresette-a-perdere", "points", 21, 2, {}),
    ("tresette-a-perdere", "deals", 2, 2, {}),
    ("tressette-accusa", "points", 11, 4, {}),
    ("tressette-classico", "points", 21, 4, {}),
    ("tressette-classico", "points", 31, 4, {"onori": True}),
    ("scopa", "deals", 1, 2, {}),
    ("scopa", "points", 11, 2, {}),
    ("asso-piglia-tutto", "points", 11, 2, {}),
    ("briscola", "points", 5, 2, {}),
    ("briscola", "deals", 3, 4, {}),
    ("scopone", "points", 21, 4, {"quattro_a_terra": True}),
)
SETUPS = [
    *(
        setup(ruleset, kind, value, context, players, **options)
        for context in ("round_robin", "ko")
        for ruleset, kind, value, players, options in PLAYED
    ),
    setup("tresette", "deals", 2, "ko", ko_tie="deals"),
]


def find_refusal(played: Setup, decision: Decision) -> TournamentError | None:
    try:
        find_way_to_end(played, decision)
    except TournamentError as error:
        return error
    return None


def list_proposals(refusal: TournamentError, decision: Decision) -> list[Decision]:
    """The decisions that a refusal asks for."""
    points, winner = decision.points, decision.winner
    if refusal.code == "way_missing":
        return [Decision(points=points, winner=winner, decided_by=victory) for victory in refusal.values["victories"]]
    if refusal.code == "level_has_winner":
        return [Decision(points=points, winner=line) for line in (0, 1)]
    return [Decision(points=points, winner=None)] if refusal.code == "level_is_draw" else []


def test_every_ruleset_is_tried() -> None:
    assert {played.ruleset for played in SETUPS} == set(RULESETS)


@pytest.mark.rule("F2", "T9", "G7", "A2")
@pytest.mark.parametrize("played", SETUPS, ids=lambda each: f"{each.ruleset}-{each.length.value}-{each.context}")
def test_whatever_a_refusal_proposes_is_accepted(played: Setup) -> None:
    most = scores.compute_bounds(played).most
    points, ways = range(most + 2), ("", *scores.list_endings(played), FORFEIT)
    tried = [*product(points, points, (0, 1), ways), *((each, each, None, "") for each in points)]
    for first, second, winner, way in Random(str(played)).sample(tried, min(len(tried), tries(60, 3_000))):
        decision = Decision(points=(first, second), winner=winner, decided_by=way)
        refusal = find_refusal(played, decision)
        if refusal is None:
            continue
        proposals = list_proposals(refusal, decision)
        assert proposals or refusal.code not in ("way_missing", "level_has_winner", "level_is_draw"), decision
        for proposal in proposals:
            again = find_refusal(played, proposal)
            if again is not None and (refusal.code, again.code) == ("level_has_winner", "way_missing"):
                victories = list_proposals(again, proposal)  # first who has won, then by which victory
                again = next((find_refusal(played, named) for named in victories), again)
            assert again is None, f"{decision} is refused by {refusal.code}, which proposes {proposal}: {again}"
