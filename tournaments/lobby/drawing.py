"""The part of the lobby's page that many readers see alike, drawn once for all of them by each process.

What it shows of a reader (a seek of theirs, whom they may see) is in its key: it is never another's.
"""

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.match_cache import ProcessCache
from tournaments.lobby.queries import LobbyPage

MOST_KEPT = 32  # parts

_drawn: ProcessCache[SafeString] = ProcessCache(MOST_KEPT)


def draw_alike(page: LobbyPage) -> SafeString:
    """Return who is here and every game's part, in the reader's language and by their clock."""
    key = (get_language(), timezone.get_current_timezone_name(), page.at, page.here, page.here_count, page.seeking)
    known = _drawn.get((*key, page.games))
    if known is None:
        known = render_to_string("tournaments/lobby/_alike.html", {"page": page})
        _drawn.put((*key, page.games), known)
    return known
