"""The layout of docs/deploy.md for real: two web processes, two Celery workers, the beat, PostgreSQL and Redis, in
production as shipped, and four people who play a knock-out through both web processes at once.

They speak to the web processes by turns as the proxy would, with its headers, over real sockets. Whatever is drawn, one
match at least is played across the two: the final, or one of those before a final that isn't. This test brings a
PostgreSQL and a Redis of its own, so one run of it is enough, whatever database the other tests use.
"""

import asyncio
import json
import os
import re
import shutil
import signal
import sys
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from subprocess import Popen

import psycopg
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from config.launcher import processes, programs
from config.launcher.redis_server import RedisServer
from config.launcher.statics import STAMP
from tests.flows.people import PASSWORD, Browser, Person, like_the_house
from tests.services import MARK, PostgresServer
from tests.support.live import ROOT, Site
from tests.support.logged_cards import find_cards
from tests.support.pages import TOURNAMENT_FORM
from tests.support.product import find_port, prepared
from tests.support.production import KEY, variables
from tests.support.waiting import PATIENCE, until

NAMES = ("Anna", "Bruno", "Carla", "Dino")
PUBLISH = re.compile(r"/tornei/(\w+)/pubblica/")
VISITOR = re.compile(r"\b198\.51\.100\.\d+")  # by the proxy's word
TOKEN = "0f4c2b9a7d6e1835c0a9f7e4d2b86113"
KO = {
    **TOURNAMENT_FORM,
    "name": "Torneo del giovedì",
    "length_kind": "deals",
    "length_value": "1",
    "start": "full",
    "max_entries": str(len(NAMES)),
}


class BehindProxy(Browser):
    """A visitor whose requests the proxy passes on: https outside, the proxy's headers and plain http inside."""

    def __init__(self, site: Site, address: str) -> None:
        super().__init__(site)
        self.headers = {"X-Forwarded-Proto": "https", "X-Forwarded-For": address}
        self.origin = site.url.replace("http:", "https:")
        self.cookies = CookieJar(DefaultCookiePolicy(secure_protocols=("http", "ws")))
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self._opener.addheaders = [*self.headers.items(), ("Origin", self.origin)]

    @asynccontextmanager
    async def socket(self, path: str) -> AsyncIterator[ClientConnection]:
        headers = {
            **self.headers,
            "Cookie": "; ".join(f"{page_name.name}={page_name.value}" for page_name in self.cookies),
        }
        origin = Origin(self.origin)
        async with connect(
            self.site.ws_url + path,
            origin=origin,
            additional_headers=headers,
            open_timeout=PATIENCE,
            ping_interval=None,
        ) as opened:
            yield opened


@dataclass
class Deployment:
    """The running layout."""

    folder: Path
    env: dict[str, str]
    database: str  # for psycopg
    sites: list[Site] = field(default_factory=list)
    processes: dict[str, Popen[bytes]] = field(default_factory=dict)
    figures: dict[str, Site] = field(default_factory=dict)  # where each process gives its own

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def start(self, name: str, *command: str, **more: str) -> Popen[bytes]:
        env = {**self.env, **more}
        self.processes[name] = processes.spawn([sys.executable, *command], env=env, log=self.log(name), cwd=ROOT)
        return self.processes[name]

    def start_all(self) -> None:
        """Start all in the order of docs/deploy.md, and wait until every web process is ready."""
        code = self.start("prepare", "-m", "config.launcher.prepare").wait(2 * PATIENCE)
        assert code == 0, self.log("prepare").read_text()
        for number in (1, 2):
            site = Site(find_port())
            self.sites.append(site)
            self.figures[f"worker-{number}"] = Site(find_port())
            self.figures[f"web-{number}"] = site
            self.start(f"web-{number}", *programs.WEB, PORT=str(site.port))
            port = str(self.figures[f"worker-{number}"].port)
            self.start(f"worker-{number}", *programs.WORKER, "--hostname", f"worker-{number}@%h", METRICS_PORT=port)
        self.start("beat", *programs.build_beat(self.folder / "beat-schedule"))
        until(lambda: self.ended() or self.ready(), seconds=2 * PATIENCE, what="the sites and the workers to be ready")
        assert not self.ended(), "\n".join(self.log(name).read_text() for name in self.ended())

    def ready(self) -> bool:
        workers = all(" ready." in self.log(f"worker-{number}").read_text() for number in (1, 2))
        return workers and all(ready(site) for site in self.sites)

    def ended(self) -> list[str]:
        """Return the processes that should run and don't."""
        return [name for name, process in self.processes.items() if process.poll() is not None and name != "prepare"]

    def stop(self) -> None:
        for process in self.processes.values():
            processes.signal_group(process, signal.SIGTERM)
        for process in self.processes.values():
            processes.stop(process, patience=10)

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with psycopg.connect(self.database) as connection:
            return connection.execute(query, values).fetchall()  # type: ignore[arg-type]

    def change(self, query: str, *values: object) -> None:
        with psycopg.connect(self.database) as connection:
            connection.execute(query, values)  # type: ignore[arg-type]


def ready(site: Site) -> bool:
    try:
        with urllib.request.urlopen(f"{site.url}/readyz", timeout=PATIENCE) as answer:
            return bool(json.loads(answer.read())["ready"])
    except OSError:  # not there yet, or 503
        return False


@contextmanager
def running(folder: Path) -> Iterator[Deployment]:
    """PostgreSQL, Redis, and on them the whole layout, stopped at the end."""
    with ExitStack() as stack:
        shared = Path(os.environ[MARK]) / f"postgres-{folder.name}"  # the user `nobody` passes through to it
        shared.mkdir()
        postgres = PostgresServer(shared)
        stack.callback(processes.stop, postgres.start(), patience=10)
        redis = RedisServer(folder / "redis", folder / "redis.log")
        stack.callback(processes.stop, redis.start(os.environ), patience=5)
        shutil.copytree(prepared() / "static", folder / "data" / "static")  # collected as at any start before this one
        shutil.copy(prepared() / STAMP, folder / "data" / STAMP)
        env = variables(folder / "data", DATABASE_URL=postgres.url, REDIS_URL=redis.url, ALLOWED_HOSTS="127.0.0.1")
        env["PYTHONWARNINGS"] = "ignore:::celery.platforms"  # of workers as root: so they are here, and nowhere else
        env["METRICS_TOKEN"] = TOKEN
        deployment = Deployment(folder, env, f"host={shared} user=postgres dbname=postgres")
        stack.callback(deployment.stop)
        deployment.start_all()
        yield deployment


async def follow(person: Person, at_page: asyncio.Event, group: asyncio.TaskGroup) -> None:
    """Wait on one's own page for tables to open (W1), and play at each."""
    async with person.browser.socket("/ws/persona/") as page:
        assert json.loads(await page.recv()) == {"t": "hello"}
        at_page.set()
        async for text in page:
            notice = json.loads(text)
            if notice["t"] == "table":
                group.create_task(person.sit(notice["url"].strip("/").split("/")[-1], like_the_house))


async def over(person: Person, tournament: str) -> str:
    """Stay on the tournament's page until it says who won (W3); that page."""
    async with person.browser.socket(f"/ws/tornei/{tournament}/") as socket:
        async for _ in socket:
            page = await asyncio.to_thread(person.browser.get, f"/tornei/{tournament}/")
            if "Ha vinto" in page:
                return page
    raise AssertionError("the page's socket was closed")


async def play(people: list[Person], tournament: str) -> str:
    """Play the tournament from the first entry to its end."""
    async with asyncio.timeout(2 * PATIENCE), asyncio.TaskGroup() as group:
        last_page = group.create_task(over(people[0], tournament))
        pages = []
        for person in people:
            at_page = asyncio.Event()
            pages.append(group.create_task(follow(person, at_page, group)))
            await at_page.wait()
        for person in people:
            await asyncio.to_thread(person.enter, tournament)
        page = await last_page
        for page_name in pages:
            page_name.cancel()
        return page


@pytest.mark.soak  # each kind of process is tried by itself at every run, the layout by `make bare`, too
def test_a_tournament_is_played_through_two_web_processes_and_two_workers(tmp_path: Path) -> None:
    with running(tmp_path) as deployment:
        people = [
            Person(name, BehindProxy(deployment.sites[number % 2], f"198.51.100.{number + 1}"))
            for number, name in enumerate(NAMES)
        ]
        for person in people:
            person.sign_up()
        anna = people[0].browser
        form = {name: str(value) for name, value in KO.items() if value is not None}
        made = PUBLISH.search(anna.submit("/tornei/nuovo/", "/tornei/nuovo/", **form))
        assert made
        tournament = made[1]
        # No need to make this test wait between the rounds.
        deployment.change("UPDATE tournaments_tournament SET pause = 1 WHERE public_id = %s", tournament)
        anna.submit(f"/tornei/{tournament}/", f"/tornei/{tournament}/pubblica/")

        page = asyncio.run(play(people, tournament))

        assert any(f"Ha vinto {name}" in " ".join(re.sub("<[^>]+>", " ", page).split()) for name in NAMES)
        check_the_database(deployment, tournament)
        check_that_both_sites_say_the_same(deployment, tournament)
        check_the_figures(deployment)
        assert deployment.ended() == []
        cookies = [cookie for person in people for cookie in person.browser.cookies]
        assert {cookie.name for cookie in cookies} >= {"__Host-sessionid", "__Host-csrftoken"}
        assert all(cookie.secure for cookie in cookies)
        check_the_logs(deployment, [cookie.value or "" for cookie in cookies])


def check_the_database(deployment: Deployment, tournament: str) -> None:
    """Matches of one whole deal, every one told to the tournament, nobody left sitting."""
    matches = deployment.rows(
        "SELECT m.id, m.status, m.settled_at IS NOT NULL, f.state FROM tournaments_fixture f"
        " JOIN games_match m ON m.id = f.match_id JOIN tournaments_round r ON r.id = f.round_id"
        " JOIN tournaments_tournament t ON t.id = r.tournament_id"
        " WHERE t.public_id = %s",
        tournament,
    )
    assert [row[1:] for row in matches] == [("finished", True, "done")] * (len(NAMES) - 1)
    for match, *_ in matches:
        plies = deployment.rows(
            "SELECT d.id, count(*) FROM games_deal d JOIN games_move m ON m.deal_id = d.id WHERE d.match_id = %s"
            " GROUP BY d.id",
            match,
        )
        assert plies
        assert {count for _, count in plies} == {36}
    live = "SELECT s.id FROM games_seat s JOIN players_player p ON p.id = s.player_id WHERE s.live AND p.name = ANY(%s)"
    assert deployment.rows(live, list(NAMES)) == []


def check_that_both_sites_say_the_same(deployment: Deployment, tournament: str) -> None:
    pages = []
    for site in deployment.sites:
        page = BehindProxy(site, "198.51.100.9").get(f"/tornei/{tournament}/")
        assert "Ha vinto" in page
        masked = re.sub(r'(nonce|csrfmiddlewaretoken|value)="[^"]*"', "", page.replace(str(site.port), ""))
        pages.append(re.sub(r"<(script|meta)[^>]*>.*", "", masked))
    assert pages[0] == pages[1]


def read_figures(site: Site) -> str:
    request = urllib.request.Request(f"{site.url}/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def check_the_figures(deployment: Deployment) -> None:
    """Each process tells its own: both web processes stored moves and answered them, both workers swept."""
    bodies = {name: read_figures(site) for name, site in deployment.figures.items()}
    for name, body in bodies.items():
        figures = dict(re.findall(r"^(\S+) (\S+)$", body, re.MULTILINE))
        expected = (
            ("moves_total", "ack_seconds_count")
            if name.startswith("web")
            else ('sweep_round_seconds_count{thread="sweep-turns"}',)
        )
        for figure in expected:
            assert float(figures[f"smazzata_{figure}"]) > 0, (name, figure)
        assert not find_people(body), name


def find_people(text: str) -> list[str]:
    """Return what names a person in a text, or where they are."""
    names = [name for name in NAMES if re.search(rf"\b{name}\b", text, re.IGNORECASE)]
    return [*names, *VISITOR.findall(text)]


def check_the_logs(deployment: Deployment, cookies: list[str]) -> None:
    """No tracebacks, no cards (N2), nobody's name or address, nothing that lets anybody in; each line is JSON."""
    secrets = [KEY, PASSWORD, TOKEN, *(value for value in cookies if value), "deck"]
    for name in deployment.processes:
        text = deployment.log(name).read_text()
        assert text or name in ("prepare", "beat"), name
        assert "Traceback" not in text, text
        assert find_cards(text) == [], name
        assert find_people(text) == [], text
        lines = text.splitlines() if name != "prepare" else []  # which speaks to a person
        assert [line for line in lines if not line.startswith("{")] == [], name
        events = [json.loads(line) for line in lines]
        assert all({"timestamp", "level", "logger", "event"} <= set(event) for event in events), name
        assert not [secret for secret in secrets if secret in text], name


def test_the_check_of_the_logs_would_find_a_card_and_a_deck() -> None:
    assert find_cards("INFO games: 0 play 7c x 4d 3s") == ["7c", "4d", "3s"]
    assert find_cards("stored 7c4d3sAd for the deal") == ["7c4d3s"]


def test_the_check_of_the_logs_would_find_a_person() -> None:
    assert find_people('{"event": "seated anna"}') == ["Anna"]
    assert find_people("('198.51.100.2', 0) - \"WebSocket /ws/persona/\" [accepted]") == ["198.51.100.2"]
