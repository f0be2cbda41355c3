"""Two whole tournaments over real sockets, from registration to ranks: a KO at Scopa (of 4, in the soak of 7), and a
girone of 3 at Tresette.

The web server runs in a thread of this process, so that the story can choose the deck; deadlines, openings and no-shows
are the business of a real Celery worker, hints go through a real Redis. Nobody waits for a time: people wait for what
they are sent. One match is lost by a no-show, one by a turn timeout, one by abandoning, and one KO match ends level,
in the soak as does its first tie-break deal.
"""

import asyncio
import json
import re
from collections import Counter
from dataclasses import replace
from subprocess import Popen
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from games import locked_match
from games.models import Deal, Match, Seat
from players.models import Player
from players.realtime import db_executor
from records.results import replay_record
from tests.flows.people import Browser, Json, Manner, Person, Seen, arrange, like_the_house
from tests.flows.scripts import stacked_deck
from tests.flows.secrecy import expect_nothing_hidden_was_sent, list_secrets, read_history
from tests.support.decks import deal_without_secret
from tests.support.live import Site
from tests.support.thorough import tries
from tests.support.waiting import PATIENCE
from tournaments.models import Entry, Fixture, LogEntry, Round, Tournament
from tournaments.organise import lifecycle
from tournaments.organise.settings import Settings

KO_NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elena", "Fabio", "Gina")[: tries(4, 7)]
LEVEL_DEALS = tries(1, 2)  # of the match that ends level
GIRONE_NAMES = ("Ida", "Luca", "Mara")
pytestmark = [pytest.mark.process("flows")]

TABLE_LINK = re.compile(r"/tavoli/(\w+)/")
CLOCKS: dict[str, Any] = {"turn_timeout": 20, "match_clock": 600, "noshow_after": 20, "pause": 1}

KO = Settings(
    name="KO",
    format="ko",
    ruleset="scopa",
    length_kind="deals",
    length_value=1,
    max_entries=len(KO_NAMES),
    **CLOCKS,
)
GIRONE = Settings(
    name="Girone di tre",
    format="girone",
    ruleset="tresette",
    length_kind="deals",
    length_value=1,
    max_entries=3,
    **CLOCKS,
)

ABSENT = None  # instead of a manner: does not come to the table


def leaves_in_the_second_hand(frame: Json) -> str:
    return "abandon" if frame["stock"] <= 24 else like_the_house(frame)


def falls_asleep(frame: Json) -> str | None:
    return None if frame["hands"][frame["seat"]]["count"] < 10 or frame["stock"] < 18 else like_the_house(frame)


# What happens at which table, by format, round and board: the manners of seats 0 and 1. Elsewhere both play on.
NO_SHOW, LEVEL, LEFT = tries(((1, 1), (1, 2), (2, 1)), ((1, 2), (1, 3), (2, 1)))  # round and board of the KO
SCENES: dict[tuple[str, int, int], tuple[Manner | None, Manner | None]] = {
    ("ko", *NO_SHOW): (like_the_house, ABSENT),
    ("ko", *LEVEL): (arrange(LEVEL_DEALS),) * 2,
    ("ko", *LEFT): (leaves_in_the_second_hand, like_the_house),
    ("girone", 1, 2): (like_the_house, falls_asleep),
}


class Story:
    """The people, the two tournaments, and what happens while they last."""

    def __init__(self, site: Site) -> None:
        self.visitor = Person("a visitor", Browser(site))
        self.players = {name: Person(name, Browser(site)) for name in (*KO_NAMES, *GIRONE_NAMES)}

    def prepare(self) -> tuple[str, str]:
        """Sign everybody up; as Anna set both tournaments up and open the registration. Return their public ids."""
        for person in self.players.values():
            person.sign_up()
        anna = Player.objects.get(name="Anna")
        made = [
            lifecycle.create_tournament(organiser=anna, settings=chosen, now=timezone.now()) for chosen in (KO, GIRONE)
        ]
        for tournament in made:
            page = f"/tornei/{tournament.public_id}/"
            self.players["Anna"].browser.submit(page, f"{page}pubblica/")
        return made[0].public_id, made[1].public_id

    async def run(self, ko: str, girone: str) -> None:
        """Run from the first entry until both tournaments say that they are over and every match was seen to its
        end."""
        async with asyncio.timeout(tries(1.5, 5) * PATIENCE), asyncio.TaskGroup() as group:
            over = [group.create_task(self._watch(event, group)) for event in (ko, girone)]
            pages = []
            for person in self.players.values():
                at_page = asyncio.Event()
                pages.append(group.create_task(self._follow(person, at_page, group)))
                await at_page.wait()
            for tournament, names in ((ko, KO_NAMES), (girone, GIRONE_NAMES)):
                for name in names:
                    await asyncio.to_thread(self.players[name].enter, tournament)
            for task in over:
                await task
            for page in pages:
                page.cancel()

    async def _follow(self, person: Person, at_page: asyncio.Event, group: asyncio.TaskGroup) -> None:
        """Wait on one's own page for tables to open, and play at each (W1)."""
        async with person.browser.socket("/ws/persona/") as page:
            assert json.loads(await page.recv()) == {"t": "hello"}
            at_page.set()
            while True:
                notice = json.loads(await page.recv())
                if notice["t"] == "table":
                    public_id = notice["url"].strip("/").split("/")[-1]
                    manner = await db_executor.run(manner_of, public_id, person.name)
                    if manner is not ABSENT:
                        group.create_task(person.sit(public_id, manner))

    async def _watch(self, tournament: str, group: asyncio.TaskGroup) -> None:
        """A visitor stays on the tournament's page until it says that it is over, and looks in at every table (W3)."""
        path, tables = f"/tornei/{tournament}/", set[str]()
        async with self.visitor.browser.socket(f"/ws{path}") as socket:
            while True:
                assert json.loads(await socket.recv())["t"] == "changed"
                page = await asyncio.to_thread(self.visitor.browser.get, path)
                for public_id in set(TABLE_LINK.findall(page)) - tables:
                    tables.add(public_id)
                    group.create_task(self.visitor.sit(public_id, lambda frame: None))
                if "Ha vinto" in page:
                    return


def manner_of(public_id: str, name: str) -> Manner | None:
    """Return how this person behaves at this table. The story looks this up: people don't know it."""
    fixture = Fixture.objects.select_related("round__tournament").get(match__public_id=public_id)
    scene = (fixture.round.tournament.format, fixture.round.number, fixture.board)
    seat = Seat.objects.get(match__public_id=public_id, player__name=name).number
    return SCENES.get(scene, (like_the_house, like_the_house))[seat]


@pytest.mark.long("two whole tournaments, of seven people at real sockets")
def test_a_ko_and_a_girone_run_from_registration_to_final_ranks(
    live_site: Site, celery_worker: Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_without_secret(monkeypatch)  # whoever opens the table
    monkeypatch.setattr(locked_match, "shuffle_deck", lambda: list(stacked_deck()))
    cache.clear()  # the limits on sign-ups from one address
    story = Story(live_site)
    ko, girone = story.prepare()
    try:
        asyncio.run(story.run(ko, girone))
    finally:
        db_executor.shut_down()

    check_the_ko(Tournament.objects.get(public_id=ko))
    check_the_girone(Tournament.objects.get(public_id=girone))
    for match in Match.objects.all():
        check_the_result(match, story.visitor.browser)
    assert len([person for person in story.players.values() if not person.seen]) == 1  # who didn't show up
    for person in (*story.players.values(), story.visitor):
        expect_nothing_hidden_was_sent(person)
    check_that_a_leak_would_be_found(story.players["Ida"])
    assert not Seat.objects.filter(live=True).exists()
    assert not Match.objects.exclude(deadline_at=None, noshow_at=None, bot_due_at=None).exists()


def fixture_at(tournament: Tournament, round_: int, board: int) -> Fixture:
    fixtures = Fixture.objects.select_related("match", "first", "second")
    return fixtures.get(round__tournament=tournament, round__number=round_, board=board)


def check_the_ko(tournament: Tournament) -> None:
    assert tournament.state == Tournament.State.FINISHED
    states = Counter(Fixture.objects.filter(round__tournament=tournament).values_list("state", flat=True))
    assert states == tries({"done": 3}, {"bye": 1, "done": 6})  # K2
    no_show, level, left = (fixture_at(tournament, *place) for place in (NO_SHOW, LEVEL, LEFT))
    assert (no_show.decided_by, no_show.winner, no_show.forfeit_by) == ("noshow", 0, 1)
    assert (left.decided_by, left.winner, left.forfeit_by) == ("abandon", 1, 0)
    assert (level.decided_by, level.winner) == (f"tie_break_{LEVEL_DEALS}", 0)  # G7
    assert level.match is not None
    points = list(
        Deal.objects.filter(match=level.match).order_by("number").with_results().values_list("points_0", "points_1")
    )
    assert [ours == theirs for ours, theirs in points] == [*[True] * LEVEL_DEALS, False]
    ranks = list(Entry.objects.filter(tournament=tournament).order_by("rank").values_list("rank", flat=True))
    assert ranks == [1, 2, 3, 3, 5, 5, 5][: len(KO_NAMES)]
    last = max(Round.objects.filter(tournament=tournament).values_list("number", flat=True))
    for round_ in range(1, last + 1):  # who goes out, and when, is all that ranks them (K4)
        rank = 2 ** (last - round_) + 1
        for fixture in Fixture.objects.filter(round__tournament=tournament, round__number=round_, state="done"):
            loser = fixture.first if fixture.winner else fixture.second
            assert loser is not None
            assert loser.rank == rank
    check_the_log(tournament, results=len(KO_NAMES) - 1)


def check_the_girone(tournament: Tournament) -> None:
    assert tournament.state == Tournament.State.FINISHED
    fixtures = Fixture.objects.filter(round__tournament=tournament)
    assert Counter(fixtures.values_list("state", flat=True)) == {"rest": 3, "done": 3}  # R1
    asleep = fixture_at(tournament, 1, 2)
    assert (asleep.decided_by, asleep.winner, asleep.forfeit_by) == ("timeout", 0, 1)
    assert asleep.vp_0 is not None
    assert asleep.vp_0 >= 14  # V5
    assert asleep.vp_1 == 0
    totals: Counter[int] = Counter()
    met: Counter[frozenset[int]] = Counter()
    for fixture in fixtures.filter(state="done"):
        assert fixture.first_id is not None
        assert fixture.second_id is not None
        met[frozenset((fixture.first_id, fixture.second_id))] += 1
        totals.update({fixture.first_id: fixture.vp_0 or 0, fixture.second_id: fixture.vp_1 or 0})
    assert set(met.values()) == {1}
    entries = list(Entry.objects.filter(tournament=tournament).order_by("rank"))
    assert {entry.pk: entry.vp for entry in entries} == dict(totals)
    assert [entry.vp for entry in entries] == sorted(totals.values(), reverse=True)  # R2
    assert [entry.played for entry in entries] == [2] * 3
    check_the_log(tournament, results=3)


def check_the_log(tournament: Tournament, results: int) -> None:
    """Check that the log has everything once, in order (E2)."""
    codes = list(LogEntry.objects.filter(tournament=tournament).values_list("code", flat=True))
    entered = ["joined"] * tournament.max_entries
    assert codes[: len(entered) + 4] == ["created", "published", "draw_committed", *entered, "drawn"]
    assert Counter(codes[len(entered) + 4 :]) == {"table_opened": results, "result": results, "finished": 1}
    assert codes[-1] == "finished"


def check_the_result(match: Match, browser: Browser) -> None:
    """The record that anybody may download leads to the result that was stored, and to the fixture's MP and VP."""
    record = json.loads(browser.get(f"/partite/{match.public_id}/verbale.json"))
    result = replay_record(record)
    assert result["complete"]
    assert result["score"] == [match.score_0, match.score_1]
    assert (result["winner"], result["decided_by"]) == (match.winner, match.decided_by)
    fixture = Fixture.objects.get(match=match)
    worth = None if fixture.vp_0 is None else ([fixture.mp_0, fixture.mp_1], [fixture.vp_0, fixture.vp_1])
    assert worth == (None if result["vp"] is None else (result["mp"], result["vp"]))


def check_that_a_leak_would_be_found(person: Person) -> None:
    """The check above, on a view to which one card of the stock was added."""
    seen = next(seen for seen in person.seen if seen.frame["stock"])
    version, progress = read_history(seen.table)[0]
    leak = {**seen.frame, "v": version, "stock": sorted(list_secrets(progress, seen.frame["seat"]))[0]}
    with pytest.raises(AssertionError):
        expect_nothing_hidden_was_sent(replace(person, seen=[Seen(seen.table, leak)]))
