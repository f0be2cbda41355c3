"""The words of the lobby for templates."""

from django import template

from games.lobby.rematches import RematchStand
from games.lobby.wording import describe_kind, describe_rematch

register = template.Library()

register.filter("kind_said", describe_kind)


@register.filter("rematch_said")
def say_rematch(stand: RematchStand) -> str:
    """Return how far a rematch has come, said to its reader."""
    return describe_rematch(stand.reader, stand.asking, stand.missing)
