"""Addresses of finished matches."""

from django.urls import path

from scoring import views

urlpatterns = [
    path("partite/<str:public_id>/", views.match_result, name="match-result"),
    path("partite/<str:public_id>/verbale.json", views.match_record, name="match-record"),
]
