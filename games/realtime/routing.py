from django.urls import URLPattern, path

from games.lobby.live import LobbyConsumer, LobbyPageConsumer
from games.realtime.consumers import TableConsumer

websocket_urlpatterns: list[URLPattern] = [
    path("ws/tavolo/<id:public_id>/", TableConsumer.as_asgi()),
    path("ws/tavoli/", LobbyConsumer.as_asgi()),
    path("ws/sala/", LobbyPageConsumer.as_asgi()),
]
