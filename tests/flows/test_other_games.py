"""A KO of Briscola and one of Scopone, over real sockets, from the draw to the ranks: finals, in the soak KOs of four.

Tables are opened by a real Celery worker, hints go through a real Redis. Everybody plays as the house would, on what
they are sent; a visitor watches. Briscola's matches are of two deals, so that some are level and go on (G7).
"""

import asyncio
import json
from dataclasses import replace
from subprocess import Popen

import pytest
from django.core.cache import cache
from django.utils import timezone

from games.models import Match, Seat
from players.models import Player
from players.realtime import db_executor
from records.results import replay_record
from tests.flows.people import Browser, Json, Person, like_the_house
from tests.flows.secrecy import expect_nothing_hidden_was_sent
from tests.support.live import Site
from tests.support.thorough import tries
from tests.support.waiting import PATIENCE
from tournaments.entries import join, pairs
from tournaments.models import Entry, Fixture, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

pytestmark = [pytest.mark.process("flows")]

NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elena", "Fabio", "Gina", "Ivo")
ENTRIES = tries(2, 4)
KO = Settings(name="KO", format="ko", ruleset="briscola", length_kind="deals", length_value=2, pause=1,
              max_entries=ENTRIES)  # fmt: skip
IN_PAIRS = replace(KO, ruleset="scopone", length_value=1, seats_an_entry=2)


async def play_on(person: Person, at_page: asyncio.Event, group: asyncio.TaskGroup) -> None:
    """Wait on one's own page for tables to open, and play at each."""
    async with person.browser.socket("/ws/persona/") as page:
        assert json.loads(await page.recv()) == {"t": "hello"}
        at_page.set()
        while True:
            notice: Json = json.loads(await page.recv())
            if notice["t"] == "table":
                group.create_task(person.sit(notice["url"].strip("/").split("/")[-1], like_the_house))


def is_over(public_id: str) -> bool:
    return Tournament.objects.get(public_id=public_id).state == Tournament.State.FINISHED


async def run(people: list[Person], visitor: Browser, tournament: str, enter: object) -> None:
    """Run from the first entry until the tournament's page says that it is over."""
    async with asyncio.timeout(tries(1.5, 5) * PATIENCE), asyncio.TaskGroup() as group:
        async with visitor.socket(f"/ws/tornei/{tournament}/") as page:
            pages = []
            for person in people:
                at_page = asyncio.Event()
                pages.append(group.create_task(play_on(person, at_page, group)))
                await at_page.wait()
            await db_executor.run(enter)
            while not await db_executor.run(is_over, tournament):
                await page.recv()
        for task in pages:
            task.cancel()


@pytest.mark.rule("BR4", "SC2", "V4")
@pytest.mark.parametrize("settings", [KO, IN_PAIRS], ids=lambda settings: settings.ruleset)
def test_a_ko_is_played_from_the_draw_to_the_ranks(
    live_site: Site, celery_worker: Popen[bytes], settings: Settings
) -> None:
    cache.clear()  # the limits on sign-ups from one address
    people = [Person(name, Browser(live_site)) for name in NAMES[: ENTRIES * settings.seats_an_entry]]
    for person in people:
        person.sign_up()
    players = [Player.objects.get(name=person.name) for person in people]
    made = lifecycle.create_tournament(organiser=players[0], settings=settings, now=timezone.now())
    lifecycle.publish_tournament(tournament_id=made.pk, by=players[0], now=timezone.now())

    def enter() -> None:
        for player in players[:ENTRIES]:
            if settings.seats_an_entry == 1:
                join.enter_player(tournament_id=made.pk, player=player, now=timezone.now())
        for first, second in zip(players[:ENTRIES], players[ENTRIES:], strict=False):
            pairs.enter_pair(tournament_id=made.pk, player=first, partner=second.name, now=timezone.now())
            pairs.enter_pair(tournament_id=made.pk, player=second, partner=first.name, now=timezone.now())

    try:
        asyncio.run(run(people, Browser(live_site), made.public_id, enter))
    finally:
        db_executor.shut_down()

    matches = list(Match.objects.all())
    assert len(matches) == ENTRIES - 1
    visitor = Browser(live_site)
    for match in matches:
        result = replay_record(json.loads(visitor.get(f"/partite/{match.public_id}/verbale.json")))
        assert result["complete"]
        assert result["score"] == [match.score_0, match.score_1]
        assert (result["winner"], result["decided_by"]) == (match.winner, match.decided_by)
        assert match.decided_by in {"points", "tie_break_1", "tie_break_2", "tie_break_3", "tie_break_last_trick"}
    assert Fixture.objects.filter(round__tournament=made, state="done").count() == ENTRIES - 1
    assert sorted(Entry.objects.values_list("rank", flat=True)) == [1, 2, 3, 3][:ENTRIES]
    for person in people:
        assert person.seen
        expect_nothing_hidden_was_sent(person)
    assert not Seat.objects.filter(live=True).exists()
