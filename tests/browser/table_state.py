"""The state of a table as its page shows it."""

from playwright.sync_api import Page, expect


def read_turn(page: Page) -> str:
    return page.locator("#table").get_attribute("data-turn") or ""


def play_first_card(page: Page) -> str:
    """Play the first card that may be played, whether or not anybody hears of it; its name."""
    card = page.locator("#hand [data-playable]").first
    name = card.get_attribute("data-card") or ""
    card.click()
    page.locator("#ghosts .ghost").click()
    return name


def read_version(page: Page) -> int:
    return int(page.locator("#table").get_attribute("data-version") or "")


def read_chronicle(page: Page) -> list[str]:
    return page.locator("#log p").all_inner_texts()


def expect_lying(page: Page, *cards: str) -> None:
    """Expect these cards on the table, each once."""
    expect(page.locator("#lying .card")).to_have_count(len(cards))
    for card in cards:
        expect(page.locator(f"#lying [data-card='{card}']")).to_have_count(1)


def count_hand(page: Page) -> int:
    return page.locator("#hand .card").count()
