"""Tables of a hall: which fixture is played at which, and in which wave (O3).

Every fixture that can be played is given a table once, and keeps it whatever is corrected later. More fixtures than
tables are played in waves, one after the other.
"""

from collections.abc import Iterator
from itertools import count, groupby

from tournaments.core.bulk import update_rows
from tournaments.core.result import find_context
from tournaments.formats import FORMATS
from tournaments.models import Entry, Fixture, Tournament
from tournaments.querysets import FixtureQuerySet
from tournaments.running.line_ups import give_line_ups

Place = tuple[int | None, int | None]  # wave and table, both from 1


def seat_fixtures(tournament: Tournament) -> None:
    """Give a table to every fixture that can be played and has none: by standing, or by the schedule of a format that
    pairs everybody at the draw. An entry with a fixed table plays there, in the first wave. Teams give it their line-up
    (O12)."""
    give_line_ups(tournament)
    if not tournament.venue.numbers_tables:
        return
    fixtures = Fixture.objects.of(tournament)
    waiting = (
        fixtures.ready()
        .firsts()
        .filter(table=None)
        .select_related("round", "first", "second")
        .order_by("round__number")
    )
    seated: list[Fixture] = []
    for round_, group in groupby(waiting, key=lambda fixture: fixture.round):
        placed = fixtures.filter(table__isnull=False)
        kept = placed.open() | placed.filter(round=round_)
        taken: set[Place] = {*kept.values_list("wave", "table"), *((row.wave, row.table) for row in seated)}
        begun = placed.filter(round=round_).exists()
        new = _seat_round(tournament, list(group), taken)
        for fixture in new:  # in a KO who is known later starts by themselves (O6)
            fixture.own_clock = begun and find_context(tournament, fixture) == "ko"
        seated += new
    update_rows(seated, ["wave", "table", "own_clock"])
    if tournament.entry_kind.has_parts:
        _seat_seconds(fixtures)


def preview_places(tournament: Tournament, fixtures: list[Fixture]) -> dict[int, Place]:
    """Return the wave and table that each of these fixtures of one round would be given now, by board; they aren't
    stored, and may be of a draft."""
    taken = set(Fixture.objects.of(tournament).open().filter(table__isnull=False).values_list("wave", "table"))
    return {fixture.board: (fixture.wave, fixture.table) for fixture in _seat_round(tournament, fixtures, taken)}


def _seat_round(tournament: Tournament, fixtures: list[Fixture], taken: set[Place]) -> list[Fixture]:
    if FORMATS[tournament.format].keeps_rounds:
        fixtures.sort(key=lambda fixture: (min(map(_stand, _list_sides(fixture))), fixture.board))
    fixtures.sort(key=lambda fixture: find_fixed_table(fixture) is None)
    places = _list_places(tournament.hall_tables, tournament.entry_kind.tables)
    for fixture in fixtures:
        fixed = find_fixed_table(fixture)
        if fixed is not None:
            fixed -= (fixed - 1) % tournament.entry_kind.tables  # the first of its two
        if fixed is None or (1, fixed) in taken:
            place = next(place for place in places if place not in taken)
        else:
            place = (1, fixed)
        taken.add(place)
        fixture.wave, fixture.table = place
    return fixtures


def _seat_seconds(fixtures: FixtureQuerySet) -> None:
    """Give each second table the number behind the first one's, in the same wave (O12)."""
    firsts = fixtures.filter(part=1, table__isnull=False).values_list("round", "board", "wave", "table")
    places = {(round_, board): (wave, table) for round_, board, wave, table in firsts}
    seated = []
    for second in fixtures.seconds().filter(table=None):
        wave, table = places.get((second.round_id, second.board), (None, None))
        if table is not None:
            second.wave, second.table = wave, table + 1
            seated.append(second)
    update_rows(seated, ["wave", "table"])


def find_fixed_table(fixture: Fixture) -> int | None:
    """Return the table at which one of the two always plays; of two such, the better standing's."""
    fixed = [entry for entry in _list_sides(fixture) if entry.fixed_table is not None]
    return min(fixed, key=_stand).fixed_table if fixed else None


def _list_sides(fixture: Fixture) -> list[Entry]:
    return [entry for entry in (fixture.first, fixture.second) if entry is not None]


def _stand(entry: Entry) -> tuple[int, int]:
    """Return where an entry stands: by rank, before there is one by seed."""
    return (entry.rank or 0, entry.seed or 0)


def _list_places(tables: int | None, step: int) -> Iterator[Place]:
    """Yield the places of a hall with so many tables, the first wave first; None: as many tables as are wanted.
    ``step``: how many a fixture takes, of which the first is given."""
    for wave in count(1):
        for table in count(1, step) if tables is None else range(1, tables - step + 2, step):
            yield wave, table
