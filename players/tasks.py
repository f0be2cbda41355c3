"""Celery tasks: housekeeping, mail, messages to devices. No deadline of a game depends on them."""

from celery import shared_task
from django.utils import timezone

from players.services import housekeeping, mail, push_messages


@shared_task(name="players.keep_house", ignore_result=True)
def keep_house() -> None:
    """Delete what nobody will miss: a share of it, the rest next time."""
    housekeeping.keep_house(now=timezone.now())


@shared_task(name="players.send_mails", ignore_result=True)
def send_mails() -> None:
    """Send the mails that are due. Called when one is stored, and every half minute in case a call was lost."""
    mail.send_due_mails(now=timezone.now())


@shared_task(name="players.send_pushes", ignore_result=True)
def send_pushes() -> None:
    """Send the messages to devices that are due. Called when one is stored, and every few seconds: some wait until
    their reader looks away, some are tried again."""
    push_messages.send_due_messages(now=timezone.now())
