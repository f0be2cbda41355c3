"""The Celery app: the sweep inside each worker, and a beat for housekeeping only, never for anything due."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("smazzata")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {"expire-guests": {"task": "players.expire_guests", "schedule": 3600.0}}


@worker_init.connect
def install_sweep(**_: Any) -> None:
    """Put the sweep into the worker about to be built: by now Django is set up, and its models may be imported."""
    from games.sweep import SweepStep

    app.steps["worker"].add(SweepStep)
