"""The house's turns: thought about beforehand by one process of the site, moved by any, and never left waiting."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random

import pytest
from django.conf import settings

from games import clocks, house_turns, match_cache
from games.bots.questions import Answer, HouseQuestion
from games.clocks import HOUSE_PATIENCE
from games.engine import match as engine
from games.engine.cards import NAMES
from games.house_turns import LEASE_RENEWED, LEASE_TIME, Budget, HouseLease, HousePlanner
from games.models import Lease, Match, Move, Strength
from games.services import playing
from games.sweep import Lane, Sweep
from games.thinking import HousePlan, Thinker, make_question
from tests.games.hidden import mix_hidden, read_position, split_deck
from tests.support.people import take_house
from tests.support.tables import again, opened
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(now: datetime) -> Match:
    """Scopa of two players of the house, who play as masters."""
    return opened(take_house(count=2, now=now), now, context="free", strength=Strength.MASTER)


@pytest.fixture
def planner(now: datetime, monkeypatch: pytest.MonkeyPatch) -> Iterator[HousePlanner]:
    """A planner whose clock stands still at ``now``, and who waits for an answer however busy this machine is."""
    monkeypatch.setattr(house_turns, "ANSWER_SECONDS", PATIENCE)
    made = HousePlanner(clock=lambda: now)
    yield made
    made.thinker.stop()
    house_turns._plans.clear()


def sweep_house(at: datetime) -> None:
    Sweep(lambda: at, lanes=[Lane.HOUSE]).round()


def count_moves(match: Match) -> int:
    return Move.objects.filter(match=match).count()


def due_of(match: Match) -> datetime:
    due = again(match).bot_due_at
    assert due is not None
    return due


@pytest.mark.both_databases
@pytest.mark.rule("HP2")
def test_a_turn_is_thought_about_beforehand_and_played_as_soon_as_its_pause_is_over(
    match: Match, planner: HousePlanner
) -> None:
    planner.plan_round()
    plan = house_turns.find_plan(match.pk)
    assert plan is not None
    assert (plan.version, plan.halvings) == (again(match).version, 0)
    due = due_of(match)
    sweep_house(due - timedelta(microseconds=1))
    assert count_moves(match) == 0, "no sooner for having been thought about"
    sweep_house(due)
    played = Move.objects.get(match=match)
    assert played.text.split()[2] == NAMES[plan.moves[-1].card]


@pytest.mark.rule("HP0")
def test_where_nobody_plans_the_house_moves_after_a_little_patience(match: Match) -> None:
    due = due_of(match)
    sweep_house(due + HOUSE_PATIENCE - timedelta(microseconds=1))
    assert count_moves(match) == 0
    sweep_house(due + HOUSE_PATIENCE)
    assert count_moves(match) == 1
    assert timedelta(seconds=2) > HOUSE_PATIENCE


def test_a_plan_for_another_version_is_not_played_and_made_anew(
    match: Match, planner: HousePlanner, now: datetime
) -> None:
    planner.plan_round()
    plan = house_turns.find_plan(match.pk)
    assert plan is not None
    assert playing.play_house_move(match_id=match.pk, now=due_of(match)) is not None
    stale = plan._replace(moves=(plan.moves[-1]._replace(seat=again(match).turn_seat),))
    house_turns._plans[match.pk] = stale
    planner.plan_round()
    fresh = house_turns.find_plan(match.pk)
    assert fresh is not None
    assert fresh.version == again(match).version
    house_turns._plans[match.pk] = stale
    due = due_of(match)
    sweep_house(due)
    assert again(match).version == fresh.version, "one for this version may still come"
    sweep_house(due + HOUSE_PATIENCE)
    last = Move.objects.filter(match=match).order_by("version").last()
    assert last is not None
    assert last.text.split()[2] != NAMES[stale.moves[-1].card]


def test_a_plan_that_the_rules_refuse_holds_nobody_up(match: Match, caplog: pytest.LogCaptureFixture) -> None:
    legal = engine.legal(match_cache.read_match(match.pk).position.progress)  # type: ignore[union-attr]
    wrong = legal[0]._replace(card=next(card for card in range(40) if card not in {move.card for move in legal}))
    plan = HousePlan(again(match).version, (wrong,))
    assert playing.play_house_move(match_id=match.pk, now=due_of(match), plan=plan) is not None
    assert count_moves(match) == 1
    assert "refused" in caplog.text
    assert not any(name in caplog.text for name in NAMES), "no card in a log"


@pytest.mark.rule("HP0")
def test_a_turn_whose_pause_is_over_is_not_thought_about_any_more(match: Match) -> None:
    due = due_of(match)
    late = HousePlanner(clock=lambda: due)
    late.plan_round()
    assert house_turns.find_plan(match.pk) == HousePlan(again(match).version, ())
    assert late.thinker._process is None
    sweep_house(due)
    assert count_moves(match) == 1
    house_turns._plans.clear()


@pytest.mark.both_databases
@pytest.mark.rule("HP0")
def test_one_process_of_the_site_plans_and_another_takes_over_when_it_is_gone(now: datetime) -> None:
    one, other = HouseLease(), HouseLease()
    assert one.hold(now)
    assert not other.hold(now)
    later = now + LEASE_TIME - timedelta(milliseconds=1)
    assert one.hold(later), "renewed in time"
    assert not other.hold(now + LEASE_TIME)
    silent = later + LEASE_TIME
    assert other.hold(silent)
    assert not one.hold(silent)
    other.release()
    assert not Lease.objects.exists()
    assert one.hold(silent + LEASE_RENEWED)


@pytest.mark.both_databases
def test_who_has_lost_the_lease_forgets_its_plans(match: Match, planner: HousePlanner, now: datetime) -> None:
    planner.plan_round()
    assert house_turns.find_plan(match.pk) is not None
    Lease.objects.update(holder="another")
    planner.lease._asks_at = None  # it looks again
    planner.plan_round()
    assert house_turns.find_plan(match.pk) is None


@pytest.mark.rule("HP0")
def test_all_who_think_use_half_a_processor_and_less_thought_when_many_wait() -> None:
    at = [100.0]
    budget = Budget(seconds=lambda: at[0])
    budget.spend(0.2, 0)
    assert budget.compute_wait() == 0, "what an idle house has saved"
    for _ in range(50):
        budget.spend(0.1, 0)
    assert budget.compute_wait() == pytest.approx(2 * (0.2 + 50 * 0.1 - 0.25))
    at[0] += budget.compute_wait()
    assert budget.compute_wait() == 0
    assert budget.mean == pytest.approx(0.1, rel=0.1)
    assert [budget.choose_halvings(waiting) for waiting in (1, 4, 8, 16, 64, 10_000)] == [0, 0, 1, 2, 4, 5]


@pytest.mark.rule("HP4")
@pytest.mark.parametrize("strength", Strength.values)
def test_pauses_are_drawn_alike_whatever_the_strength_and_the_hand(
    strength: str, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same draws come to the same pauses, also before the last card of a hand, which leaves no choice."""
    monkeypatch.setattr(clocks, "_dice", Random(7))
    match = opened(take_house(count=2, now=now), now, context="free", strength=strength)
    pauses = []
    for _ in range(12):
        current = again(match)
        assert current.bot_due_at is not None
        pauses.append(current.bot_due_at - current.turn_from)
        assert playing.play_house_move(match_id=match.pk, now=current.bot_due_at) is not None
    draws = Random(7)
    assert pauses == [timedelta(milliseconds=draws.randint(*clocks.HOUSE_PAUSE_MS)) for _ in pauses]


@pytest.mark.rule("HP1")
def test_what_is_asked_depends_on_what_the_seat_may_know_alone(match: Match, planner: HousePlanner) -> None:
    """The same deal with hidden cards elsewhere, where it could have been played so, gives the same question."""
    for _ in range(5):
        playing.play_house_move(match_id=match.pk, now=due_of(match))
    deal, moves = read_position(match)
    deck, dice, compared = split_deck(deal.deck), Random(3), 0
    question = ask_about(match)
    seen = {NAMES[card] for card in question.view.hands[question.view.seat or 0].cards}
    seen |= {NAMES[card] for card in range(40) if question.memory.seen >> card & 1}
    for _ in range(40):
        deal.deck = "".join(mix_hidden(deck, seen, dice))
        deal.save()
        match_cache.clear_caches()
        if deal.deck != "".join(deck):
            assert ask_about(match) == question
            compared += 1
    assert compared > 20
    assert moves


def ask_about(match: Match) -> HouseQuestion:
    row, position = match_cache.read_match(match.pk)
    assert position is not None
    assert row.turn_seat is not None
    views = match_cache.read_views(row, position, row.turn_seat)
    assert views is not None
    return make_question(row.ruleset, views, row.strength, seed=1)


@pytest.mark.rule("HP0")
def test_a_table_that_cannot_be_thought_about_keeps_no_other_from_it(
    match: Match, planner: HousePlanner, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    other = opened(take_house(count=2, now=now), now, context="free")
    Match.objects.filter(pk=other.pk).update(bot_due_at=due_of(match) + timedelta(seconds=1))
    Match.objects.filter(pk=match.pk).update(ruleset="forgotten")
    match_cache.clear_caches()
    planner.plan_round()
    assert "could not be planned" in caplog.text
    assert house_turns.find_plan(match.pk) == HousePlan(again(match).version, ())
    planned = house_turns.find_plan(other.pk)
    assert planned is not None
    assert planned.moves


@pytest.mark.rule("HP0")
def test_a_process_that_hangs_is_given_up_and_another_answers(match: Match) -> None:
    question = ask_about(match)
    thinker = Thinker()
    try:
        assert thinker.ask(question, PATIENCE) is not None
        hanging = thinker._process
        assert hanging is not None
        os.kill(hanging.pid, signal.SIGSTOP)
        assert thinker.ask(question, 0.01) is None
        assert hanging.returncode == -signal.SIGKILL
        assert thinker.ask(question, PATIENCE) is None, "not at once: it might fail again and again"
        thinker._retry_at = 0.0
        assert thinker.ask(question, PATIENCE) is not None
    finally:
        thinker.stop()


@pytest.mark.rule("HP0")
def test_a_process_that_thinks_without_end_is_ended_though_nobody_is_left_to_end_it() -> None:
    endless = (
        "import os; from multiprocessing.connection import Connection; from games.bots import process\n"
        "def think(*_): \n  while True: pass\n"
        "process.MOST_SECONDS, process.bots.decide = 0.05, think\n"
        "asked, to = os.pipe(); Connection(to, readable=False).send(process.HouseQuestion('', None, None, '', 0, 0))\n"
        "process.serve(Connection(asked, writable=False), None)\n"
    )
    ended = subprocess.run([sys.executable, "-c", endless], cwd=settings.BASE_DIR, check=False, timeout=PATIENCE)
    assert ended.returncode == -signal.SIGPROF


def test_a_process_that_dies_is_started_anew_and_one_that_fails_says_no_card(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    question = ask_about(match)
    thinker = Thinker()
    try:
        first = thinker.ask(question, PATIENCE)
        assert first is not None
        second = thinker.ask(question, PATIENCE)
        assert second is not None
        assert second.moves == first.moves, "the same dice"
        assert thinker._process is not None
        os.kill(thinker._process.pid, signal.SIGKILL)
        thinker._process.wait()
        assert thinker.ask(question, PATIENCE) is None
        thinker._retry_at = 0.0
        assert thinker.ask(question, PATIENCE) is not None
        broken = question._replace(view=question.view.legal)
        assert thinker.ask(broken, PATIENCE) is None
        assert thinker.ask(question, PATIENCE) is not None, "one that failed goes on"
    finally:
        thinker.stop()
    assert "could not think" in caplog.text
    assert not any(name in caplog.text for name in NAMES)


@pytest.mark.rule("HP0")
def test_a_table_whose_thinking_process_was_killed_goes_on_by_rules_of_thumb(
    match: Match, planner: HousePlanner
) -> None:
    planner.plan_round()
    assert planner.thinker._process is not None
    os.kill(planner.thinker._process.pid, signal.SIGKILL)
    planner.thinker._process.wait()
    sweep_house(due_of(match))
    assert count_moves(match) == 1
    planner.plan_round()
    assert house_turns.find_plan(match.pk) == HousePlan(again(match).version, ())
    sweep_house(due_of(match))
    assert count_moves(match) == 2


def test_no_card_shows_in_the_name_of_a_question_an_answer_a_plan_or_a_memory(match: Match) -> None:
    question = ask_about(match)
    moves = question.view.legal
    assert [*map(repr, (question, Answer(moves, 0.5), HousePlan(1, moves), question.memory))] == [
        "<HouseQuestion: scopa, master>",
        "<Answer: after 0.500 s>",
        "<HousePlan: for version 1>",
        "<Memory: 0 plays>",
    ]
