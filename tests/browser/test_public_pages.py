"""A tournament's public pages in a real browser: on the narrowest telephone, on paper, in another site's page."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from players.models import Player
from tests.support import live
from tests.support.people import create_person
from tests.support.standings import LEVEL, write_results
from tests.support.tournaments import GIRONE, KO
from tournaments.entries import join
from tournaments.models import Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

NARROWEST = 320
EXCHANGE_TWO_SEEDS = """
  const read = JSON.parse;
  JSON.parse = (text) => {
    const value = read(text);
    if (value?.numbers) value.numbers.push(value.numbers.shift());
    return value;
  };
"""


@contextmanager
def another_site(body: str) -> Iterator[str]:
    """A page of somebody else's, at an address of its own."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


def drawn(base: Settings, players: list[Player], now: datetime) -> Tournament:
    settings = Settings(
        **{name: getattr(base, name) for name in Settings.__slots__}
        | {"max_entries": len(players), "min_entries": len(players)}
    )
    made = lifecycle.create_tournament(organiser=players[0], settings=settings, now=now)
    lifecycle.publish_tournament(tournament_id=made.pk, by=players[0], now=now)
    for player in players:
        join.enter_player(tournament_id=made.pk, player=player, now=now)
    return Tournament.objects.get(pk=made.pk)


def test_public_pages_are_read_on_a_telephone_on_paper_and_in_another_sites_frame(
    live_site: live.Site, now: datetime, request: pytest.FixtureRequest
) -> None:
    browser: Browser = request.getfixturevalue(
        "browser"
    )  # after the site: its thread wants to be the first with a loop
    people = [create_person(f"Giocatrice dal nome {n}", now) for n in range(9)]
    girone = drawn(GIRONE, people[:4], now)
    write_results(girone, now, {pair: vp for pair, vp in LEVEL.items() if pair not in ((2, 4), (3, 1))})
    cup = drawn(KO, people, now)

    context = browser.new_context(viewport={"width": NARROWEST, "height": 640}, locale="it-IT")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    for name, tournament in (
        ("tournament", girone),
        ("tournament", cup),
        ("standings", girone),
        ("draw", girone),
        ("tournament-qr", girone),
        ("tournament-embed", girone),
        ("tournament-embed", cup),
    ):
        page.goto(live_site.url + reverse(name, args=[tournament.public_id]))
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROWEST, (name, tournament.format)

    # Whoever likes has their own browser draw again.
    page.goto(live_site.url + reverse("draw", args=[cup.public_id]))
    expect(page.locator("#draw-check")).not_to_have_attribute("data-checked", "agrees")
    page.locator("#draw-check-run").click()
    expect(page.locator("#draw-check")).to_have_attribute("data-checked", "agrees")
    page.add_init_script(EXCHANGE_TWO_SEEDS)
    page.reload()
    page.locator("#draw-check-run").click()
    expect(page.locator("#draw-check")).to_have_attribute("data-checked", "differs")

    # Place, name, MP and VP of the standings are read without a swipe; the other counts stand under the name.
    page.goto(live_site.url + reverse("tournament", args=[girone.public_id]))
    assert page.locator("#standings-of-0").evaluate("table => table.scrollWidth - table.clientWidth") == 0
    expect(page.locator("#standings-of-0 .folded").first).to_be_visible()

    # A swipe or a link goes from round to round of a bracket.
    page.goto(live_site.url + reverse("tournament", args=[cup.public_id]))
    page.get_by_role("link", name="Finale", exact=True).click()
    expect(page.locator(".bracket-round").last.locator(".fixture")).to_be_in_viewport()

    # In another site's page the frame goes with the tournament.
    frame_url = live_site.url + reverse("tournament-embed", args=[girone.public_id])
    with another_site(f'<!doctype html><iframe src="{frame_url}" width="300" height="600"></iframe>') as theirs:
        page.goto(theirs)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="Turno 3")).to_be_visible()
    write_results(girone, now, LEVEL)
    expect(frame.get_by_text("concluso")).to_be_visible()

    # On paper: a sheet each, the bracket lying on its side.
    for what, tournament in (("incrociata", girone), ("tabellone", cup)):
        page.goto(live_site.url + reverse("tournament-print", args=[tournament.public_id, what]))
        paper = page.pdf(prefer_css_page_size=True)
        assert paper.count(b"/Type /Page\n") == 1
        assert (b"[0 0 841" in paper) == (what == "tabellone")
    assert faults == []
    context.close()
