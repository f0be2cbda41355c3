"""Addresses of moderation."""

from django.urls import path

from games.moderation import views

urlpatterns = [
    path("moderazione/", views.show_desk, name="moderation"),
    path("moderazione/segnalazioni/<id:public_id>/", views.show_report, name="moderation-report"),
    path("moderazione/persone/<id:public_id>/", views.show_person, name="moderation-person"),
    path("moderazione/decisioni/<id:public_id>/", views.show_act, name="moderation-act"),
    path("moderazione/decisioni/<id:public_id>/togli/", views.lift, name="moderation-lift"),
]
