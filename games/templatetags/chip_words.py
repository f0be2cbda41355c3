"""The words of chips for templates."""

from django import template

from games.chips import queries, wording
from games.models import FreeTable
from games.wording import write_signed

register = template.Library()

register.filter("chips", wording.describe_chips)
register.filter("signed_chips", write_signed)
register.filter("stake_said", wording.describe_stake)
register.filter("stake_cap", queries.compute_cap)


@register.filter("greatest_loss")
def compute_loss(table: FreeTable, seat: int) -> int:
    """Return what the player at a seat can lose at most (Z2)."""
    return queries.compute_greatest_loss(table, seat)
