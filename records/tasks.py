"""Celery tasks of records: analyses in the background. No deadline of a game depends on them."""

from celery import shared_task
from django.utils import timezone

from records.analysis import actions, run


@shared_task(name=actions.TASK, ignore_result=True)
def analyse() -> None:
    """Work off the analyses that wait (HP6). Called when one is asked for, and every half minute in case a call or a
    worker was lost."""
    run.run_waiting(clock=timezone.now)
