"""Faults planted into every process of a storm: a checker that doesn't catch them proves nothing.

STORM_PLANT names the fault (bench/storm/settings.py). Each takes one guard of the product away.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.apps import AppConfig

SLEEP_SECONDS = 9.0  # of the sweep that dozes

_dice = Random(7)


@dataclass(frozen=True, slots=True)
class Plant:
    """Fault: the guarantee it breaks, what a report says of it, and how it is planted."""

    guarantee: str
    caught_by: str  # words of the report's faults
    plant: Callable[[], None]
    bus: str = ""
    killed: tuple[str, ...] = ()
    kills: int = 0
    away: float = 0.2  # seconds that what was killed stays away
    figure: str = ""  # the end of the figures of the report that show it, above ``limit``
    limit: float = 0.0
    hostile_frames: int = 0
    seconds: float = 0.0  # of a storm whose processes are watched
    dump: tuple[str, ...] = ()  # options of a backup that is dumped beside it


class PlantedFault(AppConfig):
    """The last app: all it changes is loaded."""

    name = "bench.storm"
    label = "storm"

    def ready(self) -> None:
        import_consumers()
        PLANTS[os.environ["STORM_PLANT"]].plant()


def import_consumers() -> None:
    """Load what a web process loads later, so that it can be changed."""
    from games.realtime import consumers, hub  # noqa: F401


def forget_answers() -> None:
    """A resent move no longer gets its first answer (turns, 1)."""
    from games.services import playing

    playing._find_first_answer = lambda match_id, client_id: None


def answer_too_soon() -> None:
    """One move in ten is acknowledged and never made (turns, 6)."""
    from games.plain_moves import writer
    from games.services import playing

    play = playing.play_move

    def answer(**asked: Any) -> playing.Ack:
        if _dice.random() < 0.1:
            return playing.Ack(asked["client_id"], asked["version"] + 1)
        return play(**asked)

    playing.play_move = answer
    commit = writer.commit

    async def answer_plan(plan: Any, now: Any) -> Any:
        return plan.after if _dice.random() < 0.1 else await commit(plan, now)

    writer.commit = answer_plan


def end_turns_early() -> None:
    """Turns have no grace: a timeout counts from the end of the clock shown (turns, 2)."""
    for name, module in list(sys.modules.items()):
        if name.startswith("games") and hasattr(module, "GRACE"):
            module.GRACE = timedelta()  # type: ignore[attr-defined]


def doze() -> None:
    """The sweep looks every nine seconds, and nobody else ends a turn (turns, 3 and 4)."""
    from games.realtime import hub
    from games.sweep import Lane, Sweep

    sweep, looked = Sweep.round, dict.fromkeys(Lane, time.monotonic())

    def look(self: Sweep) -> int:
        lane = next(iter(self.lanes))  # each has a thread of its own
        if time.monotonic() - looked[lane] < SLEEP_SECONDS:
            return 0
        looked[lane] = time.monotonic()
        return sweep(self)

    Sweep.round = look  # type: ignore[method-assign]
    hub.settlement = type("Nobody", (), {"expire_overdue": staticmethod(lambda **asked: False)})  # type: ignore[assignment]


def stop_listening() -> None:
    """Nobody asks for versions whose hint was lost (turns, 7)."""
    from games.realtime.hub import Hub

    async def poll(self: Hub) -> None:
        return None

    Hub.poll = poll  # type: ignore[method-assign]


def wait_for_redis() -> None:
    """A move waits until Redis has its hint (turns, 3)."""
    from players import broadcast

    publish = broadcast.publish

    def wait(group: str, message: broadcast.Message) -> None:
        from django.conf import settings
        from redis import Redis, RedisError

        try:
            Redis.from_url(settings.REDIS_URL, socket_connect_timeout=3, socket_timeout=3).ping()
        except RedisError:
            time.sleep(3)
        publish(group, message)

    for module in list(sys.modules.values()):
        if getattr(module, "publish", None) is publish:
            module.publish = wait  # type: ignore[attr-defined]


def trust_the_disk() -> None:
    """A commit doesn't wait for the disk: what PostgreSQL had in memory is gone when it is killed (H6)."""
    from django.conf import settings

    options = settings.DATABASES["default"].setdefault("OPTIONS", {})
    options["options"] = f"{options.get('options', '')} -c synchronous_commit=off".strip()


def miscount() -> None:
    """Views tell of more cards than there are (H8)."""
    from games.realtime import consumers

    add = consumers.add_now

    def show(body: bytes, now: datetime) -> bytes:
        return add(body.replace(b'"stock":', b'"stock":1', 1), now)

    consumers.add_now = show


def come_late() -> None:
    """Keep who comes back waiting for the view, three seconds (H5)."""
    from games.realtime.consumers import TableConsumer

    show = TableConsumer.on_open

    async def wait(self: TableConsumer) -> None:
        await asyncio.sleep(3)
        await show(self)

    TableConsumer.on_open = wait  # type: ignore[method-assign]


def keep_everything() -> None:
    """A megabyte stays for every view that is encoded (H9)."""
    from games import table_views

    encode, kept = table_views.encode_views, []

    def keep(*args: Any, **named: Any) -> Any:
        kept.append(bytearray(os.urandom(1024)) * 1024)
        return encode(*args, **named)

    for module in list(sys.modules.values()):
        if getattr(module, "encode_views", None) is encode:
            module.encode_views = keep  # type: ignore[attr-defined]


def read_anything() -> None:
    """Frames are read by the stock parser, whatever they are (AT1)."""
    from players.realtime import base

    base.parse = lambda text, raw: json.loads(text or raw)


def plant_nothing() -> None:
    """The fault isn't in the processes."""


PLANTS = {
    "forget-answers": Plant("H1", "was refused", forget_answers),
    "answer-too-soon": Plant("H1", "is lost", answer_too_soon),
    "end-turns-early": Plant("H1", "too early", end_turns_early),
    "doze": Plant("H1", "", doze, figure="lateness of timeouts, p95, s", limit=1.0),
    "stop-listening": Plant("H3", "wasn't shown version", stop_listening, bus="lossy"),
    "wait-for-redis": Plant(
        "H2", "", wait_for_redis, killed=("redis",), kills=1, away=15, figure="a move answered, p95, s", limit=1.0
    ),
    "come-late": Plant("H5", "", come_late, figure="a view after a cut, p95, s", limit=2.0),
    "trust-the-disk": Plant("H6", "is lost", trust_the_disk, killed=("postgres",), kills=4),
    "miscount": Plant("H8", "cards at version", miscount),
    "keep-everything": Plant("H9", "", keep_everything, figure="memory grew by, %", limit=10.0, seconds=60.0),
    "dump-without-moves": Plant("H10", "is lost", plant_nothing, dump=("--exclude-table-data=games_move",)),
    "read-anything": Plant("AT1", "got a traceback", read_anything, hostile_frames=1_000),
}
