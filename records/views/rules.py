"""The rules of the games for players: a list, and a page a ruleset in the reader's language.

The prose is in templates/records/rules, one page for each ruleset and language; this module only adds its table of
contents.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language, override

from games import wording
from players.web.live import PageContext
from scoring import vp

# In the order they are listed: the card drawn beside each.
GAMES = {
    "scopa": "7d",
    "asso-piglia-tutto": "As",
    "scopone": "Rb",
    "briscola": "Ad",
    "tresette": "3d",
    "tresette-a-perdere": "4b",
    "tressette-accusa": "4d",
    "tressette-classico": "Ac",
}
LANGUAGES = ("it", "en")


def list_games(request: HttpRequest) -> HttpResponse:
    """List the games."""
    games = [
        {"id": id, "name": wording.name_ruleset(id), "card": card, "what": wording.describe_ruleset(id)}
        for id, card in GAMES.items()
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
        "ruleset": ruleset,
        "game": wording.name_ruleset(ruleset),
        "body": body,
        "contents": contents,
        "language": language,
        "others": [(id, wording.name_ruleset(id)) for id in GAMES if id != ruleset],
    }
    return render(request, "records/rules/page.html", page)
