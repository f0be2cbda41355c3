"""A KO of 64 at real tables by hand: from an organiser's empty page to the published draw, in less than 3 minutes."""

from collections.abc import Callable
from time import perf_counter

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import Hands

FIRST = ("Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino", "Ines")
LAST = ("Bassi", "Conti", "Donati", "Ferri", "Galli", "Leone", "Marini", "Neri")
NAMES = "\n".join(f"{first} {last}" for last in LAST for first in FIRST)
MINUTES = 3


@pytest.mark.soak
@pytest.mark.rule("O1", "O2")
def test_a_ko_of_sixty_four_takes_less_than_three_minutes_by_hand(
    open_as_organiser: Callable[..., Page], tell: Callable[[str], None]
) -> None:
    page = open_as_organiser("/organizza/")
    hands, begun = Hands(page), perf_counter()

    def press(name: str) -> None:
        hands.click(page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first)

    press("Crea un torneo")
    press("Torneo in piazza")
    hands.choose(page.locator("[name=format]"), "ko")
    hands.write(page.locator("[name=name]"), "KO in piazza")
    press("Crea e vai all'appello")
    press("Incolla o importa un elenco")
    hands.paste(page.locator("[name=text]"), NAMES)
    press("Guarda che cosa c'è")
    press("Iscrivi tutti")
    press("Sono tutti presenti")
    press("Al sorteggio")
    press("Sorteggia il turno")
    press("Pubblica il turno")
    expect(page.locator(".message-success")).to_contain_text("pubblicato")
    seconds = perf_counter() - begun
    press("KO in piazza")
    expect(page.locator("#round-1 .fixture, .bracket-round:first-child .fixture")).to_have_count(32)
    assert hands.seconds < 60 * MINUTES
    tell(f"A KO of 64, names pasted: {hands.describe()} (the browser alone {seconds:.0f} s)")
    for number, step in enumerate(hands.steps[:-1], start=1):
        tell(f"  {number}. {step}")
