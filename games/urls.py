"""Addresses of the tables."""

from django.urls import path

from games import decks, views
from games.lobby import views as lobby

urlpatterns = [
    path("tavoli/nuovo/", lobby.set_up_table, name="free-table-new"),
    path("tavoli/libero/<id:public_id>/", lobby.show_table, name="free-table"),
    path("tavoli/libero/<id:public_id>/siediti/", lobby.take_seat, name="free-table-sit"),
    path("tavoli/libero/<id:public_id>/alzati/", lobby.get_up, name="free-table-leave"),
    path("tavoli/libero/<id:public_id>/casa/", lobby.call_house, name="free-table-house"),
    path("mazzi/", decks.show_decks, name="decks"),
    path("tavoli/<id:public_id>/", views.show_table, name="table"),
]
