"""Addresses of finished matches, of the rules of the games, and of the page that checks records."""

from django.urls import path

from scoring import views

urlpatterns = [
    path("partite/<str:public_id>/", views.match_result, name="match-result"),
    path("partite/<str:public_id>/verbale.json", views.match_record, name="match-record"),
    path("partite/<str:public_id>/smazzate/<int:place>/", views.match_replay, name="match-replay"),
    path("regole/", views.rules, name="rules"),
    path("regole/<slug:ruleset>/", views.rules_of, name="rules-of"),
    path("verbali/", views.check_record, name="records"),
    path("verbali/smazzate/<int:place>/", views.record_replay, name="record-replay"),
]
