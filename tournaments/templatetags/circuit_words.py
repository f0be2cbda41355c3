"""Wording of circuits for templates: one filter a function, nothing more."""

from collections.abc import Mapping

from django import template
from django.utils.translation import gettext as _

from players.models import Person
from tournaments.circuits import wording
from tournaments.circuits.explained import CircuitPage, ShownTotal
from tournaments.circuits.queries import list_circuits_of
from tournaments.models import Circuit, Tournament

MOST_PLACES = 2  # of a name that may be long known

register = template.Library()

register.filter("circuit_table", wording.describe_table)
register.filter("circuit_best", wording.describe_best)
register.filter("stage_standing", wording.name_standing)


@register.filter
def before_next(total: ShownTotal, page: CircuitPage) -> str:
    """Return what puts a row before the next one at the same total."""
    return wording.describe_lead(total, page)


@register.filter
def known_from(person: Person, places: Mapping[int, tuple[tuple[int, str], ...]]) -> str:
    """Return what tells a person from others of the same name: an account, or where they first played."""
    if person.player_id is not None:
        return _("account")
    return ", ".join(f"{number}. {name}" for number, name in places.get(person.pk, ())[:MOST_PLACES]) or "—"


@register.simple_tag
def circuits_of(tournament: Tournament) -> list[Circuit]:
    """Return the circuits in which a tournament counts, or whose final it is."""
    return list_circuits_of(tournament)
