"""A person is called to their table on whatever page they are (W1), and led there from their tournament's."""

import re
from collections.abc import Callable
from datetime import datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

from games.models import Match
from players.models import Player
from tests.support.entries import fill_sit_and_go
from tests.support.play import open_ready
from tests.support.tables import opened as open_table
from tests.support.tournaments import Opened
from tests.support.waiting import until

# As browsers whose every new context is suspended until it is told to go on; it notes what is heard.
SUSPENDED = """() => {
  window.heard = [];
  window.contexts = [];
  window.AudioContext = class extends AudioContext {
    constructor() { super(); contexts.push(this); }
    async suspend() { this.held = true; await super.suspend(); }
    get state() { return this.told ? super.state : "suspended"; }
    async resume() { this.told = true; await super.resume(); }
  };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (at) { heard.push(this.frequency.value); start.call(this, at); };
}"""
RULES = "/regole/"  # nothing there is drawn anew
BANNER = "#table-banner"


@pytest.mark.rule("W1")
def test_a_table_that_opens_while_a_page_is_on_its_way_is_called_there(
    open_as_organiser: Callable[..., Page], organiser: Player, bruno: Player
) -> None:
    context: BrowserContext = open_as_organiser("/").context
    context.add_init_script(f"({SUSPENDED})()")
    page = context.new_page()
    matches: list[Match] = []

    def open_table_first(socket: WebSocketRoute) -> None:
        if not matches:  # the page is made, and doesn't listen yet
            matches.append(open_table([organiser, bruno], timezone.now()))
        socket.connect_to_server()

    page.route_web_socket("**/ws/persona/", open_table_first)
    page.goto(RULES)
    link = page.locator(BANNER).get_by_role("link", name="Siediti")
    expect(link).to_be_visible()
    assert link.get_attribute("href") == reverse("table", args=[matches[0].public_id])
    left = re.compile(r"^[0-5]:[0-5]\d$")
    expect(page.locator(f"{BANNER} [data-countdown]")).to_have_text(left)
    expect(page).to_have_title(re.compile(r"^[0-5]:[0-5]\d Il tuo tavolo$"))
    until(lambda: page.evaluate("heard.length >= 2"), what="two notes")
    assert page.evaluate("heard.slice(0, 2)") == [659, 880]
    until(lambda: page.evaluate("contexts.every((one) => one.told && one.held)"), what="a sound that is let go")


@pytest.mark.rule("W1", "G8")
def test_who_looks_at_their_tournament_is_led_to_the_table_that_waits_once(
    open_as_organiser: Callable[..., Page], organiser: Player, bruno: Player, opened: Opened, now: datetime
) -> None:
    tournament = fill_sit_and_go(opened, [organiser, bruno], now)
    page = open_as_organiser(reverse("tournament", args=[tournament.public_id]))
    expect(page.locator("[data-note=noshow_loses]")).to_contain_text("5 minuti")
    [match] = open_ready(tournament, timezone.now())
    expect(page.locator("#table")).to_have_attribute("data-line", "open")
    assert page.url.endswith(reverse("table", args=[match.public_id]))
    page.locator("#about").click()
    expect(page.locator("[data-note=table_open]")).to_be_visible()  # and they stay here: they have been there
    expect(page.locator("#live")).not_to_have_attribute("data-awaited-table", re.compile("."))
