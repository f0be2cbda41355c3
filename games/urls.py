"""Addresses of the tables."""

from django.urls import include, path

from games import deck_register, decks, views
from games.chips import views as chips
from games.lessons import views as lessons
from games.lobby import rematch_views
from games.lobby import views as lobby
from games.training import views as training

urlpatterns = [
    path("", include("games.moderation.urls")),
    path("tavoli/nuovo/", lobby.set_up_table, name="free-table-new"),
    path("tavoli/libero/<id:public_id>/", lobby.show_table, name="free-table"),
    path("tavoli/libero/<id:public_id>/siediti/", lobby.take_seat, name="free-table-sit"),
    path("tavoli/libero/<id:public_id>/alzati/", lobby.get_up, name="free-table-leave"),
    path("tavoli/libero/<id:public_id>/fai-alzare/", lobby.have_get_up, name="free-table-unseat"),
    path("tavoli/libero/<id:public_id>/casa/", lobby.call_house, name="free-table-house"),
    path("allenamento/", training.show_training, name="training"),
    path("impara/", lessons.list_lessons, name="lessons"),
    path("impara/<slug:ruleset>/", lessons.go_on, name="lesson"),
    path("impara/<slug:ruleset>/<int:number>/", lessons.show_step, name="lesson-step"),
    path("impara/<slug:ruleset>/<int:number>/risposta/", lessons.answer_step, name="lesson-answer"),
    path("profilo/gettoni/", chips.show_chips, name="chips"),
    path("profilo/gettoni/ricarica/", chips.top_up, name="chips-top-up"),
    path("profilo/gettoni/mostra/", chips.choose_shown, name="chips-show"),
    path("mazzi/", decks.show_decks, name="decks"),
    path("mazzi/registro/", deck_register.show_register, name="deck-register"),
    path("mazzi/controllo/", deck_register.explain_checks, name="fair-deals"),
    path("tavoli/<id:public_id>/", views.show_table, name="table"),
    path("tavoli/<id:public_id>/rivincita/", rematch_views.ask_rematch, name="rematch"),
]
