"""The whole way of a mail and of a message to a device: a page, the database, two real Celery workers woken over Redis,
and a real SMTP server; or a push service that speaks https, and the browser that decrypts what it brings.

Each arrives once, though both workers find it due.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from celery import current_app
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Match
from players import presence
from players.models import Mail, Player, PushMessage, User
from tests.support import live
from tests.support.mail import BAR_CUP, open_bar_table
from tests.support.people import give_address
from tests.support.postbox import Postbox
from tests.support.push import PHONE, Subscriber
from tests.support.receivers import receiving, statuses
from tests.support.tables import seated
from tests.support.waiting import until
from tournaments.entries import join
from tournaments.organise import lifecycle

pytestmark = [
    pytest.mark.process("flows"),
    pytest.mark.both_databases,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("celery_worker", "second_worker"),
]


@pytest.fixture(scope="module")
def second_worker(
    celery_worker: Popen[bytes], folder: Path, workers_environment: dict[str, str]
) -> Iterator[Popen[bytes]]:
    """Another worker beside that of all stories."""
    with live.worker_process(folder / "second.log", workers_environment) as process:
        yield process


@transaction.atomic
def starts_soon(organiser: Player, player: Player, now: datetime) -> None:
    """Make a tournament published an hour ago that begins in less than a quarter of an hour. The workers, who are
    there already, see it once the player is in: a reminder to nobody is none."""
    settings = replace(BAR_CUP, starts_at=now + timedelta(minutes=14))
    earlier = now - timedelta(hours=1)
    made = lifecycle.create_tournament(organiser=organiser, settings=settings, now=earlier)
    lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=earlier)
    join.enter_player(tournament_id=made.pk, player=player, now=earlier)


def test_a_mail_gets_from_the_page_to_the_mailbox_once_with_two_workers(
    postbox: Postbox, anna: Player, bruno: Player
) -> None:
    cache.clear()  # the limits on resets
    address = give_address(anna, mail_tables=True, mail_reminders=True)
    starts_soon(bruno, anna, timezone.now())
    until(lambda: postbox.received, what="the mail of the reminder, which both workers find due")
    Client().post(reverse("account_reset_password"), {"email": address})
    until(lambda: len(postbox.received) > 1, what="the mail of the reset")
    open_bar_table(timezone.now(), anna, bruno)
    until(lambda: len(postbox.received) > 2, what="the mail of the table")
    until(lambda: not Mail.objects.filter(due_at__isnull=False).exists(), what="nothing left to send")
    assert [message["Subject"] for message in postbox.received] == [
        "Fra poco si comincia: Coppa del bar",
        "Scegli una nuova password",
        "Il tuo tavolo è aperto: Coppa del bar",
    ]
    for message in postbox.received:
        assert message["To"] == address
        assert message["From"] == "Circolo <carte@example.org>"
        assert message.get_content_type() == "text/plain"
    assert "/account/password/reset/key/" in postbox.received[1].get_content()
    assert len({message["Message-ID"] for message in postbox.received}) == 3
    buttons = [message["List-Unsubscribe"] for message in postbox.received]  # RFC 8058; none for the account itself
    assert [button is not None for button in buttons] == [True, False, True]
    assert all(message["List-Unsubscribe-Post"] for message in postbox.received[::2])


@pytest.mark.rule("U4")
def test_a_message_gets_from_the_table_to_the_browser_once_with_two_workers(
    anna: Player, bruno: Player, carla: Player, dino: Player, folder: Path, settings: Any
) -> None:
    settings.OUTGOING_OPEN = True
    presence.forget_here()
    with receiving(folder, statuses(503, 201)) as service:
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
        until(waits.exists, what="the pause after a 503, shorter than that of whoever takes a message")
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
