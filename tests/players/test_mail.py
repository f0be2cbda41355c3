"""Mail: to players who want it and have a confirmed address, in their language, once, after the commit; and
failures."""

import smtplib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from players.models import Mail, Player, User
from players.services.mail import MailValues, forget_sent_mails, mail_to, send_due_mails
from tests.support.html import read_hooks
from tests.support.mail import enter_bar_cup, find_link, open_bar_table, send_due
from tests.support.people import PASSWORD, give_address
from tournaments.organise import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_attempts_yet")]


def test_who_wants_to_know_of_their_table_gets_one_mail_with_the_way_there(
    now: datetime, anna: Player, bruno: Player
) -> None:
    address = give_address(anna, mail_tables=True)
    give_address(bruno)  # doesn't want any
    match = open_bar_table(now, anna, bruno)
    (message,) = send_due(now)
    assert message.to == [address]
    assert message.subject == "Il tuo tavolo è aperto: Coppa del bar"
    assert find_link(message) == reverse("table", args=[match.public_id])
    assert message.extra_headers["Auto-Submitted"] == "auto-generated"
    assert send_due(now + timedelta(hours=1)) == []


@pytest.mark.parametrize("case", ["unconfirmed", "no address", "closed"])
def test_nobody_else_gets_one(now: datetime, anna: Player, bruno: Player, case: str) -> None:
    if case == "no address":
        User.objects.filter(pk=anna.user_id).update(mail_tables=True)
    else:
        give_address(anna, verified=case != "unconfirmed", mail_tables=True, is_active=case != "closed")
    open_bar_table(now, anna, bruno)
    assert send_due(now) == []


def test_who_changes_their_mind_in_between_gets_none(now: datetime, anna: Player, bruno: Player) -> None:
    give_address(anna, mail_tables=True)
    open_bar_table(now, anna, bruno)
    User.objects.filter(pk=anna.user_id).update(mail_tables=False)
    assert send_due(now) == []
    assert Mail.objects.get().due_at is None


def test_the_draw_and_the_cancellation_are_told_to_who_is_in(
    now: datetime, anna: Player, bruno: Player, carla: Player
) -> None:
    for player in (anna, bruno, carla):
        give_address(player, mail_tournaments=True)
    drawn = enter_bar_cup(now, carla, anna, bruno, max_entries=2)
    called_off = enter_bar_cup(now, carla, bruno)
    lifecycle.cancel_tournament(tournament_id=called_off.pk, by=carla, reason="Neve", now=now)
    mails = sorted((message.to[0], message.subject, find_link(message)) for message in send_due(now))
    assert mails == [
        ("anna@example.org", "Sorteggio fatto: Coppa del bar", reverse("tournament", args=[drawn.public_id])),
        ("bruno@example.org", "Sorteggio fatto: Coppa del bar", reverse("tournament", args=[drawn.public_id])),
        ("bruno@example.org", "Torneo annullato: Coppa del bar", reverse("tournament", args=[called_off.public_id])),
    ]


def test_a_mail_is_written_in_its_readers_language(
    now: datetime, anna: Player, bruno: Player, settings: Any, tmp_path: Path
) -> None:
    catalogue = Catalog(locale="en")
    catalogue.add("Il tuo tavolo è aperto: %(title)s", "Your table is open: %(title)s")
    (tmp_path / "en" / "LC_MESSAGES").mkdir(parents=True)
    with (tmp_path / "en" / "LC_MESSAGES" / "django.mo").open("wb") as file:
        write_mo(file, catalogue)
    settings.LOCALE_PATHS = [tmp_path]
    give_address(anna, mail_tables=True, language="en")
    give_address(bruno, mail_tables=True)
    open_bar_table(now, anna, bruno)
    with translation.override("en"):  # whatever the worker's own is
        mails = {message.to[0]: message.subject for message in send_due(now)}
    assert mails == {
        "anna@example.org": "Your table is open: Coppa del bar",
        "bruno@example.org": "Il tuo tavolo è aperto: Coppa del bar",
    }


def test_a_tournament_of_the_house_is_named_in_the_readers_language(now: datetime, anna: Player, bruno: Player) -> None:
    give_address(anna, mail_tables=True, language="en")
    give_address(bruno, mail_tables=True)
    values = MailValues(title="KO veloce di scopa", path="/")
    mail_to(kind="table", key="x", player_ids=[anna.pk, bruno.pk], values=values, now=now)
    subjects = {message.to[0]: message.subject for message in send_due(now)}
    assert subjects["anna@example.org"].endswith(": Quick Scopa knockout")
    assert subjects["bruno@example.org"].endswith(": KO veloce di scopa")


def test_a_title_never_gets_into_the_headers_or_becomes_markup(now: datetime, anna: Player) -> None:
    give_address(anna, mail_tables=True)
    title = "Coppa\r\nBcc: tutti@example.org <b>&"
    mail_to(kind="table", key="x", player_ids=[anna.pk], values={"title": title, "path": "/"}, now=now)
    (message,) = send_due(now)
    assert "\n" not in message.subject
    assert set(message.message().keys()).isdisjoint({"Bcc"})
    assert "<b>&" in message.subject
    assert message.content_subtype == "plain"


def test_told_twice_it_is_sent_once(now: datetime, anna: Player) -> None:
    give_address(anna, mail_tables=True)
    for _ in range(2):
        mail_to(kind="table", key="x", player_ids=[anna.pk], values={"title": "x", "path": "/"}, now=now)
    assert len(send_due(now)) == 1
    mail_to(kind="table", key="x", player_ids=[anna.pk], values={"title": "x", "path": "/"}, now=now)
    assert send_due(now) == []


def test_what_was_not_committed_is_not_sent(now: datetime, anna: Player, bruno: Player) -> None:
    give_address(anna, mail_tables=True)
    with transaction.atomic():
        open_bar_table(now, anna, bruno)
        transaction.set_rollback(True)
    assert send_due(now) == []


def test_a_server_that_refuses_is_tried_again_later_and_not_for_ever(
    now: datetime, anna: Player, settings: Any
) -> None:
    give_address(anna, mail_tables=True)
    mail_to(kind="table", key="x", player_ids=[anna.pk], values={"title": "x", "path": "/"}, now=now)
    backend = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = (
        "django.core.mail.backends.smtp.EmailBackend",
        "127.0.0.1",
        1,  # nobody listens there
    )
    assert send_due(now) == []
    settings.EMAIL_BACKEND = backend
    assert send_due(now + timedelta(seconds=30)) == []  # not yet
    assert len(send_due(now + timedelta(minutes=2))) == 1
    mail_to(kind="table", key="y", player_ids=[anna.pk], values={"title": "y", "path": "/"}, now=now)
    assert send_due(now + timedelta(hours=1)) == []  # nobody needs it any more
    assert not Mail.objects.filter(due_at__isnull=False).exists()


class RefusingBackend(BaseEmailBackend):
    """Stand for a mail server that knows none of the addresses, and says so as servers do."""

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        (address,) = email_messages[0].to
        raise smtplib.SMTPRecipientsRefused({address: (550, f"<{address}>: unknown".encode())})


def test_whom_a_server_refuses_is_not_named_in_the_log(
    now: datetime, anna: Player, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """No address of a person in any log."""
    give_address(anna, mail_tables=True)
    mail_to(kind="table", key="x", player_ids=[anna.pk], values={"title": "x", "path": "/"}, now=now)
    settings.EMAIL_BACKEND = f"{__name__}.{RefusingBackend.__name__}"
    assert send_due(now) == []
    assert "SMTPRecipientsRefused" in caplog.text
    assert anna.user is not None
    assert anna.user.email not in caplog.text


def test_a_worker_that_died_while_sending_leaves_the_mail_to_another(now: datetime, anna: Player) -> None:
    give_address(anna, mail_tables=True)
    mail_to(kind="table", key="x", player_ids=[anna.pk], values={"title": "x", "path": "/"}, now=now)
    Mail.objects.update(due_at=now + timedelta(minutes=5), attempts=1)  # taken by one that is no more
    assert send_due(now + timedelta(minutes=4)) == []
    assert len(send_due(now + timedelta(minutes=5))) == 1


def test_an_address_counts_once_its_mailbox_said_so(anna: Player, client: Client) -> None:
    client.force_login(anna.user)
    client.post(reverse("account_email"), {"email": "Anna@Example.org", "password": PASSWORD})
    (message,) = send_due(timezone.now())
    assert message.to == ["anna@example.org"]
    assert not EmailAddress.objects.get(user=anna.user).verified
    asked = client.get(find_link(message))
    assert "anna@example.org" in asked.content.decode()
    assert not EmailAddress.objects.get(user=anna.user).verified  # a scanner that follows links confirms nothing
    client.post(find_link(message))
    assert EmailAddress.objects.get(user=anna.user).verified
    anna.user.refresh_from_db()
    assert anna.user.email == "anna@example.org"


def test_a_new_address_takes_the_old_ones_place_only_when_confirmed(anna: Player, client: Client) -> None:
    old = give_address(anna)
    client.force_login(anna.user)
    client.post(reverse("account_email"), {"email": "nuova@example.org", "password": PASSWORD})
    assert EmailAddress.objects.get_verified(anna.user).email == old
    (message,) = send_due(timezone.now())
    client.post(find_link(message))
    assert [(row.email, row.verified) for row in EmailAddress.objects.filter(user=anna.user)] == [
        ("nuova@example.org", True)
    ]


def test_an_address_of_ones_own_is_not_asked_about_again_and_an_empty_one_is_gone(anna: Player, client: Client) -> None:
    old = give_address(anna, mail_tables=True)
    client.force_login(anna.user)
    page = client.post(reverse("account_email"), {"email": old, "password": PASSWORD}, follow=True)
    assert read_hooks(page, "notice") == ["address_confirmed"]
    assert send_due(timezone.now()) == []
    client.post(reverse("account_email"), {"email": "", "password": PASSWORD})
    assert not EmailAddress.objects.filter(user=anna.user).exists()
    assert (User.objects.get(pk=anna.user_id).email, User.objects.get(pk=anna.user_id).mail_tables) == ("", False)


def test_nobody_has_us_write_to_strangers_all_day(anna: Player, client: Client) -> None:
    client.force_login(anna.user)
    answers = [
        client.post(reverse("account_email"), {"email": f"a{number}@example.org", "password": PASSWORD}).status_code
        for number in range(12)
    ]
    assert answers == [302] * 10 + [429] * 2


def test_sent_mails_are_forgotten_after_a_month(now: datetime, anna: Player) -> None:
    give_address(anna, mail_tables=True)
    mail_to(kind="table", key="x", player_ids=[anna.pk], values={"title": "x", "path": "/"}, now=now)
    send_due(now)
    forget_sent_mails(now=now + timedelta(days=29))
    assert Mail.objects.count() == 1
    forget_sent_mails(now=now + timedelta(days=30))
    assert not Mail.objects.exists()


@pytest.mark.both_databases
@pytest.mark.django_db(transaction=True)
def test_several_workers_at_once_send_a_mail_once(now: datetime, anna: Player) -> None:
    give_address(anna, mail_tables=True)
    for number in range(12):
        mail_to(
            kind="table", key=str(number), player_ids=[anna.pk], values={"title": str(number), "path": "/"}, now=now
        )

    def work(_: int) -> int:
        try:
            return send_due_mails(now=now)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) == 12
    assert sorted(message.subject for message in mail.outbox) == sorted(
        f"Il tuo tavolo è aperto: {number}" for number in range(12)
    )


def sign_up(name: str) -> Any:
    data = {"username": name, "email": "ida@example.org", "password1": PASSWORD, "password2": PASSWORD}
    return Client().post(reverse("account_signup"), data, follow=True)


def test_a_strangers_word_is_in_no_mail_to_an_address_that_nobody_confirmed() -> None:
    sign_up("vinci.example.net")
    Client().post(reverse("account_reset_password"), {"email": "ida@example.org"})
    confirming, resetting = send_due(timezone.now())
    assert "vinci" not in f"{confirming.subject}{confirming.body}{resetting.subject}{resetting.body}"
    asked = Client().get(find_link(confirming))
    assert "vinci.example.net" in asked.content.decode(), "the page says whose account it is"
    Client().post(find_link(confirming))
    Client().post(reverse("account_reset_password"), {"email": "ida@example.org"})
    (again,) = send_due(timezone.now())
    assert "vinci.example.net" in again.body, "the owner's own"


def test_a_limit_that_keeps_a_mail_back_says_so() -> None:
    assert "mail_waits" not in read_hooks(sign_up("Ida Neri"), "notice")
    assert "mail_waits" in read_hooks(sign_up("Ida Bianchi"), "notice")
    assert len(send_due(timezone.now())) == 1


@pytest.mark.parametrize(("rate", "wait"), [("1/7m/key", "fra 7 minuti"), ("1/m/key,3/2h/key", "fra 2 ore")])
def test_a_limit_that_keeps_a_mail_back_says_for_how_long(settings: Any, rate: str, wait: str) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "confirm_email": rate}
    answers = [sign_up(f"Ida {number}") for number in range(4)]
    assert f"chiedila {wait} da qui" in answers[-1].content.decode()
