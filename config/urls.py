"""Every address of the site."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain")


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("", include("players.urls")),
    path("account/", include("allauth.account.urls")),
    path("", include("games.urls")),
    path("", include("scoring.urls")),
    path("", include("tournaments.urls")),
]
