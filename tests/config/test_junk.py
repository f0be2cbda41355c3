"""Junk in addresses, queries, forms, headers and cookies never ends in a 500, on PostgreSQL neither (AT8).

PostgreSQL takes no NUL in a text, no lone surrogate, nothing longer than its column and no address that isn't one;
SQLite takes all of them, so this is tried on both. Routes and names of values are read from the code.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import product
from pathlib import Path
from urllib.parse import quote, unquote, urlencode

import pytest
from django import forms
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve
from django.urls.converters import PathConverter, StringConverter

from players.models import Player
from tests.support.arrangements import arrange_once
from tests.support.live import Site
from tests.support.people import PASSWORD, create_person
from tests.support.play import OPENING, open_ready
from tests.support.routes import fill_route, walk_routes
from tests.support.tables import opened as open_table
from tests.support.thorough import THOROUGH, tries
from tests.support.tournaments import KO
from tests.support.wire import on_site
from tournaments.clubs.actions import create_club
from tournaments.entries import join
from tournaments.models import Tournament
from tournaments.organise import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ROOT = Path(settings.BASE_DIR)
APPS = ("players", "games", "records", "tournaments", "config")
FOREIGN = ("admin/", "account/")  # routes of packages, which take texts of their own
NUL, LONG, NUMBER = "\x00", "x" * 5000, "9" * 30
BROKEN = ("a\x00b", "\ud800")
LEAST = 10  # addresses that are asked with each
JUNK = tries((*BROKEN, LONG, NUMBER), (*BROKEN, LONG, NUMBER, NUL, "٣", "'\"<", "\n", "-1"))


ROUTES = list(walk_routes())
BY_HAND = (
    "/api/v1/matches/{}/",
    "/api/v1/tournaments/{}/",
    "/api/v1/tournaments/{}/standings/",
    "/account/confirm-email/{}/",
    "/account/password/reset/key/{}-{}/",
    "/admin/{}/",
    "/static/{}",
)


def encode(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def list_addresses(junk: str, known: dict[str, str]) -> Iterator[str]:
    """Every address of the site with a place for an id, and ``junk`` in one of them."""
    for route, pattern in ROUTES:
        names = list(pattern.pattern.converters)
        for wrong in names:
            yield fill_route(route, {name: encode(known.get(name, "1")) for name in names} | {wrong: encode(junk)})
    for address in BY_HAND:
        yield address.format(*[encode(junk)] * 2)


@cache
def read_names() -> dict[str, set[str]]:
    """The names that views ask for in ``request.GET``, ``request.POST`` and ``request.query_params``."""
    names: dict[str, set[str]] = {"GET": set(), "POST": set(), "query_params": set()}
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            text = path.read_text()
            if not any(attribute in text for attribute in names):
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                    owner, key = node.func.value, node.args[0]
                elif isinstance(node, ast.Subscript):
                    owner, key = node.value, node.slice
                else:
                    continue
                if isinstance(owner, ast.Attribute) and owner.attr in names and isinstance(key, ast.Constant):
                    names[owner.attr].add(str(key.value))
    return names


class World:
    """A site with something of everything, and who asks it."""

    def __init__(self, now: datetime) -> None:
        self.organiser, anna, bruno, self.carla = (create_person(n, now) for n in ("Teresa", "Anna", "Bruno", "Carla"))
        self.waiting = self._create(now)
        running = self._create(now, max_entries=2)
        for player in (anna, bruno):
            join.enter_player(tournament_id=running.pk, player=player, now=now)
        (self.match,) = open_ready(running, now + OPENING)
        self.running = Tournament.objects.get(pk=running.pk)
        self.fixture_id = str(self.running.rounds.get(number=1).fixtures.get().pk)
        self.club = create_club(by=self.organiser, name="Circolo", description="", now=now)

    def _create(self, now: datetime, **changed: int) -> Tournament:
        made = lifecycle.create_tournament(organiser=self.organiser, settings=replace(KO, **changed), now=now)
        return lifecycle.publish_tournament(tournament_id=made.pk, by=self.organiser, now=now)

    def known(self, route: str, tournament: Tournament) -> dict[str, str]:
        ids = {"circoli/": self.club.public_id, "tavoli/": self.match.public_id, "partite/": self.match.public_id}
        public_id = next((value for start, value in ids.items() if route.startswith(start)), tournament.public_id)
        return {"public_id": public_id, "fixture_id": self.fixture_id, "what": "iscritti", "ruleset": "scopa"}


@arrange_once
def world(db: None, now: datetime) -> World:
    return World(now)


def ask(client: Client, method: str, address: str, *args: object, **headers: object) -> str | None:
    """The address, if asking it ends in a fault of ours."""
    try:
        with transaction.atomic():
            answer = getattr(client, method)(address, *args, **headers)
    except Exception as error:
        return f"{method} {address[:120]}: {error!r:.200}"
    return f"{method} {address[:120]}: {answer.status_code}" if answer.status_code >= 500 else None


def is_route(address: str) -> bool:
    """Tell whether some view is asked, not only what answers that there is nothing."""
    try:
        resolve(address)
    except Resolver404:
        return False
    return True


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_no_address_with_junk_in_it_is_a_fault_of_ours_at8(world: World, junk: str) -> None:
    """Ask what answers where there is no view in each part of the site; in a soak everywhere."""
    client = Client()
    client.force_login(world.organiser.user)
    known = world.known("", world.running)
    asked: dict[str, str] = {}
    for address in list_addresses(junk, known):
        part = address.split("/")[1]
        alike = part == "admin" or not is_route(unquote(address, errors="surrogatepass"))  # who asks isn't staff
        if THOROUGH or not alike:
            asked[address] = address
        elif junk in BROKEN:
            asked.setdefault(part, address)
    assert [fault for address in asked.values() if (fault := ask(client, "get", address))] == []
    assert len(asked) >= LEAST


def test_no_route_takes_any_text_for_an_id_at8() -> None:
    """Ids and tokens have converters of their own, which know their alphabet."""
    loose = [
        route
        for route, pattern in ROUTES
        if not route.startswith(FOREIGN)
        and any(type(taken) in (StringConverter, PathConverter) for taken in pattern.pattern.converters.values())
    ]
    assert loose == []
    ids = [
        (route, name)
        for route, pattern in ROUTES
        for name, taken in pattern.pattern.converters.items()
        if name == "public_id" and type(taken).__name__ != "PublicIdConverter"
    ]
    assert ids == []


def test_no_socket_takes_any_text_for_an_id_at8() -> None:
    from config.asgi import application

    inner = application.application.application_mapping["websocket"]  # behind the doorbell
    while not hasattr(inner, "routes"):
        inner = getattr(inner, "inner", None) or inner.application
    converters = [taken for route in inner.routes for taken in getattr(route.pattern, "converters", {}).values()]
    assert {type(taken).__name__ for taken in converters} == {"PublicIdConverter"}


UNREAD = tries(("api/docs",), ())  # it reads nothing that is sent, and takes a second
URLENCODED = "application/x-www-form-urlencoded"  # a form that is written once, and read quickly
WHO = ("organiser", "carla", None)
ASKING = (("get", None), ("post", "organiser"))
# What PostgreSQL alone refuses is tried there, on SQLite what it refuses itself; in a soak all on both.
HALVES = 2  # of the routes, in a test each
CASES = tries(
    [
        *(pytest.param(*case, NUL, marks=pytest.mark.only_on("postgres")) for case in ASKING),
        *(pytest.param(*case, NUMBER, marks=pytest.mark.only_on("sqlite")) for case in ASKING),
    ],
    [
        pytest.param(*case)
        for case in product(("get", "post"), ("organiser", "carla", None), (NUL, "\ud800", LONG, NUMBER))
    ],
)


@pytest.mark.parametrize("half", range(HALVES))
@pytest.mark.parametrize(("method", "who", "junk"), CASES, ids=range(len(CASES)))
def test_no_query_and_no_form_with_junk_in_it_is_a_fault_of_ours_at8(
    world: World, method: str, who: str | None, junk: str, half: int
) -> None:
    client = Client()
    names = read_names()
    queries = "&".join(
        f"{name}={encode(junk)}" for name in sorted({*names["GET"], *names["query_params"], "page", "search"})
    )
    form = dict.fromkeys(list_form_names(), junk.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    data = urlencode(form)
    faults = []
    for route, _pattern in ROUTES[half::HALVES]:
        if route.startswith(("admin/", "healthz", "readyz", *UNREAD)):
            continue
        if who is not None and "_auth_user_id" not in client.session:  # one of the forms signs out
            client.force_login(getattr(world, who).user)
        tournament = world.waiting if "iscritti" in route or who == "carla" else world.running
        address = fill_route(route, world.known(route, tournament))
        asked = (address, data, URLENCODED) if method == "post" else (f"{address}?{queries}",)
        faults.append(ask(client, method, *asked))
    assert [fault for fault in faults if fault] == []
    assert len(form) > 40


def list_form_names() -> set[str]:
    """The fields of every form of ours, and what views read by themselves."""

    def under(base: type) -> Iterator[type]:
        for form in base.__subclasses__():
            yield form
            yield from under(form)

    fields = {name for form in under(forms.BaseForm) for name in getattr(form, "base_fields", {})}
    return fields | read_names()["POST"]


HEADERS = (
    {"HTTP_USER_AGENT": "x" * 5000},
    {"HTTP_USER_AGENT": "\xff\x7f"},
    {"HTTP_ACCEPT_LANGUAGE": "\x00,it;q=\x00" * 50},
    {"HTTP_HX_TARGET": "\x00"},
    {"HTTP_REFERER": "http://testserver/\x00"},
    {"HTTP_HX_CURRENT_URL": "http://testserver/\x00%00"},
    {"REMOTE_ADDR": "junk"},
    {"REMOTE_ADDR": "\x00"},
    {"REMOTE_ADDR": "1.2.3.4, 5.6.7.8"},
    {"HTTP_X_FORWARDED_FOR": "\x00"},
    {"HTTP_COOKIE": r'sessionid="\000aaaaaaaaaaaa"'},
    {"HTTP_COOKIE": "sessionid=" + "x" * 3000},
    {"HTTP_COOKIE": r'csrftoken="\000"; timezone="\000"; django_language="\000"; messages="\000"; device="\000"'},
    {"HTTP_COOKIE": "=; ;=\x00;\xff=\xff"},
)


@pytest.mark.parametrize("headers", HEADERS, ids=range(len(HEADERS)))
def test_no_header_with_junk_in_it_is_a_fault_of_ours_at8(world: World, headers: dict[str, str]) -> None:
    client = Client()
    sign_up = {"username": "Zeno Zeni", "password1": PASSWORD}
    faults = [
        ask(client, "get", "/", **headers),
        ask(client, "post", "/account/login/", {"login": "carla", "password": PASSWORD}, **headers),
        ask(client, "post", "/gioca-subito/", {}, **headers),
        ask(Client(), "post", "/account/signup/", sign_up, **headers),
        ask(Client(), "post", "/gioca-subito/", {}, **headers),
        ask(Client(), "post", "/account/password/reset/", {"email": "a@example.org"}, **headers),
        ask(Client(), "get", "/api/v1/tournaments/", **headers),
    ]
    assert [fault for fault in faults if fault] == []


@pytest.mark.django_db(transaction=True)
def test_no_cookie_with_junk_in_it_breaks_a_socket_at8(
    live_site: Site, anna: Player, bruno: Player, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    match = open_table([anna, bruno], now)
    with on_site(live_site, f"/ws/tavolo/{match.public_id}/", cookies=r'sessionid="\000aaaaaaaaaaaa"') as socket:
        assert socket.view()["seat"] is None
    assert "Traceback" not in caplog.text
