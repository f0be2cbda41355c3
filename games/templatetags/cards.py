"""Cards in pages, drawn from the deck the reader chose (G1), and what stands for a game: its suit, its card."""

from django import template
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games import decks
from players.selectors import Looks

register = template.Library()


@register.simple_tag(takes_context=True, name="drawing")
def build_drawing_address(context: Context, card: str, deck: str = "") -> str:
    """The address of a card's drawing for ``<use>``: the reader's own, or that of the deck named."""
    return decks.build_address(card, context.get("looks") or Looks(), deck)


register.simple_tag(decks.list_samples, name="table_samples")


@register.simple_tag(name="mark")
def draw_mark(ruleset: str, size: int = 32) -> SafeString:
    """Draw the mark of a game by the id of its ruleset: a suit in a rounded square of ``size`` pixels. The name of the
    game stands beside it."""
    return draw_suit_mark(decks.MOTIFS[ruleset][-1], size)


@register.simple_tag(name="suit_mark")
def draw_suit_mark(suit: str, size: int = 28) -> SafeString:
    """Draw the mark of the games that a suit stands for."""
    return format_html(
        '<svg class="mark mark-{0}" viewBox="-8 -8 40 40" width="{1}" height="{1}" aria-hidden="true">'
        '<use href="{2}#{0}" width="24" height="24"></use></svg>',
        suit,
        size,
        static("img/suits.svg"),
    )


@register.simple_tag(name="motif")
def draw_motif(ruleset: str) -> SafeString:
    """Draw the card that stands for a game, the same with every deck; how large it is says the style sheet."""
    return format_html(
        '<svg class="motif" viewBox="0 0 100 160" aria-hidden="true"><use href="{}"></use></svg>',
        decks.build_motif_address(ruleset),
    )


@register.filter("suit_of")
def find_suit(ruleset: str) -> str:
    """Return the letter of the suit that stands for a game, as img/suits.svg has it."""
    return decks.MOTIFS[ruleset][-1]
