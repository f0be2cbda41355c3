"""The page of tokens and components (``/stile/``), for whoever writes pages: in development alone, by day and by night.

Tokens are read from their sheets, so that none is left out; what else is shown stands in its template.
"""

import re
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.decks import MOTIFS
from games.lobby.kinds import begin_kind
from games.lobby.tiles import GameTile
from players.faces import FACES
from players.models import User
from players.selectors import Looks
from players.web.live import PageContext

SHEET = Path(settings.BASE_DIR) / "static/css/tokens.css"
ROOT = re.compile(r":root \{\n(.*?)\n\}", re.DOTALL)
TOKEN = re.compile(r"--([\w-]+): ([^;]+);(?: /\* (.*) \*/)?")
PROPERTIES = {
    "colour": "background",
    "hatch": "background",
    "bar": "background",
    "type": "font-size",
    "space": "width",
    "radius": "border-radius",
    "shadow": "box-shadow",
}
COLOUR = re.compile(r"#[0-9a-f]{6}")


class Token(NamedTuple):
    """Token of the sheet: its name, its value by day and what is said about it."""

    name: str
    value: str
    about: str

    @property
    def kind(self) -> str:
        """Kind of picture that shows it: a swatch for a colour, a line for a size of type, a bar for a space."""
        begins, _, _ = self.name.partition("-")
        return "colour" if COLOUR.fullmatch(self.value) else begins if begins in PROPERTIES else "value"

    @property
    def property(self) -> str:
        """Property that the picture has of the token; empty: none."""
        return PROPERTIES.get(self.kind, "")


def read_tokens(sheet: str) -> list[Token]:
    """Return the tokens of a sheet's first ``:root``, in their order."""
    (first, *_) = ROOT.findall(sheet)
    return [Token(*parts) for parts in TOKEN.findall(first)]


@require_safe
def show_style(request: HttpRequest) -> HttpResponse:
    """Show all tokens and components; ``?tema=dark``: by night, whatever the reader's device says."""
    if not settings.DEBUG:
        raise Http404
    theme = request.GET.get("tema", "")
    context: PageContext = {
        "tokens": read_tokens(SHEET.read_text(encoding="utf-8")),
        "faces": FACES,
        "games": list(MOTIFS),
        "tiles": [
            GameTile(begin_kind("scopa"), 2),
            GameTile(begin_kind("briscola"), 0, own=True),
            GameTile(begin_kind("tresette"), 0),
        ],
        "outcomes": ["won", "won", "lost", "won", "even", "won", "won", "lost", "won", "won"],
        "levels": [
            {"game": "scopa", "level": "1540", "band": "Circolo", "up": 31, "curve": "0,34 32,24 64,30 96,12 110,4"},
            {"game": "briscola", "level": "1466", "band": "Circolo", "down": 18, "curve": "0,6 32,16 64,20 110,36"},
            {"game": "scopone", "level": "1500?", "band": "3 partite"},
        ],
        "steps": [
            {"place": 1, "who": "Cd", "name": "Peppino", "about": "100 punti"},
            {"place": 2, "who": "Rs", "name": "Rocco", "about": "67 punti"},
            {"place": 3, "who": "Rc", "name": "Nino di Bari", "about": "48 punti"},
        ],
        "themes": User.Theme.values,
        "theme": theme,
    }
    if theme in User.Theme:
        context["looks"] = Looks(theme=theme)
    return render(request, "style.html", context)
