"""The page that replays a deal of a finished match, step by step, all hands open or as one seat saw it.

Without JavaScript each step is a page of its own, with links to the others; with it the table's own scene draws them.
A running match has no such page, for nobody (N4).
"""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import decks, replays, wording
from games import selectors as tables
from games.engine import record as verbale
from games.engine.cards import SUITS
from games.engine.match import find_terms
from games.engine.record import Json
from games.match_cache import build_setup
from games.models import Match, Seat
from games.views import build_script, list_client_words, name_house
from players.selectors import player_for
from players.web.live import PageContext
from players.web.requests import read_number
from records.analysis import panels, queries
from records.deal_narrative import PlayerNames, name_deal, read_names
from records.models import Analysis
from records.replay_narrative import narrate_steps
from records.views.matches import describe_match, get_match_or_404

SCRIPT = "js/replay/main.js"
MODULES = ("cards", "count", "dom", "motion", "room", "scene", "steps", "words")  # of the table's modules
RANKS = "32ARCF7654"
MAX_STEP_DIGITS = 3


@decks.name_cards_as_drawn
def show_replay(request: HttpRequest, public_id: str, place: int) -> HttpResponse:
    """Replay a deal of a finished match, the one at ``place`` of its record, from 1; 404 for anything else.

    ``?mossa=12`` is the step shown first, ``?posto=2`` the seat it is seen from.
    """
    match = get_match_or_404(request, public_id)
    record = tables.build_record(match)
    replayed = None if record is None else replays.replay_deal(record, place)
    if record is None or replayed is None:
        raise Http404
    context = build_page(request, match, list(match.seats.select_related("player")), record, replayed)
    analysis = queries.find_of_match(match, player_for(request.user))
    return render(
        request,
        "records/replay.html",
        {
            **context,
            **build_study(analysis, place, context["at"]),
            "social_about": describe_match(match),
            "analysable": tables.find_seat(match, player_for(request.user)) is not None,
            **link_neighbours(context["from_seat"], place, len(record["deals"]), "match-replay", public_id),
        },
    )


def build_page(
    request: HttpRequest, match: Match, seats: Sequence[Seat], record: object, replayed: replays.DealReplay
) -> PageContext:
    """Build the context of a replayed deal, at the step and from the seat that the address asks for."""
    seat = read_number(request.GET.get("posto", ""), None, digits=MAX_STEP_DIGITS)
    if seat not in {occupied.number for occupied in seats}:
        seat = None
    names = read_names(record, verbale.parse(record).setup)
    frames = replays.build_frames(match, seats, replayed, seat)
    at = min(read_number(request.GET.get("mossa", ""), 0, digits=MAX_STEP_DIGITS), len(frames) - 1)
    sentences = narrate_steps(replayed, names)
    from_seat = "?" if seat is None else f"?posto={seat}&"
    return {
        "match": match,
        "title": _("Smazzata annullata") if replayed.void else name_deal(replayed.before),
        "game": wording.name_ruleset(match.ruleset),
        "lines": names.lines,
        "from_seat": from_seat,
        "hands": match.hands,
        "seen_from": [
            (f"?mossa={at}", "", _("Tutte le carte"), seat is None),
            *(
                (
                    f"?posto={other.number}&mossa={at}",
                    str(other.number),
                    _("Come %(name)s") % {"name": other.player.name},
                    seat == other.number,
                )
                for other in seats
            ),
        ],
        "steps": [(f"{from_seat}mossa={number}", text, number == at) for number, text in enumerate(sentences)],
        "at": at,
        "seat": seat,
        "sentence": sentences[at],
        "last": len(frames) - 1,
        "ways": {
            way: f"{from_seat}mossa={step}"
            for way, step in {
                "first": 0,
                "previous": max(at - 1, 0),
                "next": min(at + 1, len(frames) - 1),
                "final": len(frames) - 1,
            }.items()
        },
        "shown": _build_still(frames[at], names),
        **build_script(SCRIPT, MODULES),
        "client": {
            "words": list_client_words() | name_house(match) | _list_words(),
            **decks.build_script_data(request.user),
            "frames": replays.list_changes(frames),
            "told": sentences,
            "at": at,
            "fewest": find_terms(build_setup(match)).fewest_wins,
        },
    }


def build_study(analysis: Analysis | None, place: int, at: int) -> PageContext:
    """Build the panels of the decisions of a deal, where the reader's own analysis is done and theirs to read now."""
    if analysis is None or not queries.is_readable(analysis, timezone.now()):
        return {}
    own = [panel for (deal, _step), panel in panels.build_panels(analysis).items() if deal == place]
    return {"study": own, "study_at": next((panel.step for panel in own if panel.step == at), None)}


def link_neighbours(from_seat: str, place: int, deals: int, page_of: str, *args: str) -> dict[str, str]:
    """Return the addresses of the deals before and after the one at ``place``, seen from the same seat."""
    ways = {"earlier": place - 1, "later": place + 1}
    return {
        way: reverse(page_of, args=[*args, to]) + from_seat.rstrip("?&")
        for way, to in ways.items()
        if 1 <= to <= deals
    }  # fmt: skip


def _list_words() -> dict[str, str]:
    return {
        "pause": _("Pausa"),
        "go": _("Avanti da solo"),
        "step-of": _("Mossa {n} di {m}"),
        "hand-of": _("Le carte di {name}"),
    }


def _build_still(frame: Json, names: PlayerNames) -> PageContext:
    """Build a step's view without the script: the table, each hand, the cards taken, the score, the count."""
    return {
        "table": " ".join(card["card"] for card in frame["table"]),
        "hands": [
            (name, _sort_cards(hand["cards"]), hand["count"])
            for name, hand in zip(names.seats, frame["hands"], strict=True)
        ],
        "turn": None if frame["turn"] is None else names.seats[frame["turn"]],
        "piles": list(zip(names.lines, frame["piles"], strict=True)),
        "score": list(zip(names.lines, frame["score"], strict=True)),
        "rows": [
            (wording.name_tally_row(row["code"]), list(zip(row["values"], row["points"], strict=True)))
            for row in (frame["previous"] or {"rows": []})["rows"]
        ],
    }


def _sort_cards(cards: list[str]) -> str:
    return " ".join(sorted(cards, key=lambda card: (SUITS.index(card[1]), RANKS.index(card[0]))))
