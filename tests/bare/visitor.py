"""A visitor of a deployed site, run there by the product's own Python: a page, a log-in, and a table with the house.

``visitor.py SITE CERTIFICATE ADMINISTRATOR PASSWORD`` asks for the site by its name, over https, through the proxy. It
prints the address of the style sheet and what was done, or ends with the reason.
"""

import asyncio
import json
import re
import ssl
import sys
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from uuid import uuid4

from websockets.asyncio.client import connect
from websockets.typing import Origin

STEADY_ANSWERS = 10
READY_SECONDS, SEAT_SECONDS, CARD_SECONDS = 300, 120, 120
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
STYLE = re.compile(r'href="(/static/css/[^"]+\.css)"')


class Visitor:
    """A browser: cookies, pages, forms with their tokens."""

    def __init__(self, site: str, trusted: ssl.SSLContext) -> None:
        self.site, self.trusted = site, trusted
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=trusted), urllib.request.HTTPCookieProcessor(self.cookies)
        )

    def get(self, address: str) -> tuple[str, str, dict[str, str]]:
        """Ask for a page by its path or whole address; its text, where it was found, and its headers."""
        with self._opener.open(urllib.parse.urljoin(self.site, address), timeout=60) as answer:
            return answer.read().decode(), answer.url, dict(answer.headers)

    def submit(self, page: str, action: str, **fields: str) -> tuple[str, str]:
        """Fill in a form of a page that posts to ``action``; the page that answers, and where it is."""
        token = TOKEN.search(self.get(page)[0])
        assert token, f"no form on {page}"
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode()
        request = urllib.request.Request(self.site + action, data, {"Referer": self.site + page})
        with self._opener.open(request, timeout=60) as answer:
            return answer.read().decode(), answer.url

    def wait_until_ready(self) -> None:
        """Wait until the site has said for a while that it is ready: each process of nginx finds out by itself."""
        until = time.monotonic() + READY_SECONDS
        answered = 0
        while answered < STEADY_ANSWERS:
            try:
                self.get("/readyz")
                answered += 1
            except OSError:
                if time.monotonic() > until:
                    raise
                answered = 0
            time.sleep(0.2)

    def connect(self, path: str) -> connect:
        """Open a socket as the site's pages do."""
        cookie = "; ".join(f"{morsel.name}={morsel.value}" for morsel in self.cookies)
        return connect(
            self.site.replace("https:", "wss:") + path,
            ssl=self.trusted,
            origin=Origin(self.site),
            additional_headers={"Cookie": cookie},
        )

    async def wait_for_table(self) -> str:
        """Stay on a page until it is told that a table has opened; the public id of the match."""
        async with asyncio.timeout(SEAT_SECONDS), self.connect("/ws/persona/") as page:
            async for text in page:
                notice = json.loads(text)
                if notice["t"] == "table":
                    return str(notice["url"]).strip("/").split("/")[-1]
        raise AssertionError("the page's socket was closed")

    async def play_card(self, table: str) -> str:
        """Play the first card that may be played at a table; the move, once it is stored."""
        async with asyncio.timeout(CARD_SECONDS), self.connect(f"/ws/tavolo/{table}/") as socket:
            sent, move, answered = "", "", -1
            async for text in socket:
                frame = json.loads(text)
                if frame["t"] == "ack" and frame["id"] == sent:
                    return move
                if frame["t"] == "error":
                    assert frame["code"] in ("calls_open", "stale"), frame
                    await asyncio.sleep(1)
                    await socket.send(json.dumps({"t": "sync", "v": 0}))
                    answered = -1
                plays = [legal["move"] for legal in frame.get("legal", ()) if legal["verb"] == "play"]
                if frame["t"] == "view" and plays and frame["v"] > answered:
                    sent, move, answered = str(uuid4()), plays[0], frame["v"]
                    await socket.send(json.dumps({"t": "move", "id": sent, "v": answered, "move": move}))
        raise AssertionError("the table's socket was closed")

    async def play_with_house(self) -> str:
        """Look for a match, sit down with the house, and play a card; the move."""
        await asyncio.to_thread(self.submit, "/", "/gioca-subito/", casa="on")
        return await self.play_card(await self.wait_for_table())


def visit(site: str, certificate: str, administrator: str, password: str) -> str:
    """Visit the site; a line for its style sheet, and one for what was done there.

    AssertionError or OSError for what was not as it should be.
    """
    trusted = ssl.create_default_context(cafile=certificate)
    guest = Visitor(site, trusted)
    guest.wait_until_ready()
    home, where, _ = guest.get(site.replace("https:", "http:"))
    assert where == f"{site}/", f"plain http led to {where}"
    style = STYLE.search(home)
    assert style, "the page names no style sheet"
    kept = guest.get(style[1])[2].get("Cache-Control", "")
    assert "immutable" in kept, f"{style[1]} may be kept: {kept}"
    card = asyncio.run(guest.play_with_house())

    owner = Visitor(site, trusted)
    owner.submit("/account/login/", "/account/login/", login=administrator, password=password)
    _, where, _ = owner.get("/admin/")
    assert where == f"{site}/admin/", f"the administrator was led to {where}"
    return f"{style[1]}\na guest sat down with the house and played: {card}"


if __name__ == "__main__":
    try:
        print(visit(*sys.argv[1:]))  # noqa: T201 a program of the terminal
    except (AssertionError, OSError, TimeoutError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
