"""Second tables of teams that meet at two (O12, J11): how they are paired, what both are worth together, and who
forfeited. With equal deals seats are exchanged at them.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tournaments.core.bulk import update_rows
from tournaments.core.result import FixtureResult
from tournaments.formats.protocol import Kind, Pairing, Plan, Slot
from tournaments.models import Fixture, Tournament
from tournaments.running.plan_basis import combine_slots

State = Fixture.State
SUM = ("mp_0", "mp_1", "vp_0", "vp_1")  # of two tables together (O12)


def has_second_table(tournament: Tournament, pairing: Pairing) -> bool:
    """Tell if two entries meet in a pairing, at two tables (O12)."""
    meets = tournament.entry_kind.has_parts
    return meets and None not in (pairing.first, pairing.second) and pairing.kind in (Kind.MATCH, Kind.ANNULLED)


def pair_again(tournament: Tournament, plan: Plan) -> Iterator[Pairing]:
    """Yield the pairings of a plan's second tables."""
    return (turn_pairing(tournament, pairing) for pairing in plan.pairings if has_second_table(tournament, pairing))


def turn_pairing(tournament: Tournament, pairing: Pairing) -> Pairing:
    """Return a pairing as it is at the second table: with equal deals seats are exchanged (J11)."""
    if tournament.entry_kind.exchanges_seats:
        return pairing._replace(first=pairing.second, second=pairing.first)
    return pairing


def store_sums(tournament: Tournament, fixtures: Mapping[Slot, Fixture], seconds: Mapping[Slot, Fixture]) -> None:
    """Store the MP and VP of the fixtures whose two tables are over, with both (O12)."""
    different: list[Fixture] = []
    for slot, whole in combine_slots(tournament, fixtures, seconds).items():
        for table, worth in zip((fixtures[slot], seconds[slot]), list_sum_values(tournament, whole), strict=True):
            if worth != tuple(getattr(table, name) for name in SUM):
                for name, value in zip(SUM, worth, strict=True):
                    setattr(table, name, value)
                different.append(table)
    update_rows(different, SUM)


def list_sum_values(
    tournament: Tournament, whole: FixtureResult | None
) -> tuple[tuple[int | None, ...], tuple[int | None, ...]]:
    """Return the values of ``SUM`` that the two tables have."""
    none = (None, None)
    if whole is None:
        return none + none, none + none
    sums = (whole, whole.exchange_sides() if tournament.entry_kind.exchanges_seats else whole)
    first, second = ((*(side.mp or none), *(side.vp or none)) for side in sums)
    return first, second


def count_forfeits(
    tournament: Tournament, fixtures: Mapping[Slot, Fixture], seconds: Mapping[Slot, Fixture] = MappingProxyType({})
) -> dict[int, int]:
    """Count the forfeited fixtures by entry: those forfeited at all of their tables, with equal deals at one of two
    (J11)."""
    if tournament.entry_kind.exchanges_seats:
        return _count_team_forfeits(fixtures, seconds)
    counts: dict[int, int] = {}
    for slot, fixture in fixtures.items():
        if fixture.result_at is None or fixture.state == State.ANNULLED:
            continue
        sides = (fixture.first_id, fixture.second_id)
        elsewhere = FixtureResult.from_fixture(seconds[slot]).forfeits if slot in seconds else (0, 1)
        for side in FixtureResult.from_fixture(fixture).forfeits:
            entry_id = sides[side]
            if entry_id is not None and side in elsewhere:
                counts[entry_id] = counts.get(entry_id, 0) + 1
    return counts


def _count_team_forfeits(fixtures: Mapping[Slot, Fixture], seconds: Mapping[Slot, Fixture]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for slot, second in seconds.items():
        tables = (fixtures[slot], second)
        if any(table.result_at is None for table in tables) or all(table.state == State.ANNULLED for table in tables):
            continue
        guilty = {
            (table.first_id, table.second_id)[side]
            for table in tables
            for side in FixtureResult.from_fixture(table).forfeits
        }
        for entry_id in guilty - {None}:
            counts[entry_id or 0] = counts.get(entry_id or 0, 0) + 1
    return counts
