"""Telephones of people at real tables (O4): the slips they were given, and what they type there."""

from collections.abc import Sequence
from typing import NamedTuple

from playwright.sync_api import Page, expect


class PrintedCode(NamedTuple):
    """The slip of a side as it lies on the table: where it plays, who it is, its code, and where that is typed."""

    place: str
    own: str
    code: str
    address: str


def read_slips(page: Page) -> list[PrintedCode]:
    """Read all slips from the page that was printed."""
    expect(page.locator(".slip-code").first).to_be_attached()
    page.wait_for_load_state()
    paths = ("p:first-child strong", ".slip-own", ".slip-code", ".note")
    parts = [page.locator(".slip").locator(path).all_inner_texts() for path in paths]
    return [PrintedCode(*texts) for texts in zip(*parts, strict=True)]


class Telephone:
    """A telephone, which knows nothing but the slip its owner holds."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, slip: PrintedCode, *, scans: bool) -> None:
        """Show the slip's fixture: by its QR code, or by the wall's and the letters of the slip."""
        if scans:
            self.page.goto(f"{slip.address}#{slip.code.replace(' ', '')}")
        else:
            self.page.goto(slip.address)
            self.page.locator("[name=code]").fill(slip.code.lower())
            self.page.get_by_role("button", name="Avanti").tap()
        expect(self.page.locator("main")).to_contain_text(f"Scrivi per {slip.own}")

    def type(self, points: dict[str, int]) -> None:
        """Type the points of both sides, by their names."""
        for name, own in points.items():
            self.page.get_by_label(f"Punti di {name}").fill(str(own))
        self.page.get_by_role("button", name="Manda").tap()

    def confirm(self, points: Sequence[int]) -> None:
        """Confirm what the other side typed, once it is what was played."""
        other = self.page.locator("[data-note=other_typed]")
        expect(other).to_contain_text("–".join(map(str, points)))
        other.get_by_role("button", name="È giusto: confermiamo").tap()

    def expect_note(self, note: str) -> None:
        expect(self.page.locator(f"[data-note={note}]")).to_be_visible()
