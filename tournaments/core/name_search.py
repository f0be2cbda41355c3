"""Search of a tournament's entries by a player's name, also by the name of whoever was replaced there (F2). It never
writes."""

from collections.abc import Iterator, Mapping

from django.db.models import Q

from players.models import Person
from tournaments.core.log_details import ACT, ReplacementDetail, read_detail
from tournaments.core.rows import Replacement
from tournaments.models import LogEntry, Tournament
from tournaments.querysets import EntryQuerySet, match_name

Change = tuple[int, int]  # the entry and who went, both by id


def search_entries(tournament: Tournament, name: str) -> tuple[EntryQuerySet, tuple[Replacement, ...]]:
    """Return the entries with a player whose name contains this one, and the replacements that led there.

    All entries where no name is given. It takes the same few queries for any number of replacements.
    """
    if not name:
        return tournament.entries.all(), ()
    replaced = _find_replaced(tournament, name)
    present = Q(pk__in=tournament.members.named_like(name).values("entry"))
    present |= Q(team_name__icontains=name)  # O12
    return tournament.entries.filter(present | Q(pk__in={one.entry_id for one in replaced})), replaced


def _find_replaced(tournament: Tournament, name: str) -> tuple[Replacement, ...]:
    """Return the players with that in their name who went, and each step from there to whoever plays now."""
    if tournament.drawn_at is None:
        return ()
    changes = _read_changes(tournament)
    called = set(Person.objects.filter(match_name(name), pk__in=_list_gone(changes)).values_list("pk", flat=True))
    wanted = [change for change in changes if change[1] in called]
    if not wanted:
        return ()
    entries = {entry_id for entry_id, _gone in wanted}
    present = set(tournament.members.filter(entry__in=entries).values_list("entry_id", "person_id"))
    steps = {step: changes[step] for change in wanted for step in _follow(change, changes, present)}
    people = Person.objects.select_related("player").in_bulk({*_list_gone(steps), *steps.values()})
    return tuple(
        Replacement(entry_id, people[gone].public_name, people[newcomer].public_name)
        for (entry_id, gone), newcomer in steps.items()
        if gone in people and newcomer in people
    )


def _read_changes(tournament: Tournament) -> dict[Change, int]:
    """Return who came last in the place of each who went, in the order of the log."""
    changes: dict[Change, int] = {}
    for logged in LogEntry.objects.filter(tournament=tournament, code=f"{ACT}replace").order_by("pk"):
        detail = read_detail(logged, ReplacementDetail)
        if detail.entry is not None:
            gone, newcomer = detail.changed
            changes.pop((detail.entry, gone), None)
            changes[detail.entry, gone] = newcomer
    return changes


def _list_gone(changes: Mapping[Change, int]) -> set[int]:
    return {gone for _entry, gone in changes}


def _follow(start: Change, changes: Mapping[Change, int], present: set[Change]) -> Iterator[Change]:
    """Yield the changes from one on, until the newcomer is who plays now; none where who went is back."""
    step = start
    while step in changes and step not in present:
        yield step
        step = (step[0], changes[step])
