"""An evening in the village (O1-O8, D1-D4): pairs without accounts, one organiser, their telephones, a wall screen,
nothing but clicks and keys in real browsers. The last page says what reckoned_ranks.py makes of the points alone."""

import csv
import io
import re
from collections.abc import Callable, Container, Iterator
from random import Random
from time import perf_counter

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.evenings import PHONE, open_pages
from tests.browser.hands import Hands
from tests.browser.reckoned_ranks import TWO_DEALS, reckon_points, reckon_ranks
from tests.browser.telephones import PrintedCode, Telephone, read_slips
from tests.support.browser import decide_at_desk, open_entries, unfold

pytestmark = pytest.mark.usefixtures("live_site")

NAMES = ("Ada", "Bruno", "Cesira", "Dario", "Elsa", "Furio", "Gemma", "Ivo", "Lia", "Mino", "Nives", "Olmo")
SURNAMES = ("Bassi", "Conti", "Donati", "Ferri", "Galli")
LATE = "Zeno Ultimi – Zita Ultimi"


def test_what_is_reckoned_here_is_what_the_rules_say() -> None:
    assert reckon_points(11, 11) == ((0, 10), (0, 10))
    assert reckon_points(12, 10) == ((2, 11), (-2, 9))
    assert reckon_points(0, 22) == ((-22, 0), (22, 20))
    ranks = reckon_ranks([{("a", "b"): (12, 10), ("c", "d"): (12, 10)}], ["a", "b", "c", "d", "e"], {})
    assert ranks == {"a": [2, 11, 2], "c": [2, 11, 2], "b": [4, 9, -2], "d": [4, 9, -2], "e": [1, 14, 7]}


def read_number(cell: str) -> int:
    """Read a number as the site writes it: an ordinal, a signed one."""
    return int(re.sub(r"[^\d-]", "", cell.replace("−", "-")))


class Evening:
    """The organiser's page and what they do there; every result that was typed, round after round."""

    def __init__(self, page_of: Callable[..., Page], size: int, rounds: int) -> None:
        self.page, self.visitor, self.wall, self.size = page_of(f"Rosa {size}"), page_of(), page_of(), size
        self.wall.set_viewport_size({"width": 1920, "height": 1080})
        self.telephones = [Telephone(page_of(device=PHONE)) for _ in range(min(size, 8))]
        people = [f"{name} {surname}" for surname in SURNAMES for name in NAMES]
        self.pairs = [f"{one} – {other}" for one, other in zip(people[: 2 * size : 2], people[1::2], strict=False)]
        self.last, self.dice = rounds, Random(size)
        self.rounds: list[dict[tuple[str, str], tuple[int, int]]] = []
        self.address = ""
        self.told: list[str] = []

    def create(self) -> None:
        """Make the tournament from the preset for such evenings."""
        page = self.page
        page.goto("/organizza/")
        page.get_by_role("link", name="Crea un torneo").first.click()
        page.get_by_role("button", name="Torneo in piazza").first.click()
        for field, value in (("ruleset", "tresette"), ("seats_an_entry", "2")):
            with page.expect_response(lambda answer: answer.request.method == "POST"):
                page.locator(f"[name={field}]").select_option(value)
        page.locator("[name=name]").fill("Serata in piazza")
        unfold(page, "partita")
        page.locator("[name=length_kind]").select_option("deals")
        page.locator("[name=length_value]").fill("2")
        unfold(page, "dove")
        page.locator("[name=hall_tables]").fill(str(self.size // 2))
        unfold(page, "posti")
        page.locator("[name=rounds]").fill(str(self.last))
        expect(page.locator("[data-note=duration]")).to_be_visible()
        self.address = open_entries(page)
        self.wall.goto(f"{self.address}schermo/")  # and nobody touches it any more

    def open(self, link: str) -> None:
        """Go to a page of the organiser's as they do: by a link of the tournament's page."""
        self.page.goto(self.address)
        self.page.get_by_role("link", name=link).first.click()

    def enter_pairs(self) -> None:
        """Import all pairs but two from a file, and type those."""
        page, sheet = self.page, io.StringIO()
        rows = [[*one.split(), *other.split()] for one, other in (pair.split(" – ") for pair in self.pairs[:-2])]
        csv.writer(sheet).writerows([["Nome", "Cognome", "Nome 2", "Cognome 2"], *rows])
        self.open("Gestisci gli iscritti")
        page.get_by_role("link", name="Incolla o importa un elenco").click()
        file = FilePayload(name="coppie.csv", mimeType="text/csv", buffer=sheet.getvalue().encode())
        page.locator("[name=file]").set_input_files(file)
        page.get_by_role("button", name="Guarda che cosa c'è").click()
        expect(page.locator("#ready-title")).to_contain_text(str(len(rows)))
        page.get_by_role("button", name="Iscrivi tutti").click()
        for pair in self.pairs[-2:]:  # the cursor stands where the name goes
            expect(page.locator("[name=player]")).to_be_focused()
            one, other = pair.split(" – ")
            page.keyboard.type(one)
            page.keyboard.press("Tab")
            page.keyboard.type(other)
            page.keyboard.press("Enter")
            expect(page.locator("[aria-labelledby=placed-title] ol li", has_text=pair)).to_have_count(1)
        expect(page.locator("#placed-title .number")).to_contain_text(str(self.size))

    def call_the_roll(self) -> None:
        self.page.get_by_role("button", name="Sono tutti presenti").click()
        expect(self.page.locator("[aria-labelledby=placed-title] ol .tag-good")).to_have_count(self.size)
        self.page.get_by_role("link", name="Al sorteggio").click()

    def publish(self, *, draws: bool = True) -> None:
        """Draw the round, look at the draft, which nobody else sees, and publish it."""
        page, number = self.page, len(self.rounds) + 1
        if draws:
            page.get_by_role("button", name="Sorteggia il turno").click()
        draft = page.locator(f"[data-draft='{number}']")
        expect(draft.locator("[data-board]").first).to_be_visible()
        assert "/turni/" in page.url
        self.visitor.goto(self.address)
        fixtures = self.visitor.locator(f"#round-{number} .fixture")
        expect(self.visitor.locator("h1")).to_have_text("Serata in piazza")
        expect(fixtures).to_have_count(0)
        draft.get_by_role("button", name="Pubblica il turno").click()
        expect(page.locator(".message-success")).to_contain_text("pubblicato")
        expect(fixtures.nth(self.size // 2 - 1)).to_be_attached()  # who follows on the page need do nothing (W2)
        expect(self.wall.locator("#live")).to_have_attribute("data-round", str(number))
        expect(self.wall.locator("[data-sheet=tables-1]")).to_be_attached()

    def read_open_tables(self) -> list[tuple[str, str]]:
        """Read who plays at the tables without a result, in the order of quick entry."""
        expect(self.page.locator("h1")).to_have_text("Inserisci i risultati")  # a click doesn't wait for its page
        rows = self.page.locator(".quick-row[data-state=open]")
        sides = [row.locator("label:not(.visually-hidden)").all_inner_texts() for row in rows.all()]
        return [(one, other) for one, other in sides]

    def print_slips(self) -> dict[str, PrintedCode]:
        """Print the slips of the round, and return them by whose they are."""
        self.open("Inserisci i risultati")
        self.page.get_by_role("link", name="Segnapunti", exact=True).click()
        self.page.get_by_role("button", name="Fai i segnapunti").click()
        expect(self.page.locator(".slip")).to_have_count(self.size)
        expect(self.wall.locator(".wall-follow")).to_contain_text("Segna il risultato")
        slips = read_slips(self.page)
        assert {slip.address for slip in slips} == {f"{self.address}segna/"}
        return {slip.own: slip for slip in slips}

    def take_from_telephones(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Have the pairs of up to four tables enter their results themselves, each side on its telephone; return these.

        At the first table one side types and the other confirms, at the second they disagree, so the desk is called,
        which decides as for any other. At the third both type the same. A code is dead once the next round is there.
        """
        slips = self.print_slips()
        self.open("Inserisci i risultati")
        tables = self.read_open_tables()[:4]
        played = {sides: self.roll() for sides in tables}
        for at, (sides, points) in enumerate(played.items()):
            one, other = self.telephones[2 * at : 2 * at + 2]
            for telephone, side in ((one, sides[0]), (other, sides[1])):
                telephone.open(slips[side], scans=telephone is one)
            one.type(dict(zip(sides, points, strict=True)))
            one.expect_note("own_typed")
            if at in (0, 3):
                other.page.reload()
                other.confirm(points)
            else:
                seen = points if at == 2 else (points[0] - 1, points[1] + 1)
                other.type(dict(zip(sides, seen, strict=True)))
            other.expect_note("called" if at == 1 else "result")
        expect(self.page.locator(".quick-result")).to_have_count(len(tables) - 1)  # the desk need do nothing
        row = self.page.locator(".quick-row", has_text=tables[1][0])
        expect(row.locator("[data-note=slip_called]")).to_be_visible()
        del played[tables[1]]
        return played

    def try_dead_code(self) -> None:
        """See that the last round's code opens nothing in this one."""
        telephone = self.telephones[0]
        telephone.page.reload()
        telephone.expect_note("refused")
        expect(telephone.page.locator("[name=code]")).to_be_visible()

    def type_results(self, *, telephones: bool) -> None:
        """Type the points of all tables, in the order of the page, and nothing else; or those that telephones leave."""
        page = self.page
        by_telephone = self.take_from_telephones() if telephones else {}
        self.open("Inserisci i risultati")
        sides = self.read_open_tables()
        played = {(one, other): self.roll() for one, other in sides}
        hands, begun, digits = Hands(page), perf_counter(), 0
        for typed in played.values():
            for points in typed:
                digits += len(str(points))
                hands.press(*str(points), "Enter", thinking=points is typed[0])
        expect(page.locator(".quick-result")).to_have_count(len(played) + len(by_telephone))
        seconds = perf_counter() - begun
        expect(page.locator("[data-note=all_in] a")).to_be_focused()  # Enter leads on
        assert hands.keys - digits == 2 * len(played)
        self.told.append(f"{len(played)} tables: {hands.describe()} (the browser alone {seconds:.1f} s)")
        played |= by_telephone
        for (first, second), typed in played.items():
            row = page.locator(".quick-row").filter(has_text=first).filter(has_text=second)
            for mp, vp in reckon_points(*typed):
                signed = f"{mp:+d}".replace("-", "−").replace("+0", "0")
                expect(row).to_contain_text(re.compile(rf"{vp} VP\s+{re.escape(signed)} MP"))
            on_wall = self.wall.locator("[data-sheet^=tables] tr", has_text=first)
            expect(on_wall).to_contain_text(f"{typed[0]}–{typed[1]}")
        self.rounds.append(played)

    def roll(self) -> tuple[int, int]:
        points = self.dice.randint(4, TWO_DEALS - 4)
        return points, TWO_DEALS - points

    def let_in(self, pair: str) -> None:
        """Enter a pair that comes while the first round is played (D2)."""
        self.open("Turni da pubblicare")
        late = self.page.locator("section", has=self.page.locator("#late-title"))
        for name, typed in zip(("player", "partner"), pair.split(" – "), strict=True):
            late.locator(f"[name={name}]").fill(typed)
        late.get_by_role("button", name="Fallo entrare").click()
        expect(self.page.locator(".message-success")).to_contain_text("prossimo turno")
        self.pairs.append(pair)

    def let_go(self, pair: str) -> None:
        self.open("Tavolo dell'arbitro")
        decide_at_desk(self.page, "ritira", entry=pair)

    def correct(self) -> None:
        """Turn a result of the first round round, two rounds later, with its reason (F2, F3)."""
        (first, second), typed = next(item for item in self.rounds[0].items() if item[1][0] != item[1][1])
        self.open("Tavolo dell'arbitro")
        turn = self.page.locator("#turno-1")
        turn.locator("summary").click()
        turn.locator("li", has_text=f"{first} contro {second}").get_by_role("link", name="Decidi").click()
        decide_at_desk(self.page, "risultato", points_0=str(typed[1]), points_1=str(typed[0]))
        self.rounds[0][first, second] = (typed[1], typed[0])

    def read_ranks(self) -> dict[str, list[int]]:
        """Read rank, VP and MP of everybody from the printed standings."""
        self.visitor.goto(f"{self.address}stampa/classifica/")
        rows = self.visitor.locator("table.standings tbody tr")
        cells = [row.locator("th, td").all_inner_texts() for row in rows.all()]
        return {
            row[1].splitlines()[0].strip().removesuffix(" ritirato"): [read_number(row[at]) for at in (0, -1, -2)]
            for row in cells
        }


@pytest.fixture
def pages(browser: Browser, base_url: str) -> Iterator[Callable[..., Page]]:
    with open_pages(browser, base_url) as page_of:
        yield page_of


def spend(evening: Evening, *, telephones: Container[int]) -> None:
    """Spend the evening: a pair comes late, one goes when two rounds are played, or all but the last, and then a result
    of the first is corrected. In some rounds people use their telephones."""
    evening.create()
    evening.enter_pairs()
    evening.call_the_roll()
    left = {evening.pairs[2]: min(2, evening.last - 1)}
    for number in range(1, evening.last + 1):
        evening.publish()
        if number == 1:
            evening.let_in(LATE)
        if number - 1 in telephones:
            evening.try_dead_code()
        if number == min(3, evening.last):
            evening.correct()
        evening.type_results(telephones=number in telephones)
        if number < evening.last:
            evening.page.keyboard.press("Enter")
            expect(evening.page.locator("h1")).to_have_text("I prossimi turni")
        if number in left.values():
            (gone,) = left
            evening.let_go(gone)
            evening.open("Turni da pubblicare")
    assert evening.read_ranks() == reckon_ranks(evening.rounds, evening.pairs, left, LATE)
    evening.visitor.goto(evening.address)
    expect(evening.visitor.locator("[data-note=winner]")).to_be_visible()
    expect(evening.wall.locator("h2", has_text="Classifica finale").first).to_be_attached()
    expect(evening.visitor.locator("#rulings")).to_contain_text("Carte cadute dal mazzo")


@pytest.mark.long("the one evening of make test that is made, run and ended by clicks alone")
@pytest.mark.rule("O1", "O2", "O4", "D1", "D2", "D4")
def test_an_evening_of_four_pairs(pages: Callable[..., Page]) -> None:
    spend(Evening(pages, size=4, rounds=2), telephones=(1,))


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.rule("O1", "O2", "O4", "D1", "D2", "D4")
def test_an_evening_of_twenty_four_pairs(pages: Callable[..., Page], tell: Callable[[str], None]) -> None:
    evening = Evening(pages, size=24, rounds=5)
    spend(evening, telephones=(1, 2, 4, 5))
    for sentence in evening.told:
        tell(sentence)
