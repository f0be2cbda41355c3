"""Tags of the rules pages: numbered rules, sections with an anchor, drawn cards, the VP table.

The prose is in templates/records/rules, a page for each ruleset and language; this module only draws its pieces.
"""

from collections.abc import Sequence

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games import decks
from games import wording as game_wording
from games.engine.cards import CARDS
from games.engine.game import Length
from players.selectors import Looks
from players.web.live import PageContext
from records import wording
from scoring import vp

register = template.Library()

CARD = '<svg class="card{}" viewBox="0 0 100 160" aria-hidden="true"><use href="{}"/></svg>'


@register.simple_block_tag(takes_context=True, name="section")
def draw_section(context: Context, content: str, anchor: str, title: str, *numbers: str) -> SafeString:
    """Draw a section with its anchor and the rules it states, and add it to the table of contents (``contents``)."""
    context["contents"].append((anchor, title))
    marks = format_html_join(" ", "{}", ((draw_rule_number(number),) for number in numbers))
    return format_html(
        '<section class="rule-part" id="{}" aria-labelledby="{}-title"><h2 id="{}-title">{}</h2>'
        '<p class="rule-marks">{}<a class="rule-link" href="#{}" aria-label="{}">{}</a></p>{}</section>',
        anchor,
        anchor,
        anchor,
        title,
        marks,
        anchor,
        _("link a questa sezione: %(title)s") % {"title": title},
        _("link"),
        mark_safe(content),  # noqa: S308  # a template of ours, escaped already
    )


@register.simple_tag(name="rule")
def draw_rule_number(number: str) -> SafeString:
    """Draw the number of a rule where the rule stands: results and referees link to it."""
    return format_html('<a class="rule-number" id="{}" href="#{}">{}</a>', number, number, number)


@register.simple_tag(name="see")
def draw_reference(number: str) -> SafeString:
    """Draw the number of a rule that stands elsewhere on the page."""
    return format_html('<a class="rule-number" href="#{}">{}</a>', number, number)


@register.simple_block_tag(name="example")
def draw_example(content: str) -> SafeString:
    """Draw an example: rows of cards, then their explanation in a ``<figcaption>``."""
    return format_html('<figure class="example">{}</figure>', mark_safe(content))  # noqa: S308  # as above


@register.simple_tag(takes_context=True, name="shown")
def draw_cards(context: Context, label: str, names: str, mark: str = "") -> SafeString:
    """Draw a row of cards in the reader's deck, with its label; those in ``mark`` stand out."""
    held, marked = names.split(), mark.split()
    label_text = ", ".join(game_wording.name_card(CARDS[name]) for name in held) or _("niente")
    if not held:
        return format_html(
            '<div class="shown"><span class="shown-label">{}</span><span>{}</span></div>', label, label_text
        )
    looks = context.get("looks") or Looks()
    places = ((" is-marked" if name in marked else "", decks.build_address(name, looks)) for name in held)
    drawn = format_html_join("", CARD, places)
    return format_html(
        '<div class="shown"><span class="shown-label">{}</span>'
        '<span class="shown-cards" role="img" aria-label="{}">{}</span></div>',
        label,
        label_text,
        drawn,
    )


@register.simple_tag(takes_context=True, name="card")
def draw_card(context: Context, name: str) -> SafeString:
    """Draw one card as an ornament."""
    return format_html(CARD, "", decks.build_address(name, context.get("looks") or Looks()))


@register.inclusion_tag("records/rules/_vp_table.html", name="vp_table")
def draw_vp_table(ruleset: str) -> PageContext:
    """Draw the ruleset's table of VP, from the data that results are computed with."""
    columns = vp.TABLES[ruleset].columns
    return {
        "heads": [_describe_lengths(column.lengths) for column in columns],
        "rows": [
            (f"{vp.EVEN + row}-{vp.EVEN - row}", [_get_bound(column, row) for column in columns])
            for row in range(max((len(column.bounds) for column in columns), default=0))
        ],
        "win": vp.WIN,
        "draw": vp.EVEN,
    }


def _describe_lengths(lengths: Sequence[Length]) -> list[str]:
    return [wording.describe_length(length) for length in lengths]


def _get_bound(column: vp.Column, row: int) -> int | None:
    return column.bounds[row] if row < len(column.bounds) else None
