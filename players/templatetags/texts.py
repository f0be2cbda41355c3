"""Filter that renders people's Markdown in templates."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from players.markdown import render_html

register = template.Library()


@register.filter
def markdown(text: str, below: int = 1) -> SafeString:
    """Return ``text`` as harmless HTML (``players.markdown``), its headings under those of level ``below``."""
    return mark_safe(render_html(text, below))  # noqa: S308 (that is what it is cleaned for)
