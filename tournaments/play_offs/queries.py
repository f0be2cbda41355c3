"""Reads of play-offs for everybody (EV11): their brackets, which of them count, and the ranks that may be played for.

They never write.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.db.models import Count

from scoring.play_offs import LEAST, MOST, settle_ranks
from tournaments.core.play_offs import LOT, PlayOffPlan, list_places, read_play_offs
from tournaments.core.reads import read_entries_of
from tournaments.core.result import FixtureResult
from tournaments.core.rows import EntryRow
from tournaments.formats.protocol import Kind, Pairing, Slot
from tournaments.models import Entry, Tournament
from tournaments.running.plan_basis import read_picture
from tournaments.standings.explained import LotDraw, draw_in_order


@dataclass(frozen=True, slots=True)
class PlayOffMatch:
    """A match of a play-off as everybody sees it. A side is None while nobody knows it, and where nobody comes."""

    slot: Slot
    first: EntryRow | None
    second: EntryRow | None
    result: FixtureResult | None
    ready: bool  # it can be played, or was
    bye: bool  # the first goes on without playing

    @property
    def names(self) -> tuple[str, str]:
        """The names of its sides."""
        return ("" if self.first is None else self.first.name, "" if self.second is None else self.second.name)


@dataclass(frozen=True, slots=True)
class PlayOffRound:
    """A round of a play-off. ``name`` is a code of rounds."""

    number: int
    name: str
    matches: tuple[PlayOffMatch, ...]


class PlayOffPlace(NamedTuple):
    """Place of an entry in a play-off that is over; some may share one."""

    place: int
    entry: EntryRow


@dataclass(frozen=True, slots=True)
class ShownPlayOff:
    """A play-off as everybody sees it. ``entries`` stand in the order of the lot, ``drawn`` says how to draw it again;
    ``places``: of those of one that is over, the best first. ``counts``: its entries share a rank but for it."""

    plan: PlayOffPlan
    entries: tuple[EntryRow, ...]
    rounds: tuple[PlayOffRound, ...]
    places: tuple[PlayOffPlace, ...]
    drawn: tuple[LotDraw, ...]
    counts: bool

    @property
    def state(self) -> str:
        """Running, counts, or idle: over, and without effect."""
        return "running" if not self.plan.over else "counts" if self.counts else "idle"

    @property
    def matches(self) -> list[PlayOffMatch]:
        """Its matches, round by round."""
        return [match for round_ in self.rounds for match in round_.matches]


@dataclass(frozen=True, slots=True)
class SharedRank:
    """A rank that several share, and for which they may play."""

    rank: int
    entries: tuple[EntryRow, ...]


def read_shown_play_offs(tournament: Tournament) -> tuple[ShownPlayOff, ...]:
    """Return the play-offs of a tournament in their order."""
    play_offs = read_play_offs(tournament)
    ids = {pk for play_off in play_offs for pk in play_off.entries}
    rows = read_entries_of(Entry.objects.filter(tournament=tournament, pk__in=ids)) if ids else {}
    counts = _read_counts(tournament, play_offs)
    return tuple(_show(tournament, one, rows, counting) for one, counting in zip(play_offs, counts, strict=True))


def list_shared_ranks(tournament: Tournament) -> tuple[SharedRank, ...]:
    """Return the ranks of a tournament that so many share that they may play for them, and don't yet."""
    drawn = tournament.entries.drawn().filter(rank__isnull=False)
    sizes = drawn.order_by().values("rank").annotate(size=Count("pk")).filter(size__gte=LEAST, size__lte=MOST)
    shared = drawn.filter(rank__in=sizes.values("rank"))
    rows = read_entries_of(shared)
    playing = {pk for one in read_play_offs(tournament) if not one.over for pk in one.entries}
    ranks = []
    for rank, group in groupby(shared.order_by("rank", "seed"), key=lambda entry: entry.rank):
        own = [entry.pk for entry in group]
        if rank is not None and not playing.intersection(own):
            ranks.append(SharedRank(rank, tuple(rows[pk] for pk in own)))
    return tuple(ranks)


def count_crowds(tournament: Tournament) -> int:
    """Return how many ranks are shared by more than may play for one."""
    drawn = tournament.entries.drawn().filter(rank__isnull=False)
    return drawn.order_by().values("rank").annotate(size=Count("pk")).filter(size__gt=MOST).count()


def _read_counts(tournament: Tournament, play_offs: Sequence[PlayOffPlan]) -> tuple[bool, ...]:
    """Return of each play-off whether it counts: by the standings as they would be without any."""
    if not any(one.over for one in play_offs):
        return (False,) * len(play_offs)
    picture = read_picture(tournament)
    seeds = {entry.pk: seed for seed, entry in enumerate(picture.entries, start=1)}
    return settle_ranks(picture.make_plan().standings, list_places(play_offs, seeds)).counts


def _show(tournament: Tournament, plan: PlayOffPlan, rows: Mapping[int, EntryRow], counts: bool) -> ShownPlayOff:
    entries = tuple(rows[pk] for pk in plan.entries)
    names = plan.bracket.names
    rounds = tuple(
        PlayOffRound(number, names[number - 1], tuple(_show_match(plan, pairing, entries) for pairing in group))
        for number, group in groupby(plan.bracket.pairings, key=lambda pairing: pairing.slot.round)
    )
    places = sorted((PlayOffPlace(place, rows[pk]) for pk, place in plan.places.items()), key=lambda one: one.place)
    return ShownPlayOff(plan, entries, rounds, tuple(places), draw_in_order(tournament.lot, entries, LOT), counts)


def _show_match(plan: PlayOffPlan, pairing: Pairing, entries: Sequence[EntryRow]) -> PlayOffMatch:
    first, second = (None if number is None else entries[number - 1] for number in (pairing.first, pairing.second))
    bye = pairing.kind is Kind.BYE
    return PlayOffMatch(pairing.slot, first, second, plan.results.get(pairing.slot), pairing.ready, bye)
