"""Cards in pages, drawn from the deck the reader chose (G1)."""

from django import template
from django.template import Context

from games import decks
from players.selectors import Looks

register = template.Library()


@register.simple_tag(takes_context=True, name="drawing")
def build_drawing_address(context: Context, card: str, deck: str = "") -> str:
    """The address of a card's drawing for ``<use>``: the reader's own, or that of the deck named."""
    return decks.build_address(card, context.get("looks") or Looks(), deck)


register.simple_tag(decks.list_samples, name="table_samples")

register.filter("motif_drawing", decks.build_motif_address)


@register.filter("suit_of")
def find_suit(ruleset: str) -> str:
    """Return the letter of the suit that a game is known by, as img/suits.svg has it."""
    return decks.MOTIFS[ruleset][-1]
