"""Every step of every lesson: its cards are there once, what it is after can be played, a deal can be played out."""

import pytest

from games.engine.cards import CARDS
from games.engine.game import IllegalMove
from games.lessons import tutor
from games.lessons.catalogue import LESSONS
from games.lessons.steps import Lesson, Question, Step, Task, WholeDeal
from games.rules import RULESETS

STEPS = [
    pytest.param(lesson, step, id=f"{lesson.ruleset}-{number}")
    for lesson in LESSONS.values()
    for number, step in enumerate(lesson.steps, 1)
]


def of(kind: type) -> list[object]:
    return [case for case in STEPS if isinstance(case.values[1], kind)]


def find_fresh_moves(lesson: Lesson, step: Step) -> list[str]:
    return list(tutor.list_moves(tutor.begin(lesson, step).turn))


@pytest.mark.rule("B8")
def test_every_game_on_offer_has_a_lesson_that_ends_with_a_whole_deal() -> None:
    assert set(LESSONS) == set(RULESETS)
    for lesson in LESSONS.values():
        assert [isinstance(step, WholeDeal) for step in lesson.steps] == [False] * (len(lesson.steps) - 1) + [True]
        assert 7 <= len(lesson.steps) <= 14, "five minutes"


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_no_card_lies_in_two_places(lesson: Lesson, step: Step) -> None:
    if isinstance(step, WholeDeal):
        assert sorted(step.deck.split()) == sorted(CARDS)
        return
    place = step.layout
    named = " ".join((*place.hands, place.table, place.stock, *place.taken)).split()
    assert len(named) == len(set(named))
    assert set(named) <= set(CARDS)
    assert len(place.hands) == len(lesson.names)


@pytest.mark.rule("B8")
@pytest.mark.parametrize(("lesson", "step"), of(Task))
def test_the_rules_allow_what_is_asked_for_and_other_cards_are_told_why_not(lesson: Lesson, step: Task) -> None:
    legal = find_fresh_moves(lesson, step)
    assert set(step.right) <= set(legal)
    for move in (move for move in legal if not move.startswith("signal")):
        reply = tutor.answer(lesson, step, [move])
        right = move in step.right or not step.right
        assert (reply.right, reply.over, bool(reply.frames)) == (right, right, right)
        assert right or step.wrong
    with pytest.raises(IllegalMove):
        tutor.answer(lesson, step, ["play Rd x Rc"])


@pytest.mark.rule("B8")
@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_a_step_ends_a_deal_and_shows_its_count(lesson: Lesson) -> None:
    tasks = (step for step in lesson.steps if isinstance(step, Task) and step.right)
    ends = [tutor.answer(lesson, step, [step.right[0]]).frames[-1] for step in tasks]
    assert [bool(frame["previous"]["rows"]) for frame in ends if frame["previous"]] == [True]


def test_a_signal_may_go_out_with_the_card_that_was_meant() -> None:
    lesson = LESSONS["tressette-classico"]
    step = next(step for step in lesson.steps if isinstance(step, Task) and step.right == ("play 7b",))
    assert tutor.answer(lesson, step, ["signal volo", "play 7b"]).right
    with pytest.raises(IllegalMove):
        tutor.answer(lesson, step, ["signal volo", "play Rc"])


@pytest.mark.parametrize(("lesson", "step"), of(Question))
def test_one_answer_of_a_question_is_right(lesson: Lesson, step: Question) -> None:
    assert 0 <= step.right < len(step.answers)
    assert len({str(words) for words, _reply in step.answers}) == len(step.answers)


@pytest.mark.rule("B8")
@pytest.mark.parametrize(("lesson", "step"), of(WholeDeal))
def test_the_whole_deal_can_be_played_to_its_end_by_the_tutors_suggestions(lesson: Lesson, step: WholeDeal) -> None:
    moves: list[str] = []
    reply = tutor.begin(lesson, step)
    while not reply.over:
        hint = tutor.suggest(lesson, step, reply.turn)
        assert hint
        assert tutor.read_turn(reply.turn)[0] != "over"
        moves += [move["move"] for move in hint]
        reply = tutor.answer(lesson, step, moves)
    assert reply.frames[-1]["previous"]["rows"]
    assert tutor.read_turn(reply.turn)[0] == "over"


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_no_frame_shows_a_card_that_the_learner_may_not_see(lesson: Lesson, step: Step) -> None:
    for frame in tutor.begin(lesson, step).frames:
        for hand in frame["hands"][1:]:
            assert hand["cards"] == []
