"""Gestures at a table, and where its cards lie afterwards."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.pointers import Point, Pointer, middle


def hand(page: Page, card: str) -> Locator:
    return page.locator(f"#hand [data-card='{card}']")


def lying(page: Page, card: str) -> Locator:
    return page.locator(f"#lying [data-card='{card}']")


def beside(page: Page) -> Locator:
    """A place of the table that is no card and no button: a click there puts a raised card back."""
    return page.locator(".seat[data-place=top] .plate")


def expect_would_take(page: Page, *cards: str) -> None:
    """Expect that just these table cards are marked for a release to take; none: several captures are possible."""
    for card in cards:
        expect(lying(page, card)).to_have_attribute("data-would", "")
    expect(page.locator("#lying [data-would]")).to_have_count(len(cards))


def expect_refusal(page: Page, why: str, *, fades: bool = False) -> None:
    """Expect the alert, and put it away. ``fades``: wait until it goes away by itself (G10)."""
    toast = page.locator("#toast")
    expect(toast).to_be_visible()
    expect(toast).to_contain_text(why)
    if not fades:
        toast.evaluate("toast => { toast.hidden = true; }")
    expect(toast).to_be_hidden()


def expect_at_rest(page: Page, raised: str | None = None) -> None:
    """Expect no card in the air or picked; a raised card is announced."""
    expect(page.locator(".carried, [data-carried], #lying [data-picked], [data-foreseen]")).to_have_count(0)
    expect(page.locator("#hand [data-raised]")).to_have_count(0 if raised is None else 1)
    if raised is not None:
        expect(hand(page, raised)).to_have_attribute("data-raised", "")


def carry_card(pointer: Pointer, page: Page, card: str, over: Locator | Point) -> None:
    """Carry a card of the hand so far, and hold it there."""
    pointer.press(middle(hand(page, card)))
    x, y = middle(hand(page, card))
    pointer.carry((x, y - 40))  # the ghosts are there now
    expect(page.locator(".carried")).to_have_count(1)
    pointer.carry(over if isinstance(over, tuple) else middle(over))
