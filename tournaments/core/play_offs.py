"""Play-offs as they stand (EV11): the bracket of each, and what it makes of the ranks its entries shared.

It reads and writes no standings: whoever stores them asks for the places of the play-offs that are over.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import cast

from games.engine.game import Length, LengthKind
from scoring.play_offs import Places, settle_ranks
from scoring.standings import StandingsRow
from scoring.tiebreaks import draw_lot_order
from tournaments.core.result import FixtureResult
from tournaments.formats.common.brackets import BracketPlan
from tournaments.formats.common.play_offs import play_out
from tournaments.formats.protocol import Pairing, Slot
from tournaments.models import PlayOff, PlayOffEntry, PlayOffResult, Tournament

LOT = "play-off"  # what the tournament's lot is asked for


@dataclass(frozen=True)
class PlayOffPlan:
    """A play-off with its bracket. ``entries``: their ids in the order of the lot; ``results`` by slot."""

    number: int
    rank: int
    length: Length
    opened_at: datetime
    entries: tuple[int, ...]
    results: Mapping[Slot, FixtureResult]

    @cached_property
    def bracket(self) -> BracketPlan:
        """Return the bracket after these results."""
        return play_out(len(self.entries), {slot: result.as_played() for slot, result in self.results.items()})

    @property
    def over(self) -> bool:
        return self.bracket.over

    @property
    def places(self) -> dict[int, int]:
        """The place in it of each entry, by id; of one that isn't over there are none."""
        return {self.entries[number - 1]: place for number, place in self.bracket.rank.items()} if self.over else {}

    def find_pairing(self, slot: Slot) -> Pairing | None:
        """Return the match of a slot, if both of its sides are known and one can play it."""
        return next((pairing for pairing in self.bracket.pairings if pairing.slot == slot and pairing.ready), None)

    def name_sides(self, pairing: Pairing) -> tuple[int, int]:
        """Return the ids of the entries of a match that is ready."""
        assert pairing.first is not None
        assert pairing.second is not None
        return self.entries[pairing.first - 1], self.entries[pairing.second - 1]

    def list_dependents(self, slot: Slot, result: FixtureResult | None) -> list[Slot]:
        """Return the matches with a result that others would play, or nobody, with this one in place of a slot's; None:
        without it."""
        others = {other: known for other, known in self.results.items() if other != slot}
        before = {pairing.slot: pairing for pairing in self.bracket.pairings}
        left = dict(others if result is None else {**others, slot: result})
        dependents: list[Slot] = []
        for other in sorted(others):  # round by round, so that what is out of place is taken away before it is met
            known = {one: left[one].as_played() for one in left if one.round < other.round}
            after = {pairing.slot: pairing for pairing in play_out(len(self.entries), known).pairings}
            if after[other][1:3] != before[other][1:3]:
                dependents.append(other)
                del left[other]
        return dependents


def read_play_offs(tournament: Tournament) -> tuple[PlayOffPlan, ...]:
    """Return the play-offs of a tournament in their order; without a query where none was opened."""
    if not tournament.play_offs_opened:
        return ()
    rows = PlayOff.objects.filter(tournament=tournament).prefetch_related("entries", "results")
    return tuple(make_play_off(row, row.entries.all(), row.results.all()) for row in rows)


def make_play_off(row: PlayOff, entries: Iterable[PlayOffEntry], results: Iterable[PlayOffResult]) -> PlayOffPlan:
    """Return the play-off of these rows, stored or not."""
    return PlayOffPlan(
        row.number,
        row.rank,
        Length(cast(LengthKind, row.length_kind), row.length_value),
        row.opened_at,
        tuple(one.entry_id for one in entries),
        {Slot(one.round, one.board): read_play_off_result(one) for one in results},
    )


def read_play_off_result(row: PlayOffResult) -> FixtureResult:
    """Return the result of a match of a play-off."""
    forfeits = (0, 1) if row.double_forfeit else () if row.forfeit_by is None else (row.forfeit_by,)
    points = None if row.points_0 is None or row.points_1 is None else (row.points_0, row.points_1)
    return FixtureResult(row.winner, forfeits, points, decided_by=row.decided_by)


def draw_play_off(tournament: Tournament, seeds: Mapping[int, int]) -> tuple[int, ...]:
    """Return these entries, with their seeds by id, in the order of the tournament's lot: who plays for a rank again
    stands in it as before, so that nobody gains by asking anew."""
    ids = {seed: pk for pk, seed in seeds.items()}
    return tuple(ids[seed] for seed in draw_lot_order(tournament.lot, sorted(ids), LOT))


def list_places(play_offs: Iterable[PlayOffPlan], seeds: Mapping[int, int]) -> list[Places]:
    """Return the places of the play-offs that are over by seed; of another one those of nobody."""
    return [{seeds[pk]: place for pk, place in one.places.items()} for one in play_offs]


def settle_standings(
    rows: Sequence[StandingsRow], play_offs: Sequence[PlayOffPlan], seeds: Mapping[int, int]
) -> tuple[StandingsRow, ...]:
    """Return the standings with these play-offs; ``seeds`` by entry."""
    return settle_ranks(rows, list_places(play_offs, seeds)).rows if play_offs else tuple(rows)
