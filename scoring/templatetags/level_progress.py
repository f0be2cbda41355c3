"""Notes of pages while levels are computed again (L6)."""

from django import template

from players.web.live import PageContext
from scoring.levels import find_progress

register = template.Library()


@register.inclusion_tag("scoring/_progress.html")
def show_level_progress() -> PageContext:
    """Say how far a recomputation is; nothing where none is under way."""
    return {"percent": find_progress()}
