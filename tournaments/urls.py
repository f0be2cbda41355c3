from django.urls import URLPattern, path

from tournaments import views

urlpatterns: list[URLPattern] = [
    path("", views.home, name="home"),
    path("gioca-subito/", views.play_now, name="play-now"),
    path("profilo/", views.profile, name="profile"),
    path("tornei/nuovo/", views.new, name="tournament-new"),
    path("tornei/<slug:public_id>/", views.tournament, name="tournament"),
    path("tornei/<slug:public_id>/modifica/", views.edit, name="tournament-edit"),
    path("tornei/<slug:public_id>/iscriviti/", views.join, name="tournament-join"),
    path("tornei/<slug:public_id>/ritirati/", views.leave, name="tournament-leave"),
    path("tornei/<slug:public_id>/pubblica/", views.publish, name="tournament-publish"),
    path("tornei/<slug:public_id>/casa/", views.fill_with_house, name="tournament-house"),
    path("tornei/<slug:public_id>/coppia/", views.pair, name="pair"),
    path("tornei/<slug:public_id>/coppia/casa/", views.with_house, name="pair-house"),
    path("tornei/<slug:public_id>/coppia/risposta/", views.answer, name="pair-answer"),
    path("tornei/<slug:public_id>/coppia/<slug:token>/", views.link, name="pair-link"),
    path("tornei/<slug:public_id>/teste-di-serie/", views.seeds, name="tournament-seeds"),
    path("tornei/<slug:public_id>/annulla/", views.cancel, name="tournament-cancel"),
]
