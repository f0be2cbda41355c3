"""Celery tasks: the levels that are rated anew in the background. No deadline of a game depends on them."""

from celery import shared_task
from django.utils import timezone

from scoring import level_book


@shared_task(name=level_book.TASK, ignore_result=True)
def recompute_levels() -> None:
    """Do the run that waits. Called when one begins, and every half minute in case a call or a worker was lost."""
    level_book.run(now=timezone.now)
