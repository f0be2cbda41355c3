"""Pages in a real browser: accounts, tournaments and tables made by clicks."""

import re

from playwright.sync_api import ConsoleMessage, Page, expect

from tests.support.people import PASSWORD

WITHOUT_WORKERS = "Service Worker registration blocked by Playwright"
WITHOUT_SOUND = "The AudioContext was not allowed to start"  # on a page its reader was led to; it sounds where it may


def collect_complaints(page: Page) -> list[str]:
    """Return a list of the browser's complaints from now on: script errors, and refusals of the content security
    policy. That Playwright keeps service workers away is none, nor that a sound waits for a gesture."""
    heard: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith((WITHOUT_WORKERS, WITHOUT_SOUND)):
            heard.append(message.text)

    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("console", hear)
    return heard


def sign_up(page: Page, name: str) -> None:
    page.goto("/account/signup/")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password1]").fill(PASSWORD)
    page.locator("[name=password2]").fill(PASSWORD)
    page.locator("main form.panel button[type=submit]").click()
    expect(page.get_by_text(name).first).to_be_visible()


def create_tournament(page: Page) -> str:
    """A girone of two, one deal of Scopa, that starts as soon as both are in; its address."""
    page.goto("/tornei/nuovo/")
    page.locator("[name=name]").fill("Girone di Anna e Bruno")
    choose_girone_of_one_deal(page)
    unfold(page, "posti")
    page.locator("[name=max_entries]").fill("2")
    choose_shortest_pause(page)
    return open_entries(page)


def choose_girone_of_one_deal(page: Page) -> None:
    """Choose the formula and the length, where a tournament is being made."""
    page.locator("[name=format]").select_option("girone")
    unfold(page, "partita")
    page.locator("[name=length_kind]").select_option("deals")
    page.locator("[name=length_value]").fill("1")


def choose_shortest_pause(page: Page) -> None:
    """Have the tables open as soon as may be, where a tournament is being made."""
    unfold(page, "tempo")
    page.locator("[name=pause]").select_option("5")


def unfold(page: Page, code: str) -> None:
    """Open what is folded in a tournament's form, if it isn't open."""
    fold = page.locator(f"details#{code}")
    if fold.get_attribute("open") is None:
        fold.locator("> summary").click()


def open_entries(page: Page) -> str:
    """Send the form of a new tournament off; return its address."""
    page.locator(".making-act button").click()
    page.wait_for_url(re.compile(r"/tornei/(?!nuovo/)[^/]+/(iscritti/)?$"))
    return page.url.removesuffix("iscritti/")


def read_standings_row(page: Page, name: str) -> list[str]:
    """Somebody's row of the standings: place, name, played, won, drawn, lost, MP, VP."""
    row = page.locator("table.standings tbody tr", has_text=name)
    return [text.strip() for text in row.locator("td, th").all_inner_texts()]


def give_up(page: Page) -> None:
    page.locator("#options-open").click()
    page.locator("#abandon").click()
    page.locator("#abandon-dialog [value=abandon]").click()


SOON = 120_000  # ms: what the server says by itself


DECK_FELL = "Carte cadute dal mazzo"


def decide_at_desk(page: Page, what: str, **fields: str) -> None:
    """Open the act's form on the page of the fixture, fill it in, look at what it changes, and confirm (F5)."""
    act = page.locator(f"#atto-{what}")
    if act.get_attribute("open") is None:  # at a real table the first one is open already
        act.locator("> summary").click()
    for name, value in fields.items():
        field = act.locator(f"[name={name}]")
        if field.evaluate("element => element.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    act.locator("[name=reason]").fill(DECK_FELL)
    act.get_by_role("button").click()
    act.locator("[name=sure]").click()
    expect(page.locator(".message-success")).to_be_visible(timeout=SOON)


NOTE_LOCKS = """
  window.locks = [];
  const request = WakeLock.prototype.request;
  WakeLock.prototype.request = async function (type) {
    const stand_in = { released: false, release() { this.released = true; } };
    const lock = await request.call(this, type).catch(() => stand_in);
    locks.push(lock);
    return lock;
  };
"""  # for pages that are asked whether they keep the screen on; a browser without one lets nobody


def is_awake(page: Page) -> bool:
    """Tell if a page keeps its screen on."""
    return bool(page.evaluate("locks.some((lock) => !lock.released)"))
