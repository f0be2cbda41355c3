"""Celery tasks for people: housekeeping, once an hour, and mail. No deadline of a game depends on them."""

from celery import shared_task
from django.utils import timezone

from players.services import mail, players, sessions


@shared_task(name="players.expire_guests", ignore_result=True)
def expire_guests() -> None:
    now = timezone.now()
    players.expire_guests(now=now)
    sessions.forget_ended_sessions(now=now)
    mail.forget_sent_mails(now=now)


@shared_task(name="players.send_mails", ignore_result=True)
def send_mails() -> None:
    """Send the mails that are due. Called when one is stored, and every half minute in case a call was lost."""
    mail.send_due_mails(now=timezone.now())
