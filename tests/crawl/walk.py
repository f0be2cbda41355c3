"""The crawl: every address of a house with everything in it, asked once by each reader that matters, in brackets.

What answered is kept; the laws over it are the tests of this folder. An address comes from three lists: the stops of
``tests/browser/addresses.py``, every route with an id of the house in each place, and links. Of the pages that one view
gives a reader follows links to ``OF_ONE_VIEW`` only; to tournaments, which say most, to more.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import available_timezones

from allauth.account.models import EmailAddress
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone

from games.rules import RULESETS
from players.models import Player
from players.services.players import create_guest
from tests.browser.addresses import stops
from tests.languages import pseudo
from tests.languages.world import House
from tests.support.people import sign_in
from tests.support.routes import fill_route, list_api_operations, walk_routes
from tests.support.thorough import THOROUGH, tries

EVERY = 10_000
OF_ONE_VIEW = tries(1, EVERY)
# Addresses for programs and the site's own staff, and files: read in no language, and no link is followed there.
OTHERS = ("/static/", "/api/", "/admin/")
FILES = (".csv", ".xlsx", ".json", ".ics")
# Pages that say the same to everybody: one reader's are enough.
ALIKE = ("/stampa/", "/qr/", "/regole/", "/smazzate/", "/impara/", "/privacy/", "/mazzi/")
OF_STAFF = ("/admin/", "/api/schema/", "/api/docs/")  # or alike for everybody: asked by a visitor alone
SLOW = tries(("/api/schema/", "/api/docs/"), ())  # tests/tournaments/api asks for them
SAME_TO_ALL = tries((200, 405), ())  # a route that answers so to a visitor is asked by no other reader but by links
# Lists to choose from, places and languages, each by its own name; and what was typed.
LISTED = available_timezones() | {"Italiano", "English", "Pseudo"}
TYPED = {"Insulti in chat", "Non ero io"}


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of an address to a reader. ``text``: of a page; ``fault``: the exception in the answer's place."""

    address: str
    reader: str
    view: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""
    has_body: bool = False
    fault: str = ""
    stray: frozenset[str] = frozenset()  # words of a page that no catalogue gave
    links: tuple[str, ...] = ()

    @property
    def is_page(self) -> bool:
        return self.headers.get("Content-Type", "").startswith("text/html")

    def __str__(self) -> str:
        return f"{self.address} ({self.reader or 'a visitor'}): {self.fault or self.status}"


@dataclass
class Reader:
    """Somebody with two browsers: what a page tells once, it tells the first who comes."""

    player: Player | None
    todo: list[tuple[str, bool]]  # addresses, and whether it was a link that led there
    follows: bool  # the links of the pages that they read
    tournaments: int  # how many of them they look at

    def __post_init__(self) -> None:
        self.name = "" if self.player is None else self.player.name
        self.first, self.second = sign_in(self.player), sign_in(self.player)


class Crawl:
    """All answers, by reader and address; and what was answered to HEAD beside what was to GET."""

    def __init__(self, house: House) -> None:
        self.answers: dict[tuple[str, str], Answer] = {}
        self.heads: list[tuple[Answer, Answer]] = []
        self._asked: set[str] = set()  # whoever asked
        self._headed: set[str] = set()  # views whose HEAD was asked, a page of each
        self._refused: dict[str, tuple[Reader, Answer]] = {}  # or, of a view that has none here, what it answers else
        for reader in self._find_readers(house):
            self._walk(reader)
        for view, (reader, answer) in self._refused.items():
            if view not in self._headed:
                self._ask_head(reader, answer)

    def list_pages(self) -> list[Answer]:
        """Return all pages for people, whatever their status."""
        return [one for one in self.answers.values() if one.is_page and not one.address.startswith(OTHERS)]

    def list_links(self) -> set[str]:
        """Return the paths to which some page leads its reader."""
        return {link.partition("?")[0] for answer in self.answers.values() for link in answer.links}

    def _find_readers(self, house: House) -> list[Reader]:
        seen = stops(house)
        guest = create_guest(now=timezone.now(), address="192.0.2.1")
        addresses = EmailAddress.objects.values_list("email", flat=True)
        self.names = frozenset(house.names() | LISTED | TYPED | set(addresses))
        routes = [*list_plain_addresses(house), *list_api_addresses(house), "/api/v1/"]
        start = ["/", reverse("preferences"), reverse("tournament-new")]
        wanderers = (None, guest, house.four[0], house.irma, house.teresa)
        readers = []
        for player in dict.fromkeys([*wanderers, *(stop.reader for stop in seen)]):
            own = [stop.address for stop in seen if stop.reader == player]
            own += start if player in wanderers else []
            own += [reverse("tournament", args=[house.timed.public_id])] if player == guest else []
            own += routes if player is None else []
            own += [path for path in routes if not path.startswith(OF_STAFF)] if player == house.teresa else []
            own += list_further_addresses(house) if player == house.teresa else []
            most = EVERY if player in (house.four[0], house.teresa) else tries(3, EVERY)
            readers.append(Reader(player, [(address, False) for address in reversed(own)], player in wanderers, most))
        self._routes = set(routes) - {stop.address for stop in seen}
        return readers

    def _walk(self, reader: Reader) -> None:
        opened = Counter[str]()
        met = {address for address, _ in reader.todo}
        while reader.todo:
            address, is_link = reader.todo.pop()
            if (reader.name, address) in self.answers:
                continue
            if not is_link and self._says_the_same(address):
                continue
            view = find_view(address)
            if is_link and opened[view] >= (reader.tournaments if view == "tournament" else OF_ONE_VIEW):
                continue
            answer = self._ask(reader, view, address)
            self.answers[reader.name, address] = answer
            self._asked.add(address)
            opened[view] += answer.status == 200
            for link in answer.links if reader.follows else ():
                if link not in met and not (link in self._asked and any(part in link for part in ALIKE)):
                    met.add(link)
                    reader.todo.insert(0, (link, True))

    def _says_the_same(self, address: str) -> bool:
        """Return whether a route needs no second reader, by what it answered to the visitor, who comes first."""
        first = self.answers.get(("", address)) if address in self._routes else None
        return first is not None and first.status in SAME_TO_ALL

    def _ask(self, reader: Reader, view: str, address: str) -> Answer:
        answer = self._send(reader, reader.first, "get", view, address)
        if THOROUGH or (answer.status == 200 and view not in self._headed):
            self._headed.add(view)
            self._ask_head(reader, answer)
        elif not answer.fault and answer.status != 405:
            self._refused.setdefault(view, (reader, answer))
        return answer

    def _ask_head(self, reader: Reader, answer: Answer) -> None:
        self.heads.append((answer, self._send(reader, reader.second, "head", answer.view, answer.address)))

    def _send(self, reader: Reader, client: Client, method: str, view: str, address: str) -> Answer:
        try:
            with transaction.atomic():
                response: Any = getattr(client, method)(address)
                body = b"".join(response) if response.streaming else response.content
        except Exception as error:
            return Answer(address, reader.name, view, 500, fault=f"{error!r:.300}")
        headers = dict(response.headers.items())
        known: Any = {"headers": headers, "has_body": bool(body) and not response.streaming}
        if "Location" in headers:
            known["links"] = tuple(filter(leads_to_page, [headers["Location"]]))
        elif headers.get("Content-Type", "").startswith("text/html") and not address.startswith(OTHERS):
            known["text"] = body.decode()
            stray, links = pseudo.read(known["text"], self.names)
            known["stray"] = frozenset(stray)
            known["links"] = tuple(dict.fromkeys(link.partition("#")[0] for link in filter(leads_to_page, links)))
        return Answer(address, reader.name, view, response.status_code, **known)


def leads_to_page(link: str) -> bool:
    path = re.split("[?#]", link)[0]
    return path.startswith("/") and not path.startswith(OTHERS) and not path.endswith(FILES)


def find_view(address: str) -> str:
    """Return the name of the view that answers; "" if none does."""
    try:
        return resolve(address.partition("?")[0]).view_name
    except Resolver404:
        return ""


def list_plain_addresses(house: House) -> Iterator[str]:
    """Every route of paths, an id of the house in each place: most of them answer, the others say that there is
    nothing."""
    known = {"public_id": house.live.public_id, "what": "iscritti", "ruleset": "scopa", "token": "x" * 22}
    addresses = (fill_route(route, known) for route, _pattern in walk_routes())
    return (address for address in addresses if address not in SLOW)


def list_further_addresses(house: House) -> Iterator[str]:
    """Pages that differ by what they are about, and to which no other page may lead."""
    for what in ("iscritti", "incontri", "tabellone", "classifica"):
        yield reverse("tournament-print", args=[house.ruled.public_id, what])
    yield reverse("referees", args=[house.ruled.public_id])
    for game in RULESETS:
        yield reverse("rules-of", args=[game])


def list_api_addresses(house: House) -> Iterator[str]:
    """Every address of the API that reads, as its document names them."""
    for method, path in list_api_operations():
        if method == "get":
            yield re.sub(r"{(\w+)}", lambda name: house.live.public_id if name[1] == "public_id" else "1", path)
