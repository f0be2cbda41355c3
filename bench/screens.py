"""TABLE: what people feel at the table, measured in four browsers at one: how long after a click the card lies on the
other screens, how soon the page is ready to play, how heavy it is, and whether it shifts under the finger.

The four share one Chromium, a cache of its own for each, without animations (they would be measured, not we). The clock
starts with the click that plays the card and stops in the frame in which it is drawn; only plays to a table at rest
count, as a trick is shown for a while before the next card. A cold page is opened in a window that was there before,
with an empty cache, while all four pages stay open: it is ready in the frame in which the cards of the hand can be
chosen, and drawn two frames after their drawings are there. The machine is the server's, too.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from bench import sites
from bench.languages import Place
from bench.tables import Table
from config.launcher.statics import UNUSED
from tests.__main__ import find_missing_for_the_browser

TRICKS = 10  # a whole deal
KB = 1000
HEAVIEST, LATEST, MOST_SHIFT = 200.0, 1000.0, 0.05  # kB without images, ms, layout shift
FLAGS = ("--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update")
PATIENCE = 60_000  # ms
COLD = 3  # pages for each of the four
NEW_WINDOW = 1500  # ms

# Keeps, on the page: when each card was drawn on the table, when a play was clicked, when the hand was ready, shifts.
WATCH = """
const at = () => performance.timeOrigin + performance.now();
window.bench = { drawn: {}, clicked: 0, ready: 0, faces: 0, shift: 0 };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.bench.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
const faces = () => {
  const all = [...document.querySelectorAll("#hand .card use")];
  if (!all.length || all.some((use) => !use.getBBox().width)) requestAnimationFrame(faces);
  else requestAnimationFrame(() => requestAnimationFrame(() => { window.bench.faces = performance.now(); }));
};
const look = () => {
  if (!window.bench.ready && document.querySelector("#hand .card")) {
    window.bench.ready = performance.now();
    faces();
  }
  for (const card of document.querySelectorAll("#lying [data-card]")) window.bench.drawn[card.dataset.card] ??= at();
};
new MutationObserver(() => requestAnimationFrame(look)).observe(document, { childList: true, subtree: true });
addEventListener("click", (event) => {
  if (event.target.closest?.(".ghost")) window.bench.clicked = performance.timeOrigin + event.timeStamp;
}, true);
"""
FACES = """() => new Promise((done) => {
  const look = () => window.bench.faces ? done(window.bench.faces) : requestAnimationFrame(look);
  look();
})"""
AT_REST = "() => new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done())))"
DRAWN = """(name) => new Promise((done) => {
  const look = () => window.bench.drawn[name] ? done(window.bench.drawn[name]) : requestAnimationFrame(look);
  look();
})"""


@dataclass(slots=True)
class Felt:
    """Milliseconds, bytes and scores, one for each page or play."""

    delays: list[float] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)
    faces: list[float] = field(default_factory=list)
    requests: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    shifts: list[float] = field(default_factory=list)


def run(tricks: int = TRICKS) -> Table:
    missing = find_missing_for_the_browser()
    if missing:
        return _table(Felt(), [f"Not measured: {' and '.join(missing)} is missing."])
    with ExitStack() as ending:
        behind = ending.enter_context(sites.backing())
        behind.run("manage.py", "collectstatic", "--no-input", "--verbosity=0", *(f"--ignore={one}" for one in UNUSED))
        [places] = behind.tables(1)
        site = ending.enter_context(sites.ours(behind))
        browser = ending.enter_context(chromium())
        felt = at_one_table(browser, f"http://127.0.0.1:{site.port}", places, tricks)
    return _table(felt, [f"{len(felt.delays)} cards on others' screens, {len(felt.ready)} cold pages, in Chromium."])


@contextmanager
def chromium() -> Iterator[Browser]:
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[*FLAGS, *sandbox])
        yield browser
        browser.close()


def at_one_table(browser: Browser, url: str, places: list[Place], tricks: int) -> Felt:
    """Four people come one after the other and play so many tricks."""
    felt = Felt()
    pages = [_seated(browser, url, place) for place in places]
    for page in pages:
        expect(page.locator("#hand .card")).to_have_count(10, timeout=PATIENCE)
    for place in places * COLD:  # now that cards are dealt: cold pages, ready when the hand can be played
        _cold(browser, url, place, felt)
    for page in pages:
        page.reload()
        expect(page.locator("#hand .card")).to_have_count(10, timeout=PATIENCE)
        if page.locator("#nonce-dialog[open]").count():  # it drew one before the others came, and nobody waited for it
            page.locator("#nonce-accept").click()
    for _ in range(tricks):
        for _ in places:
            _play(pages, felt)
        for page in pages:
            expect(page.locator("#lying .card")).to_have_count(0, timeout=PATIENCE)
    felt.shifts += [page.evaluate("() => window.bench.shift") for page in pages]
    return felt


def _context(browser: Browser, url: str, place: Place) -> BrowserContext:
    context = browser.new_context(
        locale="it-IT", reduced_motion="reduce", viewport={"width": 1280, "height": 900}, base_url=url
    )
    name, _, value = place.cookie.partition("=")
    context.add_cookies([{"name": name, "value": value, "url": url}])
    context.add_init_script(WATCH)
    return context


def _seated(browser: Browser, url: str, place: Place) -> Page:
    page = _context(browser, url, place).new_page()
    page.goto(f"/tavoli/{place.table}/")
    return page


def _cold(browser: Browser, url: str, place: Place, felt: Felt) -> None:
    """Open the table with an empty cache: ms until the hand is there and drawn. What came over the line is weighed."""
    context = _context(browser, url, place)
    page = context.new_page()
    page.wait_for_timeout(NEW_WINDOW)  # its own making is no part of opening a table in it
    page.evaluate(AT_REST)
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    images: set[str] = set()
    weights: dict[str, int] = {}

    def answered(event: dict[str, Any]) -> None:
        if event["response"]["mimeType"].startswith("image/"):
            images.add(event["requestId"])

    def finished(event: dict[str, Any]) -> None:
        weights[event["requestId"]] = int(event["encodedDataLength"])

    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", finished)
    page.goto(f"/tavoli/{place.table}/")
    page.locator("#hand .card").first.wait_for(timeout=PATIENCE)
    page.wait_for_load_state("load")
    felt.faces.append(page.evaluate(FACES))
    felt.ready.append(page.evaluate("() => window.bench.ready"))
    felt.requests.append(len(weights))
    felt.weights.append(sum(weight for request, weight in weights.items() if request not in images))
    felt.shifts.append(page.evaluate("() => window.bench.shift"))
    context.close()


def _play(pages: list[Page], felt: Felt) -> None:
    """Play the first card of the player to move by a click; time the others' screens."""
    mover = next(page for page in pages if page.locator("#table[data-turn=mine]").count())
    card = mover.locator("#hand [data-playable]").first
    name = card.get_attribute("data-card")
    card.click()
    mover.locator("#ghosts .ghost").first.click()
    drawn = [page.evaluate(DRAWN, name) for page in pages if page is not mover]  # noted: a trick may be gone by now
    clicked = mover.evaluate("() => window.bench.clicked")
    felt.delays += [at - clicked for at in drawn]
    version = mover.locator("#table").get_attribute("data-version")
    for page in pages:
        page.locator(f'#table[data-version="{version}"]').wait_for(timeout=PATIENCE)


def _table(felt: Felt, notes: list[str]) -> Table:
    rows, short = [], []
    if felt.delays:
        cuts = quantiles(felt.delays, n=100, method="inclusive")
        weight, shift = max(felt.weights) / KB, max(felt.shifts)
        rows = [
            ["from the click to the card on the other screens", f"{cuts[49]:.0f} ms", f"{cuts[98]:.0f} ms", ""],
            [
                "cold page ready to play",
                f"{median(felt.ready):.0f} ms",
                f"{max(felt.ready):.0f} ms",
                f"≤ {LATEST:g} ms",
            ],
            ["its cards drawn", f"{median(felt.faces):.0f} ms", f"{max(felt.faces):.0f} ms", ""],
            ["requests for it", f"{median(felt.requests):.0f}", f"{max(felt.requests)}", ""],
            ["page without images, as sent", f"{weight:.0f} kB", f"{weight:.0f} kB", f"< {HEAVIEST:g} kB"],
            ["layout shift", f"{median(felt.shifts):.3f}", f"{shift:.3f}", f"< {MOST_SHIFT:g}"],
        ]
        if median(felt.ready) > LATEST:
            short.append(f"The page is ready after {median(felt.ready):.0f} ms, the goal is {LATEST:g}.")
        if weight >= HEAVIEST:
            short.append(f"The page weighs {weight:.0f} kB, the goal is less than {HEAVIEST:g}.")
        if shift >= MOST_SHIFT:
            short.append(f"The page shifts by {shift:.3f}, the goal is less than {MOST_SHIFT:g}.")
    return Table(
        title="TABLE: what people feel at the table, measured in four browsers",
        headings=("what", "p50", "p99 (or the most)", "goal"),
        rows=rows,
        notes=notes,
        short=short,
    )
