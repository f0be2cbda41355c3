"""All that prints (O8), as the browser makes a PDF of it: how many pages, each name whole, codes on slips alone."""

import os
import re
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from tests.support.real_tables import draw_present, list_round, open_real, publish_next, type_names
from tests.support.standings import write_result
from tests.support.tournaments import KO, PAIRS, Opened
from tournaments.fees.actions import set_fees
from tournaments.fees.shares import Prize
from tournaments.models import EntryMember, Tournament
from tournaments.running.results import advance

FIRST = ("Ada", "Bice", "Ciro", "Dora", "Elio", "Fede", "Gino", "Ines", "Lino", "Mara", "Nora", "Otto")
LAST = ("Bassi", "Conti", "Donati", "Ferri")
LONG = ("Maria Immacolata Dell'Acqua Pallavicini Santarcangelo-Rossi", "Giovambattista Castelnuovo di Montefalcone Jr")
CODE = re.compile(r"\b[A-HJ-NP-Z2-9]{4} [A-HJ-NP-Z2-9]{4}\b")
LOOK = os.environ.get("PRINTS")  # a folder, for whoever wants to look at the PDFs


class Paper(NamedTuple):
    """A PDF that was read: the text of each page without its spaces, and whether each page lies on its side."""

    pages: tuple[str, ...]
    wide: tuple[bool, ...]

    def find_page(self, text: str) -> int:
        """Return the number of the page that shows a text whole."""
        return next(number for number, page in enumerate(self.pages, start=1) if squeeze(text) in page)


def squeeze(text: str) -> str:
    """Leave the spaces out: where a name is broken is the paper's business."""
    return "".join(text.split()).replace("\xad", "")


def print_page(page: Page, name: str) -> Paper:
    """Print what the page shows. Nothing of it may lie outside the sheet."""
    data = page.pdf(prefer_css_page_size=True)
    if LOOK:
        page.pdf(prefer_css_page_size=True, path=f"{LOOK}/{name}.pdf")
    with pypdfium2.PdfDocument(data) as document:
        sheets = list(document)
        texts = [sheet.get_textpage() for sheet in sheets]
        for sheet, text in zip(sheets, texts, strict=True):
            width, height = sheet.get_size()
            for at in range(text.count_chars()):
                left, bottom, right, top = text.get_charbox(at)
                assert left >= 0 <= bottom, (name, text.get_text_range(at, 20))
                assert (right <= width, top <= height) == (True, True), (name, text.get_text_range(at, 20))
        read = tuple(squeeze(text.get_text_range()) for text in texts)
        return Paper(read, tuple(sheet.get_width() > sheet.get_height() for sheet in sheets))


def list_people(tournament: Tournament) -> list[str]:
    return [member.person.public_name for member in EntryMember.objects.filter(tournament=tournament)]


def play_round(tournament: Tournament, number: int, now: datetime) -> None:
    for fixture in list_round(tournament, number):
        write_result(fixture, (15, 5), (10, -10), now)
    advance(tournament_id=tournament.pk, now=now)


@pytest.fixture
def evening(opened: Opened, now: datetime) -> Tournament:
    """A danese of 24 pairs, of which two rounds are played and the third is drawn; two have the longest of names."""
    tournament = open_real(
        opened, PAIRS, format="danese", format_options={"rounds": 3}, seeding="organiser", max_entries=24
    )
    people = [*LONG, *(f"{first} {last}" for last in LAST for first in FIRST)][:48]
    type_names(tournament, list(zip(people[::2], people[1::2], strict=True)), now)
    prizes = [Prize(cents, what) for cents, what in ((12000, ""), (8000, "un prosciutto"), (0, "due salami"))]
    set_fees(tournament_id=tournament.pk, by=tournament.organiser, fee_cents=1000, prizes=prizes, now=now)
    draw_present(tournament, now)
    for number in (1, 2):
        play_round(tournament, number, now)
        publish_next(tournament, now)
    return tournament


@pytest.mark.rule("O4", "O8", "O10")
def test_every_sheet_of_an_evening_is_whole_and_no_code_stands_on_any_but_the_slips(
    evening: Tournament, open_as_organiser: Callable[..., Page]
) -> None:
    address = f"/tornei/{evening.public_id}/"
    page = open_as_organiser(f"{address}stampa/segnapunti/")
    page.get_by_role("button", name="Fai i segnapunti").click()
    expect(page.locator(".slip-code")).to_have_count(24)
    owners, codes = (page.locator(path).all_inner_texts() for path in (".slip-own", ".slip-code"))
    assert all(map(CODE.fullmatch, codes))
    assert len(set(codes)) == 24
    slips = print_page(page, "segnapunti")
    assert len(slips.pages) <= 3
    for owner, code in zip(owners, codes, strict=True):
        assert slips.find_page(code) == slips.find_page(owner), "a slip is on one sheet"

    for what, most, wide in (
        ("iscritti", 1, False),
        ("posti", 2, False),
        ("turno", 1, False),
        ("incrociata", 1, True),
        ("classifica", 2, False),
        ("premi", 1, False),
    ):
        page.goto(f"{address}stampa/{what}/")
        paper = print_page(page, what)
        assert len(paper.pages) <= most, what
        assert set(paper.wide) == {wide}, what
        whole = "".join(paper.pages)
        names = list_people(evening) if what != "premi" else []
        assert [name for name in names if squeeze(name) not in whole] == [], what
        assert [code for code in codes if squeeze(code) in whole] == [], what
    page.goto(f"{address}stampa/turno/")
    tables = page.locator(".pairings tbody .number").all_inner_texts()
    assert tables == [str(number) for number in range(1, 13)], "by table, not by standing"


@pytest.mark.rule("O8")
def test_a_bracket_of_thirty_two_is_whole_on_paper(
    opened: Opened, open_as_organiser: Callable[..., Page], now: datetime
) -> None:
    tournament = open_real(opened, KO, seeding="organiser", max_entries=32)
    people = [*LONG, *(f"{first} {last}" for last in LAST for first in FIRST)][:32]
    type_names(tournament, people, now)
    draw_present(tournament, now)
    play_round(tournament, 1, now)
    page = open_as_organiser(f"/tornei/{tournament.public_id}/stampa/tabellone/")
    paper = print_page(page, "tabellone")
    assert len(paper.pages) <= 3
    assert set(paper.wide) == {True}
    assert [name for name in people if squeeze(name) not in "".join(paper.pages)] == []
