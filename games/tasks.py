"""Celery tasks of the tables. No deadline of a game depends on them."""

from celery import shared_task
from django.utils import timezone

from games import turn_calls


@shared_task(name="games.call_turns", ignore_result=True)
def call_turns() -> None:
    """Tell the devices of those whose turn it is, or whom a table still awaits, and who look at no page (U4). Called
    every few seconds."""
    turn_calls.call_turns(now=timezone.now())
    turn_calls.call_last(now=timezone.now())
