from django.urls import URLPattern, path

from games.realtime.consumers import TableConsumer

websocket_urlpatterns: list[URLPattern] = [path("ws/tavolo/<slug:public_id>/", TableConsumer.as_asgi())]
