"""The pages of the lessons: the list, a step, what comes of a card, and how far a browser has come."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from games.lessons import tutor
from games.lessons.catalogue import LESSONS
from games.lessons.steps import Question, Task
from games.lessons.views import LIMIT
from tests.support.html import read_attribute, read_element, read_hooks

pytestmark = [pytest.mark.django_db, pytest.mark.rule("B8")]

SCOPA = LESSONS["scopa"]


def find_step(kind: type) -> tuple[int, Any]:
    return next((number, step) for number, step in enumerate(SCOPA.steps, 1) if isinstance(step, kind))


def play(client: Client, number: int, *moves: str) -> HttpResponse:
    return client.get(f"/impara/scopa/{number}/risposta/", {"mosse": list(moves)})


def test_the_list_has_every_game_and_nothing_done_at_first(client: Client) -> None:
    page = client.get("/impara/")
    assert read_hooks(page, "lesson") == list(LESSONS)
    assert set(read_hooks(page, "done")) == {"0"}
    assert "lessons" not in client.cookies


@pytest.mark.parametrize("ruleset", LESSONS)
def test_every_step_of_every_lesson_has_its_page(client: Client, ruleset: str) -> None:
    for number in range(1, len(LESSONS[ruleset].steps) + 1):
        page = client.get(f"/impara/{ruleset}/{number}/")
        assert page.status_code == 200
        assert read_element(page, "lesson-data") is not None
    assert client.get(f"/impara/{ruleset}/{number + 1}/").status_code == 404


@pytest.mark.parametrize("path", ["/impara/poker/", "/impara/poker/1/", "/impara/scopa/0/", "/impara/scopa/99/"])
def test_what_is_no_lesson_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_move_meant_is_answered_with_the_table_after_it(client: Client) -> None:
    number, step = find_step(Task)
    answer = play(client, number, step.right[0]).json()
    assert (answer["right"], answer["over"], answer["said"]) == (True, True, str(step.well))
    assert answer["frames"][-1]["last"]["taker"] == 0


def test_another_legal_move_is_explained_and_changes_nothing(client: Client) -> None:
    number, step = find_step(Task)
    legal = tutor.list_moves(tutor.begin(SCOPA, step).turn)
    wrong = next(move for move in legal if move not in step.right)
    answer = play(client, number, wrong)
    assert answer.json() == {"frames": [], "right": False, "over": False, "said": str(step.wrong), "hint": []}
    assert "lessons" not in answer.cookies


@pytest.mark.parametrize("move", ["play 7d x 7c", "play zz", "abandon", "", "play 7c x 5b"])
def test_what_the_rules_refuse_is_refused_with_a_reason(client: Client, move: str) -> None:
    answer = play(client, find_step(Task)[0], move)
    assert answer.status_code == 400
    assert answer.json()["said"]


def test_who_asks_too_often_is_told_so_in_words_a_page_can_show(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMIT, "lesson_step", "1/m/ip")
    number, step = find_step(Task)
    assert play(client, number, step.right[0]).status_code == 200
    answer = play(client, number, step.right[0])
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (429, "throttled", "60")
    assert answer.json()["said"]


def test_without_moves_or_with_too_many_there_is_no_answer(client: Client) -> None:
    number, step = find_step(Task)
    assert play(client, number).status_code == 404
    assert play(client, number, *[step.right[0]] * 61).status_code == 404
    assert play(client, find_step(Question)[0], step.right[0]).status_code == 404


def test_a_question_is_answered_on_its_page(client: Client) -> None:
    number, step = find_step(Question)
    for chosen in range(len(step.answers)):
        page = client.get(f"/impara/scopa/{number}/", {"risposta": chosen})
        right = str(chosen == step.right).lower()
        assert (read_element(page, "said") or {})["data-right"] == right
        assert ("answer" in read_hooks(page, "action")) is (chosen != step.right)
    for odd in ("9", "x", ""):
        assert "data-right" not in (read_element(client.get(f"/impara/scopa/{number}/?risposta={odd}"), "said") or {})


def test_a_browser_goes_on_where_it_stopped(client: Client) -> None:
    number, step = find_step(Task)
    play(client, number, step.right[0])
    assert client.get("/impara/scopa/").headers["Location"] == f"/impara/scopa/{number + 1}/"
    assert client.get("/impara/tresette/").headers["Location"] == "/impara/tresette/1/"
    assert str(number) in read_attribute(client.get("/impara/"), "data-done")
    question, asked = find_step(Question)
    client.get(f"/impara/scopa/{question}/", {"risposta": asked.right})
    assert client.get("/impara/scopa/").headers["Location"] == f"/impara/scopa/{number + 1}/", "it never goes back"


@pytest.mark.parametrize("held", ["scopa.99", "scopa.-1", "scopa.x-poker.3", "-..-", "x" * 5000])
def test_a_cookie_that_makes_no_sense_is_none(client: Client, held: str) -> None:
    client.cookies["lessons"] = held
    assert client.get("/impara/").status_code == 200
    assert client.get("/impara/scopa/").headers["Location"] == "/impara/scopa/1/"


def test_a_lesson_stores_nothing(client: Client, django_assert_num_queries: Any) -> None:
    number, step = find_step(Task)
    with django_assert_num_queries(0):
        play(client, number, step.right[0])
