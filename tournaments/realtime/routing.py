from django.urls import URLPattern, path

from tournaments.realtime.consumers import TournamentConsumer, TournamentListConsumer

websocket_urlpatterns: list[URLPattern] = [
    path("ws/tornei/", TournamentListConsumer.as_asgi()),
    path("ws/tornei/<slug:public_id>/", TournamentConsumer.as_asgi()),
]
