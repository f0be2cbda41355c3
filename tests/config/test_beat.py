"""The beat in a worker: what it sends while people are here, and at rest."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from celery.beat import PersistentScheduler, ScheduleEntry

from config import beat
from config.celery import app
from games.models import Match
from games.site_rest import SiteRest
from players.models import Player
from tests.support.tables import opened, seated


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> SiteRest:
    """Nobody is on the site of this process's worker."""
    seconds = [0.0]
    rest = SiteRest(lambda: seconds[0])
    rest.begin()
    seconds[0] += 3600
    monkeypatch.setattr(beat, "worker_rest", rest)
    return rest


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks that were sent, by name."""
    names: list[str] = []
    monkeypatch.setattr(PersistentScheduler, "apply_entry", lambda self, entry, producer=None: names.append(entry.name))
    return names


@pytest.fixture
def hour() -> list[float]:
    """The beat's clock, in seconds: one that a test moves."""
    return [1000.0]


@pytest.fixture
def send(tmp_path: Path, hour: list[float]) -> Callable[[], None]:
    """Have a task come due."""
    memory = str(tmp_path / "schedule")
    scheduler: Any = beat.RestingScheduler(app, schedule_filename=memory, lazy=True, seconds=lambda: hour[0])
    return lambda: scheduler.apply_entry(ScheduleEntry(name="call-turns", app=app))


@pytest.mark.django_db
def test_at_rest_a_task_is_sent_once_a_minute(
    quiet: SiteRest, sent: list[str], hour: list[float], send: Callable[[], None]
) -> None:
    send()
    hour[0] += beat.REST_SECONDS - 1
    send()
    assert sent == ["call-turns"]
    hour[0] += 1
    send()
    assert sent == ["call-turns"] * 2


@pytest.mark.django_db
def test_while_somebody_is_here_every_task_is_sent(quiet: SiteRest, sent: list[str], send: Callable[[], None]) -> None:
    quiet.stay()
    send()
    send()
    assert len(sent) == 2


@pytest.mark.django_db
@pytest.mark.parametrize("arrange", [opened, seated])
def test_while_a_clock_runs_devices_are_told_as_ever_u4(
    quiet: SiteRest,
    sent: list[str],
    send: Callable[[], None],
    arrange: Callable[..., Match],
    anna: Player,
    bruno: Player,
    now: datetime,
) -> None:
    """Nobody is on the site, but somebody's turn is over soon, or a table waits for them."""
    arrange([anna, bruno], now)
    send()
    send()
    assert len(sent) == 2
