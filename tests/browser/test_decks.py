"""The deck is chosen at the table: the cards are others at once, under the same hand, and at the next visit."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.interception import intercept
from tests.browser.rigged import Sit, deck, play
from tests.support.browser import collect_complaints

HANDS = {0: "Ad 2d 3d Rd Cd 4b 5b 6b 7b Fb", 1: "Ac 2c 3c Rc Cc 4d 5d 6d 7d Fd"}


def drawn(page: Page, card: str) -> Locator:
    return page.locator(f"#hand [data-card='{card}'] use")


def of(deck: str, card: str) -> re.Pattern[str]:
    """The address of that card's drawing, with a hash in the name or without."""
    return re.compile(rf"/cards/{deck}[^/]*\.svg#{card}$")


def options(page: Page) -> Locator:
    page.locator("#options-open").click()
    return page.get_by_role("dialog", name="Menu")


@pytest.mark.rule("G1")
def test_a_deck_chosen_at_the_table_is_seen_at_once_and_at_the_next_visit_by_them_alone(sit: Sit) -> None:
    pages = sit(
        names=("Anna", "Bruno"),
        phones=("Anna",),
        ruleset="tresette",
        length=("deals", 1),
        dealer=1,
        decks=[deck(HANDS, dealer=1)],
    )
    anna, bruno = pages.values()
    heard = [collect_complaints(page) for page in pages.values()]
    expect(drawn(anna, "Cd")).to_have_attribute("href", of("napoletane", "Cd"))
    loaded = anna.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")
    assert [name.partition("/cards/")[2][:4] for name in loaded if "/cards/" in name] == ["napo"]  # only what is seen
    play(anna, "Ad")
    expect(bruno.locator("#lying .card")).to_have_count(1)

    dialog = options(anna)
    expect(dialog.locator("use").last).to_have_attribute("href", of("francesi", "Rd"))
    with anna.expect_response("**/aspetto/") as kept:
        dialog.get_by_label("Francesi").check()
    assert kept.value.status == 204
    expect(drawn(anna, "Cd")).to_have_attribute("href", of("francesi", "Cd"))
    with anna.expect_response("**/aspetto/"):
        dialog.get_by_label("Valore e seme negli angoli").uncheck()
    expect(drawn(anna, "Cd")).to_have_attribute("href", of("francesi", "f-Cd"))
    with anna.expect_response("**/aspetto/"):
        dialog.get_by_label("Scuro").check()
    assert anna.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    assert anna.evaluate("document.documentElement.scrollWidth <= innerWidth")
    dialog.get_by_role("button", name="Chiudi").click()
    expect(anna.locator("#lying .card")).to_have_accessible_name("Asso di quadri")
    expect(anna.locator("#hand [data-card='Cd']")).to_have_accessible_name(re.compile("Donna di quadri"))
    expect(bruno.locator("#lying .card")).to_have_accessible_name("Asso di denari")

    anna.reload()
    expect(drawn(anna, "Cd")).to_have_attribute("href", of("francesi", "f-Cd"))
    expect(anna.locator("#lying .card")).to_have_accessible_name("Asso di quadri")
    expect(anna.locator("html")).to_have_attribute("data-theme", "dark")
    expect(options(anna).get_by_label("Francesi")).to_be_checked()
    bruno.reload()
    expect(drawn(bruno, "Cc")).to_have_attribute("href", of("napoletane", "Cc"))
    assert heard == [[], []]

    anna.goto("/mazzi/")
    expect(anna.locator("#francesi .tag")).to_have_text("il tuo mazzo")
    assert anna.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_choice_that_is_not_kept_says_so_and_can_be_sent_again(sit: Sit) -> None:
    page = sit(
        names=("Anna", "Bruno"), ruleset="tresette", length=("deals", 1), dealer=1, decks=[deck(HANDS, dealer=1)]
    )["Anna"]
    dialog = options(page)
    expect(dialog.get_by_role("alert")).to_be_hidden()
    intercept(page, "**/aspetto/", lambda route: route.abort())
    dialog.get_by_label("Piacentine").check()
    expect(dialog.get_by_role("alert")).to_contain_text("Scelta non salvata")
    expect(drawn(page, "Cd")).to_have_attribute("href", of("piacentine", "Cd"))
    page.unroute("**/aspetto/")
    dialog.get_by_role("button", name="Salva").click()
    expect(dialog.get_by_role("alert")).to_be_hidden()
    page.reload()
    expect(drawn(page, "Cd")).to_have_attribute("href", of("piacentine", "Cd"))


@pytest.mark.rule("G1")
def test_the_preferences_show_a_table_as_chosen_before_anything_is_saved(
    open_as_organiser: Callable[..., Page],
) -> None:
    page = open_as_organiser("/profilo/preferenze/")
    shown = page.locator(".table-sample-cards:visible")
    expect(shown).to_have_count(1)
    expect(shown.locator("use").last).to_have_attribute("href", of("napoletane", "Rd"))
    for choice in page.locator("[name=deck]").all():
        choice.check()
        expect(shown).to_have_count(1)
        expect(shown.locator("use").last).to_have_attribute("href", of(choice.get_attribute("value") or "", "Rd"))
    page.get_by_label("Francesi").check()
    page.get_by_label("Valore e seme negli angoli").uncheck()
    expect(shown).to_have_count(1)
    expect(shown.locator("use").last).to_have_attribute("href", of("francesi", "f-Rd"))
    page.get_by_label("Scuro").check()
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    page.reload()
    expect(shown.locator("use").last).to_have_attribute("href", of("napoletane", "Rd"))
    expect(page.locator("html")).to_have_attribute("data-theme", "auto")
