"""A level on a page: number, question mark and band (L5)."""

import pytest
from django.template import Context, Template

from games import levels, wording
from games.levels import ShownLevel

pytestmark = pytest.mark.rule("L5")


def render_level(level: ShownLevel | None) -> str:
    return Template("{% load levels %}{% show_level level %}").render(Context({"level": level}))


def test_every_band_has_a_name() -> None:
    assert set(wording.BANDS) == {levels.LOWEST_BAND, *(code for _least, code in levels.BANDS)}


def test_a_level_is_shown_with_its_band() -> None:
    shown = render_level(ShownLevel(1810, uncertain=False))
    assert 'data-level="1810"' in shown
    assert wording.name_band("master") in shown


def test_an_uncertain_one_has_the_question_mark_and_nobodys_is_nothing() -> None:
    assert 'data-level="1500?"' in render_level(ShownLevel(1500, uncertain=True))
    assert render_level(None) == ""
