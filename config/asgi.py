"""The web process: pages and sockets behind one ASGI application, and what starts and stops with the process."""

import logging
import os
from typing import Any, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.urls import re_path

from config.environment import read_environment
from config.static_cache import StaticCache

site = StaticCache(cast(Any, get_asgi_application()), settings.STATIC_URL)

from config.checks import refuse_if_unsafe

refuse_if_unsafe()

import games.realtime.routing
import players.realtime.routing
import tournaments.pages.live
from config.doorbell import Doorbell
from config.exposition import MetricsEndpoint
from config.page_cache import PageCache
from games.realtime import process
from games.site_rest import visits

logger = logging.getLogger(__name__)


async def lifespan(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Start and stop what the tables need once a process: their poll for lost pokes and the sign of life."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await process.start()
            logger.info("the web process serves")
            await send({"type": "lifespan.startup.complete"})
        else:
            await pages.finish()
            await process.stop()
            logger.info("the web process ends")
            await send({"type": "lifespan.shutdown.complete"})
            return


async def no_such_socket(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Answer a socket for an address that doesn't exist: 404 instead of a handshake, or a refusal without words."""
    await receive()
    extensions: Any = scope.get("extensions") or {}
    if "websocket.http.response" in extensions:
        await send({"type": "websocket.http.response.start", "status": 404, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"", "more_body": False})
    else:
        await send({"type": "websocket.close", "code": 1000, "reason": None})


pages = PageCache(site)
application = Doorbell(
    ProtocolTypeRouter(
        {
            "http": MetricsEndpoint(pages, read_environment().metrics_token),
            "lifespan": lifespan,
            # Who opens a socket is read by the socket itself (players/realtime/base.py), session and user at once.
            "websocket": URLRouter(
                players.realtime.routing.websocket_urlpatterns
                + games.realtime.routing.websocket_urlpatterns
                + tournaments.pages.live.websocket_urlpatterns
                + [re_path("", cast(Any, no_such_socket))]
            ),
        }
    ),
    visits,
)
