"""Celery tasks of tournaments: the stored rankings. No deadline of a game depends on them."""

from celery import shared_task
from django.utils import timezone

from tournaments.rankings.refresh import refresh_rankings


@shared_task(name="tournaments.refresh_rankings", ignore_result=True)
def refresh_rankings_due() -> None:
    """Make the rankings anew whose points or levels have changed (Y1)."""
    refresh_rankings(now=timezone.now())
