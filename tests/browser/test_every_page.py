"""Every page of the site on the narrowest telephone: nothing sideways, no word of complaint, nothing for axe.

Which pages there are is read from the addresses; what they show is the world of tests/languages/world.py. ``make test``
opens one page of each route, but those that another test opens in as narrow a window or that are made like another, and
asks axe about one of each build; ``make soak`` opens all and asks about all, by day and by night.
"""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page

from players.models import Player
from tests.browser.addresses import Stop, is_act, pages, stops
from tests.browser.axe import THEMES, faults
from tests.languages.world import furnish
from tests.support import live
from tests.support.browser import collect_complaints
from tests.support.people import sign_in

NARROWEST = {"width": 320, "height": 568}
SIDEWAYS = "() => document.scrollingElement.scrollWidth - innerWidth"
# One of each build: lists, forms, tables of figures, text, paper. Of tables and replays axe is
# asked in test_table_axe.py and test_replay.py.
EXAMPLES = frozenset(
    {
        "home",
        "rules-of",
        "standings",
        "tournament",
        "tournament-desk",
        "tournament-new",
        "tournament-print",
    }
)
ELSEWHERE = {
    "test_public_pages.py": {"draw", "tournament-embed", "tournament-qr"},
    "test_person_story.py": {
        "person",
        "person-matches",
        "person-tournaments",
        "person-statistics",
        "person-awards",
        "settings",
        "welcome",
        "audience",
        "pairs",
    },
}
LIKE = {  # of the same panel, fields or question: what they say is tests/crawl's
    "account_login": {
        "account_change_password", "account_confirm_email", "account_email_verification_sent", "account_inactive",
        "account_logout", "account_reauthenticate", "account_reset_password", "account_reset_password_done",
        "account_reset_password_from_key", "account_reset_password_from_key_done",
    },
    "club-edit": {"club-new"},
    "circuit-edit": {"circuit-new"},
    "series-edit": {"series-new"},
    "register-card": {"register-card-new"},
    "tournament-withdraw": {"tournament-cancel", "name-forget", "register-forget"},
    "own-entry": {"own-bye"},
    "rules-of": {"privacy"},
}  # fmt: skip


def open_window(browser: Browser, site: live.Site) -> BrowserContext:
    return browser.new_context(
        base_url=site.url, locale="it-IT", viewport=NARROWEST, reduced_motion="reduce", color_scheme="light"
    )


def change_reader(context: BrowserContext, site: live.Site, reader: Player | None) -> None:
    """Have somebody else read in the window, which keeps what pages are made of."""
    context.clear_cookies()
    if reader is not None:
        session = sign_in(reader).cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])


@pytest.fixture
def every(transactional_db: None) -> list[Stop]:
    """Every page there is to see."""
    return stops(furnish(timezone.now()))


@pytest.mark.long("each page costs its own time, and a world of its own would cost more")
@pytest.mark.timeout(600)  # some hundred pages
@pytest.mark.parametrize(
    "thorough", [pytest.param(False, id="examples"), pytest.param(True, id="all", marks=pytest.mark.soak)]
)
def test_every_page_on_the_narrowest_telephone(
    every: list[Stop], live_site: live.Site, request: pytest.FixtureRequest, thorough: bool
) -> None:
    browser: Browser = request.getfixturevalue("browser")  # after the site: its thread wants the first loop
    gone_to = {stop.route for stop in every}
    assert {route for route in pages() - gone_to if not is_act(route)} == set(), "pages nobody looked at"
    assert gone_to <= pages()
    assert gone_to >= EXAMPLES

    if not thorough:  # the first stop of each
        left_out = set[str]().union(*ELSEWHERE.values(), *LIKE.values())
        assert left_out <= gone_to - EXAMPLES, "no page is left out that isn't there"
        every = [*{stop.route: stop for stop in reversed(every) if stop.route not in left_out}.values()]
    wrong: list[str] = []
    seen: set[str] = set()
    context = open_window(browser, live_site)
    page = context.new_page()
    heard = collect_complaints(page)
    for reader in dict.fromkeys(stop.reader for stop in every):
        change_reader(context, live_site, reader)
        for stop in every:
            if stop.reader == reader:
                themes = choose_themes(stop.route, first=stop.route not in seen, thorough=thorough)
                seen.add(stop.route)
                page_faults = [*wrong_with(page, stop.address, themes), *heard]
                wrong += [f"{stop.route} {stop.address} ({reader}): {fault}" for fault in page_faults]
                heard.clear()
    context.close()
    assert not wrong, "\n".join(wrong)


def choose_themes(route: str, *, first: bool, thorough: bool) -> tuple[str, ...]:
    """The themes in which axe looks at a page: by night only at the first one of a route."""
    if thorough:
        return THEMES if first else THEMES[:1]
    return THEMES[:1] if first and route in EXAMPLES else ()


def wrong_with(page: Page, address: str, themes: tuple[str, ...]) -> list[str]:
    page.emulate_media(color_scheme="light")
    answer = page.goto(address)
    assert answer is not None
    too_wide = page.evaluate(SIDEWAYS)
    return [
        *([f"answered {answer.status}"] if answer.status != 200 else []),
        *([f"{too_wide} px too wide"] if too_wide > 0 else []),
        *faults(page, themes),
    ]
