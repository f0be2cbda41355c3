"""Data and script with which a reader's browser checks the decks of a record (J7). It checks nothing itself."""

from django.utils.translation import gettext as _

from games.engine.record import Json
from games.views import build_script
from players.web.live import PageContext

SCRIPT = "js/check/main.js"
MODULES = ("decks", "dom", "nonces", "sha256")  # of the table's modules


def build_deck_check(record: Json) -> PageContext:
    """Return the script and what it reads of a record; nothing of one that doesn't say where its decks come from."""
    if "shuffle" not in record:
        return {}
    header = {name: record[name] for name in ("players", "first_dealer", "shuffle")}
    decks = [{"deck": " ".join(deal["deck"].split())} for deal in record["deals"]]
    return {
        "deck_check": {**header, "deals": decks},
        "deck_check_words": _list_words(),
        **build_script(SCRIPT, MODULES),
    }


def _list_words() -> dict[str, str]:
    """Return the script's words, by code; it fills names in braces."""
    return {
        "agrees": _("I mazzi tornano: {n}, tutti dal segreto pubblicato."),
        "differs": _("Non tornano con il segreto: {what}."),
        "own-none": _("Questo browser non ha visto la partita: non ha niente da confrontare."),
        "own-agrees": _("Impegno e numeri sono quelli che questo browser ha visto prima della prima carta."),
        "own-differs": _(
            "Impegno o numeri non sono quelli che questo browser ha visto prima della prima carta, o il tuo manca."
        ),
        "deal": _("smazzata"),
        "commitment": _("impegno"),
        "dealer": _("primo mazziere"),
    }
