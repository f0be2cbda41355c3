"""The sweep: whatever is due is done, whoever looks, and whatever else breaks."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone
from prometheus_client import REGISTRY

from config.launcher import processes
from config.launcher.programs import WORKER
from games import sweep
from games.clocks import GRACE
from games.models import Deal, Liveness, Move
from games.outages import SWEEPER, WEB
from games.sweep import Lane, Sweep, Sweeper
from players.models import Player
from tests.support import live
from tests.support.tables import again, opened, seated
from tests.support.waiting import until

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Due work of this test's own, beside that of the apps."""
    monkeypatch.setattr(sweep, "_registry", dict(sweep._registry))
    return partial(sweep.register, lane=Lane.UPKEEP)


def test_a_round_does_everything_that_is_due(anna: Player, bruno: Player, carla: Player, now: datetime) -> None:
    match = seated([anna, bruno], now)
    deadline = again(match).deadline_at
    assert deadline is not None
    Sweep(lambda: deadline + GRACE - timedelta(microseconds=1)).round()
    assert again(match).status == "playing"
    Sweep(lambda: deadline + GRACE).round()
    assert (again(match).decided_by, again(match).settled_at) == ("timeout", deadline + GRACE)
    waiting = opened([anna, carla], now)
    Sweep(lambda: now + timedelta(seconds=300) + GRACE).round()
    assert again(waiting).both_forfeited


def test_how_late_a_timeout_was_is_counted(anna: Player, bruno: Player, now: datetime) -> None:
    def count() -> tuple[float, ...]:
        names = ("smazzata_sweep_lag_seconds_count", "smazzata_sweep_lag_seconds_sum")
        return tuple(REGISTRY.get_sample_value(name) or 0.0 for name in names)

    deadline = again(seated([anna, bruno], now)).deadline_at
    assert deadline is not None
    times, late = count()
    Sweep(lambda: deadline + GRACE - timedelta(microseconds=1)).round()
    assert count() == (times, late)
    Sweep(lambda: deadline + GRACE + timedelta(seconds=0.75)).round()
    assert count() == (times + 1, pytest.approx(late + 0.75))


def test_a_fault_in_one_piece_of_work_stops_no_other(now: datetime, registry: Callable[..., None]) -> None:
    done: list[str] = []

    def broken(*_: object) -> None:
        raise RuntimeError

    registry("broken search", broken, broken)
    registry("broken act", lambda now: [1, 2], broken)
    registry("sound", lambda now: [7], lambda key, now: done.append(f"{key}"))
    swept = Sweep(lambda: now)
    assert swept.round() == 1
    assert swept.round() == 1
    assert done == ["7", "7"]


def test_a_round_is_bounded(now: datetime, registry: Callable[..., None]) -> None:
    done: list[int] = []
    registry("endless", lambda now: iter(range(10**9)), lambda key, now: done.append(key))
    Sweep(lambda: now).round()
    assert len(done) == sweep.MAX_PER_ROUND


def test_more_locked_rows_than_a_round_takes_hide_no_other_at7(now: datetime, registry: Callable[..., None]) -> None:
    done: list[int] = []

    def act(key: int, now: datetime) -> None:
        if key < sweep.MAX_PER_ROUND:
            raise sweep.RowLocked
        done.append(key)

    registry("held", lambda now: iter(range(sweep.MAX_PER_ROUND + 1)), act)
    swept = Sweep(lambda: now)
    assert [swept.round(), swept.round()] == [0, 1]
    assert done == [sweep.MAX_PER_ROUND]


@pytest.mark.parametrize("fails", [False, True])
def test_other_work_steps_aside_while_turns_are_decided(
    now: datetime, registry: Callable[..., None], fails: bool
) -> None:
    told: list[tuple[str, object]] = []

    class Rest(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            told.append(("waits", timeout))
            return True

    rest = Rest()
    rest.set()

    def decide(_key: int, _now: datetime) -> None:
        told.append(("turn, others go on", rest.is_set()))
        if fails:
            raise RuntimeError

    registry("turn", lambda now: [1], decide, lane=Lane.TURNS)
    registry("other", lambda now: [1], lambda key, now: told.append(("other", key)), lane=Lane.UPKEEP)
    for lane in (Lane.TURNS, Lane.UPKEEP):
        Sweep(lambda: now, lanes=[lane], turns_rest=rest).round()
        assert rest.is_set()
    assert told == [("turn, others go on", False), ("waits", sweep.STEP_ASIDE_SECONDS), ("other", 1)]


def test_a_lane_that_was_busy_for_its_whole_rest_begins_the_next_round_at_once(registry: Callable[..., None]) -> None:
    """Work that fell due in the meantime has waited already (SP7)."""
    hours = iter(range(10**6))

    def stop(_key: int, _now: datetime) -> None:
        done.append(next(hours))
        if len(done) == 3:
            lane.ended.set()

    done: list[int] = []
    registry("slow", lambda _: [1], stop)
    lane = sweep.LaneThread(Sweep(lanes=[Lane.UPKEEP]), Lane.UPKEEP, 3600, seconds=lambda: 3600.0 * next(hours))
    lane.start()
    lane.join(timeout=60)
    assert len(done) == 3


def test_a_fault_inside_a_transaction_leaves_none_open(now: datetime, registry: Callable[..., None]) -> None:
    def leaves_it_open(*_: object) -> None:
        transaction.set_autocommit(False)
        transaction.atomic().__enter__()
        raise RuntimeError

    seen: list[bool] = []

    def look(key: int, now: datetime) -> None:
        seen.append(transaction.get_connection().in_atomic_block)

    registry("careless", lambda now: [1], leaves_it_open)
    registry("careful", lambda now: [1], look)
    thread = threading.Thread(target=Sweep(lambda: now).round)
    thread.start()
    thread.join()
    assert seen == [False]


@pytest.fixture
def thread() -> Iterator[Sweeper]:
    running = Sweeper(every=0.02)
    yield running
    running.stop()
    assert not running.is_alive()


def test_the_thread_beats_and_sweeps_until_it_is_stopped(thread: Sweeper, anna: Player, bruno: Player) -> None:
    match = seated([anna, bruno], timezone.now() - timedelta(seconds=40))
    thread.start()
    until(lambda: again(match).settled_at, what="the timeout")
    first = Liveness.objects.get(kind=SWEEPER).beat_at
    until(lambda: Liveness.objects.get(kind=SWEEPER).beat_at > first, what="a second sign of life")


def test_the_thread_survives_whatever_a_round_raises(
    thread: Sweeper, registry: Callable[..., None], anna: Player, bruno: Player
) -> None:
    rounds: list[int] = []

    def worse_than_an_error(now: datetime) -> list[int]:
        rounds.append(1)
        raise MemoryError

    registry("hopeless", worse_than_an_error, lambda key, now: None)
    thread.start()
    until(lambda: len(rounds) > 2, what="three rounds")
    match = seated([anna, bruno], timezone.now() - timedelta(seconds=40))
    until(lambda: again(match).settled_at, what="the timeout")


def test_a_sweeper_that_comes_back_extends_before_it_expires(thread: Sweeper, anna: Player, bruno: Player) -> None:
    """The deadline passed while nobody swept: it is extended, not enforced."""
    now = timezone.now()
    Liveness.objects.create(kind=SWEEPER, beat_at=now - timedelta(seconds=60))
    match = seated([anna, bruno], now - timedelta(seconds=45))
    thread.start()
    until(lambda: again(match).extension_ms, what="the extension")
    current = again(match)
    assert current.status == "playing"
    assert current.deadline_at is not None
    assert current.deadline_at > now + timedelta(seconds=25)


def test_nothing_expires_while_the_web_is_away(thread: Sweeper, anna: Player, bruno: Player) -> None:
    now = timezone.now()
    Liveness.objects.create(kind=WEB, beat_at=now - timedelta(seconds=50))
    match = seated([anna, bruno], now - timedelta(seconds=45))
    thread.start()
    until(lambda: Liveness.objects.filter(kind=SWEEPER).first(), what="a sign of life")
    first = Liveness.objects.get(kind=SWEEPER).beat_at
    until(lambda: Liveness.objects.get(kind=SWEEPER).beat_at > first, what="a second sign of life")
    assert again(match).status == "playing"
    Liveness.objects.filter(kind=WEB).delete()
    until(lambda: again(match).settled_at, what="the timeout")


@pytest.mark.long("two real workers")
def test_a_worker_is_killed_and_the_next_one_whose_broker_is_away_goes_on(
    transactional_db: None, tmp_path: Path, anna: Player, bruno: Player, carla: Player, dino: Player
) -> None:
    """Points 1 and 3: what is due stands in the database, so whichever worker lives does it, once, in the same deal;
    and the step has its own thread and needs no broker. Nobody listens on the port given to the second."""
    match = seated([anna, bruno], timezone.now(), turn_timeout=1)
    Player.objects.filter(pk__in=[carla.pk, dino.pk]).update(kind=Player.Kind.HOUSE)
    house = opened(list(Player.objects.filter(kind=Player.Kind.HOUSE)), timezone.now(), turn_timeout=60)
    with live.worker_process(tmp_path / "first.log") as first:
        until(lambda: again(match).settled_at, what="the timeout")
        until(lambda: Move.objects.filter(match=house).count() >= 2, what="two moves of the house")
        first.kill()
        first.wait()
    before, deal = Move.objects.filter(match=house).count(), Deal.objects.get(match=house, void=False).deck
    with worker_without_broker(tmp_path / "second.log"):
        until(lambda: Move.objects.filter(match=house).count() > before + 1, what="the house to go on")
        until(lambda: "Cannot connect to" in (tmp_path / "second.log").read_text(), what="the broker to be missed")
    assert [move.text for move in Move.objects.filter(match=match)] == ["1 timeout"]
    assert Deal.objects.get(match=house, void=False).deck == deal
    played = Move.objects.filter(match=house).order_by("ply").with_results().values_list("ply", "text")
    assert [ply for ply, _ in played] == list(range(len(played)))
    assert all(int(text[0]) == (1 - again(house).first_dealer + ply) % 2 for ply, text in played)


@contextmanager
def worker_without_broker(log: Path) -> Iterator[None]:
    """Run a worker that finds no Redis where it looks for one."""
    with live.bound_socket() as taken:
        nowhere = taken.getsockname()[1]
    env = live.environment(REDIS_URL=f"redis://127.0.0.1:{nowhere}/0")
    worker = processes.spawn([sys.executable, *WORKER], env=env, log=log, cwd=live.ROOT)
    try:
        yield
    finally:
        processes.stop(worker, patience=5)
