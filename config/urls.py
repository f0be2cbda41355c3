"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

import records.api
from api import routes, token_views
from config.api import Api, SchemaView
from config.api_page import show_document
from config.health import healthz, readyz
from config.search_engines import send_robots, send_sitemap
from config.style_page import show_style
from config.web_app import send_manifest, send_worker, show_offline
from config.well_known import send_icon

site_api = Api()
routes.register(site_api)
records.api.register(site_api)

handler404 = "config.well_known.show_not_found"

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("robots.txt", send_robots, name="robots"),
    path("sitemap.xml", send_sitemap, name="sitemap"),
    path("favicon.ico", send_icon, name="favicon"),
    path("manifest.webmanifest", send_manifest, name="manifest"),
    path("sw.js", send_worker, name="service-worker"),
    path("senza-rete/", show_offline, name="offline"),
    path("stile/", show_style, name="style"),
    path("admin/", admin.site.urls),
    path("api/v1/", include(site_api.urls)),
    path("api/docs/", show_document, name="api-docs"),
    path("api/schema/", SchemaView.as_view(), name="api-schema"),
    path("profilo/chiavi/", token_views.show_tokens, name="tokens"),
    path("profilo/chiavi/togli/", token_views.drop_token, name="token-drop"),
    path("", include("players.urls")),
    path("account/", include("allauth.account.urls")),
    path("", include("games.urls")),
    path("", include("records.urls")),
    path("", include("tournaments.urls")),
]
