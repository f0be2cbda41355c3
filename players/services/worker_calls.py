"""Calls of Celery's workers for what waits in rows: best effort, without waiting. The beat calls them too."""

import logging
import threading

from celery import current_app

logger = logging.getLogger(__name__)


def call_worker(task: str) -> None:
    """Have a worker run a task soon. Nobody waits for Redis, and none of its faults is raised."""
    threading.Thread(target=_publish, args=(task,), name="worker-call", daemon=True).start()


def _publish(task: str) -> None:
    try:
        current_app.send_task(task, ignore_result=True, retry=False)
    except Exception as error:
        logger.info("%s waits for the beat: %r", task, error)
