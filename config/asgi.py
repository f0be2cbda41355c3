"""The web process: pages and sockets behind one ASGI application, and what starts and stops with the process."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from asgiref.typing import ASGIReceiveCallable, ASGISendCallable, Scope
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

http = get_asgi_application()

import games.realtime.routing
import players.realtime.routing
import tournaments.realtime.routing
from games.realtime import process


async def lifespan(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Start and stop what the tables need once a process: their poll for lost pokes and the sign of life."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            await process.start()
            await send({"type": "lifespan.startup.complete"})
        else:
            await process.stop()
            await send({"type": "lifespan.shutdown.complete"})
            return


application = ProtocolTypeRouter(
    {
        "http": http,
        "lifespan": lifespan,
        "websocket": AuthMiddlewareStack(
            URLRouter(
                players.realtime.routing.websocket_urlpatterns
                + games.realtime.routing.websocket_urlpatterns
                + tournaments.realtime.routing.websocket_urlpatterns
            )
        ),
    }
)
