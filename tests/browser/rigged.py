"""People at a table of known decks, each in their own browser: the fixtures ``tables``, ``lasting_tables`` and ``sit``.

The table stands on the site in the test's process, so that what deals its cards can be replaced. Its cards are plain
ones (plain_decks.py): the pages of the whole product show the real ones.
"""

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from typing import Any
from unittest.mock import patch

import pytest
from django.test import TransactionTestCase, override_settings
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect
from pytest_django import DjangoDbBlocker

from config.settings import MIDDLEWARE
from games import clocks, shuffles
from games import locked_match as dealing
from games.engine.cards import CARDS
from games.engine.game import Length
from games.models import Match
from games.services import seating
from games.sweep import Sweeper
from players.models import Player
from tests.support import live
from tests.support.people import PASSWORD, create_person, sign_in, take_house
from tests.support.tables import CONTROLS, play_out

PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 900}}

Sit = Callable[..., dict[str, Page]]


def deck(hands: Mapping[int, str], dealer: int, at_a_time: int = 1) -> str:
    """The deck that gives each seat its cards, dealt so many at a time from the dealer's right."""
    order = [(dealer + 1 + step) % len(hands) for step in range(len(hands))]
    cards = {seat: hand.split() for seat, hand in hands.items()}
    rounds = range(0, len(cards[order[0]]), at_a_time)
    return " ".join(card for start in rounds for seat in order for card in cards[seat][start : start + at_a_time])


@dataclass(frozen=True)
class Rigged:
    """A site with one table: its address, the table's path, and the sessions of its people by name."""

    address: str
    path: str
    sessions: Mapping[str, str]

    def context(self, browser: Browser, name: str | None, *, through: str = "", **more: Any) -> BrowserContext:
        """A browser in which this person has signed in; without a name nobody has. ``through``: another address."""
        chosen = {"base_url": through or self.address, "locale": "it-IT", "reduced_motion": "reduce", **more}
        context = browser.new_context(**chosen)
        if name is not None:
            cookie = {"name": "sessionid", "value": self.sessions[name], "url": chosen["base_url"], "httpOnly": True}
            context.add_cookies([cookie])  # type: ignore[list-item]
        return context


Lay = Callable[[Mapping[str, Any]], Rigged]


def stack_decks(tops: list[str], openings: list[int]) -> Callable[[], list[int]]:
    """Return what deals decks with these cards on top, then shuffled ones, each with its seconds to call."""
    waiting = [[CARDS[name] for name in top.split()] for top in tops]
    times = [*(timedelta(seconds=seconds) for seconds in openings), clocks.OPENING]
    shuffle = dealing.shuffle_deck

    def deal() -> list[int]:
        clocks.OPENING = times.pop(0) if len(times) > 1 else times[0]
        if not waiting:
            return shuffle()
        top = waiting.pop(0)
        return [*top, *(card for card in CARDS.values() if card not in top)]

    return deal


def seat_people(table: Mapping[str, Any]) -> tuple[Match, dict[str, Player]]:
    """Open the match of this table; return it with everybody by name."""
    now = timezone.now()
    people = {name: create_person(name, now) for name in (*table["names"], *table.get("others", ()))}
    seated = [people[name] for name in table["names"]]
    match = seating.open_match(
        ruleset=table["ruleset"],
        length=Length(*table["length"]),
        context="free",
        options=table.get("options", {}),
        players=[*seated, *take_house(count=table.get("house", 0), now=now)],
        turn_timeout=table.get("turn_timeout"),
        match_clock=None,
        noshow_after=None,
        first_dealer=table.get("dealer", 0),
        title="Tavolo di prova",
        absence=table.get("absence", "loses"),
        training=table.get("training", False),
        now=now,
    )
    if table.get("played"):
        for seat, player in enumerate(seated):
            for token in ("", CONTROLS[seat]):
                seating.sit_down(match_id=match.pk, player_id=player.pk, token=token, now=now)
        play_out(match, now)
    return match, people


@contextmanager
def lay_table(site: live.Site, table: Mapping[str, Any]) -> Iterator[Rigged]:
    """Give a table on the site of this process, as long as it is described by this.

    ``ruleset``, ``length`` (kind and value), ``options``, ``names`` of those who sit there in seat order, ``others``
    who have an account and no seat, how many of the ``house``, ``dealer``, ``decks`` (each the cards on top of one;
    what is dealt after them is shuffled as ever), ``openings``: how many seconds there are to call before the first
    card of each deal (then as many as ever), ``played`` if the match is over already, ``fair`` if its cards come from
    a secret that browsers add to, ``sweeping`` if somebody does what is due, ``offer``: a module whose ``on_offer()``
    puts a game on offer that isn't in the house.
    """
    with ExitStack() as stack:
        stack.enter_context(patch.object(clocks, "OPENING", clocks.OPENING))
        decks = stack_decks(table.get("decks", []), table.get("openings", []))
        stack.enter_context(patch.object(dealing, "shuffle_deck", decks))
        if table.get("fair"):
            stack.enter_context(override_settings(MIXING_SECONDS=5))
        else:  # cards laid ready come from no secret
            stack.enter_context(patch.object(shuffles, "draw", lambda **_: None))
        if "offer" in table:
            stack.enter_context(import_module(table["offer"]).on_offer())
        match, people = seat_people(table)
        if table.get("sweeping"):  # as the worker does: what is due, and the house's moves
            sweeper = Sweeper()
            sweeper.start()
            stack.callback(sweeper.stop)
        sessions = {name: sign_in(player).cookies["sessionid"].value for name, player in people.items()}
        yield Rigged(site.url, f"/tavoli/{match.public_id}/", sessions)


@pytest.fixture
def tables(live_site: live.Site) -> Iterator[Lay]:
    """Lays tables, for one test."""
    with ExitStack() as stack:
        yield lambda table: stack.enter_context(lay_table(live_site, table))


@pytest.fixture(scope="module")
def lasting_tables(django_db_setup: None, django_db_blocker: DjangoDbBlocker, door: socket.socket) -> Iterator[Lay]:
    """Lays tables that all tests of a module sit at; none of them may ask for a database of its own."""
    with django_db_blocker.unblock():
        with live.web_thread(door, MIDDLEWARE) as site, ExitStack() as stack:
            yield lambda table: stack.enter_context(lay_table(site, table))
        TransactionTestCase("__init__")._fixture_teardown()


@pytest.fixture
def sit(browser: Browser, tables: Lay) -> Iterator[Sit]:
    """Seats everybody named at the table described; gives each one's page. ``phones``: who holds a telephone;
    ``cards``: how many everybody is dealt first."""
    with ExitStack() as stack:

        def seated(
            *, names: tuple[str, ...], phones: tuple[str, ...] = (), cards: int = 10, **table: Any
        ) -> dict[str, Page]:
            rigged = tables({**table, "names": names})
            pages = {}
            for name in names:
                context = rigged.context(browser, name, **(PHONE if name in phones else DESK))
                stack.callback(context.close)
                pages[name] = context.new_page()
            for page in pages.values():
                page.goto(rigged.path, wait_until="commit")
            for page in pages.values():
                expect(page.locator("#hand .card")).to_have_count(cards)
            return pages

        yield seated


def enter(page: Page, path: str, name: str) -> None:
    """Sign in, and sit down at the table."""
    page.goto(f"/account/login/?next={path}")
    page.locator("[name=login]").fill(name.lower())
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main form.panel button[type=submit]").click()
    page.wait_for_url("**/tavoli/**")


def play(page: Page, card: str, row: str = "#hand") -> None:
    """Raise a card and put it on the table."""
    page.locator(f"{row} [data-card='{card}'][data-playable]").click()
    page.locator("#ghosts .ghost").click()


def said_by(page: Page, seat: int) -> list[str]:
    """Return the text the page shows beside a seat."""
    return page.locator(f".seat[data-seat='{seat}'] .seat-said .said-words").all_inner_texts()


class Delay:
    """Stands between a page and the server: what comes of one kind of frame can be kept back, and handed on later."""

    def __init__(self, page: Page, kind: str) -> None:
        self.page, self.kind = page, kind
        self.holding = False
        self.held: list[str] = []
        self.came: list[dict[str, Any]] = []
        page.route_web_socket("**/ws/tavolo/**", self._between)
        page.reload()

    def _between(self, line: WebSocketRoute) -> None:
        self._line = line
        line.connect_to_server().on_message(self._came)

    def _came(self, message: str | bytes) -> None:
        frame = json.loads(message)
        self.came.append(frame)
        if self.holding and frame["t"] == self.kind:
            self.held.append(str(message))
        else:
            self._line.send(message)

    def wait_for(self, **fields: str) -> None:
        """Wait until a frame with these fields has come."""
        for _ in range(4800):
            if any(fields.items() <= frame.items() for frame in self.came):
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(f"no frame with {fields}")

    def hand_on(self) -> None:
        """Pass on the frames kept back, and all that come from now on."""
        self.holding = False
        for message in self.held:
            self._line.send(message)
