"""The law of the page: it holds no rule. A made-up game with odd verbs is offered and counted as the server says."""

import json
import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.rigged import Sit, said_by
from tests.support.browser import collect_complaints

# Anna's four, Bruno's four, the table's six, the turned one: a king waits for the fante.
DECK = "3c Rd 5s 2d 4b 6c 7s Ad 2b 5b 7c Fd Rs 6s 3b"


class Heard:
    """A page, and the last view that came to it."""

    view: dict[str, Any]

    def __init__(self, page: Page) -> None:
        self.page, self.view = page, {"v": -1}
        page.on("websocket", lambda line: line.on("framereceived", self._came))
        page.reload()
        expect(page.locator("#table")).to_have_attribute("data-version", re.compile("."))
        self.reaches(0)

    def _came(self, message: str | bytes) -> None:
        frame = json.loads(message)
        if frame["t"] == "view":
            self.view = frame

    def reaches(self, version: int) -> None:
        """Wait until a view as new as this is drawn."""
        seen = self.page.locator("#table")
        while int(seen.get_attribute("data-version") or 0) < version or self.view["v"] < version:
            self.page.wait_for_timeout(20)

    def obeys(self) -> None:
        """The page offers what is listed, and nothing else."""
        self.reaches(self.view["v"])
        assert offered(self.page) == listed(self.view)


def offered(page: Page) -> dict[str, set[str]]:
    """Return what the page lets a player do with each card: raise it, and read the ghosts."""
    moves = {}
    for card in page.locator("#hand [data-playable]").evaluate_all("all => all.map((card) => card.dataset.card)"):
        page.locator(f"#hand [data-card='{card}']").click()
        moves[card] = set(page.locator("#ghosts .ghost").evaluate_all("all => all.map((one) => one.dataset.move)"))
        page.keyboard.press("Escape")
    return moves


def listed(view: dict[str, Any]) -> dict[str, set[str]]:
    cards = {move["card"] for move in view["legal"] if "card" in move}
    return {card: {move["move"] for move in view["legal"] if move.get("card") == card} for card in cards}


def play(pages: tuple[Heard, Heard], mover: Heard, move: str, calls: int = 0) -> None:
    """Play a card by its ghost, with so many calls that go with it."""
    following = mover.view["v"] + calls + 1
    mover.page.locator(f"#hand [data-card='{move.split()[1]}'][data-playable]").click()
    mover.page.locator(f"#ghosts .ghost[data-move='{move}']").click()
    for heard in pages:
        heard.reaches(following)


def test_a_game_nobody_has_ever_seen_is_played_as_the_server_lists_it(sit: Sit) -> None:
    seated = sit(
        names=("Anna", "Bruno"), cards=4, offer="tests.games.strana.offer", ruleset="strana", length=("deals", 1),
        dealer=1, decks=[DECK],
    )  # fmt: skip
    complaints = [collect_complaints(page) for page in seated.values()]
    anna, bruno = pages = (Heard(seated["Anna"]), Heard(seated["Bruno"]))
    for heard in pages:
        heard.obeys()
    assert len(listed(anna.view)["3c"]) == 3  # put down, take the seven, or take all of the next suit

    bruno.page.locator("#calls [data-move=borbotta]").click()  # out of turn, with a verb without words
    expect(bruno.page.locator("#calls [data-move=borbotta]")).to_have_count(0)
    expect(anna.page.locator(".seat[data-seat='1'] .said-words")).to_have_text("borbotta")
    expect(anna.page.locator(".score-credited")).to_contain_text("+2")

    anna.reaches(bruno.view["v"])
    page = anna.page
    page.locator("#hand [data-card='Rd']").click()  # a reason without words
    expect(page.locator("#toast")).to_contain_text("Giocata non ammessa")
    page.locator("#calls .call-part[data-part=uno]").click()  # of two that are said at once
    page.locator("#calls .call-send").click()
    expect(bruno.page.locator(".seat[data-seat='0'] .said-words")).to_have_text("conta due")

    page.locator("#calls .call-part[data-part=forte]").click()
    expect(page.locator("#hand [data-playable]")).to_have_count(1)  # it goes with coppe only
    assert said_by(bruno.page, 0) == ["conta due"]
    play(pages, anna, "play 3c x 2b 5b", calls=1)
    expect(bruno.page.locator(".seat[data-seat='0'] .said-words").last).to_have_text("fischia forte")
    expect(bruno.page.locator("#log")).to_contain_text("Anna gioca Tre di coppe e prende Due di bastoni e Cinque")

    while anna.view["status"] == "playing":  # who takes plays again
        newest = max(heard.view["v"] for heard in pages)
        for heard in pages:
            heard.reaches(newest)
        mover = pages[anna.view["turn"]]
        for heard in pages:
            heard.obeys()
        assert mover.page.locator("#table").get_attribute("data-turn") == "mine"
        moves = listed(mover.view)
        if not moves:  # its next view came while the page was being looked at
            continue
        # The fante first, while somebody holds a king: with nothing else in hand it could never be played.
        every = [move for of_card in moves.values() for move in of_card]
        play(pages, mover, max(every, key=lambda move: ("Fd" in move, len(move), move)))

    for heard in pages:
        expect(heard.page.locator("#result")).to_be_visible()
        expect(heard.page.locator("#result-count")).to_contain_text("prese_storte")
    assert anna.view["score"] == bruno.view["score"]
    assert complaints == [[], []]
