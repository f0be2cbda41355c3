"""The screen of whoever is to move stays on, and nobody else's."""

from playwright.sync_api import Browser, Page

from tests.browser.rigged import DESK, Lay, deck, enter
from tests.browser.table_state import play_first_card
from tests.support.browser import NOTE_LOCKS, is_awake
from tests.support.waiting import until

ANNA, BRUNO = (" ".join(f"{rank}{suit}" for suit in suits for rank in "A234567FCR") for suits in ("dc", "bs"))
TABLE = {"names": ["Anna", "Bruno"], "ruleset": "tresette", "length": ["deals", 1], "dealer": 1}


def test_the_screen_stays_on_while_one_is_to_move(browser: Browser, lasting_tables: Lay) -> None:
    rigged = lasting_tables({**TABLE, "decks": [deck({0: ANNA, 1: BRUNO}, dealer=1)]})
    pages: list[Page] = []
    for name in ("Anna", "Bruno"):
        context = rigged.context(browser, None, **DESK)
        context.add_init_script(NOTE_LOCKS)
        pages.append(context.new_page())
        enter(pages[-1], rigged.path, name)
    anna, bruno = pages
    anna.locator("#hand [data-playable]").first.wait_for()
    anna.bring_to_front()
    until(lambda: is_awake(anna), what="the screen of whoever leads")
    assert not is_awake(bruno)
    play_first_card(anna)
    until(lambda: not is_awake(anna), what="the screen of whoever has played")
    bruno.bring_to_front()
    until(lambda: is_awake(bruno), what="the screen of whoever is next")
