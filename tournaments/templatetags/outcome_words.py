"""Outcomes of matches on pages: as dots beside a name, and in words."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

register = template.Library()


@register.filter("outcomes_said")
def say_outcomes(outcomes: Sequence[str]) -> str:
    """Return how many of some matches were won, lost and drawn, in words."""
    won, lost, drawn = (list(outcomes).count(outcome) for outcome in ("won", "lost", "drawn"))
    words = [
        ngettext("%(n)d vinta", "%(n)d vinte", won) % {"n": won},
        ngettext("%(n)d persa", "%(n)d perse", lost) % {"n": lost},
    ]
    if drawn:
        words.append(ngettext("%(n)d pari", "%(n)d pari", drawn) % {"n": drawn})
    return ", ".join(words)


@register.simple_tag(name="dots")
def draw_dots(outcomes: Sequence[str]) -> SafeString:
    """Draw a dot for each of some matches, the latest at the right; nothing for none."""
    if not outcomes:
        return SafeString("")
    dots = format_html_join("", '<i data-dot="{}"></i>', ((outcome,) for outcome in outcomes))
    return format_html('<span class="dots" role="img" aria-label="{}">{}</span>', say_outcomes(outcomes), dots)
