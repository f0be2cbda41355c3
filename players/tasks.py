"""Housekeeping the beat calls: ``players.expire_guests``, once an hour is plenty. Nothing due depends on it."""

from celery import shared_task
from django.utils import timezone

from players import services


@shared_task(name="players.expire_guests", ignore_result=True)
def expire_guests() -> None:
    services.expire_guests(now=timezone.now())
