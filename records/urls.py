"""Addresses of finished matches, of the rules of the games, and of the page that checks records."""

from django.urls import path

from records.views import checks, matches, replay, rules

urlpatterns = [
    path("partite/<str:public_id>/", matches.match_result, name="match-result"),
    path("partite/<str:public_id>/verbale.json", matches.match_record, name="match-record"),
    path("partite/<str:public_id>/smazzate/<int:place>/", replay.match_replay, name="match-replay"),
    path("regole/", rules.rules, name="rules"),
    path("regole/<slug:ruleset>/", rules.rules_of, name="rules-of"),
    path("verbali/", checks.check_record, name="records"),
    path("verbali/smazzate/<int:place>/", checks.record_replay, name="record-replay"),
]
