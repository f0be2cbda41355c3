"""Addresses of the tables."""

from django.urls import path

from games import views

urlpatterns = [
    path("tavoli/<str:public_id>/", views.table, name="table"),
]
