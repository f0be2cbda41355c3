"""The layout of the rooms on a telephone: one row of ways, nothing stuck together, rows in one piece."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from players.models import Player, User

TELEPHONE = {"viewport": {"width": 360, "height": 740}}
ROWS = """() => new Set([...document.querySelectorAll(".bottom-bar > *")].filter((way) => way.offsetParent)
  .map((way) => way.offsetTop)).size"""
GAPS = """() => [...document.querySelectorAll("main > section")].slice(1).map((section) =>
  section.getBoundingClientRect().top - section.previousElementSibling.getBoundingClientRect().bottom)"""


@pytest.mark.rule("U2")
def test_moderation_on_a_telephone_has_one_row_of_ways_and_nothing_stuck_together(
    organiser: Player, open_as_organiser: Callable[..., Page]
) -> None:
    User.objects.filter(pk=organiser.user_id).update(is_staff=True)
    page = open_as_organiser("/moderazione/", **TELEPHONE)
    assert page.evaluate(ROWS) == 1
    assert min(page.evaluate(GAPS)) >= 16, "px"
