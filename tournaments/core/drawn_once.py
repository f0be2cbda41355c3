"""Parts of pages that many readers see alike, drawn once for all of them by each process.

All that a part shows is in its key: it is never another's.
"""

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.match_cache import ProcessCache
from players.web.live import PageContext

MOST_KEPT = 64  # parts

_drawn: ProcessCache[SafeString] = ProcessCache(MOST_KEPT)


def draw_once(template: str, context: PageContext, key: object) -> SafeString:
    """Return the part in the reader's language, by their clock and on their day; drawn anew only with another key."""
    whole = (template, get_language(), timezone.get_current_timezone_name(), timezone.localdate(), key)
    text = _drawn.get(whole)
    if text is None:
        text = render_to_string(template, context)
        _drawn.put(whole, text)
    return text


def forget_drawn() -> None:
    """Forget the parts that this process keeps."""
    _drawn.clear()
