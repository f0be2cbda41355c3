"""An evening in the village (O1-O5, D1-D4): pairs without accounts, one organiser at a laptop, nothing but clicks and
keys in a real browser. What the final page says is what this file reckons from the points that were typed."""

import csv
import io
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from random import Random
from time import perf_counter

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser.evenings import open_pages
from tests.browser.keyboards import CountingKeyboard
from tests.support.browser import decide_at_desk

logger = logging.getLogger(__name__)

NAMES = ("Ada", "Bruno", "Cesira", "Dario", "Elsa", "Furio", "Gemma", "Ivo", "Lia", "Mino", "Nives", "Olmo")
SURNAMES = ("Bassi", "Conti", "Donati", "Ferri", "Galli")
LATE = "Zeno Ultimi – Zita Ultimi"
TWO_DEALS = 22  # points of two deals of tresette
BOUNDS = (0, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)  # rulebook 000: two deals, "da MP" of 10-10, 11-9, 12-8 …
BYE, MISSED = (7, 14), (0, 10)  # MP and VP: D1's least MP of the row of 14 VP, and D2
PRINTS = ("iscritti", "turno", "incrociata", "classifica")

Points = Mapping[tuple[str, str], tuple[int, int]]  # of one round, by who sat first and second


def reckon_points(first: int, second: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return (MP, VP) of both (V1, V2)."""
    margin = abs(first - second)
    steps = max(row for row, bound in enumerate(BOUNDS) if bound <= margin)
    sign = (first > second) - (first < second)
    return (sign * margin, 10 + sign * steps), (-sign * margin, 10 - sign * steps)


def reckon_ranks(rounds: Sequence[Points], pairs: Sequence[str], left_after: Mapping[str, int]) -> dict[str, list[int]]:
    """Return rank, VP and MP of each pair by the points of all rounds alone: R2's *standard*, with D1's and D2's byes.

    ``left_after``: the last round of who has gone. Who came late hasn't played the first rounds.
    """
    sums = {pair: [0, 0, 0] for pair in pairs}  # VP, MP, won
    met: dict[frozenset[str], dict[str, int]] = {}
    seen: set[str] = set()
    for number, points in enumerate(rounds, start=1):
        for (one, other), typed in points.items():
            assert frozenset((one, other)) not in met, "no rematch (D1)"
            both = reckon_points(*typed)
            met[frozenset((one, other))] = {one: both[0][1], other: both[1][1]}
            for pair, (mp, vp), won in zip((one, other), both, (typed[0] > typed[1], typed[1] > typed[0]), strict=True):
                sums[pair] = [sums[pair][0] + vp, sums[pair][1] + mp, sums[pair][2] + won]
        playing = {pair for both in points for pair in both}
        seen |= playing
        for pair in pairs:
            if pair not in playing and left_after.get(pair, number) >= number:
                mp, vp = BYE if pair in seen or pair != LATE else MISSED
                sums[pair] = [sums[pair][0] + vp, sums[pair][1] + mp, sums[pair][2]]

    def reckon_direct(level: Sequence[str]) -> dict[str, int]:
        games = [met.get(frozenset(two)) for two in combinations(level, 2)]
        if None in games:
            return dict.fromkeys(level, 0)
        return {pair: sum(game.get(pair, 0) for game in games if game) for pair in level}

    direct: dict[str, int] = {}
    for _vp, level in groupby(sorted(pairs, key=lambda pair: sums[pair][0]), key=lambda pair: sums[pair][0]):
        direct |= reckon_direct(list(level))
    keys = {pair: (sums[pair][0], direct[pair], *sums[pair][1:]) for pair in pairs}
    return {pair: [1 + sum(other > keys[pair] for other in keys.values()), *sums[pair][:2]] for pair in pairs}


def test_what_this_file_reckons_is_what_the_rules_say() -> None:
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
        people = [f"{name} {surname}" for surname in SURNAMES for name in NAMES]
        self.pairs = [f"{one} – {other}" for one, other in zip(people[: 2 * size : 2], people[1::2], strict=False)]
        self.last, self.dice = rounds, Random(size)
        self.rounds: list[dict[tuple[str, str], tuple[int, int]]] = []
        self.address = ""

    def create(self) -> None:
        """Make the tournament in its three steps, from the preset for such evenings."""
        page = self.page
        page.goto("/organizza/")
        page.get_by_role("link", name="Crea un torneo").first.click()
        page.get_by_role("button", name="Torneo in piazza").click()
        for field, value in (("ruleset", "tresette"), ("seats_an_entry", "2")):
            with page.expect_response(lambda answer: answer.request.method == "POST"):
                page.locator(f"[name={field}][value='{value}']").check()
        page.locator("[name=length_kind]").select_option("deals")
        page.locator("[name=length_value]").fill("2")
        page.get_by_role("button", name="Avanti").click()
        page.locator("[name=name]").fill("Serata in piazza")
        page.locator("[name=hall_tables]").fill(str(self.size // 2))
        page.locator("[name=rounds]").fill(str(self.last))
        page.get_by_role("button", name="Avanti").click()
        expect(page.locator("main")).to_contain_text("quando fai il sorteggio")
        expect(page.locator("[data-note=duration]")).to_be_visible()
        page.get_by_role("button", name="Crea e apri le iscrizioni").click()
        page.wait_for_url(re.compile(r"/tornei/(?!nuovo/)[^/]+/$"))
        self.address = page.url
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
            expect(page.locator("#placed-title + ol li", has_text=pair)).to_have_count(1)
        expect(page.locator("#placed-title .number")).to_contain_text(str(self.size))

    def call_the_roll(self) -> None:
        self.page.get_by_role("button", name="Sono tutti presenti").click()
        expect(self.page.locator("#placed-title + ol .tag-good")).to_have_count(self.size)
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

    def type_results(self) -> None:
        """Type the points of all tables, in the order of the page, and nothing else."""
        page = self.page
        self.open("Inserisci i risultati")
        rows = page.locator(".quick-row[data-state=open]")
        sides = [row.locator("label:not(.visually-hidden)").all_inner_texts() for row in rows.all()]
        played = {(one, other): self.roll() for one, other in sides}
        keyboard, begun, digits = CountingKeyboard(page), perf_counter(), 0
        for typed in played.values():
            for points in typed:
                digits += len(str(points))
                keyboard.press(*str(points), "Enter")
        expect(page.locator(".quick-result")).to_have_count(len(played))
        seconds = perf_counter() - begun
        expect(page.locator("[data-note=all_in] a")).to_be_focused()  # Enter leads on
        assert keyboard.pressed - digits == 2 * len(played)
        logger.info("%d tables: %d keys beyond the points, %.1f s", len(played), keyboard.pressed - digits, seconds)
        for (first, second), typed in played.items():
            row = page.locator(".quick-row").filter(has_text=first).filter(has_text=second)
            for mp, vp in reckon_points(*typed):
                expect(row).to_contain_text(re.compile(rf"{vp} VP\s+{mp} MP"))
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
        turn.locator("li", has_text=f"{first} – {second}").get_by_role("link", name=re.compile("^Decidi")).click()
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

    def look_at_paper(self, *, as_pdf: bool) -> None:
        """Look at all that prints: whoever plays stands there, and what the site is made of doesn't."""
        page = self.visitor
        page.emulate_media(media="print")
        for what in PRINTS:
            answer = page.goto(f"{self.address}stampa/{what}/")
            assert answer is not None
            assert answer.status == 200, what
            for pair in self.pairs[:3]:
                expect(page.locator("main")).to_contain_text(pair)
            expect(page.locator(".site-header, nav.screen-only:visible")).to_have_count(0)
            if as_pdf:
                assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF"), what
        page.emulate_media(media="screen")


@pytest.fixture
def pages(browser: Browser, base_url: str) -> Iterator[Callable[..., Page]]:
    with open_pages(browser, base_url) as page_of:
        yield page_of


def spend(evening: Evening, *, as_pdf: bool) -> None:
    """Spend the evening: a pair comes late, one goes after the second round, a result of the first is corrected in the
    third."""
    evening.create()
    evening.enter_pairs()
    evening.call_the_roll()
    left = {evening.pairs[4]: 2}
    for number in range(1, evening.last + 1):
        evening.publish()
        if number == 1:
            evening.let_in(LATE)
        if number == 3:
            evening.correct()
        evening.type_results()
        if number == 2:
            (gone,) = left
            evening.let_go(gone)
            evening.open("Turni da pubblicare")
        elif number < evening.last:
            evening.page.keyboard.press("Enter")
            expect(evening.page.locator("h1")).to_have_text("I prossimi turni")
    assert evening.read_ranks() == reckon_ranks(evening.rounds, evening.pairs, left)
    evening.look_at_paper(as_pdf=as_pdf)
    evening.visitor.goto(evening.address)
    expect(evening.visitor.locator("[data-note=winner]")).to_be_visible()
    expect(evening.wall.locator("h2", has_text="Classifica finale").first).to_be_attached()
    expect(evening.visitor.locator("#rulings")).to_contain_text("Carte cadute dal mazzo")


@pytest.mark.rule("O1", "O2", "O4", "D1", "D2", "D4")
def test_an_evening_of_eight_pairs(pages: Callable[..., Page]) -> None:
    spend(Evening(pages, size=8, rounds=3), as_pdf=False)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.rule("O1", "O2", "O4", "D1", "D2", "D4")
def test_an_evening_of_twenty_four_pairs(pages: Callable[..., Page]) -> None:
    spend(Evening(pages, size=24, rounds=5), as_pdf=True)
