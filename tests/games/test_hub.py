"""The hub of one process: who is told what, without a socket in between."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError
from prometheus_client import REGISTRY

from games import match_cache, presence, table_views
from games.models import Match
from games.realtime import hub as hubs
from games.realtime.hub import FORGET_SECONDS, Hub
from games.table_views import EncodedViews
from players.models import Player
from players.realtime import db_executor
from tests.support.tables import again, play, seated
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.django_db]


@dataclass(eq=False)
class Window:
    """An open window as the hub sees it: the views pushed to it, and whether it lost its seat."""

    match_id: int
    public_id: str
    seat: int | None
    token: str
    claimed: bool
    pushed: list[EncodedViews] = field(default_factory=list)
    lost: bool = False
    watchers: list[int] = field(default_factory=list)

    @property
    def viewer(self) -> int | None:
        return self.seat

    @property
    def person(self) -> str:
        return self.token

    def push_view(self, views: EncodedViews, now: datetime) -> None:
        self.pushed.append(views)

    def lose_seat(self) -> None:
        self.lost = True

    def count_watchers(self, number: int) -> None:
        self.watchers.append(number)

    def hear_chat(self) -> None: ...

    def check_control(self) -> None: ...

    def check_right(self) -> None: ...


@pytest.fixture
def match(transactional_db: None, anna: Player, bruno: Player, now: datetime) -> Match:
    return seated([anna, bruno], now, turn_timeout=None, match_clock=None)


def aside(func: Callable[..., Any], *args: Any) -> Any:
    return sync_to_async(func, thread_sensitive=True)(*args)


async def test_a_poll_never_turns_out_a_window_that_is_just_sitting_down(match: Match) -> None:
    hub, window = Hub(), Window(match.pk, match.public_id, 0, "the newest window", claimed=False)
    hub.enter(window)
    await hub.poll()
    assert not window.lost, "another window still controls the seat, but this one hasn't claimed it yet"
    window.claimed = True
    await hub.poll()
    assert window.lost, "this one had claimed it: whoever controls it now is newer"
    db_executor.shut_down()


async def test_a_picture_taken_with_a_move_is_as_one_that_is_read(match: Match, now: datetime) -> None:
    def moved() -> tuple[EncodedViews, EncodedViews]:
        ack = play(match, now)
        committed = match_cache.find_committed(match.public_id, ack.version)
        assert committed is not None
        kept = table_views.encode_views(match.pk, [0, 1, None], committed)
        table_views.clear_caches()
        return kept, table_views.encode_views(match.pk, [0, 1, None])

    def playing() -> bool:
        return again(match).status == Match.Status.PLAYING

    while await aside(playing):
        kept, read = await aside(moved)
        assert kept == read


async def test_an_older_picture_never_takes_the_place_of_a_newer(match: Match, now: datetime) -> None:

    hub, window = Hub(), Window(match.pk, match.public_id, 0, "a window", claimed=True)
    hub.enter(window)
    older = await aside(table_views.encode_views, match.pk, [0])
    await aside(play, match, now)
    newer = await aside(table_views.encode_views, match.pk, [0])
    hub.push_views(match.pk, newer)
    hub.push_views(match.pk, older)
    assert window.pushed == [newer]


@pytest.mark.parametrize("parts", [1, 7])
async def test_every_table_is_polled_once_in_a_round_of_the_parts(monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    monkeypatch.setattr(hubs, "POLL_PARTS", parts)
    monkeypatch.setattr(hubs, "POLL_SECONDS", 0)
    monkeypatch.setattr(presence, "mark_present", lambda seats: None)
    asked: list[tuple[int, ...]] = []
    round_done = asyncio.Event()

    def note(ids: Collection[int]) -> list[object]:
        asked.append(tuple(ids))
        if sum(map(len, asked)) >= 20:
            loop.call_soon_threadsafe(round_done.set)
        return []

    monkeypatch.setattr(table_views, "read_view_keys", note)
    loop, hub = asyncio.get_running_loop(), Hub()
    for number in range(20):
        hub.enter(Window(number, f"table{number}", 0, "a window", claimed=True))
    polling = asyncio.create_task(hub.poll_forever())
    async with asyncio.timeout(PATIENCE):
        await round_done.wait()
    polling.cancel()
    first_round = asked[:parts]
    assert sorted(match_id for ids in first_round for match_id in ids) == list(range(20))
    assert max(map(len, first_round)) == -(-20 // parts)
    await asyncio.gather(*hub._counting.values())
    db_executor.shut_down()


async def test_a_database_that_is_back_is_asked_before_the_next_poll_is_due(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_once(ids: object) -> list[object]:
        monkeypatch.setattr(hubs, "POLL_SECONDS", 3600)
        monkeypatch.setattr(hubs, "AGAIN_SECONDS", 0)
        monkeypatch.setattr(table_views, "read_view_keys", honest)
        raise OperationalError("the connection is gone")

    honest = table_views.read_view_keys
    monkeypatch.setattr(hubs, "POLL_SECONDS", 0)
    monkeypatch.setattr(table_views, "read_view_keys", fail_once)
    hub, window = Hub(), Window(match.pk, match.public_id, 0, "a window", claimed=True)
    hub.enter(window)
    polling = asyncio.create_task(hub.poll_forever())
    async with asyncio.timeout(PATIENCE):
        while not window.pushed:
            await asyncio.sleep(0.01)
    polling.cancel()
    db_executor.shut_down()


async def test_what_only_a_poll_found_is_counted_as_a_lost_hint(match: Match, now: datetime) -> None:
    def count() -> tuple[float | None, ...]:
        return tuple(map(REGISTRY.get_sample_value, ("smazzata_views_healed_total", "smazzata_version_gaps_total")))

    hub, window = Hub(), Window(match.pk, match.public_id, 0, "a window", claimed=False)
    hub.enter(window)
    hub.refresh(match.pk)
    await asyncio.gather(*hub._readings.values())
    before = count()
    await hub.poll()
    assert count() == before, "nothing has happened at the table"
    for _ in range(2):
        ack = await aside(play, match, now)  # its hint reaches nobody here
    behind = ack.version - window.pushed[-1].key.version
    await hub.poll()
    await asyncio.gather(*hub._readings.values())
    assert window.pushed[-1].key.version == ack.version
    assert count() == ((before[0] or 0) + 1, (before[1] or 0) + behind)
    await asyncio.gather(*hub._counting.values())
    db_executor.shut_down()


async def test_people_who_watch_are_counted_once_through_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[Any] = []
    monkeypatch.setattr("games.realtime.hub.publish", lambda group, message: counts.append((group, message["n"])))
    monkeypatch.setattr("games.realtime.hub.COUNT_AFTER_SECONDS", 0)
    hub = Hub()

    async def counted() -> None:
        await asyncio.gather(*hub._counting.values())

    seated_here = Window(5, "table", 0, "anna", claimed=True)
    hub.enter(seated_here)
    await counted()
    assert counts == [("match.table", 0)], "who comes first tells the other processes that this one wants to know"
    once, twice = Window(5, "table", None, "eva", claimed=False), Window(5, "table", None, "eva", claimed=False)
    hub.enter(once)
    hub.enter(twice)
    await counted()
    assert seated_here.watchers[-1] == 1, "two windows of one person"
    hub.note_watchers(5, "another process", 2)
    assert seated_here.watchers[-1] == 3
    await counted()
    assert counts[-1] == ("match.table", 1), "a process that was unknown is told of this one"
    hub.leave(once)
    hub.leave(twice)
    await counted()
    assert seated_here.watchers[-1] == 2
    hub.note_watchers(5, "another process", 0)
    assert seated_here.watchers[-1] == 0


async def test_who_watched_through_a_process_that_died_is_no_longer_counted(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []
    monkeypatch.setattr("games.realtime.hub.publish", lambda group, message: counts.append(message["n"]))
    monkeypatch.setattr("games.realtime.hub.COUNT_AFTER_SECONDS", 0)
    seconds = 0.0
    hub = Hub(clock=lambda: seconds)
    here = Window(match.pk, match.public_id, None, "eva", claimed=False)
    hub.enter(here)
    hub.note_watchers(match.pk, "it lives", 2)
    hub.note_watchers(match.pk, "it dies", 3)
    while seconds < 60:
        await asyncio.gather(*hub._counting.values())
        seconds += 10
        if seconds % 20 == 0:
            hub.note_watchers(match.pk, "it lives", 2)
        await hub.poll()
        assert here.watchers[-1] == (6 if seconds < FORGET_SECONDS else 3), seconds
    await asyncio.gather(*hub._counting.values())
    assert counts == [1, 1, 1, 1], "and this one says from time to time that it lives"
    db_executor.shut_down()
