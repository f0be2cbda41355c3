"""Public pages from memory (SP10): as Django would make them, never another reader's, never of a version before."""

import asyncio
import re
import urllib.error
import urllib.request
from datetime import datetime
from email.message import Message
from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.sync import async_to_sync
from django.core.asgi import get_asgi_application
from django.db import OperationalError
from django.test import Client
from prometheus_client import REGISTRY

from config import page_cache
from config.page_cache import CROWD, HOUR, LATE_SECONDS, MAX_AGE_SECONDS, TOKEN, PageCache, VersionReader
from players.models import Player
from players.realtime import db_executor
from tests.support.live import Site
from tests.support.pages import tournament_url
from tests.support.people import sign_in
from tests.support.sockets import join_cookies
from tests.support.thorough import tries
from tests.support.tournaments import GIRONE, Opened
from tests.support.waiting import PATIENCE, until
from tournaments.entries import join
from tournaments.models import Tournament
from tournaments.pages.public_addresses import find_public_page

pytestmark = pytest.mark.django_db(transaction=True)

NONCE = rb'nonce="([^"]+)"'


def get(site: Site, address: str, **headers: str) -> tuple[int, Message, bytes]:
    asked = urllib.request.Request(site.url + address, headers=headers)
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


def count_kept() -> float:
    return REGISTRY.get_sample_value("smazzata_pages_from_memory_total") or 0.0


def mask(body: bytes) -> bytes:
    """Leave out of a page what is each reader's own."""
    return re.sub(NONCE, b"nonce", re.sub(TOKEN, b"token", re.sub(HOUR, b"hour", body)))


@pytest.fixture
def drawn(opened: Opened, four: list[Player], now: datetime) -> Tournament:
    """A girone whose first round is being played."""
    tournament = opened(GIRONE)
    for player in four:
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
    tournament.refresh_from_db()
    assert tournament.drawn_at is not None
    return tournament


def test_a_second_visitor_is_answered_from_memory_with_what_is_their_own(live_site: Site, drawn: Tournament) -> None:
    address = tournament_url("tournament", drawn)
    _, first_head, first = get(live_site, address)
    before = count_kept()
    status, head, second = get(live_site, address)
    assert (status, count_kept() - before) == (200, 1)
    assert mask(first) == mask(second)
    (nonce,) = set(re.findall(NONCE, second))
    assert f"'nonce-{nonce.decode()}'" in head["Content-Security-Policy"]
    assert nonce not in first
    assert head["Set-Cookie"] != first_head["Set-Cookie"]
    assert int(head["Content-Length"]) == len(second)

    def choose_language(cookie: str, body: bytes) -> int:
        form = {"language": "en", "next": "/", "csrfmiddlewaretoken": re.findall(TOKEN, body)[0].decode()}
        asked = urllib.request.Request(
            f"{live_site.url}/lingua/", data=urlencode(form).encode(), headers={"Cookie": cookie.partition(";")[0]}
        )
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code

    assert choose_language(head["Set-Cookie"], second) == 200
    assert choose_language(first_head["Set-Cookie"], second) == 403, "a token fits the cookie it came with"
    _, again_head, third = get(live_site, address, Cookie=head["Set-Cookie"].partition(";")[0])
    assert again_head["Set-Cookie"].partition(";")[0] == head["Set-Cookie"].partition(";")[0], "a cookie stays"
    assert choose_language(head["Set-Cookie"], third) == 200


READERS: list[dict[str, str]] = [
    {},
    {"Accept-Language": "en-GB,en;q=0.8"},
    {"Accept-Language": "de"},
    {"Cookie": "django_language=en", "Accept-Language": "it"},
    {"Cookie": "timezone=America/New_York"},
    {"Cookie": "timezone=Nowhere/Land; other=1"},
    {"HX-Target": "live", "HX-Request": "true"},
]


@pytest.mark.parametrize("page", tries(["tournament", "ranks"], ["tournament", "standings", "ranks"]))
def test_every_reader_is_shown_what_django_would_show(live_site: Site, drawn: Tournament, page: str) -> None:
    """Asked after all the others' pages have been kept, in one order and the other."""
    address = tournament_url(page, drawn)
    for reader in (*READERS, {"Accept-Language": "en"}, {"HX-Target": "live"}):
        get(live_site, address, **reader)
    for reader in reversed(READERS):
        made = Client().get(address, headers=reader, SERVER_NAME="127.0.0.1", SERVER_PORT=str(live_site.port))
        for other in ({}, reader):
            status, head, body = get(live_site, address, **other)
        assert status == made.status_code == 200, reader
        assert mask(body) == mask(made.content), reader
        for name in ("Content-Language", "Content-Type", "Cache-Control", "Vary", "X-Frame-Options", "Referrer-Policy"):
            assert head.get(name) == made.headers.get(name), (name, reader)


def test_the_numbers_of_an_address_count_and_what_nobody_reads_does_not(live_site: Site, drawn: Tournament) -> None:
    address = tournament_url("tournament", drawn)
    whole = mask(get(live_site, address)[2])
    before = count_kept()
    assert mask(get(live_site, f"{address}?utm_source=chat&fbclid=1")[2]) == whole
    assert count_kept() == before + 1
    assert find_public_page(address, "turno=2&x=1&pagina=1") == (drawn.public_id, "pagina=1&turno=2")
    assert find_public_page(address, "turno=1&turno=2") == (drawn.public_id, "turno=2"), "the last, as Django reads it"
    for asked in ("nome=anna", "tema=dark", "turno=-1", "turno=²", "pagina=123456"):
        assert find_public_page(address, asked) is None, asked
    for other in ("/", address + "arbitro/", address + "chiave/", "/tornei/nuovo/x/", address.upper()):
        assert find_public_page(other, "") is None, other


def test_a_live_region_is_never_older_than_the_hint_and_a_page_follows(
    live_site: Site, opened: Opened, anna: Player, bruno: Player, now: datetime
) -> None:
    tournament = opened(GIRONE)
    address = tournament_url("tournament", tournament)
    for player in (anna, bruno):
        name = player.name.encode()
        assert name not in get(live_site, address)[2]
        assert name not in get(live_site, address, **{"HX-Target": "live"})[2]
        join.enter_player(tournament_id=tournament.pk, player=player, now=now)
        assert name in get(live_site, address, **{"HX-Target": "live"})[2]
        until(lambda name=name: name in get(live_site, address)[2], what="the page of now")  # type: ignore[misc]


def test_a_reader_with_an_account_is_answered_by_django_and_nobody_else_is_shown_it(
    live_site: Site, drawn: Tournament, anna: Player
) -> None:
    address = tournament_url("tournament", drawn)
    cookies = join_cookies(sign_in(anna))
    before = count_kept()
    for _ in range(2):
        assert b'class="who-name"' in get(live_site, address, Cookie=cookies)[2]
        assert b'class="who-name"' not in get(live_site, address)[2]
    assert count_kept() == before + 1
    get(live_site, address, Cookie="messages=x")
    assert count_kept() == before + 1, "a message waits for this reader"


def test_what_visitors_may_not_see_is_not_found(live_site: Site, drawn: Tournament) -> None:
    address = tournament_url("tournament", drawn)
    assert get(live_site, address)[0] == 200
    Tournament.objects.filter(pk=drawn.pk).update(state=Tournament.State.DRAFT)
    assert get(live_site, address)[0] == 404
    assert get(live_site, "/tornei/0000/")[0] == 404


def test_while_the_versions_cannot_be_read_django_answers(
    live_site: Site, drawn: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(public_ids: object) -> dict[str, int]:
        raise OperationalError("the database is away")

    from config.asgi import pages as cache

    address = tournament_url("tournament", drawn)
    whole = get(live_site, address)[2]
    monkeypatch.setattr(cache._versions, "_read", fail)
    before = count_kept()
    assert mask(get(live_site, address)[2]) == mask(whole)
    assert count_kept() == before


class Asked:
    """Django, with a count of what it was asked, and what it adds to each answer."""

    def __init__(self, *more: tuple[bytes, bytes]) -> None:
        self.count, self.more, self.site = 0, more, get_asgi_application()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.count += 1

        async def add(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *self.more]}
            await send(message)

        await self.site(scope, receive, add)


def make_scope(address: str) -> Any:
    return {
        "type": "http", "method": "GET", "path": address, "query_string": b"", "scheme": "http",
        "headers": [(b"host", b"127.0.0.1")], "client": ("192.0.2.1", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip


def ask(cache: PageCache, address: str, times: int = 0) -> list[Any]:
    """Ask as a server does; what was sent. With ``times`` so many ask at once, and what was sent to each."""

    async def ask_one() -> list[Any]:
        sent: list[Any] = []
        coming = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Any:
            for message in coming:
                return message
            await asyncio.Event().wait()  # nobody hangs up

        async def send(message: Any) -> None:
            sent.append(message)

        await cache(make_scope(address), receive, send)
        return sent

    async def ask_all() -> list[list[Any]]:
        return await asyncio.gather(*(ask_one() for _ in range(times or 1)))

    answers = async_to_sync(ask_all)()
    return answers if times else answers[0]


def test_a_page_is_made_anew_after_some_seconds_and_for_a_new_version(drawn: Tournament) -> None:
    hour = [0.0]
    site = Asked()
    cache = PageCache(site, lambda: hour[0])  # type: ignore[arg-type]
    address = tournament_url("tournament", drawn)
    counts = []
    for seconds in (0.0, MAX_AGE_SECONDS - 1, MAX_AGE_SECONDS + 1, MAX_AGE_SECONDS + 2):
        hour[0] = seconds
        ask(cache, address)
        counts.append(site.count)
    assert counts == [1, 1, 2, 2]
    hour[0] += LATE_SECONDS
    Tournament.objects.filter(pk=drawn.pk).update(name="Altro nome", version=98)
    assert b"Altro nome" in ask(cache, address)[-1]["body"]
    assert site.count == 3
    db_executor.shut_down()


@pytest.mark.parametrize("waiting", [CROWD, CROWD + 5])
def test_while_a_crowd_waits_for_a_page_the_next_are_shown_the_one_before(drawn: Tournament, waiting: int) -> None:
    hour = [0.0]
    site = Asked()
    cache = PageCache(site, lambda: hour[0])  # type: ignore[arg-type]
    address = tournament_url("tournament", drawn)
    ask(cache, address)
    Tournament.objects.filter(pk=drawn.pk).update(name="Altro nome", version=98)
    hour[0] = LATE_SECONDS / 2
    shown = [b"Altro nome" in sent[-1]["body"] for sent in ask(cache, address, times=waiting)]
    assert sorted(shown) == [False] * (waiting - CROWD) + [True] * CROWD
    assert site.count == 2, "it was made once for all"
    db_executor.shut_down()


@pytest.mark.parametrize("patience", [60.0, 0.0])
async def test_pages_are_made_one_after_the_other_unless_one_takes_too_long(
    monkeypatch: pytest.MonkeyPatch, patience: float
) -> None:
    monkeypatch.setattr(page_cache, "TURN_SECONDS", patience)
    making, most = 0, 0
    all_begun = asyncio.Event()

    async def site(scope: Any, receive: Any, send: Any) -> None:
        nonlocal making, most
        making += 1
        most = max(most, making)
        if making == 3:
            all_begun.set()
        if patience:
            await asyncio.sleep(0)
        else:
            await all_begun.wait()  # the first ends only once the others have been let past it
        making -= 1
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"page"})

    cache = PageCache(site)  # type: ignore[arg-type]
    cache._versions = VersionReader(lambda public_ids: dict.fromkeys(public_ids, 1))
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await asyncio.gather(*(cache(make_scope(f"/tornei/{name}/"), None, send) for name in "abc"))  # type: ignore[arg-type]
    assert [message["body"] for message in sent if "body" in message] == [b"page"] * 3
    assert most == (1 if patience else 3)
    db_executor.shut_down()


async def test_what_is_being_made_at_the_end_is_finished_though_nobody_waits_for_it() -> None:
    """A process that ends leaves no page half made, nor a read that would open a connection again."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def site(scope: Any, receive: Any, send: Any) -> None:
        begun.set()
        await asyncio.sleep(0.05)
        ended.set()
        await send({"type": "http.response.start", "status": 500, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    cache = PageCache(site)  # type: ignore[arg-type]
    cache._versions = VersionReader(lambda public_ids: dict.fromkeys(public_ids, 1))
    asking = asyncio.create_task(cache(make_scope("/tornei/abc/"), None, None))  # type: ignore[arg-type]
    await begun.wait()
    asking.cancel()
    await cache.finish()
    assert ended.is_set()
    db_executor.shut_down()


def test_an_answer_that_sets_a_cookie_of_its_reader_is_never_kept(drawn: Tournament) -> None:
    site = Asked((b"Set-Cookie", b"sessionid=anna; Path=/"))
    cache = PageCache(site)  # type: ignore[arg-type]
    for number in range(3):
        ask(cache, tournament_url("tournament", drawn))
        assert site.count == 2 * (number + 1), "once to see whether it may be kept, once for whoever asks"
    db_executor.shut_down()


def test_a_page_whose_version_is_not_asked_for_is_caught(
    drawn: Tournament, anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cache, "read_versions", lambda public_ids: dict.fromkeys(public_ids, 1))
    cache = PageCache(get_asgi_application())  # type: ignore[arg-type]
    address = tournament_url("tournament", drawn)
    ask(cache, address)
    Tournament.objects.filter(pk=drawn.pk).update(name="Altro nome", version=99)
    assert b"Altro nome" not in ask(cache, address)[-1]["body"]
    db_executor.shut_down()
