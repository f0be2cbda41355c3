"""Evenings of a tournament in a browser: who comes with which device, what they do, and what is taken home."""

import csv
import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Calendar
from openpyxl import load_workbook
from playwright.sync_api import Browser, Page, expect

from tests.support.browser import (
    DECK_FELL,
    choose_girone_of_one_deal,
    choose_shortest_pause,
    collect_complaints,
    decide_at_desk,
    open_entries,
    read_standings_row,
    sign_up,
    unfold,
)
from tests.support.product import ROOT

DESK = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DEVICES = {"Rita": DESK, "Ugo": PHONE, "Ines": PHONE, "Leo": PHONE}
SHEETS = {"iscritti": "entries", "incontri": "fixtures", "classifica": "standings"}
PRINTS = ("iscritti", "turno", "incrociata", "classifica")
A_MINUTE = 180_000  # ms: what comes by the clock on the wall
WINNER = re.compile("Ha vinto|Al primo posto")  # the house is out of competition, also where it leads (E8)


@contextmanager
def open_pages(browser: Browser, url: str) -> Iterator[Callable[..., Page]]:
    """Give a function that opens the page of a named player, signed up, or of a visitor, each in a browser of their
    own. No browser may complain."""
    contexts, heard = [], []

    def page_of(name: str = "", device: dict[str, Any] | None = None) -> Page:
        chosen = DEVICES.get(name, {}) if device is None else device
        context = browser.new_context(base_url=url, locale="it-IT", reduced_motion="reduce", **chosen)
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
    choose_girone_of_one_deal(page)
    unfold(page, "posti")
    page.locator("[name=max_entries]").fill(str(places))
    choose_shortest_pause(page)
    unfold(page, "chi")
    page.locator("[name=house_allowed]").check()
    if start is not None:
        begins_in(page, start)
        page.locator("[name=checkin_minutes]").select_option("15")
    return open_entries(page)


def begins_in(page: Page, time: timedelta) -> None:
    """Fill in the start, by the organiser's clock."""
    page.locator("[name=start]").select_option("at")
    begins = datetime.now(ZoneInfo("Europe/Rome")) + time
    page.locator("[name=starts_at]").fill(begins.strftime("%Y-%m-%dT%H:%M:%S"))


def enter(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Iscriviti al torneo").tap()
    expect(page.locator("main")).to_contain_text("Sei dentro")


def sit_down(page: Page) -> None:
    """Sit down by the banner that shows on any page when the table is open (W1)."""
    page.locator("#table-banner").get_by_role("link", name="Siediti").tap(timeout=A_MINUTE)
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
    decide_at_desk(referee, "risultato", winner="1" if first else "0", **points)


def taken_home(page: Page, address: str, name: str, lines: set[str], prints: Sequence[str]) -> None:
    """Check what a visitor prints and opens in other programs, with the libraries that read it (W2)."""
    page.emulate_media(media="print")
    for what in prints:
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


def the_end(
    visitor: Page, address: str, name: str, recompute: Callable[[], object], prints: Sequence[str] = PRINTS
) -> None:
    """Check the end of the evening: pages, paper and files. ``recompute``: counts all anew and finds nothing else."""
    visitor.goto(address)
    expect(visitor.locator("#rulings")).to_contain_text("vince")
    expect(visitor.locator("#rulings")).to_contain_text(DECK_FELL)
    expect(visitor.locator("main")).to_contain_text("ritirato")
    assert read_standings_row(visitor, "Ugo")[2] == "0", "all of Ugo's counts for nobody (R5)"
    expect(visitor.locator("#adesso")).to_contain_text(WINNER)
    taken_home(visitor, address, name, {"Ugo", "Ines"}, prints)
    recompute()
