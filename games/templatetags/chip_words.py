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


@register.filter("stake_limit")
def say_limit(table: FreeTable) -> str:
    """Say what one can lose at a table at most, and its cap (Z2)."""
    lone, other = (queries.compute_greatest_loss(table, seat) for seat in (0, 1))
    return wording.describe_limit(other, lone, queries.compute_cap(table))
