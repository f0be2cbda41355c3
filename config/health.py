"""Health of a process: ``/healthz`` says that it answers, ``/readyz`` whether it can serve people.

``/readyz`` looks at what the process needs from others and says one word for each: the database, the migrations this
code expects, the channel layer, and whether any sweeper lives. 200 if all is well, else 503. It changes nothing, waits
two seconds at most for Redis, and says no reasons: those are in the log.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import timedelta

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Liveness
from games.outages import SWEEPER

logger = logging.getLogger(__name__)

REDIS_SECONDS = 2.0
SWEEPER_SILENCE = timedelta(seconds=5)  # a sweeper beats twice a second

_migrated = False  # once true it stays so: this process's code expects no more than it does


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer, with this process's hour in milliseconds: pages set their clocks by it (H14)."""
    return HttpResponse("ok", content_type="text/plain", headers={"X-Hour": str(int(time.time() * 1000))})


def check_database() -> bool:
    """Ask the database for an answer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def check_migrations() -> bool:
    """Return True once every migration of this code has been applied."""
    global _migrated
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return _migrated


def check_channel_layer() -> bool:
    """Give Redis a message, by the way every hint takes. Nobody listens to this group."""

    async def send() -> None:
        layer = get_channel_layer()
        assert layer is not None
        await asyncio.wait_for(layer.group_send("readyz", {"type": "ready"}), REDIS_SECONDS)

    async_to_sync(send)()
    return True


def check_sweeper() -> bool:
    """Return True if some worker's sweep gave a sign of life just now: without one no deadline is kept."""
    return Liveness.objects.filter(kind=SWEEPER, beat_at__gt=timezone.now() - SWEEPER_SILENCE).exists()


CHECKS: dict[str, Callable[[], bool]] = {
    "database": check_database,
    "migrations": check_migrations,
    "channel_layer": check_channel_layer,
    "sweeper": check_sweeper,
}


def is_well(name: str, check: Callable[[], bool]) -> bool:
    """Run a check; whatever it raises means no, and is logged."""
    try:
        return check()
    except Exception:
        logger.warning("readyz: %s does not answer", name, exc_info=True)
        return False


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer {"ready": ..., and "ok" or "down" for each check}; 503 while anything is down."""
    results = {name: is_well(name, check) for name, check in CHECKS.items()}
    ready = all(results.values())
    words = {name: "ok" if good else "down" for name, good in results.items()}
    return JsonResponse({"ready": ready, **words}, status=200 if ready else 503)
