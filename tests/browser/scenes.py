"""Pictures of tables for the page to draw: the frames a seat would get, made by the rules without a match being played.

A scene is a game, known decks and the moves made so far. It needs no database and no waiting, so every state of a table
can be looked at in any window: the tests of the page's look put them between the page and its socket.
"""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from games import rules  # noqa: F401 they are put on offer
from games.engine import match as engine
from games.engine.card_points import add_card_points
from games.engine.cards import CARDS
from games.engine.deciding import find_deciding_deal
from games.engine.game import Length, Setup
from games.engine.match import Progress
from games.engine.record import parse_move
from games.frames import build_view_frame, to_milliseconds
from games.match_cache import DealCount
from games.models import Match, Seat
from games.table_views import list_cards_of_calls
from players.models import Player
from tests.browser.rigged import Rigged

NAMES = ("Anna", "Bruno", "Carla Maria Ottaviani", "Dino")


def whole(top: str) -> list[int]:
    """A whole deck with these cards on top."""
    first = [CARDS[name] for name in top.split()]
    return [*first, *(card for card in CARDS.values() if card not in first)]


class Scene:
    """A match as far as it has come. ``away``: seats whose player hasn't come."""

    def __init__(
        self,
        ruleset: str,
        players: int,
        *,
        points: int = 0,
        deals: int = 0,
        dealer: int = -1,
        context: str = "free",
        names: Sequence[str] = NAMES,
        house: Sequence[int] = (),
        **options: Any,
    ) -> None:
        length = Length("points", points) if points else Length("deals", deals or 1)
        hands = 4 if players == 3 else players
        self.setup = Setup(ruleset, players, length, context, options, dealer % hands)  # type: ignore[arg-type]
        self.progress = engine.start(self.setup)
        self.counted: DealCount | None = None
        self.version = 3
        self.now = timezone.now()
        self.status = "playing"
        self.by_hand: dict[int, tuple[str, ...]] = {}
        self.seats = [
            Seat(number=seat, arrived_at=self.now, player=Player(name=names[seat], kind=_kind(seat in house)))
            for seat in range(4)
            if seat < players or (players == 3 and seat == 3)
        ]
        self.turn_left = timedelta(seconds=24)
        self.clock_left = 431.0
        self.opening = False

    def deal(self, top: str = "") -> "Scene":
        self.progress = engine.deal(self.progress, whole(top))
        return self

    def play(self, *moves: str) -> "Scene":
        """Moves of the record, "0 play 7c x 4d 3s"; a number instead: so many of the first legal plays."""
        for text in moves:
            if text.isdigit():
                for _ in range(int(text)):
                    seat = engine.turn(self.progress)
                    self._make(
                        next(move for move in engine.legal(self.progress) if move.seat == seat and move.card >= 0)
                    )
            else:
                self._make(parse_move(text))
        return self

    def end(self) -> "Scene":
        """First legal plays to the end of the deal."""
        deals = len(self.progress.deals)
        while len(self.progress.deals) == deals and self.progress.outcome is None:
            self.play("1")
        return self

    def _make(self, move: Any) -> None:
        before = self.progress
        self.progress = engine.play(before, move)
        self.version += 1
        if len(self.progress.deals) > len(before.deals) and self.progress.tally is not None:
            self.counted = DealCount(len(self.progress.deals), before.dealer, self.progress.tally, self.progress.last)

    def frame(self, seat: int | None = 0, **changes: Any) -> dict[str, Any]:
        """Return the view frame of the seat (None: a spectator)."""
        progress: Progress = self.progress
        outcome = progress.outcome
        match = Match(
            public_id="scena",
            ruleset=self.setup.ruleset,
            players=self.setup.players,
            length_kind=self.setup.length.kind,
            length_value=self.setup.length.value,
            context=self.setup.context,
            first_dealer=0,
            opened_at=self.now,
            status="finished" if outcome else self.status,
            version=self.version,
            score_0=progress.score[0],
            score_1=progress.score[1],
        )
        for number, verbs in self.by_hand.items():
            match.choose_automatic(number, verbs)
        view, deal = None, None
        if outcome:
            match.winner, match.decided_by, match.margin = outcome.winner, outcome.decided_by, outcome.margin
            match.stakes_0, match.stakes_1 = progress.stakes
        elif self.status == "playing":
            view = engine.view(progress, seat)
            deal = {
                "number": len(progress.deals) + 1,
                "dealer": progress.dealer,
                "tie_break": progress.tie_break,
                "redealt": None,
            }
            match.turn_seat = engine.turn(progress)
            match.turn_from = self.now - timedelta(seconds=3)
            match.deadline_at = self.now + self.turn_left
            match.clocks_ms = [int(self.clock_left * 1000) + 1000 * hand for hand in range(match.hands)]
            if self.opening:
                match.opening_until = self.now + timedelta(seconds=4)
        else:
            match.noshow_at = self.now + timedelta(seconds=90)
        goes_with = {} if view is None else list_cards_of_calls(progress, view)
        deciding = outcome and find_deciding_deal(self.setup, progress.deals, outcome.winner, outcome.decided_by)
        cards = add_card_points([self.counted and self.counted.tally]) if progress.terms.card_points else None
        frame = build_view_frame(match, self.seats, seat, view, deal, self.counted, goes_with, (), deciding, cards)
        return {"now": to_milliseconds(self.now), **frame, **changes}


def _kind(house: bool) -> str:
    return "house" if house else "member"


class Director:
    """Shows a page scenes instead of its table. To be made before the page opens the table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.begin_anew()
        page.route_web_socket("**/ws/tavolo/**", self._opened)

    def begin_anew(self) -> None:
        """Forget what was shown and sent, before the page opens the table again."""
        self.line: WebSocketRoute | None = None
        self.waiting: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []

    def _opened(self, line: WebSocketRoute) -> None:
        self.line = line
        line.on_message(self._said)
        for frame in self.waiting:
            line.send(json.dumps(frame))

    def _said(self, message: str | bytes) -> None:
        frame = json.loads(message)
        self.sent.append(frame)
        if frame["t"] == "ping" and self.line is not None:
            self.line.send(json.dumps({"t": "pong", "c": frame["c"], "now": round(datetime.now().timestamp() * 1000)}))

    def show(self, *frames: dict[str, Any]) -> None:
        """Show these views, one after the other; each must be newer than the one before."""
        for frame in frames:
            if self.line is None:
                self.waiting.append(frame)
            else:
                self.line.send(json.dumps(frame))


class Stage:
    """Pages of one table that are shown scenes, each used by test after test: another one costs twice as much."""

    def __init__(self, browser: Browser, table: Rigged) -> None:
        self.browser, self.table = browser, table
        self.contexts: list[BrowserContext] = []
        self.kept: dict[str, tuple[Page, Director]] = {}

    def open(
        self, width: int = 1280, height: int = 800, name: str | None = None, *, fresh: bool = False, **more: Any
    ) -> tuple[Page, Director]:
        """Open the table in a window of this size, and return the page and whoever stands in for the server.
        ``fresh``: the test stops its clock, or what else a page never loses."""
        key = f"{name} {more}"
        page, director = (None, None) if fresh else self.kept.get(key, (None, None))
        if page is None or director is None:
            context = self.table.context(self.browser, name, viewport={"width": width, "height": height}, **more)
            self.contexts.append(context)
            page = context.new_page()
            director = Director(page)
            if not fresh:
                self.kept[key] = page, director
        else:
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme="light")
            director.begin_anew()
        page.goto(self.table.path)
        expect(page.locator("#table[data-line=open]")).to_be_visible()
        return page, director

    def close(self) -> None:
        for context in self.contexts:
            context.close()
