"""The rules of the games for players: a list, and a page a ruleset in the reader's language.

The prose is in templates/records/rules, one page for each ruleset and language; this module only adds its table of
contents.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from games import wording
from players.web import PageContext
from scoring import vp

# In the order they are listed: the card drawn beside each, and a line about it.
GAMES = {
    "tresette": ("3d", _("In due o a coppie, con tutte le opzioni: accuso, vinco subito, dichiarazioni.")),
    "tresette-a-perdere": ("4b", _("In due o a coppie: vince chi fa meno punti.")),
    "scopa": ("7d", _("In due o a coppie: settebello, primiera, denari, carte e scope.")),
    "asso-piglia-tutto": ("As", _("In due o a coppie: la Scopa d'assi.")),
    "tressette-accusa": ("4d", _("In due, in tre con il morto o a coppie: il cappotto vale 17.")),
    "tressette-classico": ("Ac", _("A coppie: segnali, onori, vittorie speciali e poste.")),
}
LANGUAGES = ("it", "en")


def list_games(request: HttpRequest) -> HttpResponse:
    """List the games."""
    games = [
        {"id": id, "name": wording.name_ruleset(id), "card": card, "what": what} for id, (card, what) in GAMES.items()
    ]
    return render(request, "records/rules/index.html", {"games": games})


def show_rules(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show the rules of one game; 404 for any other name."""
    if ruleset not in GAMES:
        raise Http404
    spoken = (get_language() or "").partition("-")[0]
    language = spoken if spoken in LANGUAGES else LANGUAGES[0]
    contents: list[tuple[str, str]] = []  # filled by the sections of the text
    context: PageContext = {"contents": contents, "ruleset": ruleset, "table": vp.TABLES[ruleset]}
    with override(language):
        body = render_to_string(f"records/rules/{language}/{ruleset}.html", context, request)
    page = {
        "game": wording.name_ruleset(ruleset),
        "body": body,
        "contents": contents,
        "language": language,
        "others": [(id, wording.name_ruleset(id)) for id in GAMES if id != ruleset],
    }
    return render(request, "records/rules/page.html", page)
