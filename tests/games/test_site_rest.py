"""Rest while nobody is on the site: it begins only then, ends at once, and costs nobody a second of a clock."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.utils import timezone
from redis import Redis

from config.doorbell import Doorbell
from games import house_turns, outages, selectors, site_rest, sweep
from games.broadcast import publish_end_of_rest
from games.clocks import GRACE
from games.models import Liveness, Match, Move
from games.outages import DOOR, SWEEPER, WEB, Pulse
from games.realtime import process
from games.services import playing, settlement
from games.site_rest import SiteRest, Visits, VisitTeller, VisitWatch, worker_rest
from games.sweep import Lane, LaneThread, Sweep
from players import presence
from players.models import Player
from tests.support.people import take_house
from tests.support.tables import again, opened, seated
from tests.support.waiting import PATIENCE, until
from tournaments.models import Fixture
from tournaments.running import tables
from tournaments.running.start import start_due
from tournaments.standing_offers import start_showcase

HOUR = timedelta(hours=1)


class Clock:
    """Seconds that grow when a test says so."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rest(clock: Clock) -> SiteRest:
    """A rest that has begun."""
    made = SiteRest(clock)
    made.begin()
    clock.seconds += site_rest.STAY_SECONDS
    return made


@pytest.fixture
def nobody_here(monkeypatch: pytest.MonkeyPatch, rest: SiteRest) -> SiteRest:
    """The same, as that of this process's worker."""
    monkeypatch.setattr(house_turns, "worker_rest", rest)
    return rest


@pytest.fixture
def showing(db: None, now: datetime) -> Match:
    """A table of the house's own tournament, at which it is the house's turn."""
    showcase = start_showcase(now=now)
    start_due(tournament_id=showcase.pk, now=now)
    for ready in Fixture.objects.ready().filter(round__tournament=showcase):
        tables.open_due_fixture(fixture_id=ready.pk, now=ready.opens_at or now)
    fixture = Fixture.objects.filter(round__tournament=showcase, match__isnull=False).select_related("match").first()
    assert fixture is not None
    assert fixture.match is not None
    return fixture.match


def find_due(match: Match) -> datetime:
    due = again(match).bot_due_at
    assert due is not None
    return due


def test_nobody_rests_where_nobody_watches_who_comes(clock: Clock) -> None:
    never_begun = SiteRest(clock)
    clock.seconds += 3600
    assert not never_begun.is_quiet
    assert not worker_rest.is_quiet


def test_rest_begins_a_while_after_the_last_visit(rest: SiteRest, clock: Clock) -> None:
    assert rest.is_quiet
    visits = Visits(rest)
    visits.note()
    clock.seconds += site_rest.LEAVE_SECONDS - 0.1
    assert visits.is_anybody_here()
    clock.seconds += 0.1
    assert not visits.is_anybody_here()


def test_whoever_holds_a_socket_is_here(rest: SiteRest, clock: Clock) -> None:
    visits = Visits(rest)
    visits.enter()
    clock.seconds += 3600
    assert visits.is_anybody_here()
    visits.leave()
    clock.seconds += site_rest.LEAVE_SECONDS
    assert not visits.is_anybody_here()


@pytest.mark.parametrize("end", [lambda rest, ended: rest.stay(), lambda rest, ended: (ended.set(), rest.call())])
def test_who_rests_is_called_at_once(rest: SiteRest, end: Callable[[SiteRest, threading.Event], object]) -> None:
    ended = threading.Event()
    resting = threading.Thread(target=partial(rest.wait, ended, 3600), daemon=True)
    resting.start()
    until(lambda: rest.resting, what="the rest to begin")
    end(rest, ended)
    until(lambda: not resting.is_alive(), what="the rest to end")


def test_a_call_that_comes_while_one_looks_is_not_lost(rest: SiteRest) -> None:
    before = rest.calls
    rest.call()
    resting = threading.Thread(target=partial(rest.wait, threading.Event(), 3600, since=before), daemon=True)
    resting.start()
    until(lambda: not resting.is_alive(), what="the rest that never began")


async def _pass(*_: Any) -> None:
    return None


@pytest.mark.parametrize(
    ("scope", "heard"),
    [
        ({"type": "http", "path": "/"}, True),
        ({"type": "http", "path": "/api/v1/tavoli/"}, True),
        ({"type": "websocket", "path": "/ws/"}, True),
        ({"type": "http", "path": "/healthz"}, False),
        ({"type": "http", "path": "/readyz"}, False),
        ({"type": "http", "path": "/metrics"}, False),
        ({"type": "lifespan"}, False),
    ],
)
def test_who_opens_a_page_is_heard_and_a_watchman_is_not(rest: SiteRest, scope: dict[str, str], heard: bool) -> None:
    doorbell: Any = Doorbell(_pass, Visits(rest))
    asyncio.run(doorbell(scope, _pass, _pass))
    assert rest.is_quiet is not heard


def test_the_worker_hears_of_a_visit_over_redis(rest: SiteRest) -> None:
    """The watch is told, and asks as well, should that be lost."""
    Redis.from_url(django_settings.REDIS_URL).delete(presence._name_key(presence.VISITED))
    with presence.hear_visits() as hear:
        assert not presence.is_visited()
        presence.mark_visited()
        until(lambda: hear(0.1), what="the visit to be heard of")
        assert presence.is_visited()


def test_a_visit_ends_the_rest_of_a_worker(clock: Clock) -> None:
    Redis.from_url(django_settings.REDIS_URL).delete(presence._name_key(presence.VISITED))
    far, here = SiteRest(clock), SiteRest(clock)
    watch, teller = VisitWatch(far), VisitTeller(Visits(here))
    here.begin()
    clock.seconds += site_rest.STAY_SECONDS
    watch.start()
    teller.start()
    try:
        until(lambda: far._awake_until is not None, what="the watch to begin")
        clock.seconds += site_rest.STAY_SECONDS
        assert far.is_quiet
        teller.visits.note()
        until(lambda: not far.is_quiet, what="the worker to be woken")
    finally:
        teller.stop()
        watch.stop()
    assert not watch.is_alive()
    assert not teller.is_alive()


def test_while_nobody_can_know_who_is_here_nobody_rests(
    rest: SiteRest, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(rest, "begin", lambda: None)
    watch = VisitWatch(rest)
    watch.start()
    try:
        until(lambda: not rest.is_quiet, what="the rest to end")
    finally:
        watch.stop()


# --- What is due ----------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_lane_expects_what_is_due_before_it_has_rested(anna: Player, bruno: Player, now: datetime) -> None:
    deadline = again(seated([anna, bruno], now)).deadline_at
    assert deadline is not None
    over = deadline + GRACE
    early = Sweep(lambda: over - site_rest.HORIZON - timedelta(seconds=1), lanes=[Lane.TURNS])
    assert not early.expects_work()
    assert Sweep(lambda: over - site_rest.HORIZON, lanes=[Lane.TURNS]).expects_work()
    assert timedelta(seconds=2 * site_rest.REST_SECONDS) < site_rest.HORIZON


@pytest.mark.django_db(transaction=True)
def test_a_lane_that_could_not_look_does_not_rest(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    def break_down(now: datetime) -> list[int]:
        raise RuntimeError

    monkeypatch.setattr(sweep, "_registry", {})
    sweep.register("broken", break_down, lambda key, now: None, Lane.UPKEEP)
    assert Sweep(lambda: now, lanes=[Lane.UPKEEP]).expects_work()


@pytest.fixture
def lane(monkeypatch: pytest.MonkeyPatch, rest: SiteRest) -> Iterator[SimpleNamespace]:
    """A lane that rests for an hour unless it is called, with work of its own."""
    monkeypatch.setattr(sweep, "_registry", {})
    monkeypatch.setattr(site_rest.SiteRest.wait, "__defaults__", (3600.0,))
    looks: list[datetime] = []
    due: list[int] = []
    done: list[int] = []

    def look(now: datetime) -> list[int]:
        looks.append(now)
        return [*due]

    def act(key: int, now: datetime) -> None:
        due.remove(key)
        done.append(key)

    sweep.register("own", look, act, Lane.UPKEEP)
    thread = LaneThread(Sweep(lanes=[Lane.UPKEEP]), "upkeep", every=0.001, rest=rest)
    thread.start()
    until(lambda: rest.resting, what="the lane to rest")
    yield SimpleNamespace(looks=looks, due=due, done=done, thread=thread)
    thread.ended.set()
    rest.call()
    thread.join()


@pytest.mark.django_db(transaction=True)
def test_a_lane_with_nothing_due_looks_once_and_rests(lane: SimpleNamespace) -> None:
    assert len(lane.looks) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("wake", [SiteRest.stay, SiteRest.call])
def test_a_lane_that_is_called_does_what_has_become_due(
    lane: SimpleNamespace, rest: SiteRest, wake: Callable[[SiteRest], None]
) -> None:
    """Called because somebody came, or because another lane did something that this one has to go on with."""
    lane.due.append(7)
    wake(rest)
    until(lambda: lane.done, what="the work")


# --- Signs of life --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_at_rest_a_beat_holds_until_the_next(now: datetime) -> None:
    outages.record_beat(SWEEPER, now)
    assert outages.announce_rest(SWEEPER, now)
    assert not outages.has_outage(now + outages.REST + outages.SILENCE)
    assert outages.has_outage(now + outages.REST + outages.SILENCE + timedelta(milliseconds=1))
    assert outages.record_beat(SWEEPER, now + outages.REST + outages.SILENCE) == timedelta()


@pytest.mark.django_db
@pytest.mark.parametrize("arrange", [opened, seated])
def test_no_rest_is_announced_while_a_clock_runs(
    anna: Player, bruno: Player, now: datetime, arrange: Callable[..., Match]
) -> None:
    outages.record_beat(SWEEPER, now)
    match = arrange([anna, bruno], now)
    assert not outages.announce_rest(SWEEPER, now)
    Match.objects.filter(pk=match.pk).update(paused_at=now)
    assert outages.announce_rest(SWEEPER, now)


@pytest.mark.django_db
def test_the_clocks_of_the_house_alone_keep_nobody_awake(showing: Match, now: datetime) -> None:
    assert again(showing).deadline_at is not None
    outages.record_beat(SWEEPER, now)
    assert outages.announce_rest(SWEEPER, now)


@pytest.mark.django_db
def test_a_silence_is_made_good_before_any_rest(now: datetime) -> None:
    assert not outages.announce_rest(SWEEPER, now)
    outages.record_beat(SWEEPER, now)
    assert not outages.announce_rest(SWEEPER, now + timedelta(seconds=3))
    assert outages.record_beat(SWEEPER, now + timedelta(seconds=3)) == timedelta(seconds=3)


@pytest.mark.django_db
def test_who_wakes_ends_the_rest_of_every_kind_so_an_outage_counts_from_then(
    anna: Player, bruno: Player, now: datetime
) -> None:
    """The web server's rest ends with the worker's; it dies at once, and the turn that begins then is made good."""
    hour = [now]
    pulses = {kind: Pulse(kind, lambda: hour[0]) for kind in (SWEEPER, WEB, DOOR)}
    for pulse in pulses.values():
        assert pulse()
        assert pulse.announce_rest()
    hour[0] = now + timedelta(seconds=1)
    assert pulses[SWEEPER]()
    assert {row.beat_at for row in Liveness.objects.all()} == {hour[0]}
    match = seated([anna, bruno], hour[0])
    deadline = match.deadline_at
    assert deadline is not None
    hour[0] += timedelta(seconds=4)
    assert outages.record_beat(SWEEPER, hour[0])
    outages.record_beat(WEB, hour[0])
    assert again(match).deadline_at == deadline + timedelta(seconds=4)


@pytest.mark.django_db
def test_who_wakes_tells_the_web_processes(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may be there, and yet a table opens at its hour: who rests must beat again before that is an outage."""
    told: list[str] = []
    monkeypatch.setattr(outages, "publish_end_of_rest", lambda: told.append("rest is over"))
    outages.record_beat(WEB, now)
    outages.end_rest(now)
    assert not told
    assert outages.announce_rest(WEB, now)
    outages.end_rest(now)
    outages.end_rest(now)
    assert told == ["rest is over"]


@pytest.mark.django_db(transaction=True)
def test_a_web_process_at_rest_beats_again_when_it_is_told(rest: SiteRest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "visits", Visits(rest))
    monkeypatch.setattr(rest, "begin", lambda: None)
    monkeypatch.setattr(site_rest.SiteRest.wait, "__defaults__", (3600.0,))

    outages.record_beat(WEB, timezone.now())

    async def live() -> None:
        await process.start()
        try:
            while not await asyncio.to_thread(lambda: rest.resting):
                await asyncio.sleep(0)
            calls = rest.calls
            while rest.calls == calls:
                publish_end_of_rest()  # again: it may not listen yet
                await asyncio.sleep(0.05)
        finally:
            await process.stop()

    asyncio.run(asyncio.wait_for(live(), PATIENCE))


@pytest.mark.django_db
def test_a_rest_that_another_process_announced_ends_with_a_beat(now: datetime) -> None:
    outages.record_beat(WEB, now)
    assert outages.announce_rest(WEB, now)
    outages.record_beat(WEB, now + timedelta(seconds=0.5))
    assert Liveness.objects.get(kind=WEB).beat_at == now + timedelta(seconds=0.5)


# --- The house among itself -----------------------------------------------------------------------------------------


def test_the_house_plays_its_own_tournaments_for_somebody(showing: Match, nobody_here: SiteRest, now: datetime) -> None:
    due = find_due(showing) + house_turns.HOUSE_PATIENCE
    assert showing.pk not in house_turns.list_due(due)
    nobody_here.stay()
    assert showing.pk in house_turns.list_due(due)


@pytest.mark.django_db
def test_the_house_plays_on_in_the_tournaments_and_matches_of_people(nobody_here: SiteRest, now: datetime) -> None:
    match = opened(take_house(count=2, now=now), now)
    due = find_due(match) + house_turns.HOUSE_PATIENCE
    assert match.pk in house_turns.list_due(due)
    assert selectors.list_house_turns(unwatched=True)


def test_no_time_runs_out_for_the_house_while_it_waits(showing: Match) -> None:
    """An hour, with a minute a turn; whoever comes finds the turn that it was, with all of its time."""
    match = again(showing)
    assert match.turn_from is not None
    assert match.deadline_at is not None
    left, pause = match.deadline_at - match.turn_from, find_due(match) - match.turn_from
    later = find_due(showing) + HOUR
    Sweep(lambda: later, lanes=[Lane.TURNS]).round()
    assert selectors.count_overdue(later) == 0
    assert settlement.expire_overdue(match_id=showing.pk, now=later)
    current = again(showing)
    assert (current.winner, current.bot_due_at) == (None, later)
    assert current.turn_from == later - pause
    assert current.deadline_at == current.turn_from + left


def test_the_first_page_finds_the_house_playing_at_once(showing: Match) -> None:
    before = again(showing).clocks_ms
    later = find_due(showing) + HOUR
    playing.play_house_move(match_id=showing.pk, now=later)  # its turn begins anew
    assert playing.play_house_move(match_id=showing.pk, now=later) is not None
    assert Move.objects.filter(match=showing).count() == 1
    spent = [was - left for was, left in zip(before, again(showing).clocks_ms, strict=True)]
    assert max(spent) < 2000, "an hour is charged to nobody"
