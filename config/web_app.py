"""The site as an app on a telephone (U4): its manifest, its service worker, and the page that is shown offline.

None of them has anything of a reader in it, whoever asks: a browser keeps them. Each is in the language its address
names. The worker's text changes when anything does that it keeps, and a browser that asks for it takes the new one.
"""

import functools
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

LANGUAGE_FIELD = "lingua"  # of the addresses
COLOUR, GROUND = "#14503c", "#f5eedf"  # the felt of the header, the paper below it
ICONS = (
    ("icon", "192", "any"),
    ("icon", "512", "any"),
    ("maskable", "192", "maskable"),
    ("maskable", "512", "maskable"),
)
KEPT_FILES = ("css/main.css", "css/dark.css", "js/app.js", "img/logo.svg")  # what the offline page needs
UNCHANGING = {"Cache-Control": "no-cache"}  # asked about each time: what a browser has is taken if it is the same


def _read_language(request: HttpRequest) -> str:
    """Return the language an address names, else the one of the reader's pages."""
    named = request.GET.get(LANGUAGE_FIELD, "")
    return named if named in dict(settings.LANGUAGES) else str(translation.get_language())


@require_safe
def send_manifest(request: HttpRequest) -> HttpResponse:
    """Send what a telephone asks to put the site beside its apps."""
    manifest = build_manifest(_read_language(request))
    return HttpResponse(json.dumps(manifest), content_type="application/manifest+json", headers=UNCHANGING)


@require_safe
def send_worker(request: HttpRequest) -> HttpResponse:
    """Send the service worker, from the root: it answers for every page of the site."""
    text = build_worker(_read_language(request))
    return HttpResponse(text, content_type="text/javascript; charset=utf-8", headers=UNCHANGING)


@require_safe
def show_offline(request: HttpRequest) -> HttpResponse:
    """Show the page that a worker keeps for when nobody answers."""
    return HttpResponse(_draw_offline(_read_language(request)), headers=UNCHANGING)


def build_manifest(language: str) -> Mapping[str, Any]:
    """Return the manifest in that language."""
    with translation.override(language):
        lobby, home = reverse("lobby"), reverse("home")
        return {
            "id": home,
            "name": "Smazzata",
            "short_name": "Smazzata",
            "description": _("Tornei di Briscola, Scopa e Tresette dal vivo: si gioca subito, senza registrazione."),
            "lang": language,
            "dir": "ltr",
            "start_url": home,
            "scope": home,
            "display": "standalone",
            "theme_color": COLOUR,
            "background_color": GROUND,
            "categories": ["games", "entertainment"],
            "icons": [
                {"src": _find_icon(name, size), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
                for name, size, purpose in ICONS
            ]
            + [{"src": static("img/app/icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
            "shortcuts": [
                {"name": _("Gioca"), "url": lobby, "icons": [{"src": _find_icon("icon", "192"), "sizes": "192x192"}]},
                {"name": _("Tornei"), "url": home, "icons": [{"src": _find_icon("icon", "192"), "sizes": "192x192"}]},
            ],
        }


def _find_icon(name: str, size: str) -> str:
    return static(f"img/app/{name}-{size}.png")


@functools.cache
def build_worker(language: str) -> str:
    """Return the worker's text: what it keeps, under a version that says so, and what it does (static/js/worker.js)."""
    does = (settings.BASE_DIR / "static/js/worker.js").read_text(encoding="utf-8")
    setup = {
        "offline": f"{reverse('offline')}?{LANGUAGE_FIELD}={language}",
        "files": [static(name) for name in KEPT_FILES],
        "icon": _find_icon("icon", "192"),
        "badge": _find_icon("badge", "96"),
    }
    page = _draw_offline(language)
    version = hashlib.sha256("\n".join((does, page, json.dumps(setup))).encode()).hexdigest()[:16]
    return f"self.SETUP = {json.dumps({'version': version, **setup})};\n\n{does}"


def _draw_offline(language: str) -> str:
    with translation.override(language):
        return render_to_string("offline.html", {"colour": COLOUR})
