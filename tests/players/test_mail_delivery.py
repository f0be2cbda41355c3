"""The whole way of a mail: a page, the database, a real Celery worker woken over Redis, a real SMTP server."""

import socketserver
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.models import Mail, Player
from tests.support import live
from tests.support.mail import BAR_CUP, open_bar_table
from tests.support.people import give_address
from tests.support.waiting import until
from tournaments.entries import join
from tournaments.organise import lifecycle

pytestmark = [
    pytest.mark.both_databases,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("no_attempts_yet"),
]


class _Session(socketserver.StreamRequestHandler):
    """Session of RFC 5321, with as much of it as a client that behaves needs."""

    server: "Postbox"

    def handle(self) -> None:
        self.wfile.write(b"220 ready\r\n")
        while line := self.rfile.readline():
            verb = line.split()[0].upper() if line.split() else b""
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                self._take()
            elif verb == b"QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            self.wfile.write(b"250 ok\r\n")

    def _take(self) -> None:
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        parsed = message_from_bytes(b"".join(lines), policy=policy.default)
        assert isinstance(parsed, EmailMessage)
        self.server.received.append(parsed)


class Postbox(socketserver.ThreadingTCPServer):
    """A mail server that keeps what it gets."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.received: list[EmailMessage] = []


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    with Postbox() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def starts_soon(organiser: Player, player: Player, now: datetime) -> None:
    """A tournament published an hour ago that begins in less than a quarter of an hour."""
    settings = replace(BAR_CUP, starts_at=now + timedelta(minutes=14))
    earlier = now - timedelta(hours=1)
    made = lifecycle.create_tournament(organiser=organiser, settings=settings, now=earlier)
    lifecycle.publish_tournament(tournament_id=made.pk, by=organiser, now=earlier)
    join.enter_player(tournament_id=made.pk, player=player, now=earlier)


def test_a_mail_gets_from_the_page_to_the_mailbox_once_with_two_workers(
    postbox: Postbox, anna: Player, bruno: Player, tmp_path: Path
) -> None:
    address = give_address(anna, mail_tables=True, mail_reminders=True)
    now = timezone.now()
    starts_soon(bruno, anna, now)
    env = {"EMAIL_URL": f"smtp://127.0.0.1:{postbox.server_address[1]}", "EMAIL_FROM": "Circolo <carte@example.org>"}
    with (
        live.worker_process(tmp_path / "one.log", env),
        live.worker_process(tmp_path / "two.log", env),
    ):
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
