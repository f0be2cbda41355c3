"""Storing what a result changes in a bracket: the fixtures on its path and the standings of their entries, no others.

What is stored is what ``plan_store`` would store of the whole plan. Read are a few fixtures and entries a round, so a
result in a field of thousands costs what it costs in one of dozens.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Exists, OuterRef, Q

from tournaments.core.bulk import update_rows
from tournaments.formats import FORMATS
from tournaments.formats.protocol import Kind, Pairing, PathFormat, Plan, ResultPath, Slot
from tournaments.models import Entry, Fixture, Round, Tournament
from tournaments.running.plan_basis import read_published, read_results, read_rounds_by_number, withhold_rounds
from tournaments.running.plan_store import (
    STANDING,
    build_standings,
    give_up_fixtures,
    publish_reached,
    store_fixtures,
)
from tournaments.running.real_tables import seat_fixtures

Rank = tuple[int, int]  # a place among the entries that have a rank: the rank, then the seed


class StoredPath:
    """A ``ResultPath`` with the fixtures and the entries it is planned from, in four queries."""

    def __init__(self, tournament: Tournament, format_: PathFormat, changed: Collection[Slot]) -> None:
        self.rounds = read_rounds_by_number(tournament)
        self.published = read_published(tournament)
        self.path = format_.find_path(tournament.format_options, len(self.rounds), changed)
        near = self._read(reduce(or_, (self._at(slot) for slot in self.path.near), Q(pk__in=())))
        sides = {side for fixture in near.values() for side in (fixture.first_id, fixture.second_id)} - {None}
        self.fixtures = self._read(Q(first__in=sides) | Q(second__in=sides)) | near
        entries = Entry.objects.filter(tournament=tournament, pk__in=self._list_sides())
        self.entries = {entry.seed: entry for entry in entries if entry.seed is not None}

    def make_plan(self, by_slot: Mapping[Slot, Fixture] | None = None) -> Plan:
        """Return the plan after the results in memory of its fixtures, or of those alone that are ``by_slot``."""
        seeds = {entry.pk: seed for seed, entry in self.entries.items()}
        stored = {slot: _pair(slot, fixture, seeds) for slot, fixture in self.fixtures.items()}
        plan = self.path.plan(stored, read_results(self.fixtures if by_slot is None else by_slot))
        return withhold_rounds(plan, self.published)

    def read_leavers(self) -> dict[int, int]:
        """Return the entries that left, with what they had then (R5)."""
        left = ((seed, entry) for seed, entry in self.entries.items() if entry.withdrawn_at is not None)
        return {seed: entry.withdrawn_after or 0 for seed, entry in left}

    def _at(self, slot: Slot) -> Q:
        return Q(round=self.rounds[slot.round].pk, board=slot.board)

    def _read(self, which: Q) -> dict[Slot, Fixture]:
        numbers = {round_.pk: round_.number for round_ in self.rounds.values()}
        fixtures = Fixture.objects.with_results().filter(which)
        return {Slot(numbers[fixture.round_id], fixture.board): fixture for fixture in fixtures}

    def _list_sides(self) -> set[int]:
        sides = {side for fixture in self.fixtures.values() for side in (fixture.first_id, fixture.second_id)}
        return {side for side in sides if side is not None}


def find_path_format(tournament: Tournament) -> PathFormat | None:
    """Return the tournament's format, if a result touches only its path there."""
    format_ = FORMATS[tournament.format]
    followed = isinstance(format_, PathFormat) and format_.follows_paths(tournament.format_options)
    return format_ if followed and isinstance(format_, PathFormat) else None


def store_path(tournament: Tournament, format_: PathFormat, changed: Collection[Slot], now: datetime) -> bool:
    """Store the plan after the results of these fixtures, or after one of their entries left. Return whether the
    tournament is finished."""
    stored = StoredPath(tournament, format_, changed)
    plan = give_up_fixtures(tournament, stored.make_plan, stored.fixtures, stored.read_leavers(), now)
    store_fixtures(tournament, plan, stored.rounds, stored.fixtures, stored.entries, now)
    _store_standings(tournament, stored.path, plan, stored.fixtures, stored.entries)
    seat_fixtures(tournament)
    publish_reached(tournament, plan, stored.rounds, now)
    return _finish_rounds(stored.rounds)


def _pair(slot: Slot, fixture: Fixture, seeds: Mapping[int, int]) -> Pairing:
    """Return a fixture as the plan has it."""
    kinds = {Fixture.State.BYE: Kind.BYE, Fixture.State.VOID: Kind.VOID}
    first, second = (None if side is None else seeds[side] for side in (fixture.first_id, fixture.second_id))
    return Pairing(slot, first, second, kinds.get(Fixture.State(fixture.state), Kind.MATCH))


def _store_standings(
    tournament: Tournament,
    path: ResultPath,
    plan: Plan,
    fixtures: Mapping[Slot, Fixture],
    entries: Mapping[int, Entry],
) -> None:
    different: list[Entry] = []
    moved: set[Rank] = set()
    for entry, values in build_standings(tournament, plan, fixtures, entries):
        before: dict[str, Any] = {name: getattr(entry, name) for name in STANDING}
        after: dict[str, Any] = {**dict(zip(STANDING, values, strict=True)), "separation": entry.separation}
        if before["rank"] != after["rank"]:
            moved |= {(rank, entry.seed or 0) for rank in (before["rank"], after["rank"]) if rank is not None}
            after["separation"] = None  # until it is known who stands next
        if after != before:
            for name, value in after.items():
                setattr(entry, name, value)
            different.append(entry)
    update_rows(different, STANDING)
    _separate(tournament, path, moved)


def _separate(tournament: Tournament, path: ResultPath, moved: Collection[Rank]) -> None:
    """Store why the entries beside these ranks stand before the next one (R3), after somebody came or went there."""
    ranked = tournament.entries.filter(rank__isnull=False)
    different: dict[int, Entry] = {}
    for rank, seed in moved:
        before = ranked.filter(rank__lte=rank).exclude(rank=rank, seed__gte=seed).order_by("-rank", "-seed")[:1]
        after = ranked.filter(rank__gte=rank).exclude(rank=rank, seed__lt=seed).order_by("rank", "seed")[:2]
        beside = [*before, *after]
        followed = beside[:-1] if len(after) == 2 else beside  # of the second after it the next one isn't read
        for entry, below in zip(followed, [*beside[1:], None], strict=False):
            reason = None if entry.rank is None else path.separate(entry.rank, None if below is None else below.rank)
            separation = None if reason is None else reason.to_json()
            if entry.separation != separation:
                entry.separation = separation
                different[entry.pk] = entry
    update_rows(list(different.values()), ["separation"])


def _finish_rounds(rounds: Mapping[int, Round]) -> bool:
    """Store which rounds have nothing left to play. Return whether all have."""
    open_ = Fixture.objects.open().filter(round=OuterRef("pk"))
    unfinished = Round.objects.filter(Exists(open_), pk__in=[round_.pk for round_ in rounds.values()])
    playing = set(unfinished.values_list("pk", flat=True))
    different = [round_ for round_ in rounds.values() if round_.finished == (round_.pk in playing)]
    for round_ in different:
        round_.finished = not round_.finished
    Round.objects.bulk_update(different, ["finished"])
    return not playing
