from django.urls import URLPattern, path

from players.realtime.consumers import PersonConsumer

websocket_urlpatterns: list[URLPattern] = [path("ws/persona/", PersonConsumer.as_asgi())]
