"""Addresses of finished matches, of problems, of the rules of the games, and of the page that checks records."""

from django.urls import path

from records.problems import views as problems
from records.views import analyses, checks, matches, picture, replay, rules

urlpatterns = [
    path("partite/<id:public_id>/", matches.show_result, name="match-result"),
    path("partite/<id:public_id>/verbale.json", matches.send_record, name="match-record"),
    path("partite/<id:public_id>/risultato.svg", picture.send_picture, name="match-picture"),
    path("partite/<id:public_id>/smazzate/<int:place>/", replay.show_replay, name="match-replay"),
    path("problemi/", problems.list_problems, name="problems"),
    path("problemi/<slug:ruleset>/altro/", problems.show_another, name="problem-another"),
    path("problemi/<slug:ruleset>/<id:public_id>/", problems.show_problem, name="problem"),
    path("partite/<id:public_id>/analisi/", analyses.show_analysis, name="match-analysis"),
    path("regole/", rules.list_games, name="rules"),
    path("regole/<slug:ruleset>/", rules.show_rules, name="rules-of"),
    path("verbali/", checks.check_record, name="records"),
    path("verbali/analisi/", analyses.ask_about_record, name="record-analysis-asked"),
    path("verbali/analisi/<id:public_id>/", analyses.show_record_analysis, name="record-analysis"),
    path("verbali/smazzate/<int:place>/", checks.show_replay, name="record-replay"),
]
