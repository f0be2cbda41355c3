"""The light and the dark scheme, for templates: when a style sheet or a colour holds."""

from django import template

register = template.Library()


@register.filter
def media_of(theme: str, scheme: str) -> str:
    """Return the media for which what belongs to ``scheme`` holds: the reader's theme, else what the system prefers."""
    if theme not in ("light", "dark"):
        return f"(prefers-color-scheme: {scheme})"
    return "screen" if theme == scheme else "not all"
