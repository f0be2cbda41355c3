"""Persons without an account: typed names, and cards of a register."""

from collections.abc import Iterable

from players.models import Person


def drop_unused_people(person_ids: Iterable[int]) -> None:
    """Delete those of these persons without an account who are in no tournament and in no register."""
    Person.objects.filter(pk__in=person_ids, player=None, memberships=None, line_ups=None, card=None).delete()
