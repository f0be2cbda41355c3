"""Squadre di quattro on the site (J11): a player's team with the house, and its match read deal by deal."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.support.equal import play_otherwise
from tests.support.fours import TWOS, list_boards
from tests.support.play import open_ready, play
from tests.support.tournaments import Opened
from tests.support.waiting import until
from tournaments.entries.house import enter_house_players
from tournaments.equal.team_results import combine_boards

pytestmark = pytest.mark.rule("J11")


def test_a_player_enters_a_team_with_the_house_and_reads_its_match(
    open_as_organiser: Callable[..., Page], opened: Opened
) -> None:
    tournament = opened(TWOS, max_entries=2, house_allowed=True, length_value=1)
    home = f"/tornei/{tournament.public_id}/"
    page = open_as_organiser(home)
    page.locator("[data-action=enter_team]").click()
    page.locator("[name=team]").fill("Leoni")
    page.locator("[data-action=team_with_house]").click()
    until(lambda: tournament.entries.filter(team_name="Leoni").exists(), what="the team")
    page.wait_for_load_state()
    page.goto("about:blank")  # it would be told of every card
    enter_house_players(tournament_id=tournament.pk, count=1, now=timezone.now())
    at = timezone.now() + timedelta(seconds=10)
    tournament.refresh_from_db()
    for number, match in enumerate(open_ready(tournament, at)):
        at = max(at, play(match, at) if number else play_otherwise(match, at))
    swings = combine_boards(tournament, {0: list_boards(tournament)[0]})[0].swings
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(home)
    page.locator("label.tab", has_text="Turni").click()
    page.locator("[data-note=team_match]").first.click()
    expect(page.locator("[data-swing]")).to_have_count(len(swings))
    expect(page.locator("[data-sum]")).to_have_attribute("data-sum", str(sum(swing.ahead for swing in swings)))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.wait_for_load_state()
