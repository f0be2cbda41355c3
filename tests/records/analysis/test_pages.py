"""Pages of analyses (HP6): asked for, waited for, read with bars in the replay; by whoever played, and nobody else."""

import json
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.bots.reasons import CODES
from games.bots.study import StudyAnswer, weigh_decision
from games.engine import record as verbale
from games.models import Match
from games.thinking import Thinker
from players.models import Player
from players.services.players import create_guest
from records import results
from records.analysis import run, summary, wording
from records.models import Analysis
from tests.support.analysis import make_finished, make_record
from tests.support.arrangements import arrange_once
from tests.support.html import read_hooks
from tests.support.people import sign_in
from tests.support.tables import opened

pytestmark = [pytest.mark.django_db, pytest.mark.rule("HP6")]
RECORD = make_record("tresette", 2, seed=4)


@arrange_once
def match(anna: Player, bruno: Player, now: datetime) -> Match:
    return make_finished([anna, bruno], now)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weigh in this process, by few worlds."""
    monkeypatch.setattr("games.bots.strengths.STUDY_WORLDS", 8)
    monkeypatch.setattr(Thinker, "ask", lambda _self, question, _seconds: StudyAnswer(weigh_decision(question), 0.0))


def ask(client: Client, match: Match) -> Any:
    return client.post(reverse("match-analysis", args=[match.public_id]))


@pytest.mark.parametrize("language", ["it", "en"])
def test_an_analysis_is_asked_for_waited_for_and_read(match: Match, anna: Player, now: datetime, language: str) -> None:
    client = sign_in(anna)
    address = reverse("match-analysis", args=[match.public_id])
    with translation.override(language):
        headers = {"accept-language": language}
        assert address in client.get(reverse("match-result", args=[match.public_id]), headers=headers).content.decode()
        assert 'data-state="none"' in client.get(address, headers=headers).content.decode()
        assert client.post(address, headers=headers).headers["Location"] == address
        page = client.get(address, headers=headers).content.decode()
        assert 'data-state="running"' in page
        assert 'http-equiv="refresh"' in page, "without JavaScript it loads itself again"
        run.run_waiting(clock=lambda: now)
        page = client.get(address, headers=headers).content.decode()
    assert 'data-state="done"' in page
    assert "<svg" in page
    assert 'http-equiv="refresh"' not in page
    analysis = Analysis.objects.get()
    assert len(read_hooks(page, "word")) == analysis.done
    assert read_hooks(page, "accuracy")
    assert read_hooks(page, "part") == ["open"], "with open cards, apart"


def test_the_replay_has_bars_at_ones_own_decisions(match: Match, anna: Player, bruno: Player, now: datetime) -> None:
    client = sign_in(anna)
    replay = reverse("match-replay", args=[match.public_id, 1])
    ask(client, match)
    assert "study-bars" not in client.get(replay).content.decode()
    run.run_waiting(clock=lambda: now)
    steps = [str(result["step"]) for result in Analysis.objects.get().results]
    page = client.get(f"{replay}?mossa={steps[0]}").content.decode()
    assert read_hooks(page, "study-step") == steps
    assert page.count("study-step") - page.count("hidden") < page.count("study-step"), "one is open, the others wait"
    for other in (sign_in(bruno), Client()):
        assert "study-bars" not in other.get(replay).content.decode()
    opened([anna, bruno], now)
    assert "study-bars" not in client.get(replay).content.decode(), "not for whoever sits at a table"
    assert read_hooks(client.get(reverse("match-analysis", args=[match.public_id])), "note") == ["refused"]


def test_nobody_else_has_the_page(match: Match, carla: Player, bruno: Player) -> None:
    address = reverse("match-analysis", args=[match.public_id])
    assert Client().get(address).status_code == 404
    assert sign_in(carla).get(address).status_code == 404
    assert sign_in(carla).post(address).status_code == 404
    assert sign_in(bruno).get(address).status_code == 200, "who sat there has one of their own"


def test_a_record_is_sent_and_its_analysis_is_the_senders(anna: Player, bruno: Player, now: datetime) -> None:
    client, body = sign_in(anna), {"text": json.dumps(RECORD), "posto": "1"}
    checked = client.post(reverse("records"), {"text": body["text"]}).content.decode()
    assert read_hooks(checked, "action") == ["analyse"]
    address = client.post(reverse("record-analysis-asked"), body).headers["Location"]
    run.run_waiting(clock=lambda: now)
    assert 'data-state="done"' in client.get(address).content.decode()
    assert sign_in(bruno).get(address).status_code == 404
    assert Client().get(address).status_code == 404
    replay = client.post(f"{reverse('record-replay', args=[1])}?posto=1", {"text": body["text"]}).content.decode()
    assert "study-bars" in replay
    other = sign_in(bruno).post(reverse("record-replay", args=[1]), {"text": body["text"]}).content.decode()
    assert "study-bars" not in other


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"posto": "2"}, "no_such_seat"),
        ({"posto": "9" * 5000}, "no_such_seat"),
        ({"posto": "\x00"}, "no_such_seat"),
        ({"posto": "-1"}, "no_such_seat"),
        ({"text": "\ud800"}, "unreadable"),
        ({"text": "\x00"}, "unreadable"),
        ({"text": ""}, "unreadable"),
        ({"text": "[" * 100_000}, "unreadable"),
        ({"text": json.dumps({**RECORD, "deals": RECORD["deals"][:0]})}, "incomplete"),
    ],
)
def test_junk_gets_a_clean_answer(anna: Player, changed: dict[str, str], code: str) -> None:
    body = {"text": json.dumps(RECORD), "posto": "1", **changed}
    body = {name: text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for name, text in body.items()}
    answer = sign_in(anna).post(reverse("record-analysis-asked"), body, follow=True)
    assert read_hooks(answer, "notice") == [code]
    assert not Analysis.objects.exists()


def test_who_has_no_account_sends_no_record(now: datetime) -> None:
    body = {"text": json.dumps(RECORD), "posto": "1"}
    for client in (Client(), sign_in(create_guest(now=now, address="192.0.2.7"))):
        answer = client.post(reverse("record-analysis-asked"), body, follow=True)
        assert read_hooks(answer, "notice") == ["members_only"]


# What is summed up of the figures


def result(step: int, worths: list[float], played: int = 0, **changed: Any) -> dict[str, Any]:
    """Return a stored decision of a first deal: the worths of cards Ad, 2d …, the best first."""
    names = ["Ad", "2d", "3d", "4d"]
    moves = [[names[place], worth] for place, worth in enumerate(worths)]
    return {
        "deal": 1, "step": step, "lead": 0, "played": names[played], "moves": moves, "exact": False, "agreed": False,
        "loss": worths[0] - worths[played], "doubt": 0.0, "reason": None, "open": dict(moves), **changed,
    }  # fmt: skip


def test_a_loss_has_its_word_and_chance_is_held_against_nobody() -> None:
    words = [summary.judge(result(1, [loss, 0.0], 1), 1.0).word for loss in (0.0, 0.1, 0.3, 0.9, 1.1)]
    assert words == ["best", "best", "good", "inexact", "error"]
    assert summary.judge(result(1, [0.3, 0.0], 1, doubt=0.25), 1.0).word == "best"
    assert summary.judge(result(1, [3.0, 0.0], 1, agreed=True), 1.0).word == "best", "the partner had asked for it"
    assert summary.judge(result(1, [0.3, 0.0], 1), 0.4).word == "inexact", "a point weighs more where there are few"


def test_accuracy_course_and_turning_points() -> None:
    record = make_record("scopa", 2, seed=4)
    deals = results.list_deal_summaries(record)
    stored = [result(3, [1.0, -1.0], 1), result(5, [2.0, 0.0], 0), result(7, [1.9, 1.8], 0)]
    whole = summary.summarise(stored, verbale.parse(record).setup, 0, deals)
    assert whole.words == {"best": 2, "good": 0, "inexact": 0, "error": 1}
    assert whole.accuracy == round(100 * (2 + 0.1353) / 3)
    assert [point.lead for point in whole.course[:3]] == [-1.0, 2.0, 1.9]
    assert whole.course[-1].lead == deals[-1].score[0] - deals[-1].score[1]
    assert [(turn.step, turn.own, turn.change) for turn in whole.turns] == [(3, True, -2.0), (5, False, 3.0)]
    assert summary.summarise([], verbale.parse(record).setup, 0, deals).accuracy is None


def test_every_code_has_its_words_and_none_are_left_over() -> None:
    assert set(wording.REASONS) == CODES
    assert set(wording.WORDS) == set(summary.WORDS)
    from records.analysis.actions import CODES as REFUSED

    assert set(wording.REFUSALS) == REFUSED
    for code in CODES:
        told = {"code": code, "cards": ["7d", "6d"], "number": 2, "total": 9}
        sentence = wording.describe_reason({"reason": told, "moves": [["7d x 4d 3s", 1.0]], "played": "Ad"})
        assert sentence
        assert "%(" not in sentence
