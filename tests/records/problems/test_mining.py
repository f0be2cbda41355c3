"""Problems mined from real matches (HP7): which matches, what is asked, and never twice."""

from datetime import datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from games import replays, selectors
from games.bots.exact import ExactStudy, PlayWorth
from games.engine.game import GameMove
from games.engine.shuffling import SECRET_BYTES, compute_commitment
from games.models import Commitment, Match
from games.services import annulment
from records import tasks
from records.models import CardProblem, MinedMatch
from records.problems import mining
from records.problems.search import find_problems, is_clear, read_sight
from tests.support.people import take_house
from tests.support.problems import BEST, SEAT, STEP, FinishedMatch
from tests.support.tables import play_out, seated

pytestmark = [pytest.mark.django_db, pytest.mark.rule("HP7")]


def mine(now: datetime) -> int:
    return mining.mine(now=now, seconds=600, most=100)


def test_a_match_is_gone_through_once_and_its_problem_is_what_the_rules_say(
    finished: FinishedMatch, now: datetime
) -> None:
    match = finished()
    assert mining.is_due()
    assert mine(now) == 1
    problem = CardProblem.objects.get()
    assert (problem.match, problem.deal, problem.step, problem.seat) == (match, 1, STEP, SEAT)
    assert (problem.best, problem.ways) == (BEST, 1)
    assert problem.plays[0]["points"] - problem.plays[1]["points"] == 1
    assert problem.played == "play 3d x 3s"
    assert problem.mu < 25, "house players who think find it"
    assert not mining.is_due()
    assert mine(now) == 0
    assert CardProblem.objects.count() == MinedMatch.objects.count() == 1


def test_a_problem_is_made_of_what_its_seat_has_seen_by_then(finished: FinishedMatch) -> None:
    """The sight is the same whatever is played later (HP1)."""
    record = selectors.build_record(finished())
    whole = replays.replay_deal(record, 1)
    record["deals"][0]["moves"] = record["deals"][0]["moves"][:STEP]
    cut = replays.replay_deal(record, 1)
    assert whole is not None
    assert cut is not None
    assert read_sight(whole, STEP, SEAT) == read_sight(cut, STEP, SEAT)
    assert [found.step for found in find_problems(whole)] == [STEP]


@pytest.mark.parametrize(
    "changed",
    [
        {"training": True},
        {"withheld": True},
        {"annulled_at": datetime(2026, 1, 1)},
        {"stopped_at": datetime(2026, 1, 1)},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_match_that_is_private_hidden_or_counts_for_nobody_has_none(
    finished: FinishedMatch, now: datetime, changed: dict[str, Any]
) -> None:
    changed = {name: now if isinstance(value, datetime) else value for name, value in changed.items()}
    Match.objects.filter(pk=finished().pk).update(**changed)
    assert not mining.is_due()
    assert mine(now) == 0


def test_a_match_whose_secret_is_not_out_waits(finished: FinishedMatch, now: datetime) -> None:
    digest = compute_commitment("sealed", bytes(SECRET_BYTES))
    secret = Commitment.objects.create(scope="sealed", digest=digest, nonces=["", ""], drawn_at=now)
    Match.objects.filter(pk=finished().pk).update(commitment=secret)
    assert mine(now) == 0
    Commitment.objects.filter(pk=secret.pk).update(secret=bytes(SECRET_BYTES).hex())
    assert mine(now) == 1


def test_a_record_that_is_broken_is_left_alone_for_good(finished: FinishedMatch, now: datetime) -> None:
    secret = Commitment.objects.create(scope="other", digest="0" * 64, drawn_at=now, secret="0" * 64)
    match = finished()
    Match.objects.filter(pk=match.pk).update(commitment=secret)
    assert mine(now) == 0
    assert MinedMatch.objects.get().match == match


def test_matches_of_the_house_among_itself_count_as_well(now: datetime) -> None:
    match = seated(take_house(count=2, now=now), now, context="free")
    play_out(match, now)
    assert match in mining.list_unmined()


def test_problems_go_with_the_annulment_of_their_match(finished: FinishedMatch, now: datetime) -> None:
    match = finished()
    assert mine(now) == 1
    annulment.annul_match(match_id=match.pk, now=now)
    assert not CardProblem.objects.exists()


def test_the_command_says_what_it_does(finished: FinishedMatch, monkeypatch: pytest.MonkeyPatch) -> None:
    match, out = finished(), StringIO()
    monkeypatch.setattr("os.nice", lambda _more: 0)  # it would slow all that this process tests from here on
    call_command("mine_problems", stdout=out)
    assert f"scopa {match.public_id}: 1" in out.getvalue()
    assert out.getvalue().endswith("in tutto 1\n")


def test_the_task_starts_a_process_only_where_there_is_something_to_mine(
    finished: FinishedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(tasks.subprocess, "run", lambda command, **_: started.append(command))
    tasks.mine_problems()
    assert started == []
    finished()
    tasks.mine_problems()
    assert [command[1:3] for command in started] == [["manage.py", "mine_problems"]]


def weigh(*plays: tuple[float, int], ways: int = 10) -> ExactStudy:
    rows = [PlayWorth(GameMove(0, "play", card), points, 0, ahead) for card, (points, ahead) in enumerate(plays)]
    return ExactStudy(ways, tuple(rows))


@pytest.mark.parametrize(
    ("ruleset", "study", "clear"),
    [
        ("scopa", weigh((1.0, 5), (0.4, 5)), True),
        ("scopa", weigh((1.0, 5), (0.5, 5)), False),
        ("tresette", weigh((-2.0, 0), (-3.0, 0)), True),
        ("briscola", weigh((2.0, 6), (1.0, 5)), True),  # it wins one way more
        ("briscola", weigh((20.0, 5), (10.0, 6)), False),  # more points, but it loses a way
        ("briscola", weigh((20.0, 5), (11.0, 5)), True),
        ("briscola", weigh((20.0, 10), (11.0, 10)), False),  # the deal is won whatever is played
        ("briscola", weigh((-20.0, 0), (-31.0, 0)), False),
    ],
)
def test_one_play_must_be_clearly_ahead(ruleset: str, study: ExactStudy, clear: bool) -> None:
    assert is_clear(ruleset, study) is clear
