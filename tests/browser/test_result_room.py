"""The end of a match at the table, in every window: its buttons are seen and can be pressed without scrolling."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.engine.game import Length
from games.models import Match
from games.rules import RULESETS
from players.models import Player
from tests.browser.axe import faults
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.entries import enter_all
from tests.support.lobby import begin_at
from tests.support.people import sign_in
from tests.support.play import OPENING, open_ready, play
from tests.support.tables import again, play_out
from tests.support.tournaments import Opened
from tests.support.waiting import until

WINDOWS = [(360, 640), (390, 844), (844, 390), (1280, 800), (1920, 1080), (2560, 1440)]
LENGTHS = {"tressette-accusa": ("points", 11), "tressette-classico": ("points", 21)}  # the others: one deal
EXAMPLES = ("scopa", "briscola", "tressette-classico")  # the primiera, most rows, and most to say; all in make soak
SOON = 120_000  # ms: for a broken build, not to measure anything

# What can't be pressed as it stands: outside the window, or under something else.
OUT_OF_REACH = """() => {
  const ways = [...document.querySelectorAll(".result-foot :is(a, button)")].filter((way) => way.offsetParent);
  const found = ways.filter((way) => {
    const { left, right, top, bottom } = way.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight || !(way === over || way.contains(over));
  });
  const whole = document.documentElement;
  if (whole.scrollWidth > innerWidth) found.push(whole);
  return { ways: ways.length, found: found.map((way) => way.id || way.textContent.trim()) };
}"""

Open = Callable[[Match, Player], Page]


@pytest.fixture
def show(browser: Browser, live_site: live.Site) -> Iterator[Open]:
    """Open the table of a match that is over, for one who played there, till its end stands before them."""
    contexts = []

    def opened_page(match: Match, player: Player) -> Page:
        context = browser.new_context(base_url=live_site.url, locale="it-IT", reduced_motion="reduce")
        cookie = sign_in(player).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_site.url}])
        contexts.append(context)
        page = context.new_page()
        page.goto(f"/tavoli/{match.public_id}/")
        expect(page.locator("#result")).to_be_visible(timeout=SOON)
        return page

    yield opened_page
    for context in contexts:
        context.close()


def expect_in_reach(page: Page, least: int, about: Any) -> None:
    """Expect that so many ways on at least can be pressed in every window as it opens."""
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        reach = page.evaluate(OUT_OF_REACH)
        assert reach["found"] == [], (about, width, height)
        assert reach["ways"] >= least, (about, width, height)


@pytest.mark.rule("B5")
@pytest.mark.parametrize(
    "ruleset", [name if name in EXAMPLES else pytest.param(name, marks=pytest.mark.soak) for name in RULESETS]
)
@pytest.mark.django_db(transaction=True)
def test_after_a_free_match_every_button_is_in_every_window(
    show: Open, anna: Player, bruno: Player, carla: Player, dino: Player, ruleset: str
) -> None:
    four = 4 in RULESETS[ruleset].players
    people = [anna, bruno, carla, dino] if four else [anna, bruno]
    length = Length(*LENGTHS.get(ruleset, ("deals", 1)))  # type: ignore[arg-type]
    match = begin_at(people, timezone.now(), ruleset=ruleset, length=length)
    play_out(match, timezone.now())
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now())
    page = show(again(match), anna)
    heard = collect_complaints(page)
    expect(page.locator("#rematch-ask")).to_be_visible(timeout=SOON)
    page.locator("#result-detail summary").click()  # the count of the last deal is the tallest there is
    expect_in_reach(page, 5, ruleset)
    assert heard == []


@pytest.mark.django_db(transaction=True)
def test_after_a_tournament_match_the_buttons_are_in_every_window_and_the_next_table_seats_its_player(
    show: Open, opened: Opened, anna: Player, bruno: Player, carla: Player, dino: Player
) -> None:
    now = timezone.now() - timedelta(minutes=3)  # as long as two matches take
    four = [anna, bruno, carla, dino]
    tournament = enter_all(opened(ruleset="briscola"), four, now)
    first, second = open_ready(tournament, now + OPENING)
    now = play(first, now + OPENING)
    players = {"won": seat_of(first, True), "lost": seat_of(first, False)}
    pages = {outcome: show(again(first), player) for outcome, player in players.items()}
    waiting, out = pages["won"], pages["lost"]
    expect(waiting.locator("#after [data-after=wait], #after [data-after=feeds]")).to_be_visible(timeout=SOON)
    expect(out.locator("#after [data-after=out]")).to_be_visible(timeout=SOON)
    for page in (waiting, out):
        expect_in_reach(page, 4, "waiting")
        assert faults(page) == []
    now = play(second, now)
    (final,) = open_ready(tournament, now + OPENING)
    expect(waiting).to_have_url(re.compile(f"/tavoli/{final.public_id}/$"), timeout=SOON)
    own = final.seats.filter(player=players["won"])
    until(lambda: own.get().arrived_at, what="who was led to the next table to sit at it")
    play(final, now + OPENING)
    champion = show(again(final), seat_of(final, True))
    expect(champion.locator("#after .podium-step[data-place='1']")).to_be_visible(timeout=SOON)
    champion.locator("#result-detail summary").click()
    expect_in_reach(champion, 4, "podium")
    assert faults(champion) == []


def seat_of(match: Match, won: bool) -> Player:
    """Return the player of a match for two who has won it, or who hasn't."""
    match.refresh_from_db()
    assert match.winner is not None
    return match.seats.get(number=match.winner if won else 1 - match.winner).player
