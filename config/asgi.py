"""The web process: pages and sockets behind one ASGI application."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

http = get_asgi_application()

import games.realtime.routing
import players.realtime.routing
import tournaments.realtime.routing

application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": AuthMiddlewareStack(
            URLRouter(
                players.realtime.routing.websocket_urlpatterns
                + games.realtime.routing.websocket_urlpatterns
                + tournaments.realtime.routing.websocket_urlpatterns
            )
        ),
    }
)
