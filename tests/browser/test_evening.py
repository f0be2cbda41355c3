"""A whole evening on PostgreSQL: the organiser at her desk, two players on telephones, the house for the rest; a late
check-in and one who doesn't come, a leaver, a referee's correction, then what is printed and taken home."""

import csv
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar
from openpyxl import load_workbook
from playwright.sync_api import Browser, Page, expect

from config.launcher import processes
from tests.services import MARK, PostgresServer
from tests.support.browser import DECK_FELL, collect_complaints, decide_at_desk, give_up, read_standings_row, sign_up
from tests.support.product import ROOT, Product, environment, running
from tests.support.waiting import until

DESK = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DEVICES = {"Rita": DESK, "Ugo": PHONE, "Ines": PHONE, "Leo": PHONE}
SHEETS = {"iscritti": "entries", "incontri": "fixtures", "classifica": "standings"}
PRINTS = ("iscritti", "turno", "incrociata", "classifica")
WINDOW = 75  # seconds from when the organiser brings the start nearer: the check-in is open for all of them
A_MINUTE = 90_000  # ms: what comes by the clock on the wall
WINNER = re.compile("Ha vinto|Al primo posto")  # the house is out of competition, also where it leads (E8)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Product, dict[str, str]]]:
    """The product on a PostgreSQL of its own, and the environment of its programs."""
    server = PostgresServer(Path(tempfile.mkdtemp(dir=os.environ[MARK])))  # where another user passes through
    process = server.start()
    env = {"DATABASE_URL": server.url}
    try:
        with running(tmp_path_factory.mktemp("evening") / "data", env=env) as product:
            yield product, environment(product.data_dir, product.port, env)
    finally:
        processes.stop(process, patience=10)


@pytest.fixture
def pages(browser: Browser, evening: tuple[Product, dict[str, str]]) -> Iterator[Callable[[str], Page]]:
    """The page of whoever is named, signed up; of a visitor if nobody is. No browser may complain."""
    contexts, heard = [], []

    def page_of(name: str = "") -> Page:
        device = DEVICES.get(name, {})
        context = browser.new_context(base_url=evening[0].url, locale="it-IT", reduced_motion="reduce", **device)
        contexts.append(context)
        page = context.new_page()
        heard.append(collect_complaints(page))
        if name:
            sign_up(page, name)
        return page

    yield page_of
    for context in contexts:
        context.close()
    assert [complaint for listed in heard for complaint in listed] == []


def made(page: Page, name: str, places: int, *, start: timedelta | None = None) -> str:
    """A girone of one deal of Scopa where the house may play, with a check-in if it has a start; its address."""
    page.goto("/tornei/nuovo/")
    page.locator("[name=name]").fill(name)
    page.locator("[name=format][value=girone]").check()
    page.locator("[name=length_kind]").select_option("deals")
    page.locator("[name=length_value]").fill("1")
    page.locator("[name=pause]").select_option("5")
    page.locator("[name=max_entries]").fill(str(places))
    page.locator("[name=house_allowed]").check()
    if start is not None:
        begins_in(page, start)
        page.locator("[name=checkin_minutes]").select_option("15")
    page.get_by_role("button", name="Crea e apri le iscrizioni").click()
    page.wait_for_url(re.compile(r"/tornei/(?!nuovo/)[^/]+/$"))
    return page.url


def begins_in(page: Page, time: timedelta) -> None:
    """Fill in the start, by the organiser's clock."""
    page.locator("[name=start][value=at]").check()
    begins = datetime.now(ZoneInfo("Europe/Rome")) + time
    page.locator("[name=starts_at]").fill(begins.strftime("%Y-%m-%dT%H:%M:%S"))


def enter(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Iscriviti al torneo").tap()
    expect(page.locator("main")).to_contain_text("Sei iscritto")


def sit_down(page: Page) -> None:
    """Sit down by the banner that shows on any page when the table is open (W1)."""
    page.locator("#table-banner").get_by_role("link", name="Siediti al tavolo").tap(timeout=A_MINUTE)
    page.wait_for_url("**/tavoli/**")


def play_a_card(page: Page) -> None:
    """Play a card by two taps: the card, and where it goes."""
    expect(page.locator("#table[data-turn=mine]")).to_be_visible()
    cards = page.locator("#hand .card").count()
    page.locator("#hand [data-playable]").first.tap()
    page.locator("#ghosts .ghost").first.tap()
    expect(page.locator("#hand .card")).not_to_have_count(cards)


def leave(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="Ritirati dal torneo").tap()
    page.get_by_role("button", name="Sì, mi ritiro").tap()
    expect(page.locator(".message-success")).to_contain_text("Ti sei ritirato")


def correct(referee: Page, address: str, name: str) -> None:
    """Write another result for the first fixture of ``name`` that was played, with a reason: 7-4 for the house."""
    referee.goto(f"{address}arbitro/")
    played = referee.locator("li", has_text=name).filter(has_text="conclusa").filter(has_not_text="Ugo")
    round_ = referee.locator("details.round").filter(has=played).first
    round_.locator("summary").click()
    round_.locator("li", has_text=name).get_by_role("link", name=re.compile("^Decidi")).click()
    first = (referee.locator("h1").text_content() or "").startswith(name)
    points = {"points_0": "4", "points_1": "7"} if first else {"points_0": "7", "points_1": "4"}
    decide_at_desk(referee, "risultato", sure=True, winner="1" if first else "0", **points)


def taken_home(page: Page, address: str, name: str, lines: set[str]) -> None:
    """Return the files that a visitor prints and opens in other programs, with the libraries that read them (W2)."""
    page.emulate_media(media="print")
    for what in PRINTS:
        answer = page.goto(f"{address}stampa/{what}/")
        assert answer is not None
        assert answer.status == 200, what
        expect(page.locator("main")).to_contain_text("Ines")
        expect(page.locator(".site-header")).to_have_count(0)
        assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF"), what
    page.emulate_media(media="screen")
    for what, key in SHEETS.items():
        files = {kind: page.request.get(f"{address}esporta/{what}.{kind}") for kind in ("csv", "xlsx", "json")}
        text = files["csv"].body().decode("utf-8-sig")
        sheet = list(csv.reader(io.StringIO(text, newline="")))
        rows = load_workbook(io.BytesIO(files["xlsx"].body())).worksheets[0].iter_rows(values_only=True)
        book = [["" if cell is None else str(cell) for cell in row] for row in rows]
        assert [[cell.removeprefix("'") for cell in row] for row in sheet] == book, what
        record = files["json"].json()
        assert (record["tournament"]["name"], len(record[key])) == (name, len(sheet) - 1), what
        assert {cell for row in sheet for cell in row} >= lines, what
    calendar = Calendar.from_ical(page.request.get(f"{address}calendario.ics").body())
    (event,) = calendar.walk("VEVENT")
    assert (str(event["SUMMARY"]), str(event["URL"]).endswith(address.partition("//")[2].partition("/")[2])) == (
        name,
        True,
    )


def recomputed(env: dict[str, str]) -> None:
    """Standings are what the results alone give (F3)."""
    command = [sys.executable, "manage.py", "recompute", "--check"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def the_end(visitor: Page, address: str, name: str, env: dict[str, str]) -> None:
    """Check the end of the evening: pages, paper and files."""
    visitor.goto(address)
    expect(visitor.locator("#rulings")).to_contain_text("vince")
    expect(visitor.locator("#rulings")).to_contain_text(DECK_FELL)
    expect(visitor.locator("main")).to_contain_text("ritirato")
    assert read_standings_row(visitor, "Ugo")[2] == "0", "all of Ugo's counts for nobody (R5)"
    expect(visitor.locator("#adesso")).to_contain_text(WINNER)
    taken_home(visitor, address, name, {"Ugo", "Ines"})
    recomputed(env)


@pytest.mark.rule("R5", "F2", "F3", "W2")
def test_a_short_evening(pages: Callable[..., Page], evening: tuple[Product, dict[str, str]]) -> None:
    """The tournament starts as soon as it is full; a player whose match is too long gives it up."""
    rita, ugo, ines = (pages(name) for name in ("Rita", "Ugo", "Ines"))
    address = made(rita, "La serata breve", 3)
    for page in (ugo, ines):
        enter(page, address)
    rita.reload()
    rita.get_by_role("button", name="Riempi con la casa").click()
    leave(ugo, address)  # before half of the fixtures (R5)
    ines.goto("/regole/")
    sit_down(ines)
    for _ in range(2):
        play_a_card(ines)
    give_up(ines)
    expect(ines.locator("#result")).to_be_visible()
    correct(rita, address, "Ines")
    the_end(pages(), address, "La serata breve", evening[1])


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_a_whole_evening(pages: Callable[..., Page], evening: tuple[Product, dict[str, str]]) -> None:
    rita, ugo, ines, leo = (pages(name) for name in DEVICES)
    address = made(rita, "La serata", 5, start=timedelta(minutes=40))
    for page in (ugo, ines, leo):
        enter(page, address)
    rita.reload()
    rita.get_by_role("button", name="Riempi con la casa").click()

    # Everybody is here already: it begins earlier, and the check-in opens at once.
    ines.goto("/regole/")
    leo.goto("/profilo/")
    rita.goto(f"{address}modifica/")
    begins_in(rita, timedelta(seconds=WINDOW))
    rita.get_by_role("button", name="Salva").click()
    ugo.get_by_role("button", name="Ci sono").tap()
    expect(ugo.locator("main")).to_contain_text("Check-in fatto.")
    ines.locator("#table-banner").get_by_role("link", name="Conferma che ci sei").tap()
    expect(ines.locator("#adesso [data-countdown]")).to_have_text(re.compile(r"^0?0:[0-3]\d$"), timeout=A_MINUTE)
    ines.get_by_role("button", name="Ci sono").tap()  # late, but there
    expect(ines.locator("main")).to_contain_text("Check-in fatto.")
    ines.goto("/regole/")
    expect(leo.locator("#table-banner")).to_contain_text("Il check-in si è chiuso senza di te", timeout=A_MINUTE)

    # Ugo plays a match, and goes: less than half, so all of it counts for nobody (R5).
    def ugo_has_played() -> bool:
        plays_on(ugo, None)
        plays_on(ines, address)
        return ugo.locator("#result").is_visible()

    until(ugo_has_played, seconds=300, what="Ugo's first match")
    leave(ugo, address)

    rita.goto(address)  # and stays there: it goes along by itself
    won = rita.locator("#adesso").get_by_text(WINNER)

    def is_over() -> bool:
        plays_on(ines, address)
        return won.is_visible()

    until(is_over, seconds=500, what="the end of the evening")
    correct(rita, address, "Ines")
    the_end(pages(), address, "La serata", evening[1])


def plays_on(page: Page, back: str | None) -> None:
    """The next thing there is to do for who plays on this page, if any; from a result ``back`` to the tournament."""
    if "/tavoli/" not in page.url:
        banner = page.locator("#table-banner").get_by_role("link", name="Siediti al tavolo")
        if banner.is_visible():
            banner.tap()
            page.wait_for_url("**/tavoli/**")
    elif page.locator("#result").is_visible():
        if back is not None:
            page.goto(back)
    elif page.locator("#table[data-turn=mine]").count() and page.locator("#hand [data-playable]").count():
        play_a_card(page)
