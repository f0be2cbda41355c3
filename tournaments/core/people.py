"""Persons without an account: typed names, and cards of a register."""

from collections.abc import Iterable

from players.models import Person
from tournaments.models import Entry, EntryMember


def list_typed_people(entries: Iterable[Entry | int]) -> list[int]:
    """Return the ids of the persons without an account in these entries."""
    members = EntryMember.objects.filter(entry__in=list(entries), person__player=None)
    return list(members.values_list("person_id", flat=True))


def drop_unused_people(person_ids: Iterable[int]) -> None:
    """Delete those of these persons without an account who are in no tournament and in no register."""
    Person.objects.filter(pk__in=person_ids, player=None, memberships=None, line_ups=None, card=None).delete()
