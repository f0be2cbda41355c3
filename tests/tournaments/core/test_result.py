"""A fixture's result as one value: the same wherever it comes from, and whole after it was stored or logged."""

import json

import pytest

from games.engine.game import Length, Setup
from games.models import Match
from tournaments.core.log_details import LoggedResult, ResultActDetail, encode_detail, read_detail
from tournaments.core.result import NO_RESULT, FixtureResult, Pair, ResultTerms
from tournaments.formats.protocol import Result
from tournaments.models import Fixture, LogEntry


def terms(ruleset: str, length: Length, *, players: int = 2) -> ResultTerms:
    return ResultTerms(Setup(ruleset, players, length, "round_robin", {}, 0), has_vp=True)


FOUR = Length("deals", 4)
ROUND_ROBIN = terms("tresette", FOUR)
KNOCKOUT = ResultTerms(Setup("tresette", 2, FOUR, "ko", {}, 0), has_vp=False)


@pytest.mark.rule("V1", "V2")
def test_a_match_and_a_ruling_of_the_same_points_are_worth_the_same() -> None:
    match = Match(winner=0, score_0=30, score_1=14, margin=16, decided_by="points")
    played = FixtureResult.from_match(ROUND_ROBIN, match)
    ruled = FixtureResult.from_ruling(ROUND_ROBIN, 0, (30, 14))
    assert (played.mp, played.vp) == (ruled.mp, ruled.vp) == ((16, -16), (16, 4))
    assert FixtureResult.from_ruling(KNOCKOUT, 0, (30, 14)).vp is None


@pytest.mark.rule("V5")
def test_a_forfeit_names_its_lines_and_gives_the_other_at_least_fourteen() -> None:
    one = FixtureResult.from_forfeit(ROUND_ROBIN, (1,), "forfeit", points=(9, 20))
    assert (one.winner, one.forfeit_by, one.double_forfeit, one.vp) == (0, 1, False, (14, 0))
    both = FixtureResult.from_forfeit(ROUND_ROBIN, (1, 0), "forfeit")
    assert (both.winner, both.forfeit_by, both.forfeits, both.vp) == (None, None, (0, 1), (0, 0))


@pytest.mark.rule("R4", "T11", "A3", "S9")
@pytest.mark.parametrize(
    ("ruleset", "length", "players", "points", "mp", "vp"),
    [
        ("tresette", Length("deals", 1), 2, (6, 0), (5, -11), (15, 0)),
        ("tressette-accusa", Length("points", 21), 2, (6, 0), (10, -27), (14, 0)),
        ("tressette-classico", Length("points", 21), 4, (6, 0), (10, -27), (14, 0)),
        ("tresette-a-perdere", Length("deals", 1), 4, (0, 6), (5, -11), (15, 0)),
        ("scopa", Length("deals", 1), 2, (5, 0), (5, -8), (15, 0)),
        ("asso-piglia-tutto", Length("deals", 3), 2, (5, 0), (5, -5), (20, 0)),
    ],
)
def test_a_forfeit_before_the_first_card_is_worth_a_noshow_in_the_first_deal(
    ruleset: str, length: Length, players: int, points: Pair, mp: Pair, vp: Pair
) -> None:
    result = FixtureResult.from_forfeit(terms(ruleset, length, players=players), (1,), "withdrawn")
    assert (result.points, result.mp, result.vp) == (points, mp, vp)


@pytest.mark.rule("V1", "A1", "V5")
def test_a_perdere_the_points_of_a_forfeit_hurt_the_offender() -> None:
    result = FixtureResult.from_forfeit(
        terms("tresette-a-perdere", Length("deals", 4)), (0,), "forfeit", points=(30, 6)
    )
    assert (result.winner, result.vp) == (1, (0, 19))


RESULTS = (
    NO_RESULT,
    FixtureResult.from_ruling(ROUND_ROBIN, None, (22, 22)),
    FixtureResult.from_forfeit(ROUND_ROBIN, (0,), "forfeit"),
    FixtureResult.from_forfeit(KNOCKOUT, (0, 1), "forfeit"),
)


@pytest.mark.parametrize("result", RESULTS)
def test_a_result_is_whole_after_it_was_stored_and_after_it_was_logged(result: FixtureResult) -> None:
    fixture = Fixture(annulled=True)
    result.write_to(fixture)
    assert FixtureResult.from_fixture(fixture) == result
    assert not fixture.annulled
    logged = ResultActDetail(before=LoggedResult(True, False, False, result))
    entry = LogEntry(code="ruling_result", detail=json.loads(json.dumps(encode_detail("ruling_result", logged))))
    assert read_detail(entry, ResultActDetail) == logged
    mp, vp, points = (pair or (0, 0) for pair in (result.mp, result.vp, result.points))
    begun = not result.unplayed
    expected = Result(result.winner, result.double_forfeit, mp, vp, False, points, result.forfeit_by, begun)
    assert result.as_played() == expected
    assert result.as_played(fewest_wins=True).points == (-points[0], -points[1])
