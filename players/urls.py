from django.urls import URLPattern, path

from players.views import SignupView

# Before allauth's own in config/urls.py: a guest may sign up too.
urlpatterns: list[URLPattern] = [path("account/signup/", SignupView.as_view(), name="account_signup")]
