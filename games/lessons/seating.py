"""A step of a lesson for two, laid out for four: the same cards, with two more people at the table."""

from dataclasses import replace
from typing import TypeVar

from games.lessons.steps import Question, Task

Asked = TypeVar("Asked", Task, Question)


def seat_four(step: Asked, partner: str, left: str) -> Asked:
    """Return the step with the hands of the learner's partner and of whoever sits at the left."""
    layout = replace(step.layout, hands=(*step.layout.hands, partner, left), stock="")
    return replace(step, layout=layout)
