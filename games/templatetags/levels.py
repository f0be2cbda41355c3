"""A level on a page (L5): its number with the question mark, and its band in words. The privacy of it is the page's."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import wording
from games.levels import BANDS, LOWEST_BAND, START, ShownLevel
from players.web.live import PageContext

register = template.Library()


@register.filter("band_name")
def name_band(level: ShownLevel) -> str:
    """Return the name of a level's band."""
    return wording.name_band(level.band)


@register.simple_tag
def show_level(level: ShownLevel | None) -> SafeString | str:
    """Show a level with its band; nothing where there is none."""
    if level is None:
        return ""
    doubt = _("incerto: poche partite, o nessuna da tempo") if level.uncertain else ""
    about = f"{name_band(level)} ({doubt})" if doubt else name_band(level)
    number = format_html('<strong class="number" data-level="{}">{}</strong>', level, level)
    return format_html('<span class="level">{} <span class="soft small">{}</span></span>', number, about)


@register.inclusion_tag("games/_levels_explained.html")
def explain_levels(*, aside: bool = False) -> PageContext:
    """Explain the number and the question mark beside a name (L5), where a reader first meets them; ``aside``: where
    one presses the number."""
    bands = [(wording.name_band(code), least) for least, code in BANDS]
    return {"start": START, "lowest": wording.name_band(LOWEST_BAND), "bands": bands, "aside": aside}
