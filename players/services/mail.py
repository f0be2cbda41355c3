"""E-mail to people: stored with its cause, in the same transaction; sent afterwards by Celery, once.

A mail is a row with a key that makes it unique for its reader. The first sender takes it for five minutes, so two
workers never send the same one; a worker that dies in between leaves it to be taken again, with the same Message-ID.
Its text is written when it is sent, in the reader's language, and to the address they have then. Nothing secret is
stored: the link of a reset is made while it is written.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial
from typing import TypedDict
from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.internal.userkit import filter_users_by_email
from allauth.account.models import EmailAddress, get_emailconfirmation_model
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from players import caps
from players.house_titles import show_title
from players.models import Mail, User
from players.selectors import list_time_zones
from players.services.mail_preferences import build_stop_path
from players.services.worker_calls import call_worker
from players.web.live import PageContext
from players.zones import name_zone

logger = logging.getLogger(__name__)

TASK = "players.send_mails"
TAKEN_FOR = timedelta(minutes=5)
RETRY_AFTER = timedelta(minutes=1)  # doubled with each attempt
KEPT_FOR = timedelta(days=30)
BATCH = 100


class MailValues(TypedDict, total=False):
    """The values a mail is written with, as they are stored with it."""

    title: str
    path: str
    at: str  # ISO
    zone: str  # of readers who have chosen none
    round: tuple[str, int]  # its name and number
    why: str  # a code
    reason: str  # what somebody wrote
    rank: int  # in a circuit
    address: int  # the id of an address


#: How long a mail is worth sending.
WORTH: dict[str, timedelta] = {
    "table": timedelta(minutes=20),
    "drawn": timedelta(hours=3),
    "cancelled": timedelta(days=1),
    "withdrawn": timedelta(days=1),
    "expelled": timedelta(days=1),
    "returned": timedelta(days=1),
    "ruling": timedelta(days=1),
    "round_drawn": timedelta(hours=1),
    "round_moved": timedelta(days=1),
    "start_moved": timedelta(days=1),
    "starts_soon": timedelta(minutes=15),
    "round_soon": timedelta(minutes=15),
    "checkin_open": timedelta(minutes=30),
    "not_checked_in": timedelta(hours=3),
    "left_out": timedelta(hours=3),
    "moved_up": timedelta(days=2),
    "approved": timedelta(days=2),
    "declined": timedelta(days=2),
    "claim_answered": timedelta(days=2),
    "entered_by_list": timedelta(days=2),
    "play_invited": timedelta(days=2),
    "replaced": timedelta(hours=3),
    "circuit_place": timedelta(days=2),
    "confirm": timedelta(hours=6),
    "reset": timedelta(hours=1),
    "password": timedelta(days=1),
    **dict.fromkeys(("moderation", "moderation_answer", "moderation_lifted"), timedelta(days=7)),
}
#: The preference each notice needs; what isn't here concerns the account itself and is always sent.
WANTED = {
    "table": "mail_tables",
    **dict.fromkeys(
        ("drawn", "start_moved", "cancelled", "withdrawn", "expelled", "returned", "ruling", "circuit_place"),
        "mail_tournaments",
    ),
    **dict.fromkeys(("round_drawn", "round_moved"), "mail_rounds"),
    **dict.fromkeys(("starts_soon", "round_soon", "checkin_open", "not_checked_in"), "mail_reminders"),
    **dict.fromkeys(
        (
            "moved_up",
            "approved",
            "declined",
            "entered_by_list",
            "play_invited",
            "replaced",
            "left_out",
            "claim_answered",
        ),
        "mail_places",
    ),
}


def mail_to(*, kind: str, key: str, player_ids: Iterable[int], values: MailValues, now: datetime) -> None:
    """Store a notice for those of these players who want it and have a confirmed address.

    ``key`` makes it unique for each of them: stored twice, it is sent once.
    """
    wanted = {f"user__{WANTED[kind]}": True, "user__player__in": list(player_ids), "user__is_active": True}
    readers = EmailAddress.objects.filter(verified=True, primary=True, **wanted).values_list("user_id", flat=True)
    rows = [Mail(user_id=user_id, kind=kind, key=key, values=values, created_at=now, due_at=now) for user_id in readers]
    if rows:
        Mail.objects.bulk_create(rows, ignore_conflicts=True)
        transaction.on_commit(partial(call_worker, TASK))


def mail_account(*, user: User, kind: str, key: str, values: MailValues, now: datetime) -> None:
    """Store a mail that concerns the account itself: confirm (values: address id), password."""
    Mail.objects.bulk_create(
        [Mail(user=user, kind=kind, key=key, values=values, created_at=now, due_at=now)], ignore_conflicts=True
    )
    transaction.on_commit(partial(call_worker, TASK))


def mail_reset(*, address: str, now: datetime) -> None:
    """Store the request to reset the password of ``address``, with the same work whether an account has it or not.

    The account is looked up when the mail is sent, where nobody can measure it.
    """
    Mail.objects.create(kind="reset", key="", address=address, created_at=now, due_at=now)
    transaction.on_commit(partial(call_worker, TASK))


def send_due_mails(*, now: datetime) -> int:
    """Send the mails that are due, each by the first sender to take it; return how many were sent."""
    sent = 0
    for mail_id in list(Mail.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True)[:BATCH]):
        taken = Mail.objects.filter(pk=mail_id, due_at__lte=now).update(
            due_at=now + TAKEN_FOR, attempts=F("attempts") + 1
        )
        if taken:
            sent += _send(Mail.objects.select_related("user__player").get(pk=mail_id), now)
    return sent


def _send(mail: Mail, now: datetime) -> bool:
    over = now - mail.created_at > WORTH[mail.kind]
    messages = [] if over else _list_messages(mail)
    try:
        for message in messages:
            message.send()
    except Exception as error:
        code = getattr(error, "smtp_code", "no code")  # the words of a server have the reader's address in them
        logger.warning("mail %d was not sent, attempt %d: %s, %s", mail.pk, mail.attempts, type(error).__name__, code)
        Mail.objects.filter(pk=mail.pk).update(due_at=now + RETRY_AFTER * 2 ** min(mail.attempts - 1, 6))
        return False
    if mail.kind == "reset":
        mail.delete()  # its address may be anybody's
    else:
        Mail.objects.filter(pk=mail.pk).update(due_at=None, sent_at=now if messages else None)
    return bool(messages)


def _list_messages(mail: Mail) -> list[EmailMessage]:
    """Return the messages of a mail: usually one; none if it isn't wanted any more; one for each account of a reset."""
    if mail.kind == "reset":
        return [_reset(mail, user) for user in _list_owners(mail.address)]
    if mail.user is None or not mail.user.is_active:
        return []
    if mail.kind == "confirm":
        address = EmailAddress.objects.filter(pk=mail.values["address"], user=mail.user, verified=False).first()
        return [] if address is None else [_confirm(mail, mail.user, address)]
    wish = WANTED.get(mail.kind)
    confirmed = EmailAddress.objects.get_verified(mail.user)
    if confirmed is None or (wish is not None and not getattr(mail.user, wish)):
        return []
    values = dict(mail.values)
    if "path" in values:
        values["url"] = build_site_url(values.pop("path"))
    if wish is not None:
        values["stop"] = build_site_url(build_stop_path(mail.user, wish))
    return [_write_message(mail, mail.kind, mail.user, confirmed.email, values)]


def _list_owners(address: str) -> list[User]:
    users: list[User] = filter_users_by_email(address, is_active=True, prefer_verified=True, for_login=True)
    return sorted(users, key=lambda user: user.pk)


def _reset(mail: Mail, user: User) -> EmailMessage:
    token = app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": user_pk_to_url_str(user), "key": token})
    is_confirmed = EmailAddress.objects.filter(user=user, email=mail.address, verified=True).exists()
    login = user.username if is_confirmed else ""  # else it may be a stranger's word to whoever has this address
    return _write_message(mail, "reset", user, mail.address, {"url": build_site_url(path), "login": login})


def _confirm(mail: Mail, user: User, address: EmailAddress) -> EmailMessage:
    """Return a link that confirms the address; where another account has confirmed it, a note to its owner instead.

    Of the account it says nothing: its name is what a stranger may have typed for somebody else's mailbox.
    """
    if not address.can_set_verified():
        owner = EmailAddress.objects.select_related("user").get(email=address.email, verified=True).user
        values = {"url": build_site_url(reverse("account_reset_password")), "login": owner.username}
        return _write_message(mail, "already", owner, address.email, values)
    key = get_emailconfirmation_model().create(address).key
    values = {"url": build_site_url(reverse("account_confirm_email", args=[key]))}
    return _write_message(mail, "confirm", user, address.email, values)


def build_site_url(path: str) -> str:
    """Return a link for a mail. The host never comes from a request: its Host header is the sender's to choose."""
    return f"{settings.SITE_URL}{path}"


def _write_message(mail: Mail, template: str, user: User, to: str, values: PageContext) -> EmailMessage:
    """Return plain text in the reader's language and time zone (E7). The template's first line is the subject."""
    values = {name: " ".join(value.split()) if isinstance(value, str) else value for name, value in values.items()}
    zone = next(
        (name for name in (user.time_zone, values.get("zone", "")) if name in list_time_zones()), settings.TIME_ZONE
    )
    if "at" in values:
        values["at"] = datetime.fromisoformat(values["at"])
    with translation.override(user.language or settings.LANGUAGE_CODE), timezone.override(zone):
        values["zone"] = name_zone(zone)
        if "title" in values:
            values["title"] = show_title(values["title"])
        text = render_to_string(f"players/mail/{template}.txt", {**values, "site": settings.SITE_URL})
    subject, body = text.strip().split("\n", 1)
    host = urlsplit(settings.SITE_URL).hostname
    headers = {"Message-ID": f"<smazzata.{mail.pk}.{user.pk}@{host}>", "Auto-Submitted": "auto-generated"}
    if "stop" in values:  # RFC 2369 and 8058: the mail program's own button
        headers |= {
            "List-Unsubscribe": f"<{values['stop']}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    return EmailMessage(subject.strip(), body.strip() + "\n", to=[to], headers=headers)


def forget_sent_mails(*, now: datetime) -> int:
    """Delete a batch of mails that were sent or given up a month ago: nothing can repeat them any more."""
    old = Mail.objects.filter(due_at__isnull=True, created_at__lte=now - KEPT_FOR).values_list("pk", flat=True)
    return Mail.objects.filter(pk__in=list(old[: caps.HOUSEKEEPING_BATCH])).delete()[0]
