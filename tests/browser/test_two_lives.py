"""A double knockout at real tables (EV4) in a browser, from an organiser's empty page to the ham for the winner, beside
what is reckoned here from the defeats alone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import open_entries

NAMES = ("Ada Bassi", "Bice Conti", "Ciro Donati")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first.click()


class Hall:
    """The organiser's page; ``lost`` counts each player's defeats, ``out`` has those who are out, the first first."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lost = dict.fromkeys(NAMES, 0)
        self.out: list[str] = []

    def publish_waiting(self) -> None:
        while self.page.get_by_role("button", name="Pubblica il turno").count():
            press(self.page, "Pubblica il turno")
            expect(self.page.locator(".message-success")).to_contain_text("pubblicato")

    def type_results(self, number: int) -> None:
        """Enter the points of each open table: who stands second wins at every other one."""
        self.page.locator("a", has_text="Inserisci i risultati").first.click()
        expect(self.page.locator("h1")).to_have_text("Inserisci i risultati")
        rows = self.page.locator(".quick-row[data-state=open]")
        sides = [row.locator("label:not(.visually-hidden)").all_inner_texts() for row in rows.all()]
        for one, other in sides:
            points = ("3", "11") if number % 2 else ("11", "3")
            for typed in points:
                self.page.keyboard.type(typed)
                self.page.keyboard.press("Enter")
            loser = one if number % 2 else other
            self.lost[loser] += 1
            if self.lost[loser] == 2:
                self.out.append(loser)
        expect(self.page.locator(".quick-result")).to_have_count(len(sides))


@pytest.mark.soak
@pytest.mark.rule("EV4", "O1")
def test_two_lives_from_an_empty_page_to_the_prizes(open_as_organiser: Callable[..., Page]) -> None:
    page = open_as_organiser("/organizza/", viewport={"width": 1280, "height": 900})
    hall = Hall(page)
    press(page, "Crea un torneo")
    press(page, "Torneo in piazza, due vite")
    expect(page.locator("[name=name]")).to_have_value("Torneo in piazza, due vite")
    address = open_entries(page)
    press(page, "Incolla o importa un elenco")
    page.locator("[name=text]").fill("\n".join(NAMES))
    press(page, "Guarda che cosa c'è")
    press(page, "Iscrivi tutti")
    press(page, "Sono tutti presenti")
    press(page, "Al sorteggio")
    press(page, "Sorteggia il turno")
    for number in range(9):
        hall.publish_waiting()
        hall.type_results(number)
        if len(hall.out) == len(NAMES) - 1:
            break
        page.goto(f"{address}turni/")
    page.goto(address)
    (winner,) = set(NAMES) - set(hall.out)
    expect(page.locator("#adesso")).to_contain_text(winner)
    rows = page.locator(".end-table tbody tr")
    for place, name in enumerate((winner, *reversed(hall.out)), start=1):
        expect(rows.nth(place - 1)).to_contain_text(name)
        expect(rows.nth(place - 1).locator("td").first).to_have_text(str(place))
    page.goto(f"{address}quote/")
    page.locator("[name=prizes]").fill("un prosciutto")
    press(page, "Salva")
    expect(page.locator("main tr", has_text="prosciutto").first).to_contain_text(winner)
