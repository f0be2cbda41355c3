"""The Celery app: the sweep inside each worker, and a beat for housekeeping only, never for anything due: a program, or
a thread of one worker."""

import logging
import os
import sys
from typing import Any

import django
from celery import Celery
from celery.signals import beat_init, worker_init
from click import Option
from django.apps import apps

from config.memory import spare_collector

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

logger = logging.getLogger(__name__)

app = Celery("smazzata")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.user_options["worker"].add(Option(["--with-beat"], help="beat in this worker, and remember in this file"))
app.conf.beat_schedule = {
    "keep-house": {"task": "players.keep_house", "schedule": 600.0},
    "refresh-rankings": {"task": "tournaments.refresh_rankings", "schedule": 120.0},
    "send-mails": {"task": "players.send_mails", "schedule": 30.0},
    # Of use at once or not at all: what waits while no worker is there is not run ten times when one comes.
    "send-pushes": {"task": "players.send_pushes", "schedule": 5.0, "options": {"expires": 5.0}},
    "call-turns": {"task": "games.call_turns", "schedule": 5.0, "options": {"expires": 5.0}},
    "recompute-levels": {"task": "scoring.recompute_levels", "schedule": 30.0},
    "analyse": {"task": "records.analyse", "schedule": 30.0, "options": {"expires": 30.0}},
    "mine-problems": {"task": "records.mine_problems", "schedule": 120.0, "options": {"expires": 100.0}},
}


@worker_init.connect
@beat_init.connect
def refuse_unsafe(**_: Any) -> None:
    """End here, with the reasons, if this is an unsafe production: nothing has been taken from the queue yet."""
    if not apps.ready:  # else it is the beat in a worker, which is set up, its log too
        django.setup()
    from config.checks import Unsafe, refuse_if_unsafe

    try:
        refuse_if_unsafe()
    except Unsafe as refusal:
        print(refusal, file=sys.__stderr__)  # Celery has put its log in the place of sys.stderr
        raise SystemExit(2) from refusal


@worker_init.connect
@beat_init.connect
def log_warnings(**_: Any) -> None:
    """Have Python's warnings be lines of the log like all others."""
    logging.captureWarnings(True)


@worker_init.connect
def install_steps(**_: Any) -> None:
    """Put the sweep, and the beat where it is asked for, into the worker about to be built: by now models may be
    imported."""
    from config.beat import BeatStep
    from games.sweep import SweepStep

    app.steps["worker"].update((SweepStep, BeatStep))


@worker_init.connect
def keep_what_is_loaded(**_: Any) -> None:
    """Let the sweep and the draws not wait for the collector."""
    spare_collector()


@worker_init.connect
def serve_metrics(**_: Any) -> None:
    """Give this worker's figures at METRICS_PORT, and nobody any without a token: that it answers says it's there.
    A port that is taken stops no worker: the sweep matters more."""
    from config.environment import read_environment
    from config.exposition import serve_worker

    values = read_environment()
    if values.metrics_port is None:
        return
    try:
        serve_worker(values.host, values.metrics_port, values.metrics_token)
    except OSError as error:
        logger.error("the figures can't be given at port %d: %s", values.metrics_port, error.strerror)
