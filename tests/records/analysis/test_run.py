"""Analyses asked for and worked off (HP6): whose, of what, how often, and what a worker that dies leaves."""

import json
import operator
from datetime import datetime, timedelta
from functools import partial

import pytest
from django.db import transaction

from games import study
from games.models import Match
from games.thinking import Thinker
from games.training.actions import forget_training
from players import caps
from players.models import Player
from players.services.close_account import close_account
from players.services.own_data import read_part
from players.services.players import create_guest
from records.analysis import run
from records.analysis.actions import AnalysisRefused, ask_about_match, ask_about_record, forget_record_analyses
from records.models import Analysis
from tests.support.analysis import make_finished, make_record
from tests.support.arrangements import arrange_once
from tests.support.people import take_house
from tests.support.tables import opened

pytestmark = [pytest.mark.django_db, pytest.mark.rule("HP6")]
RECORD = json.dumps(make_record("scopa", 2, seed=4)).encode()


@arrange_once
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    return make_finished([anna, bruno], now)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weigh in this process, by few worlds."""
    monkeypatch.setattr("games.bots.strengths.STUDY_WORLDS", 8)

    def ask(_thinker: Thinker, question: object, _seconds: float) -> object:
        from games.bots.study import StudyAnswer, weigh_decision

        return StudyAnswer(weigh_decision(question), 0.0)  # type: ignore[arg-type]

    monkeypatch.setattr(Thinker, "ask", ask)


def refused(**asked: object) -> str:
    with pytest.raises(AnalysisRefused) as refusal, transaction.atomic():
        (ask_about_record if "text" in asked else ask_about_match)(**asked)  # type: ignore[operator]
    return refusal.value.code


def test_ones_own_decisions_are_weighed_and_stored(match: Match, anna: Player, now: datetime, quick: None) -> None:
    analysis = ask_about_match(match=match, player=anna, now=now)
    assert ask_about_match(match=match, player=anna, now=now).pk == analysis.pk, "who asks twice gets the first"
    assert run.run_waiting(clock=lambda: now) == 1
    analysis.refresh_from_db()
    assert analysis.state == Analysis.State.DONE
    assert analysis.done == analysis.total > 0
    assert all(result["moves"] for result in analysis.results)
    assert run.run_waiting(clock=lambda: now) == 0


def test_nobody_who_did_not_sit_there_gets_one(match: Match, carla: Player, now: datetime) -> None:
    assert refused(match=match, player=carla, now=now) == "not_own"


def test_nobody_gets_one_of_a_match_that_runs_nor_while_at_a_table(
    match: Match, anna: Player, bruno: Player, now: datetime
) -> None:
    table = opened([anna, bruno], now)
    assert refused(match=table, player=anna, now=now) == study.RUNNING
    assert refused(match=match, player=anna, now=now) == study.SEATED
    assert refused(text=RECORD, seat=0, player=anna, now=now) == study.SEATED


def test_a_record_is_analysed_for_members_where_it_is_whole(anna: Player, now: datetime, quick: None) -> None:
    guest = create_guest(now=now, address="192.0.2.7")
    assert refused(text=RECORD, seat=0, player=guest, now=now) == "members_only"
    broken = json.loads(RECORD)
    broken["deals"][0]["moves"].pop()
    assert refused(text=json.dumps(broken).encode(), seat=0, player=anna, now=now) == "incomplete"
    assert refused(text=b"{\x00", seat=0, player=anna, now=now) == "unreadable"
    assert refused(text=RECORD, seat=2, player=anna, now=now) == "no_such_seat"
    analysis = ask_about_record(text=RECORD, seat=1, player=anna, now=now)
    pretty = json.dumps(json.loads(RECORD), indent=2).encode()
    assert ask_about_record(text=pretty, seat=1, player=anna, now=now).pk == analysis.pk, "it is the same match"
    run.run_waiting(clock=lambda: now)
    assert Analysis.objects.get(pk=analysis.pk).done > 0


@pytest.mark.both_databases
@pytest.mark.parametrize("text", ["\\u0000", "\\ud800"])
def test_a_record_with_a_text_that_no_database_keeps_is_refused(text: str, anna: Player, now: datetime) -> None:
    odd = RECORD.replace(b'"Prova"', f'"{text}"'.encode())
    assert refused(text=odd, seat=0, player=anna, now=now) == "unreadable"
    assert not Analysis.objects.exists()


def test_ten_records_a_day(anna: Player, now: datetime) -> None:
    for seed in range(caps.RECORD_ANALYSES_A_PERSON[-1].most):
        text = json.dumps(make_record("briscola", 2, seed=seed)).encode()
        ask_about_record(text=text, seat=0, player=anna, now=now)
    text = json.dumps(make_record("briscola", 2, seed=99)).encode()
    assert refused(text=text, seat=0, player=anna, now=now) == "too_many"
    ask_about_record(text=text, seat=0, player=anna, now=now + timedelta(days=1, seconds=1))


def test_one_that_a_dead_worker_left_is_gone_on_with_and_comes_out_the_same(
    match: Match, anna: Player, now: datetime, quick: None
) -> None:
    analysis = ask_about_match(match=match, player=anna, now=now)
    run.run_waiting(clock=lambda: now)
    whole = Analysis.objects.get(pk=analysis.pk).results
    cut = {"state": Analysis.State.RUNNING, "results": whole[:3], "beat_at": now, "finished_at": None}
    Analysis.objects.filter(pk=analysis.pk).update(**cut)
    assert run.run_waiting(clock=lambda: now + timedelta(seconds=30)) == 0, "it may be alive"
    assert run.run_waiting(clock=lambda: now + run.BEAT_FOR) == 1
    assert Analysis.objects.get(pk=analysis.pk).results == whole


def test_one_that_always_fails_is_given_up_and_may_be_asked_for_again(
    match: Match, anna: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Thinker, "ask", lambda *_: None)
    analysis = ask_about_match(match=match, player=anna, now=now)
    at = now + run.MOST_TRIES * timedelta(minutes=1)
    for minute in range(run.MOST_TRIES + 1):
        run.run_waiting(clock=partial(operator.add, now, timedelta(minutes=minute)))
    assert Analysis.objects.get(pk=analysis.pk).state == Analysis.State.FAILED
    assert ask_about_match(match=match, player=anna, now=at).state == Analysis.State.WAITING


def test_analyses_go_with_training_with_the_account_and_with_time(anna: Player, bruno: Player, now: datetime) -> None:
    private = make_finished([anna, *take_house(count=1, now=now)], now, training=True, absence="house")
    ask_about_match(match=private, player=anna, now=now)
    assert forget_training(match_id=private.pk, now=now + caps.TRAINING_KEPT + timedelta(days=1))
    assert not Analysis.objects.exists()
    ask_about_record(text=RECORD, seat=0, player=anna, now=now)
    assert forget_record_analyses(now + caps.RECORD_ANALYSES_KEPT) == 1
    ask_about_record(text=RECORD, seat=0, player=bruno, now=now)
    assert [row["seat"] for row in read_part("analyses", bruno)] == [0]
    assert not list(read_part("analyses", anna))
    close_account(player_id=bruno.pk, now=now)
    assert not Analysis.objects.exists()
