"""The rooms beside the tables without a mouse: Tab reaches every control, in sight and with a ring; Enter, Space and
the arrows do all there is to do, and a page that draws a part of itself anew leaves the reader where they were."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from games.lobby import seeks
from games.lobby.kinds import SeekKind
from games.models import FreeTable, Match, Seek
from players.models import Player, ProfileAudience
from players.services.follows import follow_player
from tests.support import live
from tests.support.lobby import open_free_table

TABLE = re.compile(r"/tavoli/(?!nuovo/|libero/)\w+/$")
MOST_STOPS = 120  # of a page, and more than any has
# Controls that Tab must come to; of radio buttons it comes to one, and the arrows to the others.
CONTROLS = """() => [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary")]
    .filter((each) => each.checkVisibility({checkVisibilityCSS: true}) && each.tabIndex >= 0)
    .map((each, n) => { each.dataset.stop = n; return each.type === "radio" ? `radio ${each.name}` : String(n); })"""
STOP = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const box = at.getBoundingClientRect();
  const rings = [null, "::after"].map((part) => getComputedStyle(at, part)); // a row's link is ringed about the row
  return {
    name: at.type === "radio" ? `radio ${at.name}` : at.dataset.stop,
    said: (at.ariaLabel || at.textContent || at.name).trim().slice(0, 40),
    inSight: box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight,
    ringed: rings.some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0),
  };
}"""


@pytest.fixture
def window(browser: Browser, live_site: live.Site) -> Iterator[BrowserContext]:
    context = browser.new_context(
        base_url=live_site.url, locale="it-IT", viewport={"width": 360, "height": 740}, reduced_motion="reduce"
    )
    yield context
    context.close()


def enter(window: BrowserContext, site: live.Site, player: Player) -> None:
    """Sign this player in, in the place of whoever was."""
    client = Client()
    client.force_login(player.user)
    session = client.cookies["sessionid"].value
    window.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])


def keep_still(page: Page) -> None:
    """Leave every page as it was loaded: what is drawn anew while Tab goes round is another test's."""
    page.route(
        lambda url: "/static/" not in url,
        lambda route: route.abort() if "hx-request" in route.request.headers else route.continue_(),
    )


def tab_to(page: Page, control: Locator) -> None:
    """Press Tab until this control has the focus."""
    for _stop in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if control.evaluate("(each) => each === document.activeElement"):
            return
    raise AssertionError(f"Tab doesn't come to {control}")


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.soak)])
def test_tab_comes_to_every_control_in_sight_and_ringed(
    window: BrowserContext, live_site: live.Site, anna: Player, bruno: Player, width: int
) -> None:
    follow_player(player=anna, followed=bruno, now=timezone.now())
    table = open_free_table(bruno, timezone.now())
    enter(window, live_site, anna)
    page = window.new_page()
    page.set_viewport_size({"width": width, "height": 740})
    keep_still(page)
    names = ("lobby", "profile", "friends", "audience", "training", "free-table-new", "rankings", "circuit-new")
    wrong = []
    for address in (*map(reverse, names), reverse("free-table", args=[table.public_id])):
        page.goto(address)
        page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
        left = set(page.evaluate(CONTROLS))
        for _stop in range(MOST_STOPS):
            page.keyboard.press("Tab")
            stop = page.evaluate(STOP)
            if stop is None:
                break
            left.discard(stop["name"])
            if not (stop["inSight"] and stop["ringed"]):
                wrong.append(f"{address}: {stop}")
        else:
            wrong.append(f"{address}: Tab comes to no end")
        wrong += [f"{address}: never at {name}" for name in left]
    assert not wrong, "\n".join(wrong)


@pytest.mark.rule("B2")
def test_a_match_is_sought_and_sought_no_more(window: BrowserContext, live_site: live.Site, anna: Player) -> None:
    enter(window, live_site, anna)
    page = window.new_page()
    page.goto(reverse("lobby"))
    tab_to(page, page.locator("[data-action=seek-scopa]"))
    page.keyboard.press("Enter")
    expect(page.locator("[data-note=seeking]")).to_be_visible()
    tab_to(page, page.locator("[data-action=end]"))
    page.keyboard.press("Space")
    expect(page.locator("[data-note=seeking]")).to_have_count(0)
    assert not Seek.objects.exists()

    tab_to(page, page.locator("[popovertarget=cerca]").first)
    page.keyboard.press("Enter")
    tab_to(page, page.locator("#cerca_form_0"))
    page.keyboard.press("ArrowDown")
    tab_to(page, page.locator("[data-action=seek]"))
    page.keyboard.press("Enter")
    expect(page.locator("[data-note=seeking]")).to_be_visible()
    assert Seek.objects.get().form == "pairs"


@pytest.mark.rule("B1")
def test_the_focus_stays_where_it_was_when_the_lobby_is_drawn_anew(
    window: BrowserContext, live_site: live.Site, anna: Player, bruno: Player, carla: Player
) -> None:
    for player in (bruno, carla):
        seeks.seek_match(player=player, kind=SeekKind("scopa"), now=timezone.now())
    Seek.objects.update(heard_at=timezone.now() + timedelta(hours=1))
    enter(window, live_site, anna)
    page = window.new_page()
    page.goto(reverse("lobby"))
    joins = [page.locator(f"#join-{Seek.objects.get(player=player).pk}") for player in (bruno, carla)]
    tab_to(page, joins[1])

    seeks.end_seek(player=bruno)
    expect(joins[0]).to_have_count(0)
    expect(joins[1]).to_be_focused()
    seeks.end_seek(player=carla)
    expect(joins[1]).to_have_count(0)
    expect(page.locator("#lista-title")).to_be_focused()


def test_a_table_is_opened_and_sat_down_at(
    window: BrowserContext, live_site: live.Site, anna: Player, bruno: Player
) -> None:
    enter(window, live_site, anna)
    page = window.new_page()
    page.goto(reverse("free-table-new"))
    tab_to(page, page.locator("#id_ruleset_0"))
    for game in page.locator("[name=ruleset]").all()[1:]:
        page.keyboard.press("ArrowDown")
        value = game.get_attribute("value")
        expect(page.locator(f"#match-fields [name=shown][value^='{value} ']")).to_have_count(1)
        expect(game).to_be_focused()
        if value == "tresette":
            break
    tab_to(page, page.locator("#match-fields [name=players]:checked"))
    expect(page.locator("#id_players_1")).to_be_focused()  # four, as at the Scopone passed on the way
    page.keyboard.press("ArrowUp")
    expect(page.locator("#match-fields [name=option_dichiarazioni]")).to_have_count(0)
    expect(page.locator("#id_players_0")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#match-fields [name=option_dichiarazioni]")).to_have_count(1)
    expect(page.locator("#id_players_1")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#match-fields [name=option_dichiarazioni]")).to_have_count(0)
    expect(page.locator("#id_players_0")).to_be_focused()
    tab_to(page, page.locator("main form.panel button[type=submit]"))
    page.keyboard.press("Enter")
    expect(page.locator(".place-mine")).to_be_visible()

    enter(window, live_site, bruno)
    page.goto(reverse("free-table", args=[FreeTable.objects.get().public_id]))
    tab_to(page, page.locator("[data-action=sit]"))
    page.keyboard.press("Enter")
    page.wait_for_url(TABLE)
    assert page.url.endswith(reverse("table", args=[Match.objects.get().public_id]))


def test_a_field_that_goes_while_it_has_the_focus_hands_it_on(
    window: BrowserContext, live_site: live.Site, anna: Player
) -> None:
    enter(window, live_site, anna)
    page = window.new_page()
    page.goto(reverse("free-table-new"))
    page.locator("[name=ruleset][value=tresette]").check()
    page.locator("#match-fields [name=players][value='4']").check()
    gone = page.locator("#match-fields [name=option_dichiarazioni]")
    expect(gone).to_have_count(1)
    page.evaluate("document.querySelector('#id_players_0').click()")
    gone.focus()
    expect(gone).to_have_count(0)
    expect(page.locator("#match-fields :focus")).to_have_count(1)


def test_training_begins_and_parts_of_ones_page_are_hidden(
    window: BrowserContext, live_site: live.Site, anna: Player
) -> None:
    enter(window, live_site, anna)
    page = window.new_page()
    page.goto(reverse("audience"))
    tab_to(page, page.locator("[name=levels]"))
    page.keyboard.press("End")  # nobody
    tab_to(page, page.locator("main form button[type=submit]"))
    page.keyboard.press("Enter")
    expect(page.locator("[data-notice=audience_chosen]")).to_be_visible()
    assert ProfileAudience.objects.get(player=anna).levels == "nobody"

    page.goto(reverse("training"))
    tab_to(page, page.locator("[data-action=train]"))
    page.keyboard.press("Enter")
    page.wait_for_url(TABLE)
    assert Match.objects.get().training


@pytest.mark.rule("Y3")
def test_a_circuit_asks_for_the_points_of_places_only_where_it_adds_those_up(
    window: BrowserContext, live_site: live.Site, anna: Player
) -> None:
    enter(window, live_site, anna)
    page = window.new_page()
    page.goto(reverse("circuit-new"))
    places = page.locator("[name=places]")
    expect(places).to_be_hidden()
    tab_to(page, page.locator("[name=table]:checked"))
    page.keyboard.press("ArrowDown")
    expect(places).to_be_visible()
    page.keyboard.press("Tab")
    expect(places).to_be_focused()
