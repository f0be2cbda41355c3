"""A step of a lesson for two, laid out for four: the same cards, with two more people at the table."""

from dataclasses import replace
from typing import TypeVar

from games.lessons.steps import Act, Question

Asked = TypeVar("Asked", Act, Question)


def seat_four(step: Asked, partner: str, left: str) -> Asked:
    """Return the step with the hands of the learner's partner and of who sits at the left."""
    position = replace(step.position, hands=(*step.position.hands, partner, left), stock="")
    return replace(step, position=position)
