from allauth.account import views as allauth
from django.urls import URLPattern, path
from django.views.generic import RedirectView

from players import views

# Before allauth's own in config/urls.py: a guest may sign up too, and one address an account needs no list of them.
urlpatterns: list[URLPattern] = [
    path("account/signup/", views.SignupView.as_view(), name="account_signup"),
    path("account/email/", views.edit_email, name="account_email"),
    path("account/password/set/", RedirectView.as_view(pattern_name="account_signup"), name="account_set_password"),
    # Not the address in a mailed link: that is somebody's own even in a guest's browser.
    path("account/reauthenticate/", views.require_member(allauth.reauthenticate), name="account_reauthenticate"),
    path("account/password/change/", views.require_member(allauth.password_change), name="account_change_password"),
    path("account/password/reset/", views.require_member(allauth.password_reset), name="account_reset_password"),
    path(
        "account/password/reset/done/",
        views.require_member(allauth.password_reset_done),
        name="account_reset_password_done",
    ),
    path(
        "account/confirm-email/",
        views.require_member(allauth.email_verification_sent),
        name="account_email_verification_sent",
    ),
    path("profilo/preferenze/", views.edit_preferences, name="preferences"),
    path("profilo/preferenze/aspetto/", views.choose_looks, name="looks"),
    path("profilo/accessi/", views.show_sessions, name="sessions"),
    path("profilo/accessi/chiudi/", views.end_sessions, name="sessions-end"),
    path("profilo/elimina/", views.delete_account, name="account-delete"),
    path("avvisi/basta/<token:token>/", views.stop_mails, name="mails-stop"),
    path("lingua/", views.choose_language, name="language"),
    path("privacy/", views.show_privacy, name="privacy"),
]
