"""Celery tasks of records: analyses and the mining of problems, in the background. No deadline of a game depends on
them."""

import logging
import subprocess
import sys

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from records.analysis import actions, run
from records.problems import actions as problems
from records.problems import mining

logger = logging.getLogger(__name__)

SECONDS, MATCHES = 40, 20  # for a run, each time the beat asks for one
PATIENCE_SECONDS = 240  # one match more, on a slow machine, and the start of the process


@shared_task(name=actions.TASK, ignore_result=True)
def analyse() -> None:
    """Work off the analyses that wait (HP6). Called when one is asked for, and every half minute in case a call or a
    worker was lost."""
    run.run_waiting(clock=timezone.now)


@shared_task(name="records.mine_problems", ignore_result=True)
def mine_problems() -> None:
    """Have new matches gone through for problems, if there are any, and choose the problems of the day."""
    if mining.is_due():
        command = [sys.executable, "manage.py", "mine_problems", "--seconds", str(SECONDS), "--most", str(MATCHES)]
        try:
            subprocess.run(  # noqa: S603 the command is ours
                command,
                cwd=settings.BASE_DIR,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                timeout=PATIENCE_SECONDS,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            logger.warning("problems could not be mined: %r", error)
    problems.ensure_daily(now=timezone.now())
