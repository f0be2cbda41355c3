"""Tag by which a page shows how often somebody leaves matches (U1)."""

from django import template

from games.lobby.conduct import read_conduct
from players.models import Player
from players.web.live import PageContext

register = template.Library()


@register.inclusion_tag("games/_conduct.html")
def show_conduct(player: Player) -> PageContext:
    """Show the quit rate of a player in words; nothing for one of the house."""
    return {"conduct": None if player.is_house else read_conduct(player)}
