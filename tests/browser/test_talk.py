"""The chat in a browser: ready-made phrases in the reader's language, muting, the referee, and those who watch."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import THEMES, faults
from tests.browser.rigged import DESK, PASSWORD, Sit


def open_chat(page: Page) -> None:
    page.locator("#tab-chat").click()
    expect(page.locator("#chat")).to_be_visible()


def test_phrases_muting_and_the_referee(sit: Sit, browser: Browser) -> None:
    pages = sit(names=("Anna", "Bruno"), ruleset="scopa", length=["deals", 1], cards=3)
    anna, bruno = pages["Anna"], pages["Bruno"]
    anna.context.add_cookies([{"name": "django_language", "value": "en", "url": anna.url}])
    anna.reload()
    open_chat(bruno)
    bruno.locator("#chat-text").fill("mentre scrivo")
    bruno.get_by_role("button", name="Ben giocata!").click()
    expect(bruno.locator("#chat-lines .chat-said")).to_have_text(["Ben giocata!"])
    expect(bruno.locator("#chat-text")).to_have_value("mentre scrivo")
    expect(anna.locator("#chat-open")).to_have_attribute("data-unread", "")
    open_chat(anna)
    expect(anna.locator("#chat-lines .chat-said")).to_have_count(1)

    # Muted, Bruno is no longer heard, nor after the page is opened again; and is again if Anna wants.
    anna.locator("#chat-lines summary").first.click()
    anna.locator("#chat-lines details[open] button").first.click()
    expect(anna.locator("#chat-lines p")).to_be_hidden()
    bruno.locator("#chat-form button").click()
    expect(bruno.locator("#chat-lines .chat-said")).to_have_text(["Ben giocata!", "mentre scrivo"])
    expect(anna.locator("#chat-lines p")).to_have_count(2)
    expect(anna.locator("#chat-lines p").last).to_be_hidden()
    anna.reload()
    expect(anna.locator("#chat-lines p")).to_have_count(2)
    expect(anna.locator("#chat-open")).not_to_have_attribute("data-unread", "")
    open_chat(anna)
    expect(anna.locator("#chat-lines p").first).to_be_hidden()
    anna.locator("#chat-muted-names button").click()
    expect(anna.locator("#chat-lines p").last).to_be_visible()

    # The referee is asked from the line; nothing of it comes to the other.
    bruno.locator("#report-open").click()
    expect(bruno.locator("#report-about option")).to_have_text(["Anna", "il tavolo in generale"])
    bruno.locator("#report-reason").select_option("slow")
    bruno.locator("#report-text").fill("Aspetta apposta")
    bruno.locator("#report-send").click()
    expect(bruno.locator("#report-dialog")).to_be_hidden()
    expect(bruno.locator("#toast-text")).to_contain_text("Segnalazione mandata")
    for _ in range(2):
        bruno.locator("#report-open").click()
        bruno.locator("#report-send").click()
        expect(bruno.locator("#report-dialog")).to_be_hidden()
    bruno.locator("#report-open").click()
    bruno.locator("#report-text").fill("Ancora")
    bruno.locator("#report-send").click()
    expect(bruno.locator("#report-refused")).to_be_visible()
    expect(bruno.locator("#report-text")).to_have_value("Ancora")
    bruno.locator("#report-cancel").click()
    expect(anna.locator("body")).not_to_contain_text("Aspetta apposta")

    # A visitor watches: is counted, reads, has no cards and nothing to write with.
    context = browser.new_context(locale="it-IT", reduced_motion="reduce", **DESK)
    visitor = context.new_page()
    visitor.goto(anna.url)
    expect(bruno.locator("#watchers")).to_have_text("1 guarda")
    expect(visitor.locator("#watchers")).to_have_text("1 guarda")
    open_chat(visitor)
    expect(visitor.locator("#chat-lines .chat-said")).to_have_text(["Ben giocata!", "mentre scrivo"])
    for hidden in ("#chat-form", "#chat-phrases", "#report-open", "#chat-shut"):
        expect(visitor.locator(hidden)).to_be_hidden()
    expect(visitor.locator(".fan .card:not([data-card='back'])")).to_have_count(0)
    context.close()
    expect(bruno.locator("#watchers")).to_be_hidden()


@pytest.mark.parametrize("themes", [THEMES[:1], pytest.param(THEMES, marks=pytest.mark.soak)])
def test_a_member_who_watches_is_read_by_those_who_watch(sit: Sit, browser: Browser, themes: tuple[str, ...]) -> None:
    pages = sit(names=("Anna", "Bruno"), others=["Carla"], ruleset="scopa", length=["deals", 1], cards=3)
    anna = pages["Anna"]
    context = browser.new_context(locale="it-IT", reduced_motion="reduce", **DESK)
    carla = context.new_page()
    where = urlsplit(anna.url)
    carla.goto(f"{where.scheme}://{where.netloc}/account/login/?next={where.path}")
    carla.locator("[name=login]").fill("carla")
    carla.locator("[name=password]").fill(PASSWORD)
    carla.locator("main form.panel button[type=submit]").click()
    carla.wait_for_url("**/tavoli/**")
    expect(anna.locator("#watchers")).to_have_text("1 guarda")
    open_chat(carla)
    expect(carla.locator("#chat-watching")).to_be_visible()
    carla.locator("#chat-text").fill("Anna ha il settebello")
    carla.locator("#chat-form button").click()
    expect(carla.locator("#chat-lines p")).to_contain_text("Anna ha il settebello")
    expect(carla.locator("#chat-text")).to_have_value("")
    open_chat(anna)
    anna.get_by_role("button", name="Buona fortuna!").click()
    expect(carla.locator("#chat-lines .chat-said")).to_have_text(["Anna ha il settebello", "Buona fortuna!"])
    expect(anna.locator("#chat-lines .chat-said")).to_have_text(["Buona fortuna!"])
    carla.locator("#chat-lines summary").click()
    for page in (anna, carla):
        assert faults(page, themes) == []
    carla.locator("#chat-lines details[open] button").last.click()
    expect(carla.locator("#report-about")).to_have_value(re.compile(r"^line \d+$"))
    assert faults(carla, themes) == []
    carla.locator("#report-send").click()
    expect(carla.locator("#toast-text")).to_contain_text("Segnalazione mandata")
    context.close()
