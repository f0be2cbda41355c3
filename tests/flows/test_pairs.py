"""Two pairs from registration to ranks over real sockets: asked by name and by link, seated face to face, counted.

Tables are opened by a real Celery worker; people hear of everything on their own pages' sockets.
"""

import asyncio
import json
import re
from subprocess import Popen

import pytest
from django.core.cache import cache
from django.utils import timezone

from games.models import Match, Seat
from players.models import Player
from players.realtime import db_executor
from tests.flows.people import Browser, Json, Person, like_the_house
from tests.flows.secrecy import expect_nothing_hidden_was_sent
from tests.support.live import Site
from tests.support.waiting import PATIENCE, until
from tournaments.models import Entry, Fixture, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

NAMES = ("Anna", "Bruno", "Carla", "Dino")
pytestmark = [pytest.mark.process("flows")]

LINK = re.compile(r"/tornei/\w+/coppia/[0-9a-f]{32}/")
ENTRY = re.compile(r'name="entry" value="(\d+)"')
GIRONE = Settings(
    name="Girone di due coppie",
    format="girone",
    ruleset="tresette",
    seats_an_entry=2,
    length_kind="deals",
    length_value=1,
    pause=1,
    max_entries=2,
)


async def heard(person: Person, at_page: asyncio.Event) -> tuple[list[str], Json]:
    """Return the notices' codes of a person's page until a table opens, and the last view once it is played to
    its end."""
    codes: list[str] = []
    async with person.browser.socket("/ws/persona/") as page:
        assert json.loads(await page.recv()) == {"t": "hello"}
        at_page.set()
        while (notice := json.loads(await page.recv()))["t"] != "table":
            codes.append(notice["code"])
        return codes, await person.sit(notice["url"].strip("/").split("/")[-1], like_the_house)


def enter(people: dict[str, Person], tournament: str) -> None:
    """Anna asks Bruno by name, Carla sends Dino a link."""
    page = f"/tornei/{tournament}/"
    anna, bruno, carla, dino = (people[name].browser for name in NAMES)
    anna.submit(f"{page}coppia/", f"{page}coppia/", partner="bruno")
    asked = ENTRY.search(bruno.get("/"))
    assert asked, "every open page shows that Bruno is asked"
    bruno.submit("/", f"{page}coppia/risposta/", entry=asked[1], si="")
    link = LINK.search(carla.submit(f"{page}coppia/", f"{page}coppia/", link=""))
    assert link
    dino.submit(link[0], link[0])


async def story(people: dict[str, Person], tournament: str) -> dict[str, tuple[list[str], Json]]:
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        notices = {}
        for name, person in people.items():
            at_page = asyncio.Event()
            notices[name] = group.create_task(heard(person, at_page))
            await at_page.wait()
        await asyncio.to_thread(enter, people, tournament)
    return {name: task.result() for name, task in notices.items()}


def test_two_pairs_play_a_girone_from_the_invitation_to_the_ranks(live_site: Site, celery_worker: Popen[bytes]) -> None:
    cache.clear()  # the limits on sign-ups from one address
    people = {name: Person(name, Browser(live_site)) for name in NAMES}
    for person in people.values():
        person.sign_up()
    anna = Player.objects.get(name="Anna")
    made = lifecycle.create_tournament(organiser=anna, settings=GIRONE, now=timezone.now())
    lifecycle.publish_tournament(tournament_id=made.pk, by=anna, now=timezone.now())
    try:
        notices = asyncio.run(story(people, made.public_id))
    finally:
        db_executor.shut_down()

    assert {name: codes for name, (codes, _view) in notices.items()} == {
        "Anna": ["pair_confirmed", "drawn"],
        "Bruno": ["invited", "drawn"],
        "Carla": ["pair_confirmed", "drawn"],
        "Dino": ["drawn"],
    }
    views = {name: view for name, (_codes, view) in notices.items()}
    assert {views["Anna"]["seat"], views["Bruno"]["seat"]} in ({0, 2}, {1, 3}), "partners face each other (R1, G2)"
    assert {view["seat"] for view in views.values()} == {0, 1, 2, 3}
    for person in people.values():
        expect_nothing_hidden_was_sent(person)

    # The table shows its result before the tournament has heard of it.
    ended = Tournament.objects.filter(pk=made.pk, state=Tournament.State.FINISHED)
    until(ended.exists, what="the tournament is finished")
    match, fixture = Match.objects.get(), Fixture.objects.get()
    assert match.score_0 + match.score_1 == 11  # T4
    assert (fixture.mp_0, fixture.mp_1) == (match.score_0 - match.score_1, match.score_1 - match.score_0)
    assert (fixture.vp_0 or 0) + (fixture.vp_1 or 0) == 20
    assert sorted(Entry.objects.values_list("rank", flat=True)) == [1, 2]
    assert not Seat.objects.filter(live=True).exists()
