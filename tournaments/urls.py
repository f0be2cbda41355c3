from django.urls import URLPattern, path

from tournaments import views

urlpatterns: list[URLPattern] = [
    path("", views.home, name="home"),
    path("gioca-subito/", views.play_now, name="play-now"),
    path("profilo/", views.profile, name="profile"),
    path("circoli/", views.clubs, name="clubs"),
    path("circoli/nuovo/", views.club_new, name="club-new"),
    path("circoli/<slug:public_id>/", views.club, name="club"),
    path("circoli/<slug:public_id>/modifica/", views.club_edit, name="club-edit"),
    path("circoli/<slug:public_id>/<slug:act>/", views.club_act, name="club-act"),
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
    # For everybody (W2)
    path("tornei/<slug:public_id>/classifica/", views.standings, name="standings"),
    path("tornei/<slug:public_id>/classifica/<int:seed>/", views.standings, name="standings-of"),
    path("tornei/<slug:public_id>/stampa/<slug:what>/", views.printed, name="tournament-print"),
    path("tornei/<slug:public_id>/esporta/<slug:what>.csv", views.export, {"kind": "csv"}, name="export-csv"),
    path("tornei/<slug:public_id>/esporta/<slug:what>.xlsx", views.export, {"kind": "xlsx"}, name="export-xlsx"),
    path("tornei/<slug:public_id>/esporta/<slug:what>.json", views.export, {"kind": "json"}, name="export-json"),
    path("tornei/<slug:public_id>/calendario.ics", views.calendar, name="tournament-calendar"),
    path("tornei/<slug:public_id>/qr/", views.code, name="tournament-qr"),
    path("tornei/<slug:public_id>/riquadro/", views.embed, name="tournament-embed"),
    path("calendario/<slug:token>.ics", views.own_calendar, name="own-calendar"),
    path("profilo/calendario/", views.calendar_page, name="calendar-page"),
]
