from allauth.account import views as allauth
from django.urls import URLPattern, path
from django.views.generic import RedirectView

from players import company_views, moderation_views, push_views, views

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
    path("profilo/aspetto/", views.choose_appearance, name="appearance"),
    path("profilo/dispositivi/", push_views.edit_devices, name="devices"),
    path("profilo/dispositivi/accendi/", push_views.add, name="device-add"),
    path("profilo/dispositivi/togli/", push_views.remove, name="device-remove"),
    path("profilo/accessi/", views.show_sessions, name="sessions"),
    path("profilo/accessi/chiudi/", views.end_sessions, name="sessions-end"),
    path("profilo/elimina/", views.delete_account, name="account-delete"),
    path("giocatori/<id:public_id>/segui/", company_views.follow, name="follow"),
    path("giocatori/<id:public_id>/non-segui/", company_views.unfollow, name="unfollow"),
    path("giocatori/<id:public_id>/blocca/", company_views.block, name="block"),
    path("giocatori/<id:public_id>/sblocca/", company_views.unblock, name="unblock"),
    path("profilo/moderazione/", moderation_views.show_own_acts, name="own-moderation"),
    path("profilo/moderazione/letto/", moderation_views.note_read, name="moderation-read"),
    path("profilo/moderazione/<id:public_id>/ricorso/", moderation_views.appeal, name="moderation-appeal"),
    path("avvisi/basta/<token:token>/", views.stop_mails, name="mails-stop"),
    path("lingua/", views.choose_language, name="language"),
    path("privacy/", views.show_privacy, name="privacy"),
]
