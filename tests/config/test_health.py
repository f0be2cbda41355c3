"""``/readyz`` names what is down, over real servers; sockets for addresses that don't exist are turned away quietly."""

import logging
from datetime import timedelta

import pytest
from channels.layers import channel_layers
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.db import connection
from django.test import Client
from django.utils import timezone
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from config import health
from config.launcher.redis_server import find_free_port
from games.models import Liveness
from games.outages import SWEEPER
from tests.support.live import Site
from tests.support.waiting import PATIENCE

WELL = {"ready": True, "database": "ok", "migrations": "ok", "channel_layer": "ok", "sweeper": "ok"}


@pytest.fixture
def sweeping(db: None) -> Liveness:
    return Liveness.objects.create(kind=SWEEPER, beat_at=timezone.now())


def readyz(client: Client) -> tuple[int, dict[str, object]]:
    answer = client.get("/readyz")
    return answer.status_code, answer.json()


def test_all_is_well(client: Client, sweeping: Liveness) -> None:
    assert readyz(client) == (200, WELL)


@pytest.mark.parametrize("method", ["post", "put", "delete"])
@pytest.mark.parametrize("path", ["/readyz", "/healthz"])
def test_health_is_only_looked_at(client: Client, method: str, path: str) -> None:
    assert getattr(client, method)(path).status_code == 405


def test_a_silent_sweeper_is_named(client: Client, sweeping: Liveness) -> None:
    sweeping.beat_at -= timedelta(seconds=60)
    sweeping.save()
    assert readyz(client) == (503, {**WELL, "ready": False, "sweeper": "down"})


def test_a_migration_that_was_not_applied_is_named(
    client: Client, sweeping: Liveness, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'tournaments'")
    monkeypatch.setattr(health, "_migrated", False)
    assert readyz(client) == (503, {**WELL, "ready": False, "migrations": "down"})


def test_a_redis_that_is_away_is_named(
    client: Client, sweeping: Liveness, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = RedisPubSubChannelLayer(hosts=[f"redis://127.0.0.1:{find_free_port()}/0"])
    monkeypatch.setitem(channel_layers.backends, "default", nowhere)
    assert readyz(client) == (503, {**WELL, "ready": False, "channel_layer": "down"})


@pytest.mark.django_db(transaction=True)
def test_a_socket_for_no_address_is_turned_away_without_a_traceback(
    live_site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    server = logging.getLogger("uvicorn.error")  # it passes nothing on: it writes by itself
    server.addHandler(caplog.handler)
    try:
        for path in ("/ws/", "/ws/niente/", "/ws/tavolo/", "/", "/ws/tavolo/../../etc/"):
            with pytest.raises(InvalidStatus) as refusal, connect(live_site.ws_url + path, open_timeout=PATIENCE):
                pass
            assert refusal.value.response.status_code == 404
        assert live_site.up()
    finally:
        server.removeHandler(caplog.handler)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR], "a visitor writes no errors"
