"""People as the site sees them: a browser that fills in forms, and sockets that play.

They know what pages and frames tell them and nothing else; how somebody behaves at a table is a ``Manner``, handed in.
"""

import json
import re
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from games import bots
from games.engine.cards import CARDS, make_mask
from games.engine.game import GameMove, HandView, HeardCall, Last, PileView, TableCard, View
from games.engine.record import parse_move, write_move
from tests.flows.scripts import scopa_deal
from tests.support.live import Site
from tests.support.waiting import PATIENCE

Json = dict[str, Any]
PLIES = 36  # of a deal of Scopa
PASSWORD = "quattro-assi-in-mano"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')

# What somebody does on their turn, given the view: the move to send, "abandon", or None to let the time run out.
Manner = Callable[[Json], str | None]


class Browser:
    """A visitor's browser: cookies, pages, forms with their tokens."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path: str) -> str:
        with self._opener.open(self.site.url + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def submit(self, page: str, action: str, **fields: str) -> str:
        """Fill in a form of ``page`` that posts to ``action``; the page that answers."""
        token = TOKEN.search(self.get(page))
        assert token, f"no form on {page}"
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode()
        with self._opener.open(urllib.request.Request(self.site.url + action, data), timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    @asynccontextmanager
    async def socket(self, path: str) -> AsyncIterator[ClientConnection]:
        """A socket opened by one of the site's pages in this browser."""
        cookie = "; ".join(f"{morsel.name}={morsel.value}" for morsel in self.cookies)
        headers = {"Cookie": cookie} if cookie else {}
        async with connect(
            self.site.ws_url + path,
            origin=Origin(self.site.url),
            additional_headers=headers,
            open_timeout=PATIENCE,
            ping_interval=None,
        ) as opened:
            yield opened


@dataclass
class Seen:
    """A view as it came over the wire to somebody at a table, or watching it."""

    table: str
    frame: Json


@dataclass
class Person:
    """Person with an account, and every view they were ever sent."""

    name: str
    browser: Browser
    seen: list[Seen] = field(default_factory=list)

    def sign_up(self) -> None:
        self.browser.submit(
            "/account/signup/", "/account/signup/", username=self.name, password1=PASSWORD, password2=PASSWORD
        )
        assert self.name in self.browser.get("/profilo/")

    def enter(self, tournament: str) -> None:
        page = f"/tornei/{tournament}/"
        self.browser.submit(page, f"{page}iscriviti/")

    async def sit(self, table: str, manner: Manner) -> Json:
        """Play at a table to the end of the match; its last view."""
        async with self.browser.socket(f"/ws/tavolo/{table}/") as socket:
            answered = 0
            while True:
                frame = await _view(socket)
                self.seen.append(Seen(table, frame))
                if frame["result"]:
                    return frame
                if frame["seat"] != frame["turn"] or frame["v"] == answered:
                    continue
                answered = frame["v"]
                choice = manner(frame)
                if choice == "abandon":
                    await _abandon(socket)
                elif choice is not None:
                    await _ask(socket, {"t": "move", "id": str(uuid4()), "v": frame["v"], "move": choice})


async def _receive(socket: ClientConnection) -> Json:
    frame: Json = json.loads(await socket.recv())
    return frame


async def _view(socket: ClientConnection) -> Json:
    """The next view. Acks may come before or after the view they announce; a refusal nobody asked for is a fault."""
    while (frame := await _receive(socket))["t"] != "view":
        assert frame["t"] in {"ack", "watchers"}, frame
    return frame


async def _ask(socket: ClientConnection, frame: Json) -> None:
    await socket.send(json.dumps(frame))


async def _abandon(socket: ClientConnection) -> None:
    """Abandon without confirmation, which is refused; then with it."""
    about = str(uuid4())
    await _ask(socket, {"t": "abandon", "id": about, "confirm": False})
    while (refusal := await _receive(socket))["t"] != "error":
        pass
    assert (refusal["code"], refusal["id"]) == ("not_confirmed", about)
    await _ask(socket, {"t": "abandon", "id": str(uuid4()), "confirm": True})


def arrange(level_deals: int) -> Manner:
    """Return the manner of those who play so many deals of Scopa level, the first of them no tie-break deal; then one
    that seat 0 wins."""

    def play_on(frame: Json) -> str:
        played: int = PLIES - frame["stock"] - sum(hand["count"] for hand in frame["hands"])
        return scopa_deal(frame["deal"]["dealer"], level=frame["deal"]["tie_break"] < level_deals)[played]

    return play_on


def like_the_house(frame: Json) -> str:
    """Return the move of a house player who sees this frame."""
    return write_move(bots.choose_quickly(frame["ruleset"], view_of(frame))[-1]).partition(" ")[2]


def view_of(frame: Json) -> View:
    """Return the engine's View as far as a frame tells it."""
    last, seat = frame["last"], frame["seat"]
    return View(
        seat=seat,
        turn=frame["turn"],
        hands=tuple(HandView(hand["count"], _cards(hand["cards"])) for hand in frame["hands"]),
        table=_lying(frame["table"]),
        stock=frame["stock"],
        piles=(PileView(**frame["piles"][0]), PileView(**frame["piles"][1])),
        last=last
        and Last(_lying(last["cards"]), _cards(last["takes"]), last["taker"], last["scopa"], _lying(last["drawn"])),
        legal=tuple(_legal(move) for move in frame["legal"]),
        turned=None if frame["turned"] is None else CARDS[frame["turned"]],
        calls=tuple(HeardCall(**{**call, "cards": _cards(call["cards"])}) for call in frame["said"]),
        credited=tuple(frame["credited"]),
        seen=_cards(frame["seen"]),
    )


def _legal(move: Json) -> GameMove:
    parsed = parse_move(f"{move['seat']} {move['move']}")
    assert parsed.verb == move["verb"]
    if parsed.verb == "play":
        assert parsed.card == CARDS[move["card"]]
        assert parsed.takes == make_mask(_cards(move["takes"]))
    return parsed


def _lying(cards: list[Json]) -> tuple[TableCard, ...]:
    return tuple(TableCard(CARDS[lying["card"]], lying["seat"]) for lying in cards)


def _cards(names: list[str]) -> tuple[int, ...]:
    return tuple(CARDS[name] for name in names)
