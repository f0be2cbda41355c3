"""Wording of circuits for templates: one filter a function, nothing more."""

from django import template

from tournaments.circuits import wording
from tournaments.circuits.explained import CircuitPage, ShownTotal
from tournaments.circuits.queries import list_circuits_of
from tournaments.models import Circuit, Tournament

register = template.Library()

register.filter("circuit_table", wording.describe_table)
register.filter("circuit_best", wording.describe_best)
register.filter("stage_standing", wording.name_standing)


@register.filter
def before_next(total: ShownTotal, page: CircuitPage) -> str:
    """Return what puts a row before the next one at the same total."""
    return wording.describe_lead(total, page)


@register.simple_tag
def circuits_of(tournament: Tournament) -> list[Circuit]:
    """Return the circuits in which a tournament counts, or whose final it is."""
    return list_circuits_of(tournament)
