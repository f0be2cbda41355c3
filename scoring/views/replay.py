"""The page that goes through a deal of a finished match again, step by step, all hands open or as one seat saw it.

Without JavaScript each step is a page of its own, with links to the others; with it the table's own scene draws them.
A match that isn't over has no such page, whoever asks (N4).
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.utils.translation import gettext as _

from games import decks, replays, words
from games import selectors as tables
from games.engine import record as verbale
from games.engine.cards import SUITS
from games.frames import Json
from games.models import Match
from games.views import client_words, modules
from scoring import account
from scoring import replays as telling
from scoring.views.matches import about

SCRIPT = "js/replay/main.js"
DRAWS = {"cards", "count", "dom", "motion", "scene", "steps", "types", "words"}  # of the table's modules
RANKS = "32ARCF7654"


@decks.called_as_drawn
def match_replay(request: HttpRequest, public_id: str, place: int) -> HttpResponse:
    """A deal of a finished match, the one at ``place`` of its record, from 1; 404 for anything else.

    ``?mossa=12`` is the step shown first, ``?posto=2`` the seat it is seen from.
    """
    match = get_object_or_404(Match, public_id=public_id)
    record = tables.record(match)
    replayed = None if record is None else replays.deal_of(record, place)
    if record is None or replayed is None:
        raise Http404
    seats = list(match.seats.select_related("player"))
    seat = _asked(request, "posto")
    if seat not in {each.number for each in seats}:
        seat = None
    names = account.names_of(record, verbale.parse(record).setup)
    frames = replays.frames(match, seats, replayed, seat)
    at = min(_asked(request, "mossa") or 0, len(frames) - 1)
    told = telling.told(replayed, names)
    page = {
        "match": match,
        "title": _("Smazzata annullata") if replayed.void else telling.title(replayed),
        "place": place,
        "earlier": place - 1,
        "later": place + 1 if place < len(record["deals"]) else 0,
        "game": words.ruleset_name(match.ruleset),
        "social_about": about(match),
        "lines": names.lines,
        "seats": seats,
        "hands": match.hands,
        "seat": seat,
        "told": list(enumerate(told)),
        "at": at,
        "sentence": told[at],
        "last": len(frames) - 1,
        "before": max(at - 1, 0),
        "after": min(at + 1, len(frames) - 1),
        "shown": _shown(frames[at], names),
        "modules": [(plain, hashed) for plain, hashed in modules() if _name(plain) in DRAWS],
        "script": static(SCRIPT),
        "client": {
            "words": {**client_words(), **_words()},
            **decks.client(request.user),
            "frames": replays.changes(frames),
            "told": told,
            "at": at,
        },
    }
    return render(request, "scoring/replay.html", page)


def _asked(request: HttpRequest, name: str) -> int | None:
    """A small number in the address."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else None


def _name(address: str) -> str:
    return address.rpartition("/")[2].removesuffix(".js")


def _words() -> dict[str, str]:
    return {"pause": _("Pausa"), "go": _("Avanti da solo"), "step-of": _("Mossa {n} di {m}")}


def _shown(frame: Json, names: account.Names) -> dict[str, Any]:
    """What a step's page shows without the script: the table, each hand, what was taken, the score, the count."""
    return {
        "table": " ".join(card["card"] for card in frame["table"]),
        "hands": [
            (name, _sorted(hand["cards"]), hand["count"])
            for name, hand in zip(names.seats, frame["hands"], strict=True)
        ],
        "turn": None if frame["turn"] is None else names.seats[frame["turn"]],
        "piles": list(zip(names.lines, frame["piles"], strict=True)),
        "score": list(zip(names.lines, frame["score"], strict=True)),
        "rows": [
            (words.tally_row(row["code"]), list(zip(row["values"], row["points"], strict=True)))
            for row in (frame["previous"] or {"rows": []})["rows"]
        ],
    }


def _sorted(cards: list[str]) -> str:
    return " ".join(sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0]))))
