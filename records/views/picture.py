"""The picture of a result, to be sent on: names, score, game and day, drawn as SVG. A browser makes a PNG of it.

It shows what the result's page shows everybody, and no card. Whatever is written is escaped by the template.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games import selectors as tables
from games import wording as game_wording
from games.models import Match
from records import wording
from records.views.matches import get_match_or_404, may_be_pictured, name_length

WIDTH, HEIGHT = 1200, 630  # what other sites show of a link
ROOM = 470  # px for the names of one side
LARGEST, SMALLEST = 54, 20  # px of a letter's height
LETTER_WIDTH = 0.56  # of its height, on average
TITLE_ROOM, LARGEST_TITLE = 1040, 40


def send_picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """Send the picture of a finished match's result; 404 where there is none to show."""
    match = get_match_or_404(request, public_id)
    if match.status != Match.Status.FINISHED or not may_be_pictured(match):
        raise Http404
    seats = list(match.seats.select_related("player"))
    cards = tables.read_card_points(match) or (None, None)
    sides = []
    for line, score in enumerate((match.score_0, match.score_1)):
        names = [seat.player.name for seat in seats if seat.number % 2 == line]
        size = _fit(max(names, key=len), ROOM, LARGEST)
        middle = (len(names) - 1) / 2
        placed = [(name, 250 + round((number - middle) * size * 1.25)) for number, name in enumerate(names)]
        sides.append(
            {
                "x": 310 + 580 * line,
                "names": placed,
                "size": size,
                "score": score,
                "cards": cards[line],
                "won": match.winner == line,
            }
        )
    game = game_wording.name_ruleset(match.ruleset)
    title = match.shown_title if match.about_url else ""
    context = {
        "match": match,
        "width": WIDTH,
        "height": HEIGHT,
        "sides": sides,
        "title": title,
        "title_size": _fit(title, TITLE_ROOM, LARGEST_TITLE),
        "about": f"{game} · {name_length(match)}",
        "ending": _describe_ending(match),
        "described": wording.join_list(seat.player.name for seat in seats),
    }
    return render(request, "records/result_picture.svg", context, content_type="image/svg+xml")


def _describe_ending(match: Match) -> str:
    """Say how a match ended, and which deal decided it."""
    if match.winner is None:
        return _("La partita finisce in parità.")
    text = _("Partita decisa %(how)s.") % {"how": game_wording.describe_decision(match.decided_by)}
    deal = tables.read_deciding_deal(match)
    return text if deal is None else f"{text} {wording.describe_deciding_deal(deal)}".strip()


def _fit(text: str, room: int, largest: int) -> int:
    """Return the height of letters with which a text has room, px."""
    return max(SMALLEST, min(largest, int(room / (LETTER_WIDTH * max(1, len(text))))))
