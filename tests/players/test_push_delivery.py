"""The whole way of a message to a device: a page's request, the database, a real Celery worker with its beat's calls, a
push service that speaks https, and the browser that decrypts what it brings."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import current_app
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match
from players import presence
from players.models import Player, PushMessage, User
from tests.support import live
from tests.support.mail import open_bar_table
from tests.support.push import PHONE, Subscriber
from tests.support.receivers import receiving, statuses, write_certificates
from tests.support.tables import seated
from tests.support.waiting import until

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


@pytest.mark.rule("U4")
def test_a_message_gets_from_the_table_to_the_browser_once_with_two_workers(
    anna: Player, bruno: Player, carla: Player, dino: Player, tmp_path: Path, settings: Any
) -> None:
    settings.OUTGOING_OPEN = True
    env = {"OUTGOING_OPEN": "1", "SSL_CERT_FILE": str(write_certificates(tmp_path))}
    presence.forget_here()
    with (
        receiving(tmp_path, statuses(503, 201)) as service,
        live.worker_process(tmp_path / "one.log", env),
        live.worker_process(tmp_path / "two.log", env),
    ):
        readers = {}
        for player in (anna, carla):
            client = Client(headers={"user-agent": PHONE})
            client.force_login(player.user)
            path = f"/push/{player.name}"
            readers[path] = Subscriber(service.build_url(path, host="127.0.0.1"))
            assert client.post(reverse("device-add"), readers[path].given).status_code == 204
        match = open_bar_table(timezone.now(), anna, bruno)
        until(lambda: service.received, what="the table's message, woken by its own transaction")
        waits = PushMessage.objects.filter(attempts=1, due_at__lte=timezone.now() + timedelta(seconds=30))
        until(waits.exists, what="the pause after a 503, shorter than that of who takes a message")
        PushMessage.objects.update(due_at=timezone.now())
        current_app.send_task("players.send_pushes")
        until(lambda: len(service.received) > 1, what="the same again")
        User.objects.filter(pk=carla.user_id).update(push_tables=False)  # of hers the turn alone
        seated([dino, carla], timezone.now() - timedelta(seconds=12), turn_timeout=60)  # Carla's turn
        for _ in range(2):
            current_app.send_task("games.call_turns")
        until(lambda: len(service.received) > 2, what="the turn's message")
        until(lambda: not PushMessage.objects.filter(due_at__isnull=False).exists(), what="nothing left to send")
    said = [(request.path, readers[request.path].read(request)) for request in service.received]
    table = {"title": "Il tuo tavolo è aperto", "body": "Coppa del bar"}
    assert [(path, {name: told[name] for name in ("title", "body")}) for path, told in said] == [
        ("/push/Anna", table),
        ("/push/Anna", table),
        ("/push/Carla", {"title": "Tocca a te", "body": "Finale"}),
    ]
    assert said[0][1]["url"] == reverse("table", args=[match.public_id])
    assert Match.objects.count() == 2
